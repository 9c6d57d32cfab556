"""Rights on the files of a library: they follow the umask, and whoever lacks one is told which."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from pykala.stores.embedded.database import FILE
from pykala.stores.store import StoreForbidden


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
    for path in _files(folder):
        if _lacks(path, os.R_OK | (os.X_OK if path.is_dir() else 0)):
            raise _forbidden(path, "read", folder)
        if writable and _lacks(path, os.W_OK):
            raise _forbidden(path, "write to", folder)


def _lacks(path: Path, right: int) -> bool:
    """Whether this user lacks a right on a file; on one that was merged away meanwhile nobody lacks any."""
    return not os.access(path, right) and path.exists()


def _files(folder: Path) -> list[Path]:
    """What a library consists of; a file that goes away meanwhile needs no rights."""
    found = [folder / f"{FILE}{suffix}" for suffix in ("", "-wal", "-shm")]
    found += [*folder.glob("*.npy"), *folder.glob("*.lock"), *folder.glob("glossary.db")]
    for name in ("text", "vectors", "asked"):
        found += _within(folder / name)
    return [path for path in found if path.exists()]


def _within(folder: Path) -> Iterator[Path]:
    """A folder of an index and what is in it, as far as this user may look."""
    if folder.is_dir():
        yield folder
        if os.access(folder, os.R_OK | os.X_OK):
            for path in folder.iterdir():
                if path.is_dir():
                    yield from _within(path)
                elif not path.name.endswith(".lock"):
                    yield path


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
