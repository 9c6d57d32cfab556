"""Locate the library that is served, and the folder that takes uploads.

The sample library is never written to. At the first upload to a served sample, the sample is copied beside
the user's own library, and the server continues with the copy: questions then find both.
"""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from pykala.fetch.snapshots import SnapshotDamaged
from pykala.interfaces.serving import uploads
from pykala.interfaces.serving.library_pool import Opener
from pykala.interfaces.serving.problems import Problem
from pykala.interfaces.serving.uploads import MADE_OF
from pykala.library.chosen import given_or_own
from pykala.library.inbox import FolderArchive
from pykala.library.sample import sample_library
from pykala.packs.pack import installed
from pykala.settings import Settings
from pykala.stores.opening import scheme_of
from pykala.stores.store import StoreError


@dataclass(frozen=True, slots=True)
class LibraryLocation:
    """The library to read, and the folder for uploads; None where uploads are refused."""

    folder: Path
    uploads: Path | None

    @property
    def writable(self) -> bool:
        """Whether uploads are accepted."""
        return self.uploads is not None

    def present(self) -> Path:
        """The folder to read now; after the first upload to the sample, the copy of the sample."""
        if self.uploads is not None and (self.uploads / MADE_OF).exists():
            return self.uploads
        return self.folder

    def prepare(self) -> Path:
        """Return the folder for uploads, and copy the sample into it first where needed."""
        if self.uploads is None:
            raise Problem(
                "read-only",
                "the library cannot be written to here; who runs the server starts it as a user who may, or"
                " with --library and a folder of their own",
            )
        if self.uploads != self.folder and not (self.uploads / MADE_OF).exists():
            _copy_sample(self.folder, self.uploads)
        return self.uploads


def library_location(settings: Settings, library: Path | None, open_library: Opener) -> LibraryLocation:
    """Locate the library given, else the user's own, else the sample with its earlier uploads."""
    folder = given_or_own(library, settings)
    if folder is not None and scheme_of(folder):
        return LibraryLocation(folder, folder)  # the database decides who may write
    if folder is not None:
        return LibraryLocation(folder, folder if os.access(folder, os.W_OK) else None)
    sample = sample_library(settings.cache, installed())
    copy = settings.library.with_name("sample-with-uploads")
    if not (copy / MADE_OF).exists():
        return LibraryLocation(sample, copy)
    if (copy / MADE_OF).read_text("utf-8") != sample.name:
        _renew(copy, sample, open_library)
    return LibraryLocation(copy, copy)


def _copy_sample(sample: Path, copy: Path) -> None:
    shutil.rmtree(copy, ignore_errors=True)  # remove an interrupted copy
    copy.parent.mkdir(parents=True, exist_ok=True)
    shutil.copytree(sample, copy)
    (copy / MADE_OF).write_text(sample.name, "utf-8")


def _renew(copy: Path, sample: Path, open_library: Opener) -> None:
    """Replace a copy of an older sample by one of the current sample, and read its uploads again."""
    renewed, old = copy.with_name(f"{copy.name}-renewed"), copy.with_name(f"{copy.name}-old")
    _copy_sample(sample, renewed)
    names = _names(copy, open_library)
    archive = FolderArchive(copy / "originals")
    with open_library(renewed, writable=True) as library:
        for packed in sorted((copy / "originals").glob("??/*.zst")):
            digest = packed.parent.name + packed.stem
            # An upload that can no longer be read is left behind; the others are copied.
            with suppress(SnapshotDamaged, Problem):
                uploads.add(library, names.get(digest, "document"), archive.get(digest))
    shutil.rmtree(old, ignore_errors=True)
    copy.rename(old)
    renewed.rename(copy)
    shutil.rmtree(old, ignore_errors=True)


def _names(copy: Path, open_library: Opener) -> dict[str, str]:
    """Names of uploaded files by hash; from the list on disk where the library is too old to open."""
    try:
        with open_library(copy) as library:
            files = (uploads.file_of(library.store, work) for work in uploads.uploaded(library.store))
            return {file.sha256: Path(file.path).name for file in files}
    except StoreError:
        return uploads.names_written(copy)
