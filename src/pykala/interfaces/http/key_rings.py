"""The keys that a library itself knows, beside those of the settings; a folder knows none."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from pykala.interfaces.http.rights import Right
from pykala.stores.postgres.address import database_address


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

    def close(self) -> None:
        """Release what it holds."""
        ...


def ring_of(library: Path) -> Ring | None:
    """The keys of a library; None for a folder."""
    address = database_address(library)
    if address is None:
        return None
    from pykala.stores.postgres.keys import KeyRing

    return KeyRing(address)


def rights_of(holder: Holder) -> frozenset[Right]:
    """The rights of a key; what this version does not know, nobody may."""
    return frozenset(right for right in Right if right.value in holder.rights)
