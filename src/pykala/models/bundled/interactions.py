"""How the words of a question match the words of each candidate: the input of the reranker.

Each word of the question is compared with the words of a candidate's heading, of the rest of its header (the
work and its chapters) and of its body, in four ways: the same base form, a shared part of a compound, shared
letter n-grams (`allekirjoittaja`, `allekirjoittavat`), and nearness in the embedder's space. Words that
nearly all candidates contain hardly show which one answers ("municipality" in the Local Government Act), so a
word's share of the candidates counts besides its rarity in all law.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pykala.models.bundled.embedder import DocumentTable
from pykala.models.bundled.words import language_of, printed_words_of
from pykala.text.analysis import normalise
from pykala.text.terms import stems_of_words

Floats = NDArray[np.float32]

_SEPARATOR: Final = " › "
_LABEL: Final = re.compile(r"^\s*(?:[§\d]\S*|\d+\s*[a-z]?\s*§|[IVXLC]+)\s+(?=\S)")
#: Words that exclude a subject: "appeal (not a claim for rectification)".
_EXCLUDED: Final = re.compile(r"\(\s*(?:ei|not|inte|ej|pas|non)\b[^)]*\)", re.IGNORECASE)
_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)?")
_WORD: Final = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
_MOST_ASKED: Final = 16  # the most words of a question
_MOST_READ: Final = 240  # the most words of a body
_GRAM, _GRAM_PLACES = 4, 512
_WINDOW, _STRIDE = 24, 12  # words
_KERNELS: Final = np.array([0.9, 0.75, 0.6, 0.45, 0.3, 0.15], dtype=np.float32)
_MEMO_LIMIT: Final = 200_000
_TEXTS_KEPT: Final = 4_096  # candidates whose words are cached: similar questions have the same ones
_ONE_THREAD: Final = 200_000  # the most multiplications that OpenBLAS does in one thread
_RAREST: Final = 12.0  # the rarity of a word without a row

MEETINGS: Final = 22  # features of a question word with a candidate
TRAITS: Final = 10  # features of a question word
STANDINGS: Final = 24  # features of a candidate


@dataclass(frozen=True, slots=True, eq=False)
class Word:
    """A word as the reranker sees it; all forms of a word share one object, which is its own key."""

    base: str
    terms: frozenset[str]
    rows: tuple[int, ...]
    grams: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Interactions:
    """The features of question words and candidates; `asked` is the number of question words."""

    meetings: Floats  # candidates × words × MEETINGS
    traits: Floats  # words × TRAITS
    vectors: Floats  # words × dimension
    standings: Floats  # candidates × STANDINGS

    @property
    def asked(self) -> int:
        """How many words of the question count."""
        return int(self.traits.shape[0])


@dataclass(frozen=True, slots=True)
class _Candidate:
    """The positions of a candidate's words among all words of the call."""

    heading: list[int]
    place: list[int]
    body: list[int]


_Parts = tuple[list[Word], list[Word], list[Word]]


class Interacting:
    """Computes the features of questions and candidates; caches what it knows about words."""

    def __init__(self, embedder: DocumentTable, rarity: Floats) -> None:
        self._embedder, self._rarity = embedder, rarity
        self._known: dict[str, dict[str, Word | None]] = {}  # by language and printed word
        self._words: dict[tuple[object, ...], Word] = {}
        self._texts: dict[str, _Parts] = {}

    def read(self, query: str, texts: Sequence[str]) -> Interactions:
        """Compare a question with candidates, each a header line and a body, or a body alone."""
        if (
            sum(map(len, self._known.values())) + len(self._words) >= _MEMO_LIMIT
        ):  # not within a call: words are their own keys
            self._known.clear()
            self._words.clear()
            self._texts.clear()
        if len(self._texts) >= _TEXTS_KEPT:
            self._texts.clear()
        asked = self._asked(query)
        parts = [self._parts_of(text) for text in texts]
        words = list(dict.fromkeys(chain(asked, *chain.from_iterable(parts))))
        places = dict(zip(words, range(len(words)), strict=True))
        candidates = [_Candidate(*(list(map(places.__getitem__, part)) for part in own)) for own in parts]
        vectors = self._vectors(words)
        alike = _Likeness(asked, words, vectors)
        rarity = self._rarities(words)
        meetings = _meet(candidates, alike, rarity[: len(asked)])
        traits = _traits(asked, meetings, rarity, vectors)
        standings = self._standings(candidates, meetings, alike, rarity, traits)
        return Interactions(meetings, traits, _unit(vectors[: len(asked)]), standings)

    def _asked(self, query: str) -> list[Word]:
        text = _EXCLUDED.sub(" ", query)
        printed = printed_words_of(text)
        words = self._words_of(printed, text, language_of(printed, text))
        return list(dict.fromkeys(words))[:_MOST_ASKED]

    def _words_of(self, printed: Sequence[str], text: str, language: str) -> list[Word]:
        """The words of a text in order, and the numbers in it after them."""
        known = self._known.setdefault(language, {})
        for one in set(printed).difference(known):
            known[one] = self._learn(language, one)
        found = [word for one in printed if (word := known[one]) is not None]
        found += [self._word(number, (number,), ()) for number in _NUMBER.findall(text)]
        return found

    def _learn(self, language: str, printed: str) -> Word | None:
        stems = stems_of_words(language)
        terms = [term for plain in _WORD.findall(normalise(printed)) for term in stems[plain]]
        word = None
        if terms:
            word = self._word(terms[0], terms, self._embedder.rows_of_word(printed, language))
        return word

    def _word(self, base: str, terms: Sequence[str], rows: tuple[int, ...]) -> Word:
        key = base, frozenset(terms), rows
        word = self._words.get(key)
        if word is None:
            word = self._words[key] = Word(base, frozenset(terms), rows, _grams(base))
        return word

    def _parts_of(self, text: str) -> _Parts:
        parts = self._texts.get(text)
        if parts is None:
            parts = self._texts[text] = self._parts(text)
        return parts

    def _parts(self, text: str) -> _Parts:
        """The words of a candidate's heading, of its place and of its body."""
        header, newline, body = text.partition("\n")
        if not newline:
            header, body = "", text
        place, _, heading = header.rpartition(_SEPARATOR)
        printed = printed_words_of(body)
        language = language_of(printed, body)
        heading = _LABEL.sub("", heading)
        return (
            self._words_of(printed_words_of(heading), heading, language),
            self._words_of(printed_words_of(place), place, language),
            self._words_of(printed, body, language)[:_MOST_READ],
        )

    def _vectors(self, words: Sequence[Word]) -> Floats:
        """The sum of each word's rows; a number or an unknown word is a zero vector."""
        return self._embedder.sums_of([word.rows for word in words])

    def _rarities(self, words: Sequence[Word]) -> Floats:
        first = np.array([word.rows[0] if word.rows else -1 for word in words], dtype=np.intp)
        return np.where(first < 0, np.float32(_RAREST), self._rarity[first])

    def _standings(
        self,
        candidates: Sequence[_Candidate],
        meetings: Floats,
        alike: _Likeness,
        rarity: Floats,
        traits: Floats,
    ) -> Floats:
        found = np.zeros((len(candidates), STANDINGS), dtype=np.float32)
        if not candidates or not meetings.shape[1]:
            return found
        vectors = alike.vectors
        question = _unit(vectors[: meetings.shape[1]].sum(axis=0, keepdims=True))[0]
        rare = rarity[: meetings.shape[1]]
        # The words that separate the candidates: rare in all law, and not in every candidate.
        weight = _shares(rare * (1.05 - traits[:, 1]))
        rare = _shares(rare)
        for at, candidate in enumerate(candidates):
            found[at, :10] = _standing(candidate, alike, vectors, question, rarity)
        best = np.maximum(meetings[..., 0], meetings[..., 6])  # the base form in the heading or the body
        soft = np.maximum(meetings[..., 3], meetings[..., 11])
        found[:, 10] = best @ weight
        found[:, 11] = soft @ weight
        found[:, 12] = meetings[..., 0] @ weight
        found[:, 13] = meetings[..., 7] @ weight
        found[:, 14] = best @ rare
        found[:, 15] = (0.5 * meetings[..., 0] + meetings[..., 7] + 0.3 * meetings[..., 4]) @ rare
        covered = meetings[..., 1] @ rare
        found[:, 16] = 2 * covered * found[:, 4] / (covered + found[:, 4] + 1e-6)  # the heading's F-measure
        # The rank of a candidate among the others: only the order within one call counts.
        compared = found[:, (0, 1, 10, 11, 14, 15, 16)]
        found[:, 17:24] = (compared - compared.mean(axis=0)) / (compared.std(axis=0) + 1e-2)
        return found


def _shares(weights: Floats) -> Floats:
    shares: Floats = weights / max(float(weights.sum()), 1e-6)
    return shares


class _Likeness:
    """Similarity of question words to all words of the call, in four ways."""

    def __init__(self, asked: Sequence[Word], words: Sequence[Word], vectors: Floats) -> None:
        self.vectors = vectors
        unit = _unit(vectors)
        self.near: Floats = _products(unit[: len(asked)], unit)
        terms: dict[str, int] = {}
        for word in asked:
            for term in sorted(word.terms):
                terms.setdefault(term, len(terms))
        theirs = _marked([[terms[term] for term in word.terms & terms.keys()] for word in words], len(terms))
        own = theirs[: len(asked)]
        same = np.zeros((len(asked), len(words)), dtype=np.float32)
        bases: dict[str, list[int]] = {}
        for at, word in enumerate(asked):
            bases.setdefault(word.base, []).append(at)
        for at, word in enumerate(words):
            for one in bases.get(word.base, ()):
                same[one, at] = 1.0
        self.same: Floats = same
        self.part: Floats = _products(own, theirs) / np.maximum(own.sum(axis=1, keepdims=True), 1.0)
        grams: dict[int, int] = {}
        for word in asked:
            for gram in word.grams:
                grams.setdefault(gram, len(grams))
        marks = _marked([[grams[gram] for gram in word.grams if gram in grams] for word in words], len(grams))
        counts = np.array([len(word.grams) for word in words], dtype=np.float32)
        both = _products(marks[: len(asked)], marks)
        self.letters: Floats = 2.0 * both / (counts[: len(asked), None] + counts[None, :] + 1e-6)
        #: For each word of the call, its nearness to the question.
        self.part_of_any: Floats = self.part.max(axis=0, initial=0.0)
        self.near_any: Floats = self.near.max(axis=0, initial=-1.0)


def _products(few: Floats, many: Floats) -> Floats:
    """`few @ many.T`, in pieces small enough that BLAS starts no threads, which would cost more."""
    step = max(1, _ONE_THREAD // max(1, few.size))
    found = np.empty((len(few), len(many)), dtype=np.float32)
    for start in range(0, len(many), step):
        found[:, start : start + step] = few @ many[start : start + step].T
    return found


def _marked(places: Sequence[Sequence[int]], width: int) -> Floats:
    """One row per word, with ones at its positions."""
    marks = np.zeros((len(places), width), dtype=np.float32)
    rows = np.repeat(np.arange(len(places)), [len(one) for one in places])
    marks[rows, [place for one in places for place in one]] = 1.0
    return marks


def _meet(candidates: Sequence[_Candidate], alike: _Likeness, rarity: Floats) -> Floats:
    """The features of each question word with each candidate."""
    found = np.zeros((len(candidates), len(rarity), MEETINGS), dtype=np.float32)
    ways = (alike.same, alike.part, alike.letters, alike.near)
    headings = _Side([one.heading for one in candidates])
    for at, way in enumerate(ways):
        found[:, :, at] = headings.most(way[:, headings.words])
    places = _Side([one.place for one in candidates])
    found[:, :, 4] = places.most(alike.part[:, places.words])
    found[:, :, 5] = places.most(alike.near[:, places.words])
    bodies = _Side([one.body for one in candidates])
    if len(bodies.words):
        same, part, letters, near = (way[:, bodies.words] for way in ways)
        lengths = np.maximum(bodies.lengths, 1)[:, None].astype(np.float32)
        found[:, :, 6] = bodies.most(same)
        counted = bodies.sums(same)
        found[:, :, 7] = counted / (counted + 0.5 + lengths / 100)
        found[:, :, 8] = bodies.most(part)
        found[:, :, 9] = bodies.most(letters)
        found[:, :, 10] = (
            1.0 - bodies.first_of_most(np.maximum(same, 0.9 * part + 0.1 * near)) / lengths
        ) * (bodies.lengths > 0)[:, None]
        found[:, :, 11] = bodies.most(near)
        for at, kernel in enumerate(_KERNELS):  # soft counts of words by nearness, as logarithms
            pooled = bodies.sums(np.exp(-((near - kernel) ** 2) / np.float32(0.02)))
            found[:, :, 12 + at] = np.log1p(pooled) * np.float32(0.4)
        found[:, :, 18:20] = _windows(bodies, np.maximum(same, np.maximum(0.8 * part, near)), rarity)
    found[:, :, 20] = np.maximum(found[:, :, 1], found[:, :, 8])
    found[:, :, 21] = np.maximum(found[:, :, 2], found[:, :, 9])
    return found


class _Side:
    """One side of all candidates (their headings, or their bodies) as columns side by side."""

    def __init__(self, texts: Sequence[Sequence[int]]) -> None:
        self.lengths = np.array([len(text) for text in texts], dtype=np.intp)
        self.words = np.array([word for text in texts for word in text], dtype=np.intp)
        self.starts = np.cumsum(self.lengths) - self.lengths
        self._some = self.lengths > 0

    def most(self, columns: Floats) -> Floats:
        """Candidates × question words: the largest number of each; 0 where there is no word."""
        return self._each(np.maximum, columns)

    def sums(self, columns: Floats) -> Floats:
        """Candidates × question words: the sum of each."""
        return self._each(np.add, columns)

    def first_of_most(self, columns: Floats) -> Floats:
        """Candidates × question words: the place of the first of the largest numbers."""
        places = np.arange(len(self.words), dtype=np.float32) - np.repeat(self.starts, self.lengths)
        largest = np.repeat(self.most(columns).T, self.lengths, axis=1)
        return self._each(np.minimum, np.where(columns == largest, places, np.float32(np.inf)))

    def _each(self, how: np.ufunc, columns: Floats) -> Floats:
        found = np.zeros((len(self.lengths), len(columns)), dtype=np.float32)
        if self._some.any():
            found[self._some] = how.reduceat(columns, self.starts[self._some], axis=1).T
        return found


def _windows(bodies: _Side, match: Floats, rarity: Floats) -> Floats:
    """Each word's best match in the stretch of the body that covers the question best, and in its start."""
    found = np.zeros((len(bodies.lengths), len(rarity), 2), dtype=np.float32)
    spans = [
        (at, int(start) + step, min(int(start) + step + _WINDOW, int(start + length)))
        for at, (start, length) in enumerate(zip(bodies.starts, bodies.lengths, strict=True))
        if length
        for step in range(0, max(1, int(length) - _STRIDE), _STRIDE)
    ]
    padded = np.hstack([match, np.zeros((len(match), 1), dtype=np.float32)])  # an end may be past the last
    bounds = np.array([bound for _, start, end in spans for bound in (start, end)], dtype=np.intp)
    best = np.maximum.reduceat(padded, bounds, axis=1)[:, ::2].T  # windows × question words
    covered = best @ rarity
    owners = np.array([at for at, _, _ in spans], dtype=np.intp)
    firsts = np.flatnonzero(np.diff(owners, prepend=-1))
    for first, last in zip(firsts, [*firsts[1:], len(owners)], strict=True):
        at = owners[first]
        found[at, :, 0] = best[first + int(covered[first:last].argmax())]
        found[at, :, 1] = best[first]
    return found


def _traits(asked: Sequence[Word], meetings: Floats, rarity: Floats, vectors: Floats) -> Floats:
    """Features of each question word that do not depend on a candidate."""
    found = np.zeros((len(asked), TRAITS), dtype=np.float32)
    if not asked:
        return found
    found[:, 0] = rarity[: len(asked)] / _RAREST
    if len(meetings):
        found[:, 1] = (np.maximum(meetings[..., 1], meetings[..., 8]) >= 0.99).mean(axis=0)
        found[:, 2] = np.maximum(meetings[..., 3], meetings[..., 11]).mean(axis=0)
        found[:, 3] = np.maximum(meetings[..., 0], meetings[..., 6]).max(axis=0)
        found[:, 4] = meetings[..., 0].mean(axis=0)
    found[:, 5] = np.linalg.norm(vectors[: len(asked)], axis=1)
    found[:, 6] = [min(len(word.base), 20) / 20 for word in asked]
    found[:, 7] = len(asked) / _MOST_ASKED
    found[:, 8] = np.arange(len(asked)) / len(asked)
    if len(meetings):
        found[:, 9] = meetings[..., 6].mean(axis=0)
    return found


def _standing(
    candidate: _Candidate, alike: _Likeness, vectors: Floats, question: Floats, rarity: Floats
) -> list[float]:
    """Features of a candidate as a whole: its nearness to the question, and how much else it says."""
    heading, place, body = candidate.heading, candidate.place, candidate.body
    every = sorted({*heading, *place, *body})
    distinct = sorted(set(body))
    return [
        _nearness(vectors, every, question),
        _nearness(vectors, heading, question),
        _nearness(vectors, distinct, question),
        _nearness(vectors, sorted(set(body[:40])), question),
        _spoken_of(heading, alike.part_of_any, rarity),
        _spoken_of(heading, alike.near_any, rarity),
        _spoken_of(distinct, alike.near_any, rarity),
        min(len(heading), 12) / 12,
        float(np.log1p(len(body))) / 6,
        1.0 if heading else 0.0,
    ]


def _nearness(vectors: Floats, places: list[int], question: Floats) -> float:
    if not places:
        return 0.0
    total = vectors[places].sum(axis=0)
    return float(total @ question / max(float(np.sqrt(total @ total)), 1e-6))


def _spoken_of(places: list[int], in_question: Floats, rarity: Floats) -> float:
    """The share of a text's words that are in the question; rare words count more."""
    if not places:
        return 0.0
    weight = rarity[places]
    return float((in_question[places] * weight).sum() / max(float(weight.sum()), 1e-6))


def _grams(base: str) -> tuple[int, ...]:
    marked = f"<{base}>"
    runs = {marked[at : at + _GRAM] for at in range(max(1, len(marked) - _GRAM + 1))}
    return tuple(sorted({zlib.crc32(run.encode()) % _GRAM_PLACES for run in runs}))


def _unit(vectors: Floats) -> Floats:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: Floats = vectors / np.maximum(lengths, 1e-6)
    return unit
