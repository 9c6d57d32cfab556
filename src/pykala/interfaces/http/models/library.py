"""What the library holds, uploads, caches and the server itself as models."""

from __future__ import annotations

from pydantic import Field

from pykala.interfaces.http.models.answers import UnresolvedModel
from pykala.interfaces.http.models.describing import Day, Described, Identifier
from pykala.law.provisions import WorkKind


class Totals(Described):
    """Counts of the whole library."""

    works: int
    documents: int
    provisions: int
    versions: int
    passages: int
    edges: dict[str, int]
    unresolved: dict[str, int]
    vectors: int
    bytes: int


class Years(Described):
    """From the oldest work to the newest."""

    first: int
    last: int


class KnownDays(Described):
    """The oldest and the newest day to which works are known."""

    oldest: Day
    newest: Day


class JurisdictionHeld(Described):
    """What is loaded of a jurisdiction."""

    code: str
    names: dict[str, list[str]]
    publisher: str
    languages: list[str]
    works: int
    kinds: dict[str, int]
    provisions: int | None
    versions: int | None
    years: Years | None
    current_to: KnownDays | None = Field(description="To which days its works are known; null: not known.")


class LatelyChanged(Described):
    """A work whose words changed lately, and the acts that changed them."""

    work: Identifier
    citation: str
    day: Day
    changes: int
    by: list[str]


class LibraryModel(Described):
    """What the library holds."""

    edition: str
    folder: str
    writable: bool
    today: Day
    totals: Totals
    languages: dict[str, int]
    jurisdictions: list[JurisdictionHeld]
    changes: list[LatelyChanged]


class WorkLine(Described):
    """A work in a list."""

    work: Identifier
    title: str
    citation: str
    kind: WorkKind
    languages: list[str]
    authority: int
    issued: Day | None
    current_to: Day | None
    url: str


class WorksModel(Described):
    """A page of works."""

    total: int
    works: list[WorkLine]


class UnresolvedReferencesModel(Described):
    """References that lead out of the library."""

    reasons: dict[str, int]
    examples: list[UnresolvedModel]


class UploadLine(Described):
    """One of the user's own documents."""

    work: Identifier
    title: str
    file: str
    provisions: int
    language: str
    warnings: list[str]


class UploadModel(UploadLine):
    """A document that was added, or was there unchanged."""

    unchanged: bool


class UploadsModel(Described):
    """The user's own documents, and whether more are taken."""

    uploads: list[UploadLine]
    writable: bool
    folder: str
    limit_bytes: int
    formats: list[str]


class CacheModel(Described):
    """One cache; `lifetime` in seconds."""

    name: str
    entries: int
    bytes: int
    hits: int
    misses: int
    lifetime: float


class CachesModel(Described):
    """What is kept for later; `fault` says why nothing is, where that is so."""

    caches: list[CacheModel]
    fault: str


class ExampleModel(Described):
    """A question to begin with."""

    question: str
    jurisdiction: str
    language: str
    as_of: Day


class ExamplesModel(Described):
    """Questions to begin with."""

    examples: list[ExampleModel]


class RankModel(Described):
    """The rank of a kind of source and why."""

    rank: int
    reason: str


class JurisdictionModel(Described):
    """An installed jurisdiction."""

    code: str
    publisher: str
    languages: list[str]
    authority: dict[str, RankModel]
    names: dict[str, list[str]]
    default_language: str
    held: bool = Field(description="Whether the library holds anything of it.")


class JurisdictionsModel(Described):
    """The installed jurisdictions."""

    jurisdictions: list[JurisdictionModel]


class HealthModel(Described):
    """How the server is."""

    status: str
    version: str


class ReadyModel(HealthModel):
    """That the server can answer, and what besides."""

    second_opinion: bool = Field(description="Whether it has a service that gives second opinions.")
    online: bool = Field(description="Whether it asks publishers for those who may fetch.")
