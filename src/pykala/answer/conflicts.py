"""Sources that disagree on a quantity: two sentences about the same thing with different figures.

Two sentences are about the same thing when they share enough of their words; they disagree when both
give a figure in the same unit and have none in common. The higher rank prevails, then the later source,
then the more specific. Surfaced, never silently settled.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pykala.law.answers import CitedProvision, Conflict, Support
from pykala.law.authority import Authority, compare
from pykala.text.analysis import analyse, fold
from pykala.text.quantities import quantities, without_units
from pykala.text.sentences import sentences

#: (share of the shorter sentence's words that the other has too, and at least how many) from which two
#: sentences are about the same thing: less where one source refers to the other, so that they are anyway.
_SAME_SUBJECT = {True: (0.15, 2), False: (0.6, 4)}


@dataclass(frozen=True, slots=True)
class _Statement:
    """A sentence with its figures by unit and its words."""

    text: str
    figures: dict[str, frozenset[str]]
    words: frozenset[str]


def find_conflicts(
    primary: CitedProvision, texts: Mapping[str, str], support: Sequence[Support]
) -> tuple[Conflict, ...]:
    """Conflicts between the primary provision and its support, one at most with each.

    `texts` is the primary provision in each language it is held in: sentences are compared within a
    language, so that an English reader learns of a conflict with guidance that is in Finnish only.
    """
    mine = {language: list(_statements(text, language)) for language, text in texts.items()}
    found = []
    for one in support:
        other = one.cited
        if other.authority == primary.authority or other.language not in mine:
            continue
        theirs = list(_statements(other.text, other.language))
        disagreement = _disagreement(mine[other.language], theirs, linked=one.hops > 0)
        if disagreement:
            found.append(_conflict(primary, other, *disagreement))
    return tuple(found)


def _statements(whole: str, language: str) -> Iterator[_Statement]:
    for start, end in sentences(whole):
        text = whole[start:end]
        figures: dict[str, frozenset[str]] = {}
        for found in quantities(text):
            figures[found.unit] = figures.get(found.unit, frozenset()) | {found.figure}
        if figures:
            terms = analyse(without_units(text), language)
            words = frozenset(fold(term) for term in terms if not term[0].isdigit())
            yield _Statement(text, figures, words)


def _disagreement(
    mine: Sequence[_Statement], theirs: Sequence[_Statement], *, linked: bool
) -> tuple[str, frozenset[str], frozenset[str]] | None:
    """The unit and both figures of the closest pair of sentences, if those figures differ."""
    least, words = _SAME_SUBJECT[linked]
    best: tuple[float, str, frozenset[str], frozenset[str]] | None = None
    for one in mine:
        for other in theirs:
            shared = len(one.words & other.words)
            closeness = shared / max(1, min(len(one.words), len(other.words)))
            if shared < words or closeness < least:
                continue
            for unit in one.figures.keys() & other.figures.keys():
                if best is None or closeness > best[0]:
                    best = (closeness, unit, one.figures[unit], other.figures[unit])
    if best is None or best[2] & best[3]:
        return None
    return best[1:]


def _conflict(
    primary: CitedProvision, other: CitedProvision, unit: str, mine: frozenset[str], theirs: frozenset[str]
) -> Conflict:
    precedence = compare(
        Authority(primary.provision, primary.authority, primary.validity.start),
        Authority(other.provision, other.authority, other.validity.start),
    )
    primary_wins = precedence.winner.provision == primary.provision
    winner, loser = (primary, other) if primary_wins else (other, primary)
    says, against = (mine, theirs) if primary_wins else (theirs, mine)
    message = (
        f"{winner.citation} says {_list(says)} {unit}, {loser.citation} says {_list(against)} {unit};"
        f" {winner.citation} prevails ({precedence.reason})."
    )
    return Conflict(winner.provision, loser.provision, precedence.reason, message)


def _list(figures: frozenset[str]) -> str:
    return " or ".join(sorted(figures, key=lambda figure: (len(figure), figure)))
