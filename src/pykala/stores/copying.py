"""Copy a library from one store to another, row by row and file by file, and compare both.

    report = copy_library("law", "postgresql://…")
    report = copy_library("law", "cluster:law.toml", embedder_for=…)

Rows keep their numbers and index files their bytes, so that a question has the same answer in both. An index
on a server (of a cluster, or of a database without index files) is not copied: with `embedder_for` it is
written from the records that have arrived, and a cluster's passages are compared with them.

Rows are copied in the order of their keys, in batches that are each committed: an interrupted copy continues
after the last row that arrived. At the end every table is read again on both sides and compared by count and
content hash. Until then the target cannot be opened as a library.

A source whose text differs from its own stored content hashes is refused, and those hashes are copied: a copy
never makes altered law look as it was written.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Protocol

from pykala.models.embedder import Embedder
from pykala.stores.connection import Connection
from pykala.stores.originals import PackedOriginals
from pykala.stores.record_tables import HASHES, NUMBERED, TABLES, Table
from pykala.stores.store import StoreDamaged, StoreError

_ROWS_AT_ONCE: Final = 2_000
_PIECE: Final = 1 << 20
#: Facts of one location; each location has its own.
OF_THE_PLACE: Final = (
    *("schema", "library", "index", "index_folder", "index_generation", "published", "copied_from"),
    *("cluster_epoch", "cluster_edition"),
)
#: Facts of an index in files; a library without them still has to write its index.
_OF_INDEX_FILES: Final = (
    *("text_seq", "text_documents", "vector_seq", "vector_documents", "asked_seq", "asked_documents"),
)

Progress = Callable[[int, int], None]  # rows done, rows in all
EmbedderFor = Callable[[str | Path], Embedder | None]  # the embedder that made the vectors of a library


class Side(Protocol):
    """The source or the target of a copy."""

    @property
    def name(self) -> str:
        """Its address, safe to show."""
        ...

    @property
    def connection(self) -> Connection:
        """Its records."""
        ...

    @property
    def index_files(self) -> Path:
        """The folder of its index files."""
        ...

    @property
    def takes_index_files(self) -> bool:
        """Whether index files can be copied into it; an index on a server is written from the records."""
        ...

    @property
    def root(self) -> Path:
        """The folder with files that are not of the index, such as fetched ones."""
        ...

    @property
    def originals(self) -> PackedOriginals:
        """The files of uploads."""
        ...

    def keeps_hashes(self) -> bool:
        """Whether it stores content hashes of works."""
        ...

    def require_unaltered(self) -> None:
        """Compare the rows of every work with its content hashes. Raises StoreDamaged."""
        ...

    def facts(self) -> dict[str, str]:
        """The library's facts."""
        ...

    def number(self, table: str) -> int:
        """The last number that a table or the journal has used."""
        ...

    def begin(self, state: str) -> None:
        """Prepare the target; remove what an earlier copy of another state left."""
        ...

    def finish(self, facts: dict[str, str], numbers: dict[str, int]) -> None:
        """Turn the target into a library that can be opened."""
        ...

    def commit(self) -> None:
        """Commit the rows that have arrived."""
        ...

    def close(self) -> None:
        """Close files and release locks."""
        ...


@dataclass(frozen=True, slots=True)
class Copied:
    """One table that is the same on both sides."""

    table: str
    rows: int
    digest: str


@dataclass(frozen=True, slots=True)
class CopyReport:
    """The copied tables with their rows and hashes, and files."""

    tables: tuple[Copied, ...]
    files: int
    bytes: int
    resumed: bool  # whether it continued an interrupted copy
    indexed: bool  # whether the target has its index: copied, or written from the records
    unhashed: int = 0  # works that had no content hashes, so that their text could not be checked
    passages: int = 0  # of a cluster, the same in Qdrant as in the records

    @property
    def rows(self) -> int:
        """Rows in all."""
        return sum(one.rows for one in self.tables)


def copy_library(
    source: str | Path,
    target: str | Path,
    *,
    index_folder: Path | None = None,
    checked: bool = True,
    progress: Progress = lambda done, total: None,
    embedder_for: EmbedderFor | None = None,
) -> CopyReport:
    """Copy a library, or continue an interrupted copy. Raises StoreError.

    With `checked` the source's text is first compared with its content hashes: StoreDamaged where it differs.
    With `embedder_for` an index that cannot be copied is written, with the embedder that it returns.
    """
    report = _copied(source, target, index_folder=index_folder, checked=checked, progress=progress)
    if report.indexed or embedder_for is None:
        return report
    return replace(report, indexed=True, passages=write_index(target, embedder_for))


def write_index(target: str | Path, embedder_for: EmbedderFor) -> int:
    """Write the index of a copied library from its records; return the passages that were compared."""
    from pykala.stores.cluster.configuration import configuration_file
    from pykala.stores.cluster.store import ClusterStore
    from pykala.stores.opening import reindex
    from pykala.stores.postgres.address import matter_of

    reindex(target, embedder=embedder_for(target))
    file = configuration_file(target)
    if file is None or matter_of(target):  # a matter's passages are in the database
        return 0
    return next(iter(ClusterStore.compare_file(file).values())).count


def _copied(
    source: str | Path, target: str | Path, *, index_folder: Path | None, checked: bool, progress: Progress
) -> CopyReport:
    with ExitStack() as opened:
        origin = _side(source, opened, index_folder=None, target=False)
        if checked:  # before anything is made at the target
            origin.require_unaltered()
        into = _side(target, opened, index_folder=index_folder, target=True)
        facts = origin.facts()
        into.begin(facts.get("content", ""))
        tables = (*TABLES, HASHES) if origin.keeps_hashes() else TABLES
        held = _copy_rows(origin, into, tables, progress)
        files = _together(_copy_files(origin, into), _copy_originals(origin, into))
        copied = tuple(_compared(origin, into, table) for table in tables)
        numbers = {table: origin.number(table) for table in (*NUMBERED, "journal")}
        indexed = into.takes_index_files and (origin.index_files / "text").is_dir()
        left_out = {*OF_THE_PLACE, *(() if indexed else _OF_INDEX_FILES)}
        into.finish({name: fact for name, fact in facts.items() if name not in left_out}, numbers)
        return CopyReport(copied, *files, held > 0, indexed, _unhashed(origin))


def _copy_rows(origin: Side, into: Side, tables: Sequence[Table], progress: Progress) -> int:
    """Copy the rows that have not arrived yet; return how many had."""
    total = sum(_count(origin, table) for table in tables)
    held = done = sum(_count(into, table) for table in tables)
    progress(done, total)
    for table in tables:
        for rows in _missing_rows(origin, into, table):
            into.connection.executemany(_insert(table), rows)
            into.commit()
            done += len(rows)
            progress(done, total)
    return held


def _unhashed(side: Side) -> int:
    without = "WHERE id NOT IN (SELECT work FROM digests)" if side.keeps_hashes() else ""
    return int(side.connection.execute(f"SELECT count(*) FROM works {without}").fetchone()[0])


def _side(place: str | Path, opened: ExitStack, *, index_folder: Path | None, target: bool) -> Side:
    from pykala.stores.cluster.configuration import configuration_file, read_configuration
    from pykala.stores.embedded.copied import FolderSide
    from pykala.stores.postgres.address import database_address, index_of, matter_of, with_matter
    from pykala.stores.postgres.copied import DatabaseSide
    from pykala.stores.postgres.facts import IN_DATABASE

    side: Side
    if (file := configuration_file(place)) is not None:
        cluster = read_configuration(file)
        records = with_matter(cluster.records, matter_of(place))
        side = DatabaseSide(records, cluster.local_folder, target=target, takes_index_files=False)
    elif address := database_address(place):
        takes_files = index_of(place) != IN_DATABASE
        side = DatabaseSide(address, index_folder, target=target, takes_index_files=takes_files)
    else:
        side = FolderSide(Path(place), target=target)
    opened.callback(side.close)
    return side


def _names(columns: Sequence[str]) -> str:
    return ", ".join(f'"{name}"' for name in columns)


def _insert(table: Table) -> str:
    return (
        f"INSERT INTO {table.name} ({_names(table.columns)}) VALUES ({', '.join('?' * len(table.columns))})"
    )


def _count(side: Side, table: Table) -> int:
    return int(side.connection.execute(f"SELECT count(*) FROM {table.name}").fetchone()[0])


def _missing_rows(origin: Side, into: Side, table: Table) -> Iterator[list[Any]]:
    """The rows after the last one that has arrived."""
    last = into.connection.execute(
        f"SELECT {_names(table.key)} FROM {table.name}"
        f" ORDER BY {', '.join(f'{one} DESC' for one in table.key)} LIMIT 1"
    ).fetchone()
    return _parts(origin, table, last)


def _parts(side: Side, table: Table, after: Sequence[Any] | None = None) -> Iterator[list[Any]]:
    """The rows of a table by key, in batches."""
    places = [table.columns.index(one) for one in table.key]
    keys = _names(table.key)
    while True:
        where = f" WHERE ({keys}) > ({', '.join('?' * len(table.key))})" if after is not None else ""
        rows = side.connection.execute(
            f"SELECT {_names(table.columns)} FROM {table.name}{where} ORDER BY {keys} LIMIT {_ROWS_AT_ONCE}",
            tuple(after or ()),
        ).fetchall()
        if rows:
            yield rows
            after = [rows[-1][place] for place in places]
        if len(rows) < _ROWS_AT_ONCE:
            return


def _digest(side: Side, table: Table) -> tuple[int, str]:
    hashed, count = hashlib.blake2b(digest_size=16), 0
    for rows in _parts(side, table):
        count += len(rows)
        for row in rows:
            hashed.update(json.dumps(list(row), ensure_ascii=True, default=bytes.hex).encode())
    return count, hashed.hexdigest()


def _compared(origin: Side, into: Side, table: Table) -> Copied:
    wanted, found = _digest(origin, table), _digest(into, table)
    if wanted != found:
        raise StoreDamaged(
            f"the table {table.name} in {into.name} is not that of {origin.name}: {found[0]} rows with hash"
            f" {found[1]}, not {wanted[0]} with {wanted[1]}; empty the target and copy again"
        )
    return Copied(table.name, *wanted)


_LEFT_OUT: Final = frozenset(
    {"generations", "originals", "cache.db", "room.reserved", "library.db", "copying.db"}
)
_INDEX: Final = frozenset(
    {
        *("text", "vectors", "asked", "glossary.db", "standing-sections.npy", "standing-works.npy"),
        "checksums.json",
    }
)


def _copy_files(origin: Side, into: Side) -> tuple[int, int]:
    """Copy the index files and the other files; return the number of files and bytes."""
    index = sorted(_INDEX) if into.takes_index_files else ()
    wanted = [(origin.index_files / name, into.index_files / name) for name in index]
    beside = origin.root.iterdir() if origin.root.is_dir() else ()
    for path in sorted(beside):
        name = path.name
        if name not in _INDEX | _LEFT_OUT and not name.endswith((".lock", "-wal", "-shm", ".part")):
            wanted.append((path, into.root / name))
    files = size = 0
    for path, goal in wanted:
        for one in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if one.is_file() and not one.name.endswith(".lock"):
                _copy_file(one, goal / one.relative_to(path) if path.is_dir() else goal)
                files, size = files + 1, size + one.stat().st_size
    return files, size


def _copy_originals(origin: Side, into: Side) -> tuple[int, int]:
    """Copy the files of uploads that have not arrived; return the number of files and bytes."""
    wanted, arrived = origin.originals.hashes(), set(into.originals.hashes())
    size = 0
    for sha256 in wanted:
        packed = origin.originals.packed(sha256)
        if sha256 not in arrived or into.originals.packed(sha256) != packed:
            into.originals.keep(sha256, packed)
            into.commit()
        if into.originals.packed(sha256) != packed:
            raise StoreError(f"the original {sha256} reads back from {into.name} otherwise; copy again")
        size += len(packed)
    return len(wanted), size


def _together(first: tuple[int, int], second: tuple[int, int]) -> tuple[int, int]:
    return first[0] + second[0], first[1] + second[1]


def _copy_file(path: Path, goal: Path) -> None:
    goal.parent.mkdir(parents=True, exist_ok=True)
    if goal.is_file() and goal.stat().st_size == path.stat().st_size and _sha256(goal) == _sha256(path):
        return  # already copied
    shutil.copy2(path, goal)
    if _sha256(goal) != _sha256(path):
        raise StoreError(f"{goal} reads back otherwise than {path}; check the disk")


def _sha256(path: Path) -> bytes:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            digest.update(piece)
    return digest.digest()
