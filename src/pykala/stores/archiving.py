"""Back up a library to one archive and restore it, for every engine: the archive is that of a folder.

A library in a database is first copied into a folder beside the archive and compared. This needs as much free
space there as the library has bytes.
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
    checked: bool = True,
    progress: Progress = lambda done, total: None,
) -> Backup:
    """Write a library into an archive and read it back. Raises StoreError, with nothing left behind.

    With `checked` the text is compared with its content hashes, and a damaged library is refused.
    """

    def pack(folder: Path, *, checked: bool) -> Backup:
        return backup.back_up(
            folder, archive, made_at=made_at, version=version, checked=checked, progress=progress
        )

    if not scheme_of(library):
        return pack(Path(library), checked=checked)
    if archive.exists():  # check this before an hour of copying
        raise StoreError(f"{archive} is there already; name another file, or remove it")
    archive.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f"{archive.name}.", dir=archive.parent) as scratch:
        folder = Path(scratch) / "library"
        copy_library(library, folder, checked=checked)
        return pack(folder, checked=False)  # the copy was compared with what was checked


def restore(archive: Path, library: Path | str) -> Backup:
    """Unpack an archive into a new folder or an empty database. Raises StoreError."""
    if not scheme_of(library):
        return backup.restore(archive, Path(library))
    with tempfile.TemporaryDirectory(prefix=f"{archive.name}.", dir=archive.parent) as scratch:
        folder = Path(scratch) / "library"
        found = backup.restore(archive, folder)
        copy_library(folder, library)
        return found
