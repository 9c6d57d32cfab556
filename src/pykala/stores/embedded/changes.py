"""Read chains with every version, and all versions that began or ended in a period."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from itertools import groupby
from operator import itemgetter

from pykala.law.identifiers import ProvisionId, WorkId, natural_order
from pykala.law.provisions import Event, Provision, ProvisionKind
from pykala.law.validity import NOT_YET
from pykala.stores.connection import Connection
from pykala.stores.embedded import rows
from pykala.stores.embedded.facets import NO_END, UNKNOWN_START
from pykala.stores.embedded.reading import place, read_work
from pykala.versions.chains import Change

_ACT = "json_extract(nullif(versions.facts, ''), '$.source_act')"
_HOME = (
    " FROM versions JOIN nodes ON nodes.id = versions.node JOIN works ON works.id = nodes.work"
    " JOIN names AS homes ON homes.id = works.jurisdiction JOIN names AS kinds ON kinds.id = works.kind"
)
# The literal bounds repeat those of the two partial indexes; SQLite uses a partial index only then.
_BEGAN = (
    f"SELECT works.key, nodes.path, valid_from, event, min(position), max(coalesce({_ACT}, '')){_HOME}"
    f" WHERE valid_from BETWEEN ? AND ? AND valid_from > {UNKNOWN_START} AND valid_from < valid_to"
)
_ENDED = (
    f"SELECT works.key, nodes.path, valid_to, '', min(position), ''{_HOME}"
    f" WHERE valid_to BETWEEN ? AND ? AND valid_to < {NO_END} AND valid_from < valid_to"
    " AND NOT EXISTS (SELECT 1 FROM versions AS later WHERE later.document = versions.document"
    " AND later.position = versions.position AND later.valid_from <= versions.valid_to"
    " AND later.valid_to > versions.valid_to)"
)


def read_changes(
    connection: Connection,
    since: date,
    until: date | None,
    jurisdictions: Sequence[str],
    kinds: Sequence[str],
    works: Sequence[WorkId],
) -> tuple[Change, ...]:
    """Versions that began or ended in a period, once for all languages."""
    last = until.toordinal() if until is not None else NOT_YET.toordinal() - 1
    where = " AND event != ?"
    parameters: list[int | str] = [since.toordinal(), last, rows.PLACE]
    wishes = (
        ("homes.value", jurisdictions),
        ("kinds.value", kinds),
        ("works.key", [str(one) for one in works]),
    )
    for column, wanted in wishes:
        if wanted:
            where += f" AND {column} IN ({', '.join('?' * len(wanted))})"
            parameters += wanted
    found = [
        row
        for query in (_BEGAN, _ENDED)
        for row in connection.execute(f"{query}{where} GROUP BY works.key, nodes.path, 3, 4", parameters)
    ]
    order = {work: natural_order(work) for work in {row[0] for row in found}}
    found.sort(key=lambda row: (order[row[0]], row[2], row[4], row[1], row[3]))
    return tuple(
        Change(
            rows.provision_id(work, path),
            date.fromordinal(day),
            Event(event) if event else None,
            WorkId(act) if act else None,
        )
        for work, path, day, event, _, act in found
    )


def read_chain(connection: Connection, provision: ProvisionId, language: str | None) -> Provision:
    """A provision and all below it with every version."""
    number, _ = read_work(connection, provision.work)
    document, _, _, _, position, last = place(connection, number, provision, language)
    found = connection.execute(
        "SELECT position, parent, nodes.path, kind, label, heading, text, valid_from, valid_to, event, facts"
        " FROM versions JOIN nodes ON nodes.id = versions.node WHERE document = ?"
        " AND position BETWEEN ? AND ? ORDER BY position DESC, versions.id",
        (document, position, last),
    )
    work = str(provision.work)
    children: dict[int, list[Provision]] = {}
    # Read positions from last to first, so that a provision's children exist before it.
    for at, rows_of_node in groupby(found, key=itemgetter(0)):
        versions = list(rows_of_node)
        _, parent, path, kind, label = versions[0][:5]
        node = Provision(
            rows.provision_id(work, path),
            ProvisionKind(kind),
            label,
            tuple(rows.version_from(*row[5:]) for row in versions if row[9] != rows.PLACE),
            tuple(reversed(children.pop(at, ()))),
        )
        children.setdefault(parent, []).append(node)
    return node
