"""Build provisions from blocks: headings and numbers determine the place of each block.

Every list of labels has a shape ("(a)", "1.1"). A label of an open shape continues that list, if it is the
next number. A label that starts again ("1." inside "4.") opens a new list below the open one. "Chapter 2"
closes everything below chapters. Headings of the format itself (Markdown, HTML, Word) go by their level.
Every word of every block is in the label, the heading or the text of exactly one provision.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import Provision, ProvisionKind, Version

from .blocks import Block, BlockKind
from .labels import ITEM_RANK, Label, is_title, read_label

_KINDS = {
    "sched": ProvisionKind.SCHEDULE,
    "part": ProvisionKind.PART,
    "chp": ProvisionKind.CHAPTER,
    "sec": ProvisionKind.SECTION,
    "subsec": ProvisionKind.SUBSECTION,
    "art": ProvisionKind.ARTICLE,
    "pnt": ProvisionKind.ITEM,
    "head": ProvisionKind.HEADING,
}
#: Places that are not part of their contents' citations, as long as the numbers below do not restart.
_PASSED_OVER = {"part", "chp", "head"}
_HEADING_RANK = 22  # with its level: an unnumbered heading stands below chapters and above sections
_DEEPEST = 40  # a bound on nesting, beyond what any outline of shapes reaches
_UNFIT = re.compile(r"[^\w.\-]+")
_LONGEST_NUMBER = 24
_LEADING = frozenset(":;,–—")  # how a paragraph ends that leads into a list


@dataclass(slots=True)
class _Place:
    """A provision while it is open."""

    id: ProvisionId
    step: str
    kind: ProvisionKind
    rank: int
    shape: str = ""
    order: int = 0
    label: str = ""
    heading: str = ""
    text: str = ""
    children: list[_Place] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)

    @property
    def bare(self) -> bool:
        return not self.text and not self.children

    def next(self, step: str) -> ProvisionId:
        self.counts[step] = self.counts.get(step, 0) + 1
        return self.id.child(step, str(self.counts[step]))


def build(root: ProvisionId, title: str, blocks: Iterable[Block]) -> Provision:
    """The tree of an upload under its root, whose heading is the title that the upload is known by."""
    outline = _Outline(root, title)
    for block in blocks:
        outline.add(block)
    return _frozen(outline.top)


_Closes = Callable[[_Place], bool]


class _Outline:
    def __init__(self, root: ProvisionId, title: str) -> None:
        self.top = _Place(root, "", ProvisionKind.WORK, 0, heading=title)
        self._open = [self.top]
        self._taken = {root}
        self._copies: dict[ProvisionId, int] = {}

    def add(self, block: Block) -> None:
        if block.kind in (BlockKind.TABLE, BlockKind.FOOTNOTE):
            self._set_apart(block)
            return
        label = _label(block)
        if block.kind is BlockKind.HEADING:
            self._head(block, label)
        elif label is not None and len(self._open) < _DEEPEST:
            self._number(label)
        elif block.label or block.kind is BlockKind.ITEM:
            self._number(Label(block.label, f"list{block.level}", "", block.text, "pnt", ITEM_RANK))
        else:
            self._paragraph(block.text)

    # Where a block goes

    def _head(self, block: Block, label: Label | None) -> None:
        words = f"{block.label} {block.text}" if block.label else block.text
        unnumbered = label is None or label.rank >= ITEM_RANK
        if unnumbered and self._awaits_heading():
            self._open[-1].heading = words
            return
        level = max(0, min(block.level, 9))
        # A heading of the format closes what stands below its level, whatever that is numbered by.
        self._close(lambda place: not _stands_above(place, level))
        if label is None or unnumbered:
            rank = _HEADING_RANK + level
            place = self._place(self._open[-1], "head", "", rank, f"h{level}", heading=words)
        else:
            place = self._numbered(label, shape=f"h{level}", rank=_HEADING_RANK + level)
            _head(place, label.rest)
        self._push(place)

    def _awaits_heading(self) -> bool:
        """Whether an open number has nothing yet: "Article 3" on one line, "Payment" below."""
        last = self._open[-1]
        return bool(last.label) and last.rank < ITEM_RANK and not last.heading and last.bare

    def _number(self, label: Label) -> None:
        label, at = self._list_of(label)
        if at is not None:
            del self._open[at:]
        elif label.rank < ITEM_RANK:
            self._close(lambda place: place.rank >= label.rank and not _holds(place, label))
        place = self._numbered(label, shape=label.shape, rank=label.rank)
        if label.rank < ITEM_RANK and is_title(label.rest):
            _head(place, label.rest)
        else:
            place.text = label.rest
        self._push(place)

    def _list_of(self, label: Label) -> tuple[Label, int | None]:
        """The label as its neighbours show it, and the open place beside which it goes; None: a new list."""
        readings = [label] if label.other is None else [label, label.other]
        for reading in readings:
            for at in range(len(self._open) - 1, 0, -1):
                place = self._open[at]
                if place.shape == reading.shape and reading.order and place.order + 1 == reading.order:
                    return reading, at
        for reading in readings:
            # A place with a named unit does not contain its own kind; a list may contain another that begins
            # with 1.
            if reading.order == 1 and (reading.shape == "dec1" or reading.rank >= ITEM_RANK):
                return reading, None
        for reading in readings:
            for at in range(len(self._open) - 1, 0, -1):
                if self._open[at].shape == reading.shape:
                    return reading, at
        return label, None

    def _paragraph(self, words: str) -> None:
        if self._awaits_heading() and is_title(words):
            self._open[-1].heading = words
            return
        self._close(lambda place: place.rank >= ITEM_RANK)
        last = self._open[-1]
        if last.shape == "para" and words[:1].islower() and last.children:
            self._leaf(last, "flush", ProvisionKind.FLUSH, words)
            return
        self._close(lambda place: place.shape == "para")
        parent = self._open[-1]
        if parent is not self.top and parent.bare:
            parent.text = words
            return
        after_list = bool(parent.children) and parent.children[-1].kind is ProvisionKind.ITEM
        flush = after_list and words[:1].islower()
        leaf = self._leaf(parent, "para", ProvisionKind.FLUSH if flush else ProvisionKind.SUBSECTION, words)
        if words[-1:] in _LEADING:
            # "The fee covers:" holds the list that follows it.
            leaf.shape, leaf.rank = "para", ITEM_RANK - 1
            self._open.append(leaf)

    def _set_apart(self, block: Block) -> None:
        table = block.kind is BlockKind.TABLE
        step, kind = ("table", ProvisionKind.TABLE) if table else ("note", ProvisionKind.FOOTNOTE)
        if table:
            self._close(lambda place: place.rank >= ITEM_RANK)
        leaf = self._leaf(self._open[-1], step, kind, block.text)
        leaf.label = block.label

    # Opening and closing

    def _close(self, closes: _Closes) -> None:
        while len(self._open) > 1 and closes(self._open[-1]):
            self._open.pop()

    def _push(self, place: _Place) -> None:
        self._open[-1].children.append(place)
        self._open.append(place)

    def _leaf(self, parent: _Place, step: str, kind: ProvisionKind, text: str) -> _Place:
        leaf = _Place(self._free(parent.next(step)), step, kind, ITEM_RANK, text=text)
        parent.children.append(leaf)
        return leaf

    def _numbered(self, label: Label, *, shape: str, rank: int) -> _Place:
        parent, step = self._open[-1], label.step
        inside = [
            place for place in self._open if place.kind in (ProvisionKind.SECTION, ProvisionKind.ARTICLE)
        ]
        if label.shape == "dec1" and parent.rank >= ITEM_RANK:
            step = "pnt"
        elif label.shape == "dec1" and inside:
            step = "subsec"
        elif step == "subsec" and not inside:
            step = "sec"  # "1.1" where no "1" stands before it
        elif label.shape == "(1)" and parent.kind in (ProvisionKind.SECTION, ProvisionKind.ARTICLE):
            step = "subsec"
        return self._place(parent, step, label.number, rank, shape, label=label.printed, order=label.order)

    def _place(
        self,
        parent: _Place,
        step: str,
        number: str,
        rank: int,
        shape: str,
        *,
        label: str = "",
        heading: str = "",
        order: int = 0,
    ) -> _Place:
        number = _UNFIT.sub("-", number)[:_LONGEST_NUMBER].strip("-")
        if number:
            over = _PASSED_OVER if step != "pnt" else ()
            outside = next((place for place in reversed(self._open) if place.step not in over), self.top)
            wanted = outside.id.child(step, number)
            if wanted in self._taken:
                wanted = parent.id.child(step, number)
        else:
            wanted = (self.top if step == "head" else parent).next(step)
        # A bullet is not a number, so it is not part of the text.
        printed = "" if shape == "bullet" else label
        return _Place(self._free(wanted), step, _KINDS[step], rank, shape, order, printed, heading)

    def _free(self, wanted: ProvisionId) -> ProvisionId:
        identifier = wanted
        last = wanted.last
        assert last is not None
        while identifier in self._taken:
            # Continue counting instead of starting at 2: a file may say "1." a hundred thousand times.
            copy = self._copies[wanted] = self._copies.get(wanted, 1) + 1
            identifier = wanted.parent.child(last.kind, f"{last.number}-{copy}")
        self._taken.add(identifier)
        return identifier


def _label(block: Block) -> Label | None:
    if not block.label:
        return read_label(block.text)
    # The format says that this is a number, so that no words need to show it.
    number = block.label if block.label[-1] in ".)" else f"{block.label}."
    label = read_label(number)
    return replace(label, printed=block.label, rest=block.text) if label and not label.rest else None


def _head(place: _Place, words: str) -> None:
    """Give a numbered place its heading: one that has a heading can be found by it."""
    place.heading = words
    if place.step == "subsec" and words:
        place.kind = ProvisionKind.SECTION


def _stands_above(place: _Place, level: int) -> bool:
    """Whether an open place may hold a heading of a level: a higher heading, or a chapter named so."""
    if place.shape[:1] == "h" and place.shape[1:].isdigit():
        return int(place.shape[1:]) < level
    return place.rank < _HEADING_RANK


def _holds(place: _Place, label: Label) -> bool:
    """Whether an open place holds a label that would rank above it: "1." below a list's "(1)"."""
    return place.rank >= ITEM_RANK and label.shape == "dec1" and label.order == 1


def _frozen(place: _Place) -> Provision:
    # Depth is bounded by _DEEPEST, so that recursion is too.
    return Provision(
        place.id,
        place.kind,
        place.label,
        (Version(place.text, heading=place.heading),),
        tuple(_frozen(child) for child in place.children),
    )


_DIVIDING = {
    ProvisionKind.PART,
    ProvisionKind.CHAPTER,
    ProvisionKind.HEADING,
    ProvisionKind.SCHEDULE,
    ProvisionKind.SECTION,
    ProvisionKind.ARTICLE,
}


def sections(root: Provision) -> Sequence[tuple[tuple[Provision, ...], Provision]]:
    """Every headed or numbered place, with the text directly under it."""
    found: list[tuple[tuple[Provision, ...], Provision]] = []
    stack: list[tuple[tuple[Provision, ...], Provision]] = [((), root)]
    while stack:
        ancestors, place = stack.pop()
        inner = [child for child in place.children if child.kind in _DIVIDING]
        own = tuple(child for child in place.children if child.kind not in _DIVIDING)
        if place.kind is ProvisionKind.WORK:
            # Paragraphs under no heading stand for themselves: each can be found and cited alone.
            found.extend(((place,), child) for child in own)
        elif own or not inner or any(version.text for version in place.versions):
            found.append((ancestors, replace(place, children=own)))
        stack.extend(((*ancestors, place), child) for child in reversed(inner))
    return found
