"""Deriving edges from references, whatever the order in which works arrive.

A reference is linked as soon as the work it names is there: to the provision itself, or to the nearest
one above it that exists (a paragraph that the consolidated text no longer has still leads to its
section). Removing or replacing a work sends the references that led to it back to waiting.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass

from pykala.law.references import EdgeKind, Unresolved
from pykala.stores.embedded.rows import EDGE_NUMBERS

_COLUMNS = (
    "refs.id, refs.source, refs.kind, refs.target_work, refs.target_path, refs.alias,"
    " refs.valid_from, refs.valid_to, refs.reverse"
)
_INTO = (
    f"SELECT {_COLUMNS} FROM works JOIN refs ON refs.target_work = works.key"
    " WHERE works.id = :work AND refs.work != :work"
    f" UNION SELECT {_COLUMNS} FROM aliases JOIN refs ON refs.alias = aliases.alias AND refs.alias != ''"
    " WHERE aliases.work = :work AND refs.work != :work"
)
_CONTAINERS = frozenset({"part", "chp", "div", "subpart", "title"})
_Row = tuple[int, int, str, str, str, str, int, int, int]


def references_from(connection: sqlite3.Connection, work: int) -> list[_Row]:
    """The references that stand in a work and name somewhere to go."""
    return connection.execute(
        f"SELECT {_COLUMNS} FROM refs WHERE work = ? AND (target_work != '' OR alias != '')",
        (work,),
    ).fetchall()


def references_into(connection: sqlite3.Connection, work: int) -> list[_Row]:
    """The references of other works that name a work, by identifier or by one of its names."""
    return connection.execute(_INTO, {"work": work}).fetchall()


def unlink(connection: sqlite3.Connection, references: Iterable[_Row]) -> None:
    """Take away the edges of references."""
    connection.executemany("DELETE FROM edges WHERE ref = ?", ((row[0],) for row in references))


def link(connection: sqlite3.Connection, references: Iterable[_Row]) -> None:
    """Turn references into edges where they lead somewhere, and record why where they do not."""
    edges, reasons = _resolved(connection, references)
    connection.executemany("INSERT OR IGNORE INTO edges VALUES (?, ?, ?, ?, ?, ?, ?, ?)", edges)
    connection.executemany("UPDATE refs SET reason = ? WHERE id = ? AND reason != ?1", reasons)


@dataclass(frozen=True, slots=True)
class Differing:
    """How many references of a work there are, and how many edges are not what they say."""

    references: int
    edges: int


def differing(connection: sqlite3.Connection, work: int) -> Differing:
    """Compare the edges of a work's references with those that linking them again would give."""
    references = references_from(connection, work)
    held = connection.execute(
        "SELECT edges.* FROM refs JOIN edges ON edges.ref = refs.id WHERE refs.work = ?", (work,)
    )
    return Differing(len(references), len(set(held) ^ set(_resolved(connection, references)[0])))


def _resolved(
    connection: sqlite3.Connection, references: Iterable[_Row]
) -> tuple[list[tuple[int, ...]], list[tuple[str, int]]]:
    """Edges, and the reason of every reference why it has none (empty where it has)."""
    resolver = _Resolver(connection)
    edges: list[tuple[int, ...]] = []
    reasons: list[tuple[str, int]] = []
    for row in references:
        number, source, kind, _, _, _, start, end, reverse = row
        reason, target, target_unit = resolver.target(row)
        reasons.append((reason, number))
        if reason or target == source:
            continue
        ends = (resolver.unit(source), source, target_unit, target)
        if reverse:
            ends = (*ends[2:], *ends[:2])
        edges.append((ends[0], EDGE_NUMBERS[EdgeKind(kind)], ends[2], ends[1], ends[3], number, start, end))
    return edges, reasons


class _Resolver:
    """Looks up where references lead; remembers what it has looked up during one call of `link`."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._works: dict[str, int | None] = {}
        self._named: dict[tuple[str, int], int | Unresolved] = {}
        self._nodes: dict[tuple[int, str], tuple[int, int] | None] = {}
        self._sources: dict[int, tuple[int, int]] = {}

    def unit(self, node: int) -> int:
        """The section of a node."""
        return self._source(node)[0]

    def target(self, row: _Row) -> tuple[str, int, int]:
        """(reason or "", node, its section) of a reference."""
        _, source, _, target_work, path, alias, *_ = row
        work = self._work(target_work) if target_work else self._work_named(alias, source)
        if isinstance(work, Unresolved):
            return work.value, 0, 0
        if work is None:
            return Unresolved.NOT_LOADED.value, 0, 0
        while path:
            for written in (path, _without_containers(path)):
                found = self._node(work, written) if written else None
                if found:
                    return "", *found
            path = path.rpartition("/")[0]
        return (Unresolved.NO_SUCH_PROVISION.value, 0, 0) if row[4] else ("", *self._whole(work))

    def _source(self, node: int) -> tuple[int, int]:
        if node not in self._sources:
            row = self._connection.execute(
                "SELECT nodes.unit, works.jurisdiction FROM nodes JOIN works ON works.id = nodes.work"
                " WHERE nodes.id = ?",
                (node,),
            ).fetchone()
            self._sources[node] = (row[0], row[1])
        return self._sources[node]

    def _work(self, key: str) -> int | None:
        if key not in self._works:
            row = self._connection.execute("SELECT id FROM works WHERE key = ?", (key,)).fetchone()
            self._works[key] = row[0] if row else None
        return self._works[key]

    def _work_named(self, alias: str, source: int) -> int | Unresolved:
        jurisdiction = self._source(source)[1]
        if (alias, jurisdiction) not in self._named:
            found = self._connection.execute(
                "SELECT works.id, works.jurisdiction = ? FROM aliases JOIN works ON works.id = aliases.work"
                " WHERE aliases.alias = ?",
                (jurisdiction, alias),
            ).fetchall()
            # A name is first looked for at home: "the Income Tax Act" means one's own country's.
            candidates = [work for work, home in found if home] or [work for work, _ in found]
            result: int | Unresolved = Unresolved.AMBIGUOUS
            if not candidates:
                result = Unresolved.NOT_LOADED
            elif len(candidates) == 1:
                result = candidates[0]
            self._named[(alias, jurisdiction)] = result
        return self._named[(alias, jurisdiction)]

    def _whole(self, work: int) -> tuple[int, int]:
        found = self._node(work, "")
        assert found is not None
        return found

    def _node(self, work: int, path: str) -> tuple[int, int] | None:
        if (work, path) not in self._nodes:
            row = self._connection.execute(
                "SELECT id, unit FROM nodes WHERE work = ? AND path = ?", (work, path)
            ).fetchone()
            self._nodes[(work, path)] = (row[0], row[1]) if row else None
        return self._nodes[(work, path)]


def _without_containers(path: str) -> str:
    """A path as it stands in a work whose sections are numbered through, whatever chapter was cited."""
    return "/".join(step for step in path.split("/") if step.partition("_")[0] not in _CONTAINERS)
