"""What the reader gets: an outcome, a primary provision, support, claims, caveats and conflicts."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum

from pykala.law.checks import Verification
from pykala.law.identifiers import ProvisionId
from pykala.law.references import EdgeKind, UnresolvedReference
from pykala.law.validity import Validity


class Outcome(StrEnum):
    """How far the law answers the question. An outage is never "no law"."""

    ANSWERED = "ANSWERED"
    GUIDANCE = "GUIDANCE"
    SILENT = "SILENT"
    OUTSIDE_CORPUS = "OUTSIDE_CORPUS"
    UNAVAILABLE = "UNAVAILABLE"


class CaveatKind(StrEnum):
    """What a reader must know before relying on a passage."""

    SUSPECT = "SUSPECT"
    STALE = "STALE"
    REPEALED = "REPEALED"
    NOT_YET_IN_FORCE = "NOT_YET_IN_FORCE"
    HISTORY_UNAVAILABLE = "HISTORY_UNAVAILABLE"
    OUTRANKED = "OUTRANKED"
    OTHER_LANGUAGE = "OTHER_LANGUAGE"
    DEGRADED = "DEGRADED"
    UNRESOLVED_REFERENCE = "UNRESOLVED_REFERENCE"
    SAMPLE = "SAMPLE"  # a paraphrase that ships with the product, not the law itself
    TRANSLATION = "TRANSLATION"
    GUIDANCE = "GUIDANCE"  # how an authority reads the law, not the law
    APPLICATION = "APPLICATION"  # the law says itself which tax years it applies to


@dataclass(frozen=True, slots=True)
class Caveat:
    """A warning, the provision it belongs to (None: the answer as a whole), in words."""

    kind: CaveatKind
    provision: ProvisionId | None
    message: str


@dataclass(frozen=True, slots=True)
class Citation:
    """A quote that can be checked: `text[start:end] == quote` in the cited version of the provision."""

    key: str
    provision: ProvisionId
    quote: str
    start: int
    end: int
    url: str
    label: str  # the human form: "TVL 124 § 2 mom."


@dataclass(frozen=True, slots=True)
class CitedProvision:
    """A provision as an answer shows it: exact text, human citation, link and dates."""

    provision: ProvisionId
    citation: str
    url: str
    text: str
    heading: str
    language: str
    validity: Validity
    authority: int
    source: str  # who publishes the text, and in which form


@dataclass(frozen=True, slots=True)
class Support:
    """A provision beside the primary one, with the reason why it is there."""

    cited: CitedProvision
    relation: str
    hops: int
    score: float = 0.0  # its grade, 0–10, where it was found by search


@dataclass(frozen=True, slots=True)
class PathStep:
    """One step of the norm path."""

    source: ProvisionId
    kind: EdgeKind
    target: ProvisionId


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence of the answer and what it rests on."""

    text: str
    citations: tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two sources that disagree, which of them prevails, and why."""

    winner: ProvisionId
    loser: ProvisionId
    reason: str
    message: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """A provision that was considered, with its grade (0–10) and rank."""

    provision: ProvisionId
    score: float
    authority: int


@dataclass(frozen=True, slots=True)
class Stage:
    """One line of the trace: a stage, its time, and what it counted."""

    name: str
    milliseconds: float
    facts: tuple[tuple[str, object], ...] = ()


@dataclass(frozen=True, slots=True)
class Written:
    """A piece of a draft, as a model writes it; pieces of a later draft replace those of an earlier one."""

    text: str
    draft: int = 1


@dataclass(frozen=True, slots=True)
class Cost:
    """What the answer cost, from what the provider reports; zero is shown as zero."""

    tokens_in: int = 0
    tokens_out: int = 0
    amount: float = 0.0
    currency: str = "EUR"


@dataclass(frozen=True, slots=True)
class Answer:
    """The whole answer; nothing in it that is not in the sources."""

    id: str
    question: str
    language: str
    as_of: date
    outcome: Outcome
    text: str
    primary: CitedProvision | None = None
    support: tuple[Support, ...] = ()
    path: tuple[PathStep, ...] = ()
    claims: tuple[Claim, ...] = ()
    caveats: tuple[Caveat, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    unresolved: tuple[UnresolvedReference, ...] = ()
    trace: tuple[Stage, ...] = ()
    cost: Cost = field(default_factory=Cost)
    confidence: float = 0.0  # the grade of the best candidate, 0–10
    strategy: str = "default"
    writer: str = ""  # the model that drafted `text`; none: the law's own words
    fetched: tuple[str, ...] = ()  # works that were fetched from their publishers for this answer
    verification: Verification | None = None  # of a draft, claim by claim; none: nothing was drafted
