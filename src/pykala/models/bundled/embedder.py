"""The embedder that ships with the package: two towers in one space.

A table of word vectors encodes documents: the sum of their words' rows, each word once, with separate weights
for a body and a header, normalised to unit length. A small transformer (tower.py), trained together with the
table, encodes questions. Both need only NumPy; faster kernels take part where they are installed. The model
card says how they were made, on what data, and how well they do (docs/models.md).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pykala.models.bundled import LANGUAGES_OF_TERMS, OWN_EMBEDDER, fingerprint_of
from pykala.models.bundled.arrays import WeightsDamaged
from pykala.models.bundled.asked import AskedSections
from pykala.models.bundled.topics import TopicRegister
from pykala.models.bundled.tower import Kernel, QuestionTower
from pykala.models.bundled.words import RowsOfWords, language_of, printed_words_of
from pykala.models.embedder import Role
from pykala.text.analysis import LANGUAGES, word_terms

_MOST_KEPT = 30_000  # vectors of single words in a language: a kilobyte each
_MOST_TRANSLATED: Final = 20_000  # words kept with their translations
_MOST_ROWS: Final = 12  # the most rows of one word of a question
SEPARATOR: Final = " › "
#: "124 §", "§ 11-604", "Article 6": the number of a section does not show what it is about.
LABEL: Final = re.compile(r"^\s*(?:§ ?)?[\d.\-a-z]*\s*§?\s*")


class TwoTowers:
    """The embedder of the package: a transformer for questions, a table for documents.

    For some sections it also knows the questions that people ask, and the topics that they type.
    """

    def __init__(
        self,
        table: Path,
        tower: Path,
        asked: Path | None = None,
        topics: Path | None = None,
        *,
        kernel: Kernel | None = None,
    ) -> None:
        self.table = DocumentTable(table)
        self._tower = QuestionTower(tower, kernel)
        self._files = (table, tower, *((asked,) if asked else ()))
        self._asked = AskedSections(asked, self.dimension) if asked else None
        self._topics = TopicRegister(topics, self.dimension) if topics else None

    @property
    def name(self) -> str:
        """What people call it."""
        return OWN_EMBEDDER

    @property
    def dimension(self) -> int:
        """How long its vectors are."""
        return self.table.dimension

    @cached_property
    def fingerprint(self) -> str:
        """Changes with the weights, the analysis of words, and the mapping of words to numbers."""
        return fingerprint_of(*self._files)

    @cached_property
    def documents_fingerprint(self) -> str:
        """Changes with the table, which alone reads documents."""
        return fingerprint_of(self._files[0])

    def encode(self, texts: Sequence[str], role: Role) -> NDArray[np.float32]:
        """Unit vectors, one row per text; a document without a known word is a zero vector."""
        if role == "document":
            return self.table.encode(texts)
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        return np.stack([self._tower.vector(self.states(text)) for text in texts])

    def states(self, question: str) -> NDArray[np.float32]:
        """The contextual vector of each token of a question, one row each."""
        return self._read(question)

    @cached_property
    def _read(self) -> Callable[[str], NDArray[np.float32]]:
        """Encode a question; the last few are cached, because the same question is searched several times."""

        @lru_cache(maxsize=64)
        def read(text: str) -> NDArray[np.float32]:
            language = language_of(printed_words_of(text), text)
            return self._tower.read(text, partial(self.table.known_vectors, language=language))

        return read

    def encode_passages(self, headers: Sequence[str], texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors of passages, one row each."""
        return self.table.encode_passages(headers, texts)

    def knows_questions_of(self, work: str) -> bool:
        """Whether it knows questions of any section of a work."""
        return self._asked is not None and self._asked.knows(work)

    def asked_of(self, provisions: Sequence[str]) -> NDArray[np.float32]:
        """The vector of the known questions of each section or subsection; zeros where there are none."""
        if self._asked is None:
            return np.zeros((len(provisions), self.dimension), dtype=np.float32)
        return self._asked.of(provisions)

    def near_parts(
        self, question: NDArray[np.float32], parts: Sequence[str], typed: str = ""
    ) -> NDArray[np.float32]:
        """The cosine of a question to what is asked of each part of a section; 0 where nothing is known."""
        near = self.asked_of(parts) @ question
        if self._topics is not None:
            near = np.maximum(near, self._topics.nearest_own(question, parts, typed))
        return np.asarray(near, dtype=np.float32)

    def nearest_part(
        self, question: NDArray[np.float32], sections: Sequence[str], typed: str = ""
    ) -> NDArray[np.float32]:
        """The cosine of a question to each section's nearest subsection or topic; else 0."""
        near = np.zeros(len(sections), dtype=np.float32)
        if self._asked is not None:
            near = self._asked.nearest_part(question, sections)
        if self._topics is not None:
            near = np.maximum(near, self._topics.nearest(question, sections, typed))
        return near

    def asked_by_topic(
        self, question: NDArray[np.float32], typed: str, places: Collection[str]
    ) -> NDArray[np.float32]:
        """The vectors of known questions of sections with a near topic, nearest first."""
        if self._asked is None or self._topics is None:
            return np.zeros((0, self.dimension), dtype=np.float32)
        found = self._asked.named(self._topics.near(question, typed, places))
        return found[found.any(axis=1)]

    def word_vectors(self, words: Sequence[str], language: str) -> NDArray[np.float32]:
        """Unit vectors, one row per word in lower case; zeros for a word without rows."""
        return self.table.word_vectors(words, language)

    def translated(self, words: Sequence[str], language: str, into: str) -> list[dict[str, float]]:
        """For each word, the terms of another language that are nearest to it, with their likeness."""
        return self.table.translated(words, language, into)


class DocumentTable:
    """Sums of word vectors. `encode` gives the same bits on every machine of the same kind."""

    def __init__(self, weights: Path) -> None:
        try:
            # Open the file here: np.load leaves it open if it is not an archive.
            with weights.open("rb") as file, np.load(file) as stored:
                scales = stored["scales"].astype(np.float32)
                self._table: NDArray[np.float32] = stored["rows"] * scales[:, None]
                vocabulary = bytes(stored["vocabulary"]).decode("utf-8").split("\n")
                self._buckets = int(stored["buckets"])
                #: The weight of each row in a body and in a header.
                self._body = stored["body"].astype(np.float32)
                self._header = stored["header"].astype(np.float32)
        # A truncated, foreign or missing file: zipfile and NumPy raise many kinds of errors.
        except Exception as error:
            raise WeightsDamaged(f"{weights.name} cannot be read: {error}") from error
        if not len(self._table) == len(self._body) == len(self._header) == len(vocabulary) + self._buckets:
            raise WeightsDamaged(f"{weights.name}: a weight a row and a row a word are needed")
        self.digest = hashlib.sha256(weights.read_bytes()).hexdigest()[:16]
        self._vocabulary = {term: row for row, term in enumerate(vocabulary)}
        self._rows: dict[str, RowsOfWords] = {}
        self._languages: dict[str, tuple[NDArray[np.intp], NDArray[np.float32]]] = {}
        #: Words that were translated: by both languages and the limits, then by word.
        self._translated: dict[tuple[str, str, int, float], dict[str, dict[str, float]]] = {}
        self._kept: dict[str, dict[str, NDArray[np.float32]]] = {}  # of single words, by language

    @property
    def dimension(self) -> int:
        """How long its vectors are."""
        return int(self._table.shape[1])

    @property
    def vocabulary(self) -> Mapping[str, int]:
        """Each word with its row; the rows after these are for letter n-grams."""
        return self._vocabulary

    @property
    def rows(self) -> int:
        """How many rows the table has."""
        return int(self._table.shape[0])

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors of bodies, one row per text; a text without a known word is a zero vector."""
        return self.encode_passages([""] * len(texts), texts)

    def encode_passages(self, headers: Sequence[str], texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors of passages, one row each: rows of the body and of the header, each by its weight."""
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for place, (header, text) in enumerate(zip(headers, texts, strict=True)):
            body = self.rows_of(text) if text else []
            above = self._rows_of_header(header) if header else ()
            if body or above:
                # Sum text by text: the few rows of a text stay in the cache, which all rows of a batch would
                # not.
                rows = np.array([*body, *above], dtype=np.intp)
                weights = self._body[rows]
                weights[len(body) :] = self._header[rows[len(body) :]]
                vectors[place] = weights @ self._table.take(rows, axis=0)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        lengths[lengths == 0] = 1.0
        vectors /= lengths
        return vectors

    def rows_of(self, text: str) -> list[int]:
        """The rows of a text's words, each once, in order, so that sums are the same in every process."""
        printed = printed_words_of(text)
        known = self._rows_in(language_of(printed, text))
        return sorted(set().union(*map(known.__getitem__, set(printed))))

    @cached_property
    def _rows_of_header(self) -> Callable[[str], tuple[int, ...]]:
        """The rows of a header: of the act and its chapters, and of the section's own heading."""

        @lru_cache(maxsize=50_000)  # all passages of a section share a header
        def rows_of_header(header: str) -> tuple[int, ...]:
            place, _, heading = header.rpartition(SEPARATOR)
            printed = printed_words_of(header)
            known = self._rows_in(language_of(printed, header))
            parts = (place, LABEL.sub("", heading)) if place else (header,)
            return tuple(
                row
                for part in parts
                for row in sorted(set().union(*map(known.__getitem__, set(printed_words_of(part)))))
            )

        return rows_of_header

    def known_vectors(self, words: Sequence[str], language: str) -> NDArray[np.float32]:
        """Unit vectors of a question's words as the tower was trained with them; zeros for numbers."""
        known = self._rows_in(language)
        rows = [
            tuple(dict.fromkeys(known[word]))[:_MOST_ROWS] if any(map(str.isalpha, word)) else ()
            for word in words
        ]
        vectors = self.sums_of(rows)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        lengths[lengths == 0] = 1.0
        return np.asarray(vectors / lengths, dtype=np.float32)

    @cached_property
    def terms(self) -> tuple[str, ...]:
        """The vocabulary, in the order of its rows."""
        return tuple(self._vocabulary)

    def translated(
        self, words: Sequence[str], language: str, into: str, *, most: int = 5, least: float = 0.4
    ) -> list[dict[str, float]]:
        """For each word, the terms of another language that are nearest to it, with their likeness."""
        known = self._translated.setdefault((language, into, most, least), {})
        found = {word: known[word] for word in words if word in known}
        missing = [word for word in dict.fromkeys(words) if word not in found]
        if missing:
            found |= zip(missing, self._translate(missing, language, into, most, least), strict=True)
            if len(known) >= _MOST_TRANSLATED:
                known = self._translated[
                    language, into, most, least
                ] = {}  # other threads keep the one they have
            known |= found
        return [dict(found[word]) for word in words]

    def _translate(
        self, words: Sequence[str], language: str, into: str, most: int, least: float
    ) -> Iterator[dict[str, float]]:
        rows, vectors = self._terms_of(into)
        if not len(rows):
            yield from ({} for _ in words)
            return
        likeness = self.word_vectors(words, language) @ vectors.T
        own, others = word_terms(language), word_terms(into)
        for word, near in zip(words, likeness, strict=True):
            if not self._is_of(own(word), language) and self._is_of(others(word), into):
                yield dict.fromkeys(others(word), 1.0)  # already a word of the other language
                continue
            same = {word, *own(word)}  # a word spelled alike in both languages does not help
            best = np.argpartition(-near, min(most + 4, len(near) - 1))[: most + 4]
            ranked = sorted(
                ((self.terms[rows[at]], float(near[at])) for at in best if near[at] >= least),
                key=lambda pair: (-pair[1], pair[0]),
            )
            yield dict([pair for pair in ranked if pair[0] not in same][:most])

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
        """Unit vectors, one row per word in lower case; zeros for a word without rows."""
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
        # As np.stack, without a view of each of some hundred vectors.
        return np.concatenate([kept[word] for word in words]).reshape(len(words), self.dimension)

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
