"""Raw snapshots: every response byte for byte, stored by its hash, with its addresses and dates.

folder/ab/cdef….zst   one body each, compressed, written whole or not at all
folder/index.sqlite   address → ETag, Last-Modified, hash, when it came, when it was last confirmed
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import secrets
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import zstandard

MAX_BYTES = 256 * 1024 * 1024  # of one body
_HASH = re.compile(r"[0-9a-f]{64}")
_SCHEMA = """
create table if not exists seen (
  url text primary key,
  etag text not null,
  last_modified text not null,
  sha256 text not null,
  retrieved_at text not null,
  checked_at text not null
) without rowid
"""


class SnapshotDamaged(Exception):
    """A stored body is missing or no longer has the hash it is stored under; fetch it again."""


class SnapshotIndexDamaged(Exception):
    """The index of addresses cannot be read; removing it costs only a fresh download."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """What one address last held. Times carry their zone; empty validators were not sent."""

    url: str
    etag: str
    last_modified: str
    sha256: str
    retrieved_at: datetime
    checked_at: datetime


class Snapshots:
    """A folder of snapshots. Several processes may use it at once."""

    def __init__(self, folder: Path, *, max_bytes: int = MAX_BYTES) -> None:
        self.folder = self._folder = folder
        self._max_bytes = max_bytes
        folder.mkdir(parents=True, exist_ok=True)

    def put(self, data: bytes) -> str:
        """Store a body and return its hash. An intact copy is left as it is."""
        sha256 = hashlib.sha256(data).hexdigest()
        with contextlib.suppress(SnapshotDamaged):
            self.get(sha256)
            return sha256
        _write_whole(self._place(sha256), pack(data))
        return sha256

    def get(self, sha256: str) -> bytes:
        """Return the body with that hash, checked against it. Raises SnapshotDamaged."""
        place = self._place(sha256)
        try:
            packed = place.read_bytes()
            data = unpack(packed, self._max_bytes)
        except FileNotFoundError:
            raise SnapshotDamaged(f"snapshot {sha256} is not stored; fetch it again") from None
        except zstandard.ZstdError as fault:
            raise SnapshotDamaged(
                f"snapshot {sha256} cannot be unpacked ({fault}); fetch it again"
            ) from fault
        if hashlib.sha256(data).hexdigest() != sha256:
            raise SnapshotDamaged(f"snapshot {sha256} has changed on disk; fetch it again")
        return data

    def _place(self, sha256: str) -> Path:
        if not _HASH.fullmatch(sha256):
            raise ValueError(f"{sha256!r} is no SHA-256 in hexadecimal")
        return self._folder / sha256[:2] / f"{sha256[2:]}.zst"

    def record(self, sighting: Sighting) -> None:
        """Record what an address holds now."""
        with self._index() as index:
            index.execute(
                "insert or replace into seen values (?, ?, ?, ?, ?, ?)",
                (
                    sighting.url,
                    sighting.etag,
                    sighting.last_modified,
                    sighting.sha256,
                    sighting.retrieved_at.isoformat(),
                    sighting.checked_at.isoformat(),
                ),
            )

    def last(self, url: str) -> Sighting | None:
        """Return what the address last held, or None for one never seen."""
        with self._index() as index:
            row = index.execute("select * from seen where url = ?", (url,)).fetchone()
        return None if row is None else _sighting(row)

    def sightings(self) -> Iterator[Sighting]:
        """All known addresses, sorted."""
        with self._index() as index:
            rows = index.execute("select * from seen order by url").fetchall()
        return map(_sighting, rows)

    def extent(self) -> tuple[int, datetime | None]:
        """How many addresses are known, and when one of them was checked last."""
        with self._index() as index:
            count, checked = index.execute("select count(*), max(checked_at) from seen").fetchone()
        return count, datetime.fromisoformat(checked) if checked else None

    @contextlib.contextmanager
    def _index(self) -> Iterator[sqlite3.Connection]:
        path = self._folder / "index.sqlite"
        if not path.exists():
            path.touch()  # with the rights of the umask: SQLite would let only its owner write
        try:
            with contextlib.closing(sqlite3.connect(path, timeout=30)) as index, index:
                index.execute(_SCHEMA)
                yield index
        except sqlite3.DatabaseError as fault:
            raise SnapshotIndexDamaged(
                f"the index of snapshots {path} cannot be used ({fault}); "
                "if it is damaged, remove that one file: bodies stay and are confirmed on the next fetch"
            ) from fault


def pack(data: bytes) -> bytes:
    """Compress a body as it is stored."""
    return zstandard.ZstdCompressor(level=6).compress(data)


def unpack(packed: bytes, max_bytes: int = MAX_BYTES) -> bytes:
    """Decompress a stored body. Raises zstandard.ZstdError."""
    # The size that a frame states is checked first: a planted one could unpack to anything.
    size = zstandard.frame_content_size(packed)
    if not 0 <= size <= max_bytes:
        raise zstandard.ZstdError(f"it states a size of {size} bytes")
    return zstandard.ZstdDecompressor().decompress(packed, max_output_size=max_bytes)


def _sighting(row: tuple[str, str, str, str, str, str]) -> Sighting:
    url, etag, last_modified, sha256, retrieved_at, checked_at = row
    return Sighting(
        url,
        etag,
        last_modified,
        sha256,
        datetime.fromisoformat(retrieved_at),
        datetime.fromisoformat(checked_at),
    )


def _write_whole(place: Path, data: bytes) -> None:
    """Write beside, flush to disk, then rename: a reader sees the old file or the new one, never a half.

    The rights are those of the umask; `tempfile` would let only the owner read.
    """
    place.parent.mkdir(parents=True, exist_ok=True)
    beside = place.with_name(f"{place.stem}.{secrets.token_hex(8)}.part")
    try:
        with beside.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(place)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
