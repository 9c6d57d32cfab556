"""Files of uploads are kept in the database: whichever machine took one, any may delete or erase it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from cluster_file import write_cluster_file
from making import simple
from postgres_server import PostgresServer
from pykala.fetch.snapshots import Snapshots, unpack
from pykala.library import Library
from pykala.stores.matters import Matters
from pykala.stores.opening import open_writer, verify
from pykala.stores.originals import FolderOriginals
from pykala.stores.postgres import migrations
from pykala.stores.postgres.address import with_matter
from pykala.stores.postgres.connection import PostgresConnection, schema_of
from pykala.stores.postgres.originals import DatabaseOriginals
from qdrant_server import QdrantServer

LETTER = b"# Letter\n\nThe xylophone stays with the wife.\n"
MATTER = "quill/divorce"
LAW = simple("fi:act:1992/1535", "Tax is paid by the owner of a horse.", language="en")


@pytest.fixture(params=["files", "database", "cluster"])
def machines(request: pytest.FixtureRequest, postgres: PostgresServer, tmp_path: Path) -> Iterator[list[str]]:
    """One library as two machines name it; they share a folder only where the index is in files."""
    records = postgres.new_database()
    if request.param == "cluster":
        nodes: QdrantServer = request.getfixturevalue("qdrant")
        files = [write_cluster_file(tmp_path / name, records, nodes.addresses) for name in ("one", "two")]
        places = [f"cluster:{file}" for file in files]
    else:
        folders = ("one", "two") if request.param == "database" else ("shared", "shared")
        places = [f"{records}?index={request.param}&index_folder={tmp_path / name}" for name in folders]
    with open_writer(places[0]) as law:
        law.put(LAW)
    yield places
    if request.param == "cluster":
        nodes.drop_all()


def records_of(place: str) -> PostgresConnection:
    store = open_writer(place, create=False)
    address, matter = store.records.address, store.records.matter
    store.close()
    return PostgresConnection(with_matter(address, matter), writable=False)


def held(place: str) -> list[bytes]:
    """The files of uploads that the database has."""
    with closing(records_of(place)) as records:
        originals = DatabaseOriginals(records)
        return [unpack(originals.packed(sha256)) for sha256 in originals.hashes()]


def upload(place: str, inbox: Path, data: bytes = LETTER) -> str:
    inbox.mkdir()
    (inbox / "letter.md").write_bytes(data)
    with Library.open(place, writable=True, embedder=None) as library:
        (report,) = library.inbox(inbox)
        assert report.added == ("letter.md",)
        return next(str(work) for work in library.store.items().values() if work.jurisdiction == "up")


def test_another_machine_deletes_what_one_took(machines: list[str], tmp_path: Path) -> None:
    work = upload(machines[0], tmp_path / "inbox")
    assert held(machines[1]) == [LETTER]
    assert not list(tmp_path.rglob("*.zst"))  # nowhere else
    with Library.open(machines[1], writable=True, embedder=None) as library:
        library.delete(work)
    assert held(machines[0]) == []


def test_a_matter_that_another_machine_erases_is_gone(machines: list[str], tmp_path: Path) -> None:
    with closing(Matters(machines[0])) as matters:
        matters.add(MATTER, embedder=None, roles=[], caller="test")
    upload(with_matter(machines[0], MATTER), tmp_path / "inbox")
    assert held(with_matter(machines[0], MATTER)) == [LETTER]
    assert held(machines[0]) == []
    with closing(Matters(machines[1])) as matters:
        matters.erase(MATTER, caller="test")
    assert not list(tmp_path.rglob("*.zst"))


def test_a_writer_that_fails_keeps_no_file(machines: list[str]) -> None:
    with pytest.raises(KeyboardInterrupt), open_writer(machines[0]) as store:
        store.originals().put(LETTER)
        with store.batch():
            raise KeyboardInterrupt
    assert held(machines[0]) == []


def test_what_an_older_version_kept_in_a_folder_is_taken_in(machines: list[str], tmp_path: Path) -> None:
    upload(machines[0], tmp_path / "inbox")
    with open_writer(machines[0]) as store:
        folder = store.generations.root / "originals"
        store.records.execute("DELETE FROM originals")
    before = Snapshots(folder)
    before.put(LETTER)
    before.put(b"of a work that was erased on another machine")
    open_writer(machines[0]).close()
    assert held(machines[0]) == [LETTER]
    assert FolderOriginals(folder).hashes() == []


def test_an_altered_file_is_found(machines: list[str], tmp_path: Path) -> None:
    upload(machines[0], tmp_path / "inbox")
    assert verify(machines[0]).is_whole
    with closing(records_of(machines[0])) as records:
        records.execute("UPDATE originals SET packed = set_byte(packed, 20, 255 - get_byte(packed, 20))")
    found = verify(machines[0])
    (finding,) = found.findings
    assert finding.part == "originals"
    assert "add the file again" in finding.what


def test_matters_of_an_older_version_are_brought_up_to_date_with_the_law(
    postgres: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = postgres.new_database()
    law, own = migrations.migrations(), migrations.matter_migrations()
    monkeypatch.setattr(migrations, "migrations", lambda: law[:-1])
    monkeypatch.setattr(migrations, "matter_migrations", lambda: own[:-2])  # before its originals
    with open_writer(f"{address}?index_folder={tmp_path / 'index'}") as store:
        store.put(LAW)
    with closing(Matters(address)) as matters:
        matters.add(MATTER, embedder=None, roles=[], caller="test")
    monkeypatch.undo()
    Library.open(address, embedder=None).close()  # as 'pykala stats' does
    assert held(with_matter(address, MATTER)) == []
    with psycopg.connect(address) as connection:
        rows = connection.execute(
            "SELECT relrowsecurity, relforcerowsecurity FROM pg_class WHERE oid = CAST(%s AS regclass)",
            (f"{schema_of(MATTER)}.originals",),
        ).fetchall()
    assert rows == [(True, True)]


def test_originals_share_the_layout_of_snapshots(tmp_path: Path) -> None:
    sha256 = Snapshots(tmp_path).put(LETTER)
    folder = FolderOriginals(tmp_path)
    assert folder.hashes() == [sha256]
    assert unpack(folder.packed(sha256)) == LETTER
