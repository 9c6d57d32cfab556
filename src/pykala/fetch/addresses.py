"""Addresses: which may be requested, and how to show them without secrets."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import urlsplit, urlunsplit

_SECRET = re.compile(
    r"(?:^|[-_.])(?:key|apikey|token|secret|password|passwd|signature|sig|auth)$", re.IGNORECASE
)
LOOPBACK = {"127.0.0.1", "::1", "localhost"}


class FetchRefused(Exception):
    """An address that must not be requested: the pack does not name its host, or it is not https."""


def redacted(url: str) -> str:
    """Show an address with the values of secret parameters and any user name and password taken out."""
    try:
        parts = urlsplit(url)
        host = parts.netloc.rpartition("@")[2]
    except ValueError:
        return "(an address that cannot be read)"
    query = "&".join(_shown(pair) for pair in parts.query.split("&"))
    return urlunsplit((parts.scheme, host, parts.path, query, ""))


def _shown(pair: str) -> str:
    name, equals, _ = pair.partition("=")
    return f"{name}=***" if equals and _SECRET.search(name) else pair


@dataclass(frozen=True, slots=True)
class AllowedHosts:
    """The hosts that a pack names as its sources. `loopback` lets a test's own server in, without https."""

    names: frozenset[str]
    loopback: bool = False

    def check(self, url: str) -> str:
        """Return the host of an allowed address; raise FetchRefused for any other."""
        shown = redacted(url)
        try:
            parts = urlsplit(url)
            host, port = (parts.hostname or "").lower(), parts.port
        except ValueError:
            raise FetchRefused(f"{shown}: it is no address; write https://HOST/PATH") from None
        if host not in self.names:
            known = ", ".join(sorted(self.names)) or "none"
            raise FetchRefused(f"{shown}: the host {host!r} is none of the pack's sources ({known})")
        if parts.username is not None or parts.password is not None:
            raise FetchRefused(f"{shown}: it holds a user name or password; leave them out")
        local = self.loopback and host in LOOPBACK
        if not local and (parts.scheme != "https" or port not in {None, 443}):
            raise FetchRefused(f"{shown}: only https on its own port is asked; write https://{host}/…")
        if parts.scheme not in {"http", "https"}:
            raise FetchRefused(f"{shown}: only https is asked; write https://{host}/…")
        return host
