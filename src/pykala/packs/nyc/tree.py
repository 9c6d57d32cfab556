"""Build drafts from blocks: which paragraph is below which, and the name of each.

A section contains subdivisions, these contain paragraphs, these subparagraphs, these clauses. Whatever the
labels look like, the level gives the name, as in the code's own references ("paragraph (i) of this
subdivision").
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from pykala.law.provisions import Event, ProvisionKind
from pykala.law.validity import ALWAYS, Validity
from pykala.packs.nyc.blocks import Block, BlockKind, bare
from pykala.packs.nyc.history import Change, Standing, changes, standing

LEVELS = ("subd", "para", "subpara", "cl", "subcl", "item", "subitem")
CONTAINERS = ("chp", "subchp", "part")
_CONTAINER_KINDS = {
    "chp": ProvisionKind.CHAPTER,
    "subchp": ProvisionKind.DIVISION,
    "part": ProvisionKind.PART,
}
_CONTAINER_WORDS = {"chp": "Chapter", "subchp": "Subchapter", "part": "Part"}
_REPEALED = re.compile(r"\s*\[Repealed\.?\]$", re.IGNORECASE)
#: "Dwelling unit. The term “dwelling unit” means …", "“Retail” means …", "“State.” Any state …"
DEFINITION = re.compile(
    r"[\"“](?P<quoted>[^\"”]{2,90}?)[.,]?[\"”]|(?P<leading>[A-Z][^.\"“]{1,110})\. The term [\"“]?\w",
    re.DOTALL,
)
_SLUG = re.compile(r"[^a-z0-9]+")


@dataclass(slots=True)
class Draft:
    """A provision in the making, still without its identifier."""

    kind: ProvisionKind
    step: str
    number: str = ""
    label: str = ""
    heading: str = ""
    text: str = ""
    depth: int = 0
    line: int = 0
    standing: Standing = field(default_factory=Standing)
    changes: tuple[Change, ...] = ()  # of a history note
    children: list[Draft] = field(default_factory=list)

    @property
    def container(self) -> bool:
        """Whether sections below it leave it out of their identifiers."""
        return self.step in CONTAINERS

    def add(self, child: Draft) -> Draft:
        """Append a child and give it back."""
        self.children.append(child)
        return child


def build(blocks: Iterable[Block], title: str = "") -> Draft:
    """The drafts of a whole title, sections in the order of their numbers."""
    root = Draft(ProvisionKind.WORK, "work", heading=title)
    builder = _Builder(root)
    for block in blocks:
        builder.take(block)
    builder.close_section()
    _sort(root)
    return root


class _Builder:
    def __init__(self, root: Draft) -> None:
        self.places = [root]  # from the root down to the innermost container
        self.section: Draft | None = None
        self.open: list[Draft] = []  # the labelled provisions that are open below the section
        self.validity: Validity = ALWAYS

    def take(self, block: Block) -> None:
        self.validity = block.validity
        if block.kind is BlockKind.CONTAINER:
            self._container(block)
        elif block.kind is BlockKind.SECTION:
            self._section(block)
        elif block.kind in (BlockKind.HISTORY, BlockKind.NOTE):
            self._note(block)
        elif block.kind is BlockKind.TABLE:
            self._under(self._innermost(), ProvisionKind.TABLE, "table", block)
        else:
            self._text(block)

    def _container(self, block: Block) -> None:
        self.close_section()
        rank = CONTAINERS.index(block.unit)
        while len(self.places) > 1 and CONTAINERS.index(self.places[-1].step) >= rank:
            self.places.pop()
        named = (block.unit, block.number)
        again = [child for child in self.places[-1].children if (child.step, child.number) == named]
        if again and not block.line:  # JSON, which has no lines: another answer of the same chapter
            self.places.append(again[0])
            return
        draft = Draft(_CONTAINER_KINDS[block.unit], block.unit, block.number, line=block.line)
        draft.label = f"{_CONTAINER_WORDS[block.unit]} {block.number}"
        draft.heading, draft.standing = _heading(block)
        if draft.standing.event is Event.REPEALED:
            draft.text = "[Repealed]"
        self.places.append(self.places[-1].add(draft))

    def _section(self, block: Block) -> None:
        self.close_section()
        draft = Draft(ProvisionKind.SECTION, "sec", block.number, f"§ {block.number}", line=block.line)
        draft.heading, draft.standing = _heading(block)
        if draft.standing.event is Event.REPEALED:
            draft.text = "[Repealed]"
        self.section = self.places[-1].add(draft)

    def close_section(self) -> None:
        """Apply a section's notes to it and to everything below it: they do not say which words changed."""
        holder = self.section or self.places[-1]
        notes = [child.changes for child in holder.children if child.changes]
        if notes and holder.kind is not ProvisionKind.WORK:
            _stand(holder, standing(notes), deep=self.section is not None)
        self.section, self.open = None, []

    def _innermost(self) -> Draft:
        return self.open[-1] if self.open else self.section or self.places[-1]

    def _note(self, block: Block) -> None:
        if block.kind is BlockKind.HISTORY:
            holder = self.section or self.places[-1]
            note = self._under(holder, ProvisionKind.HISTORICAL_NOTE, "hist", block)
            note.changes = tuple(changes(block.text))
        else:
            # "* Editor's note: there are two divisions designated (n)" stands below the one it is about.
            about = self._innermost() if block.text.startswith("*") else self.section or self.places[-1]
            self._under(about, ProvisionKind.EDITORIAL_NOTE, "note", block)

    def _under(self, holder: Draft, kind: ProvisionKind, step: str, block: Block) -> Draft:
        draft = Draft(kind, step, text=block.text, depth=holder.depth + 1, line=block.line)
        draft.standing = Standing(self.validity)
        return holder.add(draft)

    def _text(self, block: Block) -> None:
        if block.labels:
            self._labelled(block)
        elif self.section is None:
            self._under(self.places[-1], ProvisionKind.FLUSH, "flush", block)
        elif block.depth and DEFINITION.match(block.text):
            self._definition(block)
        elif not self.open and not self.section.text and not self.section.children:
            self.section.text = block.text
        else:
            if block.depth:
                self._close(block.depth + 1)
            self._under(self._innermost(), ProvisionKind.FLUSH, "flush", block)

    def _close(self, depth: int) -> None:
        while self.open and self.open[-1].depth >= depth:
            self.open.pop()

    def _labelled(self, block: Block) -> None:
        holder = self.section
        if holder is None:
            holder = self.places[-1]
        first = block.depth + self._slipped(block)
        for offset, label in enumerate(block.labels):
            depth = first + offset
            self._close(depth)
            above = self.open[-1] if self.open else holder
            level = sum(draft.step in LEVELS for draft in self.open)
            step = LEVELS[min(level, len(LEVELS) - 1)]
            kind = ProvisionKind.SUBSECTION if step == "subd" else ProvisionKind.ITEM
            draft = Draft(kind, step, bare(label), label.rstrip("*"), depth=depth, line=block.line)
            draft.standing = Standing(self.validity)
            self.open.append(above.add(draft))
        draft.text = block.text
        if _REPEALED.fullmatch(block.text):
            draft.standing = Standing(self.validity, Event.REPEALED, history_unavailable=True)

    def _slipped(self, block: Block) -> int:
        """How many levels too far out a label stands: "(2)" beside "b.", after the "(1)" below it."""
        beside = next((draft for draft in self.open if draft.depth == block.depth), None)
        inner = [child for child in beside.children if child.step in LEVELS] if beside is not None else []
        if beside is None or not inner or _form(beside.label) == _form(block.labels[0]):
            return 0
        return int(
            _form(inner[-1].label) == _form(block.labels[0]) and _follows(inner[-1].number, block.labels[0])
        )

    def _definition(self, block: Block) -> None:
        self._close(block.depth)
        match = DEFINITION.match(block.text)
        assert match is not None
        term = match["quoted"] or match["leading"]
        draft = Draft(ProvisionKind.DEFINITION, "def", slug(term), text=block.text, depth=block.depth)
        draft.line, draft.standing = block.line, Standing(self.validity)
        self.open.append(self._innermost().add(draft))


def _form(label: str) -> str:
    """How a label is written: "b." is "a.", "(2)" is "(1)"."""
    return re.sub(r"[a-z]+", "a", re.sub(r"[A-Z]+", "A", re.sub(r"\d+", "1", label.rstrip("*"))))


def _follows(number: str, label: str) -> bool:
    """Whether a label is the number right after another: 2 after 1, c after b."""
    here = bare(label)
    if number.isdecimal() and here.isdecimal():
        return int(here) == int(number) + 1
    return len(number) == len(here) == 1 and ord(here) == ord(number) + 1


def slug(term: str) -> str:
    """A term as a step writes it: "Tax appeals tribunal" is tax-appeals-tribunal."""
    return _SLUG.sub("-", term.casefold()).strip("-") or "term"


def _heading(block: Block) -> tuple[str, Standing]:
    repealed = _REPEALED.search(block.text)
    title = _REPEALED.sub("", block.text).strip()
    title = title if title.endswith("etc.") else title.removesuffix(".")
    if repealed:
        return title, Standing(block.validity, Event.REPEALED, history_unavailable=True)
    return title, Standing(block.validity)


def _stand(draft: Draft, new: Standing, *, deep: bool) -> None:
    gone = draft.standing.event is Event.REPEALED
    unavailable = new.history_unavailable or draft.standing.history_unavailable
    validity = new.validity if draft.standing.validity == ALWAYS else draft.standing.validity
    event = Event.REPEALED if gone else new.event
    draft.standing = Standing(validity, event, new.source_act, new.application, unavailable)
    if deep:
        for child in draft.children:
            if child.kind not in (ProvisionKind.HISTORICAL_NOTE, ProvisionKind.EDITORIAL_NOTE):
                _stand(child, new, deep=True)


_NUMBER = re.compile(r"\d+")


def _sort(root: Draft) -> None:
    """Put sections that stand outside all chapters ("§ 11-121" before "Chapter 2") where their numbers do.

    Inside a chapter the source's own order holds: there 11-245.46 rightly stands before 11-245.5.
    """
    root.children.sort(key=_place)


def _place(draft: Draft) -> int:
    numbers = [int(digits) for digits in _NUMBER.findall(draft.number)]
    if draft.step == "sec" and len(numbers) > 1:
        return numbers[1]
    # Chapter 17 holds 11-1701 and on.
    return numbers[0] * 100 if draft.step == "chp" else -1
