"""DOCX: paragraphs by their styles and automatic numbers, tables row by row, footnotes after their paragraph.

Deletions of tracked changes are left out; insertions are read. Page headers and footers are not part of the
text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from lxml import etree

from pykala.fetch.refusals import RefusedFile

from .blocks import Block, BlockKind, UploadText, plain
from .word_archive import WordArchive
from .word_numbering import WORD, Numbering, read_numbering

_STRICT = "{http://purl.oclc.org/ooxml/wordprocessingml/main}"
_COMPATIBILITY = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_HEADING = re.compile(r"(?:heading|otsikko|rubrik|titre)\s*([1-9])", re.IGNORECASE)
_TITLES = {"title", "otsikko", "rubrik", "titre"}
_NOTES = ("footnote", "endnote")
_INHERITED = 20  # inherited styles that are followed before a cycle is assumed
_BODY_LEVEL = 9  # Word's outline level for what is no heading


@dataclass(frozen=True, slots=True)
class _Style:
    heading: int | None = None  # 0 for a title, which stands above all headings
    list: str = ""
    list_level: int = 0


@dataclass(slots=True)
class _Document:
    styles: dict[str, _Style]
    numbering: Numbering
    notes: dict[tuple[str, str], str]  # ("footnote", its number) → its words, until they are inserted
    blocks: list[Block] = field(default_factory=list)


def read_word(data: bytes, name: str) -> UploadText:
    """Read a DOCX file."""
    archive = WordArchive(data, name)
    main = archive.main_part()
    root = archive.part(main)
    if root is None:
        raise RefusedFile(name, "the archive holds no Word document; save it as DOCX")
    if root.tag.startswith(_STRICT):
        raise RefusedFile(name, "it is in the strict form of DOCX; save it as an ordinary Word document")
    body = root.find(f"{WORD}body")
    if body is None:
        raise RefusedFile(name, "the Word document has no body; save it as DOCX")
    folder = main.rpartition("/")[0]
    beside = f"{folder}/" if folder else ""
    document = _Document(
        _styles(archive.part(f"{beside}styles.xml")),
        read_numbering(archive.part(f"{beside}numbering.xml")),
        {
            (kind, number): words
            for kind in _NOTES
            for number, words in _notes(archive.part(f"{beside}{kind}s.xml"), kind)
        },
    )
    _read_blocks(body, document)
    # Notes that hang on a table's cell come last.
    document.blocks += [
        Block(words, BlockKind.FOOTNOTE, label=number) for (_, number), words in document.notes.items()
    ]
    macros = any(part.endswith("vbaProject.bin") for part in archive.names)
    return UploadText(tuple(document.blocks), ("its macros were not read",) if macros else ())


def _read_blocks(element: etree._Element, document: _Document) -> None:
    """Paragraphs and tables in order, also inside content controls and tracked insertions."""
    for child in element:
        if child.tag == f"{WORD}p":
            _read_paragraph(child, document)
        elif child.tag == f"{WORD}tbl":
            _read_table(child, document)
        elif isinstance(child.tag, str) and child.tag not in (
            f"{WORD}sectPr",
            f"{WORD}del",
            f"{WORD}moveFrom",
        ):
            _read_blocks(child, document)


def _read_paragraph(paragraph: etree._Element, document: _Document) -> None:
    text = plain("".join(_words(paragraph)))
    properties = paragraph.find(f"{WORD}pPr")
    style = document.styles.get(_value(properties, "pStyle"), _Style())
    list_number, level = _list(properties, style)
    outline = _value(properties, "outlineLvl")
    heading = int(outline) + 1 if outline.isdecimal() and len(outline) == 1 else style.heading
    if heading is not None and heading > _BODY_LEVEL:
        heading = None
    # Word also counts an empty paragraph of a list, but prints its number beside nothing.
    label = document.numbering.label(list_number, level) if list_number and text else ""
    if text and heading is not None:
        document.blocks.append(Block(text.replace("\n", " "), BlockKind.HEADING, heading, label))
    elif text:
        kind = BlockKind.ITEM if list_number and not label else BlockKind.PARAGRAPH
        document.blocks.append(Block(text, kind, level, label))
    for sort in _NOTES:
        for reference in paragraph.iter(f"{WORD}{sort}Reference"):
            number = reference.get(f"{WORD}id") or ""
            if note := document.notes.pop((sort, number), ""):
                document.blocks.append(Block(note, BlockKind.FOOTNOTE, label=number))
    for box in _boxes(paragraph):
        _read_blocks(box, document)


def _read_table(table: etree._Element, document: _Document) -> None:
    rows = []
    for row in table.iter(f"{WORD}tr"):
        if next(row.iterancestors(f"{WORD}tbl")) is not table:
            continue  # a table in a cell stands in the cell's words
        cells = [
            " ".join(plain(" ".join(_cell(cell))).split())
            for cell in row.iter(f"{WORD}tc")
            if _own(cell, row)
        ]
        if any(cells):
            rows.append(" | ".join(cells))
    if rows:
        document.blocks.append(Block("\n".join(rows), BlockKind.TABLE))


def _own(cell: etree._Element, row: etree._Element) -> bool:
    return next(cell.iterancestors(f"{WORD}tr")) is row


def _cell(cell: etree._Element) -> Iterator[str]:
    for paragraph in cell.iter(f"{WORD}p"):
        yield "".join(_words(paragraph))


_BREAKS = {f"{WORD}tab": "\t", f"{WORD}br": "\n", f"{WORD}cr": "\n", f"{WORD}noBreakHyphen": "-"}
_SKIPPED = {
    *(
        f"{WORD}{name}"
        for name in ("pPr", "rPr", "del", "moveFrom", "instrText", "delText", "p", "txbxContent")
    ),
    f"{_COMPATIBILITY}Fallback",  # the same words once more, for older programs
}


def _words(element: etree._Element) -> Iterator[str]:
    for child in element:
        tag = child.tag
        if tag == f"{WORD}t":
            yield child.text or ""
        elif tag in _BREAKS:
            yield _BREAKS[tag]
        elif isinstance(tag, str) and tag not in _SKIPPED:
            yield from _words(child)


def _boxes(paragraph: etree._Element) -> Iterator[etree._Element]:
    """Text boxes anchored in a paragraph, each once, and none that lies in another."""
    for box in paragraph.iter(f"{WORD}txbxContent"):
        above = [ancestor.tag for ancestor in _up_to(box, paragraph)]
        if f"{_COMPATIBILITY}Fallback" not in above and f"{WORD}txbxContent" not in above:
            yield box


def _up_to(element: etree._Element, end: etree._Element) -> Iterator[etree._Element]:
    for ancestor in element.iterancestors():
        if ancestor is end:
            return
        yield ancestor


def _list(properties: etree._Element | None, style: _Style) -> tuple[str, int]:
    numbered = None if properties is None else properties.find(f"{WORD}numPr")
    if numbered is None:
        return style.list, style.list_level
    level = _value(numbered, "ilvl")
    number = _value(numbered, "numId") or style.list
    # List 0 takes a paragraph out of the list that its style puts it into.
    return ("" if number == "0" else number), int(level) if level.isdecimal() and len(level) == 1 else 0


def _styles(root: etree._Element | None) -> dict[str, _Style]:
    if root is None:
        return {}
    elements = {style.get(f"{WORD}styleId") or "": style for style in root.findall(f"{WORD}style")}
    return {name: _style(name, elements) for name in elements}


def _style(name: str, elements: dict[str, etree._Element]) -> _Style:
    """A style with its inherited values: its own values come before those of its base style."""
    heading: int | None = None
    list_number, list_level = "", 0
    for _ in range(_INHERITED):
        element = elements.get(name)
        if element is None:
            break
        properties = element.find(f"{WORD}pPr")
        printed = _value(element, "name")
        found = _HEADING.fullmatch(printed)
        outline = _value(properties, "outlineLvl")
        if heading is None and found:
            heading = int(found[1])
        elif heading is None and printed.casefold() in _TITLES:
            heading = 0
        elif heading is None and outline.isdecimal() and len(outline) == 1:
            heading = int(outline) + 1
        numbered = None if properties is None else properties.find(f"{WORD}numPr")
        if numbered is not None and not list_number:
            list_number = _value(numbered, "numId")
            level = _value(numbered, "ilvl")
            list_level = int(level) if level.isdecimal() and len(level) == 1 else 0
        name = _value(element, "basedOn")
    return _Style(heading, list_number, list_level)


def _notes(root: etree._Element | None, kind: str) -> Iterator[tuple[str, str]]:
    for note in () if root is None else root.findall(f"{WORD}{kind}"):
        if note.get(f"{WORD}type") in (None, "normal"):
            words = plain("\n".join("".join(_words(p)) for p in note.iter(f"{WORD}p")))
            if words:
                yield note.get(f"{WORD}id") or "", words


def _value(parent: etree._Element | None, name: str) -> str:
    element = None if parent is None else parent.find(f"{WORD}{name}")
    return "" if element is None else element.get(f"{WORD}val") or ""
