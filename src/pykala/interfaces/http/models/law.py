"""Provisions, documents, time and neighbourhood as models."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from pykala.interfaces.http.models.answers import CaveatModel, Cited, DistantNode, NodeEdge, UnresolvedModel
from pykala.interfaces.http.models.describing import Day, Described, Identifier
from pykala.law.provisions import Event, WorkKind


class FoundModel(Described):
    """A search result."""

    provision: Identifier
    work: Identifier
    citation: str
    url: str
    score: float
    text: str
    header: str
    language: str
    valid_from: Day | None
    valid_to: Day | None
    authority: int


class SearchModel(Described):
    """What a search found, best first."""

    query: str
    as_of: Day
    results: list[FoundModel]


class PlaceModel(Described):
    """Where a reader may go on."""

    provision: Identifier
    label: str
    heading: str
    citation: str


class WorkModel(Described):
    """A work."""

    id: Identifier
    title: str
    citation: str
    kind: WorkKind
    jurisdiction: str
    languages: list[str]
    url: str
    authority: int


class Around(Described):
    """What surrounds a provision."""

    work: WorkModel
    label: str
    breadcrumbs: list[PlaceModel]
    previous: PlaceModel | None
    next: PlaceModel | None
    citations: dict[str, str]
    urls: dict[str, str]


class Child(Described):
    """A provision directly below another."""

    provision: Identifier
    kind: str
    label: str
    heading: str
    text: str


class LinePoint(Described):
    """A wording on the version line of a provision."""

    valid_from: Day | None
    valid_to: Day | None
    event: str
    source_act: Identifier | None
    act: str | None
    current: bool


class CitedBy(Described):
    """How much other law leans on a section."""

    provisions: int
    works: int


class ProvisionModel(Cited, Around):
    """A provision on a date with its surroundings."""

    event: Event
    source_act: Identifier | None
    application: str
    languages: list[str]
    cited_by: CitedBy
    children: list[Child]
    caveats: list[CaveatModel]
    version_line: list[LinePoint]
    as_of: Day


class VersionModel(Described):
    """A wording."""

    valid_from: Day | None
    valid_to: Day | None
    event: Event
    source_act: Identifier | None
    act: str | None
    application: str
    heading: str
    text: str
    findings: list[str]


class ChangeModel(Described):
    """Something that happened to a provision."""

    provision: Identifier
    event: str
    source_act: Identifier | None
    act: str | None


class Moment(Described):
    """A day on which something changed."""

    day: Day | None
    changes: list[ChangeModel]


class HistoryModel(Described):
    """A provision's chain, and the timeline of all below it."""

    provision: Identifier
    citation: str
    history_unavailable: bool
    versions: list[VersionModel]
    timeline: list[Moment]


class DatedChange(ChangeModel):
    """Something that happened to a provision on a day."""

    day: Day | None
    citation: str


class Cause(Described):
    """An act, and how many changes it made; null where none is told."""

    source_act: Identifier | None
    changes: int


class ChangedWork(Described):
    """A work whose words changed."""

    work: Identifier
    citation: str
    changes: list[DatedChange]
    by: list[Cause]


class ChangesModel(Described):
    """The works whose words changed in a period; `total` counts those beyond the limit too."""

    since: Day
    until: Day | None
    works: list[ChangedWork]
    total: int


class DifferenceModel(Described):
    """A provision on two dates: same and removed are its first wording, same and added its second."""

    provision: Identifier
    citation: str
    label: str
    alteration: str
    formerly: Identifier | None
    event: Event | None
    since: Day | None
    source_act: Identifier | None
    act: str | None
    words: list[tuple[Literal["same", "removed", "added"], str]]


class ComparisonModel(Described):
    """What differs between two dates; what stayed the same is counted."""

    provision: Identifier
    citation: str
    first: Day
    second: Day
    unchanged: int
    differences: list[DifferenceModel]
    caveats: list[CaveatModel]


class RelatedModel(Described):
    """A provision's neighbourhood."""

    provision: Identifier
    nodes: list[DistantNode]
    edges: list[NodeEdge]
    unresolved: list[UnresolvedModel]


class TreeModel(Described):
    """A place of a slim tree."""

    id: Identifier
    number: str
    title: str
    summary: str
    children: list[TreeModel]


class BlockModel(Described):
    """One provision's own words in a document."""

    provision: Identifier
    parent: Identifier | None
    kind: str
    label: str
    heading: str
    text: str
    depth: int


class Span(Described):
    """Which part of a composed text is whose; `prefix` characters of it are the label before its words."""

    provision: Identifier
    start: int
    end: int
    prefix: int


class Target(Described):
    """The provision that was opened, with its text as citations count it."""

    provision: Identifier
    text: str | None
    spans: list[Span]


class DocumentModel(Around):
    """A document, whole or as much of it as fits (150 sections, 100 KB); `notice` says what was left out."""

    provision: Identifier
    as_of: Day
    language: str
    languages: list[str]
    sections: list[BlockModel]
    target: Target
    total_sections: int
    shown_sections: int
    truncated: bool
    notice: str | None
    language_note: str | None
    caveats: list[CaveatModel]


class CitationTarget(Described):
    """Where a citation leads; `held` says whether the library has it."""

    provision: Identifier
    citation: str
    url: str
    held: bool


class CitationModel(Described):
    """A citation in a text; `reason` says why it leads nowhere."""

    start: int
    end: int
    text: str
    jurisdiction: str
    targets: list[CitationTarget]
    reason: str | None
    fetch: str | None = Field(description="The command that looks for an act that is not held; else null.")


class CitationsModel(Described):
    """The citations of a text, in order."""

    citations: list[CitationModel]


class KeywordModel(Described):
    """A keyword; `more` says that only the first passages that hold it were counted."""

    word: str
    weight: float
    provisions: int
    documents: int
    more: bool


class KeywordsModel(Described):
    """The keywords of a question, the most telling first."""

    language: str
    keywords: list[KeywordModel]
