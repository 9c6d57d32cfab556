"""Markdown: its headings, lists, tables and code; inline marks stay as they are written, save for bold.

Marks that only style words (`**`) go; anything else stays, since a bracket may be the document's own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .blocks import Block, BlockKind, UploadText, plain
from .plain_text import decoded

_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*")
_RULE = re.compile(r" {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_BULLET = re.compile(r"(?P<indent>[ \t]*)[-*+][ \t]+(?P<words>.*)")
_ORDERED = re.compile(r"[ \t]*(?:\d{1,9}[.)]|\(?[a-zA-Z]{1,4}\))[ \t]+\S")
_QUOTE = re.compile(r"^ {0,3}> ?")
_STRONG = re.compile(r"(\*\*|(?<!\w)__)(?=\S)(.{1,2000}?)(?<=\S)\1(?!(?<=_)\w)")
_TABLE_RULE = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*")


def read_markdown(data: bytes, name: str) -> UploadText:
    """Read a Markdown file."""
    text = decoded(data, name)
    lines = text.text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return UploadText(tuple(_blocks(lines)), text.notes)


def _blocks(lines: list[str]) -> Iterator[Block]:
    held: list[str] = []
    at = 0
    while at < len(lines):
        line = _QUOTE.sub("", lines[at])
        fence = _FENCE.match(line)
        if fence:
            yield from _paragraph(held)
            held, at, code = [], *_fenced(lines, at + 1, fence[1])
            # What stands beside the fence ("```text") is shown by some readers and kept here.
            yield from _verbatim([line[fence.end() :], *code])
            continue
        at += 1
        underline = _UNDERLINE.fullmatch(line) if held else None
        if underline and not _is_table(held):
            yield Block(_inline(" ".join(held)), BlockKind.HEADING, 1 if underline[1][0] == "=" else 2)
            held = []
        elif _begins_block(line):
            yield from _paragraph(held)
            held = []
            yield from _single(line)
        elif _opens_item(line):
            yield from _paragraph(held)
            held = [line]
        else:
            held.append(line)
    yield from _paragraph(held)


def _begins_block(line: str) -> bool:
    return not line.strip() or bool(_HEADING.fullmatch(line) or _RULE.fullmatch(line))


def _single(line: str) -> Iterator[Block]:
    heading = _HEADING.fullmatch(line)
    if heading and (words := _inline(heading[2] or "")):
        yield Block(words, BlockKind.HEADING, len(heading[1]))


def _opens_item(line: str) -> bool:
    return bool(_BULLET.fullmatch(line) or _ORDERED.match(line))


def _fenced(lines: list[str], at: int, fence: str) -> tuple[int, list[str]]:
    """Where a block of code ends, and its lines; one that is never closed reaches to the end."""
    code: list[str] = []
    while at < len(lines):
        line = lines[at]
        at += 1
        if line.strip().startswith(fence) and not line.strip().strip(fence[0]):
            break
        code.append(line)
    return at, code


def _verbatim(code: list[str]) -> Iterator[Block]:
    if text := plain("\n".join(code)):
        yield Block(text)


def _paragraph(lines: list[str]) -> Iterator[Block]:
    if not lines:
        return
    if _is_table(lines):
        rows = [line.strip().strip("|") for line in lines if not _TABLE_RULE.fullmatch(line)]
        yield Block(plain("\n".join(_inline(row) for row in rows)), BlockKind.TABLE)
        return
    bullet = _BULLET.fullmatch(lines[0])
    if bullet:
        depth = len(bullet["indent"].expandtabs(4)) // 2
        text = _inline(" ".join([bullet["words"], *lines[1:]]))
        block = Block(text, BlockKind.ITEM, min(depth, 6))
    else:
        # Two spaces at the end of a line end it; any other line runs on.
        joined = "".join(line.strip() + ("\n" if line.endswith("  ") else " ") for line in lines)
        block = Block(_inline(joined))
    if block.text:
        yield block


def _is_table(lines: list[str]) -> bool:
    return len(lines) > 1 and "|" in lines[0] and bool(_TABLE_RULE.fullmatch(lines[1])) and "-" in lines[1]


def _inline(text: str) -> str:
    return plain(_STRONG.sub(r"\2", text))
