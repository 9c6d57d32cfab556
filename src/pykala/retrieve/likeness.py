"""How much of a question a text speaks of: by its very words, and by words that mean nearly the same.

Coverage is the share of the question's terms, weighted by how rare they are, that stand in a text. It
needs no model, and knows nothing of synonyms or of other languages. Likeness is the same sum with, for each
word of the question, the nearest word of the text in the embedder's space: "get out of the mortgage" is
like "prepayment of the hypothec" although they share no word. (Late interaction over static word vectors;
Khattab & Zaharia, "ColBERT", SIGIR 2020, sum such maxima over contextual ones.)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import or_

import numpy as np
from numpy.typing import NDArray

from pykala.models.embedder import Embedder, WordEmbedder
from pykala.text.analysis import analyse, fold, word_terms
from pykala.text.stopwords import STOP_WORDS
from pykala.text.terms import terms_of_words
from pykala.text.tokens import words_of

Floats = NDArray[np.float32]

_NEAR = 0.6  # similarity from which two words speak of the same thing


@dataclass(frozen=True, slots=True)
class Words:
    """A text's words: columns of the table of similarities, and which of the question's terms they hold."""

    columns: NDArray[np.intp]
    held: int  # one bit a term

    @classmethod
    def together(cls, parts: Sequence[Words]) -> Words:
        """The words of several texts as those of one."""
        columns = np.concatenate([part.columns for part in parts]) if parts else np.zeros(0, dtype=np.intp)
        return cls(columns, reduce(or_, (part.held for part in parts), 0))


class AskedWords:
    """A question's words, met with the words of texts; each word of a text is looked at once."""

    def __init__(
        self, text: str, language: str, terms: Mapping[str, float], embedder: Embedder | None = None
    ) -> None:
        self.language, self.terms = language, terms
        self._embedder = embedder if isinstance(embedder, WordEmbedder) else None
        self._words = _telling(text, language)
        self._bits = {term: 1 << place for place, term in enumerate(terms)}
        self._figures = any(character.isdigit() for term in terms for character in term)
        self._total = sum(terms.values())
        self._shares: dict[int, float] = {}
        self._met: dict[tuple[str, str], tuple[int, int]] = {}  # (language, word) → column, terms held
        self._similarities = np.zeros((len(self._words), 0), dtype=np.float32)

    @property
    def by_meaning(self) -> bool:
        """Whether words can be compared beyond their stems."""
        return self._embedder is not None and bool(self._words)

    @cached_property
    def weights(self) -> Floats:
        """What each word counts, in all 1: the weight of its rarest term, as in coverage."""
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

    def meet(self, texts: Sequence[tuple[str, str]]) -> list[Words]:
        """The words of (text, language) pairs; new ones are compared with the question's all at once."""
        words = [[(language, word) for word in _telling(text, language)] for text, language in texts]
        self._compare(list(dict.fromkeys(one for text in words for one in text if one not in self._met)))
        met, found = self._met, []
        for (text, language), own in zip(texts, words, strict=True):
            seen = [met[one] for one in own]
            held = reduce(or_, (bits for _, bits in seen), 0)
            if self._figures and language == self.language:  # section numbers and amounts span words
                held |= self._held_by(analyse(text, language))
            columns = np.array([column for column, _ in seen], dtype=np.intp)
            found.append(Words(columns if self._embedder else columns[:0], held))
        return found

    def _compare(self, fresh: Sequence[tuple[str, str]]) -> None:
        start, terms = len(self._met), terms_of_words(self.language)
        for place, (language, word) in enumerate(fresh, start):
            held = self._held_by(terms[word]) if language == self.language else 0
            self._met[language, word] = (place, held)
        if not fresh or self._embedder is None:
            return
        compared = np.empty((len(self._words), len(fresh)), dtype=np.float32)
        for language in dict.fromkeys(language for language, _ in fresh):
            places = [place for place, one in enumerate(fresh) if one[0] == language]
            vectors = self._embedder.word_vectors([fresh[place][1] for place in places], language)
            # Unit vectors: nothing overflows, but some BLAS kernels raise the flag for what they read past.
            with np.errstate(invalid="ignore", over="ignore"):
                compared[:, places] = self._vectors @ vectors.T
        self._similarities = np.hstack([self._similarities, np.clip(compared, 0.0, 1.0)])

    def _held_by(self, terms: Sequence[str]) -> int:
        held, bits = 0, self._bits
        for term in terms:
            if term in bits:
                held |= bits[term]
        return held

    def coverage(self, words: Words) -> float:
        """The share of the question's terms, by weight, that the words hold."""
        if not self._total:
            return 0.0
        share = self._shares.get(words.held)
        if share is None:
            held = sum(self.terms[term] for term, bit in self._bits.items() if words.held & bit)
            share = self._shares[words.held] = held / self._total
        return share

    def likeness(self, words: Words) -> float:
        """How much of the question's meaning the words hold, 0–1; without an embedder, their coverage."""
        if not self.by_meaning:
            return self.coverage(words)
        if not len(words.columns):
            return 0.0
        return float(self._similarities[:, words.columns].max(axis=1) @ self.weights)

    def matched(self, words: Words) -> float:
        """The share of the question's words, by weight, that have a near match: nothing makes up for one."""
        if not self.by_meaning:
            return self.coverage(words)
        if not len(words.columns):
            return 0.0
        return float((self._similarities[:, words.columns].max(axis=1) >= _NEAR) @ self.weights)

    def precision(self, words: Words) -> float:
        """How much of these words the question speaks of, 0–1: a heading with another topic has little."""
        if not self.by_meaning or not len(words.columns):
            return 0.0
        return float(self._similarities[:, words.columns].max(axis=0).mean())

    def measure(self, text: str, language: str) -> float:
        """How much of the question a text speaks of, by what can be compared across these languages."""
        words = self.meet([(text, language)])[0]
        if language != self.language:
            return self.likeness(words)
        return (self.coverage(words) + self.likeness(words)) / 2


def _telling(text: str, language: str) -> list[str]:
    """A text's words, each once, without those that every text has."""
    idle = STOP_WORDS.get(language, frozenset())
    return [word for word in dict.fromkeys(words_of(text)) if word not in idle]
