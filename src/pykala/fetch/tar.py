"""Locate each member of an uncompressed, untrusted tar.

`tarfile` reads each header: checksum, number formats, prefixes. The walk between headers is our own.
`tarfile` would loop for ever on a negative size (in Pythons not yet patched for CVE-2025-8194), read extended
headers of any size into memory, and silently stop at a damaged header in the middle.
"""

from __future__ import annotations

import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

BLOCK = tarfile.BLOCKSIZE
_LONGEST_EXTENSION = 64 * 1024
_REGULAR = {tarfile.REGTYPE, tarfile.AREGTYPE, tarfile.CONTTYPE}
_UNREAD = {
    tarfile.SYMTYPE: "it is a symbolic link",
    tarfile.LNKTYPE: "it is a hard link",
    tarfile.CHRTYPE: "it is a device",
    tarfile.BLKTYPE: "it is a device",
    tarfile.FIFOTYPE: "it is a pipe",
    tarfile.GNUTYPE_SPARSE: "it is a sparse file",
}


@dataclass(frozen=True, slots=True)
class TarMember:
    """A member's raw name, where its bytes lie, and why it is not to be read (empty when it may be)."""

    name: str
    offset: int
    size: int
    refused: str = ""


class TarCutShort(Exception):
    """The walk met a header it cannot follow; the members before it are whole."""


def looks_like_tar(head: bytes) -> bool:
    """Tell a tar by its first block: a header with a right checksum, or the zero block of an empty one."""
    block = head[:BLOCK]
    if len(block) < BLOCK:
        return False
    if not block.strip(b"\0"):
        return True
    try:
        tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
    except (tarfile.HeaderError, ValueError):
        return False
    return True


def walk(file: BinaryIO, length: int) -> Iterator[TarMember]:
    """Yield the files of the tar in `file` (`length` bytes) in their order; folders are passed over."""
    offset = 0
    extension: dict[str, str] = {}
    while True:
        header = _header(file, offset)
        if header is None:
            return
        start = offset + BLOCK
        size = _size(header, extension, offset)
        following = start + -(-size // BLOCK) * BLOCK
        if start + size > length:
            raise TarCutShort(f"the archive ends inside {header.name!r}")
        if header.type in {
            tarfile.GNUTYPE_LONGNAME,
            tarfile.GNUTYPE_LONGLINK,
            tarfile.XHDTYPE,
            tarfile.XGLTYPE,
        }:
            extension |= _extension(header, _bytes_at(file, start, size))
        else:
            member = _member(header, extension, start, size)
            extension = {}
            if member is not None:
                yield member
        offset = following


def _header(file: BinaryIO, offset: int) -> tarfile.TarInfo | None:
    file.seek(offset)
    block = file.read(BLOCK)
    try:
        return tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
    except tarfile.EOFHeaderError:  # type: ignore[attr-defined]
        return None
    except tarfile.EmptyHeaderError:  # type: ignore[attr-defined]
        raise TarCutShort("the archive ends without its end mark") from None
    except (tarfile.HeaderError, ValueError) as fault:
        raise TarCutShort(f"the header at byte {offset} is damaged ({fault})") from None


def _size(header: tarfile.TarInfo, extension: dict[str, str], offset: int) -> int:
    text = extension.get("size", "")
    if text and not (text.isascii() and text.isdigit() and len(text) < 20):
        raise TarCutShort(f"the size of the member at byte {offset} is no number")
    size = int(text) if text else header.size
    if size < 0:
        raise TarCutShort(f"the member at byte {offset} has a negative size")
    return size if header.type not in {tarfile.DIRTYPE, tarfile.SYMTYPE, tarfile.LNKTYPE} else 0


def _bytes_at(file: BinaryIO, start: int, size: int) -> bytes:
    if size > _LONGEST_EXTENSION:
        raise TarCutShort(f"the extended header at byte {start} is longer than {_LONGEST_EXTENSION} bytes")
    file.seek(start)
    return file.read(size)


def _extension(header: tarfile.TarInfo, data: bytes) -> dict[str, str]:
    """Read what an extended header says of the next member: its long name, size, or that it is sparse."""
    if header.type == tarfile.GNUTYPE_LONGNAME:
        return {"path": data.rstrip(b"\0").decode("utf-8", "surrogateescape")}
    # A long link name belongs to a link, which is refused; global records name no file.
    return _records(data) if header.type == tarfile.XHDTYPE else {}


def _records(data: bytes) -> dict[str, str]:
    """Split pax records, each `LENGTH KEY=VALUE` and a line feed, keeping those that change what is read."""
    records: dict[str, str] = {}
    at = 0
    while at < len(data):
        digits, space, _ = data[at : at + 8].partition(b" ")
        length = int(digits) if space and digits.isdigit() else 0
        record = data[at + len(digits) + 1 : at + length]
        key, equals, value = record.partition(b"=")
        if length <= len(digits) + 2 or not equals or not record.endswith(b"\n"):
            raise TarCutShort("an extended header is damaged")
        name = key.decode("utf-8", "replace")
        if name in {"path", "size"} or name.startswith("GNU.sparse"):
            records[name] = value[:-1].decode("utf-8", "surrogateescape")
        at += length
    return records


def _member(header: tarfile.TarInfo, extension: dict[str, str], start: int, size: int) -> TarMember | None:
    name = extension.get("path", header.name)
    if header.type == tarfile.DIRTYPE or (header.type == tarfile.AREGTYPE and name.endswith("/")):
        return None
    if any(key.startswith("GNU.sparse") for key in extension):
        return TarMember(name, start, size, _UNREAD[tarfile.GNUTYPE_SPARSE])
    if header.type in _REGULAR:
        return TarMember(name, start, size)
    return TarMember(name, start, size, _UNREAD.get(header.type, f"it is of an unknown type {header.type!r}"))
