"""What all provisions of one act's text share: validity, source, and unique identifiers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date

from pykala.law.identifiers import WorkId
from pykala.law.messages import Message
from pykala.law.provisions import Event, Version
from pykala.law.validity import Validity
from pykala.packs.finland.commencement import interval
from pykala.packs.finland.statutes.wordings import amending_act
from pykala.packs.finland.taken_places import TakenPlaces


@dataclass(frozen=True, slots=True)
class ActText:
    """The facts about an act that its tree needs."""

    work: WorkId
    validity: Validity
    authentic: bool
    indented: bool  # pretty-printed: line breaks around inline elements are not spaces
    chapters_in_ids: bool = False
    parts_in_ids: bool = False
    application: str = ""
    observed_at: date | None = None
    findings: tuple[Message, ...] = ()
    commencements: Mapping[WorkId, date] = field(default_factory=dict)  # amending act → entry into force
    taken: TakenPlaces = field(default_factory=TakenPlaces)

    def version(self, text: str, heading: str = "", origin: str = "") -> Version:
        """A version of this act's text; `origin` is the amending act as Finlex labels it."""
        plain = Version(
            text,
            self.validity,
            heading,
            application=self.application,
            observed_at=self.observed_at,
            authentic=self.authentic,
            findings=self.findings,
        )
        source = amending_act(origin) if origin else None
        if source is None or source == self.work:
            return plain
        return replace(
            plain,
            validity=interval(self.commencements.get(source), self.validity.end),
            event=Event.AMENDED,
            source_act=source,
            history_unavailable=True,
        )
