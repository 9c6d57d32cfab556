"""Changes of the law as an Atom feed (RFC 4287).

An entry is one work on one day. Its identifier stays the same as long as the library holds the change, so
that a feed reader recognises new entries.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, timedelta
from itertools import groupby
from typing import Annotated, Any
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from lxml import etree

from pykala.answer.caveats import of_library
from pykala.interfaces.http.describing import problems
from pykala.interfaces.http.disconnect import run_until_disconnect
from pykala.interfaces.http.requests import JurisdictionQuery
from pykala.interfaces.http.shared_state import SharedState
from pykala.interfaces.records.law import own_citation
from pykala.interfaces.serving.vocabulary import Day, Language, Words
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import WorkKind
from pykala.law.validity import NOT_YET
from pykala.library import Library
from pykala.text.phrases import LANGUAGES, say
from pykala.versions.chains import Change
from pykala.views.chronicle import ActChanges

MEDIA_TYPE = "application/atom+xml"
_SPACE = "http://www.w3.org/2005/Atom"
_SPOKEN = "{http://www.w3.org/XML/1998/namespace}lang"
_PREFIXES: Any = {None: _SPACE}  # lxml's type stubs do not allow a prefix of None
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # what a name may hold
_LATELY = timedelta(days=365)
_MOST_ENTRIES = 200
_NAMED = 30  # provisions that an entry names
_CITED = 300  # provisions whose citations are looked up for that

WorksQuery = Annotated[
    list[Words] | None,
    Query(description="Only these works, by identifier or name.", max_length=50),
]
SpokenQuery = Annotated[
    Language | None,
    Query(description="What the feed says of changes is in this language; English where it is left out."),
]


def routes(state: SharedState) -> APIRouter:
    """The route for the feed."""
    router = APIRouter(tags=["law"])

    @router.get(
        "/changes.atom",
        response_class=Response,
        responses=problems("unknown-provision")
        | {200: {"description": "The feed.", "content": {MEDIA_TYPE: {"schema": {"type": "string"}}}}},
        summary="The works whose words changed, as an Atom feed",
    )
    async def feed(
        request: Request,
        since: Annotated[Day | None, Query(description="The first day; a year ago without it.")] = None,
        jurisdiction: JurisdictionQuery = None,
        kind: Annotated[WorkKind | None, Query(description="Only works of this kind.")] = None,
        work: WorksQuery = None,
        language: SpokenQuery = None,
    ) -> Response:
        base, today = str(request.base_url).rstrip("/"), state.today()
        first = since or today - _LATELY

        def find(library: Library) -> bytes:
            wanted = kind.value if kind else None
            found = changed_works(library, first, None, jurisdiction, wanted, work or ())

            def cite(provision: ProvisionId) -> str:
                return own_citation(provision, library)

            def known(work: WorkId) -> date:
                return min(library.store.work(work).current_to or today, today)

            spoken = language or LANGUAGES[0]
            return atom(
                found,
                cite,
                known,
                base=base,
                address=str(request.url),
                today=today,
                language=spoken,
                notices=[one.message for one in of_library(library.store.facts(), spoken=spoken)],
            )

        data = await run_until_disconnect(
            request, state.pool, lambda library, tell: find(library), seconds=state.options.seconds
        )
        return Response(data, media_type=f"{MEDIA_TYPE}; charset=utf-8")

    return router


def changed_works(
    library: Library,
    since: date,
    until: date | None,
    jurisdiction: str | None,
    kind: str | None,
    works: Iterable[str],
) -> tuple[ActChanges, ...]:
    """The works that changed in a period; only the named ones where any are named."""
    wanted = {library.store.work(library.locate(work).work).id for work in works}  # only works that are held
    found = library.changes(since, until, jurisdiction=jurisdiction, kind=kind)
    return tuple(one for one in found if not wanted or one.work in wanted)


def atom(
    found: Sequence[ActChanges],
    cite: Callable[[ProvisionId], str],
    known: Callable[[WorkId], date],
    *,
    base: str,
    address: str,
    today: date,
    language: str = LANGUAGES[0],
    notices: Sequence[str] = (),
) -> bytes:
    """Write the feed, newest change first; a change without a date has no entry yet.

    `notices` are what must be said of everything in it.
    """
    entries = sorted(_entries(found), key=lambda entry: (entry[0], str(entry[1].work)), reverse=True)
    # A future change was published earlier; date its entry so, because feed readers hide future entries.
    listed = [
        (day if day <= today else known(one.work), day, one, changes)
        for day, one, changes in entries[:_MOST_ENTRIES]
    ]
    newest = max((updated for updated, *_ in listed), default=today)
    feed = etree.Element(f"{{{_SPACE}}}feed", {_SPOKEN: language}, nsmap=_PREFIXES)
    _add(feed, "id", f"urn:pykala:changes:{quote(address.partition('?')[2], safe='')}")
    _add(feed, "title", say(language, "feed.title"))
    if notices:
        _add(feed, "subtitle", " ".join(notices))
    _add(feed, "updated", _moment(newest))
    _add(_add(feed, "author"), "name", "Pykälä")
    _add(feed, "link", rel="self", type=MEDIA_TYPE, href=address)
    _add(feed, "link", rel="alternate", type="text/html", href=f"{base}/#changes")
    for updated, day, one, changes in listed:
        entry = _add(feed, "entry")
        _describe(entry, day, one, changes, cite, language, is_past=day <= today)
        _add(entry, "updated", _moment(updated))
        _add(entry, "link", rel="alternate", type="text/html", href=difference_link(base, one.work, day))
    data: bytes = etree.tostring(feed, xml_declaration=True, encoding="UTF-8", pretty_print=True)
    return data


def _entries(found: Iterable[ActChanges]) -> Iterator[tuple[date, ActChanges, list[Change]]]:
    """The changes of each work, by day."""
    for one in found:
        dated = [change for change in one.changes if change.day is not None and change.day != NOT_YET]
        for day, changes in groupby(sorted(dated, key=_day_of), key=_day_of):
            yield day, one, list(changes)


def _day_of(change: Change) -> date:
    assert change.day is not None
    return change.day


def _add(parent: etree._Element, name: str, text: str = "", **attributes: str) -> etree._Element:
    made = etree.SubElement(parent, f"{{{_SPACE}}}{name}", attributes)
    made.text = _NOT_XML.sub("", text) or None
    return made


def _describe(
    entry: etree._Element,
    day: date,
    one: ActChanges,
    changes: Sequence[Change],
    cite: Callable[[ProvisionId], str],
    language: str,
    *,
    is_past: bool,
) -> None:
    """Write an entry's identifier, title and content: what changed, how much of it, by which acts."""
    acts = list(dict.fromkeys(one.acts.get(act, str(act)) for act in _causes(changes)))
    places = list(dict.fromkeys(change.provision for change in changes))
    # All paragraphs of a guidance page have the same citation, that of the page.
    cited = list(dict.fromkeys(map(cite, places[:_CITED])))[:_NAMED]
    lines = [f"{day.isoformat()}: {one.citation}", *acts, "", *cited]
    if len(cited) == _NAMED and len(places) > _NAMED:
        lines.append(say(language, "feed.more", count=len(places) - len(cited)))
    key, values = ("feed.changed" if is_past else "feed.changes"), {}
    if acts:
        key, values = ("feed.changed_by" if is_past else "feed.changes_by"), {"acts": "; ".join(acts)}
    title = say(language, key, work=one.citation, count=len(places), day=day, **values)
    _add(entry, "id", f"urn:pykala:change:{quote(str(one.work), safe=':')}:{day.isoformat()}")
    _add(entry, "title", title)
    _add(entry, "content", "\n".join(lines), type="text")


def _causes(changes: Iterable[Change]) -> Iterator[WorkId]:
    yield from (change.source_act for change in changes if change.source_act is not None)


def difference_link(base: str, work: WorkId, day: date) -> str:
    """Link to the page that compares a work before and after a day."""
    before = day - timedelta(days=1) if day > date.min else day
    days = urlencode({"first": before.isoformat(), "second": day.isoformat()})
    return f"{base}/law/{quote(str(work), safe=':/')}?{days}"


def _moment(day: date) -> str:
    return f"{day.isoformat()}T00:00:00Z"
