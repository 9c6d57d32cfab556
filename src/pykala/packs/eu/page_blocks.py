"""The pages of EUR-Lex with marked-up structure: the Official Journal's and the consolidated ones.

Their classes differ by age (`oj-ti-art`, `ti-art`, `title-article-norm`, or styles alone), and lists are
tables of two columns, grids or indented lines. All of them give the same blocks.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from lxml import etree

from pykala.packs.left_out import PICTURE

from .blocks import Block, Blocks, Mark, Note, Role
from .inline import Run, clean, opens_and_closes, tidy
from .labels import LABEL, annex, article_number, division
from .page_tables import is_list, list_rows, table_text
from .page_titles import (
    APPARATUS,
    heading_level,
    is_consolidated,
    repealing_act,
    role_by_style,
    role_of,
)
from .page_tree import classes, is_block, words_of

_HANGING = re.compile(r"text-indent:\s*-\d")
_WORD = re.compile(r"\w")
_QUOTES = "‘“«„\"'"
#: What the Official Journal prints below an act: where the act and the journal themselves are kept.
_IMPRINT = re.compile(r"ELI: https?://data\.europa\.eu/\S+|ISSN \d{4}-\d{3}[\dX](?: \([^)]{1,40}\))?")


def read_page(body: etree._Element) -> Blocks:
    """The blocks of a page with structure."""
    repealing = repealing_act(body)
    if repealing is not None:
        return Blocks(layout="notice of repeal", repealed_by=repealing, apparatus=[words_of(body)])
    walker = _Walker(consolidated=is_consolidated(body), eli=_has_eli(body))
    walker.found.layout = _layout(body, walker)
    walker.flow(body, 0, ())
    return walker.found


def _has_eli(body: etree._Element) -> bool:
    return any(division.get("class", "").startswith("eli-") for division in body.iter("div"))


def _layout(body: etree._Element, walker: _Walker) -> str:
    if walker.consolidated:
        if not any(classes(p) for p in body.iter("p")):
            return "consolidated by styles"
        return "consolidated + eli" if walker.eli else "consolidated without eli"
    prefixed = any("oj-" in p.get("class", "") for p in body.iter("p"))
    if prefixed:
        return "oj + eli" if walker.eli else "oj without eli"
    return "unprefixed"


@dataclass(slots=True)
class _Walker:
    consolidated: bool
    eli: bool
    found: Blocks = field(default_factory=Blocks)
    mark: Mark | None = None
    arrows: list[Mark | None] = field(default_factory=list)
    begun: bool = False  # a consolidated text begins with its first ▼
    annexed: bool = False  # within an annex' own container
    annex_titled: bool = False
    final: bool = False
    last_article: int = -4001  # its number among the blocks
    own_article: bool = False  # within the container of an article of this act

    def flow(self, element: etree._Element, depth: int, names: tuple[str, ...]) -> None:
        """Read an element: inline content becomes blocks of its class, block elements their own."""
        run = Run()
        run.add_text(element.text)
        for child in element:
            if not isinstance(child.tag, str):
                run.add_text(child.tail)
                continue
            if is_block(child):
                self.emit(run, names, depth, element)
                run = Run()
                self.block(child, depth)
            else:
                run.add(child)
            run.add_text(child.tail)
        self.emit(run, names, depth, element)

    def block(self, element: etree._Element, depth: int) -> None:
        """Read one block element."""
        names = classes(element)
        if element.tag == "table":
            self._table(element, depth)
        elif "grid-list" in names:
            self._grid_item(element, depth)
        elif self._is_note(element, names):
            self._note(element)
        elif "modref" in names:
            self._modref(element)
        elif not APPARATUS.isdisjoint(names):
            self._set_aside(element, names)
        elif element.tag == "div":
            self._div(element, depth, names)
        else:
            self.flow(element, depth, names)

    def emit(self, run: Run, names: tuple[str, ...], depth: int, element: etree._Element) -> None:
        """Make a block of a run of inline content."""
        raw = run.raw()
        if not run.notes and not run.images and not raw.strip():
            return  # the space between two elements
        opened, closed = opens_and_closes(raw)
        text = clean(raw)
        self.found.images += run.images
        if "▼" in raw and run.marks:
            self._turn(run.marks[-1], text)
            return
        if self.consolidated and not self.begun:
            if text:
                self.found.apparatus.append(text)
            return
        mark = run.marks[-1] if run.marks else (self.arrows[-1] if self.arrows else self.mark)
        self._balance(opened - closed, mark)
        if not _WORD.search(text) and PICTURE not in text:
            self._append(text)
            if run.notes and self.found.blocks:
                self._attach(run.notes)
            return
        role = None if _IMPRINT.fullmatch(text) else self._role(text, names, depth, element)
        if role is None:
            self.found.apparatus.append(text)
            return
        level = heading_level(names) if role is Role.HEADING else 0
        if role is Role.ARTICLE:
            self.last_article = len(self.found.blocks)
        self.found.blocks.append(
            Block(role, text, depth=depth, level=level, mark=mark, notes=tuple(run.notes))
        )

    def _turn(self, mark: Mark, text: str) -> None:
        """From here on the text comes from another act. Deleted text leaves only its dashes."""
        self.begun = True
        self.arrows.clear()
        self.mark = None if mark.action in ("DELETED", "REPEALED") else mark
        if _WORD.search(text):
            self.found.blocks.append(Block(Role.TEXT, text, mark=self.mark))

    def _balance(self, net: int, mark: Mark | None) -> None:
        if net > 0:
            self.arrows.extend([mark] * net)
        elif net < 0:
            del self.arrows[net:]

    def _append(self, text: str) -> None:
        """A loose sign ("; " after a closed paragraph) belongs to the words before it."""
        blocks = self.found.blocks
        if text and blocks and blocks[-1].role in (Role.TEXT, Role.QUOTED_TITLE) and text[0] in ",;.:’”»)":
            last = blocks[-1]
            blocks[-1] = Block(
                last.role, last.text + text, last.label, last.depth, last.level, last.mark, last.notes
            )

    def _attach(self, notes: list[str]) -> None:
        last = self.found.blocks[-1]
        self.found.blocks[-1] = Block(
            last.role, last.text, last.label, last.depth, last.level, last.mark, (*last.notes, *notes)
        )

    def _role(self, text: str, names: tuple[str, ...], depth: int, element: etree._Element) -> Role | None:
        role = role_of(names)
        if role is None and not names:
            role = role_by_style(text, element)
        if role is Role.TITLE:
            return self._title_role(text)
        if role in (Role.ARTICLE, Role.ARTICLE_HEADING, Role.DIVISION, Role.DIVISION_TITLE):
            return self._own_or_quoted(role, text, depth)
        if self.final:
            return Role.FINAL
        return role or Role.TEXT

    def _own_or_quoted(self, role: Role, text: str, depth: int) -> Role:
        """The role of a title: one of the act's own, or one quoted from another act."""
        if depth > 0 or text[:1] in _QUOTES:
            return Role.QUOTED_TITLE
        if role is Role.ARTICLE and self.eli and not (self.own_article or self.annexed or self.consolidated):
            return Role.QUOTED_TITLE
        if role is Role.ARTICLE:
            self.own_article = False  # its container has one title, so another title in it is quoted
        if role is Role.ARTICLE and not article_number(text):
            return Role.DIVISION if division(text) else Role.HEADING
        return role

    def _title_role(self, text: str) -> Role:
        articles = len(self.found.blocks) - self.last_article <= 4000
        if self.annexed and not self.annex_titled:
            self.annex_titled = True
            return Role.ANNEX
        if self.annexed:
            return Role.ANNEX_TITLE
        if articles and annex(text):
            return Role.ANNEX
        return Role.ANNEX_TITLE if articles else Role.TITLE

    def _div(self, element: etree._Element, depth: int, names: tuple[str, ...]) -> None:
        identity = element.get("id", "")
        if _HANGING.search(element.get("style", "")) and (label := _hanging_label(element)):
            self._item(label, depth)
            self.flow(element, depth + 1, names)
        elif "enumeration-spacing" in names:
            self._enumeration(element, depth)
        elif (number := element.find("span")) is not None and "no-parag" in classes(number):
            self._numbered(element, number, depth)
        elif identity.startswith("anx_") and "eli-container" in names:
            self.annexed, self.annex_titled = True, False
            self.flow(element, depth, names)
            self.annexed = False
        elif identity.startswith("art_") and depth == 0:
            was, self.own_article = self.own_article, True
            self.flow(element, depth, names)
            self.own_article = was
        elif identity.startswith("fnp_") or "final" in names:
            was, self.final = self.final, True
            self.flow(element, depth, names)
            self.final = was
        else:
            self.flow(element, depth, names)

    def _item(self, label: str, depth: int, mark: Mark | None = None) -> None:
        mark = mark or (self.arrows[-1] if self.arrows else self.mark)
        self.found.blocks.append(Block(Role.POINT, label=label, depth=depth + 1, mark=mark))

    def _labelled(self, element: etree._Element, depth: int) -> None:
        """The label of an item in a cell of its own, with the arrows that may stand beside it."""
        run = Run()
        _gather(element, run)
        raw = run.raw()
        opened, closed = opens_and_closes(raw)
        mark = run.marks[-1] if run.marks else None
        self._balance(opened - closed, mark)
        self._item(clean(raw), depth, mark)

    def _grid_item(self, element: etree._Element, depth: int) -> None:
        columns = [child for child in element if isinstance(child.tag, str)]
        first = next((child for child in columns if "grid-list-column-1" in classes(child)), None)
        if first is None:
            self.flow(element, depth, ())
            return
        self._labelled(first, depth)
        for child in columns:
            if child is not first:
                self.flow(child, depth + 1, ())

    def _enumeration(self, element: etree._Element, depth: int) -> None:
        first, *rest = [child for child in element if isinstance(child.tag, str)] or [element]
        if not rest:
            self.flow(element, depth, ())
            return
        self._labelled(first, depth)
        for child in rest:
            self.flow(child, depth + 1, ())

    def _numbered(self, element: etree._Element, number: etree._Element, depth: int) -> None:
        run = Run()
        run.add(number)
        mark = run.marks[-1] if run.marks else (self.arrows[-1] if self.arrows else self.mark)
        opened, closed = opens_and_closes(run.raw())
        self._balance(opened - closed, mark)
        self.found.blocks.append(Block(Role.TEXT, label=run.text(), depth=depth, mark=mark))
        tail = number.tail
        element.remove(number)
        element.text = (element.text or "") + (tail or "")
        self.flow(element, depth, classes(element))

    def _table(self, table: etree._Element, depth: int) -> None:
        if self.consolidated and not self.begun and not _holds_turn(table):
            self.found.apparatus.append(words_of(table))
        elif any(not APPARATUS.isdisjoint(classes(p)) for p in table.iter("p")):
            self._set_aside(table, ())
        elif any("toc-item" in classes(p) for p in table.iter("p")):
            lines = [words_of(row) for row in table.iter("tr")]
            self.found.blocks.extend(Block(Role.CONTENTS, line) for line in lines if line)
        elif is_list(table):
            for label, cells in list_rows(table):
                self._labelled(label, depth)
                for cell in cells:
                    self.flow(cell, depth + 1, ())
        else:
            run = Run()
            text = table_text(table, run)
            self.found.images += run.images
            mark = self.arrows[-1] if self.arrows else self.mark
            if text:
                self.found.blocks.append(
                    Block(Role.TABLE, text, depth=depth, mark=mark, notes=tuple(run.notes))
                )

    def _set_aside(self, element: etree._Element, names: tuple[str, ...]) -> None:
        for p in element.iter("p"):
            if "hd-date" in classes(p):
                self.found.published = tidy("".join(map(str, p.itertext())))
        self.found.apparatus.append(words_of(element))

    def _modref(self, element: etree._Element) -> None:
        run = Run()
        _gather(element, run)
        if run.marks:
            self._turn(run.marks[-1], clean(run.raw()))
        elif text := run.text():
            self.found.apparatus.append(text)

    def _is_note(self, element: etree._Element, names: tuple[str, ...]) -> bool:
        if "note" in names or "footnote" in names:
            return element.tag == "p"
        first = element.find("a")
        return (
            element.tag == "p"
            and first is not None
            and first.get("href", "").startswith(("#src.", "#ntc"))
            and tidy(element.text or "") in ("", "(")
        )

    def _note(self, element: etree._Element) -> None:
        anchors = [a for a in element.iter("a") if a.get("id") or a.get("name")]
        before = element.getprevious()
        if before is not None and before.tag == "a":
            anchors.append(before)
        first = element.find("a")
        label = tidy("".join(map(str, first.itertext()))) if first is not None else ""
        run = Run()
        run.add_text(element.text)
        for child in element:
            if child is not first:
                run.add(child)
            run.add_text(child.tail)
        text = run.text().lstrip("() ")
        note = Note(f"({label.strip('() ')})", text)
        for anchor in anchors:
            self.found.notes[anchor.get("id") or anchor.get("name") or ""] = note
        if not anchors:
            self.found.notes[f"note {len(self.found.notes)}"] = note  # nobody refers to it: a note of the act


def _gather(element: etree._Element, run: Run) -> None:
    run.add_text(element.text)
    for child in element:
        run.add(child)
        run.add_text(child.tail)


def _holds_turn(table: etree._Element) -> bool:
    return any("▼" in "".join(map(str, anchor.itertext())) for anchor in table.iter("a"))


def _hanging_label(element: etree._Element) -> str:
    """The label before the wide space of an indented line: "(a)", "—"; "" where the line has none."""
    first = next((child for child in element if child.tag in ("p", "span", "div")), None)
    if first is None:
        return ""
    run = Run()
    run.add_text(first.text)
    for child in first:
        if child.tag == "span" and "word-spacing" in child.get("style", ""):
            label = clean(run.raw())
            if not label or not LABEL.fullmatch(label):
                return ""
            _cut_before(first, child)
            return label
        run.add(child)
        run.add_text(child.tail)
    return ""


def _cut_before(holder: etree._Element, space: etree._Element) -> None:
    """Remove a label from its line, but keep the arrows before it."""
    holder.text = None
    for child in list(holder):
        if child is space:
            tail, space.text = space.tail or "", None
            space.tail = tail.lstrip()
            return
        child.tail = None
        if child.tag != "a":
            holder.remove(child)
