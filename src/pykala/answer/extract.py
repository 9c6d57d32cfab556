"""Extracting an answer without a model: the provision to the subsection, and its sentence that answers."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pykala.law.composition import Composed, compose
from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import Provision, ProvisionKind
from pykala.retrieve.grade import coverage
from pykala.text.sentences import sentences

#: Kinds that are cited as they are; what lies below them (items, flush text) is read with them.
CITABLE = frozenset(ProvisionKind) - {
    ProvisionKind.ITEM,
    ProvisionKind.FLUSH,
    ProvisionKind.TABLE,
    ProvisionKind.FORMULA,
    ProvisionKind.FOOTNOTE,
    ProvisionKind.HISTORICAL_NOTE,
}
_FIGURE = re.compile(r"\d")
_FIGURE_BONUS = 0.35  # a sentence with a figure, where a figure was asked for


def pinpoint(
    section: Provision, terms: Mapping[str, float], language: str, *, asks_for_figure: bool
) -> ProvisionId:
    """The innermost citable provision of a section that holds the sentence which answers best."""
    composed = compose(section)
    start, end = best_sentence(composed.text, terms, language, asks_for_figure=asks_for_figure)
    inner = composed.provision_at(start, end)
    return _citable(section, composed, inner)


def best_sentence(
    text: str, terms: Mapping[str, float], language: str, *, asks_for_figure: bool
) -> tuple[int, int]:
    """The span of the sentence that covers most of the question; the first one of equals."""
    spans = sentences(text)
    if not spans:
        return 0, len(text)

    def worth(span: tuple[int, int]) -> float:
        sentence = text[span[0] : span[1]]
        figure = _FIGURE_BONUS if asks_for_figure and _FIGURE.search(sentence) else 0.0
        return coverage(sentence, language, terms) + figure

    return max(spans, key=worth)


def _citable(section: Provision, composed: Composed, inner: ProvisionId) -> ProvisionId:
    kinds = {provision.id: provision.kind for provision in section.walk()}
    while inner != section.id and section.id.contains(inner):
        if kinds.get(inner) in CITABLE:
            return inner
        inner = inner.parent
    return section.id
