"""Grade candidates between 0 and 10, and decide whether the law answers.

A grade is ten times the measured chance that a candidate is right (see calibration.py). Only law can answer:
recitals, notes and tables of contents are left out, an upload gives way to official sources, and guidance to
the law that speaks of the same thing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import log

import numpy as np
from numpy.typing import NDArray

from pykala.law.answers import Caveat, Outcome
from pykala.law.authority import BINDING_FROM
from pykala.law.grades import ANSWERED_FROM, HIGHEST, HIGHEST_LIKELY, LIKELY_FROM, LISTED_FROM
from pykala.law.provisions import APPARATUS, ProvisionKind
from pykala.models.reranker import Reranker
from pykala.retrieve.adaptations import is_adapted, states_its_case, words_that_adapt
from pykala.retrieve.calibration import (
    Case,
    Least,
    Weighing,
    calibrated,
    leads,
    measured_limits,
    nearness,
)
from pykala.retrieve.features import FEATURES, features, gives_figure
from pykala.retrieve.likeness import AskedWords
from pykala.retrieve.options import DEFAULT_OPTIONS
from pykala.retrieve.question import Question
from pykala.retrieve.question_forms import asks_from_when
from pykala.retrieve.rerank import Reranked, asks_for_duty, read_closely
from pykala.retrieve.search import Candidate
from pykala.retrieve.shortlist import by_words, shortlisted
from pykala.retrieve.wording import NO_FIGURES, Figures, is_bare
from pykala.text.languages.known import alternatives, derived

#: A recital gives the reason for a rule; only the rule can answer.
BINDS_NOBODY = APPARATUS | {ProvisionKind.RECITAL, ProvisionKind.PREAMBLE}
# What is measured stands in the calibration file (`Limits`). These are definitions: a step between the ranks
# of the packs, "both words", "all words" and "most words" as computed shares, odds of nine to one, and the
# step below a grade.
_RANK_STEP = 15  # the rank of statutes is at least this far above rulings, and that of rulings above guidance
_MATCHED_OF_TWO, _ALL, _MOST, _JUST = 0.99, 0.999, 0.75, 0.01
_CLEAR_LEAD = log(9)
_LIKENESS, _MATCHED = FEATURES.index("section_likeness"), FEATURES.index("section_matched")
_COVERAGE, _IN_A_SENTENCE = FEATURES.index("section_coverage"), FEATURES.index("sentence_coverage")
_TRANSITION, _ASKED = FEATURES.index("transitional"), FEATURES.index("asked")
_BY_WORDS = FEATURES.index("words")  # the full-text score, as a share of the best
_NAMED = FEATURES.index("named")
_COVERED = tuple(FEATURES.index(name) for name in ("coverage", "likeness"))


@derived
def _names_itself() -> re.Pattern[str]:
    """Whether a section only states the act's short title."""
    return re.compile(alternatives("headings.short_title"), re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Graded:
    """A candidate with its coverage of the question (0–1) and its grade (0–10)."""

    candidate: Candidate
    coverage: float
    grade: float


@dataclass(frozen=True, slots=True)
class Considered:
    """Candidates that may answer, their features, and the share of the question that is known."""

    candidates: tuple[Candidate, ...]
    table: NDArray[np.float32]
    known: float
    case: Case
    words: int = 3  # how many content words the question has
    caveat: Caveat | None = None  # where the reranker could not be used
    dated: bool = False  # whether a day was asked for
    figures: Figures = NO_FIGURES  # what kind of figure was asked for
    glanced: tuple[Candidate, ...] = ()  # all candidates found, before the shortlist
    word_by_word: bool = True  # whether the embedder compares words one by one
    size: int = 0  # passages that were searched by meaning; 0: none, or not known
    abroad: bool = False  # whether another country is named, whose law may decide
    terms: frozenset[str] = frozenset()  # of the question
    bare: bool = False  # whether words alone were typed


def weights(found: Mapping[str, float]) -> dict[str, float]:
    """Weights of the question's terms; unknown terms count as rarer than any known one."""
    limits = measured_limits()
    unknown = max(limits.unknown_least, limits.unknown_times * max(found.values(), default=0.0))
    return {term: weight or unknown for term, weight in found.items()}


def known_share(found: Mapping[str, float]) -> float:
    """The share of the question's weight in words that the library knows."""
    weighed = weights(found)
    total = sum(weighed.values())
    return sum(weight for term, weight in weighed.items() if found[term]) / total if total else 0.0


def consider(
    candidates: Sequence[Candidate],
    question: Question,
    asked: AskedWords,
    known: float,
    reranker: Reranker | None = None,
    calibration: Mapping[Case, Weighing] | None = None,
    count: int = DEFAULT_OPTIONS.read,
    size: int = 0,
) -> Considered:
    """Compute the features of the best candidates that are binding law."""
    binding = tuple(one for one in candidates if one.match.words and one.match.kind not in BINDS_NOBODY)
    case = _case(binding, asked)
    glance, bare = (calibration or calibrated())[case].glance, is_bare(question.text, [question.language])
    chosen = shortlisted(binding, glance, question.as_of, count, bare=bare)
    chosen += tuple(one for one in binding if one.otherwise and one not in chosen)
    read = read_closely(chosen, reranker, question.meaning_text) if reranker else Reranked(chosen)
    named = {cited.work for cited in question.cited}
    duty = asks_for_duty(question.text)
    closely = [logit / measured_limits().highest_logit for logit in read.logits]
    table = features(
        read.candidates,
        asked,
        question.figures,
        named,
        as_of=question.as_of,
        text=question.text,
        duty=duty,
        reranked=closely,
    )
    if asks_from_when(question.text):  # such a question asks for the provisions on entry into force
        table[:, _TRANSITION] = 0.0
    words = min(len(asked.terms), asked.words)
    return Considered(
        read.candidates,
        table,
        known,
        case,
        words,
        read.caveat,
        question.dated,
        question.figures,
        binding,
        asked.by_meaning,
        size,
        question.abroad,
        frozenset(asked.terms),
        bare,
    )


def _case(candidates: Sequence[Candidate], asked: AskedWords) -> Case:
    if not asked.has_vector:
        return Case.WORDS_ONLY
    foreign = candidates and candidates[0].match.language != asked.language
    return Case.OTHER_LANGUAGE if foreign else Case.SAME_LANGUAGE


def grade(
    considered: Sequence[Considered], calibration: Mapping[Case, Weighing] | None = None
) -> tuple[Graded, ...]:
    """Order and grade the candidates of each group, best first; the first group is the law.

    Groups are graded separately: an upload does not change the grades of official law, and comes after law
    that is quoted.
    """
    law, *others = [_graded(one, (calibration or calibrated())[one.case]) for one in considered]
    beside = [graded for group in others for graded in group]
    if law and law[0].grade >= LIKELY_FROM:
        return (*law, *beside)
    return tuple(sorted((*law, *beside), key=lambda one: -one.grade))


def _graded(considered: Considered, weighing: Weighing) -> list[Graded]:
    if not considered.candidates:
        return []
    table, least = considered.table, _least(considered, weighing.least)
    order = weighing.ranked(table)
    if considered.bare:
        order = order + by_words(table[:, _BY_WORDS], table[:, _ASKED])
    first = int(np.argmax(order))
    grades = weighing.grades(table, order, considered.known)
    far = considered.size > 0 and nearness(table, considered.size) < weighing.near
    off_topic = far and not _is_a_term_of_the_law(considered)
    if off_topic:
        most = LIKELY_FROM if _stands_out(table, order, first) else LISTED_FROM
        grades = np.minimum(grades, most - _JUST)
    graded = [
        Graded(
            candidate,
            float(table[row, list(_COVERED)].max()),
            _bounded(float(grades[row]), table[row], considered, candidate, least),
        )
        for row, candidate in enumerate(considered.candidates)
    ]
    ranked = [graded[row] for row in np.argsort(-order, kind="stable")]
    says_it_all = considered.words > 1 and _alone_says_it_all(table[:, _IN_A_SENTENCE], first)
    if says_it_all and not off_topic:
        most = _bound(table[first], considered, ranked[0].candidate, least)
        if most > LIKELY_FROM:
            ranked[0] = replace(ranked[0], grade=max(ranked[0].grade, LIKELY_FROM))
    ranked = _with_named_act_first(ranked, considered)
    ranked = _with_rule_first(_with_figure_first(ranked, considered), considered)
    # A candidate cannot be likelier than the candidate ranked above it, whatever its own grade.
    most = ranked[0].grade
    return _law_before_guidance([replace(one, grade=min(one.grade, most)) for one in ranked])


def _is_a_term_of_the_law(considered: Considered) -> bool:
    """Whether the question is only a term, of one or two words, that stands in the law as it is.

    A term is too short to lie near anything by meaning. Where the law uses the term, the question is about
    law.
    """
    return considered.words <= 2 and bool((considered.table[:, _COVERAGE] >= _ALL).any())


def _stands_out(table: NDArray[np.float32], order: NDArray[np.floating], first: int) -> bool:
    """Whether the first candidate leads clearly and has most words of the question, or translations of them.

    Such a candidate has the question's subject, however far the whole question lies from it by meaning.
    Neither sign is enough alone: some candidate always leads, and many sections have the words of an everyday
    question.
    """
    return float(leads(order)[first]) >= _CLEAR_LEAD and float(table[first, _MATCHED]) >= _MOST


def _with_rule_first(ranked: list[Graded], considered: Considered) -> list[Graded]:
    """Prefer the rule of an act to its adaptation for some cases, unless the question states such a case.

    The two change places and grades. Where the rule is not among the candidates, the adaptation is only
    related.
    """
    first = ranked[0]
    match = first.candidate.match
    line = words_that_adapt(match)
    if not line or states_its_case(considered.terms, line, match.language):
        return ranked
    for at, other in enumerate(ranked[1:], start=1):
        if is_adapted(other.candidate.match, match, line):
            changed = ranked.copy()
            changed[0], changed[at] = replace(other, grade=first.grade), replace(first, grade=other.grade)
            return changed
    return [replace(first, grade=min(first.grade, LIKELY_FROM - _JUST)), *ranked[1:]]


def _with_named_act_first(ranked: list[Graded], considered: Considered) -> list[Graded]:
    """Prefer a section of an act that the question names to one of another act that is graded lower.

    A likelier section of another act stays first: an act may be named in passing ("may somebody convicted
    under the Criminal Code own a firearm?").
    """
    named = {considered.candidates[row].match.work for row in np.flatnonzero(considered.table[:, _NAMED])}
    first = ranked[0]
    if not named or first.candidate.match.work in named:
        return ranked
    likelier = (one for one in ranked[1:] if one.candidate.match.work in named and one.grade >= first.grade)
    leading = next(likelier, None)
    return ranked if leading is None else [leading, *(one for one in ranked if one is not leading)]


def _with_figure_first(ranked: list[Graded], considered: Considered) -> list[Graded]:
    """For a rate, an amount or a deadline, prefer a section of the same act that states one.

    One section may define capital income and another state its rate, with the same words in both. The two
    change places and grades where the first would be quoted and the other is likely enough beside it.
    """
    first, figures = ranked[0], considered.figures
    if first.grade < LIKELY_FROM or gives_figure(first.candidate.match, figures):
        return ranked
    limits = measured_limits()
    least = first.grade * (limits.near_for_deadline if figures.deadline else limits.near_for_figure)
    for at, other in enumerate(ranked[1 : limits.read_for_figure], start=1):
        same_act = other.candidate.match.work == first.candidate.match.work
        if same_act and other.grade >= least and gives_figure(other.candidate.match, figures):
            changed = ranked.copy()
            changed[0], changed[at] = replace(other, grade=first.grade), replace(first, grade=other.grade)
            return changed
    return ranked


def _alone_says_it_all(in_a_sentence: NDArray[np.float32], first: int) -> bool:
    """Whether only the first candidate has a sentence with every word of the question."""
    whole = in_a_sentence >= _ALL
    return bool(whole[first]) and int(whole.sum()) == 1


def _bounded(
    grade: float, row: NDArray[np.float32], considered: Considered, candidate: Candidate, least: Least
) -> float:
    """Limit the grades: a passage unlike the question is not listed, however far ahead it is."""
    if _likeness(row) < least.alike_to_list and not _is_known_by_questions(row):
        return min(grade, LISTED_FROM - _JUST)
    if grade < LIKELY_FROM:
        return grade  # gives_figure() in _bound() reads the text: only for candidates that would be quoted
    return min(grade, _bound(row, considered, candidate, least))


def _bound(row: NDArray[np.float32], considered: Considered, candidate: Candidate, least: Least) -> float:
    """The highest grade that a candidate can get.

    - Undated guidance does not answer for a date that was asked for: an authority's decision for 2018 says
      nothing about 2011.
    - A provision that only states an act's title, or its repeal or transition, answers nothing else.
    - A section without a figure where one was asked for is right in half of the cases: "the council sets the
      tax rate" does not state the rate.
    - A passage that is unlike most of the question may be right but is never sure: in a small library even a
      poor best candidate has a long lead.
    - Nothing is sure where the question names another country.
    """
    names_itself = _names_itself().search(_opening(candidate)) is not None
    if row[_TRANSITION] or names_itself or _is_undated(considered, candidate):
        return LIKELY_FROM - _JUST
    matched = float(row[_MATCHED])
    telling = least.matched_to_answer if considered.abroad else min(least.matched_to_answer, _MOST)
    if considered.words <= 2 and matched < telling and not _is_known_by_questions(row):
        return LIKELY_FROM - _JUST  # one of the question's two words is missing, for example "theft"
    if not gives_figure(candidate.match, considered.figures):
        return LIKELY_FROM
    unlike = _likeness(row) < least.alike_to_answer or matched < least.matched_to_answer
    return HIGHEST_LIKELY if unlike or considered.abroad else HIGHEST


def _is_known_by_questions(row: NDArray[np.float32]) -> bool:
    """Whether people are known to ask about it in nearly these words, which need not be the law's words."""
    return bool(row[_ASKED] >= measured_limits().known_by_questions)


def _opening(candidate: Candidate) -> str:
    return candidate.match.text[: measured_limits().opening]


def _least(considered: Considered, measured: Least) -> Least:
    """The least likeness for answering and for being listed, and the least share of matched words.

    An embedder that compares only whole texts cannot compare single words. Within a language, exact words are
    compared instead, as without an embedder; across languages nothing can be compared.
    """
    if considered.word_by_word or considered.case is Case.WORDS_ONLY:
        of_two = considered.words <= 2
        return replace(measured, matched_to_answer=_MATCHED_OF_TWO) if of_two else measured
    if considered.case is Case.SAME_LANGUAGE:
        return Least(measured.matched_to_answer, 0.0, measured.matched_to_answer)
    return Least(0.0, 0.0, 0.0)


def _likeness(row: NDArray[np.float32]) -> float:
    return float(max(row[_LIKENESS], row[_COVERAGE]))


def _is_undated(considered: Considered, candidate: Candidate) -> bool:
    """Whether it is undated guidance, while the question asks for a date.

    A statute with an unknown start is in force until it is repealed; guidance belongs to its time.
    """
    match = candidate.match
    return considered.dated and match.validity.start is None and match.authority < BINDING_FROM


def _law_before_guidance(ranked: Sequence[Graded]) -> list[Graded]:
    """Move a source of higher rank first where it answers the question as well."""
    for higher in ranked[1:]:
        first, rank = ranked[0], higher.candidate.match.authority
        if rank >= first.candidate.match.authority + _RANK_STEP and higher.coverage >= first.coverage:
            return [higher, *(one for one in ranked if one is not higher)]
    return list(ranked)


def outcome(graded: Sequence[Graded], known: float) -> Outcome:
    """Whether the best candidate answers; if not, whether the library covers the subject."""
    limits = measured_limits()
    if graded and graded[0].grade >= ANSWERED_FROM:
        return Outcome.ANSWERED
    near = bool(graded) and graded[0].candidate.asked >= limits.known_by_questions
    if graded and graded[0].grade >= LISTED_FROM and (near or known >= limits.known_to_list):
        return Outcome.LIKELY if graded[0].grade >= LIKELY_FROM else Outcome.GUIDANCE
    return Outcome.SILENT if known >= limits.known_to_cover else Outcome.OUTSIDE_CORPUS
