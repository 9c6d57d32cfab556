"""Two libraries read as one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from making import simple
from pykala.caches.cached import cached_store
from pykala.caches.caching import SqliteCache
from pykala.law.filters import Filter
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.stores.beside import SideBySide
from pykala.stores.embedded.store import EmbeddedStore
from pykala.stores.exchanges import Exchanges, Query, Rows
from pykala.stores.forwarding import ForwardingStore
from pykala.stores.store import Store, UnknownProvision

HORSES, COWS, SHARED = WorkId("xx:act:1"), WorkId("xx:act:2"), WorkId("xx:act:3")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with (
        EmbeddedStore.open(tmp_path / "first", writable=True) as first,
        EmbeddedStore.open(tmp_path / "second", writable=True) as second,
    ):
        first.put(simple(str(HORSES), "A tax on horses.", "Mules are free."))
        first.put(simple(str(SHARED), "A tax on carts as the library has it."))
        second.put(simple(str(COWS), "A tax on cows."))
        second.put(simple(str(SHARED), "A tax on carts as it was fetched."))
        yield SideBySide(first, second)


def test_works_of_both_are_found_and_read(store: Store) -> None:
    found = store.match_text("tax", Filter(), 10)
    assert {match.work for match in found} == {HORSES, COWS, SHARED}
    assert len({match.passage for match in found}) == len(found)
    for match in found:
        assert store.provision(match.section).work.id == match.work
        assert store.work(match.work).id == match.work
    assert [one.id for one in store.works()] == [HORSES, COWS, SHARED]


def test_the_library_speaks_for_what_both_hold(store: Store) -> None:
    section = store.provision(ProvisionId(SHARED).child("sec", "1"))
    assert "library" in section.version.text
    texts = [match.text for match in store.match_text("carts", Filter(), 10)]
    assert texts == ["A tax on carts as the library has it."]


def test_the_best_of_each_counts_alike(store: Store) -> None:
    found = store.match_text("tax cows horses", Filter(), 10)
    best = max(match.score for match in found)
    assert {match.work for match in found if match.score == pytest.approx(best)} == {HORSES, COWS}
    assert [match.score for match in found] == sorted((match.score for match in found), reverse=True)


def test_a_word_that_only_the_second_has_is_known_and_rare(store: Store) -> None:
    weights = store.weigh("horses cows unicorns", "en")
    assert list(weights) == ["hors", "cow", "unicorn"]
    assert weights["cow"] >= weights["hors"] > 0
    assert weights["unicorn"] == 0


def test_what_neither_holds_is_unknown(store: Store) -> None:
    with pytest.raises(UnknownProvision):
        store.work(WorkId("xx:act:9"))
    assert store.resolve("nothing of the kind") == ()
    assert store.match_text("unicorns", Filter(), 5) == ()
    assert store.writer is None


def test_searches_of_both_can_be_remembered(store: Store, tmp_path: Path) -> None:
    cache, tally = SqliteCache(tmp_path / "cache.db", worth_keeping=0.0), Counter[str]()
    cached = cached_store(store, cache, tally)
    found = [cached.match_text("tax", Filter(), 10) for _ in range(2)]
    assert found[0] == found[1] == store.match_text("tax", Filter(), 10)
    assert tally["searches"] == 1
    cache.close()


class OverAConnection(ForwardingStore):
    """A store whose reads may go over a connection, as those of a database do."""

    def __init__(self, store: Store, over: Exchanges | None) -> None:
        super().__init__(store)
        self._over = over

    @property
    def exchanges(self) -> Exchanges | None:
        return self._over


@pytest.mark.parametrize(
    ("first", "second", "sent"),
    [(True, True, [2]), (True, False, [1, 1]), (False, True, [1, 1]), (False, False, [1, 1])],
)
def test_reads_over_two_connections_share_their_round_trips(
    tmp_path: Path, first: bool, second: bool, sent: list[int]
) -> None:
    trips: list[int] = []

    def send(queries: Sequence[Query]) -> list[Rows]:
        trips.append(len(queries))
        return [[(len(trips),)] for _ in queries]

    over, other = Exchanges(send), Exchanges(send)
    with EmbeddedStore.open(tmp_path, writable=True) as held:
        pair = SideBySide(
            OverAConnection(held, over if first else None), OverAConnection(held, other if second else None)
        )
        found = pair.at_once([lambda: over.rows_of([(b"SELECT 1", None)]) for _ in range(2)])
    assert (trips, len(found)) == (sent, 2)
