"""A mirror of a source: the same files, from a folder or from an archive.

    with open_mirror(Path("canada.tar.zst")) as mirror:
        for file in mirror.files():
            ...
        mirror.refusals  # what was not read, and why

A mirror can be pickled and read by several processes at once; only the one that opened it removes what it
unpacked, so keep it open until the others are done.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from .archives import TarMirror, ZipMirror
from .folder import FolderMirror
from .indexed import SourceFile
from .limits import Limits
from .refusals import MirrorDamaged, MirrorUnavailable, NotInMirror, Refusal, RefusedFile
from .spool import Spool
from .tar import BLOCK, looks_like_tar

__all__ = [
    "Limits",
    "Mirror",
    "MirrorDamaged",
    "MirrorUnavailable",
    "NotInMirror",
    "Refusal",
    "RefusedFile",
    "SourceFile",
    "open_mirror",
]


class Mirror(Protocol):
    """The files of a source, in the order of their paths."""

    @property
    def name(self) -> str:
        """The folder's or archive's own name, for reports."""

    @property
    def refusals(self) -> tuple[Refusal, ...]:
        """Files not read so far, and why, sorted by path."""

    def paths(self) -> Iterator[str]:
        """The paths of all files that may be read, sorted."""

    def files(self) -> Iterator[SourceFile]:
        """All files, sorted by path; an unreadable one becomes a refusal and the rest go on."""

    def read(self, path: str) -> SourceFile:
        """One file. Raises NotInMirror for an unknown path and RefusedFile for one that cannot be read."""

    def close(self) -> None:
        """Remove what was unpacked. Closing twice is harmless."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None: ...


def open_mirror(path: Path, *, limits: Limits | None = None, spool_folder: Path | None = None) -> Mirror:
    """Open a folder or a `.tar.zst`, `.tar.gz`, `.tar` or `.zip` archive, recognised by its content.

    A compressed tar is unpacked once into one file in `spool_folder` (the system's temporary folder by
    default), which is removed on close. Raises MirrorUnavailable or MirrorDamaged.
    """
    limits = limits or Limits()
    try:
        if path.is_dir():
            return FolderMirror(path, limits)
        if not path.is_file():  # a pipe would be waited on for ever
            raise MirrorUnavailable(str(path), "there is no such folder or archive; check the path")
        with path.open("rb") as file:
            head = file.read(BLOCK)
        kind = _kind(head)
        if kind == "zip":
            return ZipMirror(path, limits)
        if kind == "tar":
            return TarMirror(path, path, limits)
        if kind:
            return _unpack(path, kind, limits, spool_folder or Path(tempfile.gettempdir()))
    except OSError as fault:
        raise MirrorUnavailable(
            str(path), f"cannot be opened ({fault.strerror or fault}); check the path and who may read it"
        ) from fault
    raise MirrorDamaged(
        str(path), "is neither a folder nor a tar.zst, tar.gz, tar or zip archive; give one of these"
    )


def _kind(head: bytes) -> str:
    # Archives written by several threads (pzstd) begin with a frame to skip.
    if head.startswith(b"\x28\xb5\x2f\xfd") or (head[1:4] == b"\x2a\x4d\x18" and head[0] >> 4 == 5):
        return "zstd"
    if head.startswith(b"\x1f\x8b"):
        return "gzip"
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return "zip"
    return "tar" if looks_like_tar(head) else ""


def _unpack(archive: Path, compression: str, limits: Limits, folder: Path) -> Mirror:
    spool = Spool(folder)
    try:
        unpacked = spool.fill(archive, compression, limits)
        with spool.path.open("rb") as file:
            whole = looks_like_tar(file.read(BLOCK))
        if not whole:
            reason = unpacked.stopped or "what it holds is no tar"
            raise MirrorDamaged(str(archive), f"{reason}; fetch it anew")
        return TarMirror(archive, spool.path, limits, spool=spool, stopped=unpacked.stopped)
    except BaseException:
        spool.close()
        raise
