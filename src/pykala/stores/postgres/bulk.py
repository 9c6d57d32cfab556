"""Bulk reads: each takes one round trip, however much is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any, Final

from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import DefinedTerm, Work
from pykala.law.references import EdgeKind, Unresolved, UnresolvedReference, normalise_alias
from pykala.stores.embedded import reading, rows
from pykala.stores.postgres.connection import PostgresConnection
from pykala.stores.store import Named

Known = Mapping[tuple[str, str], date]  # to which day each collection is known

_KEYS: Final = "FROM unnest(CAST(? AS text[])) AS wanted (key) JOIN works ON works.key = wanted.key"
_PLACES: Final = (
    "FROM unnest(CAST(? AS text[]), CAST(? AS text[])) AS wanted (key, path)"
    " JOIN works ON works.key = wanted.key"
)
_NODES: Final = " JOIN nodes ON nodes.work = works.id AND nodes.path = wanted.path"
_WORKS: Final = (
    f"SELECT works.key, names.value, authority, record {_KEYS} JOIN names ON names.id = works.kind"
)
_LANGUAGES: Final = (
    f"SELECT works.key, documents.language {_KEYS} JOIN documents ON documents.work = works.id"
    " ORDER BY works.key, documents.language"
)
_NUMBERS: Final = f"SELECT works.key, works.id {_KEYS}"
_SECTIONS: Final = f"SELECT works.key, nodes.path, nodes.unit, works.id {_PLACES}{_NODES}"
_ALIASES: Final = (
    "SELECT aliases.alias, works.key FROM unnest(CAST(? AS text[])) AS wanted (alias)"
    " JOIN aliases ON aliases.alias = wanted.alias JOIN works ON works.id = aliases.work"
)
_OWN_NAMES: Final = (
    "SELECT places.alias, works.key, nodes.path FROM unnest(CAST(? AS text[])) AS wanted (alias)"
    " JOIN places ON places.alias = wanted.alias JOIN nodes ON nodes.id = places.node"
    " JOIN works ON works.id = places.work ORDER BY places.alias, works.key, nodes.id"
)
_TERMS: Final = (
    "SELECT terms.term, written, works.key, nodes.path, scope FROM terms"
    " JOIN nodes ON nodes.id = terms.node JOIN works ON works.id = terms.work"
    " WHERE terms.language = ? AND terms.term = ANY(?) ORDER BY terms.term, works.key, nodes.path"
)
#: By position, not by path: the identifiers of sections need not name their chapter.
UNRESOLVED: Final = (
    "SELECT DISTINCT wanted.key, wanted.path, refs.id, nodes.path, refs.kind, refs.text, reason, target_work,"
    f" target_path, alias, refs.language {_PLACES}"
    " JOIN nodes AS home ON home.work = works.id AND home.path = wanted.path"
    " JOIN versions AS own ON own.node = home.id JOIN versions AS below"
    " ON below.document = own.document AND below.position BETWEEN own.position AND own.last"
    " JOIN refs ON refs.source = below.node JOIN nodes ON nodes.id = refs.source"
    " WHERE reason != '' ORDER BY refs.id"
)


def columns_of(values: Iterable[tuple[Any, ...]]) -> list[list[Any]]:
    """Distinct rows as columns, the form in which a statement takes a table of values."""
    return [list(column) for column in zip(*dict.fromkeys(values), strict=True)]


def place_of(provision: ProvisionId) -> tuple[str, str]:
    """A provision as the tables store it: its work and its path."""
    return str(provision.work), rows.path_text(provision)


def read_works_of(records: PostgresConnection, works: Sequence[WorkId], known: Known) -> dict[WorkId, Work]:
    """The works among these that the library holds."""
    found = _read(records, _WORKS, ((str(work),) for work in works))
    return {WorkId(row[0]): reading.with_day(rows.work_from(*row), known) for row in found}


def read_languages_of(records: PostgresConnection, works: Sequence[WorkId]) -> dict[WorkId, tuple[str, ...]]:
    """The languages that each work is held in, in order of their codes."""
    held: dict[WorkId, tuple[str, ...]] = dict.fromkeys(works, ())
    for key, language in _read(records, _LANGUAGES, ((str(work),) for work in works)):
        held[WorkId(key)] += (language,)
    return held


def read_numbers_of(records: PostgresConnection, works: Iterable[WorkId]) -> dict[WorkId, int]:
    """The numbers of those works that are held."""
    found = _read(records, _NUMBERS, ((str(work),) for work in works))
    return {WorkId(key): number for key, number in found}


def read_named(records: PostgresConnection, aliases: Sequence[str]) -> dict[str, Named]:
    """The works and provisions of each name."""
    folded = {alias: normalise_alias(alias) for alias in aliases}
    values = [sorted(set(folded.values()))]
    works: dict[str, list[WorkId]] = {}
    places: dict[str, list[ProvisionId]] = {}
    if aliases:
        named, called = records.together([(_ALIASES, values), (_OWN_NAMES, values)])
        for alias, key in named:
            works.setdefault(alias, []).append(WorkId(key))
        for alias, key, path in called:
            places.setdefault(alias, []).append(rows.provision_id(key, path))
    return {
        alias: Named(tuple(sorted(works.get(name, ()))), tuple(places.get(name, ())))
        for alias, name in folded.items()
    }


def read_places_of(
    records: PostgresConnection, sections: Iterable[ProvisionId]
) -> dict[ProvisionId, tuple[int, int]]:
    """The numbers of sections and of their works."""
    found = _read(records, _SECTIONS, map(place_of, sections))
    return {rows.provision_id(key, path): (unit, work) for key, path, unit, work in found}


def read_definitions_of(
    records: PostgresConnection, terms: Sequence[str], language: str
) -> dict[str, tuple[DefinedTerm, ...]]:
    """Where each term is defined."""
    folded = {term: normalise_alias(term) for term in terms}
    defined: dict[str, list[DefinedTerm]] = {}
    values = [language, sorted(set(folded.values()))]
    (found,) = records.together([(_TERMS, values)]) if terms else ([],)
    for term, written, work, path, scope in found:
        defined.setdefault(term, []).append(
            DefinedTerm(written, language, rows.provision_id(work, path), ProvisionId.parse(scope))
        )
    return {term: tuple(defined.get(key, ())) for term, key in folded.items()}


def unresolved_from(
    found: Iterable[tuple[Any, ...]], provisions: Sequence[ProvisionId]
) -> tuple[UnresolvedReference, ...]:
    """Unresolved references from rows, in the order of the provisions."""
    own: dict[tuple[str, str], list[UnresolvedReference]] = {}
    for key, home, _, source, kind, text, reason, work, target, alias, language in found:
        own.setdefault((key, home), []).append(
            UnresolvedReference(
                rows.provision_id(key, source),
                EdgeKind(kind),
                text,
                Unresolved(reason),
                "/".join(part for part in (work or alias, target) if part),
                language,
            )
        )
    return tuple(dict.fromkeys(one for place in map(place_of, provisions) for one in own.get(place, ())))


def _read(
    records: PostgresConnection, query: str, values: Iterable[tuple[Any, ...]]
) -> list[tuple[Any, ...]]:
    columns = columns_of(values)
    return records.together([(query, columns)])[0] if columns else []
