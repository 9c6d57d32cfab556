"""Results as HTML for notebooks; text of the law is always escaped."""

from __future__ import annotations

import html
from collections.abc import Iterable

from pykala.answer.in_words import dates_in_words, grade_in_words, law_in_words, outcome_in_words
from pykala.law.answers import (
    Answer,
    CaveatKind,
    Citation,
    CitedProvision,
    Claim,
    GeneralGuidance,
    Support,
)
from pykala.law.forms import as_html
from pykala.law.provisions import Version
from pykala.text.phrases import say
from pykala.text.unseen import without_unseen
from pykala.versions.differences import Mark
from pykala.views.chronicle import Comparison, History

#: Caveats that are shown above the text they are about.
_SAID_ELSEWHERE = frozenset({CaveatKind.SAMPLE, CaveatKind.GENERAL_GUIDANCE})


@as_html.register(Answer)
def answer_html(answer: Answer) -> str:
    """The outcome, the quote in its provision, related provisions and caveats."""
    spoken = answer.language
    head = outcome_in_words(answer)
    if answer.outcome.quotes and answer.grade > 0:
        head = f"{head} · {grade_in_words(answer.grade, spoken)}"
    sample = any(one.kind is CaveatKind.SAMPLE for one in answer.caveats)
    notice = say(spoken, "shown.sample", command="pykala get") if sample else ""
    parts = [
        _element("p", f"<b>{escape(notice)}</b>") if notice else "",
        _element("p", f"<b>{escape(head)}</b> · {escape(law_in_words(answer, spoken, 'shown'))}"),
        _quoted(answer, answer.primary) if answer.primary else _element("p", escape(answer.text)),
        _list(cited_line(one.cited) for one in answer.support),
        _list(escape(one.message) for one in answer.caveats if one.kind not in _SAID_ELSEWHERE),
        _general(answer.general) if answer.general else "",
        *(answer_html(part) for part in answer.parts),
    ]
    return _element("div", "".join(parts), style="max-width:50em")


def _quoted(answer: Answer, cited: CitedProvision) -> str:
    """A provision with the answering words marked."""
    found = next((one for claim in answer.claims for one in claim.citations), None)
    text = escape(cited.text)
    if found is not None and found.provision == cited.provision:
        before, after = cited.text[: found.start], cited.text[found.end :]
        text = f"{escape(before)}<mark>{escape(found.quote)}</mark>{escape(after)}"
    return _element("p", cited_line(cited)) + _element("blockquote", text, style="white-space:pre-wrap")


def _general(guidance: GeneralGuidance) -> str:
    """General guidance in its own frame, beginning with its notice."""
    words = guidance.text.removeprefix(guidance.notice).strip()
    content = _element("p", f"<b>{escape(guidance.notice)}</b>") + _element("p", escape(words))
    return _element("aside", content, style="border:1px dashed;padding:0 1em")


@as_html.register(Support)
def support_html(support: Support) -> str:
    """A provision and why it stands beside the answer."""
    return _element("div", _element("p", escape(support.relation.value)) + cited_html(support.cited))


@as_html.register(Claim)
def claim_html(claim: Claim) -> str:
    """A sentence and the quotes that it rests on."""
    return _element("div", _element("p", escape(claim.text)) + "".join(map(citation_html, claim.citations)))


@as_html.register(Citation)
def citation_html(citation: Citation) -> str:
    """A quote below its citation."""
    words = _element("blockquote", escape(citation.quote), style="white-space:pre-wrap")
    return _element("div", _element("p", link(citation.label, citation.url)) + words)


@as_html.register(CitedProvision)
def cited_html(cited: CitedProvision) -> str:
    """A provision: citation, dates and words."""
    words = _element("blockquote", escape(cited.text), style="white-space:pre-wrap")
    return _element("div", _element("p", cited_line(cited)) + words)


def cited_line(cited: CitedProvision) -> str:
    """The citation as a link, the heading, the dates; of an upload, that it is not law."""
    spoken = cited.language
    dates = say(spoken, "shown.upload") if cited.is_upload else dates_in_words(cited.validity, spoken)
    return " · ".join(
        part for part in (link(cited.citation, cited.url), escape(cited.heading), escape(dates)) if part
    )


@as_html.register(History)
def history_html(history: History) -> str:
    """Each wording with its dates."""
    rows = (
        (dates_in_words(one.validity), one.event.value, one.text or one.heading) for one in history.versions
    )
    return _element("div", _element("p", f"<b>{escape(history.citation)}</b>") + table(rows))


@as_html.register(Version)
def version_html(version: Version) -> str:
    """A wording below its dates."""
    words = _element("blockquote", escape(version.text or version.heading), style="white-space:pre-wrap")
    return _element("div", _element("p", escape(dates_in_words(version.validity))) + words)


@as_html.register(Comparison)
def comparison_html(found: Comparison) -> str:
    """What was removed and what was added, word by word."""
    tags = {Mark.ADDED: "ins", Mark.REMOVED: "del"}
    changed = (
        _element(
            "p",
            f"<b>{escape(one.label or str(one.provision))}</b> "
            + "".join(
                _element(tags[piece.mark], escape(piece.text)) if piece.mark in tags else escape(piece.text)
                for piece in one.pieces
            ),
        )
        for one in found.changed
    )
    title = f"<b>{escape(found.citation)}</b> · {found.first} – {found.second}"
    return _element("div", _element("p", title) + "".join(changed))


def link(label: str, url: str) -> str:
    """A link to an official address; only http and https are linked."""
    if not url.startswith(("https://", "http://")):
        return escape(label)
    return f'<a href="{escape(url)}" rel="noopener noreferrer">{escape(label)}</a>'


def table(rows: Iterable[Iterable[str]]) -> str:
    """A table of text."""
    cells = ("".join(_element("td", escape(cell)) for cell in row) for row in rows)
    return _element("table", "".join(_element("tr", row) for row in cells))


def _list(items: Iterable[str]) -> str:
    made = "".join(_element("li", item) for item in items)
    return _element("ul", made) if made else ""


def _element(tag: str, inner: str, *, style: str = "") -> str:
    styled = f' style="{style}"' if style else ""
    return f"<{tag}{styled}>{inner}</{tag}>"


def escape(text: str) -> str:
    """Words as words: without markup, and without what turns other words round."""
    return html.escape(without_unseen(text))
