"""Markdown: its headings, lists, tables and code; inline marks stay as they are written, save for bold.

Marks that only style words (`**`) go; anything else stays, since a bracket may be the document's own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

from .blocks import Block, BlockKind, UploadText, plain, require_count
from .plain_text import blocks_of, decoded

_QUOTE = re.compile(r"^ {0,3}> ?", re.MULTILINE)
_LETTERED = re.compile(r"[ \t]*\(?[a-zA-Z0-9]{1,4}\)[ \t]+\S")
_STRONG = re.compile(r"(\*\*|(?<!\w)__)(?=\S)(.{1,2000}?)(?<=\S)\1(?!(?<=_)\w)")
_TABLE_RULE = re.compile(r"[ \t]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?")
_FENCES = ("```", "~~~")
_HAS_WORDS = re.compile(r"\w")
_BULLET = re.compile(r" {0,3}[-*+][ \t]+\S")
_NUMBER = re.compile(r" {0,3}\d{1,9}[.)][ \t]+\S")
_HEADING = re.compile(r" {0,3}#{1,6}[ \t]")
_DEEPEST = 6  # level of an item


def read_markdown(data: bytes, name: str) -> UploadText:
    """Read a Markdown file."""
    text = decoded(data, name)
    lines = _QUOTE.sub("", text.text.replace("\r\n", "\n").replace("\r", "\n"))
    require_count(least_blocks(lines), name)  # in time: the parser takes 30 seconds for 250,000 items
    blocks = tuple(_blocks(_parser().parse(lines)))
    if _letters("".join(block.text for block in blocks)) != _letters(plain(lines)):
        # The parser stops at lists nested twenty deep; no word may be lost because of that.
        blocks = tuple(blocks_of(lines))
    return UploadText(blocks, text.notes)


def least_blocks(text: str) -> int:
    """How many blocks a text has at least, counted without parsing.

    A line after an empty line begins a block, and so do a heading, a bullet, and a number right below an item
    with one. Lines of code begin none.
    """
    count, ended, numbered, fence = 0, True, False, ""
    for line in text.split("\n"):
        words = line.strip()
        if fence or words.startswith(_FENCES):
            fence = _fence_after(words, fence)
            ended = numbered = False
        elif _HAS_WORDS.search(words):
            number = _NUMBER.match(line) is not None
            begins = ended or (numbered and number) or _BULLET.match(line) is not None
            count, numbered, ended = count + begins, begins and number, _HEADING.match(line) is not None
        else:
            ended, numbered = not words, False
    return count


def _fence_after(words: str, fence: str) -> str:
    """The mark of the code that goes on below a line; "" where none does."""
    if not fence:
        return words[: len(words) - len(words.lstrip(words[0]))]
    return "" if len(words) >= len(fence) and not words.strip(fence[0]) else fence


@cache
def _parser() -> MarkdownIt:
    """CommonMark's blocks, without those that would hide words or take an indented rule for code.

    What marks words inside a block is left alone; tables are told by their lines, so that a row with more
    cells than its head keeps them.
    """
    return MarkdownIt("commonmark").disable(["inline", "reference", "html_block", "blockquote", "code"])


def _letters(text: str) -> int:
    return sum(character.isalnum() for character in text)


def _blocks(tokens: Sequence[Token]) -> Iterator[Block]:
    lists = 0
    item = ""  # the mark of the item whose first words are still to come
    heading = 0
    for token in tokens:
        if token.type in ("bullet_list_open", "ordered_list_open"):
            lists += 1
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            lists -= 1
        elif token.type == "list_item_open":
            item = f"{token.info}{token.markup}"
        elif token.type == "heading_open":
            heading = int(token.tag[1:])
        elif token.type == "fence":
            # The info string of a fence ("```text") is shown by some viewers, so it is kept.
            yield from _verbatim(f"{token.info}\n{token.content}")
        elif token.type == "inline":
            if heading:
                yield from _single(token.content.replace("\n", " "), BlockKind.HEADING, heading)
            elif item and not item[:-1]:
                yield from _single(token.content.replace("\n", " "), BlockKind.ITEM, min(lists - 1, _DEEPEST))
            else:
                yield from _paragraph(f"{item} {token.content}".split("\n"))
            item, heading = "", 0


def _verbatim(code: str) -> Iterator[Block]:
    if text := plain(code):
        yield Block(text)


def _single(words: str, kind: BlockKind, level: int) -> Iterator[Block]:
    if text := _inline(words):
        yield Block(text, kind, level)


def _paragraph(lines: Sequence[str]) -> Iterator[Block]:
    """A table, or the words of a paragraph, cut where a line opens with a letter or number in brackets."""
    if len(lines) > 1 and "|" in lines[0] and _TABLE_RULE.fullmatch(lines[1]):
        rows = (line.strip().strip("|") for line in lines if not _TABLE_RULE.fullmatch(line))
        yield Block(plain("\n".join(_inline(row) for row in rows)), BlockKind.TABLE)
        return
    held: list[str] = []
    for line in lines:
        if held and _LETTERED.match(line):
            yield from _single("".join(held), BlockKind.PARAGRAPH, 0)
            held = []
        # Two spaces at the end of a line are a line break; other lines continue.
        held.append(line.strip() + ("\n" if line.endswith("  ") else " "))
    yield from _single("".join(held), BlockKind.PARAGRAPH, 0)


def _inline(text: str) -> str:
    return plain(_STRONG.sub(r"\2", text))
