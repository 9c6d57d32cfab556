"""Write one work into the record database: all of it, or nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Protocol, runtime_checkable

from pykala.law.bundles import Bundle
from pykala.law.identifiers import ProvisionId, Step
from pykala.law.provisions import Document, Provision, Version, Work
from pykala.law.references import Reference, normalise_alias
from pykala.stores.connection import Connection
from pykala.stores.embedded import digests, linking, rows

_PLACE = (Version(""),)  # a node without words still gets a row for its position

Path = tuple[Step, ...]


class Names:
    """The numbers of jurisdictions, languages and kinds, assigned at their first use."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._numbers: dict[str, int] = {}
        self._whole = False

    def number(self, value: str) -> int:
        """The number of a name; a writer assigns a new one where needed."""
        known = self.known(value)
        if known is None:
            cursor = self._connection.execute("INSERT INTO names (value) VALUES (?)", (value,))
            known = self._numbers[value] = int(cursor.lastrowid or 0)
        return known

    def known(self, value: str) -> int | None:
        """The number of a name; None where nothing of that name is stored."""
        if value not in self._numbers and not self._whole:  # names are few: read all at once
            self._numbers = dict(self._connection.execute("SELECT value, id FROM names").fetchall())
            self._whole = True
        return self._numbers.get(value)

    def forget(self) -> None:
        """Drop the cache, after a rollback or when a reader moves on."""
        self._numbers.clear()
        self._whole = False


@runtime_checkable
class Numbering(Protocol):
    """Assigns numbers from a sequence, none twice."""

    def reserve(self, table: str, count: int) -> int:
        """Reserve numbers for new rows of a table; return the first."""
        ...


def write_work(connection: Connection, names: Names, bundle: Bundle) -> tuple[int, int | None]:
    """Replace a work by a bundle; return its number and that of the state it replaces, if any."""
    replaced = remove_work(connection, str(bundle.work.id))
    _forget_item(connection, bundle.item)  # and the work under another number that it gave before
    work = _insert_work(connection, names, bundle.work)
    connection.execute(
        "INSERT INTO items VALUES (?, ?, ?, '[]', ?)",
        (bundle.item, bundle.fingerprint, work, json.dumps(list(bundle.paths), ensure_ascii=False)),
    )
    nodes = _insert_nodes(connection, work, bundle)
    for document in bundle.documents:
        names.number(document.language)
        number = _insert_document(connection, work, document, nodes)
        _insert_passages(connection, names, number, document.language, bundle, nodes)
        connection.executemany(
            "INSERT INTO terms VALUES (?, ?, ?, ?, ?, ?)",
            (
                (normalise_alias(t.term), t.language, t.term, nodes[t.provision.path], str(t.scope), work)
                for t in document.terms
                if t.provision.path in nodes
            ),
        )
        connection.executemany(
            "INSERT OR IGNORE INTO places VALUES (?, ?, ?)",
            (
                (normalise_alias(alias), nodes[place.path], work)
                for alias, place in document.places
                if place.path in nodes
            ),
        )
    connection.executemany(
        "INSERT INTO pairings VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            (
                work,
                nodes[p.first.path],
                p.first_language,
                nodes[p.second.path],
                p.second_language,
                p.confidence,
                p.method,
            )
            for p in bundle.pairings
            if p.first.path in nodes and p.second.path in nodes
        ),
    )
    connection.executemany(
        "INSERT INTO refs (work, source, kind, target_work, target_path, alias, text, language, method,"
        " start, end, valid_from, valid_to, reverse, reason)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        _reference_rows(work, bundle.references, nodes),
    )
    into = linking.references_into(connection, work)
    # A name that now means two works is ambiguous, also for references already linked by it.
    linking.unlink(connection, into)
    linking.link(connection, [*linking.references_from(connection, work), *into])
    digests.seal(connection, work)
    connection.execute("INSERT INTO journal (work) VALUES (?)", (work,))
    return work, replaced


def refuse_item(
    connection: Connection, item: str, fingerprint: str, reasons: Sequence[tuple[str, str]]
) -> int | None:
    """Record that an item gave no work; remove and return its earlier work."""
    removed = _forget_item(connection, item)
    connection.execute(
        "INSERT INTO items VALUES (?, ?, NULL, ?, '[]')",
        (item, fingerprint, json.dumps(list(reasons), ensure_ascii=False)),
    )
    return removed


def remove_work(connection: Connection, key: str) -> int | None:
    """Remove a whole work; references to it become unresolved."""
    row = connection.execute("SELECT id FROM works WHERE key = ?", (key,)).fetchone()
    return remove_rows(connection, int(row[0])) if row else None


def remove_rows(connection: Connection, work: int) -> int:
    """Remove the rows of a work by its number, also where its own row is gone."""
    into = linking.references_into(connection, work)
    linking.unlink(connection, [*linking.references_from(connection, work), *into])
    documents = "SELECT id FROM documents WHERE work = ?"
    connection.execute(
        f"DELETE FROM children WHERE passage IN (SELECT id FROM passages WHERE document IN ({documents}))",
        (work,),
    )
    for table in ("passages", "versions"):
        connection.execute(f"DELETE FROM {table} WHERE document IN ({documents})", (work,))
    for table in ("documents", "nodes", "terms", "pairings", "aliases", "places", "refs", "items"):
        connection.execute(f"DELETE FROM {table} WHERE work = ?", (work,))
    connection.execute("DELETE FROM works WHERE id = ?", (work,))
    digests.forget(connection, work)
    linking.link(connection, into)
    connection.execute("INSERT INTO journal (work) VALUES (?)", (work,))
    return work


def _forget_item(connection: Connection, item: str) -> int | None:
    """Remove an item and its work, if any; return the work's number."""
    row = connection.execute("SELECT work FROM items WHERE item = ?", (item,)).fetchone()
    removed = remove_rows(connection, int(row[0])) if row and row[0] is not None else None
    connection.execute("DELETE FROM items WHERE item = ?", (item,))
    return removed


def _insert_work(connection: Connection, names: Names, work: Work) -> int:
    cursor = connection.execute(
        "INSERT INTO works (key, jurisdiction, kind, authority, record) VALUES (?, ?, ?, ?, ?)",
        (
            str(work.id),
            names.number(work.id.jurisdiction),
            names.number(work.kind.value),
            work.authority,
            rows.work_record(work),
        ),
    )
    number = int(cursor.lastrowid or 0)
    titles = (title for pairs in (work.titles, work.short_titles) for _, title in pairs)
    aliases = {normalise_alias(name) for name in (str(work.id), *titles, *work.abbreviations, *work.aliases)}
    connection.executemany(
        "INSERT INTO aliases VALUES (?, ?)", ((alias, number) for alias in sorted(aliases) if alias)
    )
    return number


def _insert_nodes(connection: Connection, work: int, bundle: Bundle) -> dict[Path, int]:
    """Number every node of the work; sections are those that passages are anchored to."""
    sections = {passage.section.path for passage in bundle.passages}
    units: dict[Path, Path | None] = {}
    for document in bundle.documents:
        _find_units(document.root, sections, units)
    first = _reserved(connection, "nodes", len(units))
    nodes = {path: first + offset for offset, path in enumerate(units)}
    connection.executemany(
        "INSERT INTO nodes VALUES (?, ?, ?, ?, ?)",
        (
            (
                number,
                work,
                "/".join(map(str, path)),
                nodes[unit] if unit is not None else number,
                unit is None,
            )
            for (path, number), unit in zip(nodes.items(), units.values(), strict=True)
        ),
    )
    return nodes


def _reserved(connection: Connection, table: str, count: int) -> int:
    """Reserve numbers for new rows; return the first. SQLite has one writer, so that none is used twice."""
    if isinstance(connection, Numbering):
        return connection.reserve(table, count)
    return int(connection.execute(f"SELECT coalesce(max(id), 0) + 1 FROM {table}").fetchone()[0])


def _find_units(root: Provision, sections: set[Path], units: dict[Path, Path | None]) -> None:
    stack: list[tuple[Provision, Path | None]] = [(root, None)]
    while stack:
        provision, unit = stack.pop()
        path: Path = provision.id.path
        if unit is None and path in sections:
            unit = path
        units.setdefault(path, unit)
        stack.extend((child, unit) for child in reversed(provision.children))


def _insert_document(connection: Connection, work: int, document: Document, nodes: dict[Path, int]) -> int:
    cursor = connection.execute(
        "INSERT INTO documents (work, language, title, short_title, translation, manifestations)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        (
            work,
            document.language,
            document.title,
            document.short_title,
            document.translation,
            rows.manifestations_text(document.manifestations),
        ),
    )
    number = int(cursor.lastrowid or 0)
    connection.executemany(
        "INSERT INTO versions (document, position, last, parent, node, kind, label, heading, text,"
        " valid_from, valid_to, event, facts) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (
                number,
                position,
                last,
                parent,
                nodes[provision.id.path],
                provision.kind.value,
                provision.label,
                version.heading,
                version.text,
                *rows.days(version.validity),
                version.event.value if provision.versions else rows.PLACE,
                rows.version_facts(version),
            )
            for position, last, parent, provision in rows.positions(document.root)
            for version in provision.versions or _PLACE
        ),
    )
    return number


def _insert_passages(
    connection: Connection,
    names: Names,
    document: int,
    language: str,
    bundle: Bundle,
    nodes: dict[Path, int],
) -> None:
    passages = [passage for passage in bundle.passages if passage.language == language]
    first = _reserved(connection, "passages", len(passages))
    connection.executemany(
        "INSERT INTO passages VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (
                first + index,
                document,
                nodes[p.section.path],
                p.ordinal,
                p.offset,
                *rows.days(p.validity),
                p.header,
                p.text,
            )
            for index, p in enumerate(passages)
        ),
    )
    connection.executemany(
        "INSERT INTO children (passage, start, end, node, kind) VALUES (?, ?, ?, ?, ?)",
        (
            (
                first + index,
                child.start,
                child.end,
                nodes.get(child.provision.path, nodes[passage.section.path]),
                names.number(child.kind.value),
            )
            for index, passage in enumerate(passages)
            for child in passage.children
        ),
    )


def _reference_rows(
    work: int, references: Sequence[Reference], nodes: dict[Path, int]
) -> Iterator[tuple[object, ...]]:
    for reference in references:
        source = nodes.get(reference.source.path)
        if source is None:
            continue
        target: ProvisionId | None = reference.target
        path = rows.path_text(target) if target else "/".join(map(str, reference.path))
        start, end = rows.days(reference.validity)
        yield (
            work,
            source,
            reference.kind.value,
            str(target.work) if target else "",
            path,
            "" if target else normalise_alias(reference.alias),
            reference.text,
            reference.language,
            reference.method.value,
            reference.start,
            reference.end,
            start,
            end,
            reference.reverse,
            reference.reason.value if reference.reason else "",
        )
