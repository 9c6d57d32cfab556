"""Reading many things at once: a question costs a handful of statements, however many provisions it needs."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import DefinedTerm, Provision, Work
from pykala.law.references import EdgeKind, Unresolved, UnresolvedReference, normalise_alias
from pykala.stores.embedded import reading, rows
from pykala.stores.store import Ancestor, Named, NotInForce, StoredProvision, UnknownProvision, Wording

_AT_ONCE = 300  # rows of values in one statement

Known = Mapping[tuple[str, str], date]  # to which day each collection is known


class _Place(NamedTuple):
    """Where a provision stands in one language."""

    document: int
    language: str
    translation: int
    manifestations: str
    position: int
    last: int


_Span = tuple[int, int, int]  # document, first position, last position
_Tree = tuple[Provision, tuple[ProvisionId, ...]]


def with_values(
    connection: sqlite3.Connection, columns: str, values: Iterable[Sequence[Any]], query: str
) -> Iterator[tuple[Any, ...]]:
    """Run a query that joins `wanted`, a table of values with these columns."""
    ordered = sorted(set(map(tuple, values)))
    for first in range(0, len(ordered), _AT_ONCE):
        part = ordered[first : first + _AT_ONCE]
        row = f"({', '.join('?' * len(part[0]))})"
        yield from connection.execute(
            f"WITH wanted ({columns}) AS (VALUES {', '.join([row] * len(part))}) {query}",
            [value for one in part for value in one],
        )


def read_works_of(
    connection: sqlite3.Connection, works: Iterable[WorkId], known: Known
) -> dict[WorkId, tuple[int, Work]]:
    """Those of some works that are held, with their numbers."""
    found = with_values(
        connection,
        "key",
        ((str(work),) for work in works),
        "SELECT works.id, works.key, names.value, authority, record FROM wanted"
        " JOIN works ON works.key = wanted.key JOIN names ON names.id = works.kind",
    )
    return {WorkId(row[1]): (row[0], reading.with_day(rows.work_from(*row[1:]), known)) for row in found}


def read_languages_of(
    connection: sqlite3.Connection, works: Sequence[WorkId]
) -> dict[WorkId, tuple[str, ...]]:
    """The languages that each work is held in, in order of their codes."""
    found = with_values(
        connection,
        "key",
        ((str(work),) for work in works),
        "SELECT works.key, documents.language FROM wanted JOIN works ON works.key = wanted.key"
        " JOIN documents ON documents.work = works.id ORDER BY works.key, documents.language",
    )
    held: dict[WorkId, tuple[str, ...]] = dict.fromkeys(works, ())
    for key, language in found:
        held[WorkId(key)] += (language,)
    return held


def read_named(connection: sqlite3.Connection, aliases: Sequence[str]) -> dict[str, Named]:
    """What answers to each name."""
    wanted = [(normalise_alias(alias),) for alias in aliases]
    works: dict[str, list[WorkId]] = {}
    for alias, key in with_values(
        connection,
        "alias",
        wanted,
        "SELECT aliases.alias, works.key FROM wanted JOIN aliases ON aliases.alias = wanted.alias"
        " JOIN works ON works.id = aliases.work",
    ):
        works.setdefault(alias, []).append(WorkId(key))
    places: dict[str, list[ProvisionId]] = {}
    for alias, key, path in with_values(
        connection,
        "alias",
        wanted,
        "SELECT places.alias, works.key, nodes.path FROM wanted JOIN places ON places.alias = wanted.alias"
        " JOIN nodes ON nodes.id = places.node JOIN works ON works.id = places.work"
        " ORDER BY places.alias, works.key, nodes.id",
    ):
        places.setdefault(alias, []).append(rows.provision_id(key, path))
    return {
        alias: Named(tuple(sorted(works.get(folded, ()))), tuple(places.get(folded, ())))
        for alias, (folded,) in zip(aliases, wanted, strict=True)
    }


def read_places_of(
    connection: sqlite3.Connection, sections: Iterable[ProvisionId]
) -> dict[ProvisionId, tuple[int, int]]:
    """The numbers of sections and of their works."""
    found = with_values(
        connection,
        "key, path",
        ((str(section.work), rows.path_text(section)) for section in sections),
        "SELECT works.key, nodes.path, nodes.unit, works.id FROM wanted"
        " JOIN works ON works.key = wanted.key"
        " JOIN nodes ON nodes.work = works.id AND nodes.path = wanted.path",
    )
    return {rows.provision_id(key, path): (unit, work) for key, path, unit, work in found}


def read_definitions_of(
    connection: sqlite3.Connection, terms: Sequence[str], language: str
) -> dict[str, tuple[DefinedTerm, ...]]:
    """Where each term is defined."""
    folded = [normalise_alias(term) for term in terms]
    defined: dict[str, list[DefinedTerm]] = {}
    for term, written, work, path, scope in with_values(
        connection,
        "term, language",
        ((term, language) for term in folded),
        "SELECT terms.term, written, works.key, nodes.path, scope FROM wanted JOIN terms"
        " ON terms.term = wanted.term AND terms.language = wanted.language"
        " JOIN nodes ON nodes.id = terms.node JOIN works ON works.id = terms.work"
        " ORDER BY terms.term, works.key, nodes.path",
    ):
        defined.setdefault(term, []).append(
            DefinedTerm(written, language, rows.provision_id(work, path), ProvisionId.parse(scope))
        )
    return {term: tuple(defined.get(key, ())) for term, key in zip(terms, folded, strict=True)}


def read_unresolved(
    connection: sqlite3.Connection, provisions: Sequence[ProvisionId]
) -> tuple[UnresolvedReference, ...]:
    """References from the provisions, or from below them, that lead nowhere yet."""
    found: dict[tuple[str, str], list[UnresolvedReference]] = {}
    for key, home, _, source, kind, text, reason, work, target, alias, language in with_values(
        connection,
        "key, path",
        ((str(one.work), rows.path_text(one)) for one in provisions),
        # By position, not by path: the identifiers of sections need not name their chapter.
        "SELECT DISTINCT wanted.key, wanted.path, refs.id, nodes.path, refs.kind, refs.text, reason,"
        " target_work, target_path, alias, refs.language FROM wanted JOIN works ON works.key = wanted.key"
        " JOIN nodes AS home ON home.work = works.id AND home.path = wanted.path"
        " JOIN versions AS own ON own.node = home.id JOIN versions AS below"
        " ON below.document = own.document AND below.position BETWEEN own.position AND own.last"
        " JOIN refs ON refs.source = below.node JOIN nodes ON nodes.id = refs.source"
        " WHERE reason != '' ORDER BY refs.id",
    ):
        found.setdefault((key, home), []).append(
            UnresolvedReference(
                rows.provision_id(key, source),
                EdgeKind(kind),
                text,
                Unresolved(reason),
                "/".join(part for part in (work or alias, target) if part),
                language,
            )
        )
    places = ((str(one.work), rows.path_text(one)) for one in provisions)
    return tuple(dict.fromkeys(one for place in places for one in found.get(place, ())))


def read_provisions(
    connection: sqlite3.Connection, wanted: Sequence[Wording], known: Known
) -> tuple[StoredProvision | LookupError, ...]:
    """Provisions on their dates, or why they cannot be given; five statements for any number of them."""
    return _Provisions(connection, wanted, known).read()


class _Provisions:
    def __init__(self, connection: sqlite3.Connection, wanted: Sequence[Wording], known: Known) -> None:
        self._connection = connection
        self._wanted = tuple(dict.fromkeys(wanted))
        self._asked = wanted
        self._works = read_works_of(connection, {one.provision.work for one in wanted}, known)
        self._found: dict[Wording, tuple[_Place, _Tree] | LookupError] = {}

    def read(self) -> tuple[StoredProvision | LookupError, ...]:
        places = self._read_places()
        chosen = {one: self._choose(one, places) for one in self._wanted}
        self._read_trees({one: place for one, place in chosen.items() if isinstance(place, _Place)})
        # Translations keep fewer wordings than the law: what was in force is for the authentic text to say.
        again = {}
        for one, place in chosen.items():
            if isinstance(place, LookupError):
                self._found[one] = place
            elif place.translation and isinstance(self._found[one], NotInForce):
                authentic = _best(self._candidates(one, places), None)
                if not authentic.translation:
                    again[one] = authentic
        self._read_trees(again)
        return self._assembled()

    def _read_places(self) -> dict[tuple[int, str], list[_Place]]:
        pairs = (
            (self._works[one.provision.work][0], rows.path_text(one.provision))
            for one in self._wanted
            if one.provision.work in self._works
        )
        found: dict[tuple[int, str], list[_Place]] = {}
        for work, path, *columns in with_values(
            self._connection,
            "work, path",
            pairs,
            "SELECT DISTINCT nodes.work, nodes.path, documents.id, documents.language,"
            " documents.translation, documents.manifestations, versions.position, versions.last FROM wanted"
            " JOIN nodes ON nodes.work = wanted.work AND nodes.path = wanted.path"
            " JOIN versions ON versions.node = nodes.id JOIN documents ON documents.id = versions.document",
        ):
            found.setdefault((work, path), []).append(_Place(*columns))
        return found

    def _candidates(self, one: Wording, places: Mapping[tuple[int, str], list[_Place]]) -> list[_Place]:
        return places.get((self._works[one.provision.work][0], rows.path_text(one.provision)), [])

    def _choose(self, one: Wording, places: Mapping[tuple[int, str], list[_Place]]) -> _Place | LookupError:
        try:
            if one.provision.work not in self._works:
                reading.read_work(self._connection, one.provision.work)  # says what to do
            candidates = self._candidates(one, places)
            if not candidates:
                reading.place(self._connection, self._works[one.provision.work][0], one.provision, None)
            return _best(candidates, one.language)
        except UnknownProvision as error:
            return error

    def _read_trees(self, chosen: Mapping[Wording, _Place]) -> None:
        spans: dict[_Span, list[tuple[Any, ...]]] = {}
        for document, first, last, *row in with_values(
            self._connection,
            "document, first, last",
            {(place.document, place.position, place.last) for place in chosen.values()},
            "SELECT wanted.document, wanted.first, wanted.last, versions.position, versions.parent,"
            " nodes.path, versions.kind, label, heading, text, valid_from, valid_to, event, facts FROM wanted"
            " JOIN versions ON versions.document = wanted.document"
            " AND versions.position BETWEEN wanted.first AND wanted.last"
            " JOIN nodes ON nodes.id = versions.node ORDER BY versions.position, versions.id",
        ):
            spans.setdefault((document, first, last), []).append(tuple(row))
        for one, place in chosen.items():
            span = spans.get((place.document, place.position, place.last), [])
            try:
                work = str(one.provision.work)
                self._found[one] = place, reading.tree_of(span, work, place.position, one.as_of)
            except (NotInForce, UnknownProvision) as error:
                self._found[one] = error

    def _assembled(self) -> tuple[StoredProvision | LookupError, ...]:
        held = {one: found for one, found in self._found.items() if isinstance(found, tuple)}
        ancestors = self._read_ancestors(held)
        languages = self._read_languages({self._works[one.provision.work][0] for one in held})
        given: dict[Wording, StoredProvision | LookupError] = {}
        for one, found in self._found.items():
            if isinstance(found, LookupError):
                given[one] = found
                continue
            place, (tree, missing) = found
            number, work = self._works[one.provision.work]
            files = rows.manifestations_from(place.manifestations)
            given[one] = StoredProvision(
                provision=tree,
                work=work,
                language=place.language,
                languages=languages.get(number, ()),
                translation=bool(place.translation),
                format=files[0].format if files else "",
                ancestors=ancestors.get((place.document, place.position), ()),
                missing=missing,
            )
        return tuple(given[one] for one in self._asked)

    def _read_ancestors(
        self, held: Mapping[Wording, tuple[_Place, _Tree]]
    ) -> dict[tuple[int, int], tuple[Ancestor, ...]]:
        works = {
            (place.document, place.position): str(one.provision.work) for one, (place, _) in held.items()
        }
        found: dict[tuple[int, int], tuple[Ancestor, ...]] = {}
        for document, at, path, label, heading in with_values(
            self._connection,
            "document, at",
            works,
            "SELECT wanted.document, wanted.at, nodes.path, label, heading FROM wanted"
            " JOIN versions ON versions.document = wanted.document AND versions.position < wanted.at"
            " AND versions.last >= wanted.at JOIN nodes ON nodes.id = versions.node"
            " WHERE versions.id = (SELECT max(newest.id) FROM versions AS newest"
            " WHERE newest.document = versions.document AND newest.position = versions.position)"
            " ORDER BY versions.position",
        ):
            above = Ancestor(rows.provision_id(works[document, at], path), label, heading)
            found[document, at] = (*found.get((document, at), ()), above)
        return found

    def _read_languages(self, works: Iterable[int]) -> dict[int, tuple[str, ...]]:
        found: dict[int, tuple[str, ...]] = {}
        query = "SELECT documents.work, language FROM wanted JOIN documents ON documents.work = wanted.work"
        for work, language in with_values(
            self._connection, "work", ((work,) for work in works), f"{query} ORDER BY translation, id"
        ):
            found[work] = (*found.get(work, ()), language)
        return found


def _best(places: Sequence[_Place], language: str | None) -> _Place:
    """The language asked for, then the authentic one."""
    return min(
        places,
        key=lambda one: (one.language != (language or ""), one.translation, one.document, one.position),
    )
