"""A library of an older schema is migrated in one transaction, with a copy kept."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from findings_in_english import in_english
from making import bundle, cites, document, section, simple, since
from pykala.law.filters import Filter
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.messages import Message
from pykala.law.provisions import Version
from pykala.law.references import Edge
from pykala.models.hashing import HashingEmbedder
from pykala.stores import old_findings
from pykala.stores.embedded import digests, migrations
from pykala.stores.embedded.migrations import copy_of
from pykala.stores.embedded.schema import SCHEMA
from pykala.stores.embedded.store import EmbeddedStore
from pykala.stores.embedded.verifying import verify
from pykala.stores.store import Stats, StoreError, StoreLocked

EMBEDDER = HashingEmbedder(32)
BANK, OTHER = WorkId("ca:act:B-1.01"), WorkId("ca:act:X-9")
FINDINGS = (
    Message("finding.no_list"),
    Message.of("finding.record_ends", day=date(2019, 3, 1)),
    Message.of("finding.not_played", act="3/2020", reason=Message.of("unplayed.not_in_force", place="sec_2")),
    Message.in_words("the scan of page 3 is dark"),
)
#: What takes the tables of today back to those of each older schema, as they stood in its version. Schema 1
#: had two forms: of the first versions, nodes did not say which of them stand above sections.
BACK = {
    2: ("DROP INDEX versions_by_start", "DROP INDEX versions_by_end"),
    1: ("ALTER TABLE items DROP COLUMN paths", "DROP TABLE places"),
    0: ("ALTER TABLE nodes DROP COLUMN container",),
}


def at(text: str) -> ProvisionId:
    return ProvisionId.parse(text)


@pytest.fixture
def library(tmp_path: Path) -> Path:
    folder = tmp_path / "library"
    versions = (
        Version("Banks of old.", since(1991, 2010)),
        Version("Banks.", since(2010), findings=FINDINGS),
    )
    banks = section(BANK, "1", versions=versions)
    with EmbeddedStore.open(folder, writable=True, embedder=EMBEDDER) as store:
        store.put(
            bundle(
                BANK,
                [document(BANK, "en", [banks, section(BANK, "2", "Loans.", "one")])],
            )
        )
        reference = cites(at("ca:act:X-9/sec_1"), at("ca:act:B-1.01/sec_2/subsec_1"))
        text = document(OTHER, "en", [section(OTHER, "1", "See the Bank Act, section 2(1).")])
        store.put(bundle(OTHER, [text], references=[reference]))
    return folder


def taken_back(folder: Path, schema: int) -> None:
    """Make a library of today one of an older schema; 0 is the first form of 1."""
    with closing(sqlite3.connect(folder / "library.db")) as connection, connection:
        for number in sorted(BACK, reverse=True):
            for statement in BACK[number] if number >= schema else ():
                connection.execute(statement)
        digests.rewrite_facts(connection, old_findings.MARK, in_english)
        connection.execute("UPDATE meta SET value = ? WHERE key = 'schema'", (str(max(schema, 1)),))


def columns(path: Path) -> Mapping[str, list[str]]:
    """The columns of every table and index of a database."""
    with closing(sqlite3.connect(path)) as connection:
        names = connection.execute("SELECT name, type FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
        found = {}
        for name, kind in names:
            rows = connection.execute(f"PRAGMA {kind}_info({name})").fetchall()
            found[name] = [row[1] if kind == "table" else row[2] for row in rows]
        return found


def read(folder: Path) -> tuple[object, tuple[Edge, ...], list[str], Stats]:
    with EmbeddedStore.open(folder, embedder=EMBEDDER) as store:
        found = [str(match.provision) for match in store.match_text("banks loans", Filter(), 9)]
        edges = (*store.edges([ProvisionId(BANK)]), *store.edges([at("ca:act:B-1.01/sec_2")]))
        documents = [store.document(work, "en") for work in (BANK, OTHER)]
        return documents, edges, found, store.stats()


@pytest.mark.parametrize("schema", [0, 1, 2])
def test_a_library_of_an_older_schema_is_migrated_when_it_is_opened(library: Path, schema: int) -> None:
    before, tables = read(library), columns(library / "library.db")
    taken_back(library, schema)
    assert columns(library / "library.db") != tables
    documents, edges, found, stats = read(library)
    assert (documents, edges, found) == before[:3]
    assert edges
    assert stats.facts["schema"] == str(SCHEMA)
    assert columns(library / "library.db") == tables


def facts_of(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        found = connection.execute("SELECT facts FROM versions WHERE facts != '' ORDER BY id")
        return [facts for (facts,) in found]


def test_sentences_become_messages_and_every_row_still_has_its_hash(library: Path) -> None:
    before, stored = read(library), facts_of(library / "library.db")
    taken_back(library, 3)
    (old,) = facts_of(library / "library.db")
    assert json.loads(old)["findings"][1:] == [
        "the publisher's record of this text ends on 2019-03-01 without a repeal: it may have changed since",
        "3/2020 could not be played forward: sec_2 is not in force",
        "the scan of page 3 is dark",
    ]
    assert read(library)[:3] == before[:3]
    assert facts_of(library / "library.db") == stored
    assert facts_of(copy_of(library, 3)) == [old]
    found = verify(library, embedder=EMBEDDER)
    assert (found.findings, found.not_covered) == ([], [])


def test_what_was_altered_before_the_migration_is_still_found_after_it(library: Path) -> None:
    taken_back(library, 3)
    with closing(sqlite3.connect(library / "library.db")) as connection, connection:
        connection.execute("UPDATE versions SET text = 'Banks!' WHERE text = 'Banks.'")
    read(library)
    assert f"{BANK}/sec_1: versions" in {
        one.what.rpartition(": ")[0] for one in verify(library, embedder=EMBEDDER).findings
    }


def test_a_library_without_hashes_is_migrated(library: Path) -> None:
    before = read(library)
    taken_back(library, 3)
    with closing(sqlite3.connect(library / "library.db")) as connection, connection:
        connection.execute("DROP TABLE digests")
    assert read(library)[:3] == before[:3]


def test_the_records_of_before_are_kept(library: Path) -> None:
    taken_back(library, 0)
    old = columns(library / "library.db")
    EmbeddedStore.open(library, writable=True, embedder=EMBEDDER).close()
    kept = copy_of(library, 1)
    assert columns(kept) == old
    with closing(sqlite3.connect(kept)) as connection:
        assert connection.execute("SELECT count(*) FROM works").fetchone() == (2,)
        assert connection.execute("SELECT value FROM meta WHERE key = 'schema'").fetchone() == ("1",)


def test_a_migrated_library_is_written_to(library: Path) -> None:
    taken_back(library, 0)
    with EmbeddedStore.open(library, writable=True, embedder=EMBEDDER) as store:
        store.put(simple("ca:act:A-1", "A tax on horses."))
        assert store.sources()[str(BANK)] == ()
    with EmbeddedStore.open(library, embedder=EMBEDDER) as store:
        assert [str(match.work) for match in store.match_text("horses", Filter(), 5)] == ["ca:act:A-1"]


def test_what_fails_halfway_leaves_the_library_as_it_was(
    library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken_back(library, 1)
    old = columns(library / "library.db")

    def fails(connection: sqlite3.Connection) -> None:
        connection.execute("CREATE TABLE half (id INTEGER)")
        raise sqlite3.OperationalError("no such luck")

    monkeypatch.setattr(migrations, "MIGRATIONS", {**migrations.MIGRATIONS, 2: fails})
    with pytest.raises(StoreError, match="no such luck"):
        EmbeddedStore.open(library, embedder=EMBEDDER)
    assert columns(library / "library.db") == old
    assert not copy_of(library, 1).exists()
    monkeypatch.undo()
    assert read(library)[2]


def test_a_library_that_is_being_written_is_not_migrated(library: Path) -> None:
    with EmbeddedStore.open(library, writable=True, embedder=EMBEDDER), pytest.raises(StoreLocked):
        migrations.migrate(library)


def test_reindexing_migrates_too(library: Path) -> None:
    taken_back(library, 0)
    EmbeddedStore.reindex(library, embedder=EMBEDDER)
    assert read(library)[2]


def test_every_older_schema_has_its_step() -> None:
    assert [*migrations.MIGRATIONS] == [*range(1, SCHEMA)]
