"""Small files computed from all of the law, stored in the database so that every server can copy them.

They are the glossary and the citation counts. Without a shared volume, each server unpacks them into its own
folder when it opens a state.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from pykala.stores.embedded.integrity import BESIDE, FILES_BESIDE
from pykala.stores.postgres.connection import PostgresConnection
from pykala.stores.store import StoreError
from pykala.stores.verification import Finding, Verification

_PART: Final = 8 * 1024**2
_UNPACKED: Final = "unpacked.json"  # hashes of the folder's files, so that they need not be read


def pack(records: PostgresConnection, folder: Path) -> None:
    """Store a folder's files in the database, in the writer's transaction."""
    held = _held(records)
    found = {name: _sha256(folder / name) for name in FILES_BESIDE if (folder / name).is_file()}
    for name in held.keys() | found.keys():
        if held.get(name) == found.get(name):
            continue
        records.execute("DELETE FROM index_files WHERE name = ?", (name,))
        if name in found:
            for part, data in enumerate(_parts(folder / name)):
                records.execute(
                    "INSERT INTO index_files (name, part, sha256, bytes) VALUES (?, ?, ?, ?)",
                    (name, part, found[name], data),
                )
    (folder / _UNPACKED).unlink(missing_ok=True)  # do not write through a link that an older state shares
    (folder / _UNPACKED).write_text(json.dumps(found), "utf-8")


def unpack(records: PostgresConnection, folder: Path) -> None:
    """Write the files of the current state into a folder, where they are missing."""
    held = _held(records)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        known = folder / _UNPACKED
        if known.is_file() and json.loads(known.read_text("utf-8")) == held:
            return
        for name, sha256 in held.items():
            new = folder / f"{name}.part"
            with new.open("wb") as file:
                for (data,) in records.execute(
                    "SELECT bytes FROM index_files WHERE name = ? ORDER BY part", (name,)
                ):
                    file.write(data)
            if _sha256(new) != sha256:
                raise StoreError(
                    f"{name} came otherwise out of the database than it went in; run 'pykala reindex'"
                )
            new.replace(folder / name)
        known.unlink(missing_ok=True)
        known.write_text(json.dumps(held), "utf-8")
    except (OSError, ValueError) as error:
        raise StoreError(
            f"the files of this library cannot be written to {folder} ({error}); name another folder"
            " ('folder' in the file of a cluster, '?index_folder=' in an address), or make room"
        ) from error


def check_files(records: PostgresConnection, found: Verification) -> None:
    """Compare the stored files with their hashes."""
    held = _held(records)
    for name, sha256 in sorted(held.items()):
        hashed = hashlib.sha256()
        for (part,) in records.execute("SELECT part FROM index_files WHERE name = ? ORDER BY part", (name,)):
            wanted = "SELECT bytes FROM index_files WHERE name = ? AND part = ?"
            hashed.update((records.execute(wanted, (name, part)).fetchone() or (b"",))[0])
        if hashed.hexdigest() != sha256:
            found.findings.append(Finding(BESIDE, f"{name}: its bytes are not those that were written"))
    found.checked["files beside"] = len(held)


def _held(records: PostgresConnection) -> dict[str, str]:
    return dict(records.execute("SELECT name, sha256 FROM index_files WHERE part = 0").fetchall())


def _parts(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while data := file.read(_PART):
            yield data


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
