"""The common result of all readers, whatever the format: the words, block by block, in reading order."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import Enum

from pykala.fetch.refusals import RefusedFile

#: Bytes of one file.
MAX_BYTES = 64 * 1024 * 1024
#: Characters of text in one upload. The longest acts have about four million.
MAX_TEXT = 20_000_000
#: Paragraphs, items and headings; a bound on time and memory, as "1." takes three bytes of the file.
MAX_BLOCKS = 200_000

_LIGATURES = str.maketrans({"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "\xad": ""})
_UNPRINTED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x84\x86-\x9f\ufdd0-\ufdef\ufffe\uffff]")
_SPACES = re.compile(r"[^\S\n]+")
_AROUND_BREAKS = re.compile(r" *\n[ \n]*")


class BlockKind(Enum):
    """The kind of a block in its file format; numbers in its text are read later, alike for all formats."""

    PARAGRAPH = "paragraph"
    HEADING = "heading"
    ITEM = "item"
    TABLE = "table"
    FOOTNOTE = "footnote"


@dataclass(frozen=True, slots=True)
class Block:
    """One block of words. `level` is that of a heading (1 is the highest) or how deep a list item lies."""

    text: str
    kind: BlockKind = BlockKind.PARAGRAPH
    level: int = 0
    label: str = ""  # a number that the format stores separately, as Word's numbering does


@dataclass(frozen=True, slots=True)
class UploadText:
    """The words of an upload, and notes for the report on how they were read."""

    blocks: tuple[Block, ...]
    notes: tuple[str, ...] = ()


def plain(text: str) -> str:
    """Normalised words: no lone surrogates, composed letters, single spaces, original line breaks."""
    text = text.encode("utf-8", "replace").decode("utf-8").translate(_LIGATURES)
    text = unicodedata.normalize("NFC", _UNPRINTED.sub(" ", text.replace("\r\n", "\n").replace("\r", "\n")))
    return _AROUND_BREAKS.sub("\n", _SPACES.sub(" ", text)).strip()


def require_count(blocks: int, name: str) -> None:
    """Refuse a file with more blocks than any real document."""
    if blocks > MAX_BLOCKS:
        raise RefusedFile(name, f"it holds more than {MAX_BLOCKS} paragraphs; split it and add the parts")


def bounded(text: UploadText, name: str) -> UploadText:
    """The same text, or a refusal where it has no words or more than any real document."""
    if not any(character.isalnum() for block in text.blocks for character in block.text):
        raise RefusedFile(name, "it holds no words")
    require_count(len(text.blocks), name)
    if sum(len(block.text) for block in text.blocks) > MAX_TEXT:
        raise RefusedFile(name, f"it holds more than {MAX_TEXT} characters; split it and add the parts")
    return text
