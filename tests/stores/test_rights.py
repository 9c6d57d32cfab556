"""Rights: every file of a library follows the umask, and whoever lacks a right is told which file and why."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from damaging import EMBEDDER, make_library
from making import simple
from pykala.fetch.snapshots import Sighting, Snapshots
from pykala.law.filters import Filter
from pykala.library import Library
from pykala.stores.embedded.backup import back_up, restore
from pykala.stores.embedded.store import EmbeddedStore

NOBODY = 65534


@pytest.fixture
def shared() -> Iterator[Path]:
    """A folder that another user may read; pytest's own are closed to others."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@pytest.mark.parametrize("umask", [0o022, 0o002, 0o077], ids=oct)
def test_every_file_follows_the_umask(tmp_path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        library = make_library(tmp_path / "library")
        with EmbeddedStore.open(library, writable=True, embedder=EMBEDDER) as store:
            store.put(simple("fi:act:2001/9", "Vero hevosista.", language="fi"))
            with EmbeddedStore.open(library, embedder=EMBEDDER):
                wrong = others_than(library, umask)
        assert wrong == [] == others_than(library, umask)
    finally:
        os.umask(before)


@pytest.mark.parametrize("umask", [0o022, 0o027, 0o002, 0o077], ids=oct)
def test_originals_and_a_restored_library_follow_the_umask(tmp_path: Path, umask: int) -> None:
    inbox, library, restored = (tmp_path / name for name in ("inbox", "library", "restored"))
    inbox.mkdir()
    (inbox / "note.md").write_text("# Note\n\nThe fee is nine euros.\n", "utf-8")
    before = os.umask(umask)
    try:
        with Library.open(library, writable=True, create=True, embedder=None) as opened:
            assert next(iter(opened.inbox(inbox))).refusals == ()
        assert list((library / "originals").rglob("*.zst"))
        assert others_than(library, umask) == []
        back_up(library, tmp_path / "law.tar.zst", made_at=datetime(2026, 11, 18, tzinfo=UTC), version="1")
        restore(tmp_path / "law.tar.zst", restored)
        assert others_than(restored, umask) == []
    finally:
        os.umask(before)


@pytest.mark.parametrize("umask", [0o022, 0o002, 0o077], ids=oct)
def test_snapshots_and_their_index_follow_the_umask(tmp_path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        snapshots, now = Snapshots(tmp_path / "snapshots"), datetime(2026, 11, 18, tzinfo=UTC)
        snapshots.record(Sighting("https://law.test/a", "", "", snapshots.put(b"law"), now, now))
        assert others_than(tmp_path / "snapshots", umask) == []
    finally:
        os.umask(before)


def others_than(library: Path, umask: int) -> list[str]:
    """Files and folders with other rights than the umask leaves."""
    return [
        f"{path.name} {stat.filemode(path.stat().st_mode)}"
        for path in [library, *library.rglob("*")]
        if stat.S_IMODE(path.stat().st_mode) != (0o777 if path.is_dir() else 0o666) & ~umask
    ]


def as_another_user(folder: Path, *, writable: bool = False) -> str:
    """What a user without rights of their own finds, or the error."""
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        os.setgid(NOBODY)
        os.setuid(NOBODY)
        try:
            with EmbeddedStore.open(folder, writable=writable, embedder=EMBEDDER) as store:
                said = "; ".join(match.text for match in store.match_text("hevosista", Filter(), 3))
        except BaseException as error:
            said = f"{type(error).__name__}: {error}"
        os.write(theirs, said.encode())
        os._exit(0)
    os.close(theirs)
    os.waitpid(child, 0)
    with os.fdopen(ours) as pipe:
        return pipe.read()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_who_may_not_read_or_write_is_told_which_file_and_why(shared: Path) -> None:
    library = make_library(shared / "library")
    with EmbeddedStore.open(library, writable=True, embedder=EMBEDDER) as store:
        store.put(simple("fi:act:2001/9", "Vero hevosista.", language="fi"))
    assert as_another_user(library) == "Vero hevosista."  # as the umask leaves it
    told = as_another_user(library, writable=True)
    assert told.startswith(f"StoreForbidden: this user (number {NOBODY}) may not write to {library}, which")
    for pattern in ("library.db", "glossary.db", "text/*/meta.json", "text/*/*.idx", "vectors/*.codes"):
        path = next(path for path in library.glob(pattern))
        path.chmod(0o600)
        told = as_another_user(library)
        assert told.startswith(f"StoreForbidden: this user (number {NOBODY}) may not read {path}, which"), (
            told
        )
        assert "-rw-------" in told
        assert f"'chmod -R a+rX {library}'" in told
        path.chmod(0o644)
    library.chmod(0o700)
    assert f"may not read {library}," in as_another_user(library)
