"""Add one file to a library that others read at the same time, and remove it."""

from __future__ import annotations

import json
import re
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from pykala.interfaces.records.library import UploadLine
from pykala.interfaces.serving.problems import Problem
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import WorkKind
from pykala.library import Library
from pykala.packs.uploads import work_of
from pykala.stores.store import Store, UnknownProvision
from pykala.text.phrases import tell

FORMATS = (".pdf", ".docx", ".html", ".md", ".txt")
MADE_OF = "made-of"  # names the sample from which a copy was made
_NAMES = "upload-names.json"  # hash → what the user calls the file
_UNSAFE = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069/\\:*?\"<>|]")
_LONGEST_NAME = 120


def names_written(folder: Path) -> dict[str, str]:
    """Names of uploaded files by hash, from the list beside the library."""
    with suppress(OSError, ValueError):
        found = json.loads((folder / _NAMES).read_text("utf-8"))
        if isinstance(found, dict):
            return {digest: str(name) for digest, name in found.items()}
    return {}


def _write_names(library: Library) -> None:
    """Write the names of the uploaded files to a list that a later version can read.

    Only for a copy of the sample, which every version with a different sample makes again.
    """
    if library.folder is None or not (library.folder / MADE_OF).exists():
        return
    files = (file_of(library.store, work) for work in uploaded(library.store))
    names = {file.sha256: Path(file.path).name for file in files}
    (library.folder / _NAMES).write_text(json.dumps(names, ensure_ascii=False, indent=1), "utf-8")


def add(library: Library, name: str, data: bytes) -> tuple[WorkId, bool]:
    """Read one file into a library; return its work, and whether it was there already."""
    work = work_of(sha256(data).hexdigest())
    try:
        library.store.work(work)
        return work, True
    except UnknownProvision:
        pass
    # Use a new folder: a deleted file may be uploaded again, and two files may have the same name.
    with tempfile.TemporaryDirectory(prefix="pykala-upload-") as folder:
        (Path(folder) / file_name(name)).write_bytes(data)
        report = next(iter(library.inbox(Path(folder))))
    for refusal in report.refusals:
        raise Problem("upload-refused", f"{file_name(name)}: {refusal.reason}")
    _write_names(library)
    return work, False


def upload_named(library: Library, work: str) -> WorkId:
    """Find an upload by its identifier or name."""
    found = library.locate(work)
    if found.path or library.store.work(found.work).kind is not WorkKind.UPLOAD:
        raise UnknownProvision(f"{work} is not an upload; GET /api/v1/uploads lists them")
    return found.work


def remove(library: Library, work: str) -> None:
    """Remove an upload from a library."""
    library.delete(str(upload_named(library, work)))
    _write_names(library)


def file_name(name: str) -> str:
    """The user's name for a file, reduced to what can only be a file name."""
    safe = _UNSAFE.sub("_", Path(name.replace("\\", "/")).name).strip().lstrip(".~") or "document"
    stem, ending = Path(safe).stem, Path(safe).suffix[:12]
    return f"{stem[:_LONGEST_NAME]}{ending}"


def uploaded(store: Store) -> list[WorkId]:
    """Every upload of a library."""
    return sorted({work for work in store.items().values() if work.jurisdiction == "up"})


@dataclass(frozen=True, slots=True)
class UploadedFile:
    """The file that an upload was read from."""

    path: str
    sha256: str
    notes: tuple[str, ...]


def file_of(store: Store, work: WorkId) -> UploadedFile:
    """Find the file that an upload was read from."""
    language = store.provision(ProvisionId(work)).language
    found = store.document(work, language).manifestations[0]
    return UploadedFile(found.path, found.sha256, found.notes)


def upload_record(store: Store, work: WorkId) -> UploadLine:
    """An upload as a line of the list."""
    stored = store.provision(ProvisionId(work))
    file = file_of(store, work)
    findings = {
        tell("en", found)
        for node in stored.provision.walk()
        for one in node.versions
        for found in one.findings
    }
    return UploadLine(
        work=str(work),
        title=stored.work.title(stored.language),
        file=Path(file.path).name,
        provisions=sum(1 for _ in stored.provision.walk()),
        language=stored.language,
        warnings=[*file.notes, *sorted(findings)],
    )
