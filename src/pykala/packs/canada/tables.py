"""Tables as lines that read as text and as Markdown: one provision per row, its cells between bars."""

from __future__ import annotations

import re

from lxml import etree

from pykala.law.provisions import Event, ProvisionKind
from pykala.packs.canada.drafts import Anchor, Draft
from pykala.packs.canada.inline import Words, words_of
from pykala.packs.canada.standing import Standing
from pykala.packs.left_out import DESCRIBED

_NUMBER = re.compile(r"\(?\d{1,5}(?:[.-]\d{1,4})*[a-z]?\)?\.?")
_WIDEST = 60  # columns; the widest real table has 30


def read_table(table: etree._Element, draft: Draft, standing: Standing) -> list[etree._Element]:
    """Read rows into a table's draft; returns the historical notes that stood inside cells."""
    historical: list[etree._Element] = []
    for part in table:
        if part.tag == "title":
            words = words_of(part)
            draft.heading = f"{draft.heading} {words.text}".strip()
            historical.extend(words.historical)
        elif part.tag == "tgroup":
            _read_group(part, draft, standing, historical)
        elif isinstance(part.tag, str):
            words = words_of(part)
            if words.text:
                standing.begin(draft, ProvisionKind.ITEM, "row").text = words.text
    return historical


def _read_group(
    group: etree._Element, draft: Draft, standing: Standing, historical: list[etree._Element]
) -> None:
    names = {spec.get("colname", ""): index for index, spec in enumerate(group.iterchildren("colspec"))}
    for part in group:
        if part.tag not in ("thead", "tbody", "tfoot"):
            continue
        held: dict[int, int] = {}  # column → rows below that a cell still spans
        last: Draft | None = None
        columns = 0
        for row in part.iterchildren("row"):
            cells = _cells(row, names, held)
            if any(words.length for _, words in cells):
                last = _row(cells, draft, standing.of(row))
                columns = max(columns, len(cells))
                for _, words in cells:
                    historical.extend(words.historical)
        if part.tag == "thead" and last is not None and columns > 1:
            last.text += "\n|" + " --- |" * columns


def _cells(row: etree._Element, names: dict[str, int], held: dict[int, int]) -> list[tuple[int, Words]]:
    cells: list[tuple[int, Words]] = []
    column = 0
    for entry in row.iterchildren("entry"):
        named = names.get(entry.get("colname") or entry.get("namest") or "", -1)
        column = max(column, named)
        while held.get(column, 0) > 0:  # a cell of a row above spans this column
            cells.append((column, Words()))
            held[column] -= 1
            column += 1
        while len(cells) < min(column, _WIDEST):
            cells.append((len(cells), Words()))
        cells.append((column, words_of(entry)))
        rows_below = entry.get("morerows", "")
        if rows_below.isdecimal() and rows_below != "0":
            held[column] = min(int(rows_below), 10_000)
        column = max(column, names.get(entry.get("nameend", ""), -1)) + 1
    for waiting in [each for each in held if each >= column and held[each] > 0]:
        held[waiting] -= 1
    return cells


def _row(cells: list[tuple[int, Words]], draft: Draft, standing: Standing) -> Draft:
    row = standing.begin(draft, ProvisionKind.ITEM, "row")
    if len(cells) == 1:
        words = cells[0][1]
        row.text = words.text
        row.anchors.extend(words.anchors)
    else:
        _join(cells, row)
    for _, words in cells:
        row.terms.extend(words.terms)
        if words.described:
            row.findings = (DESCRIBED,)
    if _is_tombstone([words for _, words in cells]):
        row.event, row.history_unavailable = Event.REPEALED, True
    return row


def _is_tombstone(cells: list[Words]) -> bool:
    """Whether a row only says that it was repealed; the number of the item stays in its first cell."""
    if all(words.repealed >= words.length for words in cells):
        return True
    first, *others = cells
    numbered = _NUMBER.fullmatch(first.text) is not None and any(words.repealed for words in others)
    return numbered and all(words.repealed >= words.length for words in others)


def _join(cells: list[tuple[int, Words]], row: Draft) -> None:
    parts = ["|"]
    length = 1
    for _, words in cells:
        text = words.text
        for anchor in words.anchors:
            start, end = anchor.start + length + 1, anchor.end + length + 1
            row.anchors.append(Anchor(start, end, anchor.text, anchor.reference_type, anchor.link))
        piece = f" {text} |" if text else " |"
        parts.append(piece)
        length += len(piece)
    row.text = "".join(parts)
