"""Read what connects provisions: edges, unresolved references, pairs, definitions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import DefinedTerm, Pairing
from pykala.law.references import (
    Direction,
    Edge,
    EdgeKind,
    Method,
    Unresolved,
    UnresolvedReference,
    normalise_alias,
)
from pykala.stores.connection import Connection
from pykala.stores.embedded import rows
from pykala.stores.embedded.reading import place, read_work, select_in
from pykala.stores.store import Mentions, UnknownProvision

#: References in the words of the law; all others are lists of amendments.
_SPEAKING = (
    *(EdgeKind.CITES, EdgeKind.APPLIES, EdgeKind.EXCEPTS, EdgeKind.INTERPRETS),
    *(EdgeKind.DEFINES, EdgeKind.DEFINED_IN),
)
_WORDS = " "  # every name that the law's words give to an act has several
_OUT = ("source_unit", Direction.OUT)
_IN = ("target_unit", Direction.IN)
Ends = tuple[int, int, int, int]  # kind, source, target, reference


def read_edges(
    connection: Connection,
    provisions: Sequence[ProvisionId],
    kinds: Sequence[EdgeKind] | None,
    direction: Direction,
    as_of: date | None,
    caps: Mapping[tuple[EdgeKind, Direction], int] | None = None,
) -> tuple[Edge, ...]:
    """Edges that touch the provisions or anything below them, each once, in a stable order.

    A section that has more edges of a kind and direction than `caps` allows is a hub: those edges are left
    out, and only as many are read as it takes to detect the hub.
    """
    sides = {Direction.OUT: (_OUT,), Direction.IN: (_IN,), Direction.BOTH: (_OUT, _IN)}[direction]
    wanted = kinds or rows.EDGE_KINDS
    limits = caps or {}
    found: dict[Ends, tuple[int, int]] = {}
    inner = []
    for provision in provisions:
        units, within = _units(connection, provision)
        inner.append(provision if within else None)
        for unit in units:
            for side, way in sides:
                caps_here = {kind: limits.get((kind, way)) for kind in wanted}
                found.update(_touching(connection, side, unit, caps_here, as_of))
    edges = edges_from(found, *ends_of(connection, found))
    if inner and all(inner):
        # For a provision below a section: the whole section's edges were read; drop those of its other parts.
        edges = [edge for edge in edges if touches(edge, provisions, direction)]
    structural = parents_of(connection, provisions, direction) if EdgeKind.PARENT_OF in (kinds or ()) else ()
    return (*edges, *structural)


def _touching(
    connection: Connection,
    side: str,
    unit: int,
    caps: Mapping[EdgeKind, int | None],
    as_of: date | None,
) -> dict[Ends, tuple[int, int]]:
    """The edges on one side of a section, without the kinds that exceed their cap."""
    known = [cap for cap in caps.values() if cap is not None]
    # Most sections have few edges: one statement reads them all, and only a hub is read kind by kind.
    most = sum(known) + 1 if len(known) == len(caps) else None
    found = _select(connection, side, unit, caps, as_of, most)
    if most is not None and len(found) == most:
        found = {}
        for kind, cap in caps.items():
            found |= _select(connection, side, unit, (kind,), as_of, (cap or 0) + 1)
    counts = Counter(kind for kind, *_ in found)
    hubs = {
        number
        for number, count in counts.items()
        if (cap := caps[rows.EDGE_KINDS[number]]) is not None and count > cap
    }
    return {ends: validity for ends, validity in found.items() if ends[0] not in hubs} if hubs else found


def _select(
    connection: Connection,
    side: str,
    unit: int,
    kinds: Collection[EdgeKind],
    as_of: date | None,
    most: int | None,
) -> dict[Ends, tuple[int, int]]:
    query = (
        f"SELECT kind, source, target, ref, valid_from, valid_to FROM edges WHERE {side} = ?"
        f" AND kind IN ({', '.join('?' * len(kinds))})"
    )
    parameters: list[int] = [unit, *(rows.EDGE_NUMBERS[kind] for kind in kinds)]
    if as_of is not None:
        query += " AND valid_from <= ? AND ? < valid_to"
        parameters += [as_of.toordinal()] * 2
    if most is not None:
        query += " LIMIT ?"
        parameters.append(most)
    return {row[:4]: row[4:] for row in connection.execute(query, parameters)}


def touches(edge: Edge, provisions: Sequence[ProvisionId], direction: Direction) -> bool:
    """Whether an edge touches one of some provisions or anything below it."""
    ends = {
        Direction.OUT: (edge.source,),
        Direction.IN: (edge.target,),
        Direction.BOTH: (edge.source, edge.target),
    }[direction]
    # A reference to a whole section applies to each of its subsections.
    return any(
        provision.contains(end) or (end is edge.target and end.contains(provision) and end.path)
        for provision in provisions
        for end in ends
    )


def _units(connection: Connection, provision: ProvisionId) -> tuple[list[int], bool]:
    """The sections that a provision is, contains or lies in, and whether it lies below one."""
    row = connection.execute(
        "SELECT nodes.id, nodes.unit, nodes.container, nodes.work FROM works"
        " JOIN nodes ON nodes.work = works.id AND nodes.path = ? WHERE works.key = ?",
        (rows.path_text(provision), str(provision.work)),
    ).fetchone()
    if row is None:
        return [], False
    node, unit, container, work = row
    if not container:
        return [unit], node != unit
    if not provision.path:
        held = connection.execute("SELECT DISTINCT unit FROM nodes WHERE work = ?", (work,))
    else:
        held = connection.execute(
            "SELECT DISTINCT nodes.unit FROM versions AS own JOIN versions AS below"
            " ON below.document = own.document AND below.position BETWEEN own.position AND own.last"
            " JOIN nodes ON nodes.id = below.node WHERE own.node = ?",
            (node,),
        )
    return [unit for (unit,) in held], False


def ends_of(
    connection: Connection, found: Iterable[Ends]
) -> tuple[dict[int, ProvisionId], dict[int, tuple[Any, ...]]]:
    """The provisions that edges connect, and the words of the references, by number."""
    found = list(found)
    ids = _identifiers(connection, {node for _, source, target, _ in found for node in (source, target)})
    texts = {
        row[0]: row[1:]
        for row in select_in(
            connection,
            "SELECT id, text, language, method, start, end FROM refs WHERE id IN",
            {ends[3] for ends in found},
        )
    }
    return ids, texts


def edges_from(
    found: Mapping[Ends, tuple[int, int]],
    ids: Mapping[int, ProvisionId],
    texts: Mapping[int, tuple[Any, ...]],
) -> list[Edge]:
    """Edges from rows, in a stable order."""
    edges = []
    for (kind, source, target, ref), (valid_from, valid_to) in found.items():
        text, language, method, start, end = texts.get(ref, ("", "", Method.STRUCTURE.value, 0, 0))
        edges.append(
            Edge(
                kind=rows.EDGE_KINDS[kind],
                source=ids[source],
                target=ids[target],
                method=Method(method),
                text=text,
                language=language,
                start=start,
                end=end,
                validity=rows.interval(valid_from, valid_to),
            )
        )
    return sorted(edges, key=lambda e: (e.kind, str(e.source), str(e.target), e.start, e.language, e.text))


def _identifiers(connection: Connection, nodes: Iterable[int]) -> dict[int, ProvisionId]:
    query = (
        "SELECT nodes.id, works.key, nodes.path FROM nodes JOIN works ON works.id = nodes.work"
        " WHERE nodes.id IN"
    )
    return {node: rows.provision_id(key, path) for node, key, path in select_in(connection, query, nodes)}


def parents_of(connection: Connection, provisions: Sequence[ProvisionId], direction: Direction) -> list[Edge]:
    """The edges to the parents and children of provisions."""
    edges = []
    for provision in provisions:
        try:
            number, _ = read_work(connection, provision.work)
            document, _, _, _, position, _ = place(connection, number, provision, None)
        except UnknownProvision:
            continue  # no edges, like those of every other kind
        above = (
            "SELECT nodes.path FROM versions AS own JOIN versions ON versions.document = own.document"
            " AND versions.position = own.parent JOIN nodes ON nodes.id = versions.node"
            " WHERE own.document = ? AND own.position = ? GROUP BY nodes.path"
        )
        below = (
            "SELECT nodes.path FROM versions JOIN nodes ON nodes.id = versions.node"
            " WHERE document = ? AND parent = ? GROUP BY position, nodes.path ORDER BY position"
        )
        key = str(provision.work)
        if direction in (Direction.IN, Direction.BOTH):
            for (path,) in connection.execute(above, (document, position)):
                edges.append(_parent_of(rows.provision_id(key, path), provision))
        if direction in (Direction.OUT, Direction.BOTH):
            for (path,) in connection.execute(below, (document, position)):
                edges.append(_parent_of(provision, rows.provision_id(key, path)))
    return edges


def _parent_of(parent: ProvisionId, child: ProvisionId) -> Edge:
    return Edge(EdgeKind.PARENT_OF, parent, child, Method.STRUCTURE)


def read_unresolved(
    connection: Connection, provisions: Sequence[ProvisionId]
) -> tuple[UnresolvedReference, ...]:
    """Unresolved references from the provisions or from below them."""
    found: list[UnresolvedReference] = []
    for provision in provisions:
        for source, kind, text, reason, work, target, alias, language in connection.execute(
            # By position, not by path: the identifier of a section need not name its chapter.
            "SELECT nodes.path, refs.kind, refs.text, reason, target_work, target_path, alias, refs.language"
            " FROM refs"
            " JOIN nodes ON nodes.id = refs.source WHERE reason != '' AND refs.source IN ("
            "SELECT below.node FROM works JOIN nodes AS home ON home.work = works.id AND home.path = ?"
            " JOIN versions AS own ON own.node = home.id JOIN versions AS below"
            " ON below.document = own.document AND below.position BETWEEN own.position AND own.last"
            " WHERE works.key = ?) ORDER BY refs.id",
            (rows.path_text(provision), str(provision.work)),
        ):
            where = "/".join(part for part in (work or alias, target) if part)
            found.append(
                UnresolvedReference(
                    rows.provision_id(str(provision.work), source),
                    EdgeKind(kind),
                    text,
                    Unresolved(reason),
                    where,
                    language,
                )
            )
    return tuple(dict.fromkeys(found))


def read_mentions(connection: Connection, works: Sequence[WorkId]) -> dict[WorkId, Mentions]:
    """How many references of the law's words lead to each work, and its most frequent name by language."""
    if not works:
        return {}
    among, speaking = (", ".join("?" * len(some)) for some in (works, _SPEAKING))
    rows_found = connection.execute(
        "SELECT target_work, language, CASE WHEN target_path = '' THEN text ELSE '' END AS name, COUNT(*)"
        f" FROM refs WHERE target_work IN ({among}) AND kind IN ({speaking}) GROUP BY 1, 2, 3",
        [*map(str, works), *(kind.value for kind in _SPEAKING)],
    )
    counts: Counter[str] = Counter()
    names: dict[str, dict[str, Counter[str]]] = {}
    for work, language, name, count in rows_found:
        if name and _WORDS not in name:
            continue  # publishers' lists name acts by number ("32013R0575"): the law's words do not
        counts[work] += count
        if name:
            names.setdefault(work, {}).setdefault(language, Counter())[name] += count
    return {
        one: Mentions(
            counts[str(one)], {code: _usual(said) for code, said in names.get(str(one), {}).items()}
        )
        for one in works
    }


def _usual(names: Counter[str]) -> str:
    """The most frequent of some names; of equally frequent ones the first in the alphabet."""
    return min(names, key=lambda name: (-names[name], name))


def read_pairings(connection: Connection, provision: ProvisionId) -> tuple[Pairing, ...]:
    """The counterparts of a provision in other languages."""
    number, _ = read_work(connection, provision.work)
    found = connection.execute(
        "SELECT one.path, first_language, two.path, second_language, confidence, method FROM pairings"
        " JOIN nodes AS one ON one.id = pairings.first JOIN nodes AS two ON two.id = pairings.second"
        " WHERE pairings.work = ? AND (one.path = ? OR two.path = ?) ORDER BY pairings.rowid",
        (number, rows.path_text(provision), rows.path_text(provision)),
    )
    key = str(provision.work)
    return tuple(
        Pairing(rows.provision_id(key, one), first, rows.provision_id(key, two), second, confidence, method)
        for one, first, two, second, confidence, method in found
    )


def read_definitions(connection: Connection, terms: Sequence[str], language: str) -> tuple[DefinedTerm, ...]:
    """Where terms are defined."""
    found = []
    for term in terms:
        for written, work, path, scope in connection.execute(
            "SELECT written, works.key, nodes.path, scope FROM terms JOIN nodes ON nodes.id = terms.node"
            " JOIN works ON works.id = terms.work WHERE term = ? AND language = ?"
            " ORDER BY works.key, nodes.path",
            (normalise_alias(term), language),
        ):
            found.append(
                DefinedTerm(written, language, rows.provision_id(work, path), ProvisionId.parse(scope))
            )
    return tuple(found)
