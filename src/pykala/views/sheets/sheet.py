"""The contents of an exported answer, read from its record: one structure for every format."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from importlib.metadata import version
from typing import Any

from pykala.answer.in_words import grade_in_words, standing_in_words
from pykala.answer.replay import RecordUnreadable, read_record
from pykala.law.answers import CaveatKind, CitedProvision, Outcome, Relation
from pykala.law.identifiers import InvalidIdentifier, ProvisionId
from pykala.law.validity import Validity
from pykala.text.phrases import named, say
from pykala.text.unseen import without_unseen

_MOST_PARTS = 20


@dataclass(frozen=True, slots=True)
class Source:
    """A provision with what a reader needs to find and check it."""

    citation: str
    dated: str
    url: str
    key: str = ""
    quote: str = ""
    why: str = ""  # why it stands beside the answer


@dataclass(frozen=True, slots=True)
class Resting:
    """The whole provision that the answer rests on."""

    source: Source
    heading: str
    text: str
    publisher: str


@dataclass(frozen=True, slots=True)
class Titles:
    """The headings, in the language of the answer."""

    sources: str
    rests_on: str
    beside: str
    conflicts: str
    notes: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """The contents of an exported answer."""

    language: str
    question: str
    understood: str
    facts: str  # the date and the place of the law
    outcome: str
    notices: tuple[str, ...]  # shown above the answer, for example that a sample is not law
    text: str
    claims: tuple[tuple[str, frozenset[str]], ...]  # each sentence with the keys of its sources
    drafted: bool
    sources: tuple[Source, ...]
    resting: Resting | None
    beside: tuple[Source, ...]
    conflicts: tuple[str, ...]
    notes: tuple[str, ...]
    parts: tuple[Sheet, ...]
    made: str
    titles: Titles

    @property
    def keys(self) -> frozenset[str]:
        """Every key of the answer."""
        return frozenset(one.key for one in self.sources)


def sheet_of(record: Mapping[str, Any], *, made_on: date) -> Sheet:
    """The contents of a record's document; RecordUnreadable where it is not an answer record."""
    read_record(json.dumps(record))  # raises an error that names the missing field
    return _sheet(record, made_on)


def _sheet(record: Mapping[str, Any], made_on: date) -> Sheet:
    spoken, primary = _text(record, "language"), record.get("primary")
    shown = [_cited(one) for one in (*([primary] if primary else []), *record.get("support", []))]
    resting = shown[0] if primary else None
    sources = tuple(_sources(record, shown, spoken))
    parts = [one for one in _list(record, "parts")[:_MOST_PARTS] if _text(one, "question")]
    for part in parts:
        read_record(json.dumps(part))
    return Sheet(
        language=spoken,
        question=_line(record, "question"),
        understood=_understood(record, spoken),
        facts=_facts(record, resting, spoken),
        outcome=_outcome(record, resting),
        notices=tuple(_caveats(record, sample=True)),
        text=_text(record, "text"),
        claims=tuple(_claims(record)),
        drafted=bool(record.get("writer")),
        sources=sources,
        resting=_resting(resting, spoken) if resting and not _is_told(resting, sources) else None,
        beside=tuple(_beside(record, shown[1:] if primary else shown, spoken)),
        conflicts=tuple(_line(one, "message") for one in _list(record, "conflicts")),
        notes=tuple(_caveats(record, sample=False)),
        parts=tuple(_sheet(one, made_on) for one in parts),
        made=say(spoken, "sheet.made", day=made_on, version=version("pykala")),
        titles=_titles(record, spoken),
    )


def _titles(record: Mapping[str, Any], spoken: str) -> Titles:
    return Titles(
        sources=say(spoken, "prose.sources"),
        rests_on=say(spoken, "sheet.rests_on"),
        beside=say(spoken, _beside_title(record)),
        conflicts=say(spoken, "prose.conflicts"),
        notes=say(spoken, "prose.note"),
    )


def _understood(record: Mapping[str, Any], spoken: str) -> str:
    """How a follow-up question was understood."""
    question = _line(record, "standalone")
    return say(spoken, "shown.understood_as", question=question) if question else ""


def _facts(record: Mapping[str, Any], resting: CitedProvision | None, spoken: str) -> str:
    """The date of the law; after the last known day, no law is called "in force"."""
    day, known = date.fromisoformat(_text(record, "as_of")), _day(record, "current_to")
    if resting is not None and resting.is_upload:
        return say(spoken, "prose.upload_on", day=day)
    if known is None:
        return say(spoken, "prose.law_on", day=day)
    return say(spoken, "prose.law_known" if known < day else "prose.law_on_known", day=day, known=known)


def _outcome(record: Mapping[str, Any], resting: CitedProvision | None) -> str:
    """The outcome with its grade; a user's own document has none, also in records that hold one."""
    text = _line(record, "outcome_text") or _text(record, "outcome")
    grade = record.get("confidence")
    quoted = record.get("outcome") in {one.value for one in Outcome if one.quotes}
    if resting is not None and resting.is_upload:
        return text
    if not quoted or not isinstance(grade, int | float) or not 0 < grade <= 10:
        return text
    return f"{text}: {grade_in_words(float(grade), _text(record, 'language'))}"


def _claims(record: Mapping[str, Any]) -> Iterator[tuple[str, frozenset[str]]]:
    for claim in _list(record, "claims"):
        yield _text(claim, "text"), frozenset(_text(one, "key") for one in _list(claim, "citations"))


def _sources(record: Mapping[str, Any], shown: Sequence[CitedProvision], spoken: str) -> Iterator[Source]:
    """Every citation once, with exact words and dates."""
    listed: set[tuple[str, str]] = set()
    for claim in _list(record, "claims"):
        for one in _list(claim, "citations"):
            key, quote = _line(one, "key"), _line(one, "quote")
            if (key, quote) in listed:
                continue
            listed.add((key, quote))
            found = _standing(_text(one, "provision"), shown)
            dated = standing_in_words(found, spoken) if found else ""
            yield Source(_line(one, "citation"), dated, _address(one), key, quote)


def _standing(provision: str, shown: Sequence[CitedProvision]) -> CitedProvision | None:
    """The shown provision that contains a cited one; else one that lies within it."""
    try:
        wanted = ProvisionId.parse(provision)
    except InvalidIdentifier as error:
        raise RecordUnreadable(str(error)) from None
    fitting = [one for one in shown if one.provision.contains(wanted)]
    return next(iter((*fitting, *(one for one in shown if wanted.contains(one.provision)))), None)


def _is_told(cited: CitedProvision, sources: Sequence[Source]) -> bool:
    """Whether a quote is already the provision's whole text."""
    words = " ".join(cited.text.split())
    return any(one.quote == words for one in sources)


def _resting(cited: CitedProvision, spoken: str) -> Resting:
    source = Source(cited.citation, standing_in_words(cited, spoken), cited.url)
    return Resting(source, cited.heading, cited.text, cited.source)


def _beside_title(record: Mapping[str, Any]) -> str:
    if record.get("primary"):
        return "prose.beside"
    guided = record.get("outcome") == Outcome.GUIDANCE.value
    return "prose.possibly_related" if guided else "prose.nearest"


def _beside(record: Mapping[str, Any], shown: Sequence[CitedProvision], spoken: str) -> Iterator[Source]:
    for one, cited in zip(record.get("support", []), shown, strict=True):
        why = _relation(_line(one, "relation"), spoken) if record.get("primary") else ""
        yield Source(cited.citation, standing_in_words(cited, spoken), cited.url, why=why)


def _relation(value: str, spoken: str) -> str:
    """Why a provision is listed. A relation that this version does not know is shown as recorded."""
    try:
        return named(spoken, "relation", Relation(value))
    except ValueError:
        return value


def _caveats(record: Mapping[str, Any], *, sample: bool) -> Iterator[str]:
    """Caveats without duplicates; the notice of the sample is above the answer."""
    listed: set[str] = set()
    for one in _list(record, "caveats"):
        kind, message = _text(one, "kind"), _line(one, "message")
        wanted = (kind == CaveatKind.SAMPLE.value) is sample and kind != CaveatKind.OUTRANKED.value
        if wanted and message and message not in listed:
            listed.add(message)
            yield message


def _cited(one: Mapping[str, Any]) -> CitedProvision:
    """A provision of a record, with the record's dates."""
    start, end = _day(one, "valid_from"), _day(one, "valid_to")
    if start and end and end < start:
        raise RecordUnreadable(f"the wording of {_line(one, 'citation')} ends before it begins")
    return CitedProvision(
        provision=ProvisionId.parse(_text(one, "provision")),
        citation=_line(one, "citation"),
        url=_address(one),
        text=_text(one, "text"),
        heading=_line(one, "heading"),
        language=_text(one, "language"),
        validity=Validity(start, end),
        authority=0,
        source=_line(one, "source"),
        adopted=_day(one, "adopted"),
        in_force=_day(one, "in_force"),
    )


def _day(data: Mapping[str, Any], name: str) -> date | None:
    text = _text(data, name)
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        raise RecordUnreadable(f"{name} is no date: {text!r}") from None


def _address(data: Mapping[str, Any]) -> str:
    """A web address; "" for anything else."""
    url = _line(data, "url")
    return url if url.startswith(("https://", "http://")) and " " not in url else ""


def _list(data: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    found = data.get(name)
    if found is None:
        return []
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise RecordUnreadable(f"{name} must be a list of objects")
    return found


def _text(data: Mapping[str, Any], name: str) -> str:
    """A text of the record without characters that documents cannot hold; "" where there is none."""
    value = data.get(name)
    return without_unseen(value) if isinstance(value, str) else ""


def _line(data: Mapping[str, Any], name: str) -> str:
    return " ".join(_text(data, name).split())
