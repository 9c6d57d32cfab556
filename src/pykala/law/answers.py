"""What the reader gets: an outcome, a primary provision, support, claims, caveats and conflicts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum

from pykala.law.checks import Verification
from pykala.law.forms import Part, Result, shortened
from pykala.law.grades import shown_grade
from pykala.law.identifiers import ProvisionId
from pykala.law.references import EdgeKind, UnresolvedReference
from pykala.law.validity import Validity

_DECIMALS = 8  # of an amount


class Outcome(StrEnum):
    """How far the law answers the question. An outage is never "no law"."""

    ANSWERED = "ANSWERED"
    LIKELY = "LIKELY"  # quoted as the most likely answer, with what else it may be
    GUIDANCE = "GUIDANCE"  # provisions that may be related, none of them quoted as the answer
    SILENT = "SILENT"
    OUTSIDE_CORPUS = "OUTSIDE_CORPUS"
    UNAVAILABLE = "UNAVAILABLE"

    @property
    def quotes(self) -> bool:
        """Whether a provision is quoted as the answer, surely or most likely."""
        return self in (Outcome.ANSWERED, Outcome.LIKELY)


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
    PLACE = "PLACE"  # whose law it is, where the question does not say it
    UPLOAD = "UPLOAD"  # a user's own document, which is no law at all
    UNCALIBRATED = "UNCALIBRATED"  # a model whose order and grades are not measured yet
    BEYOND_CURRENT_TO = "BEYOND_CURRENT_TO"  # the date lies after the last day to which the source is known
    NOT_YET_APPLICABLE = "NOT_YET_APPLICABLE"  # in force on the date, and applied only from a later one
    GENERAL_GUIDANCE = (
        "GENERAL_GUIDANCE"  # a model's general words stand beside the answer: no law, unchecked
    )


@dataclass(frozen=True, slots=True, repr=False)
class Caveat(Part):
    """A warning, the provision it belongs to (None: the answer as a whole), in words."""

    kind: CaveatKind
    provision: ProvisionId | None
    message: str


@dataclass(frozen=True, slots=True, repr=False)
class Citation(Result):
    """A quote that can be checked: `text[start:end] == quote` in the cited version of the provision."""

    key: str
    provision: ProvisionId
    quote: str
    start: int
    end: int
    url: str
    label: str  # the human form: "TVL 124 § 2 mom."

    def __repr__(self) -> str:
        return f"<Citation [{self.key}] {self.label}: {shortened(self.quote)!r}>"


@dataclass(frozen=True, slots=True, repr=False)
class CitedProvision(Result):
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
    adopted: date | None = None  # the day on which the act was made
    in_force: date | None = None  # its entry into force, where `validity` is about its application
    current_to: date | None = None  # the last day to which the work is known

    @property
    def is_upload(self) -> bool:
        """Whether it is from a user's own document, which is never law and never in force."""
        return self.provision.work.is_upload

    def __repr__(self) -> str:
        return f"<CitedProvision {self.provision}: {shortened(self.text)!r}>"


class Relation(StrEnum):
    """Why a provision stands beside another, or in an answer that quotes none.

    The value is what records say; a reader is told the phrase of the name (`relation.cited`).
    """

    DEPARTED_FROM = "the rule it departs from"
    LAID_DOWN = "lays down what it leaves open"
    EXCEPTION = "exception to it"
    CITED = "cited by it"
    CITES = "cites it"
    INTERPRETED = "interpreted by it"
    GUIDANCE = "guidance on it"
    APPLIED = "applied by it"
    APPLYING = "ruling that applies it"
    DEFINED = "defined by it"
    DEFINES = "defines a term of it"
    USES_TERM = "uses a term it defines"
    AMENDED = "amended by it"
    AMENDS = "amends it"
    APPEALED_FROM = "appealed from"
    APPEAL = "appeal against it"
    SUPERSEDED = "superseded by it"
    SUPERSEDES = "supersedes it"
    TRANSPOSED = "the Union act it carries out"
    TRANSPOSING = "carries it out"
    ASKED_TOO = "also asked for"
    ALSO_ABOUT = "also about this"
    INSTEAD = "may be the answer instead"
    POSSIBLY_RELATED = "possibly related"
    NEAREST = "nearest"
    DATED_ACT = "dated"
    COUNTED_ACT = "counted"
    AMENDED_ACT = "amended"
    BEGAN_ACT = "began"
    ENDED_ACT = "ended"
    FIRST_SECTION = "first"
    LAST_SECTION = "last"
    PARENT_OF = "parent_of"
    INSERTS = "inserts"
    REPEALS = "repeals"
    TRANSLATION_OF = "translation_of"


@dataclass(frozen=True, slots=True, repr=False)
class Support(Result):
    """A provision beside the primary one, with the reason why it is there."""

    cited: CitedProvision
    relation: Relation
    hops: int
    score: float = 0.0  # its grade, 0–10, where it was found by search: ten times the chance that it is right

    def __repr__(self) -> str:
        return f"<Support, {self.relation.value}, {self.cited.citation}: {shortened(self.cited.text)!r}>"

    @property
    def grade(self) -> float:
        """The grade to show; 0, none: nobody measured how often a user's own document is right."""
        return 0.0 if self.cited.is_upload else self.score


@dataclass(frozen=True, slots=True, repr=False)
class PathStep(Part):
    """One step of the norm path."""

    source: ProvisionId
    kind: EdgeKind
    target: ProvisionId


@dataclass(frozen=True, slots=True, repr=False)
class Claim(Result):
    """A sentence of the answer and what it rests on."""

    text: str
    citations: tuple[Citation, ...]

    def __repr__(self) -> str:
        keys = "".join(f"[{one.key}]" for one in self.citations)
        return f"<Claim {keys}: {shortened(self.text)!r}>"


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two sources that disagree, which of them prevails, and why."""

    winner: ProvisionId
    loser: ProvisionId
    reason: str
    message: str


@dataclass(frozen=True, slots=True, repr=False)
class Evidence(Part):
    """A provision that was considered, with its grade (0–10) and rank."""

    provision: ProvisionId
    score: float
    authority: int


class StageName(StrEnum):
    """The stages that make an answer; which of them there are depends on the question."""

    UNDERSTAND = "understand"
    INDEXES = "indexes"  # of changes, for questions about acts themselves
    SEARCH = "search"
    GRADE = "grade"
    OTHER_LANGUAGES = "other languages"
    LATER_WORDING = "later wording"
    PINPOINT = "pinpoint"
    WALK = "walk"
    ANSWER = "answer"
    GRADER = "grader"  # a model that confirms or refuses candidates
    DRAFT = "draft"
    VERIFY = "verify"
    ONLINE = "online"
    CACHE = "cache"  # what was counted of the caches; no stage of the work


class StrategyName(StrEnum):
    """How an answer was looked for."""

    DEFAULT = "default"
    CASE_LAW = "case_law"
    RECENCY = "recency"
    DEFINITION = "definition"
    CROSS_SOURCE = "cross_source"
    MULTI_HOP = "multi_hop"
    ABOUT_ACTS = "metadata"  # about acts themselves, from indexes of changes
    PARTS = "parts"  # several questions, each answered by itself


@dataclass(frozen=True, slots=True, repr=False)
class Stage(Part):
    """One line of the trace: a stage, its time, and what it counted."""

    name: StageName
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


def sum_of(costs: Iterable[Cost]) -> Cost:
    """The sum of several costs, in the currency of the last that is not zero."""
    spent = [cost for cost in costs if cost != Cost()]
    return Cost(
        sum(cost.tokens_in for cost in spent),
        sum(cost.tokens_out for cost in spent),
        round(sum(cost.amount for cost in spent), _DECIMALS),
        spent[-1].currency if spent else Cost().currency,
    )


@dataclass(frozen=True, slots=True)
class Judgement:
    """A grader model's grades of the first candidates, and the outcome before and after.

    A model's word is not measured: it can take an answer's certainty away, and lift a candidate to the
    likeliest, never to the answer.
    """

    model: str
    grades: tuple[tuple[ProvisionId, float], ...]  # 0–10, as the model gave them
    before: Outcome
    after: Outcome
    problem: str = ""  # why the model was no help; the outcome is then as it was


@dataclass(frozen=True, slots=True)
class GeneralGuidance:
    """Unchecked text by a model; never cited as law. The text begins with a notice that says so."""

    text: str
    notice: str
    model: str

    def __post_init__(self) -> None:
        if not self.notice or not self.text.startswith(self.notice):
            raise ValueError("general guidance must begin with the notice that it is not law")


@dataclass(frozen=True, slots=True, repr=False)
class Answer(Result):
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
    confidence: float = 0.0  # the best candidate's grade, 0–10: ten times the chance that it is right
    strategy: StrategyName = StrategyName.DEFAULT
    writer: str = ""  # the model that drafted `text`; none: the law's own words
    fetched: tuple[str, ...] = ()  # works that were fetched from their publishers for this answer
    verification: Verification | None = None  # of a draft, claim by claim; none: nothing was drafted
    standalone: str = ""  # the question as it was asked of the law, where it went on from another; else none
    jurisdiction: str | None = None  # the only one that was asked of, where the caller fixed it
    dated: bool = False  # whether the caller fixed the date
    parts: tuple[Answer, ...] = ()  # of a question that asks several things: each with its own answer
    home: str = ""  # the reader's home place, where that said whose law counts
    current_to: date | None = None  # the last day to which the law it rests on is known; None: not known
    kind: str = (
        ""  # the kind of answer that the question asks for: "period", "rate"; none: its words do not tell
    )
    judgement: Judgement | None = None  # a grader model's, where one was asked
    general: GeneralGuidance | None = None  # a model's general words, where nothing is certain

    @property
    def open_parts(self) -> tuple[str, ...]:
        """The questions that nothing of the law was quoted for: of its parts, or the question itself."""
        asked = self.parts or (self,)
        return tuple(answer.question for answer in asked if not answer.outcome.quotes)

    @property
    def from_upload(self) -> bool:
        """Whether what answers is a user's own document, not law."""
        return self.primary is not None and self.primary.is_upload

    @property
    def grade(self) -> float:
        """The grade to show; 0, none: nobody measured how often a user's own document is right."""
        uploaded = self.from_upload or any(part.from_upload for part in self.parts)
        return 0.0 if uploaded else self.confidence

    @property
    def is_beyond(self) -> bool:
        """Whether the date lies after the last day to which the library knows this law."""
        return self.current_to is not None and self.current_to < self.as_of

    @property
    def is_later(self) -> bool:
        """Whether its words began after the date: what the provision said then is not held."""
        start = self.primary.validity.start if self.primary else None
        return start is not None and self.as_of < start

    def __repr__(self) -> str:
        where = f", {self.primary.citation}" if self.primary else ""
        grade = "own document" if self.from_upload else shown_grade(self.confidence)
        return f"<Answer {self.outcome.value} {grade}{where}: {shortened(self.text)!r}>"
