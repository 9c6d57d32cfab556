"""Read the edges of many provisions in one round trip; the database applies the caps of hubs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from pykala.law.identifiers import ProvisionId
from pykala.law.references import Direction, Edge, EdgeKind, EdgesWanted
from pykala.stores.connection import Connection
from pykala.stores.embedded import relations, rows
from pykala.stores.embedded.relations import Ends
from pykala.stores.postgres.bulk import UNRESOLVED, columns_of, place_of, unresolved_from
from pykala.stores.postgres.connection import PostgresConnection, Query
from pykala.stores.store import References

_SIDES: Final = {
    Direction.OUT: (Direction.OUT,),
    Direction.IN: (Direction.IN,),
    Direction.BOTH: (Direction.OUT, Direction.IN),
}
_COLUMN: Final = {Direction.OUT: "source_unit", Direction.IN: "target_unit"}
_ANY_DAY: Final = -1
_ANY_NUMBER: Final = 2**31 - 1

_INNER: Final = (
    "SELECT wanted.key, wanted.path FROM unnest(CAST(? AS text[]), CAST(? AS text[])) AS wanted (key, path)"
    " JOIN works ON works.key = wanted.key JOIN nodes ON nodes.work = works.id AND nodes.path = wanted.path"
    " WHERE nodes.container = 0 AND nodes.id != nodes.unit"
)
#: The sections that each provision of a request is, contains or lies in.
_UNITS: Final = (
    "WITH homes AS (SELECT wanted.request, nodes.id, nodes.work, nodes.path, nodes.unit, nodes.container"
    " FROM unnest(CAST(? AS bigint[]), CAST(? AS text[]), CAST(? AS text[])) AS wanted (request, key, path)"
    " JOIN works ON works.key = wanted.key JOIN nodes ON nodes.work = works.id AND nodes.path = wanted.path),"
    " units AS (SELECT request, unit FROM homes WHERE container = 0"
    " UNION SELECT homes.request, nodes.unit FROM homes JOIN nodes ON nodes.work = homes.work"
    " WHERE homes.container != 0 AND homes.path = ''"
    " UNION SELECT homes.request, nodes.unit FROM homes JOIN versions AS own ON own.node = homes.id"
    " JOIN versions AS below ON below.document = own.document"
    " AND below.position BETWEEN own.position AND own.last JOIN nodes ON nodes.id = below.node"
    " WHERE homes.container != 0 AND homes.path != '')"
)
#: Of each kind, only as many edges as it takes to detect a hub, and none of a hub.
_EDGES: Final = (
    " SELECT rules.request, touching.kind, touching.source, touching.target, touching.ref,"
    " touching.valid_from, touching.valid_to, source_work.key, source_node.path, target_work.key,"
    " target_node.path, refs.text, refs.language, refs.method, refs.start, refs.end"
    " FROM unnest(CAST(? AS bigint[]), CAST(? AS bigint[]), CAST(? AS bigint[]), CAST(? AS bigint[]))"
    " AS rules (request, kind, day, most) JOIN units ON units.request = rules.request"
    " CROSS JOIN LATERAL (SELECT few.*, count(*) OVER () AS number FROM (SELECT edges.kind, source, target,"
    " ref, valid_from, valid_to FROM edges WHERE {column} = units.unit AND edges.kind = rules.kind"
    " AND (rules.day < 0 OR (valid_from <= rules.day AND rules.day < valid_to)) LIMIT rules.most) AS few"
    ") AS touching JOIN nodes AS source_node ON source_node.id = touching.source"
    " JOIN works AS source_work ON source_work.id = source_node.work"
    " JOIN nodes AS target_node ON target_node.id = touching.target"
    " JOIN works AS target_work ON target_work.id = target_node.work"
    " LEFT JOIN refs ON refs.id = touching.ref WHERE touching.number < rules.most"
)
_Rows = Sequence[tuple[Any, ...]]


def read_references(
    records: PostgresConnection, wanted: Sequence[EdgesWanted], unresolved: Sequence[ProvisionId]
) -> References:
    """The edges of each request, and unresolved references."""
    queries: dict[str, Query] = {}
    if wanted:
        queries["inner"] = _INNER, columns_of(place_of(one) for asked in wanted for one in asked.provisions)
        homes = [(at, *place_of(one)) for at, asked in enumerate(wanted) for one in asked.provisions]
        for side in Direction.OUT, Direction.IN:
            rules = [rule for number, asked in enumerate(wanted) for rule in _rules(number, asked, side)]
            homes = [
                (number, *place_of(one)) for number, asked in enumerate(wanted) for one in asked.provisions
            ]
            if rules and homes:
                statement = _UNITS + _EDGES.format(column=_COLUMN[side])
                queries[side] = statement, [*columns_of(homes), *columns_of(rules)]
    if unresolved:
        queries["unresolved"] = UNRESOLVED, columns_of(map(place_of, unresolved))
    if not any(values for _, values in queries.values()):
        return References(tuple(() for _ in wanted))
    given = dict(zip(queries, records.together(list(queries.values())), strict=True))
    found = [*given.get(Direction.OUT, ()), *given.get(Direction.IN, ())]
    inner = {rows.provision_id(*row) for row in given.get("inner", ())}
    edges = tuple(
        _edges_of(records, asked, [row[1:] for row in found if row[0] == number], inner)
        for number, asked in enumerate(wanted)
    )
    return References(edges, unresolved_from(given.get("unresolved", ()), unresolved))


def _edges_of(
    connection: Connection, asked: EdgesWanted, found: _Rows, inner: set[ProvisionId]
) -> tuple[Edge, ...]:
    validities: dict[Ends, tuple[int, int]] = {}
    ids: dict[int, ProvisionId] = {}
    texts: dict[int, tuple[Any, ...]] = {}
    for kind, source, target, ref, since, until, *names in found:
        validities[kind, source, target, ref] = since, until
        ids[source], ids[target] = rows.provision_id(*names[:2]), rows.provision_id(*names[2:4])
        if names[4] is not None:
            texts[ref] = tuple(names[4:])
    edges = relations.edges_from(validities, ids, texts)
    if asked.provisions and inner.issuperset(asked.provisions):
        # For a provision below a section: the whole section's edges were read; drop those of its other parts.
        edges = [edge for edge in edges if relations.touches(edge, asked.provisions, asked.direction)]
    if EdgeKind.PARENT_OF not in (asked.kinds or ()):
        return tuple(edges)
    return (*edges, *relations.parents_of(connection, asked.provisions, asked.direction))


def _rules(number: int, asked: EdgesWanted, side: Direction) -> list[tuple[int, int, int, int]]:
    """The edges that a request wants on one side of a section: kind, day, and cap."""
    if side not in _SIDES[asked.direction]:
        return []
    caps: Mapping[tuple[EdgeKind, Direction], int] = dict(asked.caps)
    day = asked.as_of.toordinal() if asked.as_of is not None else _ANY_DAY
    return [
        (number, rows.EDGE_NUMBERS[kind], day, caps.get((kind, side), _ANY_NUMBER - 1) + 1)
        for kind in asked.kinds or rows.EDGE_KINDS
    ]
