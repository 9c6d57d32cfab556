"""An answer as prose in Markdown, for chat clients and language models."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pykala.answer import caveats
from pykala.answer.in_words import grade_in_words, law_in_words, standing_in_words
from pykala.law.answers import (
    Answer,
    Caveat,
    CaveatKind,
    Citation,
    CitedProvision,
    Conflict,
    Outcome,
    Support,
)
from pykala.law.identifiers import ProvisionId
from pykala.text.phrases import named, say
from pykala.views.markdown import answer_words, as_words, link


def citations_of(answer: Answer) -> tuple[Citation, ...]:
    """Every citation of an answer, once."""
    found = {(one.key, one.start, one.end): one for claim in answer.claims for one in claim.citations}
    return tuple(found.values())


def shown_of(answer: Answer, provision: ProvisionId) -> CitedProvision | None:
    """The provision of an answer that contains a citation."""
    shown = (*((answer.primary,) if answer.primary else ()), *(one.cited for one in answer.support))
    return next((one for one in shown if one.provision.contains(provision)), None) or next(
        (one for one in shown if provision.contains(one.provision)), None
    )


def sources_text(answer: Answer) -> str:
    """The part after an answer in Markdown: sources, related provisions, conflicts, caveats."""
    return "\n".join(_lines(answer)).strip()


def answer_text(answer: Answer) -> str:
    """A whole answer in Markdown, in its language; several questions part by part."""
    if answer.parts:
        once = caveats.shared(answer.parts)
        sections = [
            f"### {number}. {flat(one.question)}\n\n{_text(caveats.without(one, once))}"
            for number, one in enumerate(answer.parts, start=1)
        ]
        notes = "\n".join(_notes(replace(answer, caveats=once))).strip()
        above = (*sample_notice(answer), *_understood(answer))
        return "\n\n".join((*above, *sections, *((notes,) if notes else ())))
    return "\n\n".join((*sample_notice(answer), _text(answer)))


def _text(answer: Answer) -> str:
    """The answer to one question: how it was understood, its text, and its sources."""
    text = headed_text(answer, bold=True)
    return "\n\n".join((*_understood(answer), text, *general_text(answer), sources_text(answer))).strip()


def sample_notice(answer: Answer) -> Iterator[str]:
    """The notice, above an answer from the sample, that it is not law."""
    message = next((one.message for one in answer.caveats if one.kind is CaveatKind.SAMPLE), "")
    if message:
        yield f"**{flat(message)}**"


def headed_text(answer: Answer, *, bold: bool = False) -> str:
    """An answer's text under its heading; with an upload, the notice that it is not law."""
    if answer.from_upload:
        heading = upload_notice(answer.language)
    elif answer.outcome is not Outcome.ANSWERED and bold:
        heading = f"{say(answer.language, f'prose.headed_{answer.outcome.value}')}."
    else:
        return answer_words(answer)
    return f"{f'**{heading}**' if bold else heading} {answer_words(answer)}"


def general_text(answer: Answer) -> Iterator[str]:
    """A model's general guidance under its heading, beginning with the notice that it is not law."""
    if answer.general is not None:
        yield f"**{say(answer.language, 'general.heading')}**\n\n> {flat(answer.general.text)}"


def upload_notice(spoken: str) -> str:
    """The notice for a user's own document."""
    return f"{say(spoken, 'outcome.UPLOAD')}."


def _understood(answer: Answer) -> Iterator[str]:
    """How a follow-up question was understood."""
    if answer.standalone:
        yield f"*{say(answer.language, 'shown.understood_as', question=flat(answer.standalone))}*"


def flat(text: str) -> str:
    """A foreign text on one line, escaped."""
    return as_words(" ".join(text.split()))


def _lines(answer: Answer) -> Iterator[str]:
    citations, spoken = citations_of(answer), answer.language
    yield law_in_words(answer, spoken, "prose")
    if citations:
        yield _heading("prose.sources", spoken)
        yield from (_source(answer, one) for one in citations)
    if answer.support:
        yield _heading(_beside(answer), spoken)
        yield from (_supporting(answer, one) for one in answer.support)
    if answer.conflicts:
        yield _heading("prose.conflicts", spoken)
        yield from map(_conflict, answer.conflicts)
    yield from _notes(answer)
    failed = answer.verification.failed if answer.verification else ()
    if failed:
        yield _heading("prose.failed", spoken)
        yield from (f"- {flat(one.claim.text)} ({one.verdict.value})" for one in failed)


def _notes(answer: Answer) -> Iterator[str]:
    """The caveats under their heading; general guidance carries its own, and the sample's stands above."""
    notice = answer.general.notice if answer.general else ""
    told = [one for one in caveats_told(answer) if one.kind is not CaveatKind.SAMPLE]
    messages = [one.message for one in told if one.message != notice]
    if messages:
        yield _heading("prose.note", answer.language)
        yield from (f"- {flat(message)}" for message in messages)


def _heading(key: str, spoken: str) -> str:
    return f"\n**{say(spoken, key)}**"


def caveats_told(answer: Answer) -> list[Caveat]:
    """Caveats without duplicates; a source that lost a conflict is named with the conflict."""
    distinct: dict[str, Caveat] = {}
    for one in answer.caveats:
        if one.kind is not CaveatKind.OUTRANKED:
            distinct.setdefault(one.message, one)
    return list(distinct.values())


def _beside(answer: Answer) -> str:
    if answer.primary is not None:
        return "prose.beside"
    return "prose.possibly_related" if answer.outcome is Outcome.GUIDANCE else "prose.nearest"


def _supporting(answer: Answer, support: Support) -> str:
    """A supporting provision: link, dates, relation and probability."""
    cited, spoken = support.cited, answer.language
    # Where nothing answers, all provisions are listed for the same reason, which the heading gives.
    relation = named(spoken, "relation", support.relation) if answer.primary or answer.claims else ""
    likely = grade_in_words(support.grade, spoken) if support.grade > 0 else ""
    why = ", ".join(part for part in (relation, likely) if part)
    dated = standing_in_words(cited, spoken)
    return f"- {link(cited.citation, cited.url)}, {dated}{f' — {why}' if why else ''}"


def _source(answer: Answer, one: Citation) -> str:
    shown, spoken = shown_of(answer, one.provision), answer.language
    dated = f", {standing_in_words(shown, spoken)}" if shown else ""
    named = link(one.label, one.url)
    return say(spoken, "prose.source", key=one.key, link=named, dated=dated, quote=flat(one.quote))


def _conflict(one: Conflict) -> str:
    return f"- {flat(one.message)}"
