"""History notes: which local law or chapter of the state's laws changed a section, when, and since when.

"(Am. L.L. 2019/157, 8/23/2019, eff. 11/21/2019; Am. L.L. 2021/024, 2/28/2021, retro. eff. 1/1/2021)": the
first date is that of enactment. A retroactive law is in force from its enactment; how far it reaches back is
stored separately, as its application.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from pykala.law.identifiers import WorkId
from pykala.law.provisions import Event
from pykala.law.references import EdgeKind
from pykala.law.validity import ALWAYS, Validity

_DATE = r"(\d{1,2})/(\d{1,2})/(\d{4})"
_CHANGE = re.compile(
    r"(?:(?P<verb>Am|Amended|Added|Repealed|Rep|Renumbered|Ren|Redesignated)\.?,? )?"
    r"(?P<act>L\.L\. ?(?P<year>\d{4})/(?P<number>\d+)"
    r"|(?P<session>\d{4}) N\.Y\. Laws [Cc]h\. ?(?P<chapter>\d+)"
    r"|L\. ?(?P<session2>\d{4}),? [Cc]h\. ?(?P<chapter2>\d+))(?P<rest>[^;]*)"
)
_ENACTED = re.compile(rf",\s*{_DATE}")
_EFFECT = re.compile(
    rf"(?P<retro>retro\.? )?eff\. ?{_DATE}(?: and (?P<again_retro>retro\. )?(?:eff\. )?{_DATE})?"
)
_EVENTS = {
    "Am": Event.AMENDED,
    "Amended": Event.AMENDED,
    "Added": Event.INSERTED,
    "Repealed": Event.REPEALED,
    "Rep": Event.REPEALED,
    "Renumbered": Event.RENUMBERED,
    "Ren": Event.RENUMBERED,
    "Redesignated": Event.RENUMBERED,
}
EDGES = {Event.INSERTED: EdgeKind.INSERTS, Event.REPEALED: EdgeKind.REPEALS}


@dataclass(frozen=True, slots=True)
class Change:
    """One entry of a note, with where its act is named in the note's text."""

    event: Event
    act: WorkId
    start: int
    end: int
    enacted: date | None = None
    effective: date | None = None  # None where the note only says how far it reaches back
    retroactive_to: date | None = None
    later: date | None = None  # "eff. 7/1/2019 and 7/1/2020": some of it takes effect later

    @property
    def in_force_from(self) -> date | None:
        """Since when the text is in force: a retroactive text since its enactment."""
        return self.effective or self.enacted or self.retroactive_to

    @property
    def application(self) -> str:
        """The period to which the change applies, as the note states it beside the entry into force."""
        parts = []
        if self.retroactive_to:
            parts.append(f"applies retroactively from {self.retroactive_to.isoformat()}")
        if self.later:
            parts.append(f"in part in force from {self.later.isoformat()}")
        return "; ".join(parts)


@dataclass(frozen=True, slots=True)
class Standing:
    """The facts that the notes give about the present wording."""

    validity: Validity = ALWAYS
    event: Event = Event.ENACTED
    source_act: WorkId | None = None
    application: str = ""
    history_unavailable: bool = False


def changes(note: str) -> list[Change]:
    """The changes that a history note lists, in its order."""
    found = []
    for match in _CHANGE.finditer(note):
        rest = match["rest"]
        enacted = _ENACTED.match(rest[rest.find(",") :] if "," in rest else "") or _ENACTED.search(rest)
        effect = _EFFECT.search(rest)
        event = _EVENTS.get(match["verb"] or "", Event.INSERTED)
        first, second = _dates(effect) if effect else (None, None)
        retro = bool(effect and effect["retro"])
        found.append(
            Change(
                event,
                _act(match),
                match.start("act"),
                match.end("act"),
                _date(enacted.groups()[:3]) if enacted else None,
                # "retro. eff. 1/1/2015 and eff. 4/1/2015": the second day is that of entry into force.
                second if retro else first,
                first if retro else None,
                None if retro else second,
            )
        )
    return found


def standing(notes: Sequence[Sequence[Change]]) -> Standing:
    """The dates of the present wording: since its newest change; older changes show earlier wordings."""
    every = [change for note in notes for change in note]
    dated = [change for change in every if change.in_force_from]
    if not dated:
        return Standing()
    newest = max(dated, key=lambda change: (change.in_force_from or date.min, change.enacted or date.min))
    return Standing(
        Validity(newest.in_force_from),
        newest.event,
        newest.act,
        newest.application,
        len(every) > 1 or newest.event is not Event.INSERTED,
    )


def _act(match: re.Match[str]) -> WorkId:
    if match["year"]:
        return local_law(match["year"], match["number"])
    year, chapter = match["session"] or match["session2"], match["chapter"] or match["chapter2"]
    return WorkId(f"ny:laws:{year}/{int(chapter)}")


def local_law(year: str, number: str) -> WorkId:
    """The identifier of a local law of the city: L.L. 2021/080 is local law 80 of 2021."""
    return WorkId(f"nyc:ll:{year}/{int(number)}")


def _dates(effect: re.Match[str]) -> tuple[date | None, date | None]:
    groups = effect.groups()
    return _date(groups[1:4]), _date(groups[5:8])


def _date(parts: Sequence[str | None]) -> date | None:
    if not all(parts):
        return None
    month, day, year = (int(part) for part in parts if part)
    try:
        return date(year, month, day)
    except ValueError:
        return None  # a mistake such as 2/30/2019 gives no day
