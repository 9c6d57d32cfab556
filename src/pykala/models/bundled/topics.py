"""A register of topics, as at the back of a law book: where to look for "notice period".

People type the name of a matter, often not the law's own. Each topic has the terms that we wrote for it in
several languages, is one vector, the mean of theirs, and belongs to a section or to one of its parts. All of
these are identified by hashes. No library keeps any of it: a new register needs no new index.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pykala.models.bundled.arrays import Product, Weights, WeightsDamaged
from pykala.models.bundled.asked import hash_of
from pykala.text.tokens import words_of

Floats = NDArray[np.float32]

#: The cosine of a question that is one of a topic's own terms. The terms lie .5 to .95 from their mean; the
#: vector of an abbreviation ("DPIA") says little.
SAME_TERM: Final = 0.95
_NEAR: Final = 0.6  # the cosine from which the section of a topic is looked at, whatever its own words are
_MOST: Final = 6  # such sections


def term_of(text: str) -> int:
    """A term as a number: a hash of its words in alphabetical order, whatever their case."""
    return hash_of(" ".join(sorted(words_of(text))))


class TopicRegister:
    """The topics of sections and of their parts."""

    def __init__(self, weights: Path, dimension: int) -> None:
        read = Weights(weights)
        self._vectors, self._scales = read.rows("topics", dimension)
        #: For each topic, the section and the provision in it that it belongs to, and the jurisdiction.
        self._sections, self._provisions = read.array("sections"), read.array("provisions")
        self._places = read.array("places")
        #: The terms in order, and the topic of each.
        self._terms, self._topics = read.array("terms"), read.array("term_topics")
        self._check(weights.name)
        self._by_provision = np.argsort(self._provisions, kind="stable")
        product = Product(self._vectors, self._scales.astype(np.float32), None)

        @lru_cache(maxsize=16)  # one question is held against the topics of several places
        def cosines_to(question: bytes) -> Floats:
            cosines: Floats = product(np.frombuffer(question, dtype=np.float32)[None, :])[0]
            return cosines

        self._cosines_to = cosines_to

    def _check(self, file: str) -> None:
        of_topics = (self._sections, self._provisions, self._places)
        if any(len(one) != len(self._vectors) for one in of_topics):
            raise WeightsDamaged(f"{file}: a section, a provision and a place a topic are needed")
        if (self._sections[1:] < self._sections[:-1]).any() or (self._terms[1:] < self._terms[:-1]).any():
            raise WeightsDamaged(f"{file}: the sections or the terms are not in order")
        if len(self._terms) != len(self._topics) or (self._topics >= len(self._vectors)).any():
            raise WeightsDamaged(f"{file}: a topic a term is needed")

    def __len__(self) -> int:
        return len(self._sections)

    def nearest(self, question: Floats, sections: Sequence[str], typed: str = "") -> Floats:
        """The cosine of a question to the nearest topic of each section; 0 where it has none."""
        return self._nearest(question, typed, len(sections), *_rows_of(sections, self._sections))

    def nearest_own(self, question: Floats, provisions: Sequence[str], typed: str = "") -> Floats:
        """The same by the topics of each provision itself, without those of its parts."""
        rows, known, first = _rows_of(provisions, self._provisions[self._by_provision])
        return self._nearest(question, typed, len(provisions), self._by_provision[rows], known, first)

    def _nearest(
        self,
        question: Floats,
        typed: str,
        count: int,
        rows: NDArray[np.intp],
        known: NDArray[np.intp],
        first: NDArray[np.intp],
    ) -> Floats:
        found = np.zeros(count, dtype=np.float32)
        if len(known):
            near = self._rows(rows) @ question
            near[np.isin(rows, self._typed(typed))] = SAME_TERM
            found[known] = np.maximum.reduceat(near, first)
        return found

    def near(self, question: Floats, typed: str, places: Collection[str]) -> NDArray[np.uint64]:
        """The names of sections with a topic near a question, nearest first.

        Of the law of some jurisdictions, or of all where none is given.
        """
        cosines = self._cosines_to(question.tobytes()).copy()
        cosines[self._typed(typed)] = SAME_TERM
        if places:
            cosines[~np.isin(self._places, list(places))] = 0.0
        rows = np.flatnonzero(cosines >= _NEAR)
        rows = rows[np.argsort(-cosines[rows], kind="stable")][: 2 * _MOST]  # a section may have several
        return np.array([*dict.fromkeys(self._sections[rows].tolist())][:_MOST], dtype=np.uint64)

    def _typed(self, text: str) -> NDArray[np.intp]:
        """The topics of which a text is one of the terms."""
        if not text:
            return np.zeros(0, dtype=np.intp)
        term = np.uint64(term_of(text))
        start, end = (int(np.searchsorted(self._terms, term, side=side)) for side in ("left", "right"))
        return self._topics[start:end].astype(np.intp)

    def _rows(self, rows: NDArray[np.intp]) -> Floats:
        return np.asarray(self._vectors[rows] * self._scales[rows, None], dtype=np.float32)


def _rows_of(
    identifiers: Sequence[str], names: NDArray[np.uint64]
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
    """The rows of all identifiers, one after another; which identifiers have any; where their rows begin."""
    wanted = np.array([hash_of(one) for one in identifiers], dtype=np.uint64)
    starts = np.searchsorted(names, wanted)
    counts = np.searchsorted(names, wanted, side="right") - starts
    known = np.flatnonzero(counts)
    counts = counts[known]
    first = np.cumsum(counts) - counts
    return np.repeat(starts[known] - first, counts) + np.arange(counts.sum()), known, first
