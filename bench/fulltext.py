"""Measure full-text matching: the Tantivy index of the embedded store, and SQLite FTS5 as its peer.

    python bench/fulltext.py [--sizes 400000 2500000] [--peer 100000] [--queries 200]

Passages of 80 terms from a Zipf vocabulary of 200,000, in four languages; questions of five terms joined
by OR, with a language and a date as filter, the 100 best asked for. The peer holds the same passages at its
own size, and is asked the same questions with the same filter. Times are milliseconds of one thread.
"""

from __future__ import annotations

import argparse
import math
import random
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pykala.stores.embedded.facets import NO_END, FacetFilter, Facets
from pykala.stores.embedded.fulltext import TextIndex

TERMS, VOCABULARY, BATCH, LIMIT = 80, 200_000, 5_000, 100
LANGUAGES = ("fi", "sv", "en", "fr")
DAY = 730_000
Question = list[str]


@dataclass(frozen=True, slots=True)
class Measured:
    engine: str
    passages: int
    segments: str
    rate: float
    megabytes: float
    filtered: list[float]
    unfiltered: list[float]

    def row(self) -> str:
        def cells(times: list[float]) -> str:
            return f"{np.percentile(times, 50):.1f} | {np.percentile(times, 95):.1f}"

        built = f"{self.segments} | {self.rate:,.0f} | {self.megabytes:,.0f}"
        times = f"{cells(self.filtered)} | {cells(self.unfiltered)}"
        return f"| {self.engine} | {self.passages:,} | {built} | {times} |"


def passages(count: int) -> Iterator[tuple[int, str, Facets, list[str]]]:
    """Make the same passages every time; a third of them no longer in force."""
    chance = np.random.default_rng(7)
    weights = 1.0 / np.arange(1, VOCABULARY + 1)
    edges = np.cumsum(weights / weights.sum())
    words = np.array([f"w{rank}" for rank in range(VOCABULARY)], dtype=object)
    for start in range(0, count, BATCH):
        ranks = np.searchsorted(edges, chance.random((BATCH, TERMS))).clip(0, VOCABULARY - 1)
        begins = chance.integers(700_000, 738_000, BATCH)
        ends = np.where(chance.random(BATCH) < 0.3, begins + chance.integers(30, 4_000, BATCH), NO_END)
        for row in range(min(BATCH, count - start)):
            language = row % 4
            facets = Facets(
                (start + row) // 50,
                language,
                language,
                row % 6,
                10 + row % 5,
                int(begins[row]),
                int(ends[row]),
            )
            yield start + row, LANGUAGES[language], facets, list(words[ranks[row]])


def questions(count: int) -> list[Question]:
    """Ask for terms from the 20th to the 20,000th most frequent: what is left after stop words."""
    chance = random.Random(3)

    def term() -> str:
        return f"w{int(math.exp(chance.uniform(math.log(20), math.log(20_000))))}"

    return [[term() for _ in range(5)] for _ in range(count)]


def timed(ask: Callable[[Question], object], asked: list[Question]) -> list[float]:
    times = []
    for question in asked:
        begin = time.perf_counter()
        ask(question)
        times.append((time.perf_counter() - begin) * 1_000)
    return times


def measure_tantivy(count: int, folder: Path, asked: list[Question], commits: int) -> Measured:
    spent = 0.0
    every = max(1, count // commits)
    with TextIndex.open(folder, writable=True) as index:
        for passage, language, facets, terms in passages(count):
            begin = time.perf_counter()
            index.add(passage, language, facets, terms)
            if (passage + 1) % every == 0:
                index.commit()
            spent += time.perf_counter() - begin
        index.commit()
    index = TextIndex.open(folder)
    filter = FacetFilter(day=DAY, languages=frozenset({0}))
    everything = FacetFilter()
    timed(lambda terms: index.match({"fi": terms}, filter, LIMIT), asked[:20])
    return Measured(
        "Tantivy",
        count,
        f"{index.segments} ({commits} commits)",
        count / spent,
        size(folder),
        timed(lambda terms: index.match({"fi": terms}, filter, LIMIT), asked),
        timed(lambda terms: index.match({"fi": terms}, everything, LIMIT), asked),
    )


def measure_fts5(count: int, folder: Path, asked: list[Question]) -> Measured:
    """Give the peer what it has: a table per language, as little detail as BM25 needs, dates beside it."""
    folder.mkdir()
    database = sqlite3.connect(folder / "fts5.sqlite")
    for language in LANGUAGES:
        database.execute(f"CREATE VIRTUAL TABLE {language} USING fts5(terms, content='', detail=none)")
    database.execute("CREATE TABLE facets(passage INTEGER PRIMARY KEY, valid_from INTEGER, valid_to INTEGER)")
    spent = 0.0
    for passage, language, facets, terms in passages(count):
        begin = time.perf_counter()
        database.execute(f"INSERT INTO {language}(rowid, terms) VALUES (?, ?)", (passage, " ".join(terms)))
        database.execute("INSERT INTO facets VALUES (?, ?, ?)", (passage, facets.valid_from, facets.valid_to))
        spent += time.perf_counter() - begin
    database.commit()
    plain = "SELECT rowid, rank FROM fi WHERE fi MATCH ? ORDER BY rank LIMIT ?"
    narrow = """SELECT fi.rowid, fi.rank FROM fi JOIN facets ON passage = fi.rowid
        WHERE fi MATCH ? AND valid_from <= ? AND valid_to > ? ORDER BY fi.rank LIMIT ?"""

    def filtered(terms: Question) -> object:
        return database.execute(narrow, (" OR ".join(terms), DAY, DAY, LIMIT)).fetchall()

    def unfiltered(terms: Question) -> object:
        return database.execute(plain, (" OR ".join(terms), LIMIT)).fetchall()

    times = timed(filtered, asked), timed(unfiltered, asked)
    database.close()
    return Measured("SQLite FTS5", count, "–", count / spent, size(folder), *times)


def size(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sizes", type=int, nargs="*", default=[400_000, 2_500_000])
    parser.add_argument("--peer", type=int, default=100_000, help="passages of the peer; 0 leaves it out")
    parser.add_argument("--commits", type=int, nargs="*", default=[1, 20], help="commits of a build")
    parser.add_argument("--queries", type=int, default=200)
    arguments = parser.parse_args()
    asked = questions(arguments.queries)
    print(
        "| engine | passages | segments | passages/s | MB "
        "| filtered p50 ms | p95 ms | unfiltered p50 ms | p95 ms |\n"
        "|---|---|---|---|---|---|---|---|---|"
    )
    with tempfile.TemporaryDirectory() as folder:
        peers = [arguments.peer] if arguments.peer else []
        for count in sorted({*arguments.sizes, *peers}):
            for commits in arguments.commits:
                place = Path(folder, f"tantivy-{count}-{commits}")
                print(measure_tantivy(count, place, asked, commits).row(), flush=True)
                TextIndex.discard(place)
        for count in peers:
            print(measure_fts5(count, Path(folder, "fts5"), asked).row(), flush=True)


if __name__ == "__main__":
    main()
