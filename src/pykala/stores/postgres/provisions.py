"""Read provisions on their dates in one round trip, however many.

The database chooses the language of each as the folder's store does: the one asked for, then the authentic
one. There is a second round trip if a translation lacks the wording of a date, or if a provision is not held,
to find the nearest one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any, Final, NamedTuple

from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Work
from pykala.stores.embedded import reading, rows
from pykala.stores.postgres.connection import PostgresConnection, Query
from pykala.stores.store import Ancestor, NotInForce, StoredProvision, UnknownProvision, Wording

Known = Mapping[tuple[str, str], date]  # to which day each collection is known

_WORKS: Final = (
    "SELECT works.id, works.key, names.value, authority, record, spoken.languages"
    " FROM unnest(CAST(? AS text[])) AS wanted (key) JOIN works ON works.key = wanted.key"
    " JOIN names ON names.id = works.kind CROSS JOIN LATERAL (SELECT array_agg(language"
    " ORDER BY translation, id) AS languages FROM documents WHERE documents.work = works.id) AS spoken"
)
#: Where each provision stands, in the language asked for, or else in the authentic one.
_PLACES: Final = (
    " FROM unnest(CAST(? AS text[]), CAST(? AS text[]), CAST(? AS text[])) AS wanted (key, path, language)"
    " JOIN works ON works.key = wanted.key"
    " JOIN nodes AS home ON home.work = works.id AND home.path = wanted.path"
    " CROSS JOIN LATERAL (SELECT documents.id, documents.language, documents.translation,"
    " documents.manifestations, own.position, own.last FROM versions AS own"
    " JOIN documents ON documents.id = own.document WHERE own.node = home.id"
    " ORDER BY documents.language != wanted.language, documents.translation, documents.id, own.position"
    " LIMIT 1) AS place"
)
_PLACED: Final = (
    "SELECT wanted.key, wanted.path, wanted.language, place.id, place.language, place.translation,"
    f" place.manifestations, place.position{_PLACES}"
)
_TREES: Final = (
    "SELECT wanted.key, wanted.path, wanted.language, versions.position, versions.parent, nodes.path,"
    f" versions.kind, label, heading, text, valid_from, valid_to, event, facts{_PLACES}"
    " JOIN versions ON versions.document = place.id"
    " AND versions.position BETWEEN place.position AND place.last"
    " JOIN nodes ON nodes.id = versions.node ORDER BY versions.position, versions.id"
)
_ANCESTORS: Final = (
    f"SELECT wanted.key, wanted.path, wanted.language, nodes.path, label, heading{_PLACES}"
    " JOIN versions ON versions.document = place.id AND versions.position < place.position"
    " AND versions.last >= place.position JOIN nodes ON nodes.id = versions.node"
    " WHERE versions.id = (SELECT max(newest.id) FROM versions AS newest"
    " WHERE newest.document = versions.document AND newest.position = versions.position)"
    " ORDER BY versions.position"
)
_HELD: Final = (
    "SELECT wanted.key, wanted.path FROM unnest(CAST(? AS text[]), CAST(? AS text[])) AS wanted (key, path)"
    " JOIN works ON works.key = wanted.key"
    " JOIN nodes ON nodes.work = works.id AND nodes.path = wanted.path"
)


class _Asked(NamedTuple):
    """A provision in a language; "" for the authentic one."""

    key: str
    path: str
    language: str

    @classmethod
    def of(cls, provision: ProvisionId, language: str | None) -> _Asked:
        return cls(str(provision.work), rows.path_text(provision), language or "")


class _Place(NamedTuple):
    """The place of a provision in one language."""

    document: int
    language: str
    translation: int
    manifestations: str
    position: int


def read_provisions(
    records: PostgresConnection, wanted: Sequence[Wording], known: Known
) -> tuple[StoredProvision | LookupError, ...]:
    """Provisions on their dates; an error in place of each that cannot be given."""
    return _Provisions(records, known).read(wanted)


class _Provisions:
    def __init__(self, records: PostgresConnection, known: Known) -> None:
        self._records, self._known = records, known
        self._works: dict[WorkId, tuple[Work, tuple[str, ...]]] = {}
        self._places: dict[_Asked, _Place] = {}
        self._spans: dict[_Asked, list[tuple[Any, ...]]] = {}
        self._ancestors: dict[_Asked, list[Ancestor]] = {}

    def read(self, asked: Sequence[Wording]) -> tuple[StoredProvision | LookupError, ...]:
        if not asked:
            return ()
        wanted = {one: _Asked.of(one.provision, one.language) for one in asked}
        self._fetch(wanted.values(), [{str(one.provision.work) for one in asked}])
        found = {one: self._tree(one, at) for one, at in wanted.items() if at in self._places}
        # Translations keep fewer wordings than the law, so ask the authentic text what was in force.
        again = {
            one: at._replace(language="")
            for one, at in wanted.items()
            if self._is_translation(at) and isinstance(found[one], NotInForce)
        }
        self._fetch(set(again.values()) - self._places.keys())
        for one, at in again.items():
            if not self._is_translation(at):
                wanted[one], found[one] = at, self._tree(one, at)
        missing = self._why_missing({one.provision for one, at in wanted.items() if at not in self._places})
        return tuple(
            self._given(one, wanted[one], found[one]) if one in found else missing[one.provision]
            for one in asked
        )

    def _is_translation(self, at: _Asked) -> bool:
        return at in self._places and bool(self._places[at].translation)

    def _fetch(self, wanted: Iterable[_Asked], works: Sequence[Iterable[str]] = ()) -> None:
        """Read provisions, their descendants and ancestors; and works, where asked for."""
        ordered = sorted(set(wanted))
        if not ordered:
            return
        values = [list(column) for column in zip(*ordered, strict=True)]
        queries: list[Query] = [(query, values) for query in (_PLACED, _TREES, _ANCESTORS)]
        queries += [(_WORKS, [sorted(keys)]) for keys in works]
        placed, trees, ancestors, *held = self._records.together(queries)
        for row in placed:
            self._places[_Asked(*row[:3])] = _Place(*row[3:])
        for row in trees:
            self._spans.setdefault(_Asked(*row[:3]), []).append(row[3:])
        for key, path, language, *(above, label, heading) in ancestors:
            ancestor = Ancestor(rows.provision_id(key, above), label, heading)
            self._ancestors.setdefault(_Asked(key, path, language), []).append(ancestor)
        for _, *columns, languages in (row for some in held for row in some):
            work = reading.with_day(rows.work_from(*columns), self._known)
            self._works[work.id] = work, tuple(languages or ())

    def _tree(self, one: Wording, at: _Asked) -> reading.Tree | LookupError:
        try:
            return reading.tree_of(self._spans.get(at, []), at.key, self._places[at].position, one.as_of)
        except (NotInForce, UnknownProvision) as error:
            return error

    def _why_missing(self, provisions: Iterable[ProvisionId]) -> dict[ProvisionId, UnknownProvision]:
        """The errors for provisions that are not held: an unknown work, or the nearest ancestor."""
        provisions = sorted(provisions, key=str)
        above = {one: list(_above(one)) if one.work in self._works else [] for one in provisions}
        pairs = sorted({(str(one.work), rows.path_text(one)) for some in above.values() for one in some})
        values = [list(column) for column in zip(*pairs, strict=True)]
        (held,) = self._records.together([(_HELD, values)]) if pairs else ([],)
        paths = {rows.provision_id(*row) for row in held}
        return {
            one: reading.unknown_provision(
                one, next((step for step in above[one] if step in paths), ProvisionId(one.work))
            )
            if one.work in self._works
            else reading.unknown_work(one.work)
            for one in provisions
        }

    def _given(
        self, one: Wording, at: _Asked, found: reading.Tree | LookupError
    ) -> StoredProvision | LookupError:
        if isinstance(found, LookupError):
            return found
        place = self._places[at]
        work, languages = self._works[one.provision.work]
        files = rows.manifestations_from(place.manifestations)
        return StoredProvision(
            provision=found.root,
            work=work,
            language=place.language,
            languages=languages,
            translation=bool(place.translation),
            format=files[0].format if files else "",
            ancestors=tuple(self._ancestors.get(at, ())),
            missing=found.missing,
            past=found.past,
            later=found.later,
        )


def _above(provision: ProvisionId) -> Iterable[ProvisionId]:
    while provision.path:
        provision = provision.parent
        yield provision
