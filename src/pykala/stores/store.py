"""The Store contract: what every engine must do.

    Store = Records + Index            a library to read
    WritableStore = Store + Writer     the same, to write to

Engines inherit from one of the two and pass one contract suite (tests/contracts). A store that is only read
has no writing methods at all; `Store.writer` says which it is.
"""

from __future__ import annotations

from typing import Protocol

from pykala.stores.errors import (
    NotInForce,
    StoreDamaged,
    StoreError,
    StoreForbidden,
    StoreFull,
    StoreIncompatible,
    StoreLocked,
    UnknownProvision,
)
from pykala.stores.index import Index
from pykala.stores.records import Records
from pykala.stores.values import (
    Ancestor,
    Hits,
    Match,
    Mentions,
    Named,
    References,
    Search,
    State,
    Stats,
    StoredProvision,
    Wording,
)
from pykala.stores.writer import Writer

__all__ = [
    "Ancestor",
    "Hits",
    "Index",
    "Match",
    "Mentions",
    "Named",
    "NotInForce",
    "Records",
    "References",
    "Search",
    "State",
    "Stats",
    "Store",
    "StoreDamaged",
    "StoreError",
    "StoreForbidden",
    "StoreFull",
    "StoreIncompatible",
    "StoreLocked",
    "StoredProvision",
    "UnknownProvision",
    "Wording",
    "WritableStore",
    "Writer",
    "require_writer",
]


class Store(Records, Index, Protocol):
    """A library to read."""

    @property
    def writer(self) -> WritableStore | None:
        """The same library for writing; None where it is read only."""
        return None


class WritableStore(Store, Writer, Protocol):
    """A library to read and write."""


def require_writer(store: Store) -> WritableStore:
    """The library for writing; StoreError where it is read only."""
    if store.writer is None:
        raise StoreError("this library was opened for reading; open it with writable=True to change it")
    return store.writer
