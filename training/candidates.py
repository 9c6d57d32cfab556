"""Questions with the candidates that search gives for them: what the reranker is trained on.

    python -m training.candidates fi.json.xz --weights table.npz --rarity rarity.npy
        --questions 16000 --written --processes 4 --out fi.npz

Candidates are the best 30 by words and meaning, from the sections of all works that may be trained on, or,
for half of the questions, from the question's own work, where every passage is on much the same subject.
"""

from __future__ import annotations

import argparse
import json
import lzma
import math
import multiprocessing
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pykala.models.bundled import TOWER_WEIGHTS
from pykala.models.bundled.embedder import TwoTowers
from pykala.models.bundled.interactions import MEETINGS, STANDINGS, TRAITS, Interacting, Interactions
from pykala.text.analysis import analyse
from training.asked import SEED, Asked, Maker, Section
from training.written import Written, by_name, read_written

DEPTH = 30
WORDS = 16
FEWEST_IN_WORK = 24
EASY = 0.4  # share of the questions kept whose right passage search puts first


class Search:
    """Words (BM25) and meaning over passages, whole or within one work."""

    def __init__(self, pool: Sequence[Section], language: str, embedder: TwoTowers) -> None:
        self.pool, self._language, self._embedder = pool, language, embedder
        self._vectors = embedder.encode([one.text() for one in pool], "document")
        counts: list[Counter[str]] = [Counter(analyse(one.text(), language)) for one in pool]
        lengths = np.array([sum(one.values()) for one in counts], dtype=np.float32)
        self._norms = 1.2 * (0.25 + 0.75 * lengths / max(float(lengths.mean()), 1.0))
        postings: dict[str, list[tuple[int, int]]] = {}
        for number, terms in enumerate(counts):
            for term, times in terms.items():
                postings.setdefault(term, []).append((number, times))
        self._postings = {term: np.array(found, dtype=np.int32) for term, found in postings.items()}
        self.works: dict[str, NDArray[np.int32]] = {}
        grouped: dict[str, list[int]] = {}
        for number, one in enumerate(pool):
            grouped.setdefault(one.work, []).append(number)
        self.works = {work: np.array(found, dtype=np.int32) for work, found in grouped.items()}

    def rarity(self) -> dict[str, float]:
        """How rare each term is among the passages."""
        return {term: math.log(len(self.pool) / len(found)) for term, found in self._postings.items()}

    def best(self, question: str, within: str | None, share: float) -> list[int]:
        """The best passages; `share` is what meaning counts."""
        words = np.zeros(len(self.pool), dtype=np.float32)
        for term in set(analyse(question, self._language)):
            found = self._postings.get(term)
            if found is not None:
                numbers, times = found[:, 0], found[:, 1].astype(np.float32)
                weight = math.log(1 + (len(self.pool) - len(found) + 0.5) / (len(found) + 0.5))
                words[numbers] += weight * times * 2.2 / (times + self._norms[numbers])
        vector = self._embedder.encode([question], "query")[0]
        scope = np.arange(len(self.pool)) if within is None else self.works[within]
        meaning = np.clip(self._vectors[scope] @ vector, 0, None)
        lexical = words[scope]
        total = share * meaning / max(float(meaning.max()), 1e-6)
        total += (1 - share) * lexical / max(float(lexical.max()), 1e-6)
        order = np.argsort(-total, kind="stable")[:DEPTH]
        return [int(number) for number in scope[order]]


@dataclass(frozen=True, slots=True)
class Listed:
    """A question's candidates and which of them are right."""

    asked: Asked
    candidates: tuple[int, ...]
    right: tuple[bool, ...]


def listed(search: Search, maker: Maker, count: int, drawn: random.Random) -> Iterator[Listed]:
    """Questions that search finds the right passage for, among others."""
    pool = search.pool
    numbers = list(range(len(pool)))
    drawn.shuffle(numbers)
    given = 0
    for number in numbers * 3:
        if given >= count:
            return
        of = pool[number]
        asked = maker.ask(of, drawn)
        if asked is None:
            continue
        large = len(search.works[of.work]) >= FEWEST_IN_WORK
        within = of.work if large and drawn.random() < 0.7 else None
        found = search.best(asked.text, within, drawn.choice((0.3, 0.5, 0.5, 0.7)))
        kept = [one for one in found if one == number or not _same(pool[one], of, asked)]
        right = [one == number or (asked.whole_section and pool[one].section == of.section) for one in kept]
        if any(right) and not all(right) and (not right[0] or drawn.random() < EASY):
            given += 1
            yield Listed(asked, tuple(kept), tuple(right))


def listed_written(search: Search, written: Sequence[Written], language: str) -> Iterator[Listed]:
    """Questions that people would ask, of the law of a language, in it and in others, each in two pools."""
    places = {id(one): number for number, one in enumerate(search.pool)}
    known = by_name(search.pool)
    for one in written:
        pieces = known.get(one.section, []) if one.language == language and one.split == "train" else []
        own = {places[id(piece)] for piece in pieces}
        for code, text in one.asked if pieces else ():
            large = len(search.works[pieces[0].work]) >= FEWEST_IN_WORK
            for within in (None, pieces[0].work) if large else (None,):
                found = search.best(text, within, 0.6 if code == language else 1.0)
                right = tuple(number in own for number in found)
                if any(right) and not all(right):
                    yield Listed(Asked(text, whole_section=True, headed=True, kind=3), tuple(found), right)


def _same(other: Section, of: Section, asked: Asked) -> bool:
    """Whether another passage may be as right: it says the same, or has the same heading elsewhere."""
    if other.body[:80] == of.body[:80]:
        return True
    alike = other.heading.lower() == of.heading.lower()
    return asked.whole_section and alike and other.section != of.section


def packed(items: Sequence[Interactions], listed: Sequence[Listed]) -> dict[str, NDArray[np.generic]]:
    """All questions in arrays, filled up to 30 candidates and 16 words."""
    count = len(items)
    dimension = items[0].vectors.shape[1]
    meetings = np.zeros((count, DEPTH, WORDS, MEETINGS), dtype=np.float16)
    traits = np.zeros((count, WORDS, TRAITS), dtype=np.float16)
    vectors = np.zeros((count, WORDS, dimension), dtype=np.float16)
    standings = np.zeros((count, DEPTH, STANDINGS), dtype=np.float16)
    labels = np.zeros((count, DEPTH), dtype=bool)
    asked = np.zeros(count, dtype=np.uint8)
    held = np.zeros(count, dtype=np.uint8)
    kinds = np.array([one.asked.kind for one in listed], dtype=np.uint8)
    for at, (one, good) in enumerate(zip(items, (one.right for one in listed), strict=True)):
        words, found = one.asked, len(good)
        meetings[at, :found, :words] = one.meetings
        traits[at, :words], vectors[at, :words] = one.traits, one.vectors
        standings[at, :found] = one.standings
        labels[at, :found] = good
        asked[at], held[at] = words, found
    return {
        "meetings": meetings, "traits": traits, "vectors": vectors, "standings": standings,
        "right": labels, "asked": asked, "held": held, "kinds": kinds,
    }  # fmt: skip


class Reader:
    """Makes questions of one language and reads their candidates; each process has its own."""

    def __init__(
        self,
        passages: Path,
        weights: Path,
        rarity: Path,
        written: Sequence[Written] = (),
        tower: Path = TOWER_WEIGHTS,
    ) -> None:
        found = json.loads(lzma.decompress(passages.read_bytes()))
        self._written = written
        self.language: str = found["language"]
        embedder = TwoTowers(weights, tower)
        self.search = Search([Section(*row) for row in found["passages"]], self.language, embedder)
        self._maker = Maker(self.language, self.search.rarity(), found["synonyms"], found["talk"])
        self._interacting = Interacting(embedder.table, np.load(rarity))

    def questions(self, count: int, part: int, parts: int, show: int) -> dict[str, NDArray[np.generic]]:
        """The arrays of some questions; each part draws others, and has its share of the written ones."""
        drawn = random.Random(f"{SEED}{self.language}{part}")
        made = listed(self.search, self._maker, count, drawn)
        written = listed_written(self.search, self._written[part::parts], self.language)
        items, found = [], []
        for one in chain(written, made):
            texts = [self.search.pool[at].text(headed=one.asked.headed) for at in one.candidates]
            items.append(self._interacting.read(one.asked.text, texts))
            found.append(one)
            if len(items) <= show:
                place = one.right.index(True)
                print(f"{one.asked.text!r} → {place + 1}. {texts[place][:160]!r}", flush=True)
        return packed(items, found)


_READERS: list[Reader] = []


def _part(job: tuple[int, int, int, int]) -> dict[str, NDArray[np.generic]]:
    return _READERS[0].questions(*job)


def main() -> None:
    """Write the arrays of one language."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("passages", type=Path)
    parser.add_argument("--weights", type=Path, required=True, help="the table")
    parser.add_argument("--tower", type=Path, default=TOWER_WEIGHTS, help="that was trained with the table")
    parser.add_argument("--rarity", type=Path, required=True, help="rows' rarity, as .npy")
    parser.add_argument("--questions", type=int, default=16_000)
    parser.add_argument("--written", action="store_true", help="with the questions of training.written")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--show", type=int, default=0, help="print so many questions")
    asked = parser.parse_args()
    written = read_written() if asked.written else ()
    _READERS.append(Reader(asked.passages, asked.weights, asked.rarity, written, asked.tower))
    share = asked.questions // asked.processes
    jobs = [(share, part, asked.processes, asked.show) for part in range(asked.processes)]
    # Forked: the processes share what the reader holds.
    with multiprocessing.get_context("fork").Pool(asked.processes) as pool:
        parts = pool.map(_part, jobs, chunksize=1)
    arrays = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    np.savez(asked.out, **arrays)  # type: ignore[arg-type]
    first = float(arrays["right"][:, 0].mean())
    print(
        f"{_READERS[0].language}: {len(arrays['asked']):,} questions, {first:.3f} right at once", flush=True
    )


if __name__ == "__main__":
    main()
