"""Back up a library to one archive and restore it; every file has a checksum, compared both ways.

The writer's lock is held while the files are read, so that they belong to one state; readers, such as a
server, continue undisturbed. SQLite's own backup copies the records, because it includes the write-ahead log.
The manifest is the last file of the archive: a truncated archive has none, and is refused.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import secrets
import shutil
import sqlite3
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import IO, Any

import zstandard

from pykala.fetch.names import UnsafeName, normal_path
from pykala.stores.embedded import database, digests
from pykala.stores.embedded.copied import mending
from pykala.stores.embedded.locks import WriterLock
from pykala.stores.store import StoreDamaged, StoreError

FORMAT = 1
MANIFEST = "manifest.json"
_LEFT_OUT = (".lock", f"{database.FILE}-wal", f"{database.FILE}-shm")  # of processes, not of the library
_PIECE = 1024 * 1024
_LONGEST_HEADER = 18  # bytes of a zstd frame's header
_MOST_MANIFEST = 64 * 1024 * 1024

Progress = Callable[[int, int], None]  # bytes done, bytes in all


@dataclass(frozen=True, slots=True)
class Kept:
    """A file of a backup."""

    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Backup:
    """What an archive holds: when it was made, by which version, and its files."""

    made_at: str
    version: str
    files: dict[str, Kept]

    @property
    def size(self) -> int:
        """Bytes of the files, unpacked."""
        return sum(one.size for one in self.files.values())


def back_up(
    folder: Path,
    archive: Path,
    *,
    made_at: datetime,
    version: str,
    checked: bool = True,
    progress: Progress = lambda done, total: None,
) -> Backup:
    """Write a library into an archive and read it back. Raises StoreError, with nothing left behind.

    With `checked` the text is compared with its content hashes, and a damaged library is refused.
    """
    database.require(folder)
    if archive.exists():
        raise StoreError(f"{archive} is there already; name another file, or remove it")
    archive.parent.mkdir(parents=True, exist_ok=True)
    beside = archive.with_name(f"{archive.name}.part")
    lock = WriterLock(folder)
    try:
        with database.clear_errors(archive.parent):
            stamp = made_at.isoformat(timespec="seconds")
            made = _write(folder, beside, stamp, version, progress, checked=checked)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
    finally:
        lock.release()
    try:
        if check(beside) != made:
            raise StoreDamaged(f"what was written to {archive} reads back otherwise; check the disk")
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
    beside.replace(archive)
    return made


def check(archive: Path) -> Backup:
    """Read an archive whole and compare every file with its checksum. Raises StoreDamaged."""
    with _reading(archive) as members:
        return _compared(archive, {name: _digested(file, None) for name, file in members})


def restore(archive: Path, folder: Path) -> Backup:
    """Unpack an archive into a new folder, which appears whole or not at all. Raises StoreError."""
    if folder.exists() and any(folder.iterdir()):
        raise StoreError(f"{folder} is not empty; restore into a new folder, or move this one away")
    folder.parent.mkdir(parents=True, exist_ok=True)
    beside = folder.parent / f"{folder.name}.{secrets.token_hex(8)}.part"
    beside.mkdir()  # with the rights of the umask, which the library keeps
    try:
        with database.clear_errors(folder.parent), _reading(archive) as members:
            found = _compared(archive, {name: _unpacked(name, file, beside) for name, file in members})
        (beside / MANIFEST).unlink(missing_ok=True)
        if folder.exists():
            folder.rmdir()
        beside.replace(folder)
    except BaseException:
        shutil.rmtree(beside, ignore_errors=True)
        raise
    return found


def _write(
    folder: Path, target: Path, made_at: str, version: str, progress: Progress, *, checked: bool
) -> Backup:
    files = sorted(path for path in folder.rglob("*") if path.is_file() and not path.name.endswith(_LEFT_OUT))
    total, done, kept = sum(path.stat().st_size for path in files), 0, dict[str, Kept]()
    with (
        target.open("wb") as raw,
        zstandard.ZstdCompressor(level=3, threads=-1).stream_writer(raw, closefd=False) as packed,
        tarfile.open(fileobj=packed, mode="w|", format=tarfile.PAX_FORMAT) as tar,
    ):
        for path in files:
            name = path.relative_to(folder).as_posix()
            with _source(path, checked=checked) as file:
                kept[name] = _add(tar, name, file)
            done += path.stat().st_size
            progress(done, total)
        made = Backup(made_at, version, kept)
        manifest = json.dumps(_manifest(made), indent=1).encode()
        _add(tar, MANIFEST, io.BytesIO(manifest))
    with target.open("rb") as file:
        os.fsync(file.fileno())
    return made


@contextmanager
def _source(path: Path, *, checked: bool) -> Iterator[IO[bytes]]:
    """A file to copy; the records through SQLite, so that the copy includes its log.

    With `checked`, the records are compared with their content hashes. Raises StoreDamaged.
    """
    if path.name != database.FILE:
        with path.open("rb") as file:
            yield file
        return
    with tempfile.TemporaryDirectory(prefix="pykala-") as scratch:
        copy = Path(scratch) / database.FILE
        with (
            closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as records,
            closing(sqlite3.connect(copy)) as into,
        ):
            records.backup(into)
            if checked:
                _require_unaltered(into, path.parent)
        with copy.open("rb") as file:
            yield file


def _require_unaltered(records: sqlite3.Connection, folder: Path) -> None:
    with database.clear_errors(folder):
        digests.require_unaltered(digests.altered(records), str(folder), partial(mending, folder))


def _add(tar: tarfile.TarFile, name: str, file: IO[bytes]) -> Kept:
    size = file.seek(0, io.SEEK_END)
    file.seek(0)
    member = tarfile.TarInfo(name)
    member.size, member.mode = size, 0o644
    reading = _Hashing(file)
    tar.addfile(member, reading)
    return Kept(size, reading.sha256.hexdigest())


class _Hashing:
    """A file that is hashed while it is read."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file, self.sha256 = file, hashlib.sha256()

    def read(self, size: int = -1) -> bytes:
        piece = self._file.read(size)
        self.sha256.update(piece)
        return piece


@contextmanager
def _reading(archive: Path) -> Iterator[Iterator[tuple[str, IO[bytes]]]]:
    """The members of an archive in order; StoreDamaged where it is truncated or not a backup."""
    try:
        with (
            archive.open("rb") as raw,
            zstandard.ZstdDecompressor().stream_reader(raw) as packed,
            tarfile.open(fileobj=packed, mode="r|") as tar,
        ):
            _require_no_more(archive)
            yield _members(tar)
    except FileNotFoundError:
        raise StoreError(f"there is no file {archive}; check the path") from None
    except (tarfile.TarError, zstandard.ZstdError, UnsafeName, EOFError) as fault:
        raise StoreDamaged(f"{archive} is no backup, or is damaged ({fault})") from fault


def _require_no_more(archive: Path) -> None:
    """Refuse bytes after the one frame that a backup is; a reader of the frame does not see them.

    The frame is a header, blocks that each state their size, and perhaps a checksum (RFC 8878, 3.1.1).
    """
    with archive.open("rb", buffering=0) as raw:
        head = raw.read(_LONGEST_HEADER)
        end = zstandard.frame_header_size(head)
        last = False
        while not last:
            raw.seek(end)
            block = raw.read(3)
            if len(block) < 3:
                return  # cut short, which reading it reports
            facts = int.from_bytes(block, "little")
            last, repeats = bool(facts & 1), facts >> 1 & 3 == 1  # a repeated byte is stored once
            end += 3 + (1 if repeats else facts >> 3)
        end += 4 if zstandard.get_frame_parameters(head).has_checksum else 0
        more = archive.stat().st_size - end
    if more > 0:
        raise StoreDamaged(f"{archive} is damaged: {more:,} bytes follow the end of the backup")


def _members(tar: tarfile.TarFile) -> Iterator[tuple[str, IO[bytes]]]:
    for member in tar:
        file = tar.extractfile(member) if member.isreg() else None
        if file is None:
            raise UnsafeName(f"{member.name!r} is no plain file")
        yield normal_path(member.name), file


def _unpacked(name: str, file: IO[bytes], folder: Path) -> tuple[Kept, bytes]:
    place = folder / name
    place.parent.mkdir(parents=True, exist_ok=True)
    with place.open("xb") as into:
        found = _digested(file, into if name != MANIFEST else None)
        into.flush()
        os.fsync(into.fileno())
    return found


def _digested(file: IO[bytes], into: IO[bytes] | None) -> tuple[Kept, bytes]:
    """The size, hash and beginning of a member; the beginning of a manifest is all of it."""
    digest, size, start = hashlib.sha256(), 0, b""
    while piece := file.read(_PIECE):
        digest.update(piece)
        size += len(piece)
        if into is not None:
            into.write(piece)
        elif len(start) < _MOST_MANIFEST:
            start += piece
    return Kept(size, digest.hexdigest()), start


def _compared(archive: Path, found: dict[str, tuple[Kept, bytes]]) -> Backup:
    """The manifest of an archive, after comparing every file with it."""
    if MANIFEST not in found:
        raise StoreDamaged(f"{archive} is no backup, or was cut short: it has no manifest")
    promised = _read_manifest(archive, found.pop(MANIFEST)[1])
    held = {name: kept for name, (kept, _) in found.items()}
    wrong = sorted(
        name for name in promised.files.keys() | held.keys() if promised.files.get(name) != held.get(name)
    )
    if wrong:
        raise StoreDamaged(f"{archive} is damaged: {wrong[0]} does not have its checksum")
    return promised


def _manifest(made: Backup) -> dict[str, object]:
    files = {name: {"size": one.size, "sha256": one.sha256} for name, one in made.files.items()}
    return {"format": FORMAT, "made_at": made.made_at, "version": made.version, "files": files}


def _read_manifest(archive: Path, data: bytes) -> Backup:
    try:
        table: Any = json.loads(data)
        if table["format"] != FORMAT:
            raise StoreError(f"{archive} is of format {table['format']}, which this version does not read")
        files = {
            str(name): Kept(int(one["size"]), str(one["sha256"])) for name, one in table["files"].items()
        }
        return Backup(str(table["made_at"]), str(table["version"]), files)
    except (ValueError, KeyError, TypeError, AttributeError) as fault:
        raise StoreDamaged(f"{archive} has no manifest that can be read") from fault
