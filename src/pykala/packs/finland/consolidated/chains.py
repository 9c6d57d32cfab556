"""The chain of versions of one place, from its wordings in a file."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from pykala.law.identifiers import WorkId
from pykala.law.provisions import Event, Version
from pykala.law.validity import Validity
from pykala.packs.finland.act_numbers import year_of_act
from pykala.packs.finland.commencement import DAY_UNKNOWN, interval
from pykala.packs.finland.consolidated.dating import Part

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Chains:
    """Makes versions; what all of an act's versions have in common is here."""

    validity: Validity
    application: str
    observed_at: date | None
    given: Mapping[WorkId, date]

    def of(self, wordings: Sequence[Part], inserted: bool = False) -> tuple[Version, ...]:
        """Consecutive versions, oldest first; `inserted` says that the place was not there before them."""
        distinct = _distinct(wordings)
        starts = self._starts(distinct)
        versions: list[Version] = []
        for place, part in enumerate(distinct):
            found, guessed = starts[place]
            end = starts[place + 1][0] if place + 1 < len(distinct) else None
            before = versions[-1] if versions else None
            versions.append(
                Version(
                    part.text,
                    interval(found, end if end is not None else self.validity.end),
                    part.heading,
                    _event(part, before, inserted),
                    part.source,
                    self.application if part.original else "",
                    self.observed_at,
                    history_unavailable=before is None and not part.original and not inserted,
                    findings=(*part.findings, DAY_UNKNOWN) if guessed else part.findings,
                )
            )
        return tuple(versions)

    def _starts(self, wordings: Sequence[Part]) -> list[tuple[date | None, bool]]:
        """Since when each wording is in force, never before its predecessor, and whether that is a stopgap.

        Two wordings need a day between them, and a tombstone the day on which it took the place of words. If
        the file has none, the day on which the later wording's act was given is used, and a finding says so.
        """
        starts: list[tuple[date | None, bool]] = []
        for part in wordings:
            start, guessed = part.start, part.guessed
            if start is None and (starts or (part.repealed and part.source is not None)):
                start, guessed = self._stopgap(part.source), True
            before = starts[-1][0] if starts else None
            if before is not None and (start is None or start < before):
                start = before
            starts.append((start, guessed))
        return starts

    def _stopgap(self, act: WorkId | None) -> date:
        if act is None:
            return self.validity.start or date.min
        year = year_of_act(act)
        return self.given.get(act) or date(max(year, 1), 1, 1)


def _distinct(wordings: Sequence[Part]) -> list[Part]:
    """The wordings in order of time, each once: unchanged words belong to the older version."""
    distinct: list[Part] = []
    for part in sorted(wordings, key=lambda one: one.order):
        last = distinct[-1] if distinct else None
        if last is not None and part.repealed and last.repealed and part.source == last.source:
            # A tombstone replaces the older one too: one may give the day, another more words.
            distinct[-1] = replace(last, text=_either(last.text, part.text), start=last.start or part.start)
        elif last is None or (last.text, last.heading) != (part.text, part.heading):
            distinct.append(part)
        else:
            distinct[-1] = replace(last, findings=tuple(dict.fromkeys((*last.findings, *part.findings))))
    return distinct


def _either(one: str, other: str) -> str:
    """The longer of two tombstones; both where each says something of its own."""
    longer, shorter = sorted((one, other), key=len, reverse=True)
    told = set(_WORD.findall(shorter)) <= set(_WORD.findall(longer))
    return longer if told else f"{longer}\n{shorter}"


def _event(part: Part, before: Version | None, inserted: bool) -> Event:
    if part.repealed:
        return Event.REPEALED
    if part.original:
        return Event.ENACTED
    if before is None:
        return Event.INSERTED if inserted else Event.AMENDED
    return Event.INSERTED if before.event is Event.REPEALED else Event.AMENDED


def ended(version: Version, day: date) -> Version:
    """A version of a provision that was replaced as a whole on a day."""
    start, end = version.validity.start, version.validity.end
    if end is not None and end <= day:
        return version
    # Words dated after the replacement of the provision that contains them were never in force in it.
    last = start if start is not None and start > day else day
    return replace(version, validity=Validity(start, last))
