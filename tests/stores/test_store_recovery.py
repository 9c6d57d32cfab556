"""Windows in which a writer can be cut off, and readers that come while others mend what it left."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from making import simple
from pykala.law.filters import Filter
from pykala.law.identifiers import WorkId
from pykala.models.hashing import HashingEmbedder
from pykala.stores.embedded import indexing
from pykala.stores.embedded.database import connect
from pykala.stores.embedded.schema import SCHEMA, TABLES
from pykala.stores.embedded.store import EmbeddedStore
from pykala.stores.embedded.vectors import VectorIndex
from pykala.stores.store import StoreError, StoreFull

EMBEDDER = HashingEmbedder(16)
NOBODY = 65534


class Killed(BaseException):
    """Where the process would have ended."""


@pytest.fixture
def library(tmp_path: Path) -> Path:
    with EmbeddedStore.open(tmp_path / "library", writable=True, embedder=EMBEDDER) as store:
        store.put(simple("xx:act:1", "A tax on horses."))
    return tmp_path / "library"


def found(store: EmbeddedStore, query: str = "tax fee") -> list[str]:
    return sorted(match.text for match in store.match_text(query, Filter(), 10))


def put_and_die(library: Path, *, embedder: HashingEmbedder | None = EMBEDDER) -> None:
    """Commit the records of a work and end before either index has seen it."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(indexing, "commit", _die)
        patched.setattr(EmbeddedStore, "_roll_back", lambda self: None)
        store = EmbeddedStore.open(library, writable=True, embedder=embedder)
        with pytest.raises(Killed):
            store.put(simple("xx:act:2", "A fee on ships."))
        store._indexes.close()
        store._connection.close()
        assert store._lock is not None
        store._lock.release()


def _die(*_: object, **__: object) -> None:
    raise Killed


def test_a_kill_before_a_new_library_knows_its_analysis(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    folder.mkdir()
    connect(folder, writable=True).close()
    with EmbeddedStore.open(folder, embedder=EMBEDDER) as reader:
        assert list(reader.works()) == []


def test_an_index_that_failed_to_commit_does_not_hold_a_work_twice(
    library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = VectorIndex.commit

    def full(self: VectorIndex) -> None:
        monkeypatch.setattr(VectorIndex, "commit", commit)
        raise OSError(28, "No space left on device")

    with EmbeddedStore.open(library, writable=True, embedder=EMBEDDER) as store:
        monkeypatch.setattr(VectorIndex, "commit", full)
        with pytest.raises(StoreFull):
            store.put(simple("xx:act:2", "A fee on ships."))
        store.put(simple("xx:act:3", "A tax on carts."))
    with EmbeddedStore.open(library, embedder=EMBEDDER) as reader:
        assert found(reader) == ["A fee on ships.", "A tax on carts.", "A tax on horses."]
        assert len(reader._indexes.text) == reader.stats().children == reader.stats().vectors == 3


def test_a_reader_that_moves_on_after_a_kill_finds_what_the_records_hold(library: Path) -> None:
    with EmbeddedStore.open(library, embedder=EMBEDDER) as reader:
        put_and_die(library)
        reader.refresh()
        assert [work.id for work in reader.works()] == [WorkId("xx:act:1"), WorkId("xx:act:2")]
        assert found(reader) == ["A fee on ships.", "A tax on horses."]


def test_a_reader_waits_for_another_that_mends(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put_and_die(library)
    opening, second_done = threading.Event(), threading.Event()
    open_indexes = indexing.open_indexes

    def slowly(*arguments: Any, writable: bool) -> indexing.Indexes:
        if writable and not opening.is_set():
            opening.set()
            second_done.wait(0.5)  # a reader that does not wait is done by then, with an error
        return open_indexes(*arguments, writable=writable)

    monkeypatch.setattr(indexing, "open_indexes", slowly)

    def read() -> list[str]:
        with EmbeddedStore.open(library, embedder=EMBEDDER) as reader:
            return found(reader)

    def read_second() -> list[str]:
        opening.wait(300)
        try:
            return read()
        finally:
            second_done.set()

    with ThreadPoolExecutor(2) as threads:
        both = [threads.submit(read), threads.submit(read_second)]
        assert [one.result() for one in both] == [["A fee on ships.", "A tax on horses."]] * 2


@pytest.fixture
def shared() -> Iterator[Path]:
    """A folder that another user may read; pytest's own are closed to others."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def _as_another_user(folder: Path) -> str:
    """What someone finds who may read the folder but not write to it, or the error."""
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o755 if path.is_dir() else 0o644)
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        os.setgid(NOBODY)
        os.setuid(NOBODY)
        try:
            with EmbeddedStore.open(folder) as reader:
                said = "; ".join(found(reader))
        except BaseException as error:
            said = f"{type(error).__name__}: {error}"
        os.write(theirs, said.encode())
        os._exit(0)
    os.close(theirs)
    os.waitpid(child, 0)
    with os.fdopen(ours) as pipe:
        return pipe.read()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_another_user_may_read_but_not_write(shared: Path) -> None:
    folder = shared / "library"
    with EmbeddedStore.open(folder, writable=True) as store:
        store.put(simple("xx:act:1", "A tax on horses."))
    assert _as_another_user(folder) == "A tax on horses."
    with EmbeddedStore.open(folder, writable=True) as store:
        store.put(simple("xx:act:3", "A tax on carts."))  # in the log, not yet in the file
        assert _as_another_user(folder) == "A tax on carts.; A tax on horses."
    put_and_die(folder, embedder=None)
    assert "cannot be written" in _as_another_user(folder)


def test_damage_in_an_index_is_an_error_of_the_store(library: Path) -> None:
    from pykala.stores.embedded.damage import VectorIndexDamaged
    from pykala.stores.embedded.fulltext import TextIndexUnwritable

    assert issubclass(TextIndexUnwritable, StoreError)  # so that every interface gives it its one line
    assert issubclass(VectorIndexDamaged, StoreError)


def test_tables_do_not_change_without_a_new_schema_number() -> None:
    assert (SCHEMA, hashlib.sha256(TABLES.encode()).hexdigest()[:16]) == (4, "0cb7b424699f8618"), (
        "raise SCHEMA and note both here: a library of the old tables must be refused, not half read"
    )
