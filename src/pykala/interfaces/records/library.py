"""Records of the library's contents, uploads, caches and the server."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, date, datetime
from pathlib import Path

from pykala.answer.cite import citation
from pykala.caches.caching import Cache, CacheStatus
from pykala.interfaces.records.from_library import FromLibrary
from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import Work as WorkOfLaw
from pykala.law.provisions import WorkKind
from pykala.library import Library as OpenLibrary
from pykala.packs.pack import PackFacts
from pykala.records.answers import Unresolved
from pykala.records.record import Day, Identifier, Record, json_field
from pykala.stores.jobs import Job


class Totals(Record):
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


class Years(Record):
    """From the oldest work to the newest."""

    first: int
    last: int


class KnownDays(Record):
    """The oldest and the newest day to which works are known."""

    oldest: Day
    newest: Day


class JurisdictionHeld(Record):
    """The contents of one jurisdiction."""

    code: str
    names: dict[str, list[str]]
    publisher: str
    languages: list[str]
    works: int
    kinds: dict[str, int]
    provisions: int | None
    versions: int | None
    years: Years | None
    current_to: KnownDays | None = json_field("To which days its works are known; null: not known.")


class LatelyChanged(Record):
    """A work whose words changed lately, and the acts that changed them."""

    work: Identifier
    citation: str
    day: Day
    changes: int
    by: list[str]


class Library(FromLibrary):
    """The contents of the library."""

    edition: str
    folder: str
    writable: bool
    today: Day
    totals: Totals
    languages: dict[str, int]
    jurisdictions: list[JurisdictionHeld]
    changes: list[LatelyChanged]


class WorkLine(Record):
    """A work in a list."""

    work: Identifier = json_field(path="id")
    title: str
    titles: dict[str, str] = json_field("Its title in each language.")
    abbreviations: list[str]
    citation: str
    kind: WorkKind
    languages: list[str]
    authority: int
    issued: Day | None
    current_to: Day | None = json_field("The last day to which it is known; null: not known.")
    url: str


class Works(FromLibrary):
    """A page of works."""

    total: int
    works: list[WorkLine]


class UnresolvedReferences(Record):
    """References that lead out of the library."""

    reasons: dict[str, int]
    examples: list[Unresolved]


class UploadLine(Record):
    """One of the user's own documents."""

    work: Identifier
    title: str
    file: str
    provisions: int
    language: str
    warnings: list[str]


class Upload(UploadLine):
    """A document that was added, or was there unchanged."""

    unchanged: bool


class Uploads(Record):
    """The user's own documents, and whether more are taken."""

    uploads: list[UploadLine]
    writable: bool
    folder: str
    limit_bytes: int
    formats: list[str]


class CacheLine(Record):
    """One cache; `lifetime` in seconds."""

    name: str
    entries: int
    bytes: int
    hits: int
    misses: int
    lifetime: float
    oldest: datetime | None = json_field("When its oldest entry was made; null: it has none.")


class Caches(Record):
    """What is kept for later; `fault` says why nothing is, where that is so."""

    caches: list[CacheLine]
    fault: str
    file: str | None = json_field("Where it is kept.", default=None, optional=True)
    bytes: int | None = json_field("How large the file is.", default=None, optional=True)


class Example(Record):
    """A question to begin with."""

    question: str
    jurisdiction: str
    language: str
    as_of: Day


class Examples(Record):
    """Questions to begin with."""

    examples: list[Example]


class RankReason(Record):
    """The rank of a kind of source and why."""

    rank: int
    reason: str


class Pack(Record):
    """An installed jurisdiction."""

    code: str
    publisher: str
    languages: list[str]
    authority: dict[str, RankReason]
    names: dict[str, list[str]]
    default_language: str


class Jurisdiction(Pack):
    """An installed jurisdiction, and whether the library holds anything of it."""

    held: bool


class Jurisdictions(Record):
    """The installed jurisdictions."""

    jurisdictions: list[Jurisdiction]


class Rights(Record):
    """What the caller's key is good for here."""

    rights: list[str]
    writable: bool = json_field("Whether the library can be written to at all.")
    publishers: list[str] = json_field("Jurisdictions whose publisher may be searched with this key.")


class Act(Record):
    """An act at its publisher."""

    number: str
    title: str
    date: Day | None
    url: str


class Acts(Record):
    """Acts that a publisher has."""

    acts: list[Act]


class Refused(Record):
    """A text that could not be fetched or read, and why."""

    path: str
    reason: str


class Fetched(Record):
    """The works that were fetched and ingested."""

    found: list[Act]
    fetched: list[str] = json_field("The numbers of the acts that came.")
    refused: list[Refused] = json_field(path="refusals")


class JobLine(Record):
    """Long work on the library: done, going on, or broken off."""

    id: str = json_field("To ask how far it is.")
    name: str = json_field("Such as ingest ca.")
    machine: str
    began: str = json_field("When it began, in UTC.")
    told: str = json_field("When it last told how far it is; long ago, and not ended: its machine died.")
    done: int
    total: int
    ended: str = json_field("finished or failed; empty while it goes on.")
    reason: str = json_field("Why it failed, where that is known.")
    fetched: Fetched | None = json_field("What came of a fetch, when it is finished.")


class Jobs(Record):
    """Long work of the last day, newest first; `fault` says why none is told, where that is so."""

    jobs: list[JobLine]
    fault: str


def job_line(place: str, job: Job) -> JobLine:
    """The line of a job."""
    told = asdict(job)
    outcome = told.pop("outcome")
    failed = job.ended == "failed"
    return JobLine(
        **{**told, "began": _moment(job.began), "told": _moment(job.told)},
        id=place,
        reason=outcome if failed else "",
        fetched=None if failed else _fetched_of(outcome),
    )


def _fetched_of(outcome: str) -> Fetched | None:
    """What a fetch has written down; None for other work."""
    try:
        told = json.loads(outcome)
        return Fetched(
            found=[Act(**{**act, "date": _day(act["date"])}) for act in told["found"]],
            fetched=told["fetched"],
            refused=[Refused(**one) for one in told["refused"]],
        )
    except (ValueError, TypeError, KeyError):
        return None


def _day(told: str | None) -> date | None:
    return date.fromisoformat(told) if told else None


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


class Health(Record):
    """How the server is."""

    status: str = json_field("ok; draining: it finishes its requests and then ends.")
    version: str


class Ready(Health):
    """That the server can answer, and what besides."""

    second_opinion: bool = json_field("Whether it has a service that gives second opinions.")
    online: bool = json_field("Whether it asks publishers for those who may fetch.")
    sample: bool = json_field("Whether its library is the sample: paraphrases, not law.")
    exports: list[str] = json_field("The forms in which `POST /export` can write an answer here.")


class FieldError(Record):
    """An error in one field of a request."""

    field: str
    message: str


class Problem(Record):
    """An error (RFC 9457): `detail` says what, why and what to do."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    errors: list[FieldError] | None = json_field(default=None, optional=True)


def caches_record(cache: Cache, status: Sequence[CacheStatus], file: Path | None = None) -> Caches:
    """The state of the caches and, on one's own machine, their file."""
    written = (file, Path(f"{file}-wal")) if file else ()
    return Caches.of(
        None,
        caches=[
            CacheLine.of(one, oldest=datetime.fromtimestamp(one.oldest, UTC) if one.oldest else None)
            for one in status
        ],
        fault=cache.fault,
        file=file,
        bytes=sum(one.stat().st_size for one in written if one.is_file()) if file else None,
    )


def work_line(work: WorkOfLaw, library: OpenLibrary, language: str = "") -> WorkLine:
    """A work in a list, in the language asked for if it has it, else that of its jurisdiction."""
    pack, whole = library.packs.get(work.id.jurisdiction), ProvisionId(work.id)
    titles = dict(work.titles)
    wanted = (language, pack.facts.default_language if pack else "", *titles)
    spoken = next((one for one in wanted if one in titles), wanted[1])
    return WorkLine.of(
        work,
        title=work.name(spoken),
        citation=citation(whole, work, spoken, library.packs),
        languages=list(titles),
        url=pack.url(whole, work, spoken) if pack else "",
    )


def ranks_of(facts: PackFacts) -> dict[str, RankReason]:
    """The ranks of a jurisdiction's kinds of sources, each with its reason."""
    return {
        kind: RankReason(rank=rank, reason=facts.authority_reasons.get(kind, ""))
        for kind, rank in facts.authority.items()
    }
