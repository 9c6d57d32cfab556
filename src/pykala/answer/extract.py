"""Extracting an answer without a model: the provision to the subsection, and its sentence that answers."""

from __future__ import annotations

from pykala.law.composition import Composed, compose
from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import Provision, ProvisionKind
from pykala.retrieve.likeness import AskedWords
from pykala.retrieve.wording import Figures
from pykala.text.quantities import quantities
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
#: What editors put below a section: it says when the law changed, and answers nothing.
_BESIDE_THE_LAW = frozenset({ProvisionKind.FOOTNOTE, ProvisionKind.HISTORICAL_NOTE})
_ENDS = frozenset('.!?…|”»")')
_LONGEST_QUOTE = 700
#: What a sentence gains, where a figure was asked for, by a figure in the unit asked for, or by any.
_FIGURE_ASKED, _FIGURE = 0.35, 0.15


def pinpoint(section: Provision, asked: AskedWords, language: str, *, figures: Figures) -> ProvisionId:
    """The innermost citable provision of a section that holds the sentence which answers best."""
    composed = compose(section)
    start, end = best_sentence(composed, asked, language, figures=figures)
    inner = composed.provision_at(start, end)
    return _citable(section, composed, inner)


def best_sentence(
    composed: Composed, asked: AskedWords, language: str, *, figures: Figures
) -> tuple[int, int]:
    """The span of the sentence that covers most of the question; the first one of equals."""
    text = composed.text

    def worth(span: tuple[int, int]) -> float:
        sentence = text[span[0] : span[1]]
        return asked.measure(sentence, language) + _figure_bonus(sentence, figures)

    return max(_of_the_law(composed), key=worth)


def first_sentence(composed: Composed) -> tuple[int, int]:
    """The span that a provision begins with: what is shown of a place that was only cited."""
    return _of_the_law(composed)[0]


def _of_the_law(composed: Composed) -> list[tuple[int, int]]:
    """The spans of the sentences, but for those in notes; the whole text where there is no other."""
    notes = [(line.start, line.end) for line in composed.lines if line.kind in _BESIDE_THE_LAW]
    spans = [
        span for span in sentences(composed.text) if not any(start <= span[0] < end for start, end in notes)
    ]
    return spans or [(0, len(composed.text))]


def whole_statement(text: str, start: int, end: int) -> tuple[int, int]:
    """A sentence with the list that it introduces: "a bank means" says nothing without its items."""
    while end < len(text) and text[start:end].rstrip()[-1:] not in _ENDS:
        line_end = text.find("\n", end + 1)
        further = len(text) if line_end < 0 else line_end
        if further - start > _LONGEST_QUOTE:
            break
        end = further
    return start, end


def _figure_bonus(sentence: str, figures: Figures) -> float:
    if not figures.wanted:
        return 0.0
    units = {quantity.unit for quantity in quantities(sentence)}
    if units & figures.units or (units and not figures.units):
        return _FIGURE_ASKED
    return _FIGURE if any(character.isdigit() for character in sentence) else 0.0


def _citable(section: Provision, composed: Composed, inner: ProvisionId) -> ProvisionId:
    kinds = {provision.id: provision.kind for provision in section.walk()}
    while inner != section.id and section.id.contains(inner):
        if kinds.get(inner) in CITABLE:
            return inner
        inner = inner.parent
    return section.id
