"""A library is copied between a folder and PostgreSQL whole, goes on where it was cut off, and proves it."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from copied_library import CONTRACT, EMBEDDER, Cut, make_library, originals, originals_in_database, told
from making import simple
from postgres_server import PostgresServer
from pykala.law.filters import Filter
from pykala.law.identifiers import WorkId
from pykala.stores import copying
from pykala.stores.archiving import back_up, restore
from pykala.stores.copying import copy_library
from pykala.stores.embedded.schema import SCHEMA
from pykala.stores.embedded.store import EmbeddedStore
from pykala.stores.embedded.verifying import verify
from pykala.stores.postgres.store import PostgresStore
from pykala.stores.store import StoreDamaged, StoreError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return make_library(tmp_path / "law")


def test_there_and_back_again(folder: Path, postgres: PostgresServer, tmp_path: Path) -> None:
    address, back = postgres.new_database(), tmp_path / "back"
    there = copy_library(folder, address, index_folder=tmp_path / "indexes")
    assert there.rows > 0
    assert not there.resumed
    copy_library(address, back)
    with (
        EmbeddedStore.open(folder, embedder=EMBEDDER) as first,
        PostgresStore.open_at(address, embedder=EMBEDDER) as second,
        EmbeddedStore.open(back, embedder=EMBEDDER) as third,
    ):
        assert told(first) == told(second) == told(third)
        assert originals_in_database(second.records) == [CONTRACT]
    assert verify(back).is_whole
    assert originals(back) == [CONTRACT]


def test_what_is_written_after_a_copy_has_new_numbers(
    folder: Path, postgres: PostgresServer, tmp_path: Path
) -> None:
    address, back = postgres.new_database(), tmp_path / "back"
    copy_library(folder, address, index_folder=tmp_path / "indexes")
    new = simple("xx:act:9", "A tax on geese.")
    with PostgresStore.open_at(address, writable=True, embedder=EMBEDDER) as team:
        team.put(new)
        team.delete(WorkId("xx:act:6"))
    copy_library(address, back)
    with (
        EmbeddedStore.open(back, writable=True, embedder=EMBEDDER) as third,
        EmbeddedStore.open(folder, writable=True, embedder=EMBEDDER) as first,
    ):
        first.put(new)
        first.delete(WorkId("xx:act:6"))
        assert sorted(first.fingerprints()) == sorted(third.fingerprints())
        third.put(simple("xx:act:10", "A tax on hens."))
        assert [str(one.work) for one in third.match_text("hens", Filter(), 5)] == ["xx:act:10"]


@pytest.mark.parametrize("to_database", [True, False])
def test_a_copy_that_was_cut_off_goes_on(
    folder: Path,
    postgres: PostgresServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    to_database: bool,
) -> None:
    monkeypatch.setattr(copying, "_ROWS_AT_ONCE", 5)
    address = postgres.new_database()
    source: str | Path = folder
    target: str | Path = address
    if not to_database:
        copy_library(folder, address, index_folder=tmp_path / "indexes")
        source, target = address, tmp_path / "back"

    def cut(done: int, total: int) -> None:
        if done > total / 2:
            raise Cut

    with pytest.raises(Cut):
        copy_library(source, target, index_folder=tmp_path / "indexes", progress=cut)
    with pytest.raises(StoreError, match=r"no library|not whole"):
        Opened(target)
    seen: list[int] = []
    report = copy_library(
        source, target, index_folder=tmp_path / "indexes", progress=lambda done, total: seen.append(done)
    )
    assert report.resumed
    assert seen[0] > report.rows / 2
    with Opened(target) as store, EmbeddedStore.open(folder, embedder=EMBEDDER) as first:
        assert told(store) == told(first)


def Opened(place: str | Path) -> PostgresStore | EmbeddedStore:  # noqa: N802
    if isinstance(place, str):
        return PostgresStore.open_at(place, embedder=EMBEDDER)
    return EmbeddedStore.open(place, embedder=EMBEDDER)


def test_a_cut_copy_of_a_source_that_has_changed_begins_anew(
    folder: Path, postgres: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copying, "_ROWS_AT_ONCE", 5)
    address = postgres.new_database()

    def cut(done: int, total: int) -> None:
        if done > 20:
            raise Cut

    with pytest.raises(Cut):
        copy_library(folder, address, index_folder=tmp_path / "indexes", progress=cut)
    with EmbeddedStore.open(folder, writable=True, embedder=EMBEDDER) as store:
        store.delete(WorkId("xx:act:1"))
    assert not copy_library(folder, address, index_folder=tmp_path / "indexes").resumed


def test_a_copy_that_an_older_version_was_cut_off_from_begins_anew(
    folder: Path, postgres: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its rows would be of another schema than those that follow."""
    monkeypatch.setattr(copying, "_ROWS_AT_ONCE", 5)
    address, back = postgres.new_database(), tmp_path / "back"
    copy_library(folder, address, index_folder=tmp_path / "indexes")

    def cut(done: int, total: int) -> None:
        if done > total / 2:
            raise Cut

    for schema in (SCHEMA - 1, SCHEMA):
        with pytest.raises(Cut):
            copy_library(address, back, progress=cut)
        with closing(sqlite3.connect(back / "copying.db")) as connection, connection:
            connection.execute("UPDATE meta SET value = ? WHERE key = 'schema'", (str(schema),))
        assert copy_library(address, back).resumed is (schema == SCHEMA)
        shutil.rmtree(back)


def test_a_library_is_not_copied_over_another(folder: Path, postgres: PostgresServer, tmp_path: Path) -> None:
    address = postgres.new_database()
    copy_library(folder, address, index_folder=tmp_path / "indexes")
    with pytest.raises(StoreError, match="already; copy into a new database"):
        copy_library(folder, address)
    with pytest.raises(StoreError, match="already; copy into a new folder"):
        copy_library(address, folder)


def test_a_row_that_arrived_otherwise_is_noticed(
    folder: Path, postgres: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = postgres.new_database()

    def altered(done: int, total: int) -> None:
        if done == total:
            postgres.execute("UPDATE pykala.passages SET text = text || '!' WHERE id = 1", address)

    with pytest.raises(StoreDamaged, match="the table passages"):
        copy_library(folder, address, index_folder=tmp_path / "indexes", progress=altered)


FALSIFIED = "UPDATE {table} SET text = replace(text, 'horse 3', 'horse 8')"


@pytest.mark.parametrize("table", ["versions", "passages"])
def test_a_library_with_altered_text_is_not_copied(
    folder: Path, postgres: PostgresServer, tmp_path: Path, table: str
) -> None:
    change(folder, FALSIFIED.format(table=table))
    address = postgres.new_database()
    for target in (tmp_path / "copy", address):
        with pytest.raises(StoreDamaged) as refused:
            copy_library(folder, target, index_folder=tmp_path / "indexes")
        assert f"xx:act:3/sec_1: {table}: its text or dates are not those that were written" in str(
            refused.value
        )
        assert f"'pykala verify {folder} --repair'" in str(refused.value)
    assert not (tmp_path / "copy").exists()


def test_text_altered_in_the_database_is_found_by_the_hashes_of_the_folder(
    folder: Path, postgres: PostgresServer, tmp_path: Path
) -> None:
    address, again = postgres.new_database(), postgres.new_database()
    copy_library(folder, address, index_folder=tmp_path / "indexes")
    copy_library(address, again, index_folder=tmp_path / "more")
    postgres.execute(FALSIFIED.format(table="pykala.versions"), again)
    for target in (tmp_path / "back", postgres.new_database()):
        with pytest.raises(StoreDamaged, match="'pykala delete xx:act:3 --library ADDRESS'"):
            copy_library(again, target, index_folder=tmp_path / "indexes")
    with pytest.raises(StoreDamaged, match="xx:act:3/sec_1"):
        back_up(again, tmp_path / "law.tar.zst", made_at=datetime(2026, 11, 16, tzinfo=UTC), version="1")
    assert not list(tmp_path.glob("law.tar.zst*"))


def test_content_hashes_are_carried_and_works_without_are_counted(folder: Path, tmp_path: Path) -> None:
    change(folder, "DELETE FROM digests WHERE work = 1")
    report = copy_library(folder, tmp_path / "copy")
    assert report.unhashed == 1
    wanted, found = (
        dict(rows_of(where, "SELECT work, hex(versions) || hex(rest) FROM digests"))
        for where in (folder, tmp_path / "copy")
    )
    assert found.items() > wanted.items()
    assert verify(tmp_path / "copy").is_whole
    change(folder, FALSIFIED.format(table="versions"))
    copy_library(folder, tmp_path / "altered", checked=False)
    assert not verify(tmp_path / "altered").is_whole  # the damage is not hidden
    change(folder, "DROP TABLE digests")  # as in a library of an older version
    assert copy_library(folder, tmp_path / "old").unhashed == 5


def change(folder: Path, statement: str) -> None:
    rows_of(folder, statement)


def rows_of(folder: Path, statement: str) -> list[tuple[object, str]]:
    with sqlite3.connect(folder / "library.db") as connection:
        found = connection.execute(statement).fetchall()
    connection.close()
    return found


def test_a_backup_of_a_database_is_that_of_a_folder(
    folder: Path, postgres: PostgresServer, tmp_path: Path
) -> None:
    first, second = postgres.new_database(), postgres.new_database()
    copy_library(folder, first, index_folder=tmp_path / "indexes")
    archive = tmp_path / "law.tar.zst"
    back_up(first, archive, made_at=datetime(2026, 11, 16, tzinfo=UTC), version="1")
    restore(archive, tmp_path / "restored")
    restore(archive, f"{second}?index_folder={tmp_path / 'more'}")
    with (
        Opened(first) as there,
        Opened(tmp_path / "restored") as here,
        Opened(second) as again,
    ):
        assert told(there) == told(here) == told(again)
    assert not list(tmp_path.glob("law.tar.zst.*"))
