"""What the cache is worth: `python bench/caching.py LIBRARY` prints times with and without it."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from pykala.caches.cached import cached_store
from pykala.caches.caching import CACHE_FILE, SqliteCache
from pykala.law.filters import Filter
from pykala.library import Library

QUESTIONS = Path(__file__).parents[2] / "shared" / "questions" / "kuntalaki.json"
DAY = date(2026, 1, 1)


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("library", type=Path)
    parser.add_argument("questions", type=Path, nargs="?", default=QUESTIONS)
    given = parser.parse_args()
    asked = [one["query"] for one in json.loads(given.questions.read_text("utf-8"))][:40]
    print(f"{'':10} {'p50 ms':>8} {'p95 ms':>8}   {len(asked)} questions")
    with TemporaryDirectory() as folder, Library.open(given.library) as library:
        cache = SqliteCache(Path(folder) / CACHE_FILE)
        _searches(library, cache, asked)
        cache.close()


def _searches(library: Library, cache: SqliteCache, asked: Sequence[str]) -> None:
    cached = cached_store(library.store, cache, Counter())
    only = Filter(as_of=DAY, languages=frozenset({"fi"}))
    for question in asked:
        library.store.match_text(question, only, 60)  # what the disk has to bring is brought
    _row("search", lambda question: library.store.match_text(question, only, 60), asked)
    _row("… missed", lambda question: cached.match_text(question, only, 60), asked)
    _row("… kept", lambda question: cached.match_text(question, only, 60), asked)


def _row(name: str, run: Callable[[str], object], asked: Sequence[str]) -> None:
    times = []
    for question in asked:
        started = perf_counter()
        run(question)
        times.append((perf_counter() - started) * 1000)
    times.sort()
    print(f"{name:10} {median(times):8.2f} {times[int(len(times) * 0.95)]:8.2f}")


if __name__ == "__main__":
    main()
