"""Caches: nothing stale, nothing wrong, never an error, and faster than making it again."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

import numpy as np
import pytest
import typer
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from typer.testing import CliRunner

from making import simple, since
from pykala.caches.cached import cached_embedder, cached_reranker, cached_store
from pykala.caches.caching import CACHE_FILE, HOUR, Cache, CacheName, NoCache, SqliteCache, key_digest
from pykala.caches.forms import FLOATS, HITS, SCORED, TEXTS, form_of
from pykala.interfaces.cli.caching import register
from pykala.law.filters import Filter
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.validity import Validity
from pykala.models.hashing import HashingEmbedder
from pykala.retrieve.options import DEFAULT_OPTIONS, AskOptions
from pykala.stores.contents import EMPTY, content_digest, with_item, without_item
from pykala.stores.embedded.store import EmbeddedStore
from pykala.stores.store import Search


class Clock:
    def __init__(self) -> None:
        self.seconds = 1_000_000.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def cache(tmp_path: Path, clock: Clock) -> Iterator[SqliteCache]:
    opened = SqliteCache(tmp_path / "cache.db", worth_keeping=0.0, now=clock)
    yield opened
    opened.close()


def texts(*values: str) -> Callable[[], Sequence[str]]:
    return lambda: list(values)


def never() -> Sequence[str]:
    raise AssertionError("this was to be had from the cache")


@pytest.mark.parametrize(
    ("name", "lifetime"),
    [
        (CacheName.EMBEDDINGS, 24 * HOUR),
        (CacheName.SEARCHES, HOUR),
        (CacheName.RERANKINGS, HOUR),
        (CacheName.TREES, 24 * HOUR),
    ],
)
def test_what_is_kept_lives_as_long_as_its_kind(
    cache: SqliteCache, clock: Clock, name: CacheName, lifetime: float
) -> None:
    assert cache.remember(name, ("a",), texts("first"), TEXTS) == ["first"]
    clock.seconds += lifetime - 1
    assert cache.remember(name, ("a",), never, TEXTS) == ["first"]
    clock.seconds += 2
    assert cache.remember(name, ("a",), texts("second"), TEXTS) == ["second"]


def test_a_clock_that_was_set_back_makes_nothing_live_for_ever(cache: SqliteCache, clock: Clock) -> None:
    cache.remember(CacheName.SEARCHES, ("a",), texts("of tomorrow"), TEXTS)
    clock.seconds -= 24 * HOUR
    assert cache.remember(CacheName.SEARCHES, ("a",), texts("of today"), TEXTS) == ["of today"]


def test_what_is_made_quickly_is_not_kept(tmp_path: Path) -> None:
    cache = SqliteCache(tmp_path / "cache.db", worth_keeping=10.0)
    made = [cache.remember(CacheName.SEARCHES, ("a",), texts("x"), TEXTS) for _ in range(3)]
    assert made == [["x"]] * 3
    assert cache.status()[1].entries == 0
    cache.close()


parts = st.recursive(
    st.text(max_size=5) | st.integers() | st.dates() | st.none() | st.booleans() | st.binary(max_size=4),
    lambda inner: st.tuples(inner, inner) | st.frozensets(st.text(max_size=3), max_size=3),
    max_leaves=6,
)


@settings(max_examples=60)
@given(st.lists(parts, max_size=3), st.lists(parts, max_size=3))
def test_keys_of_other_parts_differ(first: list[object], second: list[object]) -> None:
    def typed(value: object) -> object:
        if isinstance(value, list | tuple):
            return [typed(one) for one in value]
        return type(value).__name__, value

    assert (key_digest(first) == key_digest(second)) == (typed(first) == typed(second))


OPTIONS = [
    replace(DEFAULT_OPTIONS, text=False),
    replace(DEFAULT_OPTIONS, meaning_share=0.3),
    replace(DEFAULT_OPTIONS, hops=1),
]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ((date(2020, 1, 1),), ("2020-01-01",)),
        ((date(2020, 1, 1),), (["date", "2020-01-01"],)),
        ((frozenset({"a", "b"}),), (["a", "b"],)),
        ((b"ab",), ("6162",)),
        (("a", "b"), ("ab",)),
        ((1,), (True,)),
        ((None,), ("null",)),
    ],
)
def test_parts_that_look_alike_have_keys_of_their_own(
    first: tuple[object, ...], second: tuple[object, ...]
) -> None:
    assert key_digest(first) != key_digest(second)


def test_every_option_and_every_part_of_a_filter_is_in_the_key() -> None:
    filters = [
        Filter(),
        Filter(as_of=date(2020, 1, 1)),
        Filter(as_of=date(2020, 1, 2)),
        Filter(languages=frozenset({"fi"})),
        Filter(kinds=frozenset({"fi"})),
        Filter(jurisdictions=frozenset({"fi"})),
        Filter(works=frozenset({WorkId("fi:act:1992/1535")})),
        Filter(works=frozenset({WorkId("fi:act:1992/1535"), WorkId("fi:act:1992/1536")})),
    ]
    options: list[AskOptions] = [DEFAULT_OPTIONS, *OPTIONS]
    keys = {key_digest((filter, option)) for filter in filters for option in options}
    assert len(keys) == len(filters) * len(options)


def test_the_same_filter_has_the_same_key_in_every_process() -> None:
    code = (
        "from pykala.law.filters import Filter; from pykala.caches.caching import key_digest;"
        "print(key_digest((Filter(languages=frozenset({'fi','sv','en'})),)).hex())"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(told) == 1


# Damage


def garbage(path: Path) -> None:
    path.write_bytes(b"this is no database, " * 400)


def half(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:3000])


def folder_instead(path: Path) -> None:
    path.unlink()
    path.mkdir()


def middle(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[4096:12288] = b"\xff" * 8192
    path.write_bytes(bytes(data))


@pytest.mark.parametrize("harm", [garbage, half, folder_instead, middle])
def test_a_damaged_file_is_no_error_and_is_mended_by_clearing(
    tmp_path: Path, harm: Callable[[Path], None]
) -> None:
    path = tmp_path / "cache.db"
    first = SqliteCache(path, worth_keeping=0.0)
    for number in range(200):
        first.remember(CacheName.SEARCHES, (number,), texts("x" * 100), TEXTS)
    first.close()
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    harm(path)
    second = SqliteCache(path, worth_keeping=0.0)
    for number in range(200):
        found = second.remember(CacheName.SEARCHES, (number,), texts("x" * 100), TEXTS)
        assert found == ["x" * 100]
    assert "pykala cache clear" in second.fault
    second.status()
    if harm is folder_instead:
        path.rmdir()
    second.clear()
    assert second.fault == ""
    second.remember(CacheName.SEARCHES, ("again",), texts("y"), TEXTS)
    assert second.remember(CacheName.SEARCHES, ("again",), never, TEXTS) == ["y"]
    second.close()


def test_a_changed_bit_is_a_miss(tmp_path: Path, cache: SqliteCache) -> None:
    cache.remember(CacheName.EMBEDDINGS, ("a",), lambda: np.ones(4, np.float32), FLOATS)
    with sqlite3.connect(tmp_path / "cache.db") as connection:
        (value,) = connection.execute("SELECT value FROM entries").fetchone()
        changed = bytes([value[0] ^ 1]) + value[1:]
        connection.execute("UPDATE entries SET value = ?", (changed,))
    connection.close()
    again = cache.remember(CacheName.EMBEDDINGS, ("a",), lambda: np.zeros(4, np.float32), FLOATS)
    assert again.tolist() == [0.0] * 4


def test_a_disk_that_is_full_or_a_file_that_may_not_be_written_is_no_error(tmp_path: Path) -> None:
    cache = SqliteCache(tmp_path / "cache.db", worth_keeping=0.0)
    cache.remember(CacheName.SEARCHES, (0,), texts("x"), TEXTS)
    assert cache._connection is not None
    cache._connection.execute("PRAGMA max_page_count = 1")  # as SQLite meets a disk without room
    for number in range(50):
        assert cache.remember(CacheName.SEARCHES, (number,), texts("x" * 4000), TEXTS) in (
            ["x"],
            ["x" * 4000],
        )
    assert "full" in cache.fault
    cache.close()
    read_only = SqliteCache(tmp_path / "cache.db", worth_keeping=0.0)
    read_only.status()
    assert read_only._connection is not None
    read_only._connection.execute("PRAGMA query_only = 1")
    assert read_only.remember(CacheName.SEARCHES, ("b",), texts("x"), TEXTS) == ["x"]
    assert read_only.fault
    read_only.close()


def test_a_folder_that_cannot_be_made_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    cache = SqliteCache(tmp_path / "file" / "cache.db", worth_keeping=0.0)
    assert cache.remember(CacheName.SEARCHES, (1,), texts("x"), TEXTS) == ["x"]
    assert "not used" in cache.fault
    cache.clear()
    cache.close()


def test_another_process_that_holds_the_file_costs_little_and_is_no_fault(tmp_path: Path) -> None:
    path = tmp_path / "cache.db"
    cache = SqliteCache(path, worth_keeping=0.0)
    cache.remember(CacheName.SEARCHES, (1,), texts("x"), TEXTS)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    started = time.monotonic()
    assert cache.remember(CacheName.SEARCHES, (2,), texts("y"), TEXTS) == ["y"]
    assert time.monotonic() - started < 60
    assert cache.remember(CacheName.SEARCHES, (1,), never, TEXTS) == ["x"]
    other.execute("ROLLBACK")
    other.close()
    assert cache.fault == ""
    cache.remember(CacheName.SEARCHES, (2,), texts("y"), TEXTS)
    assert cache.remember(CacheName.SEARCHES, (2,), never, TEXTS) == ["y"]
    cache.close()


def test_size_is_bounded_and_the_oldest_goes_first(tmp_path: Path, clock: Clock) -> None:
    cache = SqliteCache(tmp_path / "cache.db", largest=400_000, worth_keeping=0.0, now=clock)
    for number in range(300):
        clock.seconds += 1
        cache.remember(CacheName.SEARCHES, (number,), texts("x" * 5000), TEXTS)
    searches = next(one for one in cache.status() if one.name == "searches")
    assert 20 < searches.entries < 80
    assert cache.remember(CacheName.SEARCHES, (299,), never, TEXTS)
    with pytest.raises(AssertionError, match="to be had"):
        cache.remember(CacheName.SEARCHES, (0,), never, TEXTS)
    cache.remember(CacheName.SEARCHES, ("too large",), texts("x" * 300_000), TEXTS)
    assert next(one for one in cache.status() if one.name == "searches").bytes < 400_000
    cache.close()
    assert (tmp_path / "cache.db").stat().st_size < 600_000


def test_status_counts_over_all_processes_and_clear_forgets(tmp_path: Path, clock: Clock) -> None:
    for _ in range(2):
        cache = SqliteCache(tmp_path / "cache.db", worth_keeping=0.0, now=clock)
        for number in (1, 2, 1):
            cache.remember(CacheName.SEARCHES, (number,), texts("x"), TEXTS)
        cache.close()
    cache = SqliteCache(tmp_path / "cache.db", worth_keeping=0.0, now=clock)
    cache.remember(CacheName.RERANKINGS, (1,), texts("x"), TEXTS)
    found = {one.name: one for one in cache.status()}
    searches = found["searches"]
    assert (searches.entries, searches.hits, searches.misses) == (2, 4, 2)
    assert searches.oldest == clock.seconds
    assert searches.bytes > 0
    assert set(found) == {name.value for name in CacheName}
    assert cache.clear([CacheName.SEARCHES]) == 2
    found = {one.name: one for one in cache.status()}
    assert (found["searches"].entries, found["searches"].hits, found["rerankings"].entries) == (0, 0, 1)
    assert cache.clear() == 1
    cache.close()


def test_threads_share_a_cache(tmp_path: Path) -> None:
    cache = SqliteCache(tmp_path / "cache.db", worth_keeping=0.0)
    wrong: list[object] = []

    def work(own: int) -> None:
        for number in range(40):
            expected = [f"of {number}"]
            found = cache.remember(CacheName.SEARCHES, (number,), texts(*expected), TEXTS)
            if found != expected:
                wrong.append((own, number, found))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert cache.fault == ""
    searches = next(one for one in cache.status() if one.name == "searches")
    assert searches.hits + searches.misses == 240
    cache.close()


def test_processes_share_a_cache(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from pykala.caches.caching import *;"
        "from pykala.caches.forms import TEXTS;"
        "cache = SqliteCache(Path(sys.argv[1]), worth_keeping=0.0);"
        "found = [cache.remember(CacheName.SEARCHES, (n,), lambda: [str(n)], TEXTS) for n in range(60)];"
        "assert found == [[str(n)] for n in range(60)], found; cache.close();"
        "assert not cache.fault, cache.fault"
    )
    running = [subprocess.Popen([sys.executable, "-c", code, str(tmp_path / "cache.db")]) for _ in range(3)]
    assert [one.wait() for one in running] == [0, 0, 0]


def test_a_file_of_another_format_is_begun_anew(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "cache.db") as connection:
        connection.execute("CREATE TABLE entries (something TEXT)")
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    cache = SqliteCache(tmp_path / "cache.db", worth_keeping=0.0)
    cache.remember(CacheName.SEARCHES, (1,), texts("x"), TEXTS)
    assert cache.remember(CacheName.SEARCHES, (1,), never, TEXTS) == ["x"]
    cache.close()


def test_no_question_stands_in_the_file(tmp_path: Path) -> None:
    cache = SqliteCache(tmp_path / "cache.db", worth_keeping=0.0)
    cache.remember(CacheName.SEARCHES, ("my dismissal by Acme",), lambda: [(1, 2.0)], SCORED)
    cache.close()
    for path in tmp_path.iterdir():
        assert b"Acme" not in path.read_bytes()
        assert path.stat().st_mode & 0o077 == 0 or path.suffix != ".db"


# Forms


@given(st.lists(st.tuples(st.integers(-(2**63), 2**63 - 1), st.floats(allow_nan=False))))
def test_scores_come_back_exactly(scored: list[tuple[int, float]]) -> None:
    assert SCORED.read(SCORED.write(scored)) == scored


@dataclass(frozen=True, slots=True)
class Inner:
    provision: ProvisionId
    validity: Validity


@dataclass(frozen=True, slots=True)
class Outer:
    name: str
    day: date | None
    score: float
    inner: tuple[Inner, ...]
    pair: tuple[str, int]
    kind: CacheName


OUTER = Outer(
    "x", date(2020, 2, 29), 1.0, (Inner(ProvisionId.parse("fi:act:1992/1535/sec_124"), since(1993)),),
    ("a", 1), CacheName.TREES,
)  # fmt: skip


def test_records_come_back_equal() -> None:
    form = form_of(Outer)
    assert form.read(form.write(OUTER)) == OUTER
    assert form.read(form.write(replace(OUTER, day=None, inner=()))) == replace(OUTER, day=None, inner=())


@settings(max_examples=200)
@given(st.binary(max_size=40) | st.integers(0, 400).map(lambda at: form_of(Outer).write(OUTER)[:at]))
def test_bytes_of_no_sense_are_a_value_error(data: bytes) -> None:
    form = form_of(Outer)
    try:
        read = form.read(data)
    except ValueError:
        return
    assert read == OUTER


# Stores, embedders, rerankers


@pytest.fixture
def store(tmp_path: Path) -> Iterator[EmbeddedStore]:
    with EmbeddedStore.open(tmp_path / "library", writable=True, embedder=HashingEmbedder(32)) as opened:
        opened.put(simple("xx:act:1", "A tax on horses.", "A tax on cows."))
        opened.put(simple("xx:act:2", "A licence for dogs."))
        yield opened


def test_a_cached_store_finds_the_same_and_sees_every_change(cache: Cache, store: EmbeddedStore) -> None:
    tally: Counter[str] = Counter()
    cached = cached_store(store, cache, tally)
    vector = HashingEmbedder(32).encode(["tax"], "query")[0]
    for filter in (Filter(), Filter(works=frozenset({WorkId("xx:act:2")})), Filter(as_of=date(2020, 1, 1))):
        for _ in range(2):
            for words in ("tax on horses", "licence"):
                assert cached.match_text(words, filter, 5) == store.match_text(words, filter, 5)
            assert cached.match_vector(vector, filter, 5) == store.match_vector(vector, filter, 5)
    assert tally["searches"] == 9
    assert cached.work(WorkId("xx:act:1")) == store.work(WorkId("xx:act:1"))
    for change in (
        lambda: store.put(simple("xx:act:3", "A tax on horses and carts.")),
        lambda: store.delete(WorkId("xx:act:1")),
        lambda: store.put(simple("xx:act:1", "A tax on horses.", "A tax on cows.")),
    ):
        change()
        assert cached.match_text("tax on horses", Filter(), 5) == store.match_text(
            "tax on horses", Filter(), 5
        )


def test_searches_that_are_made_together_are_remembered_together(cache: Cache, store: EmbeddedStore) -> None:
    tally: Counter[str] = Counter()
    cached = cached_store(store, cache, tally)
    vector = HashingEmbedder(32).encode(["tax"], "query")[0]
    dogs = Filter(works=frozenset({WorkId("xx:act:2")}))
    searches = [Search(Filter(), 5, "tax on horses", None, vector, 3), Search(dogs, 5, "licence")]
    expected = store.search(searches)
    assert [one.by_words for one in expected] == [
        store.match_text("tax on horses", Filter(), 5),
        store.match_text("licence", dogs, 5),
    ]
    assert [cached.search(searches) for _ in range(2)] == [expected] * 2
    assert tally["searches"] == 1
    store.delete(WorkId("xx:act:2"))
    assert cached.search(searches) == store.search(searches) != expected


@given(st.binary(max_size=60))
def test_bytes_of_no_search_are_a_value_error(data: bytes) -> None:
    with suppress(ValueError):
        assert HITS.write(HITS.read(data)) == data


def test_what_a_writer_sees_before_it_publishes_is_not_kept_for_after(
    cache: Cache, store: EmbeddedStore
) -> None:
    cached = cached_store(store, cache, Counter())
    with store.batch():
        store.put(simple("xx:act:3", "A tax on carts."))
        before = cached.match_text("carts", Filter(), 5)
    assert before == ()
    assert [match.work for match in cached.match_text("carts", Filter(), 5)] == [WorkId("xx:act:3")]


class CountingEmbedder(HashingEmbedder):
    calls = 0

    def encode(self, texts: Sequence[str], role: str) -> NDArray[np.float32]:
        self.calls += 1
        return super().encode(texts, role)  # type: ignore[arg-type]


def test_a_cached_embedder_asks_once_for_a_question_and_always_for_passages(cache: Cache) -> None:
    embedder = CountingEmbedder(16)
    cached = cached_embedder(embedder, cache, Counter())
    first, second = (cached.encode(["a horse"], "query") for _ in range(2))
    assert embedder.calls == 1
    assert first.shape == (1, 16)
    assert np.array_equal(first, second)
    assert np.array_equal(second, HashingEmbedder(16).encode(["a horse"], "query"))
    cached.encode(["a horse"], "document")
    assert embedder.calls == 2
    other = CountingEmbedder(8)
    assert cached_embedder(other, cache, Counter()).encode(["a horse"], "query").shape == (1, 8)
    assert (cached.name, cached.dimension, cached.fingerprint) == (
        embedder.name,
        embedder.dimension,
        embedder.fingerprint,
    )


class WordCounter(CountingEmbedder):
    def word_vectors(self, words: Sequence[str], language: str) -> NDArray[np.float32]:
        return np.zeros((len(words), 4), np.float32)

    def translated(self, words: Sequence[str], language: str, into: str) -> list[dict[str, float]]:
        return [{} for _ in words]


def test_an_embedder_of_words_is_left_alone(cache: Cache) -> None:
    embedder = WordCounter(16)
    assert cached_embedder(embedder, cache, Counter()) is embedder


class Lengths:
    name, fingerprint, calls = "lengths", "lengths 1", 0

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float32]:
        self.calls += 1
        return np.array([len(text) for text in texts], np.float32)


def test_a_cached_reranker_scores_the_same_texts_once(cache: Cache) -> None:
    reranker = Lengths()
    cached = cached_reranker(reranker, cache, Counter())
    for _ in range(2):
        assert cached.score("q", ["a", "bb"]).tolist() == [1.0, 2.0]
    assert reranker.calls == 1
    assert cached.score("q", ["bb", "a"]).tolist() == [2.0, 1.0]
    assert cached.score("r", ["a", "bb"]).tolist() == [1.0, 2.0]
    assert reranker.calls == 3


def test_the_bypass_keeps_nothing() -> None:
    embedder = CountingEmbedder(16)
    cached = cached_embedder(embedder, NoCache(), Counter())
    for _ in range(2):
        cached.encode(["a horse"], "query")
    assert embedder.calls == 2


# The digest of contents


items = st.dictionaries(st.text(max_size=4), st.text(max_size=4), max_size=6)


@given(items, items, st.randoms(use_true_random=False))
def test_the_digest_is_that_of_what_is_there(
    first: dict[str, str], second: dict[str, str], random: object
) -> None:
    digest = EMPTY
    for item, fingerprint in first.items():
        digest = with_item(digest, item, fingerprint)
    assert digest == content_digest(first)
    shuffled = list(first.items())
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    for item, fingerprint in shuffled:
        digest = without_item(digest, item, fingerprint)
    assert digest == EMPTY
    assert (content_digest(first) == content_digest(second)) == (first == second)


def test_a_library_keeps_its_digest_through_every_change(tmp_path: Path) -> None:
    def digest(store: EmbeddedStore) -> str:
        assert store.facts()["content"] == content_digest(store.fingerprints())
        return store.facts()["content"]

    seen: list[str] = []
    with EmbeddedStore.open(tmp_path / "library", writable=True) as store:
        seen.append(store.generation())
        one = simple("xx:act:1", "A tax on horses.")
        for change in (
            lambda: store.put(one),
            lambda: store.put(simple("xx:act:2", "A tax on cows.")),
            lambda: store.put(simple("xx:act:1", "A tax on mules.")),
            lambda: store.refuse("broken", "1", [("broken", "no law")]),
            lambda: store.delete(WorkId("xx:act:1")),
        ):
            change()
            digest(store)
            seen.append(store.generation())
        with pytest.raises(ZeroDivisionError), store.batch():
            store.put(one)
            digest(store)
            raise ZeroDivisionError
        assert (digest(store), store.generation()) == (store.facts()["content"], seen[-1])
        store.put(one)
        seen.append(store.generation())
    assert len(set(seen)) == len(seen)
    with EmbeddedStore.open(tmp_path / "library") as reader:
        assert reader.generation() == seen[-1]


def test_a_reader_has_the_generation_of_the_state_it_reads(tmp_path: Path) -> None:
    with EmbeddedStore.open(tmp_path / "library", writable=True) as store:
        store.put(simple("xx:act:1", "A tax on horses."))
        with EmbeddedStore.open(tmp_path / "library") as reader:
            before = reader.generation()
            store.put(simple("xx:act:2", "A tax on cows."))
            assert reader.generation() == before != store.generation()
            reader.refresh()
            assert reader.generation() == store.generation()


def test_a_library_from_before_the_digest_is_given_one_by_its_next_writer(tmp_path: Path) -> None:
    with EmbeddedStore.open(tmp_path / "library", writable=True) as store:
        store.put(simple("xx:act:1", "A tax on horses."))
        expected = store.facts()["content"]
    with sqlite3.connect(tmp_path / "library" / "library.db") as connection:
        connection.execute("DELETE FROM meta WHERE key = 'content'")
    connection.close()
    with EmbeddedStore.open(tmp_path / "library") as reader:
        stand_in = reader.generation()
        assert reader.generation() == stand_in
    with EmbeddedStore.open(tmp_path / "library", writable=True) as store:
        assert store.facts()["content"] == expected


# The command


@pytest.fixture
def cache_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PYKALA_CACHE", str(tmp_path))
    cache = SqliteCache(tmp_path / CACHE_FILE, worth_keeping=0.0)
    for number in (1, 2, 1):
        cache.remember(CacheName.SEARCHES, (number,), texts("x"), TEXTS)
    cache.close()
    return tmp_path / CACHE_FILE


def run_cache(*arguments: str) -> str:
    app = typer.Typer()
    register(app)
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    return result.output


def test_the_command_shows_and_clears(cache_file: Path) -> None:
    shown = json.loads(run_cache("--json"))
    searches = next(one for one in shown["caches"] if one["name"] == "searches")
    assert (searches["entries"], searches["hits"], searches["misses"]) == (2, 1, 2)
    assert searches["oldest"].endswith("+00:00")
    assert shown["bytes"] >= cache_file.stat().st_size > 0
    assert "searches" in run_cache("status")
    assert "0 results forgotten" in run_cache("clear", "--only", "embeddings")
    assert json.loads(run_cache("clear", "--json"))["forgotten"] == 2
    assert "Nothing is kept" in run_cache()


def test_the_command_mends_a_damaged_file(cache_file: Path) -> None:
    garbage(cache_file)
    assert "is not used" in " ".join(run_cache().split())
    run_cache("clear")
    assert "Nothing is kept" in run_cache()


def test_what_one_library_found_is_nothing_in_another_that_numbers_the_same_works_otherwise(
    tmp_path: Path, cache: Cache
) -> None:
    """Two machines read the same sources, in another order, and share a cache."""
    works = [simple(f"xx:act:{number}", f"A tax on animal {number}. It is paid.") for number in range(1, 5)]
    found = []
    for name, order in (("first", works), ("second", works[::-1])):
        with EmbeddedStore.open(tmp_path / name, writable=True) as store:
            for work in order:
                store.put(work)
            cached = cached_store(store, cache, Counter())
            found.append([str(one.provision) for one in cached.match_text("animal 3", Filter(), 1)])
            assert store.facts()["content"] == content_digest(store.fingerprints())
    assert found[0] == found[1]
