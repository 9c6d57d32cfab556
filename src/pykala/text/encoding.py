"""Decode the bytes of a source, and repair text that was decoded wrongly before we got it.

Encodings are tried in order of trust: a byte order mark, strictly valid UTF-8, the charset that the caller or
the document declares, then Windows-1252 and Latin-1. UTF-8 comes before declarations because wrong
declarations are common, and other text that happens to be valid UTF-8 is not.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from typing import Final

from pykala.text.misread import misread, reread

#: The note about a file whose text was repaired.
REPAIRED: Final = "text encoded twice was repaired"
_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_DECLARED: Final = re.compile(
    rb"""<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{1,40})|<meta[^>]{0,300}?charset\s*=\s*["']?([\w.:-]{1,40})""",
    re.I,
)
_HEAD: Final = 2_048  # bytes; a declaration further down does not count
# UTF-8 read as Windows-1252 or Latin-1: `Ã¤` for ä, `â€“` for a dash, `Â§` for a section sign. Å is not such
# a sign: `Å§` may be correct Swedish.
_MOJIBAKE: Final = re.compile("Ã[\u0080-\u00bf\u0152-\u0178\u2013-\u203a\u20ac\u2122]|â€.|Â[\u0080-\u00bf]")
_CONTROL: Final = re.compile("[\x01-\x08\x0b\x0c\x0e-\x1f\x7f]")
_MANY_CONTROLS: Final = 0.01


class UndecodableText(ValueError):
    """The bytes are not text that can be read; the message says why."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text, its encoding, and the repairs made to it."""

    text: str
    encoding: str
    repaired: bool = False
    notes: tuple[str, ...] = ()


def decode(data: bytes, declared: str | None = None) -> Decoded:
    """Decode the bytes of a document; `declared` is the charset that a header named.

    Raises `UndecodableText` for bytes that contain NUL or are binary.
    """
    text, encoding, notes = _decoded(data, declared)
    if "\0" in text:
        raise UndecodableText(
            f"the text holds a NUL at character {text.index(chr(0))}: it is binary, or in an encoding "
            "without a byte order mark; save it as UTF-8"
        )
    if len(_CONTROL.findall(text)) > len(text) * _MANY_CONTROLS:
        raise UndecodableText("too many control characters: this is no text; save it as UTF-8 text")
    better = _repair(text)
    if better != text:
        notes = (*notes, REPAIRED)
    return Decoded(better, encoding, better != text, notes)


def repaired(data: bytes) -> bytes:
    """The bytes of a UTF-8 file with double encoding repaired; other files unchanged.

    Every file passes through here, whatever its format, so that readers get correct text.
    """
    if b"\0" in data or data.isascii():
        return data
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return data
    better = _repair(text)
    return data if better == text else better.encode("utf-8")


def _decoded(data: bytes, declared: str | None) -> tuple[str, str, tuple[str, ...]]:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            try:
                return data.decode("utf-8-sig" if encoding == "utf-8" else encoding), encoding, ()
            except UnicodeDecodeError as error:
                raise UndecodableText(f"the byte order mark says {encoding}, but {error.reason}") from error
    try:
        return data.decode("utf-8"), "utf-8", _contradiction(data, declared)
    except UnicodeDecodeError as error:
        at = error.start
    for name in _candidates(data, declared):
        try:
            text = data.decode(name)
        except (UnicodeDecodeError, LookupError, ValueError):
            continue
        return text, name, (f"not UTF-8 (byte {at}); read as {name}",)
    raise UndecodableText(f"byte {at} is in no encoding that we read; save the text as UTF-8")


def _candidates(data: bytes, declared: str | None) -> list[str]:
    """List the encodings to try after UTF-8; Latin-1 comes last, because every byte is valid in it."""
    names = []
    for name in (declared, _declared_inside(data)):
        codec = _codec(name)
        # A declared Latin-1 is Windows-1252 in practice (the Web's own rule), so cp1252 goes first.
        if codec is not None and codec not in ("utf-8", "iso8859-1", "ascii"):
            names.append(codec)
    return [*names, "cp1252", "iso8859-1"]


def _declared_inside(data: bytes) -> str | None:
    match = _DECLARED.search(data, 0, _HEAD)
    return (match[1] or match[2]).decode("ascii") if match else None


def _codec(name: str | None) -> str | None:
    """Give Python's name of a text encoding, or None for an unknown one."""
    if name is None:
        return None
    try:
        codec = codecs.lookup(name.strip())
    except (LookupError, ValueError):
        return None
    return codec.name if getattr(codec, "_is_text_encoding", True) else None


def _contradiction(data: bytes, declared: str | None) -> tuple[str, ...]:
    """Note a declaration that the bytes contradict; pure ASCII contradicts none."""
    name = _codec(declared) or _codec(_declared_inside(data))
    if name in (None, "utf-8", "ascii") or data.isascii():
        return ()
    return (f"declared as {name}, but is UTF-8",)


def _repair(text: str) -> str:
    """Undo a double encoding, line by line, in lines that show signs of it; other lines are unchanged."""
    if not text.isascii() and misread(text):
        text = reread(text)
    if not _MOJIBAKE.search(text):
        return text
    # Import it here: ftfy takes a tenth of a second to load, and correct text never needs it.
    import ftfy

    # Do not use splitlines: for it, U+0085 (half of a double-encoded Å) ends a line.
    lines = re.split("(?<=\n)", text)
    return "".join(ftfy.fix_encoding(line) if _MOJIBAKE.search(line) else line for line in lines)
