"""Answers and related results as records, with texts in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from pykala.answer.in_words import outcome_in_words
from pykala.answer.structured import structured_record
from pykala.law.answers import Answer, Citation, CitedProvision, Claim, Support
from pykala.law.checks import Verification
from pykala.law.forms import as_record
from pykala.records import answers as records
from pykala.records.record import Json
from pykala.text.phrases import LANGUAGES, tell

if TYPE_CHECKING:
    from pykala.models.second_opinion import Advice

#: The label of every second opinion, in every interface.
NOT_LAW = "not law, not checked: from the web"


def answer_record(
    answer: Answer, *, jurisdiction: str | None = None, library: Mapping[str, str] | None = None
) -> records.Answer:
    """An answer with what `replay` needs to ask again and, where `library` is given, to explain differences.

    `library` is a fingerprint (see `replay.library_fingerprint`).
    """
    return records.Answer.of(
        answer,
        **derived_fields(answer),
        jurisdiction=jurisdiction or answer.jurisdiction,
        parts=[answer_record(part) for part in answer.parts],
        library=library,
    )


def derived_fields(answer: Answer) -> dict[str, object]:
    """The fields of an answer's record that are computed, not copied."""
    verification, judgement = answer.verification, answer.judgement
    grades = [
        records.ModelGrade(provision=str(place), grade=given)
        for place, given in (judgement.grades if judgement else ())
    ]
    return {
        "outcome_text": outcome_in_words(answer),
        "verification": verification_record(verification, answer.language) if verification else None,
        "judgement": records.Judgement.of(judgement, grades=grades) if judgement else None,
        "structured": structured_record(answer),
    }


@as_record.register(Answer)
def answer_json(
    answer: Answer, *, jurisdiction: str | None = None, library: Mapping[str, str] | None = None
) -> Json:
    """An answer record as JSON."""
    return answer_record(answer, jurisdiction=jurisdiction, library=library).as_json()


@as_record.register(CitedProvision)
def cited_json(cited: CitedProvision) -> Json:
    """A cited provision as JSON."""
    return records.Cited.of(cited).as_json()


@as_record.register(Support)
def support_json(support: Support) -> Json:
    """A provision beside the primary one, as JSON."""
    return records.Supporting.of(support).as_json()


@as_record.register(Claim)
def claim_json(claim: Claim) -> Json:
    """A sentence and its quotes as JSON."""
    return records.Claim.of(claim).as_json()


@as_record.register(Citation)
def citation_json(citation: Citation) -> Json:
    """A quote as JSON."""
    return records.Quote.of(citation).as_json()


def verification_record(verification: Verification, language: str = LANGUAGES[0]) -> records.Verification:
    """The checks of a draft's claims, in a language."""
    return records.Verification.of(
        verification,
        claims=[
            records.CheckedClaim.of(
                one,
                findings=[
                    records.DraftFinding.of(finding, message=tell(language, finding.message))
                    for finding in one.findings
                ],
            )
            for one in verification.claims
        ],
    )


def second_opinion_record(advice: Advice, retrieved_at: datetime) -> records.SecondOpinion:
    """A second opinion; it is under `second_opinion` beside an answer, not part of it."""
    return records.SecondOpinion.of(advice, notice=NOT_LAW, retrieved_at=retrieved_at.astimezone(UTC))
