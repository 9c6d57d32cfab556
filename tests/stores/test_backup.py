"""A library as one file: taken while it is served and written, checked, cut, changed, restored."""

from __future__ import annotations

import io
import json
import sqlite3
import tarfile
from contextlib import redirect_stderr, redirect_stdout
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
import zstandard

from making import bundle, document, section
from pykala.interfaces.cli.main import run as run_command
from pykala.law.filters import Filter
from pykala.law.identifiers import WorkId
from pykala.stores.embedded.backup import MANIFEST, back_up, check, restore
from pykala.stores.embedded.store import EmbeddedStore
from pykala.stores.embedded.verifying import verify
from pykala.stores.store import StoreDamaged, StoreError, StoreLocked

NOW = datetime(2026, 11, 16, 4, tzinfo=UTC)


def put(store: EmbeddedStore, number: int) -> None:
    work = WorkId(f"xx:act:{number}")
    store.put(
        bundle(
            work, [document(work, "en", [section(work, "1", f"Horse tax {number} is due.")], f"Act {number}")]
        )
    )


@pytest.fixture
def library(tmp_path: Path) -> Path:
    folder = tmp_path / "library"
    with EmbeddedStore.open(folder, writable=True, create=True) as store:
        for number in range(1, 4):
            put(store, number)
    (folder / "originals").mkdir()
    (folder / "originals" / "an upload.pdf").write_bytes(b"%PDF" * 1000)
    return folder


def works(folder: Path) -> list[str]:
    with EmbeddedStore.open(folder) as store:
        found = store.match_text("horse tax", Filter(as_of=date(2026, 1, 1)), 10)
        assert {str(match.work) for match in found} == {str(work.id) for work in store.works()}
        return sorted(str(work.id) for work in store.works())


def test_a_backup_is_taken_while_readers_read_and_comes_back_whole(library: Path, tmp_path: Path) -> None:
    archive = tmp_path / "kept" / "law.tar.zst"
    with EmbeddedStore.open(library) as reader:
        made = back_up(library, archive, made_at=NOW, version="1")
        assert len(list(reader.works())) == 3
    assert check(archive) == made
    assert made.made_at == "2026-11-16T04:00:00+00:00"
    assert not {name for name in made.files if name.endswith((".lock", "-wal", "-shm"))}
    with EmbeddedStore.open(library, writable=True) as store:  # what is written later is not in it
        put(store, 4)
    copy = tmp_path / "copy"
    assert restore(archive, copy) == made
    assert works(copy) == ["xx:act:1", "xx:act:2", "xx:act:3"]
    assert works(library)[-1] == "xx:act:4"
    assert (copy / "originals" / "an upload.pdf").read_bytes() == b"%PDF" * 1000
    assert not (copy / MANIFEST).exists()
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".part"] == []


def test_what_is_committed_and_only_in_the_log_is_in_the_copy(library: Path, tmp_path: Path) -> None:
    with EmbeddedStore.open(library):  # an open reader keeps SQLite from folding its log into the file
        with EmbeddedStore.open(library, writable=True) as store:
            put(store, 4)
        back_up(library, tmp_path / "law.tar.zst", made_at=NOW, version="1")
    restore(tmp_path / "law.tar.zst", tmp_path / "copy")
    assert works(tmp_path / "copy")[-1] == "xx:act:4"


def test_nothing_is_written_while_a_backup_is_taken_and_the_other_way_round(
    library: Path, tmp_path: Path
) -> None:
    refused: list[str] = []

    def try_to_write(done: int, total: int) -> None:
        with pytest.raises(StoreLocked) as locked:
            EmbeddedStore.open(library, writable=True)
        refused.append(str(locked.value))

    back_up(library, tmp_path / "law.tar.zst", made_at=NOW, version="1", progress=try_to_write)
    assert refused
    with EmbeddedStore.open(library, writable=True), pytest.raises(StoreLocked):
        back_up(library, tmp_path / "other.tar.zst", made_at=NOW, version="1")
    assert not (tmp_path / "other.tar.zst").exists()


@pytest.mark.parametrize("share", [0.0, 0.3, 0.9, 0.999])
def test_an_archive_that_was_cut_short_is_refused(library: Path, tmp_path: Path, share: float) -> None:
    whole = tmp_path / "law.tar.zst"
    back_up(library, whole, made_at=NOW, version="1")
    data = whole.read_bytes()
    cut = tmp_path / "cut.tar.zst"
    cut.write_bytes(data[: int(len(data) * share)])
    with pytest.raises(StoreDamaged):
        check(cut)
    with pytest.raises(StoreDamaged):
        restore(cut, tmp_path / "copy")
    assert not (tmp_path / "copy").exists()


@pytest.mark.parametrize(
    "more",
    [
        b"x",
        b"\0" * 100,
        b"\x28\xb5\x2f\xfd",  # the first bytes of another frame
        zstandard.compress(b""),
        b"\x50\x2a\x4d\x18\x04\0\0\0junk",  # a frame that readers skip
    ],
)
def test_an_archive_with_bytes_after_its_end_is_refused(library: Path, tmp_path: Path, more: bytes) -> None:
    archive = tmp_path / "law.tar.zst"
    back_up(library, archive, made_at=NOW, version="1")
    with archive.open("ab") as file:
        file.write(more)
    with pytest.raises(StoreDamaged, match=f"{len(more)} bytes follow the end of the backup"):
        check(archive)
    with pytest.raises(StoreDamaged):
        restore(archive, tmp_path / "copy")
    assert not (tmp_path / "copy").exists()


def falsify(folder: Path) -> None:
    """Change a letter of the law behind the store's back."""
    with sqlite3.connect(folder / "library.db") as connection:
        assert connection.execute("UPDATE versions SET text = replace(text, 'tax 2', 'tax 9')").rowcount > 0
    connection.close()


def test_a_library_with_altered_text_is_not_backed_up_unless_told(library: Path, tmp_path: Path) -> None:
    falsify(library)
    archive = tmp_path / "law.tar.zst"
    code, told = run("backup", str(archive), "--library", str(library))
    assert code == 3
    assert "xx:act:2/sec_1: versions: its text or dates are not those that were written" in told
    assert f"'pykala verify {library} --repair'" in told
    assert not list(tmp_path.glob("law.tar.zst*"))
    code, told = run("backup", str(archive), "--library", str(library), "--unchecked")
    assert (code, "and checked" in told) == (0, False), told
    assert "the text was not compared with its content hashes" in " ".join(told.split())
    restore(archive, tmp_path / "copy")
    assert not verify(tmp_path / "copy").is_whole  # the damage is not hidden


def rewritten(archive: Path, change: str) -> None:
    """The archive with one thing changed in it, packed again."""
    data = zstandard.ZstdDecompressor().decompressobj().decompress(archive.read_bytes())
    out = io.BytesIO()
    with tarfile.open(fileobj=io.BytesIO(data)) as old, tarfile.open(fileobj=out, mode="w") as new:
        for member in old:
            body = old.extractfile(member).read()  # type: ignore[union-attr]
            if change == "a byte" and member.name.endswith(".pdf"):
                body = b"X" + body[1:]
            if change == "a file less" and member.name.endswith(".pdf"):
                continue
            if change == "no manifest" and member.name == MANIFEST:
                continue
            if change == "another format" and member.name == MANIFEST:
                body = json.dumps({**json.loads(body), "format": 99}).encode()
            member.size = len(body)
            new.addfile(member, io.BytesIO(body))
        if change in ("a file more", "a way out"):
            extra = tarfile.TarInfo("more" if change == "a file more" else "../out")
            new.addfile(extra)
    archive.write_bytes(zstandard.compress(out.getvalue()))


@pytest.mark.parametrize(
    "change", ["a byte", "a file less", "a file more", "a way out", "no manifest", "another format"]
)
def test_an_archive_that_was_changed_is_refused(library: Path, tmp_path: Path, change: str) -> None:
    archive = tmp_path / "law.tar.zst"
    back_up(library, archive, made_at=NOW, version="1")
    rewritten(archive, "nothing")
    check(archive)
    rewritten(archive, change)
    with pytest.raises(StoreError):
        restore(archive, tmp_path / "copy")
    assert not (tmp_path / "copy").exists()
    assert not (tmp_path / "out").exists()


def run(*arguments: str) -> tuple[int, str]:
    told = io.StringIO()
    with redirect_stdout(told), redirect_stderr(told):
        return run_command(arguments), told.getvalue()


def test_the_verbs(library: Path, tmp_path: Path) -> None:
    archive, copy = str(tmp_path / "law.tar.zst"), str(tmp_path / "copy")
    code, told = run("backup", archive, "--library", str(library))
    assert (code, "written and checked" in told) == (0, True), told
    assert run("restore", archive, "--check")[0] == 0
    assert run("restore", archive, "--library", copy)[0] == 0
    assert works(Path(copy)) == works(library)
    for wrong, says in (
        (("backup", archive, "--library", str(library)), "is there already"),
        (("restore", archive, "--library", copy), "is not empty"),
        (("restore", str(tmp_path / "none"), "--library", str(tmp_path / "new")), "there is no file"),
        (("backup", str(tmp_path / "x"), "--library", str(tmp_path / "nowhere")), "there is no library"),
    ):
        code, told = run(*wrong)
        assert (code, says in told) == (3, True), told
