"""Server-sent events (WHATWG HTML, section 9.2) from bytes as they come, within bounds.

Bytes may be cut anywhere, even within a character. Comments ("`: keep-alive`") are ignored.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from pykala.models.failures import MalformedReply

_LONGEST_EVENT: Final = 4_000_000  # characters; our replies are much shorter


@dataclass(frozen=True, slots=True)
class ServerEvent:
    """One event: its name ("message" where the server gives none) and its data."""

    name: str
    data: str


def server_events(chunks: Iterable[bytes]) -> Iterator[ServerEvent]:
    """The events of a stream; an incomplete event at its end is dropped."""
    name, held = "", 0
    data: list[str] = []
    for line in _lines(chunks):
        if not line:
            if data:
                yield ServerEvent(name or "message", "\n".join(data))
            name, data, held = "", [], 0
            continue
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "data":
            data.append(value)
            held += len(value)
            if held > _LONGEST_EVENT:
                raise MalformedReply(f"an event of the reply is longer than {_LONGEST_EVENT:,} characters")
        elif field == "event":
            name = value


def _lines(chunks: Iterable[bytes]) -> Iterator[str]:
    """Complete lines, ended by any of the three line ends."""
    decoder = codecs.getincrementaldecoder("utf-8-sig")(errors="replace")
    rest, after_return = "", False
    for chunk in chunks:
        text = decoder.decode(chunk)
        if after_return and text:
            text = text.removeprefix("\n")
            after_return = False
        rest += text
        *whole, rest = rest.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        after_return = after_return or text.endswith("\r")
        if len(rest) > _LONGEST_EVENT:
            raise MalformedReply(f"a line of the reply is longer than {_LONGEST_EVENT:,} characters")
        yield from whole
