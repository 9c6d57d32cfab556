"""Tables of a page: those that are only the layout of a list, and real tables with rows and columns."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import etree

from .inline import Run, clean, tidy
from .labels import LABEL
from .page_tree import BLOCK_TAGS, classes

_TABULAR = re.compile(r"(?:^|\s)(?:oj-)?(?:tbl-\w+|table|hd-column|title-blk)(?:\s|$)")
_LONGEST_LABEL = 16


def is_list(table: etree._Element) -> bool:
    """Whether a table is the layout of list items: a narrow label, then the item's text."""
    if _TABULAR.search(table.get("class", "")):
        return False
    rows = _rows(table)
    if not rows:
        return False
    for row in rows:
        cells = _cells(row)
        if any(_TABULAR.search(cell.get("class", "")) for cell in cells):
            return False
        if any(_TABULAR.search(" ".join(classes(child))) for cell in cells for child in cell):
            return False
        found = _label_cell(cells)
        if found is None:
            return False
    return True


def list_rows(table: etree._Element) -> Iterator[tuple[etree._Element, list[etree._Element]]]:
    """The label and the cells after it, row by row, of a table that is a list."""
    for row in _rows(table):
        cells = _cells(row)
        place = _label_cell(cells)
        if place is not None:
            yield cells[place], cells[place + 1 :]


def _label_cell(cells: list[etree._Element]) -> int | None:
    """The place of the first cell that holds something, where that is a label and text follows it."""
    for place, cell in enumerate(cells[:-1]):
        words = clean("".join(map(str, cell.itertext())))
        if not words:
            continue
        short = len(words) <= _LONGEST_LABEL and LABEL.fullmatch(words) is not None
        return place if short and len(cells) <= place + 2 else None
    return None


def table_text(table: etree._Element, run: Run) -> str:
    """A table as lines, one per row, with ` | ` between cells; `run` collects its footnotes and images."""
    lines = []
    caption = table.find("caption")
    if caption is not None:
        lines.append(tidy("".join(map(str, caption.itertext()))))
    for row in _rows(table):
        cells = [_cell_text(cell, run) for cell in _cells(row)]
        line = " | ".join(cells)
        if line.strip(" |"):
            lines.append(line)
    return "\n".join(lines)


def _cell_text(cell: etree._Element, run: Run) -> str:
    own = Run(notes=run.notes, marks=run.marks)
    _gather(cell, own)
    run.images += own.images
    return own.text()


def _gather(element: etree._Element, run: Run) -> None:
    run.add_text(element.text)
    for child in element:
        if isinstance(child.tag, str):
            if child.tag in BLOCK_TAGS or len(child):
                apart = " " if child.tag in BLOCK_TAGS else ""
                run.add_text(apart)
                if child.tag == "a" and not any(one.tag in BLOCK_TAGS for one in child.iter()):
                    run.add(child)
                else:
                    _gather(child, run)
                run.add_text(apart)
            else:
                run.add(child)
        run.add_text(child.tail)


def _rows(table: etree._Element) -> list[etree._Element]:
    rows = []
    for child in table:
        if child.tag == "tr":
            rows.append(child)
        elif child.tag in ("tbody", "thead", "tfoot"):
            rows.extend(row for row in child if row.tag == "tr")
    return rows


def _cells(row: etree._Element) -> list[etree._Element]:
    return [cell for cell in row if cell.tag in ("td", "th")]
