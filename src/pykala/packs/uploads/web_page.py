"""HTML: headings by their level, list items, tables row by row; scripts and styles are not words."""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from pykala.fetch.xml import parse_html

from .blocks import Block, BlockKind, UploadText, plain
from .numerals import printed_number
from .plain_text import decoded

_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_UNSEEN = {"script", "style", "head", "template", "svg", "iframe", "object", "noscript"}
_INLINE = {
    *("a", "abbr", "b", "bdi", "bdo", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins", "kbd"),
    *("label", "mark", "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time", "tt"),
    *("u", "var", "wbr", "big", "nobr"),
}
_LISTS = {"ul", "ol", "menu", "dir"}
_NUMBERINGS = {"a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}


def read_web_page(data: bytes, name: str) -> UploadText:
    """Read an HTML file."""
    text = decoded(data, name)
    root = parse_html(text.text, name)
    body = root.find("body")
    return UploadText(tuple(_Page().read(root if body is None else body)), text.notes)


class _Page:
    """Walks a page, whose depth the parser has bounded, and gathers its words into blocks."""

    def __init__(self) -> None:
        self._words: list[str] = []
        self._lists: list[_List] = []
        self._label = ""

    def read(self, element: etree._Element) -> Iterator[Block]:
        yield from self._inside(element, BlockKind.PARAGRAPH, 0)
        yield from self._flush(BlockKind.PARAGRAPH, 0)

    def _inside(self, element: etree._Element, kind: BlockKind, level: int) -> Iterator[Block]:
        self._words.append(element.text or "")
        for child in element:
            yield from self._child(child, kind, level)
            self._words.append(child.tail or "")

    def _child(self, child: etree._Element, kind: BlockKind, level: int) -> Iterator[Block]:
        name = child.tag if isinstance(child.tag, str) else ""
        if not name or name in _UNSEEN:
            return
        if name == "br":
            self._words.append("\n")
        elif name in _INLINE:
            yield from self._inside(child, kind, level)
        else:
            yield from self._flush(kind, level)
            yield from self._block(child, name, kind, level)

    def _block(self, element: etree._Element, name: str, kind: BlockKind, level: int) -> Iterator[Block]:
        table = _table(element) if name == "table" else ""
        if table:
            yield Block(table, BlockKind.TABLE)
            return
        if name in _HEADINGS:
            kind, level = BlockKind.HEADING, _HEADINGS[name]
        elif name == "li":
            kind, level = BlockKind.ITEM, len(self._lists)
            self._label = self._lists[-1].next() if self._lists else ""
        elif kind is BlockKind.HEADING or name in _LISTS:
            kind = BlockKind.PARAGRAPH
        if name in _LISTS:
            self._lists.append(_List(element))
        yield from self._inside(element, kind, level)
        yield from self._flush(kind, level)
        if name in _LISTS:
            self._lists.pop()

    def _flush(self, kind: BlockKind, level: int) -> Iterator[Block]:
        # White space of the source is no line end; a <br> is.
        text = plain("".join(word if word == "\n" else " ".join(_spaced(word)) for word in self._words))
        self._words = []
        if text:
            label, self._label = self._label, ""
            yield Block(text.replace("\n", " ") if kind is BlockKind.HEADING else text, kind, level, label)


def _spaced(word: str) -> Iterator[str]:
    """A piece of text cut at white space, with an empty piece where it begins or ends with some."""
    if word[:1].isspace():
        yield ""
    yield from word.split()
    if word[-1:].isspace() and word.strip():
        yield ""


class _List:
    """A list of the page: an ordered one numbers its items, which a browser shows before their words."""

    def __init__(self, element: etree._Element) -> None:
        self._style = (element.get("type") or "1")[:1] if element.tag == "ol" else ""
        start = element.get("start") or ""
        self._number = int(start) - 1 if start.isdecimal() and len(start) < 6 else 0

    def next(self) -> str:
        self._number += 1
        if not self._style:
            return ""
        return printed_number(self._number, _NUMBERINGS.get(self._style, "decimal")) + (
            "." if self._style not in "aAiI" else ")"
        )


def _table(table: etree._Element) -> str:
    """A table row by row; empty where that would lose words, as in a table that lays out a page."""
    if table.find(".//table") is not None:
        return ""
    rows: list[str] = []
    for row in table.iter("caption", "tr"):
        cells = [row] if row.tag == "caption" else [cell for cell in row if cell.tag in {"td", "th"}]
        words = [" ".join("".join(_seen(cell)).split()) for cell in cells]
        if any(words):
            rows.append(" | ".join(words))
    text = plain("\n".join(rows))
    everything = plain("".join(_seen(table)))
    return text if text.replace(" | ", " ").split() == everything.replace(" | ", " ").split() else ""


def _seen(element: etree._Element) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        if isinstance(child.tag, str) and child.tag not in _UNSEEN:
            # Blocks in a cell stand apart; styled letters do not.
            apart = "" if child.tag in _INLINE else " "
            yield apart
            yield from _seen(child)
            yield apart
        yield child.tail or ""
