"""How the words of a question meet the words of each candidate: what the reranker decides on.

Each word of the question is held against the words of a candidate's heading, of the rest of its header (the
work and its chapters) and of its body, in four ways: the same base form, a shared part of a compound, shared
runs of letters (`allekirjoittaja`, `allekirjoittavat`), and nearness in the embedder's space. Words that
nearly all candidates hold tell little of which one answers ("municipality" in the Local Government Act), so a
word's share of the candidates counts beside its rarity in law at large.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pykala.models.bundled.embedder import StaticEmbedder
from pykala.models.bundled.words import language_of, printed_words_of
from pykala.text.analysis import normalise, word_terms

Floats = NDArray[np.float32]

_SEPARATOR: Final = " › "
_LABEL: Final = re.compile(r"^\s*(?:[§\d]\S*|\d+\s*[a-z]?\s*§|[IVXLC]+)\s+(?=\S)")
#: What a question says that it is not about: "appeal (not a claim for rectification)".
_EXCLUDED: Final = re.compile(r"\(\s*(?:ei|not|inte|ej|pas|non)\b[^)]*\)", re.IGNORECASE)
_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)?")
_WORD: Final = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
_MOST_ASKED: Final = 16  # words of a question
_MOST_READ: Final = 240  # words of a body
_GRAM, _GRAM_PLACES = 4, 512
_WINDOW, _STRIDE = 24, 12  # words
_KERNELS: Final = np.array([0.9, 0.75, 0.6, 0.45, 0.3, 0.15], dtype=np.float32)
_MEMO_LIMIT: Final = 200_000
_ONE_THREAD: Final = 200_000  # multiplications that OpenBLAS does in one thread
_RAREST: Final = 12.0  # of a word that no row stands for

MEETINGS: Final = 22  # numbers a word of the question and a candidate
TRAITS: Final = 10  # numbers a word of the question
STANDINGS: Final = 24  # numbers a candidate


@dataclass(frozen=True, slots=True, eq=False)
class Word:
    """A word as the reranker sees it; forms of one word are one object, so that it is its own key."""

    base: str
    terms: frozenset[str]
    rows: tuple[int, ...]
    grams: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Interactions:
    """Question words × candidates in numbers; `asked` is how many words of the question there are."""

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
    """Places of a candidate's words among all words of the call."""

    heading: list[int]
    place: list[int]
    body: list[int]


class Interacting:
    """Reads questions and candidates; keeps what it knows of words."""

    def __init__(self, embedder: StaticEmbedder, rarity: Floats) -> None:
        self._embedder, self._rarity = embedder, rarity
        self._known: dict[tuple[str, str], Word | None] = {}
        self._words: dict[tuple[object, ...], Word] = {}

    def read(self, query: str, texts: Sequence[str]) -> Interactions:
        """Hold a question against candidates, each a header line and a body, or a body alone."""
        if len(self._known) + len(self._words) >= _MEMO_LIMIT:  # not within a call: words are their own keys
            self._known.clear()
            self._words.clear()
        asked = self._asked(query)
        met: dict[Word, int] = {word: at for at, word in enumerate(asked)}
        candidates = [self._candidate(text, met) for text in texts]
        words = list(met)
        vectors = self._vectors(words)
        alike = _Likeness(asked, words, vectors)
        rarity = np.array([self._rarity_of(word) for word in words], dtype=np.float32)
        meetings = np.zeros((len(texts), len(asked), MEETINGS), dtype=np.float32)
        for at, candidate in enumerate(candidates):
            meetings[at] = _meet(candidate, alike, rarity[: len(asked)])
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
        known, found = self._known, []
        for one in printed:
            key = language, one
            word = known[key] if key in known else self._learn(language, one)
            if word is not None:
                found.append(word)
        found += [self._word(number, (number,), ()) for number in _NUMBER.findall(text)]
        return found

    def _learn(self, language: str, printed: str) -> Word | None:
        terms = [term for plain in _WORD.findall(normalise(printed)) for term in word_terms(language)(plain)]
        word = None
        if terms:
            word = self._word(terms[0], terms, self._embedder.rows_of_word(printed, language))
        self._known[language, printed] = word
        return word

    def _word(self, base: str, terms: Sequence[str], rows: tuple[int, ...]) -> Word:
        key = base, frozenset(terms), rows
        word = self._words.get(key)
        if word is None:
            word = self._words[key] = Word(base, frozenset(terms), rows, _grams(base))
        return word

    def _candidate(self, text: str, met: dict[Word, int]) -> _Candidate:
        header, newline, body = text.partition("\n")
        if not newline:
            header, body = "", text
        place, _, heading = header.rpartition(_SEPARATOR)
        printed = printed_words_of(body)
        language = language_of(printed, body)

        def places(piece: str, printed: Sequence[str]) -> list[int]:
            return [met.setdefault(word, len(met)) for word in self._words_of(printed, piece, language)]

        heading = _LABEL.sub("", heading)
        return _Candidate(
            places(heading, printed_words_of(heading)),
            places(place, printed_words_of(place)),
            places(body, printed)[:_MOST_READ],
        )

    def _vectors(self, words: Sequence[Word]) -> Floats:
        """The sum of each word's rows; a number or an unknown word is a zero vector."""
        return self._embedder.sums_of([word.rows for word in words])

    def _rarity_of(self, word: Word) -> float:
        return max((float(self._rarity[row]) for row in word.rows[:1]), default=_RAREST)

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
        # What tells the candidates apart: rare in law at large and not in every candidate.
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
        # How a candidate stands among the others: only the order within one call counts.
        compared = found[:, (0, 1, 10, 11, 14, 15, 16)]
        found[:, 17:24] = (compared - compared.mean(axis=0)) / (compared.std(axis=0) + 1e-2)
        return found


def _shares(weights: Floats) -> Floats:
    shares: Floats = weights / max(float(weights.sum()), 1e-6)
    return shares


class _Likeness:
    """Words of the question × all words of the call, four ways."""

    def __init__(self, asked: Sequence[Word], words: Sequence[Word], vectors: Floats) -> None:
        self.vectors = vectors
        unit = _unit(vectors)
        self.near: Floats = _products(unit[: len(asked)], unit)
        terms: dict[str, int] = {}
        for word in asked:
            for term in sorted(word.terms):
                terms.setdefault(term, len(terms))
        theirs = _marked(
            [[terms[term] for term in word.terms if term in terms] for word in words], len(terms)
        )
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


def _products(few: Floats, many: Floats) -> Floats:
    """`few @ many.T`, in pieces so small that no library starts threads for them, which would cost more."""
    step = max(1, _ONE_THREAD // max(1, few.size))
    found = np.empty((len(few), len(many)), dtype=np.float32)
    for start in range(0, len(many), step):
        found[:, start : start + step] = few @ many[start : start + step].T
    return found


def _marked(places: Sequence[Sequence[int]], width: int) -> Floats:
    """A row a word, with ones at its places."""
    marks = np.zeros((len(places), width), dtype=np.float32)
    rows = np.repeat(np.arange(len(places)), [len(one) for one in places])
    marks[rows, [place for one in places for place in one]] = 1.0
    return marks


def _meet(candidate: _Candidate, alike: _Likeness, rarity: Floats) -> Floats:
    """How each word of the question meets one candidate."""
    found = np.zeros((len(rarity), MEETINGS), dtype=np.float32)
    ways = (alike.same, alike.part, alike.letters, alike.near)
    if candidate.heading:
        for at, way in enumerate(ways):
            found[:, at] = way[:, candidate.heading].max(axis=1)
    if candidate.place:
        found[:, 4] = alike.part[:, candidate.place].max(axis=1)
        found[:, 5] = alike.near[:, candidate.place].max(axis=1)
    if candidate.body:
        same, part, letters, near = (way[:, candidate.body] for way in ways)
        found[:, 6] = same.max(axis=1)
        counted = same.sum(axis=1)
        found[:, 7] = counted / (counted + 0.5 + len(candidate.body) / 100)
        found[:, 8] = part.max(axis=1)
        found[:, 9] = letters.max(axis=1)
        found[:, 10] = 1.0 - np.maximum(same, 0.9 * part + 0.1 * near).argmax(axis=1) / len(candidate.body)
        found[:, 11] = near.max(axis=1)
        found[:, 12:18] = _kernels(near)
        found[:, 18:20] = _windows(np.maximum(same, np.maximum(0.8 * part, near)), rarity)
    found[:, 20] = np.maximum(found[:, 1], found[:, 8])
    found[:, 21] = np.maximum(found[:, 2], found[:, 9])
    return found


def _kernels(near: Floats) -> Floats:
    """Soft counts of words at each nearness (Xiong et al., SIGIR 2017), as logarithms."""
    pooled = np.exp(-((near[..., None] - _KERNELS) ** 2) / 0.02).sum(axis=1)
    scaled: Floats = np.log1p(pooled).astype(np.float32) * np.float32(0.4)
    return scaled


def _windows(match: Floats, rarity: Floats) -> Floats:
    """Each word's best match in the stretch of the body that covers the question best, and in its start."""
    starts = range(0, max(1, match.shape[1] - _STRIDE), _STRIDE)
    best = np.stack([match[:, start : start + _WINDOW].max(axis=1) for start in starts])
    chosen = int((best @ rarity).argmax())
    found: Floats = np.stack((best[chosen], best[0]), axis=1)
    return found


def _traits(asked: Sequence[Word], meetings: Floats, rarity: Floats, vectors: Floats) -> Floats:
    """What is known of each word of the question, apart from any one candidate."""
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
    """What is known of a candidate as a whole: how near the question it is, and how much else it says."""
    heading, place, body = candidate.heading, candidate.place, candidate.body
    every = sorted({*heading, *place, *body})
    own = alike.same.shape[0]
    return [
        _nearness(vectors, every, question),
        _nearness(vectors, heading, question),
        _nearness(vectors, sorted(set(body)), question),
        _nearness(vectors, sorted(set(body[:40])), question),
        _spoken_of(heading, alike.part, rarity, own),
        _spoken_of(heading, alike.near, rarity, own),
        _spoken_of(sorted(set(body)), alike.near, rarity, own),
        min(len(heading), 12) / 12,
        float(np.log1p(len(body))) / 6,
        1.0 if heading else 0.0,
    ]


def _nearness(vectors: Floats, places: list[int], question: Floats) -> float:
    if not places:
        return 0.0
    total = vectors[places].sum(axis=0)
    return float(total @ question / max(float(np.linalg.norm(total)), 1e-6))


def _spoken_of(places: list[int], way: Floats, rarity: Floats, asked: int) -> float:
    """How much of what a text speaks of is in the question, rare words counting more."""
    if not places or not asked:
        return 0.0
    weight = rarity[places]
    return float((way[:, places].max(axis=0) * weight).sum() / max(float(weight.sum()), 1e-6))


def _grams(base: str) -> tuple[int, ...]:
    marked = f"<{base}>"
    runs = {marked[at : at + _GRAM] for at in range(max(1, len(marked) - _GRAM + 1))}
    return tuple(sorted({zlib.crc32(run.encode()) % _GRAM_PLACES for run in runs}))


def _unit(vectors: Floats) -> Floats:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: Floats = vectors / np.maximum(lengths, 1e-6)
    return unit
