"""The embedder that ships with the package: a table of word vectors, trained on paired law.

A text's vector is the sum of its words' rows, each word once, brought to unit length. NumPy is all it
needs. How it was made, on what, and how well it does, stands in the model card (docs/models.md).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pykala.models.bundled import LANGUAGES_OF_TERMS, words
from pykala.models.bundled.words import HEADER_SHARE, RowsOfWords, language_of, printed_words_of
from pykala.models.embedder import Role
from pykala.text.analysis import LANGUAGES, word_terms
from pykala.text.analysis import fingerprint as analysis_fingerprint

_MOST_KEPT = 30_000  # vectors of single words in a language: a kilobyte each


class StaticEmbedder:
    """Word vectors, summed. `encode` gives the same bits wherever it runs on the same kind of machine."""

    def __init__(self, weights: Path) -> None:
        data = weights.read_bytes()
        # How words become rows counts as much as the rows: other rules, other vectors.
        self._digest = hashlib.sha256(data + Path(words.__file__).read_bytes()).hexdigest()[:16]
        with np.load(weights) as stored:
            scales = stored["scales"].astype(np.float32)
            self._table: NDArray[np.float32] = stored["rows"] * scales[:, None]
            vocabulary = bytes(stored["vocabulary"]).decode("utf-8").split("\n")
            self._buckets = int(stored["buckets"])
        self._vocabulary = {term: row for row, term in enumerate(vocabulary)}
        self._rows: dict[str, RowsOfWords] = {}
        self._languages: dict[str, tuple[NDArray[np.intp], NDArray[np.float32]]] = {}
        self._kept: dict[str, dict[str, NDArray[np.float32]]] = {}  # of single words, by language

    @property
    def name(self) -> str:
        """What people call it."""
        return "pykala-static"

    @property
    def dimension(self) -> int:
        """How long its vectors are."""
        return int(self._table.shape[1])

    @property
    def vocabulary(self) -> Mapping[str, int]:
        """The row of each word that has one; rows past these stand for runs of letters."""
        return self._vocabulary

    @property
    def rows(self) -> int:
        """How many rows the table has."""
        return int(self._table.shape[0])

    @cached_property
    def fingerprint(self) -> str:
        """Changes with the weights, with the analysis of words and with how words become rows."""
        return f"{self.name}-{self._digest}-{analysis_fingerprint()}"

    def encode(self, texts: Sequence[str], role: Role) -> NDArray[np.float32]:
        """Unit vectors, one row a text; a text without a known word is a zero vector."""
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for place, text in enumerate(texts):
            rows = self.rows_of(text)
            if rows:
                # Text by text: the few rows stay in the cache, which all rows of a batch would not.
                self._table.take(rows, axis=0).sum(axis=0, out=vectors[place])
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        lengths[lengths == 0] = 1.0
        vectors /= lengths
        return vectors

    def rows_of(self, text: str) -> list[int]:
        """The rows of a text's words, each once, in order: sums then come out the same in every process."""
        printed = printed_words_of(text)
        known = self._rows_in(language_of(printed, text))
        return sorted(set().union(*map(known.__getitem__, set(printed))))

    def encode_passages(self, headers: Sequence[str], texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors of passages, one row each, in which the header counts once more than its words do."""
        whole = self.encode(
            [f"{header}\n{text}" for header, text in zip(headers, texts, strict=True)], "document"
        )
        own = dict.fromkeys(headers)
        encoded = self.encode(list(own), "document")
        place = {header: row for row, header in enumerate(own)}
        whole += HEADER_SHARE * encoded[[place[header] for header in headers]]
        lengths = np.linalg.norm(whole, axis=1, keepdims=True)
        lengths[lengths == 0] = 1.0
        whole /= lengths
        return whole

    @cached_property
    def terms(self) -> tuple[str, ...]:
        """The vocabulary, in the order of its rows."""
        return tuple(self._vocabulary)

    def translated(
        self, words: Sequence[str], language: str, into: str, *, most: int = 5, least: float = 0.4
    ) -> list[dict[str, float]]:
        """For each word, the terms of another language that are nearest to it, with their likeness."""
        rows, vectors = self._terms_of(into)
        if not len(rows) or not words:
            return [{} for _ in words]
        likeness = self.word_vectors(words, language) @ vectors.T
        found: list[dict[str, float]] = []
        own, others = word_terms(language), word_terms(into)
        for word, near in zip(words, likeness, strict=True):
            if not self._is_of(own(word), language) and self._is_of(others(word), into):
                found.append(dict.fromkeys(others(word), 1.0))  # written in the other language already
                continue
            same = {word, *own(word)}  # a word that both languages write alike says nothing of the other
            best = np.argpartition(-near, min(most + 4, len(near) - 1))[: most + 4]
            ranked = sorted(
                ((self.terms[rows[at]], float(near[at])) for at in best if near[at] >= least),
                key=lambda pair: (-pair[1], pair[0]),
            )
            found.append(dict([pair for pair in ranked if pair[0] not in same][:most]))
        return found

    def _is_of(self, terms: Sequence[str], language: str) -> bool:
        """Whether a language has any of these terms."""
        bit = 1 << LANGUAGES.index(language) if language in LANGUAGES else 0
        rows = (self._vocabulary.get(term) for term in terms)
        return any(row is not None and self._bits[row] & bit for row in rows)

    @cached_property
    def _bits(self) -> NDArray[np.uint8]:
        bits: NDArray[np.uint8] = np.load(LANGUAGES_OF_TERMS)
        return bits

    def _terms_of(self, language: str) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
        """The rows of a language's words, and their unit vectors."""
        known = self._languages.get(language)
        if known is None:
            bit = 1 << LANGUAGES.index(language) if language in LANGUAGES else 0
            rows = np.flatnonzero(self._bits & bit)
            vectors = self._table[rows]
            vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
            known = self._languages[language] = rows, vectors
        return known

    def word_vectors(self, words: Sequence[str], language: str) -> NDArray[np.float32]:
        """Unit vectors, one row a word in lower case; zeros for a word without rows."""
        kept = self._kept.setdefault(language, {})
        if len(kept) > _MOST_KEPT:
            kept.clear()
        fresh = [word for word in dict.fromkeys(words) if word not in kept]
        if fresh:
            known = self._rows_in(language)
            vectors = self.sums_of([sorted(set(known[word])) for word in fresh])
            lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
            lengths[lengths == 0] = 1.0
            kept.update(zip(fresh, vectors / lengths, strict=True))
        if not words:
            return np.zeros((0, self.dimension), dtype=np.float32)
        return np.stack([kept[word] for word in words])

    def rows_of_word(self, word: str, language: str) -> tuple[int, ...]:
        """The rows of one printed word in lower case, its base form's first."""
        return self._rows_in(language)[word]

    def sums_of(self, words: Sequence[Sequence[int]]) -> NDArray[np.float32]:
        """The sum of each word's rows; a word without rows is a zero vector."""
        sums = np.zeros((len(words), self.dimension), dtype=np.float32)
        filled = [at for at, rows in enumerate(words) if rows]
        if filled:
            counts = np.array([len(words[at]) for at in filled])
            flat = np.array([row for at in filled for row in words[at]])
            sums[filled] = np.add.reduceat(self._table.take(flat, axis=0), np.cumsum(counts) - counts, axis=0)
        return sums

    def _rows_in(self, language: str) -> RowsOfWords:
        known = self._rows.get(language)
        if known is None:
            known = self._rows[language] = RowsOfWords(language, self._vocabulary, self._buckets)
        return known
