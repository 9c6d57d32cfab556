"""Tables and running text of the statute XML: what stands between its tags, as a reader sees it."""

from __future__ import annotations

import re

from lxml import etree

from pykala.packs.finland.statutes.inline import local_name

#: The source's own white space, line breaks too, is one space; "\n" stands for a break that it prints.
_SPACE = re.compile(r"\s+")
_BREAKS = {"br", "Rivivaihto"}
_NO_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffd-\uffff]")
#: Parts of a paragraph that stand on lines of their own.
_BLOCKS = {
    "KappaleKooste",
    "MomenttiAlakohtaKooste",
    "MomenttiJohdantoKooste",
    "ko",
    "pl",
    "SaadosKappaleKooste",
}
#: A picture is named by its file; the number between its tags is that of the file and no word of the law.
PICTURES = frozenset({"Kuva", "kuva"})


def running_text(element: etree._Element, apart: frozenset[str] = frozenset()) -> str:
    """The words of a paragraph with its inline elements, as lines where they are broken on purpose.

    Elements named in `apart` are left out: they are read for themselves.
    """
    pieces: list[str] = []
    _collect(element, apart | PICTURES, pieces)
    return "".join(pieces)


def _collect(element: etree._Element, apart: frozenset[str], pieces: list[str]) -> None:
    pieces.append(_SPACE.sub(" ", element.text or ""))
    for child in element:
        if isinstance(child.tag, str):
            name = local_name(child)
            block = "\n" if name in _BLOCKS else ""
            pieces.append("\n" if name in _BREAKS else block)
            if name not in apart:
                _collect(child, apart, pieces)
            pieces.append(block)
        pieces.append(_SPACE.sub(" ", child.tail or ""))


def line(tag: str, text: str) -> etree._Element:
    """An element of Akoma Ntoso that holds a text, with `br` for its line breaks."""
    element = etree.Element(tag)
    first, *others = text.split("\n")
    element.text = _printable(first)
    for other in others:
        etree.SubElement(element, "br").tail = _printable(other)
    return element


def _printable(text: str) -> str:
    # XML's parser refuses what XML cannot hold, that of pages lets it through; neither that nor the mark of a
    # lost character is a word.
    return _NO_XML.sub("", text)


def table_of(table: etree._Element) -> etree._Element:
    """A table as Akoma Ntoso has it: rows of cells under an optional caption."""
    made = etree.Element("table")
    for title in table.iterfind("{*}title"):
        made.append(line("caption", running_text(title)))
    for group in table.iterfind("{*}tgroup"):
        hanging: dict[int, int] = {}  # column → how many rows below are still covered by a cell of it
        for row in group.iter("{*}row"):
            made.append(_row(row, hanging))
    return made


def _row(row: etree._Element, hanging: dict[int, int]) -> etree._Element:
    """One row; where a cell of a row above reaches down into it, an empty cell keeps the columns in line."""
    made, column = etree.Element("tr"), 1
    for entry in row.iterfind("{*}entry"):
        column = _pass_hanging(made, column, hanging)
        made.append(line("td", running_text(entry)))
        if (below := _count(entry.get("morerows"))) > 0:
            hanging[column] = below
        column += _width(entry)
    _pass_hanging(made, column, hanging)
    return made


def _pass_hanging(made: etree._Element, column: int, hanging: dict[int, int]) -> int:
    while hanging.get(column, 0) > 0:
        hanging[column] -= 1
        etree.SubElement(made, "td")
        column += 1
    return column


def _width(entry: etree._Element) -> int:
    first, last = _count(entry.get("namest")), _count(entry.get("nameend"))
    return last - first + 1 if 0 < first <= last else 1


def _count(attribute: str | None) -> int:
    """A small number of an attribute; 0 where it is none. No real table has more than some dozen columns."""
    return int(attribute) if attribute and attribute.isdecimal() and len(attribute) < 4 else 0
