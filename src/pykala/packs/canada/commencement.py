"""The beginning and end of a Canadian instrument, in its own words.

"These Regulations come into force on January 1, 2025": but the publisher dates the regulation by its
registration, in 2023. "These Regulations cease to be in force on December 31, 2013": but the publisher still
lists it. The note beside a section ("[Note: Act in force June 1, 1986, see SI/86-70.]") gives the day fixed
by an order.

By section 6(1) of the Interpretation Act, an enactment that ceases to have effect "on" a day does so at the
beginning of the next day.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, timedelta

from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import Event, Provision, ProvisionKind, Version
from pykala.law.validity import Validity
from pykala.packs.canada.ended import is_tombstone
from pykala.packs.canada.relative_days import counted_from_beginning, counted_from_making
from pykala.packs.canada.standing import RECORD_OF_ACTS, RECORD_OF_REGULATIONS

_MONTHS = {
    "January": 1, "February": 2, "March": 3, "April": 4, "May": 5, "June": 6, "July": 7, "August": 8,
    "September": 9, "October": 10, "November": 11, "December": 12,
}  # fmt: skip
_NAMED = "|".join(_MONTHS)
_DAY = (
    rf"(?:(?P<month>{_NAMED}) (?P<day>\d{{1,2}}), (?P<year>\d{{4}})"
    rf"|the (?P<day2>\d{{1,2}}) ?(?:st|nd|rd|th) day of (?P<month2>{_NAMED}),? (?P<year2>\d{{4}}))"
)
_DATE = re.compile(_DAY)
_WHOLE = (
    r"(?:(?:The )?provisions of )?(?:[Tt]his|[Tt]hese) (?:Act|Regulations?|Order|Rules?|By-laws?|Tariff"
    r"|Proclamation|Notice|Directions?|Directive|Schedule|Approval|Authority|Instructions?|Guidelines)"
)
_LIST = r"(?P<parts>(?:sub)?(?:section|paragraph)s? [\d().a-z, ]+?(?:(?: and | to |, )[\d().a-z, ]+?)*)"
_BUT = rf"(?:,? (?:except|other than|with the exception of|excluding)(?: for)? {_LIST},?)?"
_COMES = re.compile(
    rf"(?:^|\. |, )(?:Subject to [^,]{{1,60}}, )?{_WHOLE}(?: or any (?:of its )?provisions?(?: thereof)?)?"
    rf"{_BUT},?"
    r" (?:shall )?(?:comes?|(?:is|are) deemed to have come) into (?:force|effect|operation)"
    r"(?P<when>[^.]*)"
)
_PARTS_COME = re.compile(
    r",? (?:shall )?(?:comes?|(?:is|are) deemed to have come) into (?:force|effect)(?P<when> on [^.;]*)"
)
_PARTS = re.compile(r"(?:Subject to [^,]{1,60}, )?(?P<parts>(?:Sub)?[Ss]ections? \d.*)$")
_NAMED_PART = re.compile(
    r"(?P<level>(?:sub)?sections?|(?:sub)?paragraphs?|Schedules?|Parts?|items?)\b|(?P<to>\bto\b)"
    r"|(?P<number>\d+(?:\.\d+)*)(?P<within> ?\()?",
    re.I,
)
_NOTE = re.compile(
    rf"\[Note ?: (?:[^\]]*?; ?)?(?:Act|Regulations?|Order|Rules?|By-laws?|Proclamation){_BUT},?"
    rf"(?: are| is)? in force(?: on| on assent)? {_DAY}"
)
_CEASES = re.compile(
    r"(?:shall )?(?:ceases? to (?:have effect|be in force|apply)|expires?)"
    rf"(?: on)?(?P<earlier> the earlier of)?(?P<clock> at [\d:]+(?: ?[ap]\.m\.)?,?)?(?: on)? {_DAY}"
)
_REPEALED = re.compile(rf" (?:is|are) repealed on {_DAY}")
_ENDS_LATER = re.compile(
    r" (?P<how>(?:is|are) repealed|(?:shall )?ceases? to (?:have effect|be in force|apply)|expires?) on"
    r" (?P<when>the \w+ anniversary [^.;]{1,90})"
)
_CEASES_WHOLE = re.compile(rf"^(?:Subject to [^,]{{1,60}}, )?{_WHOLE}{_BUT},? $")
_CEASES_HERE = re.compile(
    r"^(?:Subject to [^,]{1,60}, )?[Tt]his (?P<level>section|Part|Division|subsection) $"
)
_CEASES_PARTS = re.compile(r"^(?P<parts>Sections? [\d., ]+(?:(?: and | to )[\d., ]+)*) $")
_REGISTERED = re.compile(
    r"(?:day|date) (?:on which|that) (?:they are|it is|these \w+ are|this \w+ is) registered"
)
_LATER = re.compile(r"registered after that day|on the later of")
_ASSENT = re.compile(
    r"^ on (?:(?P<after>the day immediately after )?the day (?:on which (?:it|this Act) (?:is assented to"
    r"|receives royal assent)|of (?:royal )?assent)|assent)"
)
_ON = re.compile(rf"^,? (?:on|as of|effective) {_DAY}")
_LEVELS = {"Part": ProvisionKind.PART, "Division": ProvisionKind.DIVISION, "section": ProvisionKind.SECTION}
_FIRST_OF_RECORD = frozenset({RECORD_OF_ACTS - timedelta(days=1), RECORD_OF_ACTS, RECORD_OF_REGULATIONS})
_NUMBER = re.compile(r"\d+(?:\.\d+)*")
_RANGE = re.compile(r"(?<!\d)(\d{1,6}(?:\.\d{1,6}){0,6}) to (\d{1,6}(?:\.\d{1,6}){0,6})")


_SUBJECT = 120  # characters that say what ends
_NAMED_PARTS = 500  # characters that say which sections begin
_TELLING = ("into ", "in force", "cease", "expire", "repealed on")
_LONGEST_RANGE = 500  # sections
_LONGEST = 2_000  # characters of a sentence on coming into force, with all that it excepts


@dataclass(frozen=True, slots=True)
class Commencement:
    """When an instrument begins and ends by its own words; sections with days of their own."""

    comes: date | None = None
    ceases: date | None = None  # the first day on which it is no longer in force
    parts: Mapping[str, date] = field(default_factory=dict)  # number of a section → its first day
    apart: frozenset[str] = frozenset()  # sections that do not begin with the others
    lasting: frozenset[str] = frozenset()  # sections that do not end with the others
    ended: Mapping[ProvisionId, date] = field(default_factory=dict)  # places that end alone
    told_in: ProvisionId | None = None  # the section that tells the end of the whole

    def begins(self, section: str) -> date | None:
        """The first day of a section by the words of its instrument."""
        return self.parts.get(section) or (None if section in self.apart else self.comes)


def read_commencement(root: Provision, issued: date | None) -> Commencement:
    """Read the sections of an English body that speak of its beginning and end."""
    comes: date | None = None
    noted: date | None = None
    ceases: date | None = None
    told_in: ProvisionId | None = None
    parts: dict[str, date] = {}
    apart: set[str] = set()
    lasting: set[str] = set()
    ended: dict[ProvisionId, date] = {}
    numbers = [one.id.path[-1].number for chain in _sections(root, ()) for one in chain[-1:]]
    for chain in _sections(root, ()):
        for text in _texts(chain[-1]):
            if (found := _COMES.search(text)) is not None:
                comes = comes or _comes(found["when"], issued)
                apart |= _numbers(found["parts"] or "", numbers)
            if (found := _NOTE.search(text)) is not None:
                noted = noted or _day(found)
                apart |= _numbers(found["parts"] or "", numbers)
            own, others = _own_days(text, numbers, issued)
            parts |= own
            apart |= others
            for subject, found in _endings(text):
                end = _end(found)
                if end is None:
                    continue
                if (whole := _CEASES_WHOLE.match(subject)) is not None:
                    ceases, told_in = ceases or end, told_in or chain[-1].id
                    lasting |= _numbers(whole["parts"] or "", numbers)
                elif (here := _CEASES_HERE.match(subject)) is not None:
                    kind = _LEVELS.get(here["level"])
                    ended |= {one.id: end for one in [p for p in chain if p.kind is kind][-1:]}
                elif (named := _CEASES_PARTS.match(subject)) is not None:
                    wanted = _numbers(named["parts"], numbers)
                    ended |= {
                        one[-1].id: end for one in _sections(root, ()) if one[-1].id.path[-1].number in wanted
                    }
    comes = noted or comes
    if ceases is None:
        ceases, told_in = _ends_later(root, comes)
    return Commencement(comes, ceases, parts, frozenset(apart), frozenset(lasting), ended, told_in)


def _own_days(text: str, numbers: list[str], issued: date | None) -> tuple[dict[str, date], set[str]]:
    """Sections with a day of their own, and all that do not begin with the others."""
    days: dict[str, date] = {}
    apart: set[str] = set()  # also those whose day is that of an event
    for subject, found in _verbs(text, _PARTS_COME, _NAMED_PARTS):
        if (named := _PARTS.match(subject)) is not None:
            day, sections = _comes(found["when"], issued), _whole_sections(named["parts"], numbers)
            days |= dict.fromkeys(sections, day) if day else {}
            apart |= _numbers(named["parts"], numbers)
    return days, apart


def _ends_later(root: Provision, comes: date | None) -> tuple[date | None, ProvisionId | None]:
    """The end of an instrument that names a day of repeal, or counts its end from its first day."""
    for chain in _sections(root, ()):
        for text in _texts(chain[-1]):
            for subject, found in (*_verbs(text, _REPEALED), *_verbs(text, _ENDS_LATER)):
                if not _CEASES_WHOLE.match(f"{subject} "):
                    continue
                told = found.groupdict()
                if not told.get("when"):
                    return _day(found), chain[-1].id
                last = counted_from_beginning(told["when"], comes)
                # What is repealed on a day ends with its first moment, what ceases on it with its last.
                after = timedelta(days=0 if "repealed" in told["how"] else 1)
                return (last + after, chain[-1].id) if last is not None else (None, None)
    return None, None


def _sections(provision: Provision, above: tuple[Provision, ...]) -> Iterator[tuple[Provision, ...]]:
    """The sections of the body, each with what is above it; schedules are left out."""
    if provision.kind in (ProvisionKind.SCHEDULE, ProvisionKind.RELATED_PROVISION, ProvisionKind.TREATY):
        return
    chain = (*above, provision)
    if provision.kind is ProvisionKind.SECTION:
        yield chain
        return
    for child in provision.children:
        yield from _sections(child, chain)


def _texts(section: Provision) -> Iterator[str]:
    for node in section.walk():
        text = node.versions[-1].text if node.versions else ""
        if len(text) < _LONGEST and any(word in text for word in _TELLING):
            yield text


def _endings(text: str) -> Iterator[tuple[str, re.Match[str]]]:
    """Each verb that ends something, with the words of its sentence before it.

    The verb is searched first: a pattern that begins with the words before it would be tried at every letter.
    """
    return _verbs(text, _CEASES)


def _verbs(text: str, verb: re.Pattern[str], longest: int = _SUBJECT) -> Iterator[tuple[str, re.Match[str]]]:
    read = 0
    for found in verb.finditer(text):
        before = text[max(read, found.start() - longest) : found.start()]
        yield re.split(r"[.;](?=\s)", before)[-1].lstrip(), found
        read = found.end()


def _comes(when: str, issued: date | None) -> date | None:
    counted = counted_from_making(when.removeprefix(" ").removeprefix("on "), issued)
    if counted is not None:
        return counted
    if (assented := _ASSENT.search(when)) is not None:
        return issued + timedelta(days=1) if issued and assented["after"] else issued
    written = _ON.search(when)
    registered = _REGISTERED.search(when)
    if written is not None and (registered is None or _LATER.search(when)):
        day = _day(written)
        return max(day, issued) if day and issued and registered else day
    if registered is not None and _LATER.search(when) is None:
        return (
            issued
            if when.lstrip().startswith("on ") and " section " not in when[: registered.start()]
            else None
        )
    if registered is not None and when.lstrip().startswith("on the later of"):
        found = _DATE.search(when)
        day = _day(found) if found else None
        return max(day, issued) if day and issued else None
    return None


def _end(found: re.Match[str]) -> date | None:
    day = _day(found)
    # "at 00:00:03, April 1, 2004": a regulation for the first seconds of a day.
    return day if day is None or found["clock"] else day + timedelta(days=1)


def _day(found: re.Match[str]) -> date | None:
    month, day, year = (found[name] or found[f"{name}2"] for name in ("month", "day", "year"))
    try:
        return date(int(year), _MONTHS[month], int(day))
    except ValueError:
        return None


def _numbers(words: str, numbers: list[str]) -> set[str]:
    """The sections that a list names; of "subsections 1(1), 3(3)" the sections that they are in."""
    words = re.sub(r"\([^)]*\)", "", words)
    named = set(_NUMBER.findall(words))
    for first, last in _RANGE.findall(words):
        if first in numbers and last in numbers:
            named |= set(numbers[numbers.index(first) : numbers.index(last) + 1])
    return named


def _whole_sections(words: str, numbers: list[str]) -> set[str]:
    """The sections that a list names whole: of "sections 9 and 12, subsection 13(1)" the first two."""
    named: set[str] = set()
    level, last, ranging = "", "", False
    for piece in _NAMED_PART.finditer(words):
        if piece["level"]:
            level, last, ranging = piece["level"].casefold().rstrip("s"), "", False
        elif piece["to"]:
            ranging = bool(last)
        elif level == "section" and not piece["within"]:
            named |= _between(last, piece["number"], numbers) if ranging else {piece["number"]}
            last, ranging = piece["number"], False
        else:
            last, ranging = "", False
    return named


def _between(first: str, last: str, numbers: list[str]) -> set[str]:
    """The numbers of a range; amending sections are not in the text that the publisher prints."""
    if first in numbers and last in numbers:
        return {first, *numbers[numbers.index(first) : numbers.index(last) + 1]}
    if first.isdigit() and last.isdigit() and 0 < int(last) - int(first) < _LONGEST_RANGE:
        return {str(number) for number in range(int(first), int(last) + 1)}
    return {first, last}


def commenced(root: Provision, told: Commencement, issued: date | None) -> Provision:
    """The tree with the dates that its words state; a section amended since keeps the day of its change."""
    if told == Commencement():
        return root
    return _dated(root, told, issued, None, None)


def _dated(
    provision: Provision, told: Commencement, issued: date | None, begins: date | None, ends: date | None
) -> Provision:
    if provision.kind is ProvisionKind.SECTION and provision.id.path:
        number = provision.id.path[-1].number
        begins = told.parts.get(number) or (None if number in told.apart else told.comes)
        ends = None if number in told.lasting else told.ceases
    elif provision.kind in (ProvisionKind.SCHEDULE, ProvisionKind.HEADING, ProvisionKind.PART):
        begins, ends = begins or told.comes, ends or told.ceases
    elif provision.kind in (ProvisionKind.ENACTING_CLAUSE, ProvisionKind.PREAMBLE) and not told.lasting:
        ends = told.ceases
    ends = min((day for day in (ends, told.ended.get(provision.id)) if day is not None), default=None)
    children = tuple(_dated(child, told, issued, begins, ends) for child in provision.children)
    versions = tuple(_bounded(version, issued, begins, ends) for version in provision.versions)
    return replace(
        provision, versions=versions if provision.id.path else provision.versions, children=children
    )


def is_ahead(begins: date, observed_at: date | None) -> bool:
    """Whether a text listed by its publisher as not in force only waits for the day that it names."""
    return observed_at is not None and begins > observed_at


def _bounded(version: Version, issued: date | None, begins: date | None, ends: date | None) -> Version:
    start, end = version.validity.start, version.validity.end
    if version.validity.is_pending and begins and is_ahead(begins, version.observed_at):
        return replace(version, validity=Validity(begins, ends))
    if version.validity.is_pending or version.event is Event.REPEALED or is_tombstone(version.text):
        return version
    # A regulation as made, dated by its registration: its own words on coming into force count.
    as_made = start is not None and start == issued and version.event is Event.ENACTED
    # And nothing began before its act, even if the publisher's record begins earlier.
    too_early = start in _FIRST_OF_RECORD and begins is not None and start is not None and begins > start
    if begins is not None and (as_made or too_early):
        start = begins
    as_recorded = start in _FIRST_OF_RECORD or version.event is Event.ENACTED
    if ends is not None and start is not None and ends <= start and as_recorded:
        # It had ended before its publisher's record began: SOR/2004-69 was in force for two seconds of April
        # 1, 2004.
        start = None
    if ends is not None and (start is None or start < ends) and (end is None or end > ends):
        end = ends
    return replace(version, validity=Validity(start, end))
