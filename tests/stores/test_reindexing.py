"""Writing the indexes anew: what stays as it is, what is mended, and what a kill leaves behind."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import damaging
from making import simple
from pykala.law.filters import Filter
from pykala.models.hashing import HashingEmbedder
from pykala.stores import rebuild_progress
from pykala.stores.embedded import indexing, rebuilding
from pykala.stores.embedded.database import connect, write_meta
from pykala.stores.embedded.store import EmbeddedStore
from pykala.stores.embedded.verifying import verify
from pykala.stores.store import StoreIncompatible, StoreLocked

ONE, OTHER = HashingEmbedder(16), HashingEmbedder(32)
WORKS = 30


@pytest.fixture
def library(tmp_path: Path) -> Path:
    with EmbeddedStore.open(tmp_path / "library", writable=True, embedder=ONE) as store, store.batch():
        for number in range(1, WORKS + 1):
            store.put(simple(f"xx:act:{number}", f"A tax on horses, {number}.", "A fee on ships."))
    return tmp_path / "library"


def found(folder: Path, embedder: HashingEmbedder | None) -> tuple[int, int]:
    """How much is found by words and by meaning."""
    with EmbeddedStore.open(folder, embedder=embedder) as store:
        by_words = store.match_text("horses", Filter(), 99)
        vector = embedder.encode(["horses"], "query")[0] if embedder else None
        by_meaning = store.match_vector(vector, Filter(), 99) if vector is not None else ()
        return len(by_words), len(by_meaning)


def segments(folder: Path) -> dict[str, int]:
    """The files of the text index that hold its words."""
    return {path.name: path.stat().st_ino for path in (folder / "text").glob("*/*.term")}


def test_another_embedder_leaves_the_text_index_as_it_is(library: Path) -> None:
    before = segments(library)
    EmbeddedStore.reindex(library, embedder=OTHER)
    assert segments(library) == before != {}
    assert found(library, OTHER) == (WORKS, 2 * WORKS)
    with pytest.raises(StoreIncompatible):
        EmbeddedStore.open(library, embedder=ONE)


def test_vectors_come_and_go(library: Path) -> None:
    EmbeddedStore.reindex(library)
    assert found(library, None) == (WORKS, 0)
    EmbeddedStore.reindex(library, embedder=OTHER)
    assert found(library, OTHER) == (WORKS, 2 * WORKS)


def test_another_analysis_writes_the_text_index_anew(library: Path) -> None:
    connection = connect(library, writable=True)
    write_meta(connection, {"analysis": "another"})
    connection.close()
    with pytest.raises(StoreIncompatible, match="another text analysis"):
        EmbeddedStore.open(library, embedder=ONE)
    before = segments(library)
    EmbeddedStore.reindex(library, embedder=ONE)
    assert not before.keys() & segments(library).keys()
    assert found(library, ONE) == (WORKS, 2 * WORKS)


def test_what_was_put_meanwhile_is_in_both_indexes(library: Path) -> None:
    EmbeddedStore.reindex(library, embedder=OTHER)
    with EmbeddedStore.open(library, writable=True, embedder=OTHER) as store:
        store.put(simple("xx:act:99", "More horses."))
    assert found(library, OTHER) == (WORKS + 1, 2 * WORKS + 1)


@pytest.mark.parametrize("kind", ["term", "idx"])
def test_damage_that_only_reading_finds_is_mended_at_opening(library: Path, kind: str) -> None:
    """The index opens and holds as many passages as it should: nothing but its checksums finds the damage."""
    for path in (library / indexing.TEXT_FOLDER).glob(f"*/*.{kind}"):
        data = bytearray(path.read_bytes())
        for at in range(len(data) // 2):
            data[at] ^= 0x5A
        path.write_bytes(data)
    assert found(library, ONE) == (WORKS, 2 * WORKS)


# Nothing to change


def index_files(folder: Path) -> dict[str, int]:
    """The files of all indexes: the same names and numbers say that none was written."""
    parts = (indexing.TEXT_FOLDER, indexing.VECTOR_FOLDER, indexing.ASKED_FOLDER)
    files = (path for part in parts for path in (folder / part).rglob("*") if path.stat().st_size)
    return {str(path.relative_to(folder)): path.stat().st_ino for path in files if "lock" not in path.name}


def test_indexes_that_are_current_are_not_written_again(library: Path) -> None:
    before = index_files(library)
    assert not EmbeddedStore.reindex(library, embedder=ONE)
    assert index_files(library) == before != {}
    assert EmbeddedStore.reindex(library, embedder=ONE, force=True)
    assert not set(before.values()) & set(index_files(library).values())
    assert found(library, ONE) == (WORKS, 2 * WORKS)


def test_records_from_a_copy_get_indexes_of_their_own(tmp_path: Path) -> None:
    library = damaging.make_library(tmp_path / "library")
    kept = tmp_path / "library.db"
    shutil.copy(library / "library.db", kept)
    EmbeddedStore.reindex(library, embedder=damaging.EMBEDDER, force=True)
    before = damaging.answers(library)
    with EmbeddedStore.open(library, writable=True, embedder=damaging.EMBEDDER) as store:
        store.put(simple("fi:act:2000/1", "Talous on toinen.", language="fi"))
    damaging.without_log(library)
    shutil.copy(kept, library / "library.db")
    EmbeddedStore.reindex(library, embedder=damaging.EMBEDDER, force=True)
    assert damaging.answers(library) == before
    assert verify(library, embedder=damaging.EMBEDDER).findings == []


def test_only_the_index_that_is_damaged_is_written_again(library: Path) -> None:
    before = index_files(library)
    damaging.flip(next((library / indexing.VECTOR_FOLDER).glob("*.codes")))
    assert EmbeddedStore.reindex(library, embedder=ONE)
    after = index_files(library)
    kept = {name for name, number in before.items() if number in after.values()}
    assert {name.partition("/")[0] for name in kept} == {indexing.TEXT_FOLDER, indexing.ASKED_FOLDER}
    assert {name.partition("/")[0] for name in before.keys() - kept} == {indexing.VECTOR_FOLDER}
    assert found(library, ONE) == (WORKS, 2 * WORKS)


# While it runs


def test_questions_are_answered_while_it_runs_and_after(library: Path) -> None:
    answered: list[object] = []
    with EmbeddedStore.open(library, embedder=ONE) as reader:

        def ask(done: int, total: int) -> None:
            if done == total // 2:
                answered.append(found(library, ONE))
                answered.append(reader.catch_up())

        EmbeddedStore.reindex(library, embedder=ONE, force=True, progress=ask)
        assert answered == [(WORKS, 2 * WORKS), False]
        assert reader.catch_up(), "it opens the new files"
        assert len(reader.match_text("horses", Filter(), 99)) == WORKS
        assert not reader.catch_up()
        EmbeddedStore.reindex(library, embedder=ONE, force=True)
        reader.refresh()
        assert len(reader.match_text("horses", Filter(), 99)) == WORKS


def test_where_there_is_nothing_to_answer_from_it_says_who_mends_it(library: Path) -> None:
    shutil.rmtree(library / indexing.TEXT_FOLDER)
    told = []

    def ask(done: int, total: int) -> None:
        if done == 1:
            with pytest.raises(StoreLocked, match="wait for it to finish") as error:
                EmbeddedStore.open(library, embedder=ONE)
            told.append(error)

    EmbeddedStore.reindex(library, embedder=ONE, progress=ask)
    assert told
    assert found(library, ONE) == (WORKS, 2 * WORKS)


def test_what_must_be_written_before_a_library_opens_says_how_long_it_takes(
    library: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    shutil.rmtree(library / indexing.TEXT_FOLDER)
    monkeypatch.setattr(rebuild_progress, "_FIRST", 0.0)
    assert found(library, ONE) == (WORKS, 2 * WORKS)
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert str(library) in caplog.text
    assert re.search(r"\d+ % is done after \d+ seconds, about \d+ seconds left", caplog.text)
    caplog.clear()
    assert found(library, ONE) == (WORKS, 2 * WORKS)
    assert not caplog.records


@pytest.mark.parametrize(
    ("seconds", "said"), [(8.4, "8 seconds"), (180, "3 minutes"), (9_000, "2.5 hours"), (0, "0 seconds")]
)
def test_durations_are_said_as_people_say_them(seconds: float, said: str) -> None:
    assert rebuild_progress._in_words(seconds) == said


# Killed


@pytest.mark.parametrize("where", ["half way", "written", "recorded", "text aside", "all in place"])
def test_a_kill_leaves_indexes_that_answer_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    library = damaging.make_library(tmp_path / "library")
    shutil.copytree(library, tmp_path / "rebuilt")
    EmbeddedStore.reindex(tmp_path / "rebuilt", embedder=damaging.EMBEDDER, force=True)
    before, after = damaging.answers(library), damaging.answers(tmp_path / "rebuilt")
    files = index_files(library)
    _kill(library, where)
    if where == "text aside":
        assert not (library / indexing.TEXT_FOLDER).exists()
    assert (library / rebuilding.FOLDER).is_dir(), "it was not at work"
    if where in ("half way", "written"):
        assert index_files(library) == files
    with monkeypatch.context() as patched:
        for reading in ("children_of_work", "known_questions"):  # all that is indexed is read with these
            patched.setattr(indexing, reading, _must_not_index)
        assert damaging.answers(library) == (before if where in ("half way", "written") else after)
        EmbeddedStore.open(library, writable=True, embedder=damaging.EMBEDDER).close()
    assert not (library / rebuilding.FOLDER).exists(), "whoever writes next removes the rest"
    assert EmbeddedStore.reindex(library, embedder=damaging.EMBEDDER, force=True)
    assert damaging.answers(library) == after


def _kill(library: Path, where: str) -> None:
    """Reindex in another process and kill that where it says that it has come."""
    program = [sys.executable, str(Path(__file__).with_name("killed_reindex.py")), str(library), where]
    given = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=given) as process:
        assert process.stdout is not None
        said = process.stdout.readline()
        process.kill()
    assert said == b"stopped\n"
    assert process.returncode < 0


def _must_not_index(*_: object) -> None:
    raise AssertionError("a passage was indexed again")
