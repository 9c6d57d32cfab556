"""Rights on the files of a library: they follow the umask, and whoever lacks one is told which."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from pykala.stores.embedded.database import FILE
from pykala.stores.store import StoreForbidden

_RECORDS = frozenset({FILE, f"{FILE}-wal", f"{FILE}-shm", "glossary.db"})
_INDEXES = frozenset({"text", "vectors", "asked"})


def require_rights(folder: Path, *, writable: bool) -> None:
    """Refuse a library with a file that this user may not read or, to write, not change: by name and reason.

    Without this, a file that may not be read would look like a damaged one, and be written anew.
    """
    if not folder.exists():
        return
    if not os.access(folder, os.R_OK | os.X_OK):
        raise _forbidden(folder, "read", folder)
    if writable and not os.access(folder, os.W_OK):
        raise _forbidden(folder, "write to", folder)
    for path, is_folder in _files(folder):
        if _lacks(path, os.R_OK | (os.X_OK if is_folder else 0)):
            raise _forbidden(Path(path), "read", folder)
        if writable and _lacks(path, os.W_OK):
            raise _forbidden(Path(path), "write to", folder)


def _lacks(path: str, right: int) -> bool:
    """Whether this user lacks a right on a file; on one that was merged away meanwhile nobody lacks any."""
    return not os.access(path, right) and Path(path).exists()


def _files(folder: Path) -> Iterator[tuple[str, bool]]:
    """What a library consists of, and whether it is a folder; what goes away meanwhile needs no rights."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name in _INDEXES and _is_folder(entry):
                yield from _within(entry.path)
            elif entry.name in _RECORDS or entry.name.endswith((".npy", ".lock")):
                yield entry.path, False


def _within(folder: str) -> Iterator[tuple[str, bool]]:
    """A folder of an index and what is in it, as far as this user may look."""
    yield folder, True
    if os.access(folder, os.R_OK | os.X_OK):
        with os.scandir(folder) as entries:
            for entry in entries:
                if _is_folder(entry):
                    yield from _within(entry.path)
                elif not entry.name.endswith(".lock"):
                    yield entry.path, False


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link that leads to itself
        return False


def _forbidden(path: Path, what: str, folder: Path) -> StoreForbidden:
    found = path.stat()
    if not hasattr(os, "geteuid"):  # Windows has no numbers of users
        return StoreForbidden(f"this user may not {what} {path}; its owner can give the right to")
    mend = "a+rX" if what == "read" else "ug+rwX"
    return StoreForbidden(
        f"this user (number {os.geteuid()}) may not {what} {path}, which belongs to user {found.st_uid} with"
        f" the rights {stat.filemode(found.st_mode)}; its owner can run 'chmod -R {mend} {folder}'"
    )


def follow_umask(folder: Path) -> None:
    """Give files made for their owner alone, as Tantivy makes its lists, the rights that others have."""
    wanted = 0o666 & ~_umask()
    for path in folder.iterdir():
        with suppress(OSError):  # merged away, or another user's
            if stat.S_IMODE(path.stat().st_mode) == 0o600 != wanted:
                path.chmod(wanted)


def _umask() -> int:
    with suppress(OSError, ValueError), Path("/proc/self/status").open(encoding="ascii") as status:
        for line in status:
            if line.startswith("Umask:"):
                return int(line.split()[1], 8)
    current = os.umask(0o022)  # it can only be read by setting it
    os.umask(current)
    return current
