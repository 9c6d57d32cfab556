"""The words of one paragraph of Akoma Ntoso, and of a table, as a reader sees them."""

from __future__ import annotations

import re
from functools import cache

from lxml import etree

from pykala.packs.finland.spacing import tidy, tidy_lines

#: Elements that end a word or a line though no space stands after them.
_APART = {"role": " ", "person": "\n", "signature": "\n", "br": "\n", "td": " ", "p": "\n", "eol": "\n"}
_TRAILING = re.compile(r"\n[ \t]*$")


def local_name(element: etree._Element) -> str:
    """The name of an element without its namespace."""
    return _local(str(element.tag))


@cache
def _local(tag: str) -> str:
    return tag.rpartition("}")[2]


def inline_text(element: etree._Element, indented: bool) -> str:
    """The text of a paragraph with its inline elements.

    Finlex's files are pretty-printed inside paragraphs too: `S<sub>j</sub> on` stands on three lines.
    Where a file is `indented` so, those breaks are undone, for `lain (746/2011)` holds no space after
    its bracket.
    """
    if not len(element):
        return tidy(element.text or "")
    depth = sum(1 for _ in element.iterancestors()) if indented else -1
    return tidy_lines("".join(_pieces(element, depth)))


def _pieces(element: etree._Element, depth: int) -> list[str]:
    pieces = [_unindented(element.text or "", depth + 1)]
    for child in element:
        if isinstance(child.tag, str):
            pieces += _pieces(child, depth + 1 if depth >= 0 else -1)
            pieces.append(_APART.get(local_name(child), ""))
        pieces.append(_unindented(child.tail or "", depth + 1))
    return pieces


def _unindented(text: str, depth: int) -> str:
    if depth <= 0:
        return text.replace("\n", " ")
    margin = "\n" + " " * (4 * depth)
    text = text.removeprefix(margin) if text.startswith(margin) else text
    return _TRAILING.sub("", text).replace("\n", " ")


def table_text(table: etree._Element, indented: bool) -> str:
    """A table as lines, one a row, with ` | ` between its cells."""
    rows = []
    for row in table.iter("{*}tr"):
        cells = [
            inline_text(cell, indented).replace("\n", " ")
            for cell in row
            if isinstance(cell.tag, str) and local_name(cell) in {"td", "th"}
        ]
        rows.append(" | ".join(cells))
    caption = table.find("{*}caption")
    if caption is not None:
        rows.insert(0, inline_text(caption, indented))
    return "\n".join(row for row in rows if row.strip(" |"))
