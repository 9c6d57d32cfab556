"""Check by checksum that the index files are what their writer left.

Every segment of the text index and every vector column has its own checksum. The checksums of the glossary
and of the citation counts are in a manifest here. Reading ten gigabytes at every opening would take too long,
so the manifest also has the size and age of each file when it was last verified. If a file still has both, it
is read only where all files together are small; if not, it is read at once, up to a limit. The remaining
files are read in the background by processes that live long enough, and by 'pykala verify'.
"""

from __future__ import annotations

import json
import os
import secrets
import stat
import threading
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from pykala.stores.embedded.damage import IndexDamaged
from pykala.stores.embedded.discarding import discard

MANIFEST: Final = "checksums.json"
GLOSSARY, STANDING = "glossary.db", ("standing-sections.npy", "standing-works.npy")
BESIDE: Final = "beside"
#: Files beside the records that are replaced as a whole and have no checksum of their own.
FILES_BESIDE: Final = (GLOSSARY, *STANDING)
READ_AT_OPENING: Final = 2 * 2**20  # bytes of a part's files that are always read; a millisecond or two
CHANGED_AT_OPENING: Final = 4 * 2**20  # bytes of files that differ from the manifest
_STEP: Final = 4 * 2**20
_PATIENCE: Final = 30.0  # seconds before the background check begins, to spare a single question
_PAUSE: Final = 0.05  # seconds after each step there, so that questions come first
_ANOTHER_READS: Final = 5.0  # seconds until a second reader of a process checks the progress of the first
_FOOTER_MAGIC: Final = 1337  # Tantivy's
_FORMAT: Final = 1

Identity = tuple[str, int, int, int, int]
Seen = tuple[int, int]  # a file's size, and the second in which it was last written


@dataclass(frozen=True, slots=True)
class Expected:
    """An index file, and the checksum of its first bytes."""

    part: str  # "text", "vectors", "asked" or "beside"
    path: Path
    length: int
    checksum: int

    @property
    def name(self) -> str:
        """Its name within the library."""
        if self.part == "text":  # one index per jurisdiction, each in its own folder
            return f"{self.part}/{self.path.parent.name}/{self.path.name}"
        return self.path.name if self.part == BESIDE else f"{self.part}/{self.path.name}"

    def seen(self) -> Seen:
        """Its present size and age."""
        found = self.path.stat()
        return found.st_size, int(found.st_mtime)

    def identity(self) -> Identity:
        """A value that differs for any other file, and after a write."""
        found = self.path.stat()
        return str(self.path), found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns

    def check(self, pause: Callable[[], bool] = lambda: False) -> None:
        """Read the file and compare; `pause` is called between steps, and True from it stops the reading."""
        found, left = 0, self.length
        with self.path.open("rb") as file:
            while left:
                data = file.read(min(_STEP, left))
                if not data:
                    raise IndexDamaged(self.part, self.path, "it was cut short")
                found, left = zlib.crc32(data, found), left - len(data)
                if left and pause():
                    return
        if found != self.checksum:
            raise IndexDamaged(self.part, self.path, "it does not match its checksum")


@dataclass(frozen=True, slots=True)
class Manifest:
    """The last known size and age of the files, and checksums of those without their own."""

    files: Mapping[str, Seen]
    checksums: Mapping[str, int]
    layout: int = 0  # of the text index: a checksum of its fields
    state: str = ""  # of the records that the indexes were made of; unknown in an older library

    @classmethod
    def read(cls, folder: Path) -> Manifest:
        """Read the manifest of a library; empty where it is missing or damaged."""
        return cls._read(folder) or cls({}, {})

    @classmethod
    def is_damaged(cls, folder: Path) -> bool:
        """Whether something lies in its place that is no whole manifest; an older library has none."""
        return os.path.lexists(folder / MANIFEST) and cls._read(folder) is None

    @classmethod
    def _read(cls, folder: Path) -> Manifest | None:
        with suppress(OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            envelope = json.loads((folder / MANIFEST).read_bytes())
            body = envelope["body"]
            if envelope["format"] == _FORMAT and zlib.crc32(_canonical(body)) == envelope["checksum"]:
                seen = {name: (int(size), int(at)) for name, (size, at) in body["files"].items()}
                return cls(seen, body["checksums"], body["layout"], str(body.get("state", "")))
        return None

    def write(self, folder: Path) -> None:
        """Replace the manifest in one step."""
        body = {
            "files": dict(self.files),
            "checksums": dict(self.checksums),
            "layout": self.layout,
            "state": self.state,
        }
        envelope = {"format": _FORMAT, "checksum": zlib.crc32(_canonical(body)), "body": body}
        draft = folder / f"{MANIFEST}.draft"
        try:
            draft.write_text(json.dumps(envelope), encoding="utf-8")
            if (folder / MANIFEST).is_dir():  # no file can take the place of a folder
                discard(folder / MANIFEST)
            draft.replace(folder / MANIFEST)
        finally:
            draft.unlink(missing_ok=True)


def _canonical(body: object) -> bytes:
    return json.dumps(body, sort_keys=True, separators=(",", ":")).encode()


def expected_files(folder: Path, part: str, manifest: Manifest) -> list[Expected]:
    """The files that searches read, with their checksums; IndexDamaged where one is missing."""
    if part == BESIDE:
        found = ((folder / name, manifest.checksums.get(name)) for name in FILES_BESIDE)
        return [_beside(path, checksum) for path, checksum in found if checksum is not None]
    if part == "text":
        return [one for index in _text_folders(folder) for one in _while_it_changes(index, manifest)]
    return list(_columns(folder / part, part))


def _text_folders(folder: Path) -> list[Path]:
    """The folders of the text indexes, one per jurisdiction."""
    return sorted(path for path in (folder / "text").glob("[0-9]*") if path.is_dir())


def _beside(path: Path, checksum: int) -> Expected:
    if not path.is_file():
        raise IndexDamaged(BESIDE, path, "it is missing")
    return Expected(BESIDE, path, path.stat().st_size, checksum)


def _while_it_changes(folder: Path, manifest: Manifest) -> list[Expected]:
    """Read the list of segments again where a writer merged some of them meanwhile."""
    path = folder / "meta.json"
    for _ in range(4):
        try:
            before = path.read_bytes()
        except OSError as error:
            raise IndexDamaged("text", path, f"it cannot be read ({error.strerror})") from error
        try:
            return _segments(folder, manifest)
        except IndexDamaged:
            if path.read_bytes() == before:
                raise
    raise IndexDamaged("text", path, "it changes all the time")


def _segments(folder: Path, manifest: Manifest) -> list[Expected]:
    """The files of the current segments of the text index, without leftovers of merges."""
    path = folder / "meta.json"
    try:
        meta = json.loads(path.read_bytes())
        segments = [
            (one["segment_id"].replace("-", ""), (one["deletes"] or {}).get("opstamp"))
            for one in meta["segments"]
        ]
        fields = zlib.crc32(_canonical([meta["schema"], meta["index_settings"]]))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise IndexDamaged("text", path, f"it is not a list of segments ({error})") from error
    if manifest.layout and manifest.layout != fields:
        raise IndexDamaged("text", path, "its fields are not those that were written")
    names = [one.name for one in folder.iterdir()]
    found = []
    for segment, opstamp in segments:
        own = [name for name in names if name.startswith(f"{segment}.")]
        kept = f"{segment}.{opstamp}.del"
        own = [name for name in own if not name.endswith(".del") or name == kept]
        if not own or (opstamp is not None and kept not in own):
            raise IndexDamaged("text", folder / segment, "a file of the segment is missing")
        found += [_with_footer(folder / name) for name in own]
    return found


def _with_footer(path: Path) -> Expected:
    """A Tantivy file: a body, JSON with its CRC-32, the length of that JSON, a magic number."""
    try:
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(size - 8, 0))
            tail = file.read(8)
            if len(tail) < 8 or int.from_bytes(tail[4:], "little") != _FOOTER_MAGIC:
                raise ValueError("it has no footer")
            length = size - 8 - int.from_bytes(tail[:4], "little")
            file.seek(max(length, 0))
            return Expected("text", path, length, int(json.loads(file.read(size - 8 - length))["crc"]))
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise IndexDamaged("text", path, f"its footer cannot be read ({error})") from error


def _columns(folder: Path, part: str) -> Iterator[Expected]:
    if not folder.is_dir():
        return  # a library without vectors, or an older one without known questions
    from pykala.stores.embedded import vector_files  # imports NumPy, which only vectors need

    try:
        header = vector_files.read_header(folder)
    except FileNotFoundError as error:
        raise IndexDamaged(part, folder / vector_files.HEADER, "it is missing") from error
    for name in vector_files.DTYPES:
        path, size = header.path(folder, name), header.size(name)
        try:
            there = path.stat()
        except OSError:
            there = None
        if there is None or not stat.S_ISREG(there.st_mode) or there.st_size < size:
            raise IndexDamaged(part, path, "it is missing or cut short")
        yield Expected(part, path, size, header.checksums.get(name, 0))


def check_at_opening(folder: Path, part: str, manifest: Manifest) -> list[Expected]:
    """Check what takes almost no time; return the rest. Raises IndexDamaged."""
    known, changed = list[Expected](), list[Expected]()
    for one in expected_files(folder, part, manifest):
        (known if manifest.files.get(one.name) == one.seen() else changed).append(one)
    # Without a manifest, as in an older library, an unknown file does not mean a changed file.
    left = _check_up_to(CHANGED_AT_OPENING if manifest.files else READ_AT_OPENING, changed)
    return left + _check_up_to(READ_AT_OPENING, known)


def _check_up_to(bytes_at_once: int, files: Sequence[Expected]) -> list[Expected]:
    """Check the smallest files first, up to a limit of bytes."""
    ordered = sorted(files, key=lambda one: one.length)
    for at, one in enumerate(ordered):
        bytes_at_once -= one.length
        if bytes_at_once < 0:
            return ordered[at:]
        with suppress(FileNotFoundError):  # merged away meanwhile
            one.check()
    return []


def check_whole(folder: Path, part: str, manifest: Manifest) -> int:
    """Read every byte of a part's files; return the number of files. Raises IndexDamaged."""
    files = expected_files(folder, part, manifest)
    for one in files:
        with suppress(FileNotFoundError):
            one.check()
    return len(files)


def check_text(index: Path) -> None:
    """Read every byte of one text index. Raises IndexDamaged."""
    for one in _while_it_changes(index, Manifest({}, {})):
        one.check()


def record(folder: Path, before: Manifest, unchecked: frozenset[str], *, whole: bool) -> Manifest:
    """The writer records the files as they are now; `whole` includes those without a checksum.

    Files that were neither checked when the writer opened nor written since stay unverified.
    """
    seen: dict[str, Seen] = {}
    checksums: dict[str, int] = {}
    layout = before.layout
    for part in ("text", "vectors", "asked"):
        for one in expected_files(folder, part, before):
            if one.name not in unchecked:
                with suppress(FileNotFoundError):  # merged away since
                    seen[one.name] = one.seen()
    for index in _text_folders(folder)[:1]:  # all have the same fields
        with suppress(OSError, ValueError, KeyError):
            meta = json.loads((index / "meta.json").read_bytes())
            layout = zlib.crc32(_canonical([meta["schema"], meta["index_settings"]]))
    for path in (folder / name for name in FILES_BESIDE if whole):
        with suppress(FileNotFoundError, IsADirectoryError):
            data = path.read_bytes()
            checksums[path.name] = zlib.crc32(data)
            seen[path.name] = Expected(BESIDE, path, len(data), 0).seen()
    written = Manifest(seen, checksums, layout, Manifest.read(folder).state)
    written.write(folder)
    return written


class _FoundHere:
    """The files that this process has already checked, so that its threads do not read them again."""

    def __init__(self) -> None:
        self.reading = threading.Lock()  # one thread reads, the others wait for its result
        self.whole: set[Identity] = set()
        self.damaged: dict[Identity, IndexDamaged] = {}

    def read(self, one: Expected, pause: Callable[[], bool]) -> None:
        """Check a file, unless this process has. Raises IndexDamaged."""
        identity = one.identity()
        if identity in self.damaged:
            raise self.damaged[identity]
        if identity in self.whole:
            return
        stopped = False

        def paused() -> bool:
            nonlocal stopped
            stopped = pause()
            return stopped

        try:
            one.check(paused)
        except IndexDamaged as error:
            self.damaged[identity] = error
            raise
        if not stopped:
            self.whole.add(identity)


_found_here = _FoundHere()


class BackgroundCheck:
    """Checks the remaining files slowly in a thread; `damage` holds what it finds."""

    def __init__(self, files: Sequence[Expected], *, patience: float = _PATIENCE) -> None:
        self.damage: IndexDamaged | None = None
        self._files, self._patience = tuple(files), patience
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="pykala-integrity", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        if self._stopped.wait(self._patience):
            return
        while not _found_here.reading.acquire(blocking=False):
            if self._stopped.wait(_ANOTHER_READS):
                return
        try:
            self._read()
        finally:
            _found_here.reading.release()

    def _read(self) -> None:
        for one in self._files:
            try:
                _found_here.read(one, lambda: self._stopped.wait(_PAUSE))
            except FileNotFoundError:  # merged away since
                continue
            except IndexDamaged as error:
                self.damage = error
                return
            except OSError:  # the disk is gone; the next read raises the system's error
                return
            if self._stopped.is_set():
                return

    def stop(self) -> None:
        """Stop after the present step."""
        self._stopped.set()
        self._thread.join()


def mark(folder: Path) -> str:
    """Give the indexes a new name of their state; return it, or "" where it could not be written."""
    with suppress(OSError):
        state = secrets.token_hex(8)
        replace(Manifest.read(folder), state=state).write(folder)
        return state
    return ""


def names(files: Sequence[Expected]) -> frozenset[str]:
    """The names of files within the library."""
    return frozenset(one.name for one in files)


def being_written(manifest: Manifest, folder: Path) -> Manifest:
    """The manifest while a writer is open, which may replace files that have no checksum."""
    left = {name: seen for name, seen in manifest.files.items() if name not in FILES_BESIDE}
    without = Manifest(left, {}, manifest.layout, manifest.state)
    if manifest.checksums:
        without.write(folder)
    return without
