"""Answers, contexts and errors as models."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field

from pykala.interfaces.http.models.describing import Day, Described, Identifier
from pykala.law.answers import CaveatKind, Outcome, Relation, StageName, StrategyName
from pykala.law.provisions import WorkKind
from pykala.law.references import EdgeKind, Method, Unresolved


class ProblemModel(Described):
    """An error (RFC 9457): `detail` says what, why and what to do."""

    type: str = Field(examples=["urn:pykala:problem:unknown-provision"])
    title: str
    status: int
    detail: str
    code: str
    errors: list[FieldError] = Field(default_factory=list)


class FieldError(Described):
    """What is wrong with one field."""

    field: str
    message: str


class Cited(Described):
    """A provision: exact text, human citation, official link, dates (`valid_to` is the first day after)."""

    provision: Identifier
    citation: str
    url: str
    text: str
    heading: str
    language: str
    valid_from: Day | None = Field(description="The day from which it applies; null: not known.")
    valid_to: Day | None
    adopted: Day | None = Field(description="The day on which its act was made; null: not known.")
    in_force: Day | None = Field(
        description="Its entry into force, where it applies from another day on; else null."
    )
    current_to: Day | None = Field(description="The last day to which its work is known; null: not known.")
    authority: int
    source: str


class Supporting(Cited):
    """A provision beside the primary one, and why it is there."""

    relation: Relation
    hops: int
    score: float


class Step(Described):
    """One step of the norm path."""

    from_: Identifier = Field(alias="from")
    kind: EdgeKind
    to: Identifier


class Quote(Described):
    """A quote: `text[start:end]` of the provision, in code points."""

    key: str
    provision: Identifier
    citation: str
    quote: str
    start: int
    end: int
    url: str


class ClaimModel(Described):
    """A sentence of the answer and what it rests on."""

    text: str
    citations: list[Quote]


class CaveatModel(Described):
    """What a reader must know; `provision` null: of the answer as a whole."""

    kind: CaveatKind
    provision: Identifier | None
    message: str


class Rank(Described):
    """The rank of a source and why it has it."""

    authority: int
    kind: WorkKind
    reason: str


class ConflictModel(Described):
    """Two sources that disagree, which of them prevails, and why."""

    winner: Identifier
    loser: Identifier
    reason: str
    message: str
    winner_citation: str
    loser_citation: str
    winner_rank: Rank
    loser_rank: Rank


class Considered(Described):
    """A provision that was considered."""

    provision: Identifier
    score: float
    authority: int


class UnresolvedModel(Described):
    """A reference that leads out of the library."""

    provision: Identifier
    kind: EdgeKind
    text: str
    target: str
    reason: Unresolved


class StageModel(BaseModel):
    """A stage of the trace with its time; what it counted stands beside these."""

    model_config = ConfigDict(extra="allow")
    stage: StageName
    ms: float


class CostModel(Described):
    """What the answer cost; zero is shown as zero."""

    tokens_in: int
    tokens_out: int
    amount: float
    currency: str


class NodeModel(Described):
    """A provision of a graph; `role` is "primary", "support" or the kind of edge that brought it in."""

    provision: Identifier
    citation: str
    heading: str
    label: str
    kind: WorkKind
    role: str
    authority: int
    url: str


class OrderedNode(NodeModel):
    """A node in the order in which the answer came upon it."""

    order: int


class DistantNode(NodeModel):
    """A node with how far it lies."""

    hops: int
    score: float


class EdgeModel(Described):
    """An edge and the words it came from."""

    kind: EdgeKind
    from_: Identifier = Field(alias="from")
    to: Identifier
    method: Method
    text: str
    language: str
    start: int
    end: int
    valid_from: Day | None
    valid_to: Day | None


class OrderedEdge(EdgeModel):
    """An edge in the order in which the answer followed it."""

    order: int


class NodeEdge(EdgeModel):
    """An edge and the node that it brought in."""

    node: Identifier


class ReasoningModel(Described):
    """The provisions that mattered, as a graph."""

    nodes: list[OrderedNode]
    edges: list[OrderedEdge]


class Near(Described):
    """A provision that came near."""

    provision: Identifier
    citation: str
    heading: str
    snippet: str
    score: float
    url: str
    language: str
    valid_from: Day | None
    valid_to: Day | None
    authority: int


class DraftFinding(Described):
    """A check that a claim did not pass."""

    check: str
    key: str
    message: str


class CheckedClaimModel(Described):
    """A claim of a draft, held against the law."""

    text: str
    keys: list[str]
    start: int
    end: int
    verdict: str
    supported_by: list[str]
    findings: list[DraftFinding]


class VerificationModel(Described):
    """What became of a draft's claims; the scores lie between 0 and 1."""

    coverage: float
    grounding: float
    confidence: float
    level: str
    claims: list[CheckedClaimModel]


class WebLink(Described):
    """A page that a second opinion names."""

    title: str
    url: str


class SecondOpinionModel(Described):
    """What the web says: not law, not checked, no part of the answer; or the `problem` why it is silent."""

    notice: str
    provider: str
    retrieved_at: datetime
    text: str
    links: list[WebLink]
    problem: str | None
    cost: CostModel


class ModelGrade(Described):
    """A section and what a grader model gave it, 0 to 10."""

    provision: Identifier
    grade: float


class JudgementModel(Described):
    """A grader model's word on the first candidates: it moves the outcome by a step, never to ANSWERED."""

    model: str
    grades: list[ModelGrade]
    before: Outcome
    after: Outcome
    problem: str | None


class GeneralGuidanceModel(Described):
    """General words of a model: not law, not checked, without sources; `text` begins with `notice`."""

    text: str
    notice: str
    model: str


class FigureModel(Described):
    """A figure that stands in a quote."""

    figure: str
    unit: str
    words: str
    key: str


class StructuredCitation(Described):
    """What a typed answer rests on."""

    key: str
    provision: Identifier
    citation: str
    url: str
    quote: str
    valid_from: Day | None
    valid_to: Day | None


class StructuredModel(Described):
    """The answer in typed form; all of it is taken from the answer."""

    kind: str | None = Field(
        description="The kind asked for: period, date, amount, rate, authority, place, definition, condition,"
        " procedure, list; null: the question does not say."
    )
    outcome: Outcome
    short_answer: str | None = Field(description="The words that answer; null: nothing is quoted.")
    figures: list[FigureModel]
    citations: list[StructuredCitation]
    open_parts: list[str] = Field(description="The questions that nothing of the law was quoted for.")
    parts: list[StructuredPart]


class StructuredPart(StructuredModel):
    """The typed answer to one of several things asked."""

    question: str


class AnswerModel(Described):
    """An answer record: it can be kept, and asked again with `pykala replay`."""

    id: str
    question: str
    standalone: str | None = Field(
        description="The question as it was asked of the law, where it went on from another; else null."
    )
    language: str
    as_of: Day
    current_to: Day | None = Field(
        description="The last day to which the law that it rests on is known; null: not known."
    )
    dated: bool = Field(description="Whether the date was given with the question.")
    outcome: Outcome
    outcome_text: str = Field(
        description="The outcome in words; where a user's own document answers, that it is not law."
    )
    confidence: float
    strategy: StrategyName
    writer: str
    fetched: list[str]
    home: str | None = Field(description="The reader's home place, where that said whose law counts.")
    text: str
    primary: Cited | None
    support: list[Supporting]
    path: list[Step]
    claims: list[ClaimModel]
    caveats: list[CaveatModel]
    conflicts: list[ConflictModel]
    evidence: list[Considered]
    unresolved: list[UnresolvedModel]
    trace: list[StageModel]
    verification: VerificationModel | None
    kind: str | None
    judgement: JudgementModel | None
    general: GeneralGuidanceModel | None
    structured: StructuredModel
    cost: CostModel
    jurisdiction: str | None
    ms: float
    reasoning: ReasoningModel
    near: list[Near]
    parts: list[AnswerModel] = Field(
        description="The answers to each of the things asked, where the question asks several; else none."
    )
    second_opinion: SecondOpinionModel | None = Field(
        default=None, description="There only where it was asked for."
    )


class LookAlikeModel(Described):
    """A place of a text that reads like a key."""

    text: str
    start: int
    end: int


class ContextItemModel(Cited):
    """One numbered piece of evidence, exact."""

    key: str
    relation: str  # as of an answer, or "answers" and "considered"
    pinpoint: Identifier
    official: bool
    cut: bool
    other_languages: list[Cited]
    look_alikes: list[LookAlikeModel]
    hidden_characters: int


class ContextModel(Described):
    """The law that bears on a question; `block` goes in front of another model's prompt."""

    question: str
    language: str
    as_of: Day
    outcome: Outcome
    budget: int
    tokens: int
    boundary: str
    evidence: list[ContextItemModel]
    left_out: list[str]
    notes: list[str]
    block: str
