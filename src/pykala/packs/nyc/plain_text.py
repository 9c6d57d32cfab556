"""Read the plain text of the code into blocks.

Indents of three hard spaces show the levels; wrapped lines have none. Lines are wrapped at 79 columns, so a
line that ends although the next word would have fitted ends its paragraph, unless that word was a link in the
page from which the text was made ("section" + newline + "11-503 of this chapter").
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pykala.packs.nyc.blocks import Block, BlockKind, joined

WIDTH = 79
HARD = "\N{NO-BREAK SPACE}"
INDENT = 3
_CONTAINER = re.compile(r"(?P<unit>Chapter|Subchapter|Part) (?P<number>\d[\w-]*): (?P<title>\S.*)")
_UNITS = {"Chapter": "chp", "Subchapter": "subchp", "Part": "part"}
_SECTION = re.compile(r"§ (?P<number>\d+-\d[\w.-]*?)\.? (?P<title>[A-Z\[“\"].*)")
_SLIP = "{'{'}"  # of the publisher's own templates, in the place of a bracket
_HISTORY = re.compile(
    r"(?:\(|\{'\{'\})(?=(?:(?:Am|Added|Amended|Repealed|Renumbered|Rep|Ren|Redesignated)\.?,? )?"
    r"(?:L\.L\. \d{4}/|\d{4} N\.Y\. Laws|L\. \d{4}))"
)
_NOTE = re.compile(r"(?:\*+ ?)?Editor's note:")
#: A label, and one that slipped into the text: "(C) the dissolution is completed".
_LABEL = re.compile(rf"(\S{{1,12}}){HARD}{{3}}")
_SLIPPED = re.compile(r"(\([0-9A-Za-z]{1,5}\)\*?) ")
_ROW = re.compile(r"^ {2,}\S|\S {2,}\S")
_EMPTY_CELL = re.compile(rf"{HARD} {{2,}}")  # a row whose first column is empty
#: What starts a line because it was a link there.
_LINK = re.compile(
    r"(?:\d|L\.L\.|[Cc]hapters? |[Ss]ubchapters? |[Pp]arts? |[Tt]itles? |[Ss]ections? |Appendix |[a-z])"
)
#: A line of a heading that stops short, because what follows was a link: "pursuant to section".
_BEFORE_A_LINK = re.compile(r"\b(?:sections?|chapters?|subchapters?|parts?|titles?)\s*$", re.IGNORECASE)
_ENDS = (".", ":", ";", "?", "!", ")", '"', "”", "]", "*")
_HEADING_ENDS = (".", "]", "*", "?")
#: Deeper than any law is nested; a hostile file must not nest without end.
_DEEPEST = 12
#: Rows of a table that fill their columns have no two spaces; so many of them may stand in a run.
_FULL_ROWS = 6
_CELL = 25  # characters; the rest of a cell on a line of its own is shorter


def read_blocks(text: str) -> Iterator[Block]:
    """The blocks of a file in its own order; every word of the text is in one of them."""
    return _Cutter(text.splitlines()).blocks()


class _Cutter:
    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.position = 0

    def blocks(self) -> Iterator[Block]:
        while self.position < len(self.lines):
            line = self.lines[self.position]
            if not line.strip():
                self.position += 1
            elif (match := _CONTAINER.fullmatch(line.rstrip())) is not None:
                yield self._container(match)
            elif (match := _SECTION.fullmatch(line.rstrip())) is not None:
                yield self._section(match)
            elif _starts_table(self.lines, self.position):
                yield self._table()
            else:
                yield self._paragraph(line)

    def _container(self, match: re.Match[str]) -> Block:
        start = self.position
        title = self._heading(match["title"])
        unit = _UNITS[match["unit"]]
        return Block(BlockKind.CONTAINER, title, unit=unit, number=match["number"], line=start + 1)

    def _section(self, match: re.Match[str]) -> Block:
        start = self.position
        title = self._heading(match["title"])
        return Block(BlockKind.SECTION, title, number=match["number"], line=start + 1)

    def _heading(self, first: str) -> str:
        """A heading with the lines it wraps over."""
        parts = [first]
        self.position += 1
        while self.position < len(self.lines):
            line = self.lines[self.position]
            repealed = line.strip() == "[Repealed]"
            ended = parts[-1].rstrip().endswith(_HEADING_ENDS) or (
                self._fits(line) and not _BEFORE_A_LINK.search(parts[-1])
            )
            if not repealed and (ended or not line.strip() or self._opens(line)):
                break
            parts.append(line)
            self.position += 1
        return joined(parts)

    def _paragraph(self, line: str) -> Block:
        start = self.position
        kind = BlockKind.TEXT
        depth, labels, rest = _opened(line)
        if not depth:
            kind = BlockKind.HISTORY if _HISTORY.match(line) else BlockKind.TEXT
            kind = BlockKind.NOTE if _NOTE.match(line) else kind
        parts = [rest.replace(_SLIP, "(", 1) if kind is BlockKind.HISTORY else rest]
        self.position += 1
        while self.position < len(self.lines) and not self._breaks(kind, parts):
            parts.append(self.lines[self.position])
            self.position += 1
        return Block(kind, joined(parts), depth, labels, line=start + 1)

    def _breaks(self, kind: BlockKind, parts: list[str]) -> bool:
        """Whether the current line starts something new."""
        line = self.lines[self.position]
        if not line.strip() or self._opens(line) or _starts_table(self.lines, self.position):
            return True
        if kind is BlockKind.HISTORY:
            return parts[-1].rstrip().endswith(")")
        ended = parts[-1].rstrip().endswith(_ENDS) or not parts[-1].strip()
        return ended and self._fits(line) and not _LINK.match(line)

    def _opens(self, line: str) -> bool:
        return bool(
            (line.startswith(HARD) and not _EMPTY_CELL.match(line))
            or _HISTORY.match(line)
            or _NOTE.match(line)
            or _CONTAINER.fullmatch(line.rstrip())
            or _SECTION.fullmatch(line.rstrip())
        )

    def _fits(self, line: str) -> bool:
        """Whether the first word of this line would have fitted on the one before."""
        before = self.lines[self.position - 1].rstrip()
        word = line.split(maxsplit=1)[0] if line.strip() else ""
        return len(before) + 1 + len(word) <= WIDTH

    def _table(self) -> Block:
        start = self.position
        end = start
        for index in range(start, len(self.lines)):
            line = self.lines[index]
            if index > start and (_is_blank(line) or self._opens(line)):
                break
            if _is_row(line):
                end = index + 1
            elif index > start and (index - end >= _FULL_ROWS or _runs_on(line)):
                break
        else:
            index = len(self.lines)
        # What stands between the last row and the blank that closes the table belongs to it as well.
        if index < len(self.lines) and _is_blank(self.lines[index]) and index - end <= _FULL_ROWS:
            end = index
        # Before a label only the rest of a cell does: "Over $10,000 but not over  $0" + "$12,500".
        while end < index and self.lines[end].startswith("$") and len(self.lines[end]) < _CELL:
            end += 1
        self.position = max(end, start + 1)
        rows = [line.replace(HARD, " ").rstrip() for line in self.lines[start : self.position]]
        return Block(BlockKind.TABLE, "\n".join(_parted_heading(rows)), line=start + 1)


def _opened(line: str) -> tuple[int, tuple[str, ...], str]:
    """(depth, labels, rest) of a line that may start with an indent and labels."""
    rest = line.lstrip(HARD)
    depth = min((len(line) - len(rest)) // INDENT, _DEEPEST)
    labels: list[str] = []
    while depth and len(labels) < _DEEPEST and (match := _LABEL.match(rest)) is not None:
        labels.append(match[1])
        rest = rest[match.end() :]
    if depth and not labels and (match := _SLIPPED.match(rest)) is not None:
        labels.append(match[1])
        rest = rest[match.end() :]
    return depth, tuple(labels), rest


def _is_row(line: str) -> bool:
    """Whether a line has columns; a hard space is an empty one."""
    if line.startswith(HARD) and not _EMPTY_CELL.match(line):
        return False
    return _ROW.search(line.replace(HARD, " ")) is not None


def _parted_heading(rows: list[str]) -> list[str]:
    """Part the columns of headings that fill theirs: "Tax year of certificate Amount of exemption:"."""
    first = next((at for at, row in enumerate(rows) if _ROW.search(row)), 0)
    columns = [found.end() - 1 for found in re.finditer(r"\S {2,}\S", rows[first])] if first else []
    for at, row in enumerate(rows[:first]):
        for column in reversed(columns):
            if row[column - 1 : column] == " " and row[column : column + 1].strip():
                row = f"{row[:column]} {row[column:]}"
        rows[at] = row
    return rows


def _is_blank(line: str) -> bool:
    return not line.strip()


def _runs_on(line: str) -> bool:
    """A full line of prose: longer than any row that fills its columns without a gap would be alone."""
    return len(line.rstrip()) > WIDTH - 8 and "$" not in line and not re.search(r"\d", line)


def _starts_table(lines: list[str], position: int) -> bool:
    """Whether a table starts here: a row, or a line after a blank or a colon with a row close below."""
    line = lines[position]
    if line.startswith(HARD) and line.lstrip(HARD)[:1] != " ":
        return False
    if _is_row(line):
        return True
    before = lines[position - 1].strip(f"{HARD} ") if position else "."
    below = lines[position + 1 : position + 4]
    if before == "":
        return any(_is_row(row) and not row.startswith(HARD) for row in below)
    # "… for industrial construction work:", and the heading of a table whose columns are full.
    if before.endswith(":") and line[:1].isupper():
        rows = [_is_row(row) and not row.startswith(HARD) for row in below]
        return rows.count(True) > 1 or rows[:1] == [True]
    return False
