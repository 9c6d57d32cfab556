"""Formex, the Publications Office's own XML: acts (`ACT`) and consolidated acts (`CONS.ACT`).

A consolidated file keeps what was deleted between two processing instructions (`CLG.MDFO ACTION="DELETED"` …
`CLG.MDFC`): those words are history, and are left out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from lxml import etree

from pykala.packs.left_out import PICTURE

from .blocks import Block, Blocks, Mark, Note, Role
from .formulas import CLOSE, OPEN, formula_text
from .inline import tidy

_ATTRIBUTE = re.compile(r'(?<![\w.])([\w.]+)="([^"]*)"')
_NO_TEXT = frozenset(
    {"BIB.INSTANCE", "BIB.DATA", "INFO.CONSLEG", "INFO.PROD", "FAM.COMP", "BIB.DOC", "PROLOG"}
)
_BLOCKS = frozenset(
    {"P", "ALINEA", "LIST", "ITEM", "NP", "TBL", "GR.SEQ", "DLIST", "QUOT.S", "PARAG", "GR.TBL", "ANNOTATION"}
)
_GONE = frozenset({"DELETED", "REPEALED"})


def read_formex(root: etree._Element) -> Blocks:
    """The blocks of a Formex file."""
    reader = _Formex()
    reader.found.layout = "formex consolidated" if root.tag == "CONS.ACT" else "formex"
    about = root.find("INFO.CONSLEG")
    if about is not None and about.get("END") == "REPEALED":
        reader.found.repealed_by = about.get("SOURCE.END", "")
    reader.children(root, 0)
    return reader.found


@dataclass(slots=True)
class _Formex:
    found: Blocks = field(default_factory=Blocks)
    marks: list[tuple[str, Mark]] = field(default_factory=list)  # by the identity of their opening
    annexed: bool = False
    quoted: int = 0

    @property
    def gone(self) -> bool:
        return any(mark.action in _GONE for _, mark in self.marks)

    @property
    def mark(self) -> Mark | None:
        return self.marks[-1][1] if self.marks else Mark("B")

    def children(self, element: etree._Element, depth: int) -> None:
        """Read what is below an element."""
        pieces: list[str] = []
        notes: list[str] = []
        if element.text:
            pieces.append(element.text)
        for child in element:
            if isinstance(child, etree._ProcessingInstruction):
                self._instruction(child)
            elif isinstance(child.tag, str):
                if child.tag in _BLOCKS or child.tag in _HANDLERS or _holds_list(child):
                    self._flush(pieces, notes, depth)
                    pieces, notes = [], []
                    self.element(child, depth)
                else:
                    self.inline(child, pieces, notes)
            if child.tail and not self.gone:
                pieces.append(child.tail)
        self._flush(pieces, notes, depth)

    def element(self, element: etree._Element, depth: int) -> None:
        """Read one element by its name."""
        if element.tag in _NO_TEXT:
            self._titles(element)
            return
        handler = _HANDLERS.get(element.tag)
        if handler is None:
            self.children(element, depth)
        else:
            handler(self, element, depth)

    def _titles(self, element: etree._Element) -> None:
        """The head of a file is the publisher's metadata, not law, although it also contains the title."""

    def _instruction(self, instruction: etree._ProcessingInstruction) -> None:
        told = dict(_ATTRIBUTE.findall(instruction.text or ""))
        if instruction.target == "CLG.MDFO" and told.get("ACTION") == "REPEALED" and self._is_repealed():
            return  # it spans a whole repealed act, and contains its last words
        if instruction.target == "CLG.MDFO":
            mark = Mark(f"M{len(self.marks) + 1}", told.get("ACTIVE.DOC", ""), told.get("ACTION", ""))
            self.marks.append((told.get("ID", ""), mark))
        elif instruction.target == "CLG.MDFC":
            opening = told.get("IDREF", "")
            for place in range(len(self.marks) - 1, -1, -1):
                if self.marks[place][0] == opening:
                    del self.marks[place]
                    break

    def _is_repealed(self) -> bool:
        return self.found.repealed_by is not None

    def inline(self, element: etree._Element, pieces: list[str], notes: list[str]) -> None:
        """Gather the words of an inline element."""
        if element.tag == "NOTE":
            self._note(element, notes)
            return
        if element.tag in ("QUOT.START", "QUOT.END"):
            pieces.append(_quotation_mark(element))
            return
        if element.tag in ("FORMULA", "INCL.ELEMENT"):
            if not self.gone:
                pieces.append(_formula(element))
            return
        if element.text and not self.gone:
            pieces.append(_grouped(element))
        for child in element:
            if isinstance(child, etree._ProcessingInstruction):
                self._instruction(child)
            elif isinstance(child.tag, str):
                self.inline(child, pieces, notes)
            if child.tail and not self.gone:
                pieces.append(child.tail)

    def _note(self, element: etree._Element, notes: list[str]) -> None:
        if self.gone:
            return
        pieces: list[str] = []
        for child in element:
            if isinstance(child.tag, str):
                self.inline(child, pieces, [])
                pieces.append(" ")
        key = element.get("NOTE.ID") or f"note{len(self.found.notes)}"
        if element.get("NOTE.REF") and not pieces:
            key = element.get("NOTE.REF", "")
        else:
            self.found.notes[key] = Note(f"({len(self.found.notes) + 1})", tidy("".join(pieces)))
        notes.append(key)

    def _flush(self, pieces: list[str], notes: list[str], depth: int, role: Role = Role.TEXT) -> None:
        text = tidy("".join(pieces))
        if text and not self.gone:
            self.found.blocks.append(Block(role, text, depth=depth, mark=self.mark, notes=tuple(notes)))

    def _line(self, element: etree._Element, role: Role, depth: int = 0, level: int = 0) -> None:
        pieces: list[str] = []
        notes: list[str] = []
        self.inline(element, pieces, notes)
        text = tidy("".join(pieces))
        if text and not self.gone:
            self.found.blocks.append(
                Block(role, text, depth=depth, level=level, mark=self.mark, notes=tuple(notes))
            )

    def title(self, element: etree._Element, first: Role, second: Role, level: int = 0) -> None:
        """A title of a division, an annex or the act, and its subtitle."""
        for part, role in (("TI", first), ("STI", second)):
            for found in element.iter(part):
                for line in found.iter("P") if found.find(".//P") is not None else (found,):
                    self._line(line, role, level=level)
                    role = second if role is first else role

    def _division(self, element: etree._Element, depth: int) -> None:
        title = element.find("TITLE")
        if title is not None:
            if self.quoted:
                self.title(title, Role.QUOTED_TITLE, Role.QUOTED_TITLE)
            elif self.annexed:
                self.title(title, Role.HEADING, Role.HEADING, level=1)
            else:
                self.title(title, Role.DIVISION, Role.DIVISION_TITLE)
            element.remove(title)
        self.children(element, depth)

    def _article(self, element: etree._Element, depth: int) -> None:
        quoted = self.quoted > 0
        for name, role in (("TI.ART", Role.ARTICLE), ("STI.ART", Role.ARTICLE_HEADING)):
            for found in element.findall(name):
                self._line(found, Role.QUOTED_TITLE if quoted else role, depth)
                found.text = None
                for child in list(found):
                    found.remove(child)
        self.children(element, depth)

    def _paragraph(self, element: etree._Element, depth: int) -> None:
        number = element.find("NO.PARAG")
        if number is not None:
            label = self._label(number)
            if not self.gone:
                self.found.blocks.append(Block(Role.TEXT, label=label, depth=depth, mark=self.mark))
            _empty(number)
        self.children(element, depth)

    def _point(self, element: etree._Element, depth: int) -> None:
        number = element.find("NO.P")
        if number is None:
            self.children(element, depth)
            return
        label = self._label(number)
        if not self.gone:
            self.found.blocks.append(Block(Role.POINT, label=label, depth=depth + 1, mark=self.mark))
        _empty(number)
        self.children(element, depth + 1)

    def _label(self, number: etree._Element) -> str:
        pieces: list[str] = []
        self.inline(number, pieces, [])
        return tidy("".join(pieces))

    def _recital(self, element: etree._Element, depth: int) -> None:
        self.children(element, depth)

    def _item(self, element: etree._Element, depth: int) -> None:
        if element.find("NP") is not None:
            self.children(element, depth)
            return
        if not self.gone:
            self.found.blocks.append(Block(Role.POINT, label="—", depth=depth + 1, mark=self.mark))
        self.children(element, depth + 1)

    def _annex(self, element: etree._Element, depth: int) -> None:
        self.annexed = True
        title = element.find("TITLE")
        if title is not None:
            self.title(title, Role.ANNEX, Role.ANNEX_TITLE)
            element.remove(title)
        self.children(element, depth)

    def _lettered_part(self, element: etree._Element, depth: int) -> None:
        """A part of an article with a title of its own: "A. Definitions"."""
        title = element.find("TITLE")
        if title is not None:
            words = tidy(" ".join(map(str, title.itertext())))
            if words and not self.gone:
                role = Role.QUOTED_TITLE if self.quoted else Role.TEXT
                self.found.blocks.append(Block(role, words, depth=depth, mark=self.mark))
            element.remove(title)
        self.children(element, depth)

    def _sequence(self, element: etree._Element, depth: int) -> None:
        level = sum(1 for above in element.iterancestors("GR.SEQ")) + 1
        title = element.find("TITLE")
        if title is not None:
            self.title(title, Role.HEADING, Role.HEADING, level=level)
            element.remove(title)
        self.children(element, depth)

    def _act_title(self, element: etree._Element, depth: int) -> None:
        self.title(element, Role.TITLE, Role.TITLE)

    def _table(self, element: etree._Element, depth: int) -> None:
        notes: list[str] = []
        lines = []
        title = element.find("TITLE")
        if title is not None:
            lines.append(_words(title))
        for row in element.iter("ROW"):
            cells = []
            for cell in row.iter("CELL"):
                pieces: list[str] = []
                self.inline(cell, pieces, notes)
                cells.append(tidy(" ".join(pieces)))
            lines.append(" | ".join(cells))
        text = "\n".join(line for line in lines if line.strip(" |"))
        if text and not self.gone:
            self.found.blocks.append(Block(Role.TABLE, text, depth=depth, mark=self.mark, notes=tuple(notes)))

    def _contents(self, element: etree._Element, depth: int) -> None:
        for entry in element.iter("TOC.ITEM"):
            self.found.blocks.append(Block(Role.CONTENTS, tidy(" ".join(map(str, entry.itertext())))))

    def _final(self, element: etree._Element, depth: int) -> None:
        for line in element.iter("P"):
            self._line(line, Role.FINAL)

    def _quotation(self, element: etree._Element, depth: int) -> None:
        self.quoted += 1
        self.children(element, depth)
        self.quoted -= 1

    def _nothing(self, element: etree._Element, depth: int) -> None:
        """Leave an element out."""


def _holds_list(element: etree._Element) -> bool:
    """Whether a point consists only of a list."""
    return element.tag == "TXT" and element.find("LIST") is not None


def _grouped(element: etree._Element) -> str:
    """The text of an element; a number is printed in groups of three digits, but stored without."""
    text = element.text or ""
    if element.tag == "FT" and element.get("TYPE") == "NUMBER" and text.isdecimal():
        return f"{int(text):,}".replace(",", " ")
    return text


def _words(element: etree._Element) -> str:
    return tidy("".join(map(str, element.itertext())))


def _formula(element: etree._Element) -> str:
    words = formula_text(element)
    return f" {words} " if PICTURE in words else f" {OPEN}{words}{CLOSE} "


def _empty(element: etree._Element) -> None:
    element.text = None
    for child in list(element):
        element.remove(child)


def _quotation_mark(element: etree._Element) -> str:
    try:
        return chr(int(element.get("CODE", "2018"), 16))
    except ValueError:
        return "‘"


_HANDLERS = {
    "TITLE": _Formex._act_title,
    "DIVISION": _Formex._division,
    "ARTICLE": _Formex._article,
    "PARAG": _Formex._paragraph,
    "NP": _Formex._point,
    "ITEM": _Formex._item,
    "CONSID": _Formex._recital,
    "CONS.ANNEX": _Formex._annex,
    "ANNEX": _Formex._annex,
    "GR.SEQ": _Formex._sequence,
    "TBL": _Formex._table,
    "TOC": _Formex._contents,
    "FINAL": _Formex._final,
    "QUOT.S": _Formex._quotation,
    "PREAMBLE": _Formex.children,
    "PREAMBLE.INIT": _Formex.children,
    "PREAMBLE.FINAL": _Formex.children,
    "GR.VISA": _Formex.children,
    "VISA": _Formex.children,
    "GR.CONSID": _Formex.children,
    "GR.CONSID.INIT": _Formex.children,
    "CONS.DOC": _Formex.children,
    "ENACTING.TERMS": _Formex.children,
    "CONTENTS": _Formex.children,
    "DLIST.ITEM": _Formex.children,
    "SUBDIV": _Formex._lettered_part,
    "GR.NOTES": _Formex._nothing,
    **dict.fromkeys(_NO_TEXT, _Formex._nothing),
}
