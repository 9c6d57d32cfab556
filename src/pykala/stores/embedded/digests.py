"""Content hashes of the records, taken when the rows of a work were written.

A page with a flipped bit is often still readable: a rate of 34 per cent becomes 36, and no other check
notices. So every version and every passage of a work has its own hash, and each further table has one hash
for the work's rows. The hashes are in one row per work, whose number is never reused. A library from an older
version has none, and gets them as its works are rewritten. Hashes detect decay, not forgery: whoever can
change the text can change the hash.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Final, Protocol, runtime_checkable

from pykala.law.provisions import ProvisionKind, WorkKind
from pykala.stores.connection import Connection
from pykala.stores.errors import StoreDamaged

#: A writer creates this table beside those of `schema`, so that an older library opens without it.
TABLE: Final = (
    "CREATE TABLE IF NOT EXISTS digests (work INTEGER PRIMARY KEY, versions BLOB NOT NULL,"
    " passages BLOB NOT NULL, rest BLOB NOT NULL)"
)
_SIZE: Final = 8  # bytes of a hash
_VERSIONS: Final = (
    "SELECT versions.* FROM documents JOIN versions ON versions.document = documents.id"
    " WHERE documents.work = ? ORDER BY versions.id"
)
#: Those whose facts are to be written anew, and the numbers of all: the places of their hashes.
_MARKED: Final = (
    "SELECT versions.* FROM documents JOIN versions ON versions.document = documents.id"
    " WHERE documents.work = ? AND versions.facts LIKE ?"
)
_NUMBERS: Final = (
    "SELECT versions.id FROM documents JOIN versions ON versions.document = documents.id"
    " WHERE documents.work = ? ORDER BY versions.id"
)
_PASSAGES: Final = (
    "SELECT passages.* FROM documents JOIN passages ON passages.document = documents.id"
    " WHERE documents.work = ? ORDER BY passages.id"
)
#: The reason of an unresolved reference is left out, because it changes as other works come and go.
_REST: Final = {
    "works": "SELECT * FROM works WHERE id = ?",
    "aliases": "SELECT * FROM aliases WHERE work = ? ORDER BY alias",
    "places": "SELECT * FROM places WHERE work = ? ORDER BY alias, node",
    "documents": "SELECT * FROM documents WHERE work = ? ORDER BY id",
    "nodes": "SELECT * FROM nodes WHERE work = ? ORDER BY id",
    # Columns by name: in PostgreSQL `rowid` is a column like others.
    "terms": "SELECT term, language, written, node, scope, work FROM terms WHERE work = ? ORDER BY rowid",
    "pairings": "SELECT work, first, first_language, second, second_language, confidence, method"
    " FROM pairings WHERE work = ? ORDER BY rowid",
    "refs": "SELECT id, work, source, kind, target_work, target_path, alias, text, language, method, start,"
    " end, valid_from, valid_to, reverse FROM refs WHERE work = ? ORDER BY id",
    "children": "SELECT children.* FROM documents JOIN passages ON passages.document = documents.id"
    " JOIN children ON children.passage = passages.id WHERE documents.work = ? ORDER BY children.id",
}
_FACTS: Final = 13  # the column of a version with its facts, the last one
_NODE: Final = {"versions": 5, "passages": 2}  # the column with a row's node


@dataclass(frozen=True, slots=True)
class Altered:
    """Rows of a work that differ from what was written."""

    work: str
    place: str  # the provision, where one row is concerned; else empty
    table: str
    reason: str


@runtime_checkable
class SendingTogether(Protocol):
    """A connection over a network, which sends several queries in one round trip."""

    def together(self, queries: Sequence[tuple[str, Sequence[Any]]]) -> list[list[tuple[Any, ...]]]:
        """Send the queries together; return the rows of each."""
        ...


def seal(connection: Connection, work: int) -> None:
    """Store the hashes of a work's rows."""
    versions, passages, *rest = _rows_of(connection, work)
    connection.execute(
        "INSERT INTO digests VALUES (?, ?, ?, ?) ON CONFLICT (work) DO UPDATE SET"
        " versions = excluded.versions, passages = excluded.passages, rest = excluded.rest",
        (
            work,
            b"".join(map(_digest, versions)),
            b"".join(map(_digest, passages)),
            b"".join(map(_together, rest)),
        ),
    )


def _rows_of(connection: Connection, work: int) -> list[list[tuple[Any, ...]]]:
    """The rows of a work: its versions, its passages, and those of each further table."""
    queries = [(query, (work,)) for query in (_VERSIONS, _PASSAGES, *_REST.values())]
    if isinstance(connection, SendingTogether):
        return connection.together(queries)
    return [connection.execute(*query).fetchall() for query in queries]


def rewrite_facts(connection: Connection, marked: str, rewritten: Callable[[str], str]) -> None:
    """Write the facts of some versions in another form, as a migration does.

    `marked` chooses them, for LIKE. A row that did not match its hash before does not match it afterwards.
    """
    works = connection.execute(
        "SELECT DISTINCT documents.work FROM versions JOIN documents ON documents.id = versions.document"
        " WHERE versions.facts LIKE ? ORDER BY documents.work",
        (marked,),
    ).fetchall()
    hashed = kept(connection)
    for (work,) in works:
        rows = connection.execute(_MARKED, (work, marked)).fetchall()
        changed = [(row, facts) for row in rows if (facts := rewritten(row[_FACTS])) != row[_FACTS]]
        if hashed:
            _hash_again(connection, work, changed)
        connection.executemany(
            "UPDATE versions SET facts = ? WHERE id = ?", [(facts, row[0]) for row, facts in changed]
        )


def _hash_again(connection: Connection, work: int, changed: Iterable[tuple[tuple[Any, ...], str]]) -> None:
    held = connection.execute("SELECT versions FROM digests WHERE work = ?", (work,)).fetchone()
    if held is None:
        return
    hashes = bytearray(held[0])
    numbers = [number for (number,) in connection.execute(_NUMBERS, (work,)).fetchall()]
    places = {number: slice(at * _SIZE, (at + 1) * _SIZE) for at, number in enumerate(numbers)}
    for row, facts in changed:
        if hashes[places[row[0]]] == _digest(row):
            hashes[places[row[0]]] = _digest((*row[:_FACTS], facts))
    connection.execute("UPDATE digests SET versions = ? WHERE work = ?", (bytes(hashes), work))


def forget(connection: Connection, work: int) -> None:
    """Delete the hashes of a removed work."""
    connection.execute("DELETE FROM digests WHERE work = ?", (work,))


def kept(connection: Connection) -> bool:
    """Whether a library stores hashes."""
    found = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'digests'").fetchone()
    return found is not None


def uncovered(connection: Connection) -> list[tuple[int, str]]:
    """The works without hashes: number and identifier."""
    without = "WHERE id NOT IN (SELECT work FROM digests)" if kept(connection) else ""
    return connection.execute(f"SELECT id, key FROM works {without} ORDER BY id").fetchall()


def altered(connection: Connection) -> Iterator[Altered]:
    """Every work whose rows differ from what was written, with the place where known."""
    yield from _lost(connection)
    yield from _misnamed(connection)
    if kept(connection):
        yield from altered_rows(connection)


def altered_rows(connection: Connection) -> Iterator[Altered]:
    """The same for a library that is known to store hashes, in a folder or in PostgreSQL."""
    found = connection.execute(
        "SELECT works.id, works.key FROM works JOIN digests ON digests.work = works.id ORDER BY works.id"
    ).fetchall()
    for work, key in found:
        yield from _altered(connection, work, key)


def require_unaltered(found: Iterator[Altered], library: str, mending: Callable[[str], str]) -> None:
    """Raise StoreDamaged at the first row that differs from its hash; `mending` gives the next command."""
    for one in found:
        raise StoreDamaged(
            f"the library in {library} is damaged, so nothing was written: {one.place or one.work}:"
            f" {one.table}: {one.reason}; {mending(one.work)}"
        )


def lost_works(connection: Connection) -> list[int]:
    """The numbers of works whose own row is gone while others of their rows are left."""
    hashed = " UNION SELECT work FROM digests" if kept(connection) else ""
    found = connection.execute(
        f"SELECT work FROM documents{hashed} UNION SELECT work FROM items WHERE work IS NOT NULL"
        " EXCEPT SELECT id FROM works ORDER BY 1"
    ).fetchall()
    return [int(work) for (work,) in found]


def _lost(connection: Connection) -> Iterator[Altered]:
    """Works without a row of their own, which no hash of a work can tell, and works without a source."""
    for work in lost_works(connection):
        yield Altered(_known_as(connection, work), "", "works", "its row is gone")
    for (key,) in connection.execute(
        "SELECT key FROM works WHERE id NOT IN (SELECT work FROM items WHERE work IS NOT NULL) ORDER BY id"
    ).fetchall():
        yield Altered(key, "", "items", "the row that says what it was read from is gone")


def _known_as(connection: Connection, work: int) -> str:
    """The identifier of a work whose row is gone: one of its aliases is it."""
    known = [name for (name,) in connection.execute("SELECT value FROM names")]
    for (alias,) in connection.execute("SELECT alias FROM aliases WHERE work = ? ORDER BY alias", (work,)):
        if alias.partition(":")[0] in known:
            return str(alias)
    return f"work {work}"


def _misnamed(connection: Connection) -> Iterator[Altered]:
    """Names of jurisdictions, languages and kinds that are not those of the rows that use them."""
    names = dict(connection.execute("SELECT id, value FROM names").fetchall())
    kinds, parts = {one.value for one in WorkKind}, {one.value for one in ProvisionKind}
    for key, home, kind in connection.execute(
        "SELECT key, jurisdiction, kind FROM works ORDER BY id"
    ).fetchall():
        if names.get(home) != key.partition(":")[0]:
            yield Altered(key, "", "names", "its jurisdiction has another name")
        if names.get(kind) not in kinds:
            yield Altered(key, "", "names", "its kind has no name")
    for (language,) in connection.execute("SELECT DISTINCT language FROM documents").fetchall():
        if language not in names.values():
            yield Altered(f"language {language}", "", "names", "no passage in it can be found")
    for (kind,) in connection.execute("SELECT DISTINCT kind FROM children").fetchall():
        if names.get(kind) not in parts:
            yield Altered(f"kind {kind}", "", "names", "no passage of it can be shown")


def _altered(connection: Connection, work: int, key: str) -> Iterator[Altered]:
    versions, passages, rest = connection.execute(
        "SELECT versions, passages, rest FROM digests WHERE work = ?", (work,)
    ).fetchone()
    held = _rows_of(connection, work)
    for at, (table, rows) in enumerate(zip(_REST, held[2:], strict=True)):
        if _together(rows) != rest[at * _SIZE : (at + 1) * _SIZE]:
            yield Altered(key, "", table, "its rows are not those that were written")
    for table, rows, expected in (("versions", held[0], versions), ("passages", held[1], passages)):
        yield from _compared(connection, key, table, rows, expected)


def _compared(
    connection: Connection, key: str, table: str, rows: Sequence[tuple[Any, ...]], expected: bytes
) -> Iterator[Altered]:
    if len(rows) * _SIZE != len(expected):
        reason = f"{len(rows)} rows where {len(expected) // _SIZE} were written"
        yield Altered(key, "", table, reason)
        return
    for at, row in enumerate(rows):
        if _digest(row) != expected[at * _SIZE : (at + 1) * _SIZE]:
            path = connection.execute("SELECT path FROM nodes WHERE id = ?", (row[_NODE[table]],)).fetchone()
            place = f"{key}/{path[0]}" if path and path[0] else key
            yield Altered(key, place, table, "its text or dates are not those that were written")


def _together(rows: Iterable[tuple[Any, ...]]) -> bytes:
    hashed = blake2b(digest_size=_SIZE)
    for row in rows:
        hashed.update(_bytes(row))
    return hashed.digest()


def _digest(row: tuple[Any, ...]) -> bytes:
    return blake2b(_bytes(row), digest_size=_SIZE).digest()


def _bytes(row: tuple[Any, ...]) -> bytes:
    # ASCII JSON is the same in every version of Python; `repr` depends on its Unicode tables. Damaged values
    # (bytes, not-a-number) must still get a hash, which then differs.
    return json.dumps(row, default=repr).encode()
