"""Measure how much of a question a text covers: by the same words, and by words of similar meaning.

Coverage is the share of the question's terms, weighted by how rare they are, that stand in a text. It
needs no model, and knows nothing of synonyms or of other languages. Likeness is the same sum with, for each
word of the question, the nearest word of the text in the embedder's space: "get out of the mortgage" is
like "prepayment of the hypothec" although they share no word. (Late interaction over static word vectors;
Khattab & Zaharia, "ColBERT", SIGIR 2020, sum such maxima over contextual ones.)
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pykala.models.embedder import AskedEmbedder, Embedder, PassageEmbedder, WordEmbedder
from pykala.text.analysis import analyse, fold, word_terms
from pykala.text.numbered import NumberedWords, Numbers, numbered_words
from pykala.text.stopwords import stop_words
from pykala.text.terms import terms_of_words
from pykala.text.tokens import words_of

Floats = NDArray[np.float32]

_NO_DIGIT = re.compile(r"\D+")
_MIDDLING = 0.5  # the nearness of a question to what is asked of some part of the right section
_NEAR = 0.6  # similarity from which two words speak of the same thing


@dataclass(frozen=True, slots=True)
class Words:
    """Matches between one text and the question: the shared terms, and the similarity of each word."""

    held: NDArray[np.bool_]  # one value per term of the question
    nearest: Floats  # per word of the question: its likeness to the text's nearest word
    precision: float  # how near the text's words are to the question's, on average


@dataclass(frozen=True, slots=True)
class TextMatches:
    """The matches of many texts, one row each."""

    held: NDArray[np.bool_]
    nearest: Floats
    precision: Floats

    def text(self, row: int) -> Words:
        """The matches of one text."""
        return Words(self.held[row], self.nearest[row], float(self.precision[row]))

    def rows(self, rows: NDArray[np.intp]) -> TextMatches:
        """The matches of some of the texts."""
        return TextMatches(self.held[rows], self.nearest[rows], self.precision[rows])

    def together(self, starts: NDArray[np.intp], ends: NDArray[np.intp]) -> TextMatches:
        """Neighbouring texts merged into one, from each start up to its end; no group is empty."""
        held = _merged(np.logical_or, self.held, starts, ends)
        return TextMatches(
            held, _merged(np.maximum, self.nearest, starts, ends), np.zeros(len(starts), dtype=np.float32)
        )


class AskedWords:
    """The words of a question, compared with texts; each distinct word of the texts is compared once.

    `meaning` is the question as the embedder reads it, where that is longer than the words compared.
    """

    def __init__(
        self,
        text: str,
        language: str,
        terms: Mapping[str, float],
        embedder: Embedder | None = None,
        meaning: str = "",
    ) -> None:
        self.language, self.terms = language, terms
        self._has_vectors = embedder is not None
        self._embedder = embedder if isinstance(embedder, WordEmbedder) else None
        self._reader = embedder if isinstance(embedder, PassageEmbedder) else None
        self._typed, self._meaning = text, meaning or text
        self._words = _telling(text, language)
        self._places = {term: place for place, term in enumerate(terms)}
        self._term_weights = np.array([*terms.values()], dtype=np.float32)
        #: The digits of each section number or amount in the question, without separators ("30 000").
        self._figures = tuple(digits for term in terms if (digits := _NO_DIGIT.sub("", term)))
        self._total = sum(terms.values())
        self._met: dict[str, _Met] = {}
        self._columns = 0
        self._similarities = np.zeros((len(self._words), 0), dtype=np.float32)
        self._holds = np.zeros((len(terms), 0), dtype=np.bool_)

    @property
    def by_meaning(self) -> bool:
        """Whether single words can be compared by meaning; not every embedder can."""
        return self._embedder is not None and bool(self._words)

    @property
    def has_vector(self) -> bool:
        """Whether the whole question can be compared with passages."""
        return self._has_vectors and bool(self._words)

    @property
    def words(self) -> int:
        """How many content words the question has."""
        return len(self._words)

    @cached_property
    def weights(self) -> Floats:
        """The weight of each word, from its rarest term; all weights sum to 1."""
        stems = word_terms(self.language)
        weights = np.array(
            [max((self._weight(term) for term in stems(word)), default=0.0) for word in self._words],
            dtype=np.float32,
        )
        total = float(weights.sum())
        return weights / total if total else np.full_like(weights, 1 / max(1, len(weights)))

    def _weight(self, term: str) -> float:
        return max(self.terms.get(term, 0.0), self.terms.get(fold(term), 0.0))

    @cached_property
    def _vectors(self) -> Floats:
        assert self._embedder is not None
        return self._embedder.word_vectors(self._words, self.language)

    def meet(self, texts: Sequence[tuple[str, str]]) -> TextMatches:
        """Compare (text, language) pairs with the question; new words are compared in one batch."""
        words = [self._words_in(language).numbers.of(text) for text, language in texts]
        lengths = np.array([len(own) for own in words], dtype=np.intp)
        numbers = np.concatenate(words) if words else np.zeros(0, dtype=np.int32)
        languages = [language for _, language in texts]
        columns = np.zeros(len(numbers), dtype=np.intp)
        for language in dict.fromkeys(languages):
            own = np.repeat([code == language for code in languages], lengths)
            columns[own] = self._compared(language, numbers[own])
        held = _of_each(np.logical_or, self._holds[:, columns], lengths).T
        if self._figures:
            self._hold_figures(held, texts)
        if not self.by_meaning:
            nothing = np.zeros((len(texts), 0), dtype=np.float32)
            return TextMatches(held, nothing, np.zeros(len(texts), dtype=np.float32))
        similar = self._similarities[:, columns]
        best = similar.max(axis=0, initial=0.0)[None]
        precision = _of_each(np.add, best, lengths)[0] / np.maximum(lengths, 1)
        return TextMatches(held, _of_each(np.maximum, similar, lengths).T, precision.astype(np.float32))

    def _hold_figures(self, held: NDArray[np.bool_], texts: Sequence[tuple[str, str]]) -> None:
        """Analyse texts that may have the question's section numbers or amounts, which span words.

        Most texts do not contain these digits in sequence, and that check is much faster than the analysis.
        """
        for row, (text, language) in enumerate(texts):
            if language != self.language:
                continue
            digits = _NO_DIGIT.sub("", text)
            if any(figure in digits for figure in self._figures):
                held[row, [self._places[one] for one in analyse(text, language) if one in self._places]] = (
                    True
                )

    def _words_in(self, language: str) -> _Met:
        met = self._met.get(language)
        if met is None:
            met = self._met[language] = _Met(numbered_words(language))
        return met

    def _compared(self, language: str, numbers: Numbers) -> NDArray[np.intp]:
        """The column of each word of a language, by number; new words are compared first."""
        met = self._words_in(language)
        columns = met.columns_of(numbers)
        fresh = np.unique(numbers[columns < 0])
        if len(fresh):
            met.columns[fresh] = np.arange(self._columns, self._columns + len(fresh))
            self._columns += len(fresh)
            self._compare(language, [met.numbers.words[number] for number in fresh])
            columns = met.columns[numbers]
        return columns

    def _compare(self, language: str, fresh: Sequence[str]) -> None:
        """Add a column for each of some words."""
        holds = np.zeros((len(self._places), len(fresh)), dtype=np.bool_)
        if language == self.language:
            terms, places = terms_of_words(language), self._places
            for column, word in enumerate(fresh):
                for term in terms[word]:
                    if term in places:
                        holds[places[term], column] = True
        self._holds = np.hstack([self._holds, holds])
        if self._embedder is None:
            return
        vectors = self._embedder.word_vectors(fresh, language)
        # These are unit vectors, so nothing overflows; some BLAS kernels set the flag because they read past
        # the end.
        with np.errstate(invalid="ignore", over="ignore"):
            compared = self._vectors @ vectors.T
        self._similarities = np.hstack([self._similarities, np.clip(compared, 0.0, 1.0)])

    def coverage(self, words: Words) -> float:
        """The share of the question's terms, by weight, that a text contains."""
        return float(self.coverages(words.held))

    def coverages(self, held: NDArray[np.bool_]) -> Floats:
        """The coverage of many texts."""
        return _weighed(held, self._term_weights) / (self._total or 1.0)

    def likeness(self, words: Words) -> float:
        """The share of the question's meaning in a text, 0–1; without an embedder, the coverage."""
        return float(_weighed(words.nearest, self.weights)) if self.by_meaning else self.coverage(words)

    def likenesses(self, met: TextMatches) -> Floats:
        """The likeness of many texts."""
        return _weighed(met.nearest, self.weights) if self.by_meaning else self.coverages(met.held)

    def matched(self, met: TextMatches) -> Floats:
        """The share of the question's words, by weight, that have a close match in each of many texts."""
        if not self.by_meaning:
            return self.coverages(met.held)
        return _weighed(met.nearest >= _NEAR, self.weights)

    def measure(self, text: str, language: str) -> float:
        """How much of the question a text covers, by the best measure for their languages."""
        words = self.meet([(text, language)]).text(0)
        if language != self.language:
            return self.likeness(words)
        return (self.coverage(words) + self.likeness(words)) / 2

    def measures(self, texts: Sequence[str], language: str) -> Floats:
        """The measure of many texts in one language."""
        met = self.meet([(text, language) for text in texts])
        likenesses = self.likenesses(met)
        if language != self.language:
            return likenesses
        return np.asarray((self.coverages(met.held) + likenesses) / 2, dtype=np.float32)

    def nearness(self, headers: Sequence[str], texts: Sequence[str]) -> Floats:
        """Similarity of each text, under its header, to the whole question; 0 without a model."""
        if self._reader is None or not texts:
            return np.zeros(len(texts), dtype=np.float32)
        return _weighed(self._reader.encode_passages(headers, texts), self._question)

    def asked_of(self, provisions: Sequence[str]) -> Floats:
        """How much nearer the question is to the known questions of each provision than to the others'.

        The value is the difference from the mean, or from a middling nearness where one provision alone has
        known questions and these are nearer; 0 for a provision without any, and without a model.
        """
        found = np.zeros(len(provisions), dtype=np.float32)
        if not isinstance(self._reader, AskedEmbedder):
            return found
        near = self._reader.near_parts(self._question, provisions, self._typed)
        known = np.flatnonzero(near)
        if len(known):
            usual = near[known].mean() if len(known) > 1 else min(_MIDDLING, float(near[known[0]]))
            found[known] = near[known] - usual
        return found

    @cached_property
    def _question(self) -> Floats:
        assert self._reader is not None
        return np.asarray(self._reader.encode([self._meaning], "query")[0], dtype=np.float32)


def _weighed(rows: NDArray[Any], weights: Floats) -> Floats:
    """`rows @ weights`, without the warning that some BLAS kernels raise falsely."""
    with np.errstate(invalid="ignore", over="ignore"):
        return np.asarray(rows @ weights, dtype=np.float32)


def _merged(
    best: np.ufunc, rows: NDArray[Any], starts: NDArray[np.intp], ends: NDArray[np.intp]
) -> NDArray[Any]:
    """Reduce the rows from each start up to its end; an end may be past the last row."""
    if not len(starts):
        return rows[:0]
    padded = np.vstack((rows, np.zeros((1, rows.shape[1]), dtype=rows.dtype)))
    bounds = np.column_stack((starts, ends)).ravel()
    return np.asarray(best.reduceat(padded, bounds, axis=0)[::2])


def _of_each(best: np.ufunc, columns: NDArray[Any], lengths: NDArray[np.intp]) -> NDArray[Any]:
    """Reduce columns text by text; zero for a text without any."""
    found = np.zeros((len(columns), len(lengths)), dtype=columns.dtype)
    some = lengths > 0
    if some.any():
        starts = (np.cumsum(lengths) - lengths)[some]
        found[:, some] = best.reduceat(columns, starts, axis=1)
    return found


def _telling(text: str, language: str) -> tuple[str, ...]:
    """The distinct content words of a question, in order."""
    idle = stop_words(language)
    return tuple(word for word in dict.fromkeys(words_of(text)) if word not in idle)


class _Met:
    """The words of one language that were compared with a question: the column of each, by number."""

    def __init__(self, numbers: NumberedWords) -> None:
        self.numbers = numbers
        self.columns = np.zeros(0, dtype=np.intp)

    def columns_of(self, numbers: Numbers) -> NDArray[np.intp]:
        """The column of each word; -1 for one that was not compared yet."""
        most = int(numbers.max(initial=-1)) + 1
        if most > len(self.columns):
            grown = np.full(max(most, len(self.numbers.words)), -1, dtype=np.intp)
            grown[: len(self.columns)] = self.columns
            self.columns = grown
        return self.columns[numbers]
