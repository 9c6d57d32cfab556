"""Count what a library holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from pykala.law.provisions import Work
from pykala.stores.connection import Connection
from pykala.stores.embedded import reading, rows
from pykala.stores.embedded.database import read_meta
from pykala.stores.store import Stats


def count_all(connection: Connection, folder: Path, vectors: int) -> Stats:
    """Every count of a library, from its records."""

    def count(table: str) -> int:
        return int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])

    unresolved = "SELECT reason, count(*) FROM refs WHERE reason != '' GROUP BY reason ORDER BY 2 DESC"
    by_kind = "SELECT kind, count(*) FROM edges GROUP BY kind ORDER BY 2 DESC"
    documents = "SELECT language, count(*) FROM documents GROUP BY language ORDER BY language"
    held = list(reading.read_works(connection))
    works = Counter(f"{work.id.jurisdiction}/{work.kind}" for work in held)
    return Stats(
        works=dict(sorted(works.items())),
        documents=dict(connection.execute(documents).fetchall()),
        provisions=count("nodes"),
        versions=count("versions"),
        passages=count("passages"),
        children=count("children"),
        edges={rows.EDGE_KINDS[kind].value: number for kind, number in connection.execute(by_kind)},
        unresolved=dict(connection.execute(unresolved).fetchall()),
        pairings=count("pairings"),
        terms=count("terms"),
        vectors=vectors,
        bytes=sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()),
        facts=read_meta(connection),
        by_jurisdiction=_by_jurisdiction(connection),
        current_to=_current_to(held),
    )


def _current_to(works: Iterable[Work]) -> dict[str, dict[str, str]]:
    days: dict[str, set[str]] = {}
    for work in works:
        if work.current_to is not None:
            days.setdefault(f"{work.id.jurisdiction}/{work.kind}", set()).add(work.current_to.isoformat())
    return {name: {"oldest": min(found), "newest": max(found)} for name, found in sorted(days.items())}


def _by_jurisdiction(connection: Connection) -> dict[str, dict[str, int]]:
    code = "substr(works.key, 1, instr(works.key, ':') - 1)"
    provisions = f"SELECT {code}, count(*) FROM nodes JOIN works ON works.id = nodes.work GROUP BY 1"
    versions = (
        f"SELECT {code}, count(*) FROM versions JOIN documents ON documents.id = versions.document"
        " JOIN works ON works.id = documents.work GROUP BY 1"
    )
    counts: dict[str, dict[str, int]] = {}
    for name, query in (("provisions", provisions), ("versions", versions)):
        for jurisdiction, number in connection.execute(query):
            counts.setdefault(jurisdiction, {})[name] = number
    return counts
