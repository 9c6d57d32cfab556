"""Read the record database: works, documents, provisions on a date and their chains."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date, timedelta
from typing import Any, NamedTuple

from pykala.law.currency import collection_of, recorded
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import DefinedTerm, Document, Provision, ProvisionKind, Version, Work
from pykala.law.validity import ALWAYS, NOT_YET
from pykala.stores.connection import Connection
from pykala.stores.embedded import rows
from pykala.stores.embedded.database import read_meta
from pykala.stores.store import Ancestor, NotInForce, StoredProvision, UnknownProvision

_VERSION = "heading, text, valid_from, valid_to, event, facts"


def read_works(connection: Connection) -> Iterator[Work]:
    """Every work, in order of identifier."""
    found = connection.execute(
        "SELECT works.key, names.value, authority, record FROM works JOIN names ON names.id = works.kind"
    ).fetchall()
    known = recorded(read_meta(connection))
    works = (rows.work_from(*row) for row in found)
    return iter(sorted((with_day(work, known) for work in works), key=lambda work: work.id))


def with_day(work: Work, known: Mapping[tuple[str, str], date]) -> Work:
    """A work with the day to which it is known; if it has none, its source's day."""
    day = work.current_to or known.get(collection_of(work))
    return work if day == work.current_to else replace(work, current_to=day)


def count_words(connection: Connection, key: str) -> Mapping[str, int]:
    """Language → how many words of a work are held, over all its versions."""
    found = connection.execute(
        "SELECT language, text FROM works JOIN documents ON documents.work = works.id"
        " JOIN versions ON versions.document = documents.id WHERE works.key = ?",
        (key,),
    )
    counted: Counter[str] = Counter()
    for language, text in found:
        counted[language] += len(text.split())
    return counted


def read_works_of(connection: Connection, works: Sequence[WorkId]) -> Mapping[WorkId, Work]:
    """The works among these that the library holds."""
    found = {}
    for work in dict.fromkeys(works):
        with suppress(UnknownProvision):
            found[work] = read_work(connection, work)[1]
    return found


def read_languages(connection: Connection, work: WorkId) -> tuple[str, ...]:
    """The languages that a work is held in, in order of their codes."""
    found = connection.execute(
        "SELECT language FROM documents JOIN works ON works.id = documents.work WHERE works.key = ?"
        " ORDER BY language",
        (str(work),),
    )
    return tuple(row[0] for row in found)


def read_named_works(connection: Connection, alias: str) -> tuple[WorkId, ...]:
    """The works of a name."""
    found = connection.execute(
        "SELECT works.key FROM aliases JOIN works ON works.id = aliases.work WHERE alias = ?", (alias,)
    )
    return tuple(sorted(WorkId(key) for (key,) in found))


def read_work(connection: Connection, work: WorkId) -> tuple[int, Work]:
    """A work and its number."""
    row = connection.execute(
        "SELECT works.id, works.key, names.value, authority, record FROM works"
        " JOIN names ON names.id = works.kind WHERE works.key = ?",
        (str(work),),
    ).fetchone()
    if row is None:
        raise unknown_work(work)
    return row[0], with_day(rows.work_from(*row[1:]), recorded(read_meta(connection)))


def unknown_work(work: WorkId) -> UnknownProvision:
    """The error for a work that is not held."""
    return UnknownProvision(
        f"{work} is not in this library; 'pykala search' finds what is, 'pykala ingest' adds more"
    )


def unknown_provision(provision: ProvisionId, nearest: ProvisionId) -> UnknownProvision:
    """The error for a provision that its work does not have."""
    # Of a whole work its contents are of use: its text may fill a hundred screens.
    command = f"pykala show {nearest}" if nearest.path else f"pykala tree {nearest}"
    return UnknownProvision(
        f"{provision.work} as held here has no {rows.path_text(provision)}; the nearest it has is {nearest}"
        f" (try '{command}')"
    )


def read_places(connection: Connection, alias: str) -> tuple[ProvisionId, ...]:
    """The provisions of a source's own name."""
    found = connection.execute(
        "SELECT works.key, nodes.path FROM places JOIN nodes ON nodes.id = places.node"
        " JOIN works ON works.id = places.work WHERE alias = ? ORDER BY works.key, nodes.id",
        (alias,),
    )
    return tuple(rows.provision_id(key, path) for key, path in found)


def read_document(connection: Connection, work: WorkId, language: str) -> Document:
    """A whole document with every version, without its references and names of places."""
    number, _ = read_work(connection, work)
    row = connection.execute(
        "SELECT id, title, short_title, translation, manifestations FROM documents"
        " WHERE work = ? AND language = ?",
        (number, language),
    ).fetchone()
    if row is None:
        held = ", ".join(_languages(connection, number))
        raise UnknownProvision(f"{work} is not held in {language!r}; it is in: {held}")
    document, title, short_title, translation, manifestations = row
    terms = connection.execute(
        "SELECT written, language, nodes.path, scope FROM terms JOIN nodes ON nodes.id = terms.node"
        " WHERE terms.work = ? AND language = ? ORDER BY terms.rowid",
        (number, language),
    )
    return Document(
        work=work,
        language=language,
        title=title,
        root=_tree(connection, str(work), document, 0, None, None).root,
        manifestations=rows.manifestations_from(manifestations),
        short_title=short_title,
        terms=tuple(
            DefinedTerm(written, lang, rows.provision_id(str(work), path), ProvisionId.parse(scope))
            for written, lang, path, scope in terms
        ),
        translation=bool(translation),
    )


def read_provision(
    connection: Connection, provision: ProvisionId, as_of: date | None, language: str | None
) -> StoredProvision:
    """A provision and all below it on a date, in the language asked for where it is held."""
    number, work = read_work(connection, provision.work)
    document, held, translation, manifestations, position, last = place(
        connection, number, provision, language
    )
    try:
        tree = _tree(connection, str(provision.work), document, position, last, as_of)
    except NotInForce:
        if not translation:
            raise
        # Translations keep fewer wordings than the law, so ask the authentic text what was in force.
        document, held, translation, manifestations, position, last = place(
            connection, number, provision, None
        )
        if translation:
            raise
        tree = _tree(connection, str(provision.work), document, position, last, as_of)
    ancestors = _ancestors(connection, str(provision.work), document, position)
    files = rows.manifestations_from(manifestations)
    return StoredProvision(
        provision=tree.root,
        work=work,
        language=held,
        languages=_languages(connection, number),
        translation=bool(translation),
        format=files[0].format if files else "",
        ancestors=ancestors,
        missing=tree.missing,
        past=tree.past,
        later=tree.later,
    )


def read_history(connection: Connection, provision: ProvisionId, language: str | None) -> tuple[Version, ...]:
    """The chain of a provision's own words."""
    number, _ = read_work(connection, provision.work)
    document, _, _, _, position, _ = place(connection, number, provision, language)
    found = connection.execute(
        f"SELECT {_VERSION} FROM versions WHERE document = ? AND position = ? AND event != ? ORDER BY id",
        (document, position, rows.PLACE),
    )
    return tuple(rows.version_from(*row) for row in found)


def _languages(connection: Connection, work: int) -> tuple[str, ...]:
    found = connection.execute(
        "SELECT language FROM documents WHERE work = ? ORDER BY translation, id", (work,)
    )
    return tuple(row[0] for row in found)


def place(
    connection: Connection, work: int, provision: ProvisionId, language: str | None
) -> tuple[int, str, int, str, int, int]:
    """Locate a provision in a document: in the language asked for, else the authentic one."""
    found = connection.execute(
        "SELECT documents.id, documents.language, documents.translation, documents.manifestations,"
        " versions.position, versions.last FROM nodes"
        " JOIN versions ON versions.node = nodes.id JOIN documents ON documents.id = versions.document"
        " WHERE nodes.work = ? AND nodes.path = ?"
        " ORDER BY documents.language != ?, documents.translation, documents.id, versions.position LIMIT 1",
        (work, rows.path_text(provision), language or ""),
    ).fetchone()
    if found is None:
        raise unknown_provision(provision, _nearest(connection, work, provision))
    document, held, translation, manifestations, position, last = found
    return document, held, translation, manifestations, position, last


def _nearest(connection: Connection, work: int, provision: ProvisionId) -> ProvisionId:
    above = provision
    while above.path:
        above = above.parent
        found = connection.execute(
            "SELECT 1 FROM nodes WHERE work = ? AND path = ?", (work, rows.path_text(above))
        ).fetchone()
        if found:
            break
    return above


def _ancestors(connection: Connection, work: str, document: int, position: int) -> tuple[Ancestor, ...]:
    found = connection.execute(
        "SELECT nodes.path, label, heading FROM versions JOIN nodes ON nodes.id = versions.node"
        " WHERE document = ? AND position < ? AND last >= ? AND versions.id = (SELECT max(newest.id)"
        " FROM versions AS newest WHERE newest.document = versions.document"
        " AND newest.position = versions.position) ORDER BY position",
        (document, position, position),
    )
    return tuple(Ancestor(rows.provision_id(work, path), label, heading) for path, label, heading in found)


def _tree(
    connection: Connection,
    work: str,
    document: int,
    position: int,
    last: int | None,
    as_of: date | None,
) -> Tree:
    """Rebuild a subtree; on a date, each node with its version in force, others left out."""
    found = connection.execute(
        "SELECT position, parent, nodes.path, kind, label, heading, text, valid_from, valid_to, event, facts"
        " FROM versions JOIN nodes ON nodes.id = versions.node WHERE document = ?"
        " AND position BETWEEN ? AND ? ORDER BY position, versions.id",
        (document, position, 2**31 if last is None else last),
    ).fetchall()
    return tree_of(found, work, position, as_of, whole=last is None)


class Tree(NamedTuple):
    """A subtree on a date, and what was left out of it."""

    root: Provision
    missing: tuple[ProvisionId, ...] = ()  # in force on the date with a wording that the source lacks
    past: tuple[ProvisionId, ...] = ()  # ended by the date, according to their own words
    later: tuple[Provision, ...] = ()  # in force on the date and applied from a later one, with those words


def tree_of(
    found: Sequence[tuple[Any, ...]], work: str, position: int, as_of: date | None, *, whole: bool = False
) -> Tree:
    """Build a subtree from its rows; with `whole`, every version."""
    grouped: dict[int, list[tuple[Any, ...]]] = {}
    for row in found:
        grouped.setdefault(row[0], []).append(row)
    below_on = as_of or _newest_day([rows.version_from(*row[5:]) for row in grouped.get(position, ())])
    children: dict[int, list[Provision]] = {}
    root: Provision | None = None
    missing: list[ProvisionId] = []
    past: list[ProvisionId] = []
    later: dict[ProvisionId, Provision] = {}
    for at in sorted(grouped, reverse=True):
        versions = [rows.version_from(*row[5:]) for row in grouped[at]]
        _, parent, path, kind, label = grouped[at][0][:5]
        below = tuple(reversed(children.pop(at, [])))
        is_place = grouped[at][0][9] == rows.PLACE
        chosen = versions if whole else _in_force(versions, as_of if at == position else below_on)
        if is_place and (whole or (as_of is not None and not below)):
            chosen, versions = [], []
        identifier = rows.provision_id(work, path)
        if not chosen and not (is_place and whole):
            if at == position and as_of is not None:
                raise NotInForce(identifier, as_of, versions)
            if versions and _lacks_history(versions[0], below_on):
                missing.append(identifier)
            elif versions and versions[-1].ends_by_its_words and _is_over(versions[-1], below_on):
                past.append(identifier)
            elif awaited := _awaited(versions, below_on):
                later[identifier] = Provision(identifier, ProvisionKind(kind), label, (awaited,))
            continue
        node = Provision(identifier, ProvisionKind(kind), label, tuple(chosen), below)
        if at == position:
            root = node
        else:
            children.setdefault(parent, []).append(node)
    if root is None:
        raise UnknownProvision(f"{work} is empty")
    outermost = tuple(later[one] for one in _outermost(reversed(later)))
    return Tree(root, tuple(reversed(missing)), tuple(_outermost(reversed(past))), outermost)


def _outermost(places: Iterable[ProvisionId]) -> Iterator[ProvisionId]:
    """Places in document order, without those that lie in one of them."""
    last: ProvisionId | None = None
    for place in places:
        if last is None or not last.contains(place):
            last = place
            yield place


def _lacks_history(first: Version, day: date) -> bool:
    """Whether a provision had a wording on a day that is before the first one held.

    A provision that began on an unknown day and is not in force has ended, and lacks nothing.
    """
    if not first.history_unavailable or first.validity.is_pending:
        return False
    return first.validity.start is not None and day < first.validity.start


def _awaited(versions: Iterable[Version], day: date) -> Version | None:
    """The first wording that is in force on a day and applies only from a later one.

    A wording that is not in force yet is not part of the law of the day, and is not missing there.
    """
    return next(
        (
            one
            for one in versions
            if one.in_force and one.validity.start and one.in_force <= day < one.validity.start
        ),
        None,
    )


def _is_over(version: Version, day: date) -> bool:
    return version.validity.end is not None and version.validity.end <= day


def _newest_day(versions: Sequence[Version]) -> date:
    """The last day of the newest version; what is below it is shown as of that day."""
    newest = _in_force(versions, None)
    validity = newest[0].validity if newest else ALWAYS
    if validity.is_pending:
        return NOT_YET
    last = (validity.end or NOT_YET) - timedelta(days=1)
    return max(last, validity.start or last)


def _in_force(versions: Sequence[Version], as_of: date | None) -> list[Version]:
    if as_of is None:  # the newest; a pending text only where there is no other
        return ([version for version in versions if not version.validity.is_pending] or list(versions))[-1:]
    # The last version that covers the day: of two concurrent ones, the later made prevails.
    covering = [version for version in versions if version.validity.covers(as_of)]
    return covering[-1:]


def select_in(connection: Connection, query: str, values: Iterable[int]) -> Iterator[tuple[Any, ...]]:
    """Run a query that ends in IN with any number of values."""
    ordered = sorted(values)
    for first in range(0, len(ordered), 500):
        part = ordered[first : first + 500]
        yield from connection.execute(f"{query} ({', '.join('?' * len(part))})", part)
