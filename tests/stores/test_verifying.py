"""Damaged records: found down to a changed digit, told with the next command, mended where possible."""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from damaging import ACT, EMBEDDER, RATE, answers, flip, make_library, settle, without_log
from making import simple
from pykala.law.filters import Filter
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.stores.embedded import indexing, integrity
from pykala.stores.embedded.facets import Facets
from pykala.stores.embedded.store import EmbeddedStore
from pykala.stores.embedded.verifying import verify
from pykala.stores.store import NotInForce, StoreDamaged, StoreError, UnknownProvision


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_library(tmp_path_factory.mktemp("verifying") / "library")


@pytest.fixture
def library(made: Path, tmp_path: Path) -> Path:
    shutil.copytree(made, tmp_path / "library")
    return tmp_path / "library"


def change(folder: Path, *statements: str) -> None:
    """Alter records behind the store's back, as decay does."""
    connection = sqlite3.connect(folder / "library.db", isolation_level=None)
    for statement in statements:
        connection.execute(statement)
    connection.close()


def test_a_whole_library_is_whole(library: Path) -> None:
    found = verify(library, embedder=EMBEDDER)
    assert (found.findings, found.not_covered) == ([], [])
    assert found.checked["works"] == 2
    assert found.checked["references"] == 1
    assert min(found.checked.values()) > 0


def test_a_digit_that_changed_in_the_file_is_found_and_read_again(library: Path) -> None:
    database = library / "library.db"
    data = database.read_bytes()
    assert data.count(b"34 prosenttia") >= 2  # the version, and the passage that is searched
    database.write_bytes(data.replace(b"34 prosenttia", b"36 prosenttia"))
    found = verify(library, embedder=EMBEDDER)
    assert {one.what.split(": ")[0] for one in found.findings if one.part == "records"} == {str(RATE)}
    assert "'pykala ingest fi --from SOURCE' reads it again" in {one.next_step for one in found.findings}
    assert not verify(library, embedder=EMBEDDER, repair=True).is_whole  # the digit is not to be had here
    with EmbeddedStore.open(library, embedder=EMBEDDER) as reader:
        assert reader.fingerprints()[str(ACT)] == "damaged"  # so that an ingest reads it again
        assert reader.fingerprints()["fi:act:2000/1"] != "damaged"
    with EmbeddedStore.open(library, writable=True, embedder=EMBEDDER) as writer:
        assert writer.put(simple(str(ACT), "Vero on 34 prosenttia.", language="fi"))
    assert verify(library, embedder=EMBEDDER).is_whole


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("UPDATE versions SET valid_from = valid_from + 1 WHERE position = 1", "versions"),
        ("UPDATE versions SET heading = 'x' WHERE position = 2", "versions"),
        ("UPDATE passages SET header = header || '.'", "passages"),
        ("DELETE FROM passages WHERE id = 1", "passages"),
        ("UPDATE children SET start = start + 1 WHERE id = 1", "children"),
        ("UPDATE nodes SET path = path || '1' WHERE path != ''", "nodes"),
        ("UPDATE works SET authority = 1", "works"),
        ("UPDATE documents SET title = 'x'", "documents"),
        ("UPDATE aliases SET alias = alias || 'x'", "aliases"),
        ("UPDATE terms SET written = 'x'", "terms"),
        ("UPDATE refs SET text = 'x'", "refs"),
    ],
)
def test_every_table_of_a_work_has_its_hash(library: Path, statement: str, told: str) -> None:
    change(library, statement)
    found = verify(library, embedder=EMBEDDER)
    assert any(one.part == "records" and f": {told}: " in one.what for one in found.findings)


def test_edges_that_say_something_else_than_the_references_are_linked_again(library: Path) -> None:
    before = answers(library)
    change(library, "UPDATE edges SET valid_from = 700000")
    assert verify(library, embedder=EMBEDDER).damaged("edges")
    assert verify(library, embedder=EMBEDDER, repair=True).is_whole
    assert verify(library, embedder=EMBEDDER).findings == []
    assert answers(library) == before


def test_an_index_of_the_database_that_lacks_a_row_is_built_again(library: Path) -> None:
    with sqlite3.connect(library / "library.db") as connection:
        connection.execute("PRAGMA writable_schema = ON")
        held = connection.execute("SELECT * FROM sqlite_master WHERE name = 'terms_by_work'").fetchone()
        connection.execute("DELETE FROM sqlite_master WHERE name = 'terms_by_work'")
    connection.close()
    change(library, "INSERT INTO terms SELECT * FROM terms", "DELETE FROM terms WHERE rowid = 1")
    with sqlite3.connect(library / "library.db") as connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("INSERT INTO sqlite_master VALUES (?, ?, ?, ?, ?)", held)
    connection.close()
    assert verify(library, embedder=EMBEDDER).damaged("index of the database")
    found = verify(library, embedder=EMBEDDER, repair=True)
    assert [one.mended for one in found.findings if one.part == "index of the database"]
    assert not verify(library, embedder=EMBEDDER).damaged("index of the database")


def test_an_older_library_opens_and_says_what_is_not_covered(library: Path) -> None:
    before = answers(library)
    change(library, "DROP TABLE digests")
    assert answers(library) == before
    found = verify(library, embedder=EMBEDDER)
    assert found.is_whole
    assert "2 of 2 works were stored before content hashes" in found.not_covered[0]
    with EmbeddedStore.open(library, writable=True, embedder=EMBEDDER) as writer:
        writer.delete(WorkId("fi:act:2000/1"))
    assert "1 of 1 works" in verify(library, embedder=EMBEDDER).not_covered[0]
    repaired = verify(library, embedder=EMBEDDER, repair=True)
    assert "before today in 1 works" in repaired.not_covered[0]
    assert verify(library, embedder=EMBEDDER).not_covered == []
    change(library, "UPDATE versions SET text = 'Vero on 36 prosenttia.' WHERE position = 1")
    assert not verify(library, embedder=EMBEDDER).is_whole


def a_folder(path: Path) -> None:
    path.unlink()
    (path / "within").mkdir(parents=True)


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: flip(path),
        lambda path: path.write_bytes(b""),
        lambda path: (path.unlink(), path.symlink_to(path)),
        a_folder,
    ],
    ids=["flipped", "emptied", "a loop of links", "a folder"],
)
def test_a_damaged_list_of_checksums_is_found_and_what_it_vouched_for_is_written_anew(
    library: Path, damage: Callable[[Path], object]
) -> None:
    before = answers(library)
    damage(library / integrity.MANIFEST)
    flip(library / "glossary.db")  # nothing tells that it is damaged, so it may not be taken as it is
    found = verify(library, embedder=EMBEDDER)
    assert [(one.part, one.what) for one in found.findings] == [
        (integrity.BESIDE, "checksums.json: it is no whole list of checksums")
    ]
    assert verify(library, embedder=EMBEDDER, repair=True).is_whole
    found = verify(library, embedder=EMBEDDER)
    assert (found.findings, found.not_covered) == ([], [])
    assert answers(library) == before


def test_a_term_or_a_vector_that_is_not_its_passages_is_found_by_sampling(library: Path) -> None:
    with EmbeddedStore.open(library, writable=True, embedder=EMBEDDER) as writer:
        vectors = writer._indexes.vectors
        assert vectors is not None
        passages = vectors.passages().tolist()
        facets = [Facets(1, 1, 1, 1, 1)] * len(passages)
        vectors.clear()  # as many vectors as before, with right checksums, each of another passage
        vectors.append(passages[::-1], facets, EMBEDDER.encode([f"word{n}" for n in passages], "document"))
        vectors.commit()
    assert verify(library, embedder=EMBEDDER).damaged("vectors")
    assert verify(library, embedder=EMBEDDER, repair=True).is_whole
    change(library, "UPDATE passages SET text = replace(text, 'Vero', 'Maksu')")
    assert verify(library, embedder=EMBEDDER).damaged("text")


@pytest.mark.parametrize("use", ["read", "write", "reindex", "verify"])
def test_an_empty_database_is_refused_and_nothing_is_thrown_away(library: Path, use: str) -> None:
    (library / "library.db").write_bytes(b"")
    files = {path: path.read_bytes() for path in sorted(library.rglob("*.idx"))}
    if use == "verify":
        assert not verify(library, embedder=EMBEDDER, repair=True).is_whole
    else:
        with pytest.raises(StoreDamaged, match=r"the file is empty.*pykala verify"):
            if use == "reindex":
                EmbeddedStore.reindex(library, embedder=EMBEDDER)
            else:
                EmbeddedStore.open(library, writable=use == "write", embedder=EMBEDDER)
    assert (library / "library.db").stat().st_size == 0
    assert {path: path.read_bytes() for path in sorted(library.rglob("*.idx"))} == files


@pytest.mark.parametrize("share", [0.01, 0.3, 0.7, 0.99])
def test_a_database_cut_short_is_refused(library: Path, share: float) -> None:
    database = library / "library.db"
    database.write_bytes(database.read_bytes()[: int(database.stat().st_size * share)])
    for writable in (False, True):
        with pytest.raises(StoreDamaged, match=r"library\.db"):
            EmbeddedStore.open(library, writable=writable, embedder=EMBEDDER)


def test_a_database_cut_short_under_a_reader_is_an_error(library: Path) -> None:
    with EmbeddedStore.open(library, embedder=EMBEDDER) as reader:
        database = library / "library.db"
        with database.open("r+b") as file:
            file.truncate(database.stat().st_size // 4 // 4096 * 4096)
        reader._connection.execute("PRAGMA shrink_memory")
        with pytest.raises(StoreError):
            for use in READS:
                use(reader)


READS: tuple[Callable[[EmbeddedStore], object], ...] = (
    lambda store: [work.id for work in store.works()],
    lambda store: store.provision(RATE, as_of=date(2020, 1, 1)),
    lambda store: store.document(ACT, "sv"),
    lambda store: store.history(RATE),
    lambda store: store.chain(ProvisionId(ACT)),
    lambda store: store.changes(date(1900, 1, 1)),
    lambda store: store.edges([RATE]),
    lambda store: store.unresolved([RATE]),
    lambda store: store.pairings(RATE),
    lambda store: store.definitions(["vero"], "fi"),
    lambda store: store.resolve("TVL"),
    lambda store: store.match_text("vero talous", Filter(), 9),
    lambda store: store.match_vector(EMBEDDER.encode(["vero"], "query")[0], Filter(), 9),
    lambda store: (store.stats(), store.items(), store.sources(), store.refusals(), store.words(ACT)),
)


def test_reading_damaged_records_raises_nothing_but_errors_of_the_store(library: Path) -> None:
    database = library / "library.db"
    whole, chance = database.read_bytes(), random.Random(7)
    told = 0
    for turn in range(48):
        data = bytearray(whole)
        at = chance.randrange(100, len(data) - 64)
        page = at // 4096 * 4096
        if turn % 4 == 0:
            data[at : at + 64] = bytes(one ^ 0x5A for one in data[at : at + 64])
        elif turn % 4 == 1:
            data[page : page + 4096] = bytes(4096)
        elif turn % 4 == 2:
            data[page : page + 4096] = chance.randbytes(4096)
        else:
            data[at] ^= 1 << chance.randrange(8)
        database.write_bytes(data)
        try:
            with EmbeddedStore.open(library, embedder=EMBEDDER) as reader:
                for use in READS:
                    try:
                        use(reader)
                    except (StoreError, UnknownProvision, NotInForce) as error:
                        told += "pykala verify" in str(error)
        except StoreError:
            told += 1
        without_log(library)
    assert told >= 8


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        (f"DELETE FROM works WHERE key = '{ACT}'", f"{ACT}: works: its row is gone"),
        ("DELETE FROM works WHERE key = 'fi:act:2000/1'", "fi:act:2000/1: works: its row is gone"),
        ("DELETE FROM items WHERE item = 'fi:act:2000/1'", "fi:act:2000/1: items: "),
        ("UPDATE items SET work = 99 WHERE item = 'fi:act:2000/1'", "work 99: works: its row is gone"),
        ("DELETE FROM names WHERE value = 'fi'", f"{ACT}: names: its jurisdiction"),
        ("UPDATE names SET value = 'fj' WHERE value = 'fi'", f"{ACT}: names: its jurisdiction"),
        ("UPDATE names SET value = 'agt' WHERE value = 'act'", f"{ACT}: names: its kind"),
        ("DELETE FROM names WHERE value = 'sv'", "language sv: names: "),
        ("UPDATE names SET value = 'sectiom' WHERE value = 'section'", "kind "),
        ("UPDATE refs SET source = source + 1000", "fi:act:2000/1: refs: they name rows that are gone"),
    ],
)
def test_rows_that_no_longer_belong_together_are_found(library: Path, statement: str, told: str) -> None:
    change(library, statement)
    found = verify(library, embedder=EMBEDDER)
    assert any(one.what.startswith(told) for one in found.findings)
    assert all(one.next_step for one in found.findings if "names" in one.what)


@pytest.mark.parametrize("with_source", [True, False])
def test_a_work_whose_row_is_gone_is_read_again_and_leaves_nothing_behind(
    library: Path, with_source: bool
) -> None:
    change(library, f"DELETE FROM works WHERE key = '{ACT}'")
    if not with_source:
        change(library, "DELETE FROM items WHERE item = 'fi:act:1992/1535'")
    assert not verify(library, embedder=EMBEDDER, repair=True).is_whole  # the law is not to be had here
    with EmbeddedStore.open(library, writable=True, embedder=EMBEDDER) as writer:
        assert writer.fingerprints().get(str(ACT), "damaged") == "damaged"  # so that an ingest reads it again
        assert writer.put(simple(str(ACT), "Vero on 34 prosenttia.", language="fi"))
    assert verify(library, embedder=EMBEDDER).findings == []
    connection = sqlite3.connect(library / "library.db")
    assert connection.execute("SELECT count(DISTINCT work) FROM documents").fetchone() == (2,)
    connection.close()


@pytest.mark.parametrize("opened", ["to read", "to write"])
def test_records_of_before_that_are_put_back_are_not_searched_with_indexes_of_after(
    library: Path, tmp_path: Path, opened: str
) -> None:
    """The passages keep their numbers and their count, so that every search would find other words."""
    shutil.copytree(library, tmp_path / "before")
    with EmbeddedStore.open(library, writable=True, embedder=EMBEDDER) as store:
        for heading in ("Katso muualta.", "Katso vielä."):  # the last index files that were written count
            store.put(simple("fi:act:2000/1", heading, language="fi"))
    settle(library)
    shutil.copyfile(tmp_path / "before" / "library.db", library / "library.db")
    EmbeddedStore.open(library, writable=opened == "to write", embedder=EMBEDDER).close()
    with_rebuilt = tmp_path / "before"
    EmbeddedStore.reindex(with_rebuilt, embedder=EMBEDDER, force=True)
    assert answers(library) == answers(with_rebuilt)
    assert verify(library, embedder=EMBEDDER).findings == []


def test_a_kill_between_the_names_of_the_state_costs_no_rebuilding(
    library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:

        def killed(connection: object, facts: object) -> None:
            raise KeyboardInterrupt

        store = EmbeddedStore.open(library, writable=True, embedder=EMBEDDER)
        patched.setattr(indexing, "write_meta", killed)  # the indexes have the new name, the records not yet
        with pytest.raises(KeyboardInterrupt):
            store.put(simple("fi:act:2000/3", "Katso täältä.", language="fi"))
    store._connection.close()
    store._lock.release()  # type: ignore[union-attr]
    read: list[int] = []
    written = indexing.children_of_work
    monkeypatch.setattr(
        indexing, "children_of_work", lambda connection, work: read.append(work) or written(connection, work)
    )
    with EmbeddedStore.open(library, embedder=EMBEDDER) as reader:
        assert reader.match_text("täältä", Filter(), 9)
    assert len(set(read)) <= 1, "only the work that came last is read again"


def test_indexes_whose_name_could_not_be_written_are_believed(
    library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(manifest: object, folder: Path) -> None:
        raise OSError(28, "No space left on device")

    with (
        EmbeddedStore.open(library, writable=True, embedder=EMBEDDER) as store,
        monkeypatch.context() as patched,
    ):
        patched.setattr(integrity.Manifest, "write", full)
        store.put(simple("fi:act:2000/3", "Katso täältä.", language="fi"))
    monkeypatch.setattr(indexing, "children_of_work", lambda *given: pytest.fail("it is written anew"))
    with EmbeddedStore.open(library, embedder=EMBEDDER) as reader:
        assert reader.match_text("täältä", Filter(), 9)
