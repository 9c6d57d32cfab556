"""API keys stored with a library in a database, besides those of the settings; a folder stores none."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from pykala.interfaces.http.tokens import Issuer, Tokens
from pykala.interfaces.serving.rights import Right
from pykala.stores.cluster.configuration import records_address


class Holder(Protocol):
    """The owner of a key, and its rights."""

    @property
    def name(self) -> str:
        """The name used in logs."""
        ...

    @property
    def rights(self) -> frozenset[str]:
        """The rights of the key."""
        ...


class Ring(Protocol):
    """Looks up keys."""

    @property
    def is_guarded(self) -> bool:
        """Whether requests need a key."""
        ...

    def holder(self, key: str) -> Holder | None:
        """The owner of a key; None for an invalid key."""
        ...

    def admits(self, matter: str, holder: str) -> bool:
        """Whether the owner of a key belongs to an open matter."""
        ...

    def close(self) -> None:
        """Close the connections."""
        ...


class _DatabaseRing:
    """Keys and matters of a library in a database."""

    def __init__(self, address: str) -> None:
        from pykala.stores.matters import Matters
        from pykala.stores.postgres.keys import KeyRing

        self._keys = KeyRing(address)
        try:
            self._matters = Matters(address)
        except BaseException:
            self._keys.close()
            raise

    @property
    def is_guarded(self) -> bool:
        """Whether requests need a key."""
        return self._keys.is_guarded

    def holder(self, key: str) -> Holder | None:
        """The owner of a key."""
        return self._keys.holder(key)

    def admits(self, matter: str, holder: str) -> bool:
        """Whether the holder belongs to the matter."""
        return self._matters.admits(matter, holder)

    def close(self) -> None:
        """Close the connections."""
        self._keys.close()
        self._matters.close()


class _WithTokens:
    """Tokens of an issuer, and the keys of a library if it stores any."""

    def __init__(self, ring: Ring | None, tokens: Tokens) -> None:
        self._ring, self._tokens = ring, tokens

    @property
    def is_guarded(self) -> bool:
        """Requests need a token, or a key."""
        return True

    def holder(self, key: str) -> Holder | None:
        """The owner of a token or key."""
        return self._tokens.holder(key) or (self._ring.holder(key) if self._ring is not None else None)

    def admits(self, matter: str, holder: str) -> bool:
        """Whether the holder belongs to the matter."""
        return self._ring is not None and self._ring.admits(matter, holder)

    def close(self) -> None:
        """Close the connections."""
        self._tokens.close()
        if self._ring is not None:
            self._ring.close()


def ring_of(library: Path, issuer: Issuer | None = None) -> Ring | None:
    """Keys of a library and tokens of an issuer; None where there is neither."""
    tokens = Tokens(issuer) if issuer is not None else None
    address = records_address(library)
    ring: Ring | None = _DatabaseRing(address) if address is not None else None
    return ring if tokens is None else _WithTokens(ring, tokens)


def rights_of(holder: Holder) -> frozenset[Right]:
    """The rights of a key; unknown rights are ignored."""
    return frozenset(right for right in Right if right.value in holder.rights)
