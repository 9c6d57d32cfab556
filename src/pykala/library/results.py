"""Results of a library: a provision on a date, search results, a neighbourhood, a handle."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Protocol

from pykala.graph.walk import Visited
from pykala.law.answers import Caveat, CitedProvision
from pykala.law.choices import Day
from pykala.law.forms import Result, shortened
from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import Event, Provision, Version
from pykala.law.references import Edge, UnresolvedReference
from pykala.law.standing import UNKNOWN, Standing
from pykala.stores.store import Match, StoredProvision
from pykala.views.chronicle import History


@dataclass(frozen=True, slots=True, repr=False)
class Shown(Result):
    """A provision on a date."""

    cited: CitedProvision
    version: Version
    children: tuple[Provision, ...]
    caveats: tuple[Caveat, ...]
    languages: tuple[str, ...]
    event: Event = Event.ENACTED  # the event that made its newest wording
    by: str = ""  # the act that made that wording, as cited
    standing: Standing = UNKNOWN  # how much other law relies on its section

    def __repr__(self) -> str:
        return f"<Shown {self.cited.citation}: {shortened(self.cited.text)!r}>"


@dataclass(frozen=True, slots=True, repr=False)
class Found(Result):
    """A search result: the match and how it is cited."""

    match: Match
    citation: str
    url: str
    current_to: date | None = None  # the last day to which its work is known

    def __repr__(self) -> str:
        return f"<Found {self.citation} {self.match.score:.2f}: {shortened(self.match.text)!r}>"


@dataclass(frozen=True, slots=True, repr=False)
class Related(Result):
    """A provision's neighbourhood: the provisions the walk reached, and unresolved references."""

    provision: ProvisionId
    visited: tuple[Visited, ...]
    unresolved: tuple[UnresolvedReference, ...]

    def __repr__(self) -> str:
        return f"<Related to {self.provision}: {len(self.visited)} provisions>"


class Reads(Protocol):
    """What a handle needs from its library."""

    def show(self, provision: str, *, as_of: Day | None = ..., language: str | None = ...) -> Shown:
        """A provision on a date."""

    def history(self, provision: str, *, language: str | None = ...) -> History:
        """Its versions and the acts that made them."""

    def relations(self, provision: str, *, as_of: Day | None = ...) -> tuple[Edge, ...]:
        """Every edge that touches it."""


@dataclass(frozen=True, slots=True, repr=False)
class ProvisionHandle(Result):
    """A provision of an open library; as data it is its history, which needs no date."""

    library: Reads
    id: ProvisionId

    def __repr__(self) -> str:
        return f"<ProvisionHandle {self.id}>"

    def at(self, as_of: Day, *, language: str | None = None) -> Shown:
        """The provision as it stands on a date."""
        return self.library.show(str(self.id), as_of=as_of, language=language)

    def history(self, *, language: str | None = None) -> tuple[Version, ...]:
        """Its versions, oldest first."""
        return self.library.history(str(self.id), language=language).versions

    def relations(self, *, as_of: Day | None = None) -> tuple[Edge, ...]:
        """Every edge that touches it."""
        return self.library.relations(str(self.id), as_of=as_of)


def newest_event(stored: StoredProvision) -> Event:
    """The event that made a provision's newest wording; an inserted part counts as an amendment of it."""
    newest = newest_words(stored)
    of_a_part = newest not in stored.provision.versions
    return Event.AMENDED if of_a_part and newest.event in (Event.INSERTED, Event.REPEALED) else newest.event


def newest_words(stored: StoredProvision) -> Version:
    """The newest version of a provision or of anything below it; its dates are shown."""
    below = [version for one in stored.provision.walk() for version in one.versions]
    dated = [one for one in below if one.validity.start and not one.validity.is_pending]
    return max(dated, key=lambda one: one.validity.start or date.min, default=stored.version)
