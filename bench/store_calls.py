"""Counts the calls that one question makes to the store, by method, over the packs' question sets.

    python -m bench.store_calls                      the sample library
    python -m bench.store_calls --library FOLDER     another one, which is only read

A store across a network pays for each call with a round trip.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from functools import wraps
from inspect import isfunction
from pathlib import Path
from time import perf_counter
from typing import Any

from pykala.evaluate.sets import pack_set, read_set
from pykala.library.library import Library
from pykala.library.sample import sample_library
from pykala.packs.pack import installed
from pykala.stores.forwarding import ForwardingStore
from pykala.stores.store import Store

PACKS = ("ca", "eu", "fi", "nyc")
DAY = date(2026, 6, 1)  # for questions that name none


class CountingStore(ForwardingStore):
    """A store that counts the calls of each of its methods."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self.calls: Counter[str] = Counter()


def _counting(name: str, forward: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(forward)
    def counted(store: CountingStore, *arguments: Any, **named: Any) -> Any:
        store.calls[name] += 1
        return forward(store, *arguments, **named)

    return counted


# Every method that a proxy passes on reaches an engine, but for those that only run others, move or close.
for _name, _method in list(vars(ForwardingStore).items()):
    if isfunction(_method) and _name[0] != "_" and _name not in {"at_once", "refresh", "close"}:
        setattr(CountingStore, _name, _counting(_name, _method))


class Counted:
    """The calls of each question, and how long it took."""

    def __init__(self) -> None:
        self.by_question: dict[str, Counter[str]] = {}
        self.seconds: list[float] = []

    def ask(self, question: str, library: Library, store: CountingStore, as_of: date | None) -> None:
        """Ask one question and count."""
        store.calls.clear()
        started = perf_counter()
        library.ask(question, as_of=as_of)
        self.seconds.append(perf_counter() - started)
        self.by_question[question] = Counter(store.calls)

    def lines(self) -> Iterator[str]:
        """The table."""
        totals = sorted(calls.total() for calls in self.by_question.values())
        count = len(totals)
        yield f"{count} questions: calls at the median {statistics.median(totals):g}, most {totals[-1]}"
        yield f"milliseconds at the median {1000 * statistics.median(self.seconds):.1f}"
        summed = sum(self.by_question.values(), Counter[str]())
        for method, calls in summed.most_common():
            most = max(one[method] for one in self.by_question.values())
            yield f"{method:20} {calls / count:6.2f} a question, most {most}"
        question = max(self.by_question, key=lambda one: self.by_question[one].total())
        yield f"most: {question} {dict(self.by_question[question])}"


@contextmanager
def counting(folder: Path) -> Iterator[tuple[Library, CountingStore]]:
    """A library whose store counts, on a fixed day."""
    with Library.open(folder) as library:
        store = CountingStore(library.store)
        yield (
            Library(store, embedder=library.embedder, reranker=library.reranker, today=lambda: DAY),
            store,
        )


def counted(folder: Path, packs: Sequence[str] = PACKS) -> Counted:
    """Ask the packs' own questions of a library and count."""
    found = Counted()
    with counting(folder) as (library, store):
        for pack in packs:
            for question in read_set(pack_set(installed()[pack])):
                found.ask(question.question, library, store, question.as_of)
    return found


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--library", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as cache:
        folder = options.library or sample_library(Path(cache), installed())
        print("\n".join(counted(folder).lines()))


if __name__ == "__main__":
    main()
