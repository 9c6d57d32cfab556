"""Features of each candidate before ranking: one row of numbers, each between 0 and about 1.

Within a language, words and meaning both count; a candidate in another language than the question has no
words in common with it, and is judged by meaning alone (see calibration.py for how they are weighed).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pykala.law.identifiers import WorkId
from pykala.law.provisions import ProvisionKind
from pykala.retrieve.holding import holds
from pykala.retrieve.kinds import Kind
from pykala.retrieve.likeness import AskedWords, TextMatches
from pykala.retrieve.rerank import obligation
from pykala.retrieve.search import Candidate
from pykala.retrieve.shortlist import GLANCES, glance
from pykala.retrieve.wording import Figures
from pykala.stores.store import Match
from pykala.text.analysis import analyse, fold
from pykala.text.languages.known import alternatives, derived
from pykala.text.quantities import quantities
from pykala.text.sentences import sentences

Floats = NDArray[np.float32]

#: The columns, in order.
FEATURES: Final = (
    "words",  # full-text score as a share of the best candidate's
    "words_absolute",  # the same score, not as a share, in hundreds
    "meaning",  # cosine of the question and the passage
    "coverage",  # of the question's terms, the share that stands in the passage
    "likeness",  # the same, with the nearest word by meaning in place of the same word
    "section_coverage",
    "section_likeness",
    "section_matched",  # the share of the question's words that have a near match in it
    "sentence_coverage",  # the coverage of the sentence that covers most
    "sentence_likeness",
    "heading_match",  # how nearly the section's own heading is the question
    "heading_likeness",
    "heading_precision",  # the share of the heading that the question mentions
    "transitional",  # entry into force, transition, repeal, where the question asks for none of these
    "generic",  # scope, purpose, definitions
    "act_by_words",  # this act's share of the full-text scores of all candidates
    "act_by_meaning",
    "named",  # whether the question names the act
    "title",  # of the question's terms, the share that stands in the act's title
    "subject",  # the share of the act's subject, as its title states it, that the question mentions
    "authority",
    "cited",  # how often the section is cited, within its jurisdiction
    "act_cited",
    "recent",  # whether it was worded or cited within ten years
    "words_place",  # 1 for the first by words, falling to 0
    "meaning_place",
    "asked",  # cosine of the question and the questions known for the section
    "asked_place",
    "length",
    "definition",
    "figure",  # whether it gives a figure, where one is asked for; a rate counts twice
    "obligation",  # how far it lays down duties, where the question asks for one
    "reranker",
    "asked_peak",  # 1 for the section nearest by known questions, falling fast with distance
    "asked_strength",  # the same, scaled down where even the nearest section is far
    "asked_lead",  # the lead of the nearest section over the second, scaled down likewise
    "asked_high",  # how far the cosine is above one half
    "meaning_peak",
    "meaning_lead",
)
_ACT_SHARES: Final = [GLANCES.index(name) for name in ("act_by_words", "act_by_meaning")]
_STANDING: Final = [GLANCES.index(name) for name in ("cited", "act_cited", "recent")]
_PLACES: Final = [GLANCES.index(name) for name in ("words_place", "meaning_place", "asked", "asked_place")]
_OUTSTANDING: Final = 6  # columns that are computed from other columns
_RATES_AND_AMOUNTS: Final = frozenset({"percent", "euros", "dollars"})
_TIMES: Final = (Kind.PERIOD, Kind.DATE)
_MOST_OBLIGED: Final = 12.0
_STEEP: Final = 0.06  # the distance behind the nearest at which a peak has fallen to a third
_LEADS: Final = 5.0  # a lead of a fifth counts as 1
_FAR: Final = 0.3  # a cosine to known questions below this tells nothing; from twice this it counts in full
_SENTENCES: Final = 14  # the most sentences of a passage that are compared one by one
_BEFORE_SENTENCES: Final = 4  # the title, the heading, the section and the header come before them
_LONG, _LONG_SECTION = 2000, 2500  # characters


@derived
def _transitional() -> re.Pattern[str]:
    return re.compile(alternatives("headings.transitional"), re.IGNORECASE)


@derived
def _generic() -> re.Pattern[str]:
    return re.compile(alternatives("headings.generic_parts"), re.IGNORECASE)


@derived
def _instruments() -> re.Pattern[str]:
    """Words for kinds of acts, which say nothing of their subject; also as the end of a compound."""
    endings, names = alternatives("headings.instrument_endings"), alternatives("headings.instruments")
    return re.compile(rf"(?:{endings})$|^(?:{names})$")


def features(
    candidates: Sequence[Candidate],
    asked: AskedWords,
    figures: Figures,
    named: Collection[WorkId] = (),
    *,
    as_of: date,
    text: str = "",
    duty: bool = False,
    reranked: Sequence[float] = (),
) -> Floats:
    """One row per candidate; `text` is the question as asked."""
    table = np.zeros((len(candidates), len(FEATURES)), dtype=np.float32)
    if not candidates:
        return table
    matches = [one.match for one in candidates]
    heads = [match.header.rpartition(" › ")[2] for match in matches]
    words = np.array([one.words for one in candidates], dtype=np.float32)
    timely = bool(_transitional().search(text))
    read, glances = _read(candidates, asked), glance(candidates, as_of)
    table[:, : len(FEATURES) - _OUTSTANDING] = np.column_stack(
        (
            words / (words.max() or 1.0),
            words / 100,
            [one.meaning for one in candidates],
            asked.coverages(read.passage.held),
            asked.likenesses(read.passage),
            asked.coverages(read.section.held),
            asked.likenesses(read.section),
            asked.matched(read.section),
            read.sentence_coverage,
            read.sentence_likeness,
            _heading_matches(heads, read.heading, matches, asked),
            asked.likenesses(read.heading),
            read.heading.precision,
            [not timely and bool(_transitional().search(head)) for head in heads],
            [bool(_generic().search(head)) for head in heads],
            glances[:, _ACT_SHARES],
            [match.work in named for match in matches],
            asked.coverages(read.title.held),
            [_subject(match.header.partition(" › ")[0], match.language, asked) for match in matches],
            [match.authority / 100 for match in matches],
            glances[:, _STANDING],
            glances[:, _PLACES],
            [min(len(match.text), _LONG) / 1000 for match in matches],
            [match.kind is ProvisionKind.DEFINITION for match in matches],
            [_figure(match, figures) for match in matches],
            _obligations(heads, matches) if duty else np.zeros(len(matches)),
            reranked or np.zeros(len(matches)),
        )
    )
    table[:, -_OUTSTANDING:] = outstanding(table)
    return table


def _obligations(heads: Sequence[str], matches: Sequence[Match]) -> list[float]:
    """How far each candidate lays down duties, as a share of the most."""
    return [
        obligation(head, match.text, match.language) / _MOST_OBLIGED
        for head, match in zip(heads, matches, strict=True)
    ]


def outstanding(table: NDArray[np.floating]) -> Floats:
    """How far the nearest candidates stand out, by known questions and by meaning: the last columns.

    Cosines of good candidates differ by a few hundredths. Whether the nearest candidate is alone or one of
    many tells more than its cosine. Known questions tell little where even the nearest is far.
    """
    found = np.zeros((len(table), _OUTSTANDING), dtype=np.float32)
    if len(table):
        asked, meaning = table[:, FEATURES.index("asked")], table[:, FEATURES.index("meaning")]
        peak = _peak(asked)
        # In a small library the second candidate is far behind even where the nearest is a poor match.
        near = min(1.0, max(0.0, (asked.max() - _FAR) / _FAR))
        found[:, 0], found[:, 1], found[:, 2] = peak, peak * asked.max(), _lead(asked) * near
        found[:, 3] = _LEADS * np.maximum(asked - 0.5, 0.0)
        found[:, 4], found[:, 5] = _peak(meaning), _lead(meaning)
    return found


def _peak(nearness: NDArray[np.floating]) -> Floats:
    return np.where(nearness > 0, np.exp((nearness - nearness.max()) / _STEEP), 0.0).astype(np.float32)


def _lead(nearness: NDArray[np.floating]) -> Floats:
    """The lead of the nearest; 0 for all others."""
    second, first = np.partition(np.append(nearness, 0.0), -2)[-2:]
    return np.where(nearness == first, _LEADS * (first - second), 0.0).astype(np.float32)


@dataclass(frozen=True, slots=True)
class _Read:
    """How the parts of each candidate match the question, one row per candidate."""

    title: TextMatches
    heading: TextMatches
    passage: TextMatches
    section: TextMatches
    sentence_coverage: Floats  # of the sentence that covers most
    sentence_likeness: Floats


def _read(candidates: Sequence[Candidate], asked: AskedWords) -> _Read:
    """Compare the words of every candidate with the question's in one pass."""
    texts: list[tuple[str, str]] = []
    starts, ends, last = [], [], []
    for candidate in candidates:
        match = candidate.match
        parts = (
            match.header.partition(" › ")[0],
            match.header.rpartition(" › ")[2],
            match.parent_text[:_LONG_SECTION] if match.parent_text != match.text else "",
            match.header,
            *(match.text[start:end] for start, end in sentences(match.text)),
        )
        starts.append(len(texts))
        last.append(len(texts) + min(len(parts), _BEFORE_SENTENCES + _SENTENCES))
        texts += [(part, match.language) for part in parts]
        ends.append(len(texts))
    met = asked.meet(texts)
    first, end = np.array(starts, dtype=np.intp), np.array(ends, dtype=np.intp)
    coverage, likeness = (
        _most(values, first + _BEFORE_SENTENCES, np.array(last, dtype=np.intp))
        for values in (asked.coverages(met.held), asked.likenesses(met))
    )
    return _Read(
        title=met.rows(first),
        heading=met.rows(first + 1),
        passage=met.together(first + 3, end),
        section=met.together(first + 2, end),
        sentence_coverage=coverage,
        sentence_likeness=likeness,
    )


def _most(values: Floats, starts: NDArray[np.intp], ends: NDArray[np.intp]) -> Floats:
    """The largest value from each start up to its end; 0 where there is none."""
    return np.array(
        [values[start:end].max(initial=0.0) for start, end in zip(starts, ends, strict=True)],
        dtype=np.float32,
    )


def _heading_matches(
    headings: Sequence[str], words: TextMatches, matches: Sequence[Match], asked: AskedWords
) -> list[float]:
    """How similar each section's heading and the question are: the F-measure of their shared weight.

    "What are the prohibited grounds of discrimination?" asks for the section with that heading, not for the
    section on multiple grounds, which uses the same words.
    """
    found = []
    for heading, recall, match in zip(headings, asked.coverages(words.held), matches, strict=True):
        if not recall:
            found.append(0.0)
            continue
        terms = {term for term in analyse(heading, match.language) if not term[:1].isdigit()}
        precision = recall / (recall + len(terms - asked.terms.keys()) / len(asked.terms))
        found.append(float(2 * recall * precision / (recall + precision)))
    return found


def _subject(title: str, language: str, asked: AskedWords) -> float:
    """How much of an act's subject the question names: "kunta" of Kuntalaki, even if the word is common."""
    if language != asked.language:
        return 0.0
    about = _about(title, language)
    return sum(term in asked.terms for term in about) / len(about) if about else 0.0


@lru_cache(maxsize=4_096)
def _about(title: str, language: str) -> frozenset[str]:
    words = [term for term in analyse(title, language) if not any(map(str.isdigit, term))]
    return frozenset(fold(term) for term in words if not _instruments().search(term))


def _figure(match: Match, figures: Figures) -> float:
    """Raise passages with a figure in the unit asked for; more so for a rate.

    "How long" and "how much" can be answered without a figure; a question for a percentage cannot.
    """
    if not figures.wanted or not _holds(match.text, figures):
        return 0.0
    return 2.0 if figures.units == {"percent"} else 1.0


def gives_figure(match: Match, figures: Figures) -> bool:
    """Whether a section has a figure, where a rate or an amount is asked for, or a time, where a deadline is.

    "How often" and "how long" can be answered without a figure: "yearly", "until the end of the lease".
    """
    if figures.deadline:
        return any(holds(kind, one) for one in (match.text, match.parent_text) for kind in _TIMES)
    if not (figures.wanted and figures.units and figures.units <= _RATES_AND_AMOUNTS):
        return True
    return any(quantities(f"{match.text}\n{match.parent_text}"))


def _holds(text: str, figures: Figures) -> bool:
    units = {quantity.unit for quantity in quantities(text)}
    return bool(units & figures.units if figures.units else units)
