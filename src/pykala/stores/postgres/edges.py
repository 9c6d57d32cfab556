"""The edges of many provisions in a handful of round trips, with the caps of hubs kept by the database."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple, cast

from pykala.law.identifiers import ProvisionId
from pykala.law.references import Direction, Edge, EdgeKind, EdgesWanted
from pykala.stores.embedded import relations, rows
from pykala.stores.embedded.bulk import with_values
from pykala.stores.embedded.relations import Ends
from pykala.stores.postgres.connection import PostgresConnection

_SIDES: Final = {
    Direction.OUT: (Direction.OUT,),
    Direction.IN: (Direction.IN,),
    Direction.BOTH: (Direction.OUT, Direction.IN),
}
_COLUMN: Final = {Direction.OUT: "source_unit", Direction.IN: "target_unit"}
_ANY_DAY: Final = -1
_ANY_NUMBER: Final = 2**31 - 1


class _Probe(NamedTuple):
    """Edges of one kind on one side of a section: as many as it takes to know whether it is a hub."""

    side: Direction
    unit: int
    kind: int
    day: int
    most: int


_Found = dict[Ends, tuple[int, int]]


def read_edges_of(records: PostgresConnection, wanted: Sequence[EdgesWanted]) -> tuple[tuple[Edge, ...], ...]:
    """The edges of each request."""
    connection = cast(sqlite3.Connection, records)
    units = _units(connection, {one for request in wanted for one in request.provisions})
    probes = [_probes(request, units) for request in wanted]
    edges = _read(records, {probe for some in probes for probe in some})
    found = [_without_hubs(some, edges) for some in probes]
    ids, texts = relations.ends_of(connection, {ends for some in found for ends in some})
    return tuple(
        _given(connection, request, some, units, relations.edges_from(some, ids, texts))
        for request, some in zip(wanted, found, strict=True)
    )


def _given(
    connection: sqlite3.Connection,
    request: EdgesWanted,
    found: _Found,
    units: Mapping[ProvisionId, tuple[list[int], bool]],
    edges: list[Edge],
) -> tuple[Edge, ...]:
    if request.provisions and all(units[one][1] for one in request.provisions):
        # Below a section: its edges were read whole, and those of its other parts are left out.
        edges = [edge for edge in edges if relations.touches(edge, request.provisions, request.direction)]
    if EdgeKind.PARENT_OF not in (request.kinds or ()):
        return tuple(edges)
    return (*edges, *relations.parents_of(connection, request.provisions, request.direction))


def _probes(request: EdgesWanted, units: Mapping[ProvisionId, tuple[list[int], bool]]) -> list[_Probe]:
    caps = dict(request.caps)
    day = request.as_of.toordinal() if request.as_of is not None else _ANY_DAY
    return [
        _Probe(side, unit, rows.EDGE_NUMBERS[kind], day, caps[kind, side] + 1)
        if (kind, side) in caps
        else _Probe(side, unit, rows.EDGE_NUMBERS[kind], day, _ANY_NUMBER)
        for provision in request.provisions
        for unit in units[provision][0]
        for side in _SIDES[request.direction]
        for kind in request.kinds or rows.EDGE_KINDS
    ]


def _read(records: PostgresConnection, probes: Iterable[_Probe]) -> dict[_Probe, _Found]:
    found: dict[_Probe, _Found] = {}
    for side, column in _COLUMN.items():
        some = [probe for probe in probes if probe.side is side]
        if not some:
            continue
        for number, *ends, valid_from, valid_to in records.execute(
            "SELECT wanted.number, touching.* FROM unnest(CAST(? AS bigint[]), CAST(? AS bigint[]),"
            " CAST(? AS bigint[]), CAST(? AS bigint[])) WITH ORDINALITY"
            " AS wanted (unit, kind, day, most, number) CROSS JOIN LATERAL ("
            "SELECT edges.kind, source, target, ref, valid_from, valid_to FROM edges"
            f" WHERE {column} = wanted.unit AND edges.kind = wanted.kind AND (wanted.day < 0"
            " OR (valid_from <= wanted.day AND wanted.day < valid_to)) LIMIT wanted.most) AS touching",
            [list(values) for values in zip(*(probe[1:] for probe in some), strict=True)],
        ):
            found.setdefault(some[number - 1], {})[ends[0], ends[1], ends[2], ends[3]] = valid_from, valid_to
    return found


def _without_hubs(probes: Sequence[_Probe], edges: Mapping[_Probe, _Found]) -> _Found:
    found: _Found = {}
    for probe in probes:
        some = edges.get(probe, {})
        if len(some) < probe.most or probe.most == _ANY_NUMBER:
            found.update(some)
    return found


def _units(
    connection: sqlite3.Connection, provisions: Iterable[ProvisionId]
) -> dict[ProvisionId, tuple[list[int], bool]]:
    """The sections that each provision is, holds or lies in, and whether it lies below one."""
    provisions = list(provisions)
    held: dict[ProvisionId, tuple[list[int], bool]] = {one: ([], False) for one in provisions}
    roots: dict[int, ProvisionId] = {}
    containers: dict[int, ProvisionId] = {}
    for key, path, node, unit, container, work in with_values(
        connection,
        "key, path",
        ((str(one.work), rows.path_text(one)) for one in provisions),
        "SELECT works.key, nodes.path, nodes.id, nodes.unit, nodes.container, nodes.work FROM wanted"
        " JOIN works ON works.key = wanted.key"
        " JOIN nodes ON nodes.work = works.id AND nodes.path = wanted.path",
    ):
        provision = rows.provision_id(key, path)
        if not container:
            held[provision] = [unit], node != unit
        elif path:
            containers[node] = provision
        else:
            roots[work] = provision
    for work, unit in with_values(
        connection,
        "work",
        ((work,) for work in roots),
        "SELECT DISTINCT nodes.work, nodes.unit FROM wanted JOIN nodes ON nodes.work = wanted.work",
    ):
        held[roots[work]][0].append(unit)
    for node, unit in with_values(
        connection,
        "node",
        ((node,) for node in containers),
        "SELECT DISTINCT own.node, nodes.unit FROM wanted JOIN versions AS own ON own.node = wanted.node"
        " JOIN versions AS below ON below.document = own.document"
        " AND below.position BETWEEN own.position AND own.last JOIN nodes ON nodes.id = below.node",
    ):
        held[containers[node]][0].append(unit)
    return held
