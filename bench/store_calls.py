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
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from pykala.evaluate.sets import pack_set, read_set
from pykala.law.filters import Filter
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import DefinedTerm, Document, Pairing, Provision, Version, Work
from pykala.law.references import EdgesWanted
from pykala.law.standing import Standing
from pykala.library.library import Library
from pykala.library.sample import sample_library
from pykala.packs.pack import installed
from pykala.stores.changed import ChangedWork, WorkChange
from pykala.stores.forwarding import ForwardingStore
from pykala.stores.store import (
    Hits,
    Match,
    Mentions,
    Named,
    References,
    Search,
    State,
    Stats,
    Store,
    StoredProvision,
    Wording,
)
from pykala.versions.chains import Change

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

PACKS = ("ca", "eu", "fi", "nyc")
DAY = date(2026, 6, 1)  # for questions that name none


class CountingStore(ForwardingStore):
    """A store that counts what is asked of it; every method that reaches an engine is written out."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self.calls: Counter[str] = Counter()

    def works(self) -> Iterator[Work]:
        """Counted."""
        self.calls["works"] += 1
        return super().works()

    def works_of(self, works: Sequence[WorkId]) -> Mapping[WorkId, Work]:
        """Counted."""
        self.calls["works_of"] += 1
        return super().works_of(works)

    def languages_of(self, works: Sequence[WorkId]) -> Mapping[WorkId, tuple[str, ...]]:
        """Counted."""
        self.calls["languages_of"] += 1
        return super().languages_of(works)

    def document(self, work: WorkId, language: str) -> Document:
        """Counted."""
        self.calls["document"] += 1
        return super().document(work, language)

    def words(self, work: WorkId) -> Mapping[str, int]:
        """Counted."""
        self.calls["words"] += 1
        return super().words(work)

    def provisions(self, wanted: Sequence[Wording]) -> tuple[StoredProvision | LookupError, ...]:
        """Counted."""
        self.calls["provisions"] += 1
        return super().provisions(wanted)

    def history(self, provision: ProvisionId, *, language: str | None = None) -> tuple[Version, ...]:
        """Counted."""
        self.calls["history"] += 1
        return super().history(provision, language=language)

    def chain(self, provision: ProvisionId, *, language: str | None = None) -> Provision:
        """Counted."""
        self.calls["chain"] += 1
        return super().chain(provision, language=language)

    def changes(
        self,
        since: date,
        until: date | None = None,
        *,
        jurisdictions: Sequence[str] = (),
        kinds: Sequence[str] = (),
        works: Sequence[WorkId] = (),
    ) -> tuple[Change, ...]:
        """Counted."""
        self.calls["changes"] += 1
        return super().changes(since, until, jurisdictions=jurisdictions, kinds=kinds, works=works)

    def changed_works(
        self,
        since: date,
        until: date,
        change: WorkChange,
        *,
        jurisdictions: Sequence[str],
        kinds: Sequence[str],
    ) -> tuple[ChangedWork, ...]:
        """Counted."""
        self.calls["changed_works"] += 1
        return super().changed_works(since, until, change, jurisdictions=jurisdictions, kinds=kinds)

    def references(self, wanted: Sequence[EdgesWanted], unresolved: Sequence[ProvisionId] = ()) -> References:
        """Counted."""
        self.calls["references"] += 1
        return super().references(wanted, unresolved)

    def standings(self, sections: Sequence[ProvisionId]) -> Mapping[ProvisionId, Standing]:
        """Counted."""
        self.calls["standings"] += 1
        return super().standings(sections)

    def mentions_of(self, works: Sequence[WorkId]) -> Mapping[WorkId, Mentions]:
        """Count a call."""
        self.calls["mentions_of"] += 1
        return super().mentions_of(works)

    def pairings_of(self, provisions: Sequence[ProvisionId]) -> Mapping[ProvisionId, tuple[Pairing, ...]]:
        """Counted."""
        self.calls["pairings_of"] += 1
        return super().pairings_of(provisions)

    def definitions_of(self, terms: Sequence[str], language: str) -> Mapping[str, tuple[DefinedTerm, ...]]:
        """Counted."""
        self.calls["definitions_of"] += 1
        return super().definitions_of(terms, language)

    def named(self, aliases: Sequence[str]) -> Mapping[str, Named]:
        """Counted."""
        self.calls["named"] += 1
        return super().named(aliases)

    def state(self) -> State:
        """Counted."""
        self.calls["state"] += 1
        return super().state()

    def catch_up(self) -> bool:
        """Counted."""
        self.calls["catch_up"] += 1
        return super().catch_up()

    def fingerprints(self) -> Mapping[str, str]:
        """Counted."""
        self.calls["fingerprints"] += 1
        return super().fingerprints()

    def items(self) -> Mapping[str, WorkId]:
        """Counted."""
        self.calls["items"] += 1
        return super().items()

    def stats(self) -> Stats:
        """Counted."""
        self.calls["stats"] += 1
        return super().stats()

    def search(self, searches: Sequence[Search]) -> tuple[Hits, ...]:
        """Counted."""
        self.calls["search"] += 1
        return super().search(searches)

    def match_text(self, query: str, filter: Filter, limit: int) -> tuple[Match, ...]:
        """Counted."""
        self.calls["match_text"] += 1
        return super().match_text(query, filter, limit)

    def match_terms(
        self, terms: Mapping[str, float], language: str, filter: Filter, limit: int
    ) -> tuple[Match, ...]:
        """Counted."""
        self.calls["match_terms"] += 1
        return super().match_terms(terms, language, filter, limit)

    def match_vector(self, vector: NDArray[float32], filter: Filter, limit: int) -> tuple[Match, ...]:
        """Counted."""
        self.calls["match_vector"] += 1
        return super().match_vector(vector, filter, limit)

    def match_asked(self, vector: NDArray[float32], filter: Filter, limit: int) -> tuple[Match, ...]:
        """Counted."""
        self.calls["match_asked"] += 1
        return super().match_asked(vector, filter, limit)

    def nearness(self, vector: NDArray[float32], passages: Sequence[int]) -> Mapping[int, float]:
        """Counted."""
        self.calls["nearness"] += 1
        return super().nearness(vector, passages)

    def children(self, scored: Sequence[tuple[int, float]]) -> tuple[Match, ...]:
        """Counted."""
        self.calls["children"] += 1
        return super().children(scored)

    def weights(
        self, query: str, language: str, places: Sequence[frozenset[str]]
    ) -> tuple[Mapping[str, float], ...]:
        """Counted."""
        self.calls["weights"] += 1
        return super().weights(query, language, places)

    def translations_into(
        self, text: str, language: str, into: Sequence[str]
    ) -> Mapping[str, Mapping[str, float]]:
        """Counted."""
        self.calls["translations_into"] += 1
        return super().translations_into(text, language, into)


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
