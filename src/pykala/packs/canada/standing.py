"""The dates of an element, from its attributes.

An element is in force since `lims:inforce-start-date` of the element or its nearest ancestor; it is pending
where `in-force` is "no" or the year is 9999. The source has one wording of each provision. An earlier wording
is assumed to have existed, and to be unavailable, if any of these is true:

- the provision is a tombstone ("[Repealed, …]");
- `lims:id` differs from `lims:fid`: the first names this wording, the second the provision through time;
- the historical note of its section names more than one act (a regulation's note names only amending acts:
  there one is enough, unless `lims:enacted-date` says that the provision was inserted);
- it has no `lims:enacted-date` (so it is older than the publisher's own record of changes) and its start is
  after the day the work was made, or that day is unknown; except for a section of the body without a
  historical note, in a work made after the publisher's record began: it was never amended.

A section of an act with a decimal number whose note names one later act, and that has no `lims:enacted-date`,
was added by that act ("10.1 … 2015, c. 32, s. 10"): what was amended names its own act first. It had no
earlier wording.

`lims:inforce-end-date` does not end it. 44 regulations have this date, 2019-09-18, on all their elements,
without a tombstone: rules of court under section 482 of the Criminal Code. The day after, 2019, c. 25, s. 186
came into force. The publisher still lists these rules as current but no longer follows their changes. (A 45th
regulation has the date on a coming-into-force section that was spent on its first day.) The text stays, with
a finding.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache

from lxml import etree

from pykala.law.messages import Message
from pykala.law.provisions import Event, ProvisionKind
from pykala.law.validity import ALWAYS, Validity
from pykala.packs.canada.drafts import Draft

LIMS = "{http://justice.gc.ca/lims}"
START = f"{LIMS}inforce-start-date"
END = f"{LIMS}inforce-end-date"
ENACTED = f"{LIMS}enacted-date"
FAMILY = f"{LIMS}fid"
WORDING = f"{LIMS}id"
#: The first days of the publisher's record: texts that were in force then have one of these as their start.
RECORD_OF_ACTS, RECORD_OF_REGULATIONS = date(2003, 1, 1), date(2006, 3, 22)


#: "2015, c. 32, s. 10": an act, not a chapter of the Revised Statutes.
_CHAPTER = re.compile(r"(?P<year>\d{4}), ch?\. \d+")
_DECIMAL = re.compile(r"\d+(?:\.\d+)+")


@lru_cache(maxsize=16_384)
def parse_date(text: str | None) -> date | None:
    """A date as the source writes it ("2018-08-12"), or None; the year 9999 reads as the last of days."""
    if not text:
        return None
    if "9999" in text:
        return date.max
    try:
        return date.fromisoformat(text.strip()[:10])
    except ValueError:
        return None


@lru_cache(maxsize=16_384)
def _validity(start: str | None) -> Validity:
    first = parse_date(start)
    return Validity.pending() if first == date.max else Validity(first)


@lru_cache(maxsize=4096)
def _findings(end: str | None) -> tuple[Message, ...]:
    last = parse_date(end)
    if last is None or last == date.max:
        return ()
    return (Message.of("finding.record_ends", day=last),)


@dataclass(frozen=True, slots=True)
class Standing:
    """The dates of an element: in force since, followed by its publisher until, and its earlier wordings."""

    issued: date | None
    validity: Validity = ALWAYS
    start: str | None = None
    end: str | None = None
    event: Event = Event.ENACTED
    history_unavailable: bool = False
    amended_section: bool = False
    unnoted_section: bool = False
    regulation: bool = False
    added: date | None = None  # the day on which a later act added the section

    def of(self, element: etree._Element) -> Standing:
        """The standing of an element that lies below one with this standing."""
        in_force = element.get("in-force")
        family, own_start = element.get(FAMILY), element.get(START)
        if own_start is None and family is None and in_force is None:
            return self
        start, end = own_start or self.start, element.get(END) or self.end
        revised = family != element.get(WORDING)
        enacted = element.get(ENACTED)
        if start == self.start and end == self.end and not (in_force or revised or enacted):
            return self
        validity = self.validity if self.validity.is_pending else _validity(start)
        if in_force and not validity.is_pending:
            validity = _entering(in_force, validity)
        return Standing(
            self.issued,
            validity,
            start,
            end,
            Event.INSERTED
            if self._is_added(validity) and not revised
            else self._event(revised, parse_date(enacted)),
            self.amended_section or revised or self._older_than_record(validity, enacted),
            self.amended_section,
            self.unnoted_section,
            self.regulation,
            self.added,
        )

    def begin(self, parent: Draft, kind: ProvisionKind, step: str) -> Draft:
        """Begin a provision with these dates below another."""
        child = Draft(
            kind,
            step,
            validity=self.validity,
            event=self.event,
            history_unavailable=self.history_unavailable,
            findings=_findings(self.end),
        )
        parent.children.append(child)
        return child

    def with_history(self, section: etree._Element, *, in_body: bool) -> Standing:
        """The same for a section, and all below it, after a look at its historical notes."""
        note = section.find("HistoricalNote")
        if note is not None:
            acts = sum((item.text or "").count(";") + 1 for item in note)
            amended = acts > 1 or (self.regulation and acts and section.get(ENACTED) is None)
            if acts == 1 and not self.regulation and self._was_added(section, note):
                return replace(
                    self, event=Event.INSERTED, history_unavailable=False, added=self.validity.start
                )
            return self._amended() if amended else self
        # The notes of a schedule stand at its end, not in its sections.
        if not in_body or next(section.iter("HistoricalNote"), None) is not None:
            return self
        unavailable = self.history_unavailable and not self._made_on_record()
        revised = section.get(FAMILY) != section.get(WORDING)
        return replace(self, unnoted_section=True, history_unavailable=unavailable or revised)

    def _was_added(self, section: etree._Element, note: etree._Element) -> bool:
        """Whether a section was added to its act by the one act that its note names."""
        if section.get(ENACTED) is not None or section.get(FAMILY) != section.get(WORDING):
            return False
        label, named = section.find("Label"), _CHAPTER.match("".join(map(str, note.itertext())).strip())
        numbered = label is not None and _DECIMAL.fullmatch((label.text or "").strip()) is not None
        later = named is not None and (self.issued is None or int(named["year"]) > self.issued.year)
        start = self.validity.start
        # Text that stood when the record began may have been added, or amended, at any time before.
        recorded = start is not None and start > RECORD_OF_ACTS and not self.validity.is_pending
        return numbered and later and recorded

    def _is_added(self, validity: Validity) -> bool:
        return self.added is not None and validity.start == self.added

    def _amended(self) -> Standing:
        event = Event.AMENDED if self.event is Event.ENACTED else self.event
        return replace(self, event=event, history_unavailable=True, amended_section=True)

    def _event(self, revised: bool, enacted: date | None) -> Event:
        if revised:
            return Event.AMENDED
        if enacted is not None and self.issued is not None and enacted > self.issued:
            return Event.INSERTED
        return Event.AMENDED if self.amended_section else Event.ENACTED

    def _older_than_record(self, validity: Validity, enacted: str | None) -> bool:
        if enacted is not None or validity.start is None or validity.is_pending or self._is_added(validity):
            return False
        if self.unnoted_section and self._made_on_record():
            return False
        return self.issued is None or validity.start > self.issued

    def _made_on_record(self) -> bool:
        record = RECORD_OF_REGULATIONS if self.regulation else RECORD_OF_ACTS
        return self.issued is not None and self.issued > record


@lru_cache(maxsize=4096)
def _entering(in_force: str, validity: Validity) -> Validity:
    if in_force == "no":
        return Validity.pending()
    day = parse_date(in_force)
    if day == date.max:
        return Validity.pending()
    if day is not None and validity.start is not None and validity.start < day:
        return Validity(day)
    return validity
