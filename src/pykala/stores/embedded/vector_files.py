"""The files of the vector index: columns that only grow, and one small header with their valid lengths.

Everything past the lengths in the header is left over from an unfinished write: readers ignore it and the
next writer cuts it off. A commit syncs the columns and then replaces the header, so a kill at any byte leaves
either the earlier state or the new one. A cleared or compacted index starts a new generation of files,
because a file that a reader has mapped must never shrink.
"""

from __future__ import annotations

import json
import math
import mmap
import os
import stat
import weakref
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pykala.fetch.descriptors import CLOSE_ON_EXEC, read_at, sync_folder
from pykala.fetch.descriptors import write_at as write_some
from pykala.stores.embedded.damage import VectorIndexDamaged

Column: TypeAlias = NDArray[Any]

FORMAT: Final = 1
HEADER: Final = "header.json"
HEADER_DRAFT: Final = "header.json.draft"
VERIFIED_BYTES: Final = 64 * 2**20  # vectors up to this size are checked whole at every opening

ROW_COLUMNS: Final[Mapping[str, np.dtype[Any]]] = {
    "codes": np.dtype("i1"),  # int8 vectors, `dimension` of them per row
    "originals": np.dtype("<f2"),  # float16 vectors, `dimension` of them per row
    "scales": np.dtype("<f4"),  # code × scale ≈ original
    "errors": np.dtype("<f4"),  # the length of the rounding error of the code
    "passages": np.dtype("<i8"),
    "works": np.dtype("<i4"),
    "jurisdictions": np.dtype("<u2"),
    "languages": np.dtype("<u2"),
    "work_kinds": np.dtype("<u2"),
    "provision_kinds": np.dtype("<u2"),
    "valid_from": np.dtype("<i4"),
    "valid_to": np.dtype("<i4"),
}
LISTS: Final = "lists"  # the nearest centroid of each row, once centroids exist
DELETED: Final = "deleted"  # a log of row numbers
CENTROIDS: Final = "centroids"
DTYPES: Final[Mapping[str, np.dtype[Any]]] = {
    **ROW_COLUMNS,
    LISTS: np.dtype("<u2"),
    DELETED: np.dtype("<u4"),
    CENTROIDS: np.dtype("<f4"),
}
VECTORS: Final = frozenset({"codes", "originals", CENTROIDS})


@dataclass(frozen=True, slots=True)
class Header:
    """The published state: the length of each file, and the checksum of those bytes."""

    dimension: int
    generation: int = 1
    rows: int = 0
    deleted: int = 0
    clusters: int = 0
    checksums: Mapping[str, int] = field(default_factory=dict)

    def shape(self, name: str) -> tuple[int, ...]:
        """The published shape of a column."""
        entries = {
            DELETED: self.deleted,
            CENTROIDS: self.clusters,
            LISTS: self.rows if self.clusters else 0,
        }.get(name, self.rows)
        return (entries, self.dimension) if name in VECTORS else (entries,)

    def size(self, name: str) -> int:
        """The published length of a file in bytes."""
        return math.prod(self.shape(name)) * DTYPES[name].itemsize

    def path(self, folder: Path, name: str) -> Path:
        """The file of a column in this generation."""
        return folder / f"{self.generation:06d}.{name}"


def read_header(folder: Path) -> Header:
    """Read and check the published header; FileNotFoundError where there is no index."""
    path = folder / HEADER
    raw = path.read_bytes()
    try:
        envelope = json.loads(raw)
        body, checksum, written_format = envelope["body"], envelope["checksum"], envelope["format"]
        if written_format != FORMAT:
            raise VectorIndexDamaged(path, f"it has format {written_format!r}, this program reads {FORMAT}")
        if zlib.crc32(_canonical(body)) != checksum:
            raise VectorIndexDamaged(path, "its checksum does not match")
        return Header(**body)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise VectorIndexDamaged(path, f"it is not a header ({error})") from error


def publish_header(folder: Path, header: Header) -> None:
    """Replace the header in one step; its columns must already be on disk."""
    body = asdict(header)
    envelope = {"format": FORMAT, "checksum": zlib.crc32(_canonical(body)), "body": body}
    draft = folder / HEADER_DRAFT
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | CLOSE_ON_EXEC, 0o666)
    try:
        write_at(descriptor, json.dumps(envelope, indent=1).encode(), 0)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    draft.replace(folder / HEADER)
    sync_folder(folder)


def _canonical(body: object) -> bytes:
    return json.dumps(body, sort_keys=True, separators=(",", ":")).encode()


def _raw(column: Column) -> memoryview:
    return column.reshape(-1).view(np.uint8).data


def _close_all(descriptors: dict[str, int]) -> None:
    while descriptors:
        os.close(descriptors.popitem()[1])


def write_at(descriptor: int, data: bytes | memoryview, offset: int) -> None:
    """Write all of the data; the system may accept it in pieces."""
    view = memoryview(data).cast("B")
    while view:
        written = write_some(descriptor, view, offset)
        view, offset = view[written:], offset + written


class Snapshot:
    """One published state, mapped and pinned: later commits, clears and compactions do not change it."""

    def __init__(self, folder: Path, header: Header, *, verify: bool | None = None) -> None:
        self.folder = folder
        self.header = header
        columns = {name: self._map(name) for name in DTYPES if name != "originals"}
        # Originals are read row by row and not mapped: a mapping would load their neighbours into memory, and
        # they are by far the largest file.
        descriptor = os.open(self._checked("originals"), os.O_RDONLY | CLOSE_ON_EXEC)
        weakref.finalize(self, os.close, descriptor)
        self._originals = descriptor
        file = os.fstat(descriptor)
        #: Which files these are: an index that is written anew has others, even where it holds the same.
        self.files: Final = (file.st_dev, file.st_ino, file.st_mtime_ns)
        self.columns: Mapping[str, Column] = columns
        self._verify_checksums(verify)
        self.live: NDArray[np.bool_] | None = self._live_rows() if header.deleted else None

    @classmethod
    def newest(cls, folder: Path, *, verify: bool | None = None) -> Snapshot:
        """Map the newest published state, also while a writer is replacing a generation."""
        header = read_header(folder)
        while True:
            try:
                return cls(folder, header, verify=verify)
            except (VectorIndexDamaged, FileNotFoundError):
                # A writer may have published a new generation and removed this one meanwhile.
                newer = read_header(folder)
                if newer.generation == header.generation:
                    raise
                header = newer

    def _checked(self, name: str) -> Path:
        path = self.header.path(self.folder, name)
        size = self.header.size(name)
        try:
            there = path.stat()
        except OSError:
            there = None
        if there is None or not stat.S_ISREG(there.st_mode):
            raise VectorIndexDamaged(path, "it is missing")
        if (found := there.st_size) < size:
            raise VectorIndexDamaged(path, f"it has {found} bytes where {size} were published")
        return path

    def _map(self, name: str) -> Column:
        size = self.header.size(name)
        path = self._checked(name)
        if size == 0:
            return np.empty(self.header.shape(name), dtype=DTYPES[name])
        with path.open("rb") as file:
            mapped = mmap.mmap(file.fileno(), size, access=mmap.ACCESS_READ)
        return np.frombuffer(mapped, dtype=DTYPES[name]).reshape(self.header.shape(name))

    def _verify_checksums(self, verify: bool | None) -> None:
        """Check everything, or by default the columns and small vectors."""
        if verify is False:
            return
        large = self.header.size("codes") + self.header.size("originals") > VERIFIED_BYTES
        whole = verify or not large
        for name, column in self.columns.items():
            if name == "codes" and not whole:
                continue
            self._compare_checksum(name, zlib.crc32(_raw(column)))
        if whole:
            found, step = 0, 8 * 2**20
            for start in range(0, self.header.size("originals"), step):
                length = min(step, self.header.size("originals") - start)
                found = zlib.crc32(read_at(self._originals, length, start), found)
            self._compare_checksum("originals", found)

    def _compare_checksum(self, name: str, found: int) -> None:
        if found != self.header.checksums.get(name, 0):
            raise VectorIndexDamaged(self.header.path(self.folder, name), "its checksum does not match")

    def _live_rows(self) -> NDArray[np.bool_]:
        live = np.ones(self.header.rows, dtype=np.bool_)
        deleted = self.columns[DELETED]
        if int(deleted.max()) >= self.header.rows:
            raise VectorIndexDamaged(
                self.header.path(self.folder, DELETED), "it names rows that do not exist"
            )
        live[deleted] = False
        return live

    @property
    def live_count(self) -> int:
        """Count the rows that are not deleted."""
        return self.header.rows if self.live is None else int(np.count_nonzero(self.live))

    def originals(self, rows: NDArray[np.int64]) -> NDArray[np.float16]:
        """Read the float16 vectors of some rows."""
        length = self.header.dimension * DTYPES["originals"].itemsize
        raw = b"".join([read_at(self._originals, length, row * length) for row in rows.tolist()])
        if len(raw) != length * len(rows):
            raise VectorIndexDamaged(
                self.header.path(self.folder, "originals"), "it was cut short while open"
            )
        return np.frombuffer(raw, dtype=DTYPES["originals"]).reshape(-1, self.header.dimension)


class ColumnWriter:
    """Writes past the published lengths, then publishes. One at a time; the store holds the lock."""

    def __init__(self, folder: Path, header: Header) -> None:
        self.folder = folder
        self.published = header
        self.pending = header
        self._descriptors: dict[str, int] = {}
        weakref.finalize(self, _close_all, self._descriptors)  # even if close() was never called
        self._dirty: set[str] = set()
        try:
            self._open_files()
        except OSError:
            self.close()
            raise

    @classmethod
    def resume(cls, folder: Path) -> ColumnWriter:
        """Continue after the published state, and drop the rest of an unfinished write."""
        writer = cls(folder, read_header(folder))
        writer._remove_leftovers()
        return writer

    @classmethod
    def create(cls, folder: Path, dimension: int) -> ColumnWriter:
        """Start and publish an empty index in place of the folder's contents."""
        folder.mkdir(parents=True, exist_ok=True)
        numbers = [int(path.name[:6]) for path in folder.glob("[0-9]*.*") if path.name[:6].isdigit()]
        header = Header(dimension=dimension, generation=max(numbers, default=0) + 1)
        writer = cls(folder, header)
        try:
            writer.commit()
            writer._remove_leftovers()
        except OSError:
            writer.close()
            raise
        return writer

    def _open_files(self) -> None:
        for name in DTYPES:
            path = self.pending.path(self.folder, name)
            self._descriptors[name] = os.open(path, os.O_RDWR | os.O_CREAT | CLOSE_ON_EXEC, 0o666)
            os.ftruncate(self._descriptors[name], self.pending.size(name))
            self._dirty.add(name)

    def _remove_leftovers(self) -> None:
        """Remove drafts and old generations; readers keep the files that they mapped."""
        keep = tuple(f"{header.generation:06d}." for header in (self.published, self.pending))
        for path in self.folder.glob("[0-9]*.*"):
            if not path.name.startswith(keep):
                path.unlink(missing_ok=True)
        (self.folder / HEADER_DRAFT).unlink(missing_ok=True)

    def append(self, columns: Mapping[str, Column]) -> None:
        """Write rows after the pending ones; on failure the pending state is unchanged."""
        self._extend(columns, rows=self.pending.rows + len(columns["passages"]))

    def log_deleted(self, rows: NDArray[np.uint32]) -> None:
        """Write row numbers to the log of deleted rows."""
        if len(rows):
            self._extend({DELETED: rows}, deleted=self.pending.deleted + len(rows))

    def write_clusters(self, centroids: NDArray[np.float32], lists: NDArray[np.uint16]) -> None:
        """Write the centroids and every row's list, once per generation."""
        self._extend({CENTROIDS: centroids, LISTS: lists}, clusters=len(centroids))

    def _extend(self, columns: Mapping[str, Column], **counts: int) -> None:
        checksums = dict(self.pending.checksums)
        for name, column in columns.items():
            data = _raw(np.ascontiguousarray(column, dtype=DTYPES[name]))
            write_at(self._descriptors[name], data, self.pending.size(name))
            checksums[name] = zlib.crc32(data, checksums.get(name, 0))
            self._dirty.add(name)
        self.pending = replace(self.pending, checksums=checksums, **counts)

    def pending_column(self, name: str) -> Column:
        """Map a column with the rows that are written but not yet published."""
        if self.pending.size(name) == 0:
            return np.empty(self.pending.shape(name), dtype=DTYPES[name])
        mapped = mmap.mmap(self._descriptors[name], self.pending.size(name), access=mmap.ACCESS_READ)
        return np.frombuffer(mapped, dtype=DTYPES[name]).reshape(self.pending.shape(name))

    def start_generation(self) -> None:
        """Continue in new, empty files; the published ones stay until the commit."""
        self.close()
        generation = max(self.pending.generation, self.published.generation) + 1
        self.pending = Header(dimension=self.pending.dimension, generation=generation)
        self._open_files()

    def commit(self) -> None:
        """Sync what was written, then publish it."""
        for name in sorted(self._dirty):
            os.fsync(self._descriptors[name])
        # The names of new files must be on disk before a header that refers to them.
        sync_folder(self.folder)
        publish_header(self.folder, self.pending)
        self._dirty.clear()
        superseded = self.pending.generation != self.published.generation
        self.published = self.pending
        if superseded:
            self._remove_leftovers()

    def close(self) -> None:
        """Close the files; the next writer cuts off rows that were not published."""
        _close_all(self._descriptors)
