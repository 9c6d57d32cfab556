"""An answer as prose for chat clients and language models, and its citations as data beside it.

The citation contract: identifier, human citation, official address, the dates of the wording, exact quote.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import floor

from pykala.answer.record import validity_json
from pykala.law.answers import Answer, Citation, CitedProvision, Conflict, Outcome
from pykala.law.identifiers import ProvisionId
from pykala.text.phrases import decimal, retold, say

Json = dict[str, object]


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
    """A whole answer in Markdown, in its language."""
    text = answer.text
    if answer.outcome is not Outcome.ANSWERED:
        text = f"**{say(answer.language, f'prose.no_{answer.outcome.value}')}.** {text}"
    return f"{text}\n\n{sources_text(answer)}".strip()


def _lines(answer: Answer) -> Iterator[str]:
    citations, spoken = citations_of(answer), answer.language
    yield say(spoken, "prose.law_on", day=answer.as_of)
    if citations:
        yield _heading("prose.sources", spoken)
        yield from (_source(answer, one) for one in citations)
    if answer.support:
        yield _heading("prose.beside" if answer.primary else "prose.nearest", spoken)
        for support in answer.support:
            grade = "" if answer.primary else _grade(support.score, spoken)
            relation = retold(spoken, "relation", support.relation)
            yield f"- {_link(support.cited.citation, support.cited.url)} — {relation}{grade}"
    if answer.conflicts:
        yield _heading("prose.conflicts", spoken)
        yield from map(_conflict, answer.conflicts)
    if answer.caveats:
        yield _heading("prose.note", spoken)
        yield from (f"- {message}" for message in dict.fromkeys(one.message for one in answer.caveats))
    failed = answer.verification.failed if answer.verification else ()
    if failed:
        yield _heading("prose.failed", spoken)
        yield from (f"- {one.claim.text} ({one.verdict.value})" for one in failed)


def _heading(key: str, spoken: str) -> str:
    return f"\n**{say(spoken, key)}**"


def _grade(score: float, spoken: str) -> str:
    """A grade, cut and not rounded: what is below a line must not read as if it were on it."""
    shown = decimal(spoken, f"{floor(score * 10) / 10:.1f}")
    return say(spoken, "prose.grade", grade=shown) if score > 0 else ""


def _source(answer: Answer, one: Citation) -> str:
    since, spoken = _dates(answer, one.provision)["valid_from"], answer.language
    dated = say(spoken, "prose.in_force", day=str(since)) if since else ""
    quote = " ".join(one.quote.split())
    link = _link(one.label, one.url)
    return say(spoken, "prose.source", key=one.key, link=link, dated=dated, quote=quote)


def _conflict(one: Conflict) -> str:
    return f"- {one.message}"


def _link(label: str, url: str) -> str:
    safe = label.replace("[", "(").replace("]", ")")
    return f"[{safe}]({url})" if url.startswith(("https://", "http://")) else safe
