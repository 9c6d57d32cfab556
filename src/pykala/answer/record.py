"""Answers, matches and provisions as JSON: names that programs can rely on."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

from pykala.answer.told import outcome_in_words
from pykala.law.answers import Answer, Caveat, CitedProvision, Cost, GeneralGuidance, Judgement
from pykala.law.checks import Verification
from pykala.law.forms import as_record
from pykala.law.references import Edge
from pykala.law.validity import Validity
from pykala.text.phrases import LANGUAGES, tell

if TYPE_CHECKING:
    from pykala.answer.citations_in import CitationInText
    from pykala.models.second_opinion import Advice

Json = dict[str, object]

#: What stands with every second opinion, whoever shows it.
NOT_LAW = "not law, not checked: from the web"


@as_record.register(Answer)
def answer_json(answer: Answer) -> Json:
    """An answer under the names that the documentation promises."""
    return {
        "id": answer.id,
        "question": answer.question,
        "standalone": answer.standalone or None,
        "language": answer.language,
        "as_of": answer.as_of.isoformat(),
        "current_to": _day(answer.current_to),
        "dated": answer.dated,
        "outcome": answer.outcome.value,
        "outcome_text": outcome_in_words(answer),
        "confidence": round(answer.confidence, 2),
        "strategy": answer.strategy,
        "writer": answer.writer,
        "fetched": list(answer.fetched),
        "home": answer.home or None,
        "text": answer.text,
        "primary": cited_json(answer.primary) if answer.primary else None,
        "support": [
            {
                **cited_json(support.cited),
                "relation": support.relation,
                "hops": support.hops,
                "score": round(support.score, 2),
            }
            for support in answer.support
        ],
        "path": [
            {"from": str(step.source), "kind": step.kind.value, "to": str(step.target)}
            for step in answer.path
        ],
        "claims": [
            {
                "text": claim.text,
                "citations": [
                    {
                        "key": citation.key,
                        "provision": str(citation.provision),
                        "citation": citation.label,
                        "quote": citation.quote,
                        "start": citation.start,
                        "end": citation.end,
                        "url": citation.url,
                    }
                    for citation in claim.citations
                ],
            }
            for claim in answer.claims
        ],
        "caveats": [caveat_json(caveat) for caveat in answer.caveats],
        "conflicts": [
            {
                "winner": str(conflict.winner),
                "loser": str(conflict.loser),
                "reason": conflict.reason,
                "message": conflict.message,
            }
            for conflict in answer.conflicts
        ],
        "evidence": [
            {"provision": str(one.provision), "score": round(one.score, 4), "authority": one.authority}
            for one in answer.evidence
        ],
        "unresolved": [
            {
                "provision": str(one.source),
                "kind": one.kind.value,
                "text": one.text,
                "target": one.target,
                "reason": one.reason.value,
            }
            for one in answer.unresolved
        ],
        "trace": [
            {"stage": stage.name, "ms": round(stage.milliseconds, 2), **dict(stage.facts)}
            for stage in answer.trace
        ],
        "verification": verification_json(answer.verification, answer.language)
        if answer.verification
        else None,
        "kind": answer.kind or None,
        "judgement": judgement_json(answer.judgement) if answer.judgement else None,
        "general": general_json(answer.general) if answer.general else None,
        "cost": cost_json(answer.cost),
        "parts": [answer_json(part) for part in answer.parts],
    }


def judgement_json(judgement: Judgement) -> Json:
    """A grader model's word on the first candidates, and what it changed."""
    return {
        "model": judgement.model,
        "grades": [{"provision": str(place), "grade": given} for place, given in judgement.grades],
        "before": judgement.before.value,
        "after": judgement.after.value,
        "problem": judgement.problem or None,
    }


def general_json(general: GeneralGuidance) -> Json:
    """A model's general words; the text begins with the notice that they are not law."""
    return {"text": general.text, "notice": general.notice, "model": general.model}


def cost_json(cost: Cost) -> Json:
    """What something cost."""
    return {
        "tokens_in": cost.tokens_in,
        "tokens_out": cost.tokens_out,
        "amount": cost.amount,
        "currency": cost.currency,
    }


def second_opinion_json(advice: Advice, retrieved_at: datetime) -> Json:
    """A second opinion; it stands beside an answer under `second_opinion` and is no part of it."""
    return {
        "notice": NOT_LAW,
        "provider": advice.provider,
        "retrieved_at": retrieved_at.astimezone(UTC).isoformat(timespec="seconds"),
        "text": advice.text,
        "links": [{"title": link.title, "url": link.url} for link in advice.links],
        "problem": advice.problem or None,
        "cost": cost_json(advice.cost),
    }


def verification_json(verification: Verification, language: str = LANGUAGES[0]) -> Json:
    """What became of a draft's claims."""
    return {
        "coverage": round(verification.coverage, 4),
        "grounding": round(verification.grounding, 4),
        "confidence": round(verification.confidence, 4),
        "level": verification.level,
        "claims": [
            {
                "text": one.claim.text,
                "keys": list(one.claim.keys),
                "start": one.claim.start,
                "end": one.claim.end,
                "verdict": one.verdict.value,
                "supported_by": list(one.supported_by),
                "findings": [
                    {"check": found.check.value, "key": found.key, "message": tell(language, found.message)}
                    for found in one.findings
                ],
            }
            for one in verification.claims
        ],
    }


@as_record.register(CitedProvision)
def cited_json(cited: CitedProvision) -> Json:
    """A cited provision."""
    return {
        "provision": str(cited.provision),
        "citation": cited.citation,
        "url": cited.url,
        "text": cited.text,
        "heading": cited.heading,
        "language": cited.language,
        **validity_json(cited.validity),
        "adopted": _day(cited.adopted),
        "in_force": _day(cited.in_force),
        "current_to": _day(cited.current_to),
        "authority": cited.authority,
        "source": cited.source,
    }


def caveat_json(caveat: Caveat) -> Json:
    """A caveat."""
    return {
        "kind": caveat.kind.value,
        "provision": str(caveat.provision) if caveat.provision else None,
        "message": caveat.message,
    }


def citation_json(one: CitationInText) -> Json:
    """A citation in a text."""
    return {
        "start": one.start,
        "end": one.end,
        "text": one.text,
        "jurisdiction": one.jurisdiction,
        "targets": [
            {
                "provision": str(target.provision),
                "citation": target.citation,
                "url": target.url,
                "held": target.held,
            }
            for target in one.targets
        ],
        "reason": one.reason or None,
        "fetch": one.fetch or None,
    }


def edge_json(edge: Edge) -> Json:
    """An edge of the graph."""
    return {
        "kind": edge.kind.value,
        "from": str(edge.source),
        "to": str(edge.target),
        "method": edge.method.value,
        "text": edge.text,
        "language": edge.language,
        "start": edge.start,
        "end": edge.end,
        **validity_json(edge.validity),
    }


def validity_json(validity: Validity) -> Json:
    """An interval; null where an end is not known."""
    return {"valid_from": _day(validity.start), "valid_to": _day(validity.end)}


def _day(day: date | None) -> str | None:
    return day.isoformat() if day else None
