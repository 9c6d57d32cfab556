"""Open a library by its address, which determines the engine.

store = open_store("/var/lib/law")                    # a folder: the embedded engine
store = open_store("postgresql://law@db/law")         # a database
store = open_store("cluster:law.toml")                # a cluster, described by a file
writer = open_writer("/var/lib/law", embedder=embedder)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol

from pykala.models.embedder import Embedder
from pykala.stores.beside import SideBySide
from pykala.stores.cluster.configuration import SCHEME, configuration_file
from pykala.stores.postgres.address import database_address, matter_of, with_matter
from pykala.stores.store import Store, StoreError, WritableStore

Address = Path | str
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]+)://")


class StoreEngine(Protocol):
    """The interface of an engine that an address can select."""

    def open(
        self, address: Address, *, writable: bool, create: bool, embedder: Embedder | None
    ) -> WritableStore:
        """Open a library; a writer may create it."""
        ...

    def holds(self, address: Address) -> bool:
        """Whether there is a library at an address."""
        ...

    def made_with(self, address: Address) -> str | None:
        """The fingerprint of a library's embedder; "" for no embedder, None if any is accepted."""
        ...

    def reindex(self, address: Address, *, embedder: Embedder | None) -> None:
        """Rebuild both indexes from the records, with the installed text analysis and embedder."""
        ...


class _Embedded:
    """The engine of a folder."""

    def open(
        self, address: Address, *, writable: bool, create: bool, embedder: Embedder | None
    ) -> WritableStore:
        from pykala.stores.embedded.store import EmbeddedStore

        return EmbeddedStore.open(Path(address), writable=writable, create=create, embedder=embedder)

    def holds(self, address: Address) -> bool:
        from pykala.stores.embedded.database import exists

        return exists(Path(address))

    def made_with(self, address: Address) -> str | None:
        from pykala.stores.embedded.store import EmbeddedStore

        return EmbeddedStore.made_with(Path(address))

    def reindex(self, address: Address, *, embedder: Embedder | None) -> None:
        from pykala.stores.embedded.store import EmbeddedStore

        EmbeddedStore.reindex(Path(address), embedder=embedder)


class _Postgres:
    """The engine of a database."""

    def open(
        self, address: Address, *, writable: bool, create: bool, embedder: Embedder | None
    ) -> WritableStore:
        from pykala.stores.postgres.store import PostgresStore

        return PostgresStore.open_at(_whole(address), writable=writable, create=create, embedder=embedder)

    def holds(self, address: Address) -> bool:
        return True  # who names a database means it: opening it says what is wrong

    def made_with(self, address: Address) -> str | None:
        from pykala.stores.postgres.store import PostgresStore

        return PostgresStore.made_with_at(with_matter(_whole(address), ""))  # a matter has that of the law

    def reindex(self, address: Address, *, embedder: Embedder | None) -> None:
        from pykala.stores.postgres.store import PostgresStore

        PostgresStore.reindex_at(_whole(address), embedder=embedder)


class _Cluster:
    """The engine of a cluster."""

    def open(
        self, address: Address, *, writable: bool, create: bool, embedder: Embedder | None
    ) -> WritableStore:
        from pykala.stores.cluster.store import ClusterStore

        return ClusterStore.open_file(_file(address), writable=writable, create=create, embedder=embedder)

    def holds(self, address: Address) -> bool:
        return True  # who names a cluster means it: opening it says what is wrong

    def made_with(self, address: Address) -> str | None:
        from pykala.stores.cluster.configuration import read_configuration
        from pykala.stores.postgres.store import PostgresStore

        return PostgresStore.made_with_at(read_configuration(_file(address)).records)

    def reindex(self, address: Address, *, embedder: Embedder | None) -> None:
        from pykala.stores.cluster.store import ClusterStore

        ClusterStore.reindex_file(_file(address), embedder=embedder)


def _file(address: Address) -> Path:
    return configuration_file(address) or Path(address)


def _whole(address: Address) -> str:
    return database_address(address) or str(address)


#: The scheme of an address → its engine, made when it is first wanted; a folder has no scheme.
ENGINES: Mapping[str, Callable[[], StoreEngine]] = {
    "": _Embedded,
    "postgresql": _Postgres,
    SCHEME: _Cluster,
}


def open_store(address: Address, *, embedder: Embedder | None = None) -> Store:
    """Open a library for reading; StoreError where there is none. A matter is read beside the law."""
    opened = engine_of(address).open(address, writable=False, create=False, embedder=embedder)
    if not matter_of(address):
        return opened
    try:
        return SideBySide(open_store(with_matter(address, ""), embedder=embedder), opened)
    except BaseException:
        opened.close()
        raise


def open_writer(address: Address, *, create: bool = True, embedder: Embedder | None = None) -> WritableStore:
    """Open a library for writing; with `create`, create it where there is none."""
    return engine_of(address).open(address, writable=True, create=create, embedder=embedder)


def is_library(address: Address) -> bool:
    """Whether there is a library at an address."""
    return engine_of(address).holds(address)


def made_with(address: Address) -> str | None:
    """The fingerprint of a library's embedder; "" for no embedder, None if any is accepted."""
    return engine_of(address).made_with(address)


def reindex(address: Address, *, embedder: Embedder | None = None) -> None:
    """Rebuild both indexes of a library from its records."""
    engine_of(address).reindex(address, embedder=embedder)


def scheme_of(address: Address) -> str:
    """The scheme of an address, such as "postgresql"; "" for a folder."""
    if database_address(address) is not None:  # also one that lost a slash, as a path does
        return "postgresql"
    if configuration_file(address) is not None:
        return SCHEME
    found = _SCHEME.match(str(address))
    return found[1] if found else ""


def engine_of(address: Address) -> StoreEngine:
    """The engine of the library at an address."""
    scheme = scheme_of(address)
    if scheme not in ENGINES:
        known = ", ".join(f"{one}:…" if one == SCHEME else f"{one}://…" for one in sorted(ENGINES) if one)
        raise StoreError(
            f"no engine keeps a library at {scheme}://…; give a folder" + (f" or {known}" if known else "")
        )
    return ENGINES[scheme]()
