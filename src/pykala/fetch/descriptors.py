"""Files by descriptor on every system: locks, and reads and writes at an offset.

POSIX has `flock`, `pread` and `pwrite`. Windows has none of them: there a lock is one byte far behind the
end of the file (a locked byte cannot be read by others, so it must not be one of the content), a shared lock
is an exclusive one that is held for a moment, and an offset is sought first, by one thread at a time.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

__all__ = ["CLOSE_ON_EXEC", "NO_FOLLOW", "NO_WAIT", "lock", "read_at", "sync_folder", "write_at"]

CLOSE_ON_EXEC = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOINHERIT", 0)
NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
NO_WAIT = getattr(os, "O_NONBLOCK", 0)

if sys.platform == "win32":  # pragma: no cover
    import msvcrt
    import threading

    _LOCKED_BYTE = 1 << 40
    _seeking = threading.Lock()

    def lock(descriptor: int, *, shared: bool = False, wait: bool = True) -> None:
        """Lock a file until its descriptor is closed; OSError where another holds it and `wait` is false."""
        while True:
            os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
            try:
                msvcrt.locking(descriptor, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
                return
            except OSError:  # LK_LOCK itself gives up after ten seconds
                if not wait:
                    raise

    def read_at(descriptor: int, size: int, offset: int) -> bytes:
        """Read at an offset."""
        with _seeking:
            os.lseek(descriptor, offset, os.SEEK_SET)
            return os.read(descriptor, size)

    def write_at(descriptor: int, data: bytes | memoryview, offset: int) -> int:
        """Write at an offset; return how many bytes were written."""
        with _seeking:
            os.lseek(descriptor, offset, os.SEEK_SET)
            return os.write(descriptor, data)

else:

    def lock(descriptor: int, *, shared: bool = False, wait: bool = True) -> None:
        """Lock a file until its descriptor is closed; OSError where another holds it and `wait` is false."""
        import fcntl  # only where something is locked: the package is imported without it

        fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | (0 if wait else fcntl.LOCK_NB))

    def read_at(descriptor: int, size: int, offset: int) -> bytes:
        """Read at an offset."""
        return os.pread(descriptor, size, offset)

    def write_at(descriptor: int, data: bytes | memoryview, offset: int) -> int:
        """Write at an offset; how many bytes were taken."""
        return os.pwrite(descriptor, data, offset)


def sync_folder(folder: Path) -> None:
    """Wait until the names in a folder are on the disk."""
    if os.name == "nt":  # Windows cannot open a folder; its entries are synced with the file
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
