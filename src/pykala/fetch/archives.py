"""Tar and zip archives as mirrors, read at the offsets of their members."""

from __future__ import annotations

import contextlib
import os
import stat
import struct
import zipfile
import zlib
from pathlib import Path
from typing import Any

from .descriptors import CLOSE_ON_EXEC, read_at
from .indexed import IndexedMirror, Listing
from .limits import Limits
from .refusals import MirrorDamaged, MirrorUnavailable, RefusedFile
from .spool import Spool
from .tar import TarCutShort, walk


class TarMirror(IndexedMirror[tuple[int, int]]):
    """An uncompressed tar, its own or spooled; a place is (offset, size)."""

    def __init__(
        self, archive: Path, flat: Path, limits: Limits, *, spool: Spool | None = None, stopped: str = ""
    ) -> None:
        listing = Listing[tuple[int, int]](archive.name, limits)
        with flat.open("rb") as file:
            try:
                for member in walk(file, flat.stat().st_size):
                    if not listing.add(
                        member.name, member.size, (member.offset, member.size), member.refused
                    ):
                        break
            except TarCutShort as cut:
                stopped = stopped or str(cut)
        if stopped:
            listing.refuse(archive.name, f"{stopped}; the {len(listing.places)} files before that are read")
        super().__init__(archive.name, limits, listing)
        self._flat, self._spool = flat.resolve(), spool
        self._handle = os.open(flat, os.O_RDONLY | CLOSE_ON_EXEC)

    def _bytes(self, path: str, place: tuple[int, int]) -> bytes:
        if self._handle < 0:
            raise MirrorUnavailable(self._name, "is closed; open it again")
        offset, size = place
        data = read_at(self._handle, size, offset)
        while len(data) < size:
            more = read_at(self._handle, size - len(data), offset + len(data))
            if not more:
                raise RefusedFile(path, "the archive was cut short while it was read")
            data += more
        return data

    def close(self) -> None:
        """Remove what was unpacked."""
        handle, self._handle = self._handle, -1
        if handle >= 0:
            os.close(handle)
        if self._spool is not None:
            self._spool.close()

    def __del__(self) -> None:
        with contextlib.suppress(AttributeError):  # when opening failed half-way
            self.close()

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_spool": None, "_handle": -1}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._handle = os.open(self._flat, os.O_RDONLY | CLOSE_ON_EXEC)


_ZIP_FAULTS = (
    zipfile.BadZipFile,
    NotImplementedError,
    RuntimeError,
    ValueError,
    OSError,
    EOFError,
    struct.error,
    zlib.error,
)


class ZipMirror(IndexedMirror[int]):
    """A zip archive, which is made for random access; a place is a position in its directory."""

    def __init__(self, archive: Path, limits: Limits) -> None:
        self._archive = archive.resolve()
        self._opened: tuple[int, zipfile.ZipFile] | None = None
        listing = Listing[int](archive.name, limits, packed=archive.stat().st_size)
        try:
            members = self._zip().infolist()
        except _ZIP_FAULTS as fault:
            raise MirrorDamaged(
                str(archive), f"the zip archive is damaged or cut short ({fault}); fetch it anew"
            ) from fault
        overlapping = _overlapping(members)
        for position, member in enumerate(members):
            if member.filename.endswith("/"):  # is_dir() fails where a name is empty, or begins with a NUL
                continue
            refused = _unread(member) or (
                "it overlaps another member" if member.header_offset in overlapping else ""
            )
            if not listing.add(member.orig_filename, member.file_size, position, refused):
                break
        super().__init__(archive.name, limits, listing)

    def _zip(self) -> zipfile.ZipFile:
        # A forked process shares the file's position with its parent, so each opens its own.
        if self._opened is None or self._opened[0] != os.getpid():
            self._opened = (os.getpid(), zipfile.ZipFile(self._archive))
        return self._opened[1]

    def _bytes(self, path: str, place: int) -> bytes:
        try:
            archive = self._zip()
            with archive.open(archive.infolist()[place]) as file:
                data = file.read(self._limits.max_file + 1)
        except (*_ZIP_FAULTS, IndexError) as fault:
            raise RefusedFile(path, f"the member is damaged ({fault})") from fault
        if len(data) > self._limits.max_file:
            raise RefusedFile(path, f"it is larger than {self._limits.max_file} bytes")
        return data

    def close(self) -> None:
        """Close the archive."""
        opened, self._opened = self._opened, None
        if opened is not None and opened[0] == os.getpid():
            opened[1].close()

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_opened": None}


def _unread(member: zipfile.ZipInfo) -> str:
    mode = member.external_attr >> 16
    if mode and stat.S_IFMT(mode) not in {0, stat.S_IFREG}:
        return "it is a symbolic link" if stat.S_ISLNK(mode) else "it is a device or a pipe"
    if member.flag_bits & 0x1:
        return "it is encrypted"
    # The others unpack a block of any size at once, so that no limit could hold.
    if member.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
        return f"it is packed by method {member.compress_type}, which is not read"
    return ""


def _overlapping(members: list[zipfile.ZipInfo]) -> set[int]:
    """Find members that share packed bytes, as in Fifield's zip bomb (WOOT 2019)."""
    end, overlapping = -1, set[int]()
    for member in sorted(members, key=lambda one: one.header_offset):
        if member.header_offset < end:
            overlapping.add(member.header_offset)
        end = max(end, member.header_offset + 30 + member.compress_size)
    return overlapping
