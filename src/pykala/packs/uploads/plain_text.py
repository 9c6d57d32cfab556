"""Plain text: blank lines part paragraphs, wrapped lines are joined, numbers and capitals mark headings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from pykala.fetch.refusals import RefusedFile
from pykala.text.encoding import Decoded, UndecodableText, decode

from .blocks import Block, BlockKind, UploadText, plain
from .labels import ITEM_RANK, is_title, read_label

_UNDERLINE = re.compile(r"\s*(={3,}|-{3,}|~{3,}|_{3,}|\*{3,})\s*")
_ENDS = re.compile(r"[.;:!?)\]”\"]$")
_ONE_LINE = 160  # characters: where lines are longer than a page is wide, each is a paragraph of its own
_CAPITALS_LEVEL = 3
_MOST_CAPITALS = 90


def decoded(data: bytes, name: str) -> Decoded:
    """The text of a file, or a refusal."""
    try:
        return decode(data)
    except UndecodableText as fault:
        raise RefusedFile(name, str(fault)) from None


def read_plain_text(data: bytes, name: str) -> UploadText:
    """Read a text file."""
    text = decoded(data, name)
    return UploadText(tuple(blocks_of(text.text)), text.notes)


def blocks_of(text: str) -> Iterator[Block]:
    """The blocks of plain text."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n\n").split("\n")
    width = width_of(lines)
    for paragraph in _paragraphs(lines):
        heading = _underlined(paragraph)
        if heading:
            yield Block(plain(" ".join(paragraph[:-1])), BlockKind.HEADING, heading)
        else:
            yield from paragraph_blocks(paragraph, width)


def paragraph_blocks(lines: list[str], width: int) -> Iterator[Block]:
    """The blocks of lines that stand together, in a text that runs `width` characters wide."""
    for held in _labelled(lines, width):
        yield from _block(held, width)


def width_of(lines: list[str]) -> int:
    """How wide the text runs: nine of ten lines are at most this long."""
    lengths = sorted(len(line.rstrip()) for line in lines if line.strip())
    return lengths[len(lengths) * 9 // 10] if lengths else 0


def _paragraphs(lines: list[str]) -> Iterator[list[str]]:
    held: list[str] = []
    for line in lines:
        if line.strip():
            held.append(line)
        elif held:
            yield held
            held = []
    if held:
        yield held


def _underlined(paragraph: list[str]) -> int:
    """The level of a heading that is underlined, or 0."""
    if len(paragraph) != 2 or not _UNDERLINE.fullmatch(paragraph[1]) or _UNDERLINE.fullmatch(paragraph[0]):
        return 0
    return 1 if "=" in paragraph[1] else 2


def _labelled(paragraph: list[str], width: int) -> Iterator[list[str]]:
    """Lines of one paragraph, parted where a number begins a new one."""
    held, awaited = [paragraph[0]], False
    for line in paragraph[1:]:
        # "Article 3", "Payment", and then the text: three blocks of one paragraph.
        headed = awaited and len(held) == 1 and _short(held[0], width) and is_title(held[0].strip())
        if headed or _begins(line, held, width):
            yield held
            awaited = not headed and _alone(held)
            held = [line]
        else:
            held.append(line)
    yield held


def _begins(line: str, held: list[str], width: int) -> bool:
    before = held[-1]
    if width > _ONE_LINE or _capitals(line.strip()) != _capitals(before.strip()):
        return True
    label = read_label(line)
    if label is None:
        # What follows "Article 3" is its heading or its text; what stands left of a list is not in it.
        return (len(held) == 1 and (_alone(held) or _headed(before, width))) or _outdented(line, held[0])
    # Inside a sentence that runs on ("as provided in / Section 5 Payment") a number opens nothing.
    ended = bool(_ENDS.search(before.rstrip())) or _short(before, width)
    return ended or label.rank >= ITEM_RANK or read_label(before) is not None


def _alone(held: list[str]) -> bool:
    label = read_label(held[0])
    return len(held) == 1 and label is not None and label.rank < ITEM_RANK and not label.rest


def _short(line: str, width: int) -> bool:
    return len(line.rstrip()) < width * 3 // 5


def _outdented(line: str, first: str) -> bool:
    label = read_label(first)
    return label is not None and label.rank >= ITEM_RANK and _indent(line) < _indent(first)


def _indent(line: str) -> int:
    line = line.expandtabs()
    return len(line) - len(line.lstrip())


def _headed(line: str, width: int) -> bool:
    label = read_label(line)
    return label is not None and label.rank < ITEM_RANK and is_title(label.rest) and _short(line, width)


def _block(lines: list[str], width: int) -> Iterator[Block]:
    """One block; lines that fill the page are joined, and a short line is a real line end."""
    if all(_UNDERLINE.fullmatch(line) for line in lines):
        return  # a horizontal rule
    pieces = [lines[0].strip()]
    for before, line in pairwise(lines):
        wrapped = not _short(before, width) or line.strip()[:1].islower()
        pieces.append((" " if wrapped else "\n") + line.strip())
    text = plain("".join(pieces))
    if _capitals(text):
        yield Block(text, BlockKind.HEADING, _CAPITALS_LEVEL)
    elif text:
        yield Block(text)


def _capitals(text: str) -> bool:
    """Whether a line is a heading for being in capitals and bearing no number."""
    letters = [character for character in text if character.isalpha()]
    return (
        len(letters) >= 4
        and len(text) <= _MOST_CAPITALS
        and "\n" not in text
        and all(character.isupper() for character in letters)
        and text[-1:] not in ".;,"
        and read_label(text) is None
    )
