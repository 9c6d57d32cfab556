"""Uploads: where they go, and how one file comes into a library that others read at the same time.

The sample library is never written to. Who serves it and uploads a document gets a copy of the sample
beside their own library, and the server reads on from there: a question then finds both.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from pykala.fetch.snapshots import SnapshotDamaged
from pykala.interfaces.http.problems import Problem
from pykala.interfaces.http.reading_room import Opener
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import WorkKind
from pykala.library import Library
from pykala.library.chosen import given_or_own
from pykala.library.inbox import Originals
from pykala.library.sample import sample_library
from pykala.packs.pack import installed
from pykala.packs.uploads import work_of
from pykala.settings import Settings
from pykala.stores.opening import scheme_of
from pykala.stores.store import Store, StoreError, UnknownProvision

FORMATS = (".pdf", ".docx", ".html", ".md", ".txt")
_MADE_OF = "made-of"  # names the sample that a copy was made of
_NAMES = "upload-names.json"  # hash → what the user calls the file
_UNSAFE = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069/\\:*?\"<>|]")
_LONGEST_NAME = 120


@dataclass(frozen=True, slots=True)
class Premises:
    """Which library is read, and where uploads go; None: nowhere."""

    folder: Path
    uploads: Path | None

    @property
    def writable(self) -> bool:
        """Whether uploads are taken."""
        return self.uploads is not None

    def present(self) -> Path:
        """The folder that is read now: the copy of the sample from the first upload on."""
        if self.uploads is not None and (self.uploads / _MADE_OF).exists():
            return self.uploads
        return self.folder

    def prepare(self) -> Path:
        """The folder to write uploads to, made ready; a copy of the sample where it is not there yet."""
        if self.uploads is None:
            raise Problem(
                "read-only",
                "the library cannot be written to here; who runs the server starts it as a user who may, or"
                " with --library and a folder of their own",
            )
        if self.uploads != self.folder and not (self.uploads / _MADE_OF).exists():
            _copy_sample(self.folder, self.uploads)
        return self.uploads


def premises(settings: Settings, library: Path | None, open_library: Opener) -> Premises:
    """The library asked for, else one's own, else the sample, with the uploads made to it before."""
    folder = given_or_own(library, settings)
    if folder is not None and scheme_of(folder):
        return Premises(folder, folder)  # the database says who may write
    if folder is not None:
        return Premises(folder, folder if os.access(folder, os.W_OK) else None)
    sample = sample_library(settings.cache, installed())
    copy = settings.library.with_name("sample-with-uploads")
    if not (copy / _MADE_OF).exists():
        return Premises(sample, copy)
    if (copy / _MADE_OF).read_text("utf-8") != sample.name:
        _renew(copy, sample, open_library)
    return Premises(copy, copy)


def _copy_sample(sample: Path, copy: Path) -> None:
    shutil.rmtree(copy, ignore_errors=True)  # what a copy that was cut off has left
    copy.parent.mkdir(parents=True, exist_ok=True)
    shutil.copytree(sample, copy)
    (copy / _MADE_OF).write_text(sample.name, "utf-8")


def _renew(copy: Path, sample: Path, open_library: Opener) -> None:
    """Bring the uploads of an earlier version's sample into a copy of the present one."""
    renewed, old = copy.with_name(f"{copy.name}-renewed"), copy.with_name(f"{copy.name}-old")
    _copy_sample(sample, renewed)
    names = _names(copy, open_library)
    archive = Originals(copy / "originals")
    with open_library(renewed, writable=True) as library:
        for packed in sorted((copy / "originals").glob("??/*.zst")):
            digest = packed.parent.name + packed.stem
            # What can no longer be read is left behind; the others come along.
            with suppress(SnapshotDamaged, Problem):
                add(library, names.get(digest, "document"), archive.get(digest))
    shutil.rmtree(old, ignore_errors=True)
    copy.rename(old)
    renewed.rename(copy)
    shutil.rmtree(old, ignore_errors=True)


def _names(copy: Path, open_library: Opener) -> dict[str, str]:
    """The names of uploaded files by their hash; as written down where the library is too old to be read."""
    try:
        with open_library(copy) as library:
            files = (_file(library.store, work) for work in uploaded(library.store))
            return {file.sha256: Path(file.path).name for file in files}
    except StoreError:
        return _names_written(copy)


def _names_written(folder: Path) -> dict[str, str]:
    with suppress(OSError, ValueError):
        found = json.loads((folder / _NAMES).read_text("utf-8"))
        if isinstance(found, dict):
            return {digest: str(name) for digest, name in found.items()}
    return {}


def _write_names(library: Library) -> None:
    """Write down what the files are called where a later version finds it that cannot read this library.

    Only beside a copy of the sample: that is made anew by every version of which the sample differs.
    """
    if library.folder is None or not (library.folder / _MADE_OF).exists():
        return
    files = (_file(library.store, work) for work in uploaded(library.store))
    names = {file.sha256: Path(file.path).name for file in files}
    (library.folder / _NAMES).write_text(json.dumps(names, ensure_ascii=False, indent=1), "utf-8")


def add(library: Library, name: str, data: bytes) -> tuple[WorkId, bool]:
    """Read one file into a library; the work that it gave, and whether it was there before."""
    work = work_of(sha256(data).hexdigest())
    try:
        library.store.work(work)
        return work, True
    except UnknownProvision:
        pass
    # A folder of its own: a file that was deleted may come again, and one name may stand for two files.
    with tempfile.TemporaryDirectory(prefix="pykala-upload-") as folder:
        (Path(folder) / file_name(name)).write_bytes(data)
        report = next(iter(library.inbox(Path(folder))))
    for refusal in report.refusals:
        raise Problem("upload-refused", f"{file_name(name)}: {refusal.reason}")
    _write_names(library)
    return work, False


def upload_named(library: Library, work: str) -> WorkId:
    """An upload by its identifier or name."""
    found = library.locate(work)
    if found.path or library.store.work(found.work).kind is not WorkKind.UPLOAD:
        raise UnknownProvision(f"{work} is not an upload; GET /api/v1/uploads lists them")
    return found.work


def remove(library: Library, work: str) -> None:
    """Take an upload out of a library."""
    library.delete(str(upload_named(library, work)))
    _write_names(library)


def file_name(name: str) -> str:
    """A name that can only name a file, as the user gave it otherwise."""
    safe = _UNSAFE.sub("_", Path(name.replace("\\", "/")).name).strip().lstrip(".~") or "document"
    stem, ending = Path(safe).stem, Path(safe).suffix[:12]
    return f"{stem[:_LONGEST_NAME]}{ending}"


def uploaded(store: Store) -> list[WorkId]:
    """Every upload of a library."""
    return sorted({work for work in store.items().values() if work.jurisdiction == "up"})


@dataclass(frozen=True, slots=True)
class _File:
    path: str
    sha256: str
    notes: tuple[str, ...]


def _file(store: Store, work: WorkId) -> _File:
    language = store.provision(ProvisionId(work)).language
    found = store.document(work, language).manifestations[0]
    return _File(found.path, found.sha256, found.notes)


def upload_json(store: Store, work: WorkId) -> dict[str, object]:
    """An upload as the list shows it."""
    stored = store.provision(ProvisionId(work))
    file = _file(store, work)
    findings = {found for node in stored.provision.walk() for one in node.versions for found in one.findings}
    return {
        "work": str(work),
        "title": stored.work.title(stored.language),
        "file": Path(file.path).name,
        "provisions": sum(1 for _ in stored.provision.walk()),
        "language": stored.language,
        "warnings": [*file.notes, *sorted(findings)],
    }
