"""Files of uploads in the database: backed up, moved and erased with the records.

A file is published with the work that was read from it, so that they are there together or not at all. One
that came while its writer waits for a turn lies in a table of the writer's own until then.
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
_WAITING: Final = "originals_to_come"  # of one connection, and gone with it
_KEPT: Final = "INSERT INTO originals (sha256, packed)"
_REPLACED: Final = (
    "ON CONFLICT (sha256) DO UPDATE SET packed = excluded.packed WHERE originals.packed <> excluded.packed"
)


class DatabaseOriginals:
    """The originals of one library or matter."""

    def __init__(self, records: PostgresConnection) -> None:
        self._records = records
        self._any_waiting = False

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
        if self._records.in_transaction:
            self._records.execute(f"{_KEPT} SELECT ?, ? {_REPLACED}", (sha256, packed))
            return
        self._any_waiting = True
        self._records.run_script(f"CREATE TEMPORARY TABLE IF NOT EXISTS {_WAITING} (LIKE originals)")
        self._records.execute(f"INSERT INTO {_WAITING} (sha256, packed) SELECT ?, ?", (sha256, packed))

    def take_in_waiting(self) -> None:
        """Store the files that came before the open transaction began."""
        if self._any_waiting:
            self._records.execute(f"{_KEPT} SELECT DISTINCT ON (sha256) * FROM {_WAITING} {_REPLACED}")
            self.forget_waiting()

    def forget_waiting(self) -> None:
        """Drop the files that came before the transaction that has failed."""
        if self._any_waiting:
            self._records.execute(f"DELETE FROM {_WAITING}")
        self._any_waiting = False

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
    """Move originals that an older version kept in a folder into the database, in a transaction of its own.

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
    records.execute("BEGIN")
    for sha256 in hashes:
        if any(sha256 in told for told in described):
            stored.keep(sha256, held.packed(sha256))
    records.execute("COMMIT")
    for sha256 in hashes:
        held.path(sha256).unlink(missing_ok=True)
