"""Access rights of a library's files: they follow the umask, and errors name the missing right."""

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
    """Refuse a library with a file that this user cannot read or, for writing, change.

    Without this check, an unreadable file would look damaged and be rebuilt.
    """
    if not folder.is_dir():  # whoever opens it tells what is there instead
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
    """Whether this user lacks a right on a file; False for one that was removed meanwhile."""
    return not os.access(path, right) and Path(path).exists()


def _files(folder: Path) -> Iterator[tuple[str, bool]]:
    """The files and folders of a library; those removed meanwhile are left out."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name in _INDEXES and _is_folder(entry):
                yield from _within(entry.path)
            elif entry.name in _RECORDS or entry.name.endswith((".npy", ".lock")):
                yield entry.path, False


def _within(folder: str) -> Iterator[tuple[str, bool]]:
    """A folder of an index and its contents, as far as this user can list them."""
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
    except OSError:  # a link to itself
        return False


def _forbidden(path: Path, what: str, folder: Path) -> StoreForbidden:
    found = path.stat()
    if not hasattr(os, "geteuid"):  # Windows has no user numbers
        return StoreForbidden(f"this user may not {what} {path}; its owner can give the right to")
    mend = "a+rX" if what == "read" else "ug+rwX"
    return StoreForbidden(
        f"this user (number {os.geteuid()}) may not {what} {path}, which belongs to user {found.st_uid} with"
        f" the rights {stat.filemode(found.st_mode)}; its owner can run 'chmod -R {mend} {folder}'"
    )


def follow_umask(folder: Path) -> None:
    """Give files that only their owner can read, as Tantivy creates them, the rights of the umask."""
    wanted = 0o666 & ~_umask()
    for path in folder.iterdir():
        with suppress(OSError):  # removed by a merge, or owned by another user
            if stat.S_IMODE(path.stat().st_mode) == 0o600 != wanted:
                path.chmod(wanted)


def _umask() -> int:
    with suppress(OSError, ValueError), Path("/proc/self/status").open(encoding="ascii") as status:
        for line in status:
            if line.startswith("Umask:"):
                return int(line.split()[1], 8)
    current = os.umask(0o022)  # reading the umask requires setting it
    os.umask(current)
    return current
