"""What the attributes of an element say of its place in time.

In force since `lims:inforce-start-date` of the element or its nearest ancestor; pending where `in-force` is
"no" or the year 9999. The source holds one wording of each provision. An earlier one is taken to have
existed, and to be unavailable, where any of these holds:

- the provision is a tombstone ("[Repealed, …]");
- `lims:id` differs from `lims:fid`: the first names this wording, the second the provision through time;
- the historical note of its section names more than one act;
- it has no `lims:enacted-date` (so it is older than the publisher's own record of changes) and its start
  lies after the day the work was made, or that day is unknown.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache

from lxml import etree

from pykala.law.provisions import Event, ProvisionKind
from pykala.law.validity import ALWAYS, Validity
from pykala.packs.canada.drafts import Draft

LIMS = "{http://justice.gc.ca/lims}"
START = f"{LIMS}inforce-start-date"
END = f"{LIMS}inforce-end-date"
ENACTED = f"{LIMS}enacted-date"
FAMILY = f"{LIMS}fid"
WORDING = f"{LIMS}id"
_NEVER = 9000  # years from here on are the publisher's "not yet"


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
def _validity(start: str | None, end: str | None) -> Validity:
    first, last = parse_date(start), parse_date(end)
    if first == date.max:
        return Validity.pending()
    if first is not None and last is not None and last < first:
        last = first
    return Validity(first, None if last == date.max else last)


@dataclass(frozen=True, slots=True)
class Standing:
    """Since when and until when an element is law, and what is known of earlier wordings."""

    issued: date | None
    validity: Validity = ALWAYS
    start: str | None = None
    end: str | None = None
    event: Event = Event.ENACTED
    history_unavailable: bool = False
    amended_section: bool = False

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
        validity = self.validity if self.validity.is_pending else _validity(start, end)
        if in_force and not validity.is_pending:
            validity = _entering(in_force, validity)
        return Standing(
            self.issued,
            validity,
            start,
            end,
            self._event(revised, parse_date(enacted)),
            self.amended_section or revised or self._older_than_record(validity, enacted),
            self.amended_section,
        )

    def begin(self, parent: Draft, kind: ProvisionKind, step: str) -> Draft:
        """Begin a provision of this standing below another."""
        child = Draft(
            kind,
            step,
            validity=self.validity,
            event=self.event,
            history_unavailable=self.history_unavailable,
        )
        parent.children.append(child)
        return child

    def amended(self) -> Standing:
        """The same for a section, and all below it, whose historical note names several acts."""
        event = Event.AMENDED if self.event is Event.ENACTED else self.event
        return replace(self, event=event, history_unavailable=True, amended_section=True)

    def _event(self, revised: bool, enacted: date | None) -> Event:
        if revised:
            return Event.AMENDED
        if enacted is not None and self.issued is not None and enacted > self.issued:
            return Event.INSERTED
        return Event.AMENDED if self.amended_section else Event.ENACTED

    def _older_than_record(self, validity: Validity, enacted: str | None) -> bool:
        if enacted is not None or validity.start is None or validity.is_pending:
            return False
        return self.issued is None or validity.start > self.issued


@lru_cache(maxsize=4096)
def _entering(in_force: str, validity: Validity) -> Validity:
    if in_force == "no":
        return Validity.pending()
    day = parse_date(in_force)
    if day == date.max:
        return Validity.pending()
    if day is not None and validity.start is not None and validity.start < day and validity.end is None:
        return Validity(day)
    return validity
