"""A sequential archive, unpacked once into one temporary file that can be read at any offset.

Acts come in pairs (`eng/acts/X.xml`, `fra/lois/X.xml`) that lie megabytes apart in the archive, and several
processes read at once: one flat file serves both, for the price of its size on disk while it is open.
"""

from __future__ import annotations

import contextlib
import io
import os
import tempfile
import weakref
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from .descriptors import CLOSE_ON_EXEC, NO_FOLLOW, lock
from .limits import Limits
from .refusals import MirrorUnavailable
from .unpack import UnpackFailed, gunzipped, pieces, unzstd

_PREFIX, _SUFFIX = "pykala-", ".spool"


DECOMPRESSORS: dict[str, Callable[[BinaryIO], Iterable[bytes | memoryview]]] = {
    "zstd": unzstd,
    "gzip": lambda packed: gunzipped(pieces(packed)),
}


@dataclass(frozen=True, slots=True)
class Unpacked:
    """How many bytes came out, and why it stopped before the end (empty at a clean end)."""

    length: int
    stopped: str


class Spool:
    """A temporary file that no other process removes while it is open, and that goes away on close.

    A process that is killed cannot clean up, so each spool is locked (the lock dies with the process), and
    the next spool opened in the same folder removes those without a lock.
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        _sweep(folder)
        self.path, self._lock = _locked_file(folder)
        self._remove = weakref.finalize(self, _remove, self.path, self._lock, os.getpid())

    def fill(self, archive: Path, compression: str, limits: Limits) -> Unpacked:
        """Unpack `archive` into the spool, until its end, a fault in it, or a limit."""
        packed_length = archive.stat().st_size
        length, stopped = 0, ""
        with archive.open("rb") as packed, self.path.open("wb", buffering=0) as out:
            try:
                for piece in DECOMPRESSORS[compression](packed):
                    _write_whole(out, memoryview(piece), archive)
                    length += len(piece)
                    stopped = limits.excess(length, packed_length)
                    if stopped:
                        break
            except UnpackFailed as fault:
                stopped = f"the archive is damaged or cut short ({fault})"
        return Unpacked(length, stopped)

    def close(self) -> None:
        """Remove the file. Closing twice is harmless, and a forked process removes nothing."""
        self._remove()


def _write_whole(out: io.FileIO, data: memoryview, archive: Path) -> None:
    try:
        while data:
            data = data[out.write(data) :]
    except OSError as fault:
        raise MirrorUnavailable(
            archive.name,
            f"could not be unpacked into {Path(str(out.name)).parent} ({fault.strerror}); "
            "free some space there, or name another spool folder",
        ) from fault


def _locked_file(folder: Path) -> tuple[Path, int]:
    while True:
        handle, name = tempfile.mkstemp(_SUFFIX, _PREFIX, folder)
        lock(handle)
        # Another process may have swept the file away between its creation and its lock.
        if os.fstat(handle).st_nlink:
            return Path(name), handle
        os.close(handle)


def _sweep(folder: Path) -> None:
    for left in folder.glob(f"{_PREFIX}*{_SUFFIX}"):
        with contextlib.suppress(OSError):
            handle = os.open(left, os.O_RDWR | NO_FOLLOW | CLOSE_ON_EXEC)
            try:
                lock(handle, wait=False)
                left.unlink()
            finally:
                os.close(handle)


def _remove(path: Path, lock: int, owner: int) -> None:
    if os.getpid() == owner:
        path.unlink(missing_ok=True)
        os.close(lock)
