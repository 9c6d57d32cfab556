"""Pages of plain paragraphs (`div#TexteOnly`): only the words show what is a title or a point."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from lxml import etree

from .blocks import Block, Blocks, Role
from .inline import tidy
from .labels import PARAGRAPH_LABEL, POINT_LABEL, annex, article_number, division, point_number, protocol

#: Several points may be in one paragraph, separated by a run of spaces: "the following:    (a) certain".
_PARTS = re.compile(r"(?<!\s)\s{3,}(?=(?:\([a-z0-9]{1,4}\)|[a-z]{1,2}\)|\d{1,3}\s?\.|[—–-])\s)")
_BODY_STARTS = re.compile(
    r"(?:THE (?:COUNCIL|COMMISSION|EUROPEAN|HIGH)|LE (?:CONSEIL|PARLEMENT)|LA COMMISSION"
    r"|LES? (?:HAUTES|GOUVERN)|HIS MAJESTY"
    r"|SA MAJESTÉ|Having regard|[Vv]u |PREAMBLE|PRÉAMBULE|WHEREAS|Whereas|CONSIDÉRANT|Considérant)"
)
_DONE = re.compile(r"(?:Done at|Done in|Fait à|Fait au)\b")
_CONTENTS = re.compile(r"(?:table of )?contents|table des matières|sommaire", re.IGNORECASE)
_FORMER = re.compile(r"article\s+\d+\s*\w{0,6}\s*[-–—]\s*(?:[A-Z]|traité)", re.IGNORECASE)
_EX_ARTICLE = re.compile(r"\((?:ex[ -]|ancien)[^)]{1,120}\)", re.IGNORECASE)
#: They stand at the end of the Treaties: "Article 53 | Article 55" is a row of them, not an article.
_EQUIVALENCES = re.compile(
    r"(?:Tables? of equivalences?|Tableaux? de correspondances?)\b.{0,12}$", re.IGNORECASE
)
#: Before these: what the conference and its members declared, which is no part of the last protocol.
_DECLARATIONS = re.compile(r"D[EÉ]CLARATIONS$", re.IGNORECASE)
_ANNEXED_TO = re.compile(r"annexed to the Final Act|annexées à l['’]acte final", re.IGNORECASE)
_DECLARATION = re.compile(r"(?:\d{1,3}\.\s+D[eé]claration |[A-Z]\.\s+D[EÉ]CLARATIONS )\S", re.IGNORECASE)
_ORNAMENT = re.compile(r"[*+\s]+|-{3,}")
_ROMAN = re.compile(r"x{0,3}(?:ix|iv|v?i{0,3})")
_LONGEST_HEADING = 160
_REPEATED_WITHIN = 8


def read_plain_page(text: etree._Element) -> Blocks:
    """The blocks of a page of bare paragraphs."""
    reader = _Lines([line for line in _lines(text) if line])
    reader.read()
    reader.found.layout = "TexteOnly"
    return reader.found


def _lines(text: etree._Element) -> Iterator[str]:
    for paragraph in text.iter("p"):
        if paragraph.find(".//p") is not None:
            continue
        raw = "".join(map(str, paragraph.itertext()))
        for part in _PARTS.split(raw):
            line = tidy(part)
            if line and not _ORNAMENT.fullmatch(line):
                yield line


@dataclass(slots=True)
class _Lines:
    lines: Sequence[str]
    found: Blocks = field(default_factory=Blocks)
    started: bool = False
    final: bool = False
    annexed: bool = False
    tabled: bool = False  # within the tables of equivalences of a treaty, whose rows read like titles
    declared: bool = False  # within the declarations annexed to a treaty, which quote articles
    levels: list[str] = field(default_factory=list)  # the forms of the labels that lists are in now
    before: Role | None = None

    def read(self) -> None:
        """Go through the lines."""
        start = self._read_contents()
        for number in range(start, len(self.lines)):
            self._take(self.lines[number], self.lines[number + 1 : number + 1 + _REPEATED_WITHIN])

    def _read_contents(self) -> int:
        """Separate a table of contents: it ends where its first line occurs again."""
        for number, line in enumerate(self.lines[:12]):
            if _CONTENTS.fullmatch(line) and number + 1 < len(self.lines):
                first = self.lines[number + 1].casefold()
                for end in range(number + 2, len(self.lines)):
                    if self.lines[end].casefold() == first:
                        self._emit(Role.TITLE, " ".join(self.lines[:number]))
                        for entry in self.lines[number:end]:
                            self._emit(Role.CONTENTS, entry)
                        return end
        return 0

    def _take(self, line: str, following: Sequence[str]) -> None:
        if self.tabled:
            self._emit(Role.TEXT, line)
            return
        role = self._declaration(line) if self.declared else self._title(line, following)
        if role is not None:
            self._emit(role, line)
            return
        if self.final:
            self._emit(Role.FINAL, line)
        elif not self.started and not POINT_LABEL.match(line):
            self._emit(Role.TITLE, line)
        else:
            self._text(line)

    def _declaration(self, line: str) -> Role | None:
        if _EQUIVALENCES.match(line):
            self.tabled, self.declared = True, False
            return Role.ANNEX
        return Role.HEADING if _DECLARATION.match(line) and len(line) < 2 * _LONGEST_HEADING else Role.TEXT

    def _title(self, line: str, following: Sequence[str]) -> Role | None:
        """The role of a line that is a title of some sort; None for text."""
        if self.started and _EQUIVALENCES.match(line):
            self.tabled, self.final = True, False
            return Role.ANNEX
        if self.started and _DECLARATIONS.match(line) and following and _ANNEXED_TO.match(following[0]):
            self.declared, self.final, self.annexed = True, False, True
            return Role.ANNEX
        if _BODY_STARTS.match(line):
            self.started = True
            return None
        if article_number(line) and len(line) < _LONGEST_HEADING and not line.endswith((".", ";", ",")):
            return self._article(line, following)
        if protocol(line) or (line.startswith("ANNEX") and annex(line) and len(line) < 2 * _LONGEST_HEADING):
            self.started, self.final, self.annexed = True, False, True
            self.levels.clear()
            return Role.ANNEX
        if _is_division(line) and not self.annexed:
            self.levels.clear()
            return Role.DIVISION if self.started else Role.TITLE
        if _DONE.match(line):
            self.final = True
            return Role.FINAL
        return self._second_line(line)

    def _article(self, line: str, following: Sequence[str]) -> Role | None:
        if _FORMER.match(line) or (not self.started and line in following):
            return Role.TITLE  # the head of a page that holds one article of a treaty
        if re.search(r"\b(?:shall|is|are|of|est|sont|de la|du)\b", line) and len(line) > 60:
            return None
        self.started, self.final = True, False
        self.levels.clear()
        return Role.ARTICLE

    def _second_line(self, line: str) -> Role | None:
        """What a short line means right after a title."""
        short = len(line) < _LONGEST_HEADING and not line.endswith((".", ";", ":", ","))
        if self.before is Role.ARTICLE and (_EX_ARTICLE.fullmatch(line) or (short and not _label(line))):
            return Role.ARTICLE_HEADING
        if self.before is Role.ARTICLE_HEADING and _EX_ARTICLE.fullmatch(line):
            return Role.ARTICLE_HEADING
        if self.before is Role.DIVISION and short and not _label(line):
            return Role.DIVISION_TITLE
        if self.before is Role.ANNEX and short and line.isupper():
            return Role.ANNEX_TITLE
        return None

    def _text(self, line: str) -> None:
        if not self.annexed and (paragraph := PARAGRAPH_LABEL.match(line)) and "." not in paragraph["number"]:
            self.levels.clear()
            rest = line[paragraph.end() :]
            nested = POINT_LABEL.match(rest)
            if nested is None:
                self._emit(Role.TEXT, line)
                return
            self._emit(Role.TEXT, "", label=paragraph["label"])
            line = rest
        label = _label(line)
        if label and (self.found.blocks and self._in_body()):
            self._point(label, line[len(label) :].strip())
        else:
            self._emit(Role.TEXT, line)

    def _in_body(self) -> bool:
        return any(block.role in (Role.ARTICLE, Role.ANNEX) for block in reversed(self.found.blocks))

    def _point(self, label: str, text: str) -> None:
        form = _form(label, self.levels)
        if form in self.levels:
            del self.levels[self.levels.index(form) + 1 :]
        else:
            self.levels.append(form)
        depth = len(self.levels)
        self._emit(Role.POINT, "", label=label, depth=depth)
        nested = _label(text)
        if nested and nested not in "—–-":
            self._point(nested, text[len(nested) :].strip())
        elif text:
            self._emit(Role.TEXT, text, depth=depth)

    def _emit(self, role: Role, text: str, label: str = "", depth: int = 0) -> None:
        if text or label:
            self.found.blocks.append(Block(role, text, label, depth))
            self.before = role


def _is_division(line: str) -> bool:
    found = division(line)
    if found is None or len(line) > _LONGEST_HEADING or line.endswith((".", ";", ",")):
        return False
    rest = found[3]
    # "TITLE IV TAXABLE PERSONS", "Chapter 2: Right of establishment", but not "Section 2 shall apply".
    return not rest or not rest[0].islower()


def _label(line: str) -> str:
    match = POINT_LABEL.match(line)
    if match is not None:
        return match["label"]
    numbered = PARAGRAPH_LABEL.match(line)
    return numbered["label"] if numbered is not None else ""


def _form(label: str, levels: Sequence[str]) -> str:
    number = point_number(label)
    if not number:
        return "dash"
    if number[0].isdecimal():
        return f"number{number.count('.')}" if label.endswith(".") else "bracketed number"
    if _ROMAN.fullmatch(number) and ("roman" in levels or (number == "i" and "letter" in levels)):
        return "roman"
    return "letter"
