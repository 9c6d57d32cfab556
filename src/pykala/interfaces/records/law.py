"""Search results, provisions with their surroundings, documents, changes and neighbourhoods as records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from pykala.answer.cite import citation
from pykala.interfaces.records.from_library import FromLibrary, told_of
from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import Event
from pykala.law.validity import NOT_YET
from pykala.library import Library, results
from pykala.library.result_forms import children_of
from pykala.records import law as records
from pykala.records.answers import Node
from pykala.records.record import Day, Record, Rounded4
from pykala.text.phrases import LANGUAGES
from pykala.versions.chains import Moment
from pykala.views.chronicle import ActChanges, History
from pykala.views.reading_record import around_fields
from pykala.views.reasoning import node
from pykala.views.time_record import changed_work_record, history_record

#: Events after which nothing is left of what they happened to; None: it ended without a successor.
_ENDINGS = frozenset({None, Event.REPEALED})


class Search(FromLibrary):
    """What a search found, best first."""

    query: str
    as_of: Day
    results: list[records.Found]


class VersionMark(records.ByAct):
    """A wording on the version line of a provision."""

    valid_from: Day | None
    valid_to: Day | None
    event: str
    current: bool


class Provision(records.Shown, records.Around):
    """A provision on a date with its surroundings."""

    version_line: list[VersionMark]
    as_of: Day


class Changes(FromLibrary):
    """The works whose words changed in a period; `total` counts those beyond the limit too."""

    since: Day
    until: Day | None
    works: list[records.ChangedWork]
    total: int


class VisitedNode(Node):
    """A node with how far it lies."""

    hops: int
    score: Rounded4


class Neighbourhood(records.Related, FromLibrary):
    """A provision's neighbourhood."""

    nodes: list[VisitedNode]


class HistoryFromLibrary(records.History, FromLibrary):
    """A provision's chain, the timeline of all below it, and what must be said with them."""


class TreeFromLibrary(records.Tree, FromLibrary):
    """A slim tree, and what must be said with it."""


class CitationsFromLibrary(records.Citations, FromLibrary):
    """The citations of a text, in order, and what must be said of those that the library holds."""


class Keywords(Record):
    """The keywords of a question, the most telling first."""

    language: str
    keywords: list[records.Keyword]


def provision_page(library: Library, text: str, as_of: date, language: str | None) -> Provision:
    """A provision on a date with its surroundings and its version line."""
    shown = library.show(text, as_of=as_of, language=language)
    identifier, spoken = str(shown.cited.provision), shown.cited.language
    around = library.surroundings(identifier, as_of=as_of, language=spoken)
    history = library.history(identifier, language=spoken)
    return Provision.of(
        shown,
        **around_fields(around, shown.languages),
        **children_of(shown),
        version_line=list(version_line(history, as_of)),
        as_of=as_of,
    )


def history_page(found: History, library: Library, language: str | None) -> HistoryFromLibrary:
    """A provision's chain and timeline, with the caveats of the library: in a language, else in English."""
    return HistoryFromLibrary.of(
        history_record(found, language or LANGUAGES[0]), **told_of(library, language)
    )


def version_line(history: History, as_of: date) -> Iterator[VersionMark]:
    """The versions of a provision with its descendants, oldest first: dates and acts."""
    days = [moment.day for moment in history.moments]
    standing: set[ProvisionId] = set()  # it and its parts that have words, after each day's changes
    for moment, following in zip(history.moments, [*days[1:], None], strict=True):
        pending = moment.day == NOT_YET
        end = None if pending or following == NOT_YET else following
        act = next(iter(moment.acts), None)
        for change in moment.changes:
            (standing.discard if change.event in _ENDINGS else standing.add)(change.provision)
        yield VersionMark(
            valid_from=None if pending else moment.day,
            valid_to=end,
            event="pending" if pending else _event(moment, history.provision, goes_on=bool(standing)),
            source_act=str(act) if act else None,
            act=history.acts.get(act, str(act)) if act else None,
            current=not pending and (moment.day or date.min) <= as_of < (end or date.max),
        )


def _event(moment: Moment, provision: ProvisionId, *, goes_on: bool) -> str:
    """What happened to a provision on a day: to its own words, else to its parts.

    NYC § 11-503 has been in force since 1 July 2025, and its subdivision (o) ended on 1 January 2026: of the
    section this is "part_ended".
    """
    own = [change.event for change in moment.changes if change.provision == provision]
    happened = own or sorted(moment.events, key=lambda event: event in _ENDINGS)
    first = next((one for one in happened if one is not None), None)
    name = first.value if first else "ended"
    return f"part_{name}" if goes_on and not own and first in _ENDINGS else name


def changes_record(
    found: Sequence[ActChanges],
    library: Library,
    since: date,
    until: date | None,
    *,
    works: int | None = None,
    changes: int | None = None,
) -> Changes:
    """The works that changed in a period, with limits for works and changes."""
    return Changes(
        since=since,
        until=until,
        works=[
            changed_work_record(one, lambda place: own_citation(place, library), limit=changes)
            for one in found[:works]
        ],
        total=len(found),
        **told_of(library),
    )


def own_citation(provision: ProvisionId, library: Library) -> str:
    """A provision's citation in the first language of its jurisdiction."""
    work, pack = library.store.work(provision.work), library.packs.get(provision.work.jurisdiction)
    return citation(provision, work, pack.facts.default_language if pack else "", library.packs)


def neighbourhood(found: results.Related, library: Library, as_of: date) -> Neighbourhood:
    """A neighbourhood as nodes and edges."""
    roles = [(found.provision, "primary", 0, 1.0)]
    roles += [(one.provision, one.via.kind.value, one.hops, one.score) for one in found.visited]
    nodes = [
        VisitedNode.of(
            node(place, role, library.store, library.packs, as_of=as_of, language=None),
            hops=hops,
            score=score,
        )
        for place, role, hops, score in roles
    ]
    return Neighbourhood.of(found, nodes=nodes, **told_of(library))
