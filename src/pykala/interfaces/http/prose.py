"""An answer as prose for chat clients and language models, and its citations as data beside it.

The citation contract: identifier, human citation, official address, the dates of the wording, exact quote.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import floor

from pykala.answer.record import validity_json
from pykala.law.answers import Answer, Citation, CitedProvision, Conflict
from pykala.law.identifiers import ProvisionId

Json = dict[str, object]
_OUTCOMES_WITHOUT_ANSWER = {
    "GUIDANCE": "General guidance, not an answer",
    "SILENT": "The law in this library is silent",
    "OUTSIDE_CORPUS": "Outside this library",
    "UNAVAILABLE": "A source could not be reached",
}


def citations_json(answer: Answer) -> list[Json]:
    """Every citation of an answer, once, under the names of the contract."""
    return [
        {
            "key": one.key,
            "provision": str(one.provision),
            "citation": one.label,
            "url": one.url,
            "quote": one.quote,
            "start": one.start,
            "end": one.end,
            **_dates(answer, one.provision),
            "as_of": answer.as_of.isoformat(),
        }
        for one in citations_of(answer)
    ]


def citations_of(answer: Answer) -> tuple[Citation, ...]:
    """Every citation of an answer, once."""
    found = {(one.key, one.start, one.end): one for claim in answer.claims for one in claim.citations}
    return tuple(found.values())


def _dates(answer: Answer, provision: ProvisionId) -> Json:
    shown = _shown(answer, provision)
    return validity_json(shown.validity) if shown else {"valid_from": None, "valid_to": None}


def _shown(answer: Answer, provision: ProvisionId) -> CitedProvision | None:
    shown = (*((answer.primary,) if answer.primary else ()), *(one.cited for one in answer.support))
    return next((one for one in shown if one.provision.contains(provision)), None) or next(
        (one for one in shown if provision.contains(one.provision)), None
    )


def sources_text(answer: Answer) -> str:
    """What stands behind an answer, in Markdown: sources, what else bears on it, conflicts, caveats."""
    return "\n".join(_lines(answer)).strip()


def answer_text(answer: Answer) -> str:
    """A whole answer in Markdown."""
    head = _OUTCOMES_WITHOUT_ANSWER.get(answer.outcome.value)
    text = f"**{head}.** {answer.text}" if head else answer.text
    return f"{text}\n\n{sources_text(answer)}".strip()


def _lines(answer: Answer) -> Iterator[str]:
    citations = citations_of(answer)
    yield f"Law in force on {answer.as_of.isoformat()}."
    if citations:
        yield "\n**Sources**"
        yield from (_source(answer, one) for one in citations)
    if answer.support:
        yield "\n**Beside it**" if answer.primary else "\n**Nearest provisions**"
        for support in answer.support:
            grade = "" if answer.primary else _grade(support.score)
            yield f"- {_link(support.cited.citation, support.cited.url)} — {support.relation}{grade}"
    if answer.conflicts:
        yield "\n**Conflicts**"
        yield from map(_conflict, answer.conflicts)
    if answer.caveats:
        yield "\n**Note**"
        yield from (f"- {message}" for message in dict.fromkeys(one.message for one in answer.caveats))
    failed = answer.verification.failed if answer.verification else ()
    if failed:
        yield "\n**Not borne out by the sources**"
        yield from (f"- {one.claim.text} ({one.verdict.value})" for one in failed)


def _grade(score: float) -> str:
    """A grade, cut and not rounded: what is below a line must not read as if it were on it."""
    return f", {floor(score * 10) / 10:.1f} of 10" if score > 0 else ""


def _source(answer: Answer, one: Citation) -> str:
    since = _dates(answer, one.provision)["valid_from"]
    dated = f", in force from {since}" if since else ""
    quote = " ".join(one.quote.split())
    return f"- [{one.key}] {_link(one.label, one.url)}{dated}: “{quote}”"


def _conflict(one: Conflict) -> str:
    return f"- {one.message}"


def _link(label: str, url: str) -> str:
    safe = label.replace("[", "(").replace("]", ")")
    return f"[{safe}]({url})" if url.startswith(("https://", "http://")) else safe
