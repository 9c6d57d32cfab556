"""Open a library by its address, which determines the engine.

store = open_store("/var/lib/law")                    # a folder: the embedded engine
store = open_store("postgresql://law@db/law")         # a database, with index files or alone
store = open_store("cluster:law.toml")                # a cluster, described by a file
writer = open_writer("/var/lib/law", embedder=embedder)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from pykala.models.embedder import Embedder
from pykala.stores.beside import SideBySide
from pykala.stores.cluster.configuration import SCHEME, configuration_file, read_configuration
from pykala.stores.postgres.address import (
    database_address,
    index_of,
    matter_of,
    shown,
    with_index_folder,
    with_matter,
)
from pykala.stores.postgres.facts import IN_DATABASE, IN_FILES
from pykala.stores.rebuild_progress import Progress as Steps
from pykala.stores.rebuild_progress import unwatched
from pykala.stores.store import Store, StoreError, StoreIncompatible, WritableStore
from pykala.stores.verification import Progress, Verification, say_nothing

if TYPE_CHECKING:
    from pykala.stores.postgres.store import PostgresStore

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

    def is_empty(self, address: Address) -> bool:
        """Whether the library at an address holds no work; False where only opening it would tell."""
        ...

    def made_with(self, address: Address) -> str | None:
        """The fingerprint of a library's embedder; "" for no embedder, None if any is accepted."""
        ...

    def reindex(self, address: Address, *, embedder: Embedder | None, force: bool, progress: Steps) -> bool:
        """Rebuild the indexes from the records, with the installed text analysis and embedder.

        Return False where they are as they would be written; with `force` they are written all the same.
        """
        ...

    def verify(
        self, address: Address, *, embedder: Embedder | None, repair: bool, progress: Progress
    ) -> Verification:
        """Check a library, and with `repair` repair what can be repaired."""
        ...

    def make_matter(self, address: Address, matter: str, *, embedder: Embedder | None) -> None:
        """Make the tables and the first index of a matter beside the law of a library."""
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

    def is_empty(self, address: Address) -> bool:
        from pykala.stores.embedded.emptiness import is_empty

        return is_empty(Path(address))

    def made_with(self, address: Address) -> str | None:
        from pykala.stores.embedded.store import EmbeddedStore

        return EmbeddedStore.made_with(Path(address))

    def reindex(self, address: Address, *, embedder: Embedder | None, force: bool, progress: Steps) -> bool:
        from pykala.stores.embedded.store import EmbeddedStore

        return EmbeddedStore.reindex(Path(address), embedder=embedder, force=force, progress=progress)

    def verify(
        self, address: Address, *, embedder: Embedder | None, repair: bool, progress: Progress
    ) -> Verification:
        from pykala.stores.embedded.verifying import verify

        return verify(Path(address), embedder=embedder, repair=repair, progress=progress)

    def make_matter(self, address: Address, matter: str, *, embedder: Embedder | None) -> None:
        raise StoreError("matters are kept in a library in PostgreSQL (--library postgresql://…)")


class _Postgres:
    """The engine of a database."""

    def open(
        self, address: Address, *, writable: bool, create: bool, embedder: Embedder | None
    ) -> WritableStore:
        chosen = _by_index(_whole(address))
        return chosen.open_at(_whole(address), writable=writable, create=create, embedder=embedder)

    def holds(self, address: Address) -> bool:
        return True  # the user named a database explicitly: opening it reports what is wrong

    def is_empty(self, address: Address) -> bool:
        return False

    def made_with(self, address: Address) -> str | None:
        from pykala.stores.postgres.store import PostgresStore

        return PostgresStore.made_with_at(with_matter(_whole(address), ""))  # a matter has the law's embedder

    def reindex(self, address: Address, *, embedder: Embedder | None, force: bool, progress: Steps) -> bool:
        chosen = _by_index(_whole(address), anew=True)
        chosen.reindex_at(_whole(address), embedder=embedder)
        return True

    def verify(
        self, address: Address, *, embedder: Embedder | None, repair: bool, progress: Progress
    ) -> Verification:
        from pykala.stores.database.store import DatabaseStore
        from pykala.stores.database.verifying import TablesVerifier
        from pykala.stores.postgres.verifying import FilesVerifier

        place = _whole(address)
        chosen = TablesVerifier if _by_index(place) is DatabaseStore else FilesVerifier
        return chosen(place, embedder=embedder, progress=progress).verify(repair=repair)

    def make_matter(self, address: Address, matter: str, *, embedder: Embedder | None) -> None:
        _by_index(_whole(address)).make_matter_at(_whole(address), matter, embedder=embedder)


class _Cluster:
    """The engine of a cluster. Its matters are in PostgreSQL alone."""

    def open(
        self, address: Address, *, writable: bool, create: bool, embedder: Embedder | None
    ) -> WritableStore:
        from pykala.stores.cluster.store import ClusterStore
        from pykala.stores.database.store import DatabaseStore

        if matter := matter_of(address):
            place = with_matter(_records(address), matter)
            return DatabaseStore.open_at(place, writable=writable, create=create, embedder=embedder)
        return ClusterStore.open_file(_file(address), writable=writable, create=create, embedder=embedder)

    def holds(self, address: Address) -> bool:
        return True  # the user named a cluster explicitly: opening it reports what is wrong

    def is_empty(self, address: Address) -> bool:
        return False

    def made_with(self, address: Address) -> str | None:
        from pykala.stores.postgres.store import PostgresStore

        return PostgresStore.made_with_at(_records(address))

    def reindex(self, address: Address, *, embedder: Embedder | None, force: bool, progress: Steps) -> bool:
        from pykala.stores.cluster.store import ClusterStore
        from pykala.stores.database.store import DatabaseStore

        if matter := matter_of(address):
            DatabaseStore.reindex_at(with_matter(_records(address), matter), embedder=embedder)
        else:
            ClusterStore.reindex_file(_file(address), embedder=embedder)
        return True

    def verify(
        self, address: Address, *, embedder: Embedder | None, repair: bool, progress: Progress
    ) -> Verification:
        from pykala.stores.cluster.verifying import ClusterVerifier
        from pykala.stores.database.verifying import TablesVerifier

        if matter := matter_of(address):
            place = with_matter(_records(address), matter)
            return TablesVerifier(place, embedder=embedder, progress=progress).verify(repair=repair)
        return ClusterVerifier(_file(address), embedder=embedder, progress=progress).verify(repair=repair)

    def make_matter(self, address: Address, matter: str, *, embedder: Embedder | None) -> None:
        from pykala.stores.database.store import DatabaseStore

        DatabaseStore.make_matter_at(_records(address), matter, embedder=embedder)


def _file(address: Address) -> Path:
    return configuration_file(address) or Path(address)


def _records(address: Address) -> str:
    """The address of a cluster's records; its folder is where this machine keeps small files."""
    read = read_configuration(_file(address))
    return with_index_folder(read.records, read.folder) if read.folder else read.records


def _by_index(address: str, *, anew: bool = False) -> type[PostgresStore]:
    """The store class of a library in PostgreSQL: by its index, or by the new index the address asks for."""
    from pykala.stores.postgres.store import PostgresStore

    wanted = index_of(address)
    if wanted not in ("", IN_FILES, IN_DATABASE):
        raise StoreError(f"an index is kept in 'files' or in the 'database', not in {wanted!r}")
    held = PostgresStore.index_at(address)
    if held and wanted and held != wanted and not anew:
        raise StoreIncompatible(
            f"the index of the library in {shown(address)} is in {_PLACES[held]}; leave 'index={wanted}' out"
            f" of the address, or run 'pykala reindex' with it to write the index into {_PLACES[wanted]}"
        )
    if ((wanted or held) if anew else (held or wanted)) == IN_DATABASE:
        from pykala.stores.database.store import DatabaseStore

        return DatabaseStore
    return PostgresStore


_PLACES = {IN_FILES: "files", IN_DATABASE: "the database"}


def _whole(address: Address) -> str:
    return database_address(address) or str(address)


#: The scheme of an address → its engine, created at its first use; a folder has no scheme.
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


def is_empty(address: Address) -> bool:
    """Whether the library at an address holds no work; False where only opening it would tell."""
    return engine_of(address).is_empty(address)


def make_matter(address: Address, matter: str, *, embedder: Embedder | None) -> None:
    """Make a matter beside the law of a library; `stores.matters` says who may read it."""
    engine_of(address).make_matter(address, matter, embedder=embedder)


def made_with(address: Address) -> str | None:
    """The fingerprint of a library's embedder; "" for no embedder, None if any is accepted."""
    return engine_of(address).made_with(address)


def reindex(
    address: Address,
    *,
    embedder: Embedder | None = None,
    force: bool = False,
    progress: Steps = unwatched,
) -> bool:
    """Rebuild the indexes of a library from its records; False where a folder's are already right.

    With `force` they are rebuilt all the same. Readers use the present ones until the new ones are complete.
    """
    return engine_of(address).reindex(address, embedder=embedder, force=force, progress=progress)


def verify(
    address: Address,
    *,
    embedder: Embedder | None = None,
    repair: bool = False,
    progress: Progress = say_nothing,
) -> Verification:
    """Check that a library is as it was written; with `repair`, repair what can be repaired."""
    return engine_of(address).verify(address, embedder=embedder, repair=repair, progress=progress)


def scheme_of(address: Address) -> str:
    """The scheme of an address, such as "postgresql"; "" for a folder."""
    if database_address(address) is not None:  # also if a path has lost one of the slashes
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
