"""Convert the vocabulary of the law to rows and back."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import date
from functools import lru_cache
from typing import Final, NamedTuple

from pykala.law.identifiers import ProvisionId, Step, WorkId
from pykala.law.messages import Message
from pykala.law.provisions import Event, Manifestation, Provision, Version, Work, WorkKind
from pykala.law.references import EdgeKind
from pykala.law.validity import Validity
from pykala.stores.embedded.facets import NO_END, UNKNOWN_START

PLACE = ""  # the event of a provision without versions: it exists while a provision below it does
EDGE_KINDS = tuple(EdgeKind)
EDGE_NUMBERS = {kind: number for number, kind in enumerate(EDGE_KINDS)}


def days(validity: Validity) -> tuple[int, int]:
    """An interval as ordinal days."""
    start = UNKNOWN_START if validity.start is None else validity.start.toordinal()
    end = NO_END if validity.end is None else validity.end.toordinal()
    return start, end


@lru_cache(maxsize=16_384)  # most changes of an act begin on the same day
def interval(start: int, end: int) -> Validity:
    """Ordinal days as an interval."""
    return Validity(
        None if start == UNKNOWN_START else date.fromordinal(start),
        None if end == NO_END else date.fromordinal(end),
    )


def path_text(provision: ProvisionId) -> str:
    """The path of a provision within its work, as the nodes table stores it."""
    return "/".join(map(str, provision.path))


@lru_cache(maxsize=65_536)
def provision_id(work: str, path: str) -> ProvisionId:
    """A provision from its two columns."""
    return ProvisionId(work_id(work), tuple(map(_step, path.split("/"))) if path else ())


@lru_cache(maxsize=8_192)  # results of a question often belong to a few acts
def work_id(work: str) -> WorkId:
    """A work from its column."""
    return WorkId(work)


@lru_cache(maxsize=8_192)
def _step(segment: str) -> Step:
    kind, _, number = segment.partition("_")
    return Step(kind, number)


def positions(root: Provision) -> Iterator[tuple[int, int, int, Provision]]:
    """Number a tree in document order: (position, last position below, parent's position, provision)."""
    sizes: dict[int, int] = {}
    order: list[tuple[Provision, int]] = []
    stack: list[tuple[Provision, int]] = [(root, -1)]
    while stack:
        provision, parent = stack.pop()
        position = len(order)
        order.append((provision, parent))
        stack.extend((child, position) for child in reversed(provision.children))
    for position in range(len(order) - 1, -1, -1):
        sizes[position] = sizes.get(position, 0) + 1
        parent = order[position][1]
        if parent >= 0:
            sizes[parent] = sizes.get(parent, 0) + sizes[position]
    for position, (provision, parent) in enumerate(order):
        yield position, position + sizes[position] - 1, parent, provision


def version_facts(version: Version) -> str:
    """A version's data besides words and dates; empty where there is none."""
    facts: dict[str, object] = {}
    if version.source_act:
        facts["source_act"] = str(version.source_act)
    if version.application:
        facts["application"] = version.application
    if version.observed_at:
        facts["observed_at"] = version.observed_at.isoformat()
    if version.authentic:
        facts["authentic"] = True
    if version.history_unavailable:
        facts["history_unavailable"] = True
    if version.findings:
        facts["findings"] = [finding.plain() for finding in version.findings]
    if version.in_force:
        facts["in_force"] = version.in_force.isoformat()
    if version.ends_by_its_words:
        facts["ends_by_its_words"] = True
    return json.dumps(facts, ensure_ascii=False) if facts else ""


class _Facts(NamedTuple):
    """A version's data besides words and dates."""

    source_act: WorkId | None = None
    application: str = ""
    observed_at: date | None = None
    authentic: bool = False
    history_unavailable: bool = False
    findings: tuple[Message, ...] = ()
    in_force: date | None = None
    ends_by_its_words: bool = False


_NO_FACTS: Final = _Facts()


@lru_cache(maxsize=4_096)  # all provisions that one act changed share these values
def _facts(text: str) -> _Facts:
    known: Mapping[str, object] = json.loads(text)
    source_act, findings = known.get("source_act"), known.get("findings")
    return _Facts(
        source_act=work_id(str(source_act)) if source_act else None,
        application=str(known.get("application", "")),
        observed_at=_known_day(known, "observed_at"),
        authentic=bool(known.get("authentic", False)),
        history_unavailable=bool(known.get("history_unavailable", False)),
        findings=tuple(map(Message.from_plain, findings)) if isinstance(findings, list) else (),
        in_force=_known_day(known, "in_force"),
        ends_by_its_words=bool(known.get("ends_by_its_words", False)),
    )


def version_from(heading: str, text: str, start: int, end: int, event: str, facts: str) -> Version:
    """A version from its row."""
    known = _facts(facts) if facts else _NO_FACTS
    return Version(
        text=text,
        validity=interval(start, end),
        heading=heading,
        event=Event(event) if event != PLACE else Event.ENACTED,
        source_act=known.source_act,
        application=known.application,
        observed_at=known.observed_at,
        authentic=known.authentic,
        history_unavailable=known.history_unavailable,
        findings=known.findings,
        in_force=known.in_force,
        ends_by_its_words=known.ends_by_its_words,
    )


def _known_day(known: Mapping[str, object], name: str) -> date | None:
    day = known.get(name)
    return date.fromisoformat(str(day)) if day else None


def work_record(work: Work) -> str:
    """A work's names and dates as JSON."""
    return json.dumps(
        {
            "titles": work.titles,
            "short_titles": work.short_titles,
            "abbreviations": work.abbreviations,
            "aliases": work.aliases,
            "issued": work.issued.isoformat() if work.issued else None,
            "validity": days(work.validity),
            "current_to": work.current_to.isoformat() if work.current_to else None,
        },
        ensure_ascii=False,
    )


def work_from(key: str, kind: str, authority: int, record: str) -> Work:
    """A work from its row."""
    known = json.loads(record)
    return Work(
        id=WorkId(key),
        kind=WorkKind(kind),
        authority=authority,
        titles=tuple((language, title) for language, title in known["titles"]),
        short_titles=tuple((language, title) for language, title in known["short_titles"]),
        abbreviations=tuple(known["abbreviations"]),
        aliases=tuple(known["aliases"]),
        issued=date.fromisoformat(known["issued"]) if known["issued"] else None,
        validity=interval(*known["validity"]),
        current_to=_known_day(known, "current_to"),
    )


def manifestations_text(manifestations: tuple[Manifestation, ...]) -> str:
    """The files of a document as JSON."""
    return json.dumps(
        [
            [
                m.path,
                m.sha256,
                m.format,
                m.url,
                m.retrieved_at.isoformat() if m.retrieved_at else None,
                m.notes,
            ]
            for m in manifestations
        ],
        ensure_ascii=False,
    )


def manifestations_from(text: str) -> tuple[Manifestation, ...]:
    """The files of a document from their column."""
    return tuple(
        Manifestation(path, sha256, form, url, date.fromisoformat(at) if at else None, tuple(notes))
        for path, sha256, form, url, at, notes in json.loads(text)
    )
