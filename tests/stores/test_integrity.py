"""Silent rot in the files of the indexes: found by checksums, at opening or in the background, and mended."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from damaging import ACT, EMBEDDER, answers, flip, make_library
from making import simple
from pykala.law.filters import Filter
from pykala.stores.embedded import integrity
from pykala.stores.embedded.damage import IndexDamaged
from pykala.stores.embedded.store import EmbeddedStore
from pykala.stores.embedded.verifying import verify

NOT_READ = ("library.db", "lock", "-wal", "-shm")  # the records, and files whose contents nobody reads


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_library(tmp_path_factory.mktemp("integrity") / "library")


@pytest.fixture
def library(made: Path, tmp_path: Path) -> Path:
    shutil.copytree(made, tmp_path / "library")  # with the times of the files
    return tmp_path / "library"


def index_files(folder: Path) -> list[Path]:
    """The files that are not records or locks, and not empty."""
    found = (path for path in sorted(folder.rglob("*")) if path.is_file() and path.stat().st_size)
    return [path for path in found if not path.name.endswith(NOT_READ)]


def test_a_flipped_bit_in_any_file_of_the_indexes_changes_no_search(made: Path, tmp_path: Path) -> None:
    before = answers(made)
    assert all(before.values())
    names = [path.relative_to(made) for path in index_files(made)]
    kinds = {name.suffix for name in names}
    assert {".term", ".idx", ".fast", ".fieldnorm", ".del", ".codes", ".originals", ".npy", ".db"} <= kinds
    rebuilt = tmp_path / "rebuilt"
    shutil.copytree(made, rebuilt)
    EmbeddedStore.reindex(rebuilt, embedder=EMBEDDER, force=True)
    alike = before, answers(rebuilt)  # what was deleted no longer weighs on the scores of what was not
    changed = []
    for number, name in enumerate(names):
        library = tmp_path / str(number)
        shutil.copytree(made, library)
        kept = (library / name).stat()
        flip(library / name)
        os.utime(library / name, ns=(kept.st_atime_ns, kept.st_mtime_ns))  # as on a disk that rots
        if answers(library) not in alike:
            changed.append(str(name))
    assert changed == []


@pytest.mark.parametrize("name", ["text/*/*.idx", "vectors/*.originals", "asked/*.codes", "glossary.db"])
def test_what_is_too_large_for_opening_is_read_in_the_background(
    library: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(integrity, "READ_AT_OPENING", 0)
    monkeypatch.setattr(integrity, "CHANGED_AT_OPENING", 0)
    monkeypatch.setattr(integrity.BackgroundCheck.__init__, "__kwdefaults__", {"patience": 0.0})
    flip(next(path for path in library.glob(name) if path.stat().st_size))
    with EmbeddedStore.open(library, embedder=EMBEDDER) as reader:
        assert reader._background is not None
        reader._background._thread.join(300)
        with pytest.raises(IndexDamaged, match="pykala verify --repair"):
            reader.match_text("vero", Filter(), 3)
    assert verify(library, embedder=EMBEDDER, repair=True).is_whole
    with EmbeddedStore.open(library, embedder=EMBEDDER) as reader:
        assert reader._background is not None
        reader._background._thread.join(300)
        assert reader.match_text("vero", Filter(), 3)


def test_the_readers_of_one_process_read_the_files_once(
    library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(integrity, "READ_AT_OPENING", 0)
    monkeypatch.setattr(integrity.BackgroundCheck.__init__, "__kwdefaults__", {"patience": 0.0})
    monkeypatch.setattr(integrity, "_ANOTHER_READS", 0.01)
    read: list[str] = []
    check = integrity.Expected.check

    def counted(self: integrity.Expected, pause: Callable[[], bool] = lambda: False) -> None:
        if self.length:
            read.append(self.name)
        check(self, pause)

    monkeypatch.setattr(integrity.Expected, "check", counted)
    with (
        EmbeddedStore.open(library, embedder=EMBEDDER) as first,
        EmbeddedStore.open(library, embedder=EMBEDDER) as second,
    ):
        for reader in (first, second):
            assert reader._background is not None
            reader._background._thread.join(300)
            assert not reader._background._thread.is_alive()
    assert read
    assert len(read) == len(set(read))


def test_files_as_their_writer_left_them_are_not_read_again(
    library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(integrity, "READ_AT_OPENING", 0)
    read: list[str] = []
    check = integrity.Expected.check
    monkeypatch.setattr(integrity.Expected, "check", lambda self, *_: read.append(self.name) or check(self))
    with EmbeddedStore.open(library, embedder=EMBEDDER):
        assert [name for name in read if not name.endswith((".deleted", ".centroids", ".lists"))] == []
    changed = next((library / "text").glob("*/*.term"))
    os.utime(changed, (1, 1))
    with EmbeddedStore.open(library, embedder=EMBEDDER):
        assert f"text/{changed.parent.name}/{changed.name}" in read


def test_a_writer_vouches_only_for_what_it_wrote(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rotten = next(path for path in (library / "text").glob("*/*.idx") if path.stat().st_size)
    flip(rotten)
    os.utime(rotten, (1, 1))
    with monkeypatch.context() as patched:
        patched.setattr(integrity, "CHANGED_AT_OPENING", 0)  # the writer has no time for it
        with EmbeddedStore.open(library, writable=True, embedder=EMBEDDER) as writer:
            writer.put(simple("fi:act:2001/9", "Vero hevosista.", language="fi"))
    assert f"text/{rotten.parent.name}/{rotten.name}" not in integrity.Manifest.read(library).files
    assert verify(library, embedder=EMBEDDER).damaged("text")


def test_a_library_without_a_manifest_opens_and_gains_one(library: Path) -> None:
    before = answers(library)
    (library / integrity.MANIFEST).unlink()
    assert answers(library) == before
    assert "no checksum yet" in " ".join(verify(library, embedder=EMBEDDER).not_covered)
    EmbeddedStore.open(library, writable=True, embedder=EMBEDDER).close()
    assert integrity.Manifest.read(library).checksums.keys() == set(integrity.FILES_BESIDE)
    assert verify(library, embedder=EMBEDDER).not_covered == []


def test_a_reader_that_moves_on_checks_what_has_come(library: Path) -> None:
    with EmbeddedStore.open(library, embedder=EMBEDDER) as reader:
        with EmbeddedStore.open(library, writable=True, embedder=EMBEDDER) as writer:
            writer.delete(ACT)
            writer.put(simple("fi:act:2001/9", "Vero hevosista.", language="fi"))
        newest = max((library / "text").glob("*/*.idx"), key=lambda path: path.stat().st_mtime_ns)
        flip(newest)
        reader.refresh()
        found = {match.text for match in reader.match_text("vero hevosista", Filter(), 9)}
        assert found == {"Vero hevosista."}
