"""PostgreSQL alone: the ranking of a folder, whole states for readers, one line for what is missing."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from making import simple
from postgres_server import PASSWORD, PostgresServer
from pykala.law.bundles import Bundle
from pykala.law.filters import Filter
from pykala.law.identifiers import WorkId
from pykala.models.hashing import HashingEmbedder
from pykala.stores.copying import copy_library
from pykala.stores.database import tables, words
from pykala.stores.database.reading_along import ReadingAlong, Row
from pykala.stores.database.store import DatabaseStore
from pykala.stores.embedded.store import EmbeddedStore
from pykala.stores.opening import open_store, open_writer, reindex
from pykala.stores.postgres.connection import PostgresConnection
from pykala.stores.postgres.store import PostgresStore
from pykala.stores.served import word_staging
from pykala.stores.store import Search, Store, StoreError, StoreForbidden, StoreIncompatible

EMBEDDER = HashingEmbedder(64)
QUERIES = ("tax on horses", "duty of the owner", "bridge toll", "horses horses foals")


@pytest.fixture
def address(postgres: PostgresServer, tmp_path: Path) -> str:
    return f"{postgres.new_database()}?index=database&index_folder={tmp_path / 'local'}"


def acts(first: int, last: int, foals: int = 5) -> list[Bundle]:
    return [
        simple(
            f"xx:act:{number}",
            f"The owner of {number} horses pays a tax on horses. " + "Foals are free. " * (number % foals),
            f"A toll is due at bridge {number}. " + "The duty is the owner's. " * (number % 3),
        )
        for number in range(first, last + 1)
    ]


def written(address: str) -> DatabaseStore:
    opened = open_writer(address, embedder=EMBEDDER)
    assert isinstance(opened, DatabaseStore)
    return opened


def found(store: Store) -> list[list[tuple[str, float]]]:
    return [[(str(m.provision), m.score) for m in store.match_text(q, Filter(), 20)] for q in QUERIES]


def near(store: Store) -> list[tuple[str, float]]:
    vector = EMBEDDER.encode(["tax on horses"], "query")[0]  # type: ignore[arg-type]
    return [(str(m.provision), m.score) for m in store.match_vector(vector, Filter(), 10)]


def searched(store: Store) -> list[dict[str, float]]:
    """The passages of several searches at once, by words and by meaning, and the cosines of the others."""
    vector = EMBEDDER.encode(["tax on horses"], "query")[0]  # type: ignore[arg-type]
    hits = store.search([Search(Filter(), 3, query, vector=vector) for query in QUERIES])
    kinds = [
        {f"{m.provision} {m.language}": m.score for m in kind}
        for one in hits
        for kind in (one.by_words, one.by_meaning)
    ]
    names = {m.passage: f"{m.provision} {m.language}" for one in hits for m in one.by_words}
    return [*kinds, *({names[number]: near for number, near in one.nearness.items()} for one in hits)]


def assert_same(ours: list[tuple[str, float]], theirs: list[tuple[str, float]]) -> None:
    assert [name for name, _ in ours] == [name for name, _ in theirs]
    assert [score for _, score in ours] == pytest.approx([score for _, score in theirs], abs=1e-3)


@pytest.mark.parametrize("drift", [0.0, 10.0], ids=["weighed anew", "weights of another time"])
def test_passages_rank_as_in_a_folder_whatever_came_and_went(
    tmp_path: Path, address: str, drift: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lengths drift as works come and go; scores are those of today's lengths all the same."""
    monkeypatch.setattr(words, "DRIFT", drift)
    monkeypatch.setattr(words, "_BEYOND", 1)  # so that more is fetched where the bound asks for it
    with written(address) as store:
        for one in acts(1, 12):
            store.put(one)
    with written(address) as store, store.batch():
        for one in acts(13, 20, foals=11):
            store.put(one)
        store.delete(WorkId("xx:act:3"))
    with EmbeddedStore.open(tmp_path / "folder", writable=True, embedder=EMBEDDER) as folder, folder.batch():
        for one in (*acts(1, 2), *acts(4, 12), *acts(13, 20, foals=11)):  # as if it had never been
            folder.put(one)
    with (
        open_store(address, embedder=EMBEDDER) as database,
        EmbeddedStore.open(tmp_path / "folder", embedder=EMBEDDER) as folder,
    ):
        for ours, theirs in zip(found(database), found(folder), strict=True):
            assert_same(ours, theirs)
        assert_same(near(database), near(folder))
        for here, there in zip(searched(database), searched(folder), strict=True):
            assert list(here)
            assert here == pytest.approx(there, abs=1e-3)
        assert database.weigh("tax on horses", "en") == pytest.approx(folder.weigh("tax on horses", "en"))


def test_what_was_not_read_along_with_a_search_is_read_after_it(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A search that is asked again, for more, may find passages that nobody read along."""
    run = ReadingAlong.run

    def lacking(along: ReadingAlong, records: PostgresConnection) -> tuple[list[list[Row]], list[Row]]:
        rows, passages = run(along, records)
        return rows, passages[:1]

    with written(address) as store:
        for one in acts(1, 12):
            store.put(one)
    with open_store(address, embedder=EMBEDDER) as reader:
        whole = searched(reader)
        monkeypatch.setattr(ReadingAlong, "run", lacking)
        monkeypatch.setattr(DatabaseStore, "_begin_comparing", lambda *given: {})
        assert searched(reader) == whole


def test_a_place_whose_lengths_are_not_known_is_searched_all_the_same(
    address: str, postgres: PostgresServer
) -> None:
    with written(address) as store:
        for one in acts(1, 4):
            store.put(one)
    postgres.execute("DELETE FROM pykala.index_lengths", address.partition("?")[0])
    with open_store(address, embedder=EMBEDDER) as reader:
        assert len(found(reader)[0]) == 4


def test_a_reader_stays_on_its_state_and_keeps_no_writer_waiting(address: str) -> None:
    with written(address) as store:
        for one in acts(1, 4):
            store.put(one)
    with open_store(address, embedder=EMBEDDER) as reader:
        before = found(reader), near(reader)
        with written(address) as store, store.batch():
            for one in acts(5, 9):
                store.put(one)
            store.delete(WorkId("xx:act:2"))
        assert (found(reader), near(reader)) == before
        reindex(address, embedder=EMBEDDER)
        assert (found(reader), near(reader)) == before
        assert reader.catch_up()
        assert "xx:act:9/sec_1" in dict(found(reader)[0])
        assert "xx:act:2/sec_1" not in dict(found(reader)[0])


def test_a_killed_writer_leaves_the_last_state(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with written(address) as store:
        for one in acts(1, 4):
            store.put(one)
        before = found(store)

    def killed(self: object) -> None:
        raise KeyboardInterrupt

    store = written(address)
    with monkeypatch.context() as patched:
        patched.setattr(word_staging.StatisticsWriter, "commit", killed)
        with pytest.raises(KeyboardInterrupt), store.batch():
            store.delete(WorkId("xx:act:2"))
            for one in acts(5, 8):
                store.put(one)
    store.records.close()
    with open_store(address, embedder=EMBEDDER) as reader:
        assert found(reader) == before
    with written(address) as store:
        assert found(store) == before


def test_a_machine_needs_no_file(tmp_path: Path, address: str) -> None:
    with written(address) as store:
        for one in acts(1, 4):
            store.put(one)
        wanted = found(store)
    shutil.rmtree(tmp_path / "local")
    with open_store(address, embedder=EMBEDDER) as reader:
        assert found(reader) == wanted
    shutil.rmtree(tmp_path / "local")
    with written(address) as store:
        store.put(acts(5, 5)[0])
        assert "xx:act:5/sec_1" in dict(found(store)[0])


def test_the_index_moves_between_files_and_the_database(tmp_path: Path, address: str) -> None:
    bare = address.partition("?")[0]
    files = f"{bare}?index=files&index_folder={tmp_path / 'files'}"
    with written(address) as store:
        for one in acts(1, 6):
            store.put(one)
        wanted = found(store)
    with open_store(f"{bare}?index_folder={tmp_path / 'other'}", embedder=EMBEDDER) as reader:
        assert isinstance(reader, DatabaseStore)  # the library knows
    with pytest.raises(
        StoreIncompatible, match=r"is in the database; leave 'index=files' out of the address"
    ):
        open_store(files, embedder=EMBEDDER)
    reindex(files, embedder=EMBEDDER)
    with open_store(bare, embedder=EMBEDDER) as reader:
        assert type(reader) is PostgresStore
        for ours, theirs in zip(found(reader), wanted, strict=True):
            assert_same(ours, theirs)
    with pytest.raises(StoreIncompatible, match="is in files"):
        open_store(address, embedder=EMBEDDER)
    reindex(address, embedder=EMBEDDER)
    with open_store(address, embedder=EMBEDDER) as reader:
        assert found(reader) == wanted


def test_a_copy_says_that_the_index_is_to_be_written(tmp_path: Path, address: str) -> None:
    with written(address) as store:
        for one in acts(1, 3):
            store.put(one)
        wanted = found(store)
    report = copy_library(address, tmp_path / "folder")
    assert not report.indexed
    reindex(tmp_path / "folder", embedder=EMBEDDER)
    with EmbeddedStore.open(tmp_path / "folder", embedder=EMBEDDER) as folder:
        for ours, theirs in zip(found(folder), wanted, strict=True):
            assert_same(ours, theirs)


def test_a_copy_writes_the_index_into_the_database(
    tmp_path: Path, address: str, postgres: PostgresServer
) -> None:
    with EmbeddedStore.open(tmp_path / "law", writable=True, embedder=EMBEDDER) as folder:
        for one in acts(1, 3):
            folder.put(one)
        wanted = found(folder)
    with written(address) as store:
        store.put(acts(1, 1)[0])
    with pytest.raises(StoreError, match="there is a library"):
        copy_library(tmp_path / "law", address, embedder_for=lambda place: EMBEDDER)
    new = f"{postgres.new_database()}?index=database&index_folder={tmp_path / 'other'}"
    assert copy_library(tmp_path / "law", new, embedder_for=lambda place: EMBEDDER).indexed
    with open_store(new, embedder=EMBEDDER) as reader:
        assert type(reader) is DatabaseStore
        for ours, theirs in zip(found(reader), wanted, strict=True):
            assert_same(ours, theirs)


def test_what_is_missing_is_one_line(
    postgres: PostgresServer, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(StoreError, match="is kept in 'files' or in the 'database', not in 'memory'"):
        open_store(address.replace("index=database", "index=memory"))
    with monkeypatch.context() as patched:
        patched.setattr(tables, "EXTENSION", "no_such_vector")
        with pytest.raises(StoreError, match=r"has no pgvector; install it there") as error:
            written(address)
        assert "\n" not in str(error.value)
        assert PASSWORD not in str(error.value)
    name = address.partition("?")[0].rpartition("/")[2]
    postgres.execute(f"CREATE ROLE reader_of_{name} LOGIN PASSWORD '{PASSWORD}'")
    with pytest.raises(StoreForbidden, match="GRANT CREATE ON DATABASE"):
        written(f"{postgres.url(name, user=f'reader_of_{name}')}?index=database")
