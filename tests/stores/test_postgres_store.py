"""The store of a team, on a real PostgreSQL: states, kills, locks, and errors that tell no password."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from findings_in_english import in_english
from making import bundle, document, section, simple
from postgres_server import PASSWORD, PostgresServer
from pykala.law.filters import Filter
from pykala.law.identifiers import WorkId
from pykala.law.messages import Message
from pykala.law.provisions import Version
from pykala.models.hashing import HashingEmbedder
from pykala.stores import old_findings
from pykala.stores.embedded import digests
from pykala.stores.embedded.schema import SCHEMA
from pykala.stores.opening import verify
from pykala.stores.postgres import connection as connections
from pykala.stores.postgres import migrations
from pykala.stores.postgres.connection import PostgresConnection
from pykala.stores.postgres.store import PostgresStore
from pykala.stores.store import StoreDamaged, StoreError, StoreForbidden, StoreIncompatible, StoreLocked

EMBEDDER = HashingEmbedder(32)
HORSES = simple("xx:act:1", "A tax on horses.")
COWS = simple("xx:act:2", "A tax on cows.")


class Place:
    """A database and a folder for its index files."""

    def __init__(self, server: PostgresServer, folder: Path) -> None:
        self.server, self.folder, self.address = server, folder, server.new_database()
        self._opened: list[PostgresStore] = []

    def open(self, *, writable: bool = False, create: bool = True) -> PostgresStore:
        opened = PostgresStore.open_at(
            self.address, writable=writable, create=create, embedder=EMBEDDER, index_folder=self.folder
        )
        self._opened.append(opened)
        return opened

    def close(self) -> None:
        for one in self._opened:
            one.close()


@pytest.fixture
def place(postgres: PostgresServer, tmp_path: Path) -> Iterator[Place]:
    made = Place(postgres, tmp_path / "indexes")
    yield made
    made.close()


def works(store: PostgresStore) -> list[str]:
    return [str(work.id) for work in store.works()]


def found(store: PostgresStore) -> list[str]:
    return sorted({str(match.work) for match in store.match_text("tax", Filter(), 10)})


def test_a_reader_stays_on_its_state_until_it_moves_on(place: Place) -> None:
    writer = place.open(writable=True)
    writer.put(HORSES)
    reader = place.open()
    before = reader.generation()
    writer.put(COWS)
    assert works(reader) == found(reader) == ["xx:act:1"]
    assert reader.catch_up()
    assert not reader.catch_up()
    assert works(reader) == found(reader) == ["xx:act:1", "xx:act:2"]
    assert reader.generation() != before


def test_a_batch_that_fails_leaves_nothing(place: Place) -> None:
    writer = place.open(writable=True)
    writer.put(HORSES)
    with pytest.raises(ZeroDivisionError), writer.batch():
        writer.put(COWS)
        raise ZeroDivisionError
    writer.put(simple("xx:act:3", "A tax on mules."))
    reader = place.open()
    assert works(reader) == found(reader) == ["xx:act:1", "xx:act:3"]


def test_a_writer_that_is_killed_leaves_the_last_state(place: Place) -> None:
    with place.open(writable=True) as writer:
        writer.put(HORSES)
    program = (
        "import sys; from making import simple; from pathlib import Path\n"
        "from pykala.models.hashing import HashingEmbedder\n"
        "from pykala.stores.postgres.store import PostgresStore\n"
        "store = PostgresStore.open_at(sys.argv[1], writable=True, embedder=HashingEmbedder(32),"
        " index_folder=Path(sys.argv[2]))\n"
        "with store.batch():\n"
        "    store.put(simple('xx:act:2', 'A tax on cows.'))\n"
        "    store._write_generation(last=False, anew=False)\n"  # the database does not name it yet
        "    print('in the middle', flush=True); sys.stdin.read()\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program, place.address, str(place.folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[1],
    )
    assert process.stdout is not None
    assert process.stdout.readline().strip() == b"in the middle"
    with pytest.raises(StoreLocked, match=r"another process \(connection \d+ from .*\) is writing"):
        PostgresStore.reindex_at(place.address, embedder=EMBEDDER)  # it would change the whole library
    process.kill()
    process.communicate()
    reader = place.open()
    assert works(reader) == found(reader) == ["xx:act:1"]
    place.server.wait_for_no_writer(place.address)
    with place.open(writable=True) as writer:
        writer.put(COWS)
    reader.refresh()
    assert works(reader) == found(reader) == ["xx:act:1", "xx:act:2"]


def test_a_server_that_was_killed_and_is_back_goes_on_being_read(place: Place) -> None:
    with place.open(writable=True) as writer:
        writer.put(HORSES)
    reader = place.open()
    assert works(reader) == ["xx:act:1"]
    place.server.kill()
    with pytest.raises(StoreError, match="could not be reached") as refused:
        works(reader)
    assert PASSWORD not in str(refused.value)
    place.server.start()
    assert works(reader) == found(reader) == ["xx:act:1"]


def test_a_reader_that_lost_its_state_says_so_and_then_moves_on(place: Place) -> None:
    with place.open(writable=True) as writer:
        writer.put(HORSES)
    reader = place.open()
    place.server.kill()
    place.server.start()
    with place.open(writable=True) as writer:
        writer.put(COWS)
    with pytest.raises(StoreError, match="moved on meanwhile; ask again"):
        works(reader)
    assert reader.catch_up()
    assert works(reader) == found(reader) == ["xx:act:1", "xx:act:2"]


def test_old_generations_go_and_a_lost_volume_is_told(place: Place) -> None:
    writer = place.open(writable=True)
    for number in range(6):
        writer.put(simple(f"xx:act:{number}", "A tax."))
    kept = sorted(path.name for path in (writer.generations.root / "generations").iterdir())
    assert len(kept) == 3
    writer.close()
    place.folder.rename(place.folder.with_name("elsewhere"))
    with pytest.raises(StoreDamaged, match="check that the volume is there"):
        place.open()


def test_reindexing_writes_the_files_anew(place: Place) -> None:
    with place.open(writable=True) as writer:
        writer.put(HORSES)
    other = HashingEmbedder(16)
    with pytest.raises(StoreIncompatible, match="reindex"):
        PostgresStore.open_at(place.address, embedder=other)
    PostgresStore.reindex_at(place.address, embedder=other)
    with PostgresStore.open_at(place.address, embedder=other) as reader:
        assert found(reader) == ["xx:act:1"]
        assert len(reader.match_vector(other.encode(["tax"], role="query")[0], Filter(), 5)) == 1
    assert PostgresStore.made_with_at(place.address) == other.fingerprint


def test_a_text_with_a_nul_is_stored(place: Place) -> None:
    with place.open(writable=True) as writer:
        writer.put(simple("xx:act:1", "A tax on \0 horses."))
        held = writer.document(WorkId("xx:act:1"), "en")
        assert held.root.children[0].versions[0].text == "A tax on \ufffd horses."


def test_a_migration_that_fails_leaves_nothing(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    known = migrations.migrations()
    broken = [*known, (99, "broken", "CREATE TABLE half (id integer); SELECT 1 / 0")]
    monkeypatch.setattr(migrations, "migrations", lambda: broken)
    with pytest.raises(StoreError, match="division by zero"):
        place.open(writable=True)
    monkeypatch.undo()
    records = PostgresConnection(place.address, writable=False)
    assert migrations.version_of(records) == 0
    records.close()
    place.open(writable=True)


# What can be wrong


def refusal(address: str, folder: Path, *, writable: bool = False) -> StoreError:
    with pytest.raises(StoreError) as refused:
        PostgresStore.open_at(address, writable=writable, embedder=EMBEDDER, index_folder=folder)
    told = str(refused.value)
    assert "\n" not in told
    assert PASSWORD not in told
    assert refused.value.__cause__ is None  # no traceback shows the driver's own words
    return refused.value


def test_wrong_addresses(place: Place) -> None:
    server, folder = place.server, place.folder
    assert "no such database" in str(refusal(server.url("nowhere"), folder))
    assert "user or the password" in str(refusal(server.url("postgres", password=f"{PASSWORD}x"), folder))
    assert "could not be reached" in str(refusal(f"postgresql://u:{PASSWORD}@127.0.0.1:1/law", folder))
    assert "could not be reached" in str(refusal(f"postgresql://u:{PASSWORD}@[broken/law", folder))
    assert "there is no library" in str(refusal(place.address, folder))


def test_a_server_that_is_too_old(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "OLDEST", 900)
    told = str(refusal(place.address, place.folder))
    assert "a library needs 900 or newer: upgrade the server" in told
    assert PASSWORD not in told


def test_a_schema_of_somebody_else(place: Place) -> None:
    place.server.execute("CREATE SCHEMA pykala; CREATE TABLE pykala.cats (id int)", place.address)
    assert "tables of another program" in str(refusal(place.address, place.folder, writable=True))


def test_tables_of_a_newer_version(place: Place) -> None:
    place.open(writable=True).close()
    place.server.execute("INSERT INTO pykala.migrations VALUES (999, 'later')", place.address)
    for writable in (False, True):
        assert "install a newer pykala" in str(refusal(place.address, place.folder, writable=writable))


def test_tables_of_an_older_version_are_brought_up_to_date(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = migrations.migrations()
    monkeypatch.setattr(migrations, "migrations", lambda: known[:1])
    with place.open(writable=True) as writer:
        writer.put(HORSES)
    monkeypatch.undo()
    reader = place.open()
    assert works(reader) == ["xx:act:1"]
    assert migrations.version_of(reader.records) == known[-1][0]


def test_findings_that_were_sentences_become_messages_and_every_row_still_has_its_hash(place: Place) -> None:
    """Before migration 9, and in a library of schema 3."""
    work = WorkId("xx:act:1")
    findings = (
        Message.of("finding.states_missing", count=2, first=date(1997, 1, 1), day=date(2001, 5, 1)),
        Message.in_words("the scan of page 3 is dark"),
    )
    versions = (Version("A tax on horses.", findings=findings), Version("A tax on cows."))
    put = document(work, "en", [section(work, str(n), versions=(one,)) for n, one in enumerate(versions)])
    with place.open(writable=True) as writer:
        writer.put(bundle(work, [put]))
    records = PostgresConnection(place.address, writable=True)
    records.execute("BEGIN")
    digests.rewrite_facts(records, old_findings.MARK, in_english)
    records.execute("DELETE FROM migrations WHERE name = 'findings'")
    records.execute("UPDATE meta SET value = '3' WHERE key = 'schema'")
    records.execute("COMMIT")
    (stored,) = records.execute("SELECT facts FROM versions WHERE facts != ''").fetchone() or ("",)
    records.close()
    assert "the source holds no text of 2 states since 1997-01-01" in stored
    reader = place.open()
    assert reader.document(work, "en") == put
    assert reader.stats().facts["schema"] == str(SCHEMA)
    reader.close()
    assert verify(f"{place.address}?index_folder={place.folder}", embedder=EMBEDDER).is_whole


def test_a_user_without_rights(place: Place) -> None:
    place.open(writable=True).close()
    name = place.address.rpartition("/")[2]
    role = f"guest_of_{name}"
    place.server.execute(f"CREATE ROLE {role} LOGIN PASSWORD '{PASSWORD}'", place.address)
    guest = place.server.url(name, user=role)
    assert isinstance(refusal(guest, place.folder), StoreForbidden)
    assert isinstance(refusal(guest, place.folder, writable=True), StoreForbidden)
    place.server.execute(
        f"GRANT USAGE ON SCHEMA pykala TO {role}; GRANT SELECT ON ALL TABLES IN SCHEMA pykala TO {role}",
        place.address,
    )
    with PostgresStore.open_at(guest, embedder=EMBEDDER) as reader:
        assert works(reader) == []
    assert isinstance(refusal(guest, place.folder, writable=True), StoreForbidden)


def test_a_missing_extra_prints_its_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StoreError, match=r"pip install 'pykala\[postgres\]'"):
        connections.connect_driver("postgresql://law/law")
