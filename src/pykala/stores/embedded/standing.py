"""How often sections and acts are cited, counted from the references and stored in mapped files.

Two files beside the record database have a row per cited section and a row per cited work. A writer counts
again when it closes and something has changed; a reader maps the files. They are optional: where they are
missing, truncated or of another format, every section counts as never cited.

Counts are kept within a jurisdiction, so that loading one country's law does not change another's counts.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pykala.law.references import EdgeKind
from pykala.law.standing import UNKNOWN, Standing
from pykala.stores.connection import Connection
from pykala.stores.embedded.database import read_meta, write_meta
from pykala.stores.embedded.rows import EDGE_NUMBERS

if TYPE_CHECKING:  # a library without vectors opens without NumPy
    from numpy.typing import NDArray

SECTIONS, WORKS = "standing-sections.npy", "standing-works.npy"
_CITING: Final = (EdgeKind.CITES, EdgeKind.APPLIES, EdgeKind.INTERPRETS, EdgeKind.EXCEPTS)
_PENDING: Final = date.max.toordinal()  # the start of words whose day is not fixed
_SECTION: Final = [("unit", "<i8"), ("cited", "<u4"), ("works", "<u4"), ("last", "<i4"), ("weight", "<f4")]
_WORK: Final = [("work", "<i8"), ("works", "<u4"), ("weight", "<f4")]


class Standings:
    """A reader's citation counts; mapped at their first use."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._columns: tuple[NDArray[Any], NDArray[Any]] | None = None

    def of(self, places: Sequence[tuple[int, int]]) -> Mapping[tuple[int, int], Standing]:
        """The counts of (section, work) pairs, by their numbers in the record database."""
        columns = self._mapped()
        if columns is None or not places:
            return {}

        sections, works = columns
        own = _rows_at(sections, "unit", [unit for unit, _ in places])
        acts = _rows_at(works, "work", [work for _, work in places])
        return {place: _standing(section, act) for place, section, act in zip(places, own, acts, strict=True)}

    def close(self) -> None:
        """Close the files; the next question maps the newest ones."""
        self._columns = None

    def _mapped(self) -> tuple[NDArray[Any], NDArray[Any]] | None:
        if self._columns is None:
            import numpy as np

            with suppress(OSError, ValueError):  # missing, truncated, or garbage
                # Do not use np.load: it raises EOFError for an empty file, and leaves a false archive open.
                sections = np.lib.format.open_memmap(self._folder / SECTIONS, mode="r")
                works = np.lib.format.open_memmap(self._folder / WORKS, mode="r")
                known = sections.dtype == np.dtype(_SECTION) and works.dtype == np.dtype(_WORK)
                if known and sections.ndim == works.ndim == 1:
                    self._columns = sections, works
        return self._columns


def _rows_at(table: NDArray[Any], key_name: str, keys: Sequence[int]) -> list[tuple[Any, ...] | None]:
    """The rows of these keys, which are the first field; None for a key without a row."""
    import numpy as np

    if not len(table):
        return [None] * len(keys)
    places = np.searchsorted(table[key_name], keys).clip(max=len(table) - 1)
    found = table[places].tolist()  # all at once: reading single fields of mapped rows is slow
    return [row if row[0] == key else None for row, key in zip(found, keys, strict=True)]


def _standing(section: tuple[Any, ...] | None, work: tuple[Any, ...] | None) -> Standing:
    if section is None and work is None:
        return UNKNOWN
    _, cited, citing, last, weight = section or (0, 0, 0, 0, 0.0)
    _, act_works, act_weight = work or (0, 0, 0.0)
    return Standing(cited, citing, act_works=act_works, last_cited=last, weight=weight, act_weight=act_weight)


def keep_up(folder: Path, connection: Connection) -> None:
    """Count again where the records have changed.

    Where the disk is full or the folder is read-only, the old counts stay, since they are optional.
    """
    with suppress(OSError, sqlite3.Error):
        if is_due(folder, connection):
            write_meta(connection, {"standing": count(folder, connection)})


def is_due(folder: Path, connection: Connection) -> bool:
    """Whether the records have changed since the last count, or a file is missing."""
    whole = (folder / SECTIONS).exists() and (folder / WORKS).exists()
    return not whole or read_meta(connection).get("standing") != _state(connection)


def _state(connection: Connection) -> str:
    row = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'journal'").fetchone()
    return str(row or "")


def count(folder: Path, connection: Connection) -> str:
    """Count and write both files; return the state of the records that were counted."""
    sections, works = counted(connection)
    _save(folder / SECTIONS, sections)
    _save(folder / WORKS, works)
    return _state(connection)


def is_current(folder: Path, connection: Connection) -> bool:
    """Whether the files match the records; True also before the first count."""
    if "standing" not in read_meta(connection):
        return True
    import numpy as np

    held = Standings(folder)._mapped()
    return held is not None and all(map(np.array_equal, held, counted(connection)))


def counted(connection: Connection) -> tuple[NDArray[Any], NDArray[Any]]:
    """One row per cited section and one per cited work, from the references in the records."""
    import numpy as np

    numbers = ",".join(str(EDGE_NUMBERS[kind]) for kind in _CITING)
    rows = connection.execute(
        "SELECT e.target_unit, target.work, source.work,"
        # A pending reference has no date on which it was cited.
        f" MAX(CASE WHEN e.valid_from < {_PENDING} THEN e.valid_from ELSE 0 END), home.jurisdiction"
        " FROM edges e"
        " JOIN nodes AS target ON target.id = e.target_unit JOIN nodes AS source ON source.id = e.source_unit"
        " JOIN works AS home ON home.id = target.work JOIN works AS other ON other.id = source.work"
        f" WHERE e.kind IN ({numbers}) AND e.source_unit != e.target_unit"
        " AND home.jurisdiction = other.jurisdiction GROUP BY e.target_unit, target.work, e.source_unit,"
        " source.work, home.jurisdiction"
    ).fetchall()
    edges = np.array(rows, dtype=np.int64).reshape(-1, 5)
    abroad = edges[edges[:, 1] != edges[:, 2]]
    return _counted(edges, _SECTION), _counted(abroad[:, (1, 1, 2, 3, 4)], _WORK)


def _counted(edges: NDArray[Any], columns: list[tuple[str, str]]) -> NDArray[Any]:
    """One row per target (first column), with its references and the citing works (third column)."""
    import numpy as np

    targets, places, counts = np.unique(edges[:, 0], return_inverse=True, return_counts=True)
    found = np.zeros(len(targets), dtype=columns)
    found[columns[0][0]] = targets
    pairs = np.unique(np.stack([places.reshape(-1), edges[:, 2]], axis=1), axis=0)
    found["works"] = np.bincount(pairs[:, 0], minlength=len(targets)) if len(pairs) else 0
    homes = np.zeros(len(targets), dtype=np.int64)
    homes[places.reshape(-1)] = edges[:, 4]
    measured = found["works"]
    if columns is _SECTION:
        found["cited"] = measured = counts
        np.maximum.at(found["last"], places.reshape(-1), edges[:, 3].astype(np.int32))
    for home in np.unique(homes):
        own = homes == home
        found["weight"][own] = np.log1p(measured[own]) / np.log1p(measured[own].max())
    return found


def _save(path: Path, column: NDArray[Any]) -> None:
    """Write beside and rename: a reader maps the old file or the new one, never a partial one."""
    import numpy as np

    beside = path.with_suffix(".tmp")
    try:
        with beside.open("wb") as file:
            np.save(file, column, allow_pickle=False)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
