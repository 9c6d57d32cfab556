"""Grading candidates by how much of the question they speak of, and deciding whether the law answers.

The measure is coverage: of the question's terms, weighted by how rare they are, the share that stands
in the passage and its header. It needs no model and is the same scale for every library.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pykala.law.answers import Outcome
from pykala.law.authority import OFFICIAL_FROM
from pykala.law.provisions import APPARATUS, ProvisionKind
from pykala.retrieve.search import Candidate
from pykala.retrieve.wording import Figures
from pykala.stores.store import Match
from pykala.text.analysis import analyse
from pykala.text.quantities import quantities

#: Below this share of the question's weight, a passage is about something else.
ANSWERS_FROM = 0.5
#: Below this share, the library does not even know the question's words.
KNOWN_FROM = 0.4
#: A term that stands nowhere in the library weighs twice the rarest known one, and no less than this: a
#: question about Germany is not answered by a passage that has all its other words.
_UNKNOWN_TIMES, _UNKNOWN_LEAST = 2.0, 6.0
_AUTHORITY = 0.001  # a tie-breaker among passages that cover the question alike
_SCORE, _COVERAGE, _HEADING = 0.4, 0.35, 0.25  # what a grade is made of
_FIGURE = 0.1
#: A recital says why a rule is there; the rule is what answers.
_BINDS_NOBODY = APPARATUS | {ProvisionKind.RECITAL, ProvisionKind.PREAMBLE}
_RANK_STEP = 15  # statutes stand at least so far above rulings, and these above guidance


@dataclass(frozen=True, slots=True)
class Graded:
    """A candidate with its coverage of the question (0–1) and the grade it is ranked by."""

    candidate: Candidate
    coverage: float
    grade: float


def weights(found: Mapping[str, float]) -> dict[str, float]:
    """Weights of the question's terms; those found nowhere count as rarer than any that is found."""
    unknown = max(_UNKNOWN_LEAST, _UNKNOWN_TIMES * max(found.values(), default=0.0))
    return {term: weight or unknown for term, weight in found.items()}


def known_share(found: Mapping[str, float]) -> float:
    """How much of the question's weight is in words that the library knows."""
    weighed = weights(found)
    total = sum(weighed.values())
    return sum(weight for term, weight in weighed.items() if found[term]) / total if total else 0.0


def grade(
    candidates: Sequence[Candidate], terms: Mapping[str, float], figures: Figures
) -> tuple[Graded, ...]:
    """Order candidates by coverage and by their score in search, best first; only law can answer."""
    candidates = [candidate for candidate in candidates if candidate.match.kind not in _BINDS_NOBODY]
    best = max((candidate.score for candidate in candidates), default=0.0) or 1.0
    graded = []
    for candidate in candidates:
        match = candidate.match
        share = coverage(f"{match.header}\n{match.text}", match.language, terms)
        value = (
            _SCORE * candidate.score / best
            + _COVERAGE * share
            + _HEADING * heading_match(match.header, match.language, terms)
            + _AUTHORITY * match.authority
            + _figure_grade(match, figures)
        )
        graded.append(Graded(candidate, share, value))
    ranked = sorted(graded, key=lambda one: (_gives_way(one, graded), -one.grade))
    return tuple(_law_before_guidance(ranked))


def _law_before_guidance(ranked: Sequence[Graded]) -> list[Graded]:
    """A source of lower rank does not come first where one of higher rank speaks to the question as well."""
    for higher in ranked[1:]:
        first, rank = ranked[0], higher.candidate.match.authority
        if rank >= first.candidate.match.authority + _RANK_STEP and higher.coverage >= first.coverage:
            return [higher, *(one for one in ranked if one is not higher)]
    return list(ranked)


def _gives_way(one: Graded, graded: Sequence[Graded]) -> bool:
    """An upload, however well it repeats the question, comes after official sources that answer it."""
    return one.candidate.match.authority < OFFICIAL_FROM and any(
        other.candidate.match.authority >= OFFICIAL_FROM and other.coverage >= ANSWERS_FROM
        for other in graded
    )


def _figure_grade(match: Match, figures: Figures) -> float:
    """Where a figure is asked for, a passage that gives one in that unit rises, and a definition sinks."""
    if not figures.wanted:
        return 0.0
    if match.kind is ProvisionKind.DEFINITION:
        return -_FIGURE
    units = {quantity.unit for quantity in quantities(match.text)}
    return _FIGURE if units & figures.units or (units and not figures.units) else 0.0


def heading_match(header: str, language: str, terms: Mapping[str, float]) -> float:
    """How nearly a section's own heading is the question: the F-measure of their shared weight.

    "What are the prohibited grounds of discrimination?" is the section headed so, not the one on
    multiple grounds that speaks of the same things.
    """
    heading = set(analyse(header.rpartition(" › ")[2], language))
    words = {term for term in heading if not term[:1].isdigit()}
    shared = sum(weight for term, weight in terms.items() if term in words)
    if not shared:
        return 0.0
    typical = sum(terms.values()) / len(terms)
    beyond = typical * len(words - terms.keys())
    recall, precision = shared / sum(terms.values()), shared / (shared + beyond)
    return 2 * recall * precision / (recall + precision)


def coverage(text: str, language: str, terms: Mapping[str, float]) -> float:
    """The share of the terms' weight that stands in a text."""
    total = sum(terms.values())
    if not total:
        return 0.0
    there = set(analyse(text, language))
    return sum(weight for term, weight in terms.items() if term in there) / total


def outcome(graded: Sequence[Graded], known: float) -> Outcome:
    """Whether the best candidate answers, and if not, whether the library could have known."""
    if graded and graded[0].coverage >= ANSWERS_FROM:
        return Outcome.ANSWERED
    return Outcome.SILENT if known >= KNOWN_FROM else Outcome.OUTSIDE_CORPUS
