"""Tokens of an OpenID Connect issuer: whoever signs in there needs no key of this server.

A token must be signed by a key that the issuer publishes, be issued for this server, and not be expired. Its
subject appears in logs and matters as `user:SUBJECT`. Its rights are those of its scopes, such as
`pykala:upload`, and those that the settings give to everybody.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

import httpx

from pykala.interfaces.serving.rights import Right
from pykala.settings_table import SettingsUnreadable
from pykala.stores.postgres.keys import USER

MISSING_EXTRA: Final = "PYKALA_OIDC_ISSUER needs the extra 'oidc': pip install 'pykala[oidc]'"
#: Only signatures with public keys: with a shared secret, whoever can check a token could also make one.
_ALGORITHMS: Final = (
    "RS256",
    "RS384",
    "RS512",
    "PS256",
    "PS384",
    "PS512",
    "ES256",
    "ES384",
    "ES512",
    "EdDSA",
)
_LEEWAY: Final = 60  # seconds by which clocks may differ
_KEYS_LIVE: Final = 3_600.0  # seconds
_ASKED_AGAIN: Final = 30.0  # seconds between two requests for an unknown key
_PATIENCE: Final = 3.0  # seconds
_LARGEST: Final = 1_000_000  # bytes of an issuer's response
_LONGEST: Final = 16_384  # characters of a token
_LONGEST_SUBJECT: Final = 255  # characters, the limit of OpenID Connect
_SCOPE: Final = "pykala:"
_LOOPBACK: Final = frozenset({"127.0.0.1", "::1", "localhost"})


class IssuerUnusable(SettingsUnreadable):
    """The settings of an issuer cannot be used."""


@dataclass(frozen=True, slots=True)
class Issuer:
    """The issuer of tokens, their audience, and the rights of every holder."""

    address: str
    audience: str
    rights: frozenset[str] = frozenset({Right.READ.value})


@dataclass(frozen=True, slots=True)
class TokenHolder:
    """The owner of a token, and its rights."""

    name: str
    rights: frozenset[str]


class Tokens:
    """Validates the tokens of one issuer."""

    def __init__(
        self,
        issuer: Issuer,
        *,
        clock: Callable[[], float] = time.monotonic,
        client: httpx.Client | None = None,
    ) -> None:
        _require_usable(issuer)
        self._issuer, self._clock = issuer, clock
        self._client = client or httpx.Client(timeout=_PATIENCE, follow_redirects=False)
        self._asking = threading.Lock()
        self._keys: Mapping[str, Any] = {}
        self._asked_at = float("-inf")

    def close(self) -> None:
        """Release the connections."""
        self._client.close()

    def holder(self, token: str) -> TokenHolder | None:
        """The owner of a token; None where it is invalid here, or cannot be checked now."""
        import jwt

        if token.count(".") != 2 or len(token) > _LONGEST:
            return None
        try:
            key = self._key(str(jwt.get_unverified_header(token).get("kid", "")))
            if key is None:
                return None
            claims = jwt.decode(
                token,
                key,
                algorithms=_ALGORITHMS,
                audience=self._issuer.audience,
                issuer=self._issuer.address,
                leeway=_LEEWAY,
                options={"require": ["exp", "iat", "iss", "aud", "sub"]},
            )
        except jwt.PyJWTError:
            return None
        return _holder(claims, self._issuer.rights)

    def _key(self, name: str) -> Any:
        """A key of the issuer by its name; keys change, so an unknown key is requested again."""
        # While one thread asks the issuer, the others use the known keys.
        if self._is_due(name) and self._asking.acquire(blocking=not self._keys):
            try:
                if self._is_due(name):
                    self._asked_at = self._clock()
                    self._keys = self._read() or self._keys
            finally:
                self._asking.release()
        return self._keys.get(name)

    def _is_due(self, name: str) -> bool:
        age = self._clock() - self._asked_at
        return age > _KEYS_LIVE or (name not in self._keys and age > _ASKED_AGAIN)

    def _read(self) -> Mapping[str, Any]:
        import jwt

        try:
            configuration = self._json(f"{self._issuer.address.rstrip('/')}/.well-known/openid-configuration")
            if configuration.get("issuer") != self._issuer.address:
                return {}
            place = str(configuration.get("jwks_uri", ""))
            if not _is_safe(place):
                return {}
            keys = jwt.PyJWKSet.from_dict(self._json(place)).keys
        except (httpx.HTTPError, ValueError, jwt.PyJWTError):
            return {}
        return {
            str(key.key_id): key
            for key in keys
            if key.key_id and key.key_type != "oct" and key.public_key_use in (None, "sig")
        }

    def _json(self, address: str) -> dict[str, Any]:
        """An issuer's response as an object, limited in size and time; ValueError otherwise."""
        data, ends = bytearray(), time.monotonic() + _PATIENCE
        with self._client.stream("GET", address) as answer:
            answer.raise_for_status()
            for piece in answer.iter_bytes():
                data += piece
                if len(data) > _LARGEST or time.monotonic() > ends:
                    raise ValueError("an issuer says no more than this, and says it sooner")
        try:
            found = json.loads(data)
        except RecursionError as error:
            raise ValueError("an issuer says nothing so deep") from error
        if not isinstance(found, dict):
            raise ValueError("an issuer's answer is an object")
        return found


def _holder(claims: Mapping[str, Any], given: frozenset[str]) -> TokenHolder | None:
    subject = claims.get("sub")
    if not isinstance(subject, str) or not subject.strip() or not subject.isprintable():
        return None
    if len(subject) > _LONGEST_SUBJECT:  # it is in every line of the logs
        return None
    scopes = claims.get("scope", "")
    listed = scopes.split() if isinstance(scopes, str) else ()
    own = (one.removeprefix(_SCOPE).replace("-", " ") for one in listed if one.startswith(_SCOPE))
    return TokenHolder(f"{USER}{subject}", given | frozenset(own))


def _require_usable(issuer: Issuer) -> None:
    try:
        import jwt
    except ImportError as error:
        raise IssuerUnusable(MISSING_EXTRA) from error
    del jwt
    if not _is_safe(issuer.address):
        raise IssuerUnusable("PYKALA_OIDC_ISSUER is no address that begins with https://")
    if not issuer.audience:
        raise IssuerUnusable("PYKALA_OIDC_AUDIENCE says for whom tokens are meant; set it, too")
    if unknown := issuer.rights - {right.value for right in Right}:
        raise IssuerUnusable(f"PYKALA_OIDC_RIGHTS: there is no right {min(unknown)!r}")


def _is_safe(address: str) -> bool:
    """Whether an address can be trusted to be the issuer's: encrypted, or on this machine."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _LOOPBACK)
