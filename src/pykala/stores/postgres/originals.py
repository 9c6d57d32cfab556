"""Files of uploads in the database: backed up, moved and erased with the records.

They change in the writer's transaction, so that an upload and its file are there together or not at all.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

import zstandard

from pykala.fetch.snapshots import pack, unpack
from pykala.law.provisions import WorkKind
from pykala.stores.originals import FolderOriginals
from pykala.stores.postgres.connection import PostgresConnection
from pykala.stores.store import StoreDamaged
from pykala.stores.verification import Finding, Verification

PART: Final = "originals"


class DatabaseOriginals:
    """The originals of one library or matter."""

    def __init__(self, records: PostgresConnection) -> None:
        self._records = records

    def put(self, data: bytes) -> str:
        """Store a file and return its hash."""
        sha256 = hashlib.sha256(data).hexdigest()
        self.keep(sha256, pack(data))
        return sha256

    def holds(self, sha256: str) -> bool:
        """Whether a file of that hash is stored."""
        found = self._records.execute("SELECT 1 FROM originals WHERE sha256 = ?", (sha256,))
        return found.fetchone() is not None

    def remove(self, sha256: str) -> None:
        """Delete a file, if it is stored."""
        self._records.execute("DELETE FROM originals WHERE sha256 = ?", (sha256,))

    def hashes(self) -> list[str]:
        """The hash of every file, sorted."""
        return [sha256 for (sha256,) in self._records.execute("SELECT sha256 FROM originals ORDER BY sha256")]

    def packed(self, sha256: str) -> bytes:
        """The packed bytes of a file."""
        row = self._records.execute("SELECT packed FROM originals WHERE sha256 = ?", (sha256,)).fetchone()
        if row is None:
            raise StoreDamaged(f"the original {sha256} is not stored; add its file again with 'pykala inbox'")
        return bytes(row[0])

    def keep(self, sha256: str, packed: bytes) -> None:
        """Store packed bytes under the hash of their file; a damaged copy is replaced."""
        self._records.execute(
            "INSERT INTO originals (sha256, packed) SELECT ?, ? ON CONFLICT (sha256)"
            " DO UPDATE SET packed = excluded.packed WHERE originals.packed <> excluded.packed",
            (sha256, packed),
        )

    def check(self, found: Verification) -> None:
        """Compare every file with its hash."""
        hashes = self.hashes()
        for sha256 in hashes:
            if not is_intact(sha256, self.packed(sha256)):
                told = f"{sha256}: its bytes are not those that came; add the file again with 'pykala inbox'"
                found.findings.append(Finding(PART, told))
        if hashes:
            found.checked["original files"] = len(hashes)


def is_intact(sha256: str, packed: bytes) -> bool:
    """Whether packed bytes are those of the file with this hash."""
    try:
        return hashlib.sha256(unpack(packed)).hexdigest() == sha256
    except zstandard.ZstdError:
        return False


def take_in(records: PostgresConnection, folder: Path) -> None:
    """Move originals that an older version kept in a folder into the database, and commit.

    Files of works that are gone are deleted: they were erased on another machine.
    """
    held = FolderOriginals(folder)
    hashes = held.hashes()
    if not hashes:
        return
    described = [
        told
        for (told,) in records.execute(
            "SELECT manifestations FROM documents JOIN works ON works.id = documents.work"
            " JOIN names ON names.id = works.kind WHERE names.value = ?",
            (WorkKind.UPLOAD.value,),
        )
    ]
    stored = DatabaseOriginals(records)
    for sha256 in hashes:
        if any(sha256 in told for told in described):
            stored.keep(sha256, held.packed(sha256))
    records.execute("COMMIT")
    records.execute("BEGIN")
    for sha256 in hashes:
        held.path(sha256).unlink(missing_ok=True)
