"""The keys that a library itself knows, beside those of the settings; a folder knows none."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from pykala.interfaces.http.tokens import Issuer, Tokens
from pykala.interfaces.serving.rights import Right
from pykala.stores.cluster.configuration import records_address


class Holder(Protocol):
    """Whose key it is, and what it is good for."""

    @property
    def name(self) -> str:
        """The name that logs know it by."""
        ...

    @property
    def rights(self) -> frozenset[str]:
        """What it is good for."""
        ...


class Ring(Protocol):
    """Knows keys."""

    @property
    def is_guarded(self) -> bool:
        """Whether requests need a key."""
        ...

    def holder(self, key: str) -> Holder | None:
        """Whose key it is; None for one that is not good for anything."""
        ...

    def admits(self, matter: str, holder: str) -> bool:
        """Whether the holder of a key belongs to a matter that is open."""
        ...

    def close(self) -> None:
        """Release what it holds."""
        ...


class _DatabaseRing:
    """The keys and the matters of a library in a database."""

    def __init__(self, address: str) -> None:
        from pykala.stores.postgres.keys import KeyRing
        from pykala.stores.postgres.matters import Matters

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
        """Whose key it is."""
        return self._keys.holder(key)

    def admits(self, matter: str, holder: str) -> bool:
        """Whether the holder belongs to the matter."""
        return self._matters.admits(matter, holder)

    def close(self) -> None:
        """Close the connections."""
        self._keys.close()
        self._matters.close()


class _WithTokens:
    """The keys of a library, if it knows any, and tokens of an issuer."""

    def __init__(self, ring: Ring | None, tokens: Tokens) -> None:
        self._ring, self._tokens = ring, tokens

    @property
    def is_guarded(self) -> bool:
        """Requests need a token, or a key."""
        return True

    def holder(self, key: str) -> Holder | None:
        """Whose token or key it is."""
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
    """The keys of a library and the tokens of an issuer; None for a folder without either."""
    tokens = Tokens(issuer) if issuer is not None else None
    address = records_address(library)
    ring: Ring | None = _DatabaseRing(address) if address is not None else None
    return ring if tokens is None else _WithTokens(ring, tokens)


def rights_of(holder: Holder) -> frozenset[Right]:
    """The rights of a key; what this version does not know, nobody may."""
    return frozenset(right for right in Right if right.value in holder.rights)
