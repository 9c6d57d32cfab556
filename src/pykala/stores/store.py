"""The Store contract: what every engine must do.

    Store = Records + Index            a library to read
    WritableStore = Store + Writer     the same, to write to

Engines inherit from one of the two and pass one contract suite (tests/contracts). A store that is only read
has no writing methods at all; `Store.writer` says which it is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar

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

if TYPE_CHECKING:
    from pykala.stores.exchanges import Exchanges

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

Result = TypeVar("Result")


class Store(Records, Index, Protocol):
    """A library to read."""

    @property
    def writer(self) -> WritableStore | None:
        """The same library for writing; None where it is read only."""
        return None

    @property
    def exchanges(self) -> Exchanges | None:
        """What carries its reads across a network, so that those of two stores share round trips."""
        return None

    def at_once(self, reads: Sequence[Callable[[], Result]]) -> list[Result]:
        """Run some reads of this store that need nothing of each other; the first error is raised.

        This default runs one after the other; an engine across a network sends together what they need.
        They take turns, so none of them runs while another one does.
        """
        return [read() for read in reads]


class WritableStore(Store, Writer, Protocol):
    """A library to read and write."""


def require_writer(store: Store) -> WritableStore:
    """The library for writing; StoreError where it is read only."""
    if store.writer is None:
        raise StoreError("this library was opened for reading; open it with writable=True to change it")
    return store.writer
