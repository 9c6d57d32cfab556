"""The Store contract: what every engine that keeps a library must do, whatever it is made of.

    Store = Records + Index            a library that is read
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
    """A library that is read."""

    @property
    def writer(self) -> WritableStore | None:
        """The same library to write to; None where it is only read."""
        return None


class WritableStore(Store, Writer, Protocol):
    """A library that is read and written."""


def require_writer(store: Store) -> WritableStore:
    """The library to write to; StoreError where it is only read."""
    if store.writer is None:
        raise StoreError("this library was opened for reading; open it with writable=True to change it")
    return store.writer
