"""What an amending act does to another: amend, insert, repeal, renumber, each at one place of a tree.

An operation names its place as the amending act does: with a chapter only if the act names one, and an item
without its subsection if the section has only one. `play` finds the provision that is meant.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum

from pykala.law.identifiers import ProvisionId, Step, WorkId
from pykala.law.messages import Message
from pykala.law.provisions import Provision
from pykala.law.validity import NOT_YET, Validity


class Facet(StrEnum):
    """Which part of the place is meant."""

    WHOLE = "whole"
    HEADING = "heading"  # "the heading of section 5"
    INTRODUCTION = "introduction"  # the words before a list
    CROSS_HEADING = "cross-heading"  # "the heading before section 28"
    TITLE = "title"  # the name of the act


@dataclass(frozen=True, slots=True)
class Said:
    """The words that state an operation: a span of the enacting clause's own text."""

    clause: ProvisionId
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """The fields of every operation: place, act, first day and words."""

    target: ProvisionId
    source_act: WorkId
    validity: Validity = field(default_factory=Validity.pending)  # pending: the day is not known
    facet: Facet = Facet.WHOLE
    temporary: bool = False
    application: str = ""
    in_force: date | None = None  # the entry into force, where `validity` begins with the application
    said: Said | None = None

    @property
    def day(self) -> date:
        """The first day; `NOT_YET` where nobody knows it."""
        return self.validity.start or NOT_YET


@dataclass(frozen=True, slots=True, kw_only=True)
class Amend(Operation):
    """Replace the words of a place; `text` is None where the act does not give them, `lacking` says why."""

    text: Provision | None = None
    lacking: Message | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Insert(Operation):
    """Add a new place, in document order among its siblings."""

    text: Provision | None = None
    lacking: Message | None = None
    instead: bool = False  # the act says that the former provision was repealed before


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeal(Operation):
    """End a place and everything below it; an empty path is the whole work."""


def as_printed(label: str, to: Step) -> str:
    """A label as it was: what a renumbering does where the pack's labels show no numbers."""
    return label


@dataclass(frozen=True, slots=True, kw_only=True)
class Renumber(Operation):
    """Give a place another number: "whereby subsection 3 becomes subsection 4"."""

    to: Step
    relabel: Callable[[str, Step], str] = as_printed  # how the pack prints a label with another number


class Reason(StrEnum):
    """Why an operation was not applied, or not with certainty."""

    MISSING_TARGET = "missing target"
    AMBIGUOUS = "ambiguous target"
    TEXT_MISSING = "text missing"
    TEXT_PARTIAL = "text given in part"
    PLACE_TAKEN = "place taken"
    UNKNOWN_DATE = "unknown date"
    NO_END = "temporary without an end"
    OVER_TEMPORARY = "over a temporary text"
    NOT_SUPPORTED = "not supported"


class Status(StrEnum):
    """The result of an operation."""

    APPLIED = "applied"
    UNCHANGED = "unchanged"  # the words were the same already
    PENDING = "pending"  # enacted, but its date is not fixed yet
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one operation: the provisions it changed, and the reason where it failed."""

    operation: Operation
    status: Status
    provisions: tuple[ProvisionId, ...] = ()
    reason: Reason | None = None
    message: Message | None = None
