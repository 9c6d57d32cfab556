"""The days of an amending act and of its single provisions, as its commencement provision states them.

"Tämä laki tulee voimaan 1 päivänä tammikuuta 2021. Lain 64 a § on voimassa 31 päivään joulukuuta 2025 ja 72 a
§:n 4 momentti 31 päivään joulukuuta 2022. Lain 58 §:n 1 momenttia sovelletaan ensimmäisen kerran …"
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from pykala.law.identifiers import Step
from pykala.law.provisions import Document, ProvisionKind
from pykala.law.validity import Validity
from pykala.packs.finland.amendments.applied_days import applied_from, is_of_the_whole
from pykala.packs.finland.amendments.enacting_clause import read_places
from pykala.packs.finland.commencement import day_after, interval, read_commencement, written_day
from pykala.text.sentences import sentences

_LANGUAGES = {"fi", "sv"}
_DAY = re.compile(
    r"\d{1,2}\.? päivä(?:nä|än|stä) \w+kuu(?:ta|n) \d{4}"
    r"|(?:den )?\d{1,2} (?:januari|februari|mars|april|maj|juni|juli|augusti|september|oktober|november"
    r"|december) \d{4}|\d{1,2}\.\d{1,2}\.\d{4}|vuoden \d{4} loppuun"
    r"|utgången av (?:år )?\d{4}"
)
_WHOLE_YEAR = re.compile(r"(?:vuoden|utgången av(?: år)?) (\d{4})")
#: A sentence about parts of the act, not about all of it.
_OF_PARTS = {
    "fi": re.compile(r"(?:Tämän )?(?:[Ll]ain|[Aa]setuksen|[Pp]äätöksen|Sen) (?=\S* ?\d|[IVX]+ osan|liit)"),
    "sv": re.compile(r"(?:Lagens|Förordningens|Beslutets|Bestämmelserna i|Denna lags) (?=\d)"),
}
_STARTS = re.compile(r"\bvoimaan\b|i\s?kraft\b")
_ENDS = re.compile(r"\bvoimassa\b|\bgäller\b|är (?:dock )?i kraft (?:till|t\.o\.m)")
_BY_DECREE = re.compile(
    r"voimaantulosta säädetään|asetuksella säädettävänä|utfärdas genom förordning|föreskrivs genom"
)
_APPLIED = re.compile(r"\bsovelletaan\b|\btillämpas\b")
#: "5 §:n ja 7 §:n 2 momentin voimaantulosta säädetään": the last genitive of each is the place.
_GENITIVE = tuple(
    (re.compile(rf"{genitive}(?=\s*(?:,|\bja\b|\bsekä\b|$))"), nominative)
    for genitive, nominative in (("§:n", "§"), (r"\bmomentin", "momentti"), (r"\bkohdan", "kohta"))
)
#: "58 §:n 1 momenttia sovelletaan": the place in the partitive is named as in the nominative.
PARTITIVE = ((re.compile(r"§:(?:ää|ä|iä)\b"), "§"), (re.compile(r"\bmomenttia\b"), "momentti"),
              (re.compile(r"\bkohtaa\b"), "kohta"))  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Part:
    """Days or application of some places; `bare` are momentti named without their section."""

    places: tuple[tuple[Step, ...], ...]
    bare: bool = False
    start: date | None = None
    end: date | None = None
    pending: bool = False
    application: str = ""
    applied: date | None = None  # first day of application, if that is not the entry into force

    def covers(self, path: Sequence[Step], only_section: str) -> bool:
        """Whether one of the places holds a target."""
        if self.bare and not only_section:
            return False
        lead = (Step("sec", only_section),) if self.bare else ()
        return any(_holds((*lead, *place), path) for place in self.places)


@dataclass(frozen=True, slots=True)
class Days:
    """When an amending act's provisions are in force, and what it says of their application."""

    whole: Validity
    general: str
    parts: tuple[_Part, ...] = ()
    applied: date | None = None  # first day of application of the whole act, if stated

    @classmethod
    def of(cls, document: Document) -> Days:
        """Read an amending act's commencement provision."""
        prose = "\n".join(
            version.text
            for child in document.root.children
            if child.kind is ProvisionKind.ENTRY_INTO_FORCE
            for node in child.walk()
            for version in node.versions[-1:]
        )
        own = document.root.versions[-1] if document.root.versions else None
        if document.language not in _LANGUAGES:
            return cls(own.validity if own else Validity.pending(), "")
        read = read_commencement(" ".join(prose.split()), document.language)
        validity = own.validity if own is not None and own.validity.start is not None else read.validity
        parts = tuple(_parts(prose, document.language))
        general = (own.application if own is not None else "") or read.application
        for part in parts:
            general = general.replace(part.application, "").strip() if part.application else general
        applied = _whole_applied(prose, document.language)
        return cls(validity or Validity.pending(), general, parts, applied)

    def validity(self, path: Sequence[Step], only_section: str, *, temporary: bool = False) -> Validity:
        """The days of one target; if the clause calls it temporary, it ends with its section, if stated."""
        found = self.whole
        for part in self.parts:
            if part.application or not part.covers(path, only_section):
                continue
            if part.pending:
                found = Validity.pending()
            else:
                start = part.start or (None if found.is_pending else found.start)
                found = interval(start, part.end or found.end) if start else found
        if temporary and found.end is None and found.start is not None and not found.is_pending:
            section = next((step for step in path if step.kind == "sec"), None)
            ends = {part.end for part in self.parts for place in part.places if part.end and section in place}
            return interval(found.start, ends.pop()) if len(ends) == 1 else found
        return found

    def applied_from(self, path: Sequence[Step], only_section: str) -> date | None:
        """The first day of application of one target: of its own place, else of the act; None: not stated."""
        own = [part.applied for part in self.parts if part.applied and part.covers(path, only_section)]
        return own[-1] if own else self.applied

    def application(self, path: Sequence[Step], only_section: str) -> str:
        """The words on application of one target: of its own place, else of the act."""
        own = [
            part.application for part in self.parts if part.application and part.covers(path, only_section)
        ]
        return " ".join(own) or self.general


def _parts(prose: str, language: str) -> Iterator[_Part]:
    for start, end in sentences(prose):
        sentence = " ".join(prose[start:end].split())
        subject = _OF_PARTS[language].match(sentence)
        if subject is None:
            continue
        applied = _APPLIED.search(sentence)
        if applied is not None and not _DAY.search(sentence[: applied.start()]):
            yield from _applied(sentence, subject.end(), language)
        else:
            yield from _dated(sentence, subject.end(), language)


def _whole_applied(prose: str, language: str) -> date | None:
    told = [" ".join(prose[start:end].split()) for start, end in sentences(prose)]
    days = [applied_from(one, language) for one in told if is_of_the_whole(one, language)]
    return next((day for day in days if day is not None), None)


def _dated(sentence: str, at: int, language: str) -> Iterator[_Part]:
    """Place after place with its day: "64 a § … 31 päivään joulukuuta 2025 ja 72 a §:n 4 momentti …"."""
    if decree := _BY_DECREE.search(sentence):
        words = sentence[at : decree.start()]
        for pattern, nominative in _GENITIVE:
            words = pattern.sub(nominative, words)
        yield _Part(*_places(words, language), pending=True)
        return
    places: tuple[tuple[Step, ...], ...] = ()
    bare, ends = False, False
    for day in _DAY.finditer(sentence, at):
        words = sentence[at : day.start()]
        named, is_bare = _places(words, language)
        if named:
            places, bare = named, is_bare
        ends = bool(_ENDS.search(words)) or (ends and not _STARTS.search(words))
        at = day.end()
        if not places:
            continue
        if ends:
            yield _Part(places, bare, end=_after(day[0]))
        elif first := written_day(day[0]):
            yield _Part(places, bare, start=first)


def _after(text: str) -> date | None:
    whole = _WHOLE_YEAR.search(text)
    last = date(int(whole[1]), 12, 31) if whole else written_day(text)
    return day_after(last) if last else None


def _applied(sentence: str, at: int, language: str) -> Iterator[_Part]:
    verb = _APPLIED.search(sentence)
    assert verb is not None
    words = sentence[at : verb.start()]
    for pattern, nominative in PARTITIVE:
        words = pattern.sub(nominative, words)
    places, bare = _places(words, language)
    if places:
        yield _Part(places, bare, application=sentence, applied=applied_from(sentence, language))


def _places(words: str, language: str) -> tuple[tuple[tuple[Step, ...], ...], bool]:
    found = tuple(one.path for one in read_places(words, language) if one.path)
    if found or not re.search(r"moment|\bmom\.", words):
        return found, False
    # "Lain 1 ja 3 momentti": of the one section that the act changes.
    lead = "1 §:n " if language == "fi" else "1 § "
    return tuple(one.path[1:] for one in read_places(lead + words, language) if len(one.path) > 1), True


def _holds(place: Sequence[Step], path: Sequence[Step]) -> bool:
    steps = iter(path)
    return bool(place) and all(any(step == wanted for step in steps) for wanted in place)


def applied_days(
    validity: Validity, applied: date | None, *, temporary: bool
) -> tuple[Validity, date | None]:
    """The days of words whose application differs from their entry into force, and that day.

    Temporary words keep their days: these already say how long they are law.
    """
    entered = validity.start
    if applied is None or entered is None or validity.is_pending or temporary or validity.end is not None:
        return validity, None
    return (Validity(applied), entered) if applied != entered else (validity, None)
