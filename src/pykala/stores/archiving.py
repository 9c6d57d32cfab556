"""Back up a library to one archive and restore it, for every engine: the archive is that of a folder.

A library in a database or a cluster is first copied into a folder beside the archive and compared. This needs
as much free space there as the library has bytes. An index on a server is not in the archive: `restore`
writes it from the records.
"""

from __future__ import annotations

import tempfile
from datetime import datetime
from pathlib import Path

from pykala.stores.copying import EmbedderFor, copy_library, write_index
from pykala.stores.embedded import backup
from pykala.stores.embedded.backup import Backup, Progress
from pykala.stores.embedded.indexing import TEXT_FOLDER
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


def restore(archive: Path, library: Path | str, *, embedder_for: EmbedderFor | None = None) -> Backup:
    """Unpack an archive into a new folder, an empty database or a new cluster. Raises StoreError.

    With `embedder_for` an index that the archive lacks is written, with the embedder that it returns.
    """
    if not scheme_of(library):
        found = backup.restore(archive, Path(library))
        if embedder_for is not None and not (Path(library) / TEXT_FOLDER).is_dir():
            write_index(library, embedder_for)
        return found
    with tempfile.TemporaryDirectory(prefix=f"{archive.name}.", dir=archive.parent) as scratch:
        folder = Path(scratch) / "library"
        found = backup.restore(archive, folder)
        copy_library(folder, library, embedder_for=embedder_for)
        return found
