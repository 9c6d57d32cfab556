"""Decompress a stream piece by piece, so that limits hold and the data before a fault is not lost."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from typing import BinaryIO

import zstandard

PIECE = 1024 * 1024
#: Archives packed with `zstd --long=27`, as the corpora are, need this much memory and no more.
ZSTD_WINDOW = 2**27


class UnpackFailed(Exception):
    """The compressed bytes are damaged or end early; the earlier pieces are right."""


def pieces(packed: BinaryIO) -> Iterator[bytes]:
    """Read a file piece by piece."""
    while piece := packed.read(PIECE):
        yield piece


def gunzipped(packed: Iterable[bytes]) -> Iterator[bytes]:
    """Unpack gzip (one or more members, RFC 1952) in bounded pieces: a byte may stand for a thousand."""
    member = zlib.decompressobj(wbits=31)
    for waiting in packed:
        while waiting:
            if member.eof:
                waiting = waiting.lstrip(b"\0")  # some writers fill up to a block
                if not waiting:
                    break
                member = zlib.decompressobj(wbits=31)
            try:
                yield member.decompress(waiting, PIECE)
            except zlib.error as fault:
                raise UnpackFailed(str(fault)) from None
            waiting = member.unused_data if member.eof else member.unconsumed_tail
    if not member.eof:
        raise UnpackFailed("it ends early")


def unzstd(packed: BinaryIO) -> Iterator[memoryview]:
    """Unpack zstd (one or more frames). Each piece is a view that the next one overwrites."""
    reader = zstandard.ZstdDecompressor(max_window_size=ZSTD_WINDOW).stream_reader(
        packed, read_size=PIECE, read_across_frames=True
    )
    view = memoryview(bytearray(PIECE))
    while True:
        try:
            count = reader.readinto(view)
        except zstandard.ZstdError as fault:
            raise UnpackFailed(str(fault)) from None
        if not count:
            return
        yield view[:count]
