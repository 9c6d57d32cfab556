"""Back up a library to one archive and restore it, for every engine: the archive is that of a folder.

One of a database is first copied into a folder beside the archive, and compared on the way; it needs as much
room there as the library has bytes.
"""

from __future__ import annotations

import tempfile
from datetime import datetime
from pathlib import Path

from pykala.stores.copying import copy_library
from pykala.stores.embedded import backup
from pykala.stores.embedded.backup import Backup, Progress
from pykala.stores.opening import scheme_of
from pykala.stores.store import StoreError


def back_up(
    library: Path | str,
    archive: Path,
    *,
    made_at: datetime,
    version: str,
    progress: Progress = lambda done, total: None,
) -> Backup:
    """Write a library into an archive and read it back. Raises StoreError, with nothing left behind."""
    if not scheme_of(library):
        return backup.back_up(Path(library), archive, made_at=made_at, version=version, progress=progress)
    if archive.exists():  # before an hour of copying, not after it
        raise StoreError(f"{archive} is there already; name another file, or remove it")
    archive.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f"{archive.name}.", dir=archive.parent) as scratch:
        folder = Path(scratch) / "library"
        copy_library(library, folder)
        return backup.back_up(folder, archive, made_at=made_at, version=version, progress=progress)


def restore(archive: Path, library: Path | str) -> Backup:
    """Unpack an archive into a new folder or an empty database. Raises StoreError."""
    if not scheme_of(library):
        return backup.restore(archive, Path(library))
    with tempfile.TemporaryDirectory(prefix=f"{archive.name}.", dir=archive.parent) as scratch:
        folder = Path(scratch) / "library"
        found = backup.restore(archive, folder)
        copy_library(folder, library)
        return found
