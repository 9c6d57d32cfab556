"""Making small works for tests: plain words in, bundles out, through the real cutting of passages."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, is_dataclass
from datetime import date
from hashlib import sha256

from pykala.law.bundles import Bundle
from pykala.law.identifiers import ProvisionId, Step, WorkId
from pykala.law.provisions import (
    Document,
    Manifestation,
    Provision,
    ProvisionKind,
    Version,
    Work,
    WorkKind,
)
from pykala.law.references import EdgeKind, Method, Reference
from pykala.law.validity import ALWAYS, Validity
from pykala.packs.sections import sections_below_containers
from pykala.passages.cut import cut
from pykala.retrieve.grade import Graded
from pykala.retrieve.search import Candidate
from pykala.stores.store import Match
from pykala.stores.values import PassageWords


def since(year: int, until: int | None = None) -> Validity:
    return Validity(date(year, 1, 1), date(until, 1, 1) if until else None)


def section(
    work: WorkId,
    number: str,
    *texts: str,
    heading: str = "",
    validity: Validity = ALWAYS,
    versions: Sequence[Version] = (),
) -> Provision:
    """A section whose first text is its own and whose further texts are its subsections."""
    own = ProvisionId(work, (Step("sec", number),))
    return Provision(
        own,
        ProvisionKind.SECTION,
        f"{number} §",
        tuple(versions) or (Version(texts[0], validity, heading=heading),),
        tuple(
            Provision(
                own.child("subsec", str(n)), ProvisionKind.SUBSECTION, f"({n})", (Version(text, validity),)
            )
            for n, text in enumerate(texts[1:], start=1)
        ),
    )


def digest_of(*made: object) -> str:
    """A hash of all that is in some documents, references and the like."""
    return sha256(json.dumps(made, default=_plain).encode()).hexdigest()


def _plain(value: object) -> object:
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else str(value)


def document(work: WorkId, language: str, sections: Sequence[Provision], title: str = "") -> Document:
    name = title or f"Act {work}"
    root = Provision(ProvisionId(work), ProvisionKind.WORK, "", (Version("", heading=name),), tuple(sections))
    file = Manifestation(f"{language}/{work}.xml", digest_of(sections), "test")
    return Document(work, language, name, root, (file,))


def cites(source: ProvisionId, target: ProvisionId | None = None, **more: object) -> Reference:
    defaults = {"kind": EdgeKind.CITES, "text": "see there", "language": "en", "method": Method.CITATION}
    return Reference(source=source, target=target, **{**defaults, **more})  # type: ignore[arg-type]


def bundle(
    work: WorkId,
    documents: Sequence[Document],
    *,
    references: Sequence[Reference] = (),
    kind: WorkKind = WorkKind.ACT,
    authority: int = 100,
    abbreviations: Sequence[str] = (),
    edition: str = "1",
) -> Bundle:
    return Bundle(
        work=Work(
            work,
            kind,
            authority,
            titles=tuple((one.language, one.title) for one in documents),
            abbreviations=tuple(abbreviations),
        ),
        item=str(work),
        fingerprint=digest_of(documents, references, edition),
        documents=tuple(documents),
        references=tuple(references),
        passages=tuple(p for one in documents for p in cut(one, sections_below_containers(one))),
    )


def simple(identifier: str, *texts: str, language: str = "en", **more: object) -> Bundle:
    """A work with one section a text, numbered from 1."""
    work = WorkId(identifier)
    sections = [section(work, str(n), text) for n, text in enumerate(texts, start=1)]
    return bundle(work, [document(work, language, sections)], **more)  # type: ignore[arg-type]


def graded(place: str, *grades: float, authority: int = 100, language: str = "en") -> tuple[Graded, ...]:
    """Candidates of a place as they come out of grading: sections 1, 2, … of its first act."""
    return tuple(
        _graded(ProvisionId.parse(f"{place}:act:1/sec_{number}"), number, grade, authority, language)
        for number, grade in enumerate(grades, start=1)
    )


def _graded(section: ProvisionId, number: int, grade: float, authority: int, language: str) -> Graded:
    match = Match(
        number, 1.0, section, section, ProvisionKind.SECTION, section.work, language,
        PassageWords.of("Act", "Text.", "Text."), 0, since(2000), authority,
    )  # fmt: skip
    return Graded(Candidate(section, match, 1.0), 0.5, grade)
