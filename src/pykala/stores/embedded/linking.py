"""Derive edges from references, whatever the order in which works arrive.

A reference is linked as soon as the work it names is held: to the provision itself, or to the nearest
existing provision above it (a reference to a paragraph that the consolidated text no longer has leads to its
section). When a work is removed or replaced, the references to it become unresolved again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from pykala.law.references import EdgeKind, Unresolved
from pykala.stores.connection import Connection
from pykala.stores.embedded.rows import EDGE_NUMBERS

_COLUMNS = (
    "refs.id, refs.source, refs.kind, refs.target_work, refs.target_path, refs.alias,"
    " refs.valid_from, refs.valid_to, refs.reverse, refs.reason"
)
_INTO = (
    f"SELECT {_COLUMNS} FROM works JOIN refs ON refs.target_work = works.key"
    " WHERE works.id = :work AND refs.work != :work"
    f" UNION SELECT {_COLUMNS} FROM aliases JOIN refs ON refs.alias = aliases.alias AND refs.alias != ''"
    " WHERE aliases.work = :work AND refs.work != :work"
)
_PAIRS_AT_ONCE: Final = 400
_Item = TypeVar("_Item")
_Value = TypeVar("_Value", int, str)
_CONTAINERS = frozenset({"part", "chp", "div", "subpart", "title"})
_Row = tuple[int, int, str, str, str, str, int, int, int, str]


def references_from(connection: Connection, work: int) -> list[_Row]:
    """The references in a work that name a target."""
    return connection.execute(
        f"SELECT {_COLUMNS} FROM refs WHERE work = ? AND (target_work != '' OR alias != '')",
        (work,),
    ).fetchall()


def references_into(connection: Connection, work: int) -> list[_Row]:
    """The references of other works that name a work, by identifier or name."""
    return connection.execute(_INTO, {"work": work}).fetchall()


def unlink(connection: Connection, references: Iterable[_Row]) -> None:
    """Remove the edges of references."""
    for part in _parts(sorted({row[0] for row in references})):
        connection.execute(f"DELETE FROM edges WHERE ref IN ({_marks(part)})", part)


def link(connection: Connection, references: Iterable[_Row]) -> None:
    """Turn references into edges where they resolve, and record why where they do not."""
    edges, reasons = _resolved(connection, list(references))
    # These references have no edges yet, so every row is new and occurs once.
    connection.executemany("INSERT INTO edges VALUES (?, ?, ?, ?, ?, ?, ?, ?)", dict.fromkeys(edges))
    connection.executemany("UPDATE refs SET reason = ? WHERE id = ?", reasons)


@dataclass(frozen=True, slots=True)
class Differing:
    """The number of a work's references, and of edges that differ from them."""

    references: int
    edges: int


def differing(connection: Connection, work: int) -> Differing:
    """Compare the edges of a work's references with those that linking again would give."""
    references = references_from(connection, work)
    held = connection.execute(
        "SELECT edges.* FROM refs JOIN edges ON edges.ref = refs.id WHERE refs.work = ?", (work,)
    )
    return Differing(len(references), len(set(held) ^ set(_resolved(connection, references)[0])))


def _resolved(
    connection: Connection, references: Sequence[_Row]
) -> tuple[list[tuple[int, ...]], list[tuple[str, int]]]:
    """New edges, and the new reason (empty for none) of each reference whose reason changed."""
    resolver = _Resolver(connection, references)
    edges: list[tuple[int, ...]] = []
    reasons: list[tuple[str, int]] = []
    for row in references:
        number, source, kind, _, _, _, start, end, reverse, before = row
        reason, target, target_unit = resolver.target(row)
        if reason != before:
            reasons.append((reason, number))
        if reason or target == source:
            continue
        ends = (resolver.unit(source), source, target_unit, target)
        if reverse:
            ends = (*ends[2:], *ends[:2])
        edges.append((ends[0], EDGE_NUMBERS[EdgeKind(kind)], ends[2], ends[1], ends[3], number, start, end))
    return edges, reasons


class _Resolver:
    """Resolves references; all targets are looked up in a few statements."""

    def __init__(self, connection: Connection, references: Sequence[_Row]) -> None:
        self._connection = connection
        self._sources: dict[int, tuple[int, int]] = {
            node: (unit, jurisdiction)
            for node, unit, jurisdiction in self._select(
                "SELECT nodes.id, nodes.unit, works.jurisdiction FROM nodes"
                " JOIN works ON works.id = nodes.work WHERE nodes.id IN",
                {row[1] for row in references},
            )
        }
        self._works: dict[str, int] = dict(
            self._select("SELECT key, id FROM works WHERE key IN", {row[3] for row in references if row[3]})
        )
        self._named: dict[str, list[tuple[int, int]]] = {}
        for alias, work, jurisdiction in self._select(
            "SELECT aliases.alias, works.id, works.jurisdiction FROM aliases"
            " JOIN works ON works.id = aliases.work WHERE aliases.alias IN",
            {row[5] for row in references if not row[3]},
        ):
            self._named.setdefault(alias, []).append((work, jurisdiction))
        self._nodes = self._find_nodes(references)

    def unit(self, node: int) -> int:
        """The section of a node."""
        return self._sources[node][0]

    def target(self, row: _Row) -> tuple[str, int, int]:
        """(reason or "", node, its section) of a reference."""
        work = self._work(row)
        if isinstance(work, Unresolved):
            return work.value, 0, 0
        for path in _ways(row[4]):
            found = self._nodes.get((work, path))
            if found:
                return "", *found
        return (Unresolved.NO_SUCH_PROVISION.value, 0, 0) if row[4] else ("", *self._nodes[work, ""])

    def _work(self, row: _Row) -> int | Unresolved:
        _, source, _, key, _, alias, *_ = row
        if key:
            return self._works.get(key, Unresolved.NOT_LOADED)
        found, home = self._named.get(alias, ()), self._sources[source][1]
        # A name is first looked up in the citing work's jurisdiction: "the Income Tax Act" means the local
        # one.
        candidates = [work for work, place in found if place == home] or [work for work, _ in found]
        if not candidates:
            return Unresolved.NOT_LOADED
        return candidates[0] if len(candidates) == 1 else Unresolved.AMBIGUOUS

    def _find_nodes(self, references: Sequence[_Row]) -> dict[tuple[int, str], tuple[int, int]]:
        """The existing nodes among all possible targets: (work, path) → node, its section."""
        wanted: set[tuple[int, str]] = set()
        for row in references:
            work = self._work(row)
            if not isinstance(work, Unresolved):
                wanted.update((work, path) for path in (*_ways(row[4]), ""))
        found = {}
        for part in _parts(sorted(wanted), _PAIRS_AT_ONCE):
            rows = self._connection.execute(
                f"WITH wanted (work, path) AS (VALUES {', '.join(['(?, ?)'] * len(part))})"
                " SELECT nodes.work, nodes.path, nodes.id, nodes.unit FROM wanted"
                " JOIN nodes ON nodes.work = wanted.work AND nodes.path = wanted.path",
                [value for pair in part for value in pair],
            )
            found.update({(work, path): (node, unit) for work, path, node, unit in rows})
        return found

    def _select(self, query: str, values: Collection[_Value]) -> Iterator[tuple[Any, ...]]:
        for part in _parts(sorted(values)):
            yield from self._connection.execute(f"{query} ({_marks(part)})", part)


def _ways(path: str) -> Iterator[str]:
    """A path and its ancestors, each also without chapters."""
    while path:
        yield path
        if written := _without_containers(path):
            yield written
        path = path.rpartition("/")[0]


def _parts(values: Sequence[_Item], size: int = 500) -> Iterator[Sequence[_Item]]:
    return (values[first : first + size] for first in range(0, len(values), size))


def _marks(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))


def _without_containers(path: str) -> str:
    """A path in a work with continuous section numbers, without the cited chapter."""
    return "/".join(step for step in path.split("/") if step.partition("_")[0] not in _CONTAINERS)
