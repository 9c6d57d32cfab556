"""A treaty's blocks as provisions: chapters, articles, numbered paragraphs, points, boxes between them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Provision, ProvisionKind, Version
from pykala.law.validity import ALWAYS
from pykala.packs.finland.pages.blocks import Block
from pykala.packs.finland.pages.statute_page_tree import mend
from pykala.packs.finland.spacing import number_of
from pykala.packs.finland.taken_places import TakenPlaces

_ARTICLE = re.compile(
    r"^(?P<label>\d{1,2}\s?[A-Za-z]?\s?artikla)\b\s*(?P<changed>\(\s?Sop[Ss][^)]*\)\s*)?[-–:.]?\s*(?P<heading>.*)$",
    re.I,
)
_CHAPTER = re.compile(r"^(?P<label>[IVX]{1,5}\.?\s?luku)\b\s*[-–:.]?\s*(?P<heading>.*)$", re.I)
_PROTOCOL = re.compile(r"^(?:LISÄ)?PÖYTÄKIRJA\b.{0,60}$|^(?:Lisä)?[Pp]öytäkirja$")
_PARAGRAPH = re.compile(r"^(?P<label>\d{1,2}\s?[a-z]?\s?\.)\s+(?=\S)")
_POINT = re.compile(r"^(?P<label>\(?[a-zåäö]\)|\(?[a-z]{2}\))\s+(?=\S)")
_SUBPOINT = re.compile(r"^(?P<label>\(?(?:\d{1,2}|[ivx]{1,5})\))\s+(?=\S)")


@dataclass(slots=True)
class _Node:
    """A provision while it is being filled."""

    id: ProvisionId
    kind: ProvisionKind
    label: str = ""
    heading: str = ""
    text: list[str] = field(default_factory=list)
    children: list[_Node] = field(default_factory=list)


class TreatyTree:
    """Builds the provisions of one treaty; every block ends up in exactly one of them."""

    def __init__(self, work: WorkId, observed_at: date | None) -> None:
        self.root = ProvisionId(work)
        self.observed_at = observed_at
        self.taken = TakenPlaces()
        self.home = _Node(self.root, ProvisionKind.WORK)  # work, chapter or protocol
        self.article: _Node | None = None
        self.levels: list[_Node] = []  # the paragraph and the point that are open
        self.box: _Node | None = None

    def build(self, title: str, label: str, blocks: Sequence[Block]) -> Provision:
        """The treaty of a page, from the blocks below its title; `label` is its number as printed."""
        top = self.home
        top.label, top.heading = label, title
        for block in blocks:
            self._take(block, mend(block.text), top)
        return self._frozen(top)

    def _take(self, block: Block, text: str, top: _Node) -> None:
        if block.boxed:
            self._take_box(block, text)
            return
        self.box = None
        is_heading = block.kind == "heading"
        if found := _ARTICLE.match(text) if is_heading else None:
            home = self.home.id if self.home.kind is ProvisionKind.SCHEDULE else self.root
            heading = " ".join(filter(None, (found["heading"], (found["changed"] or "").strip())))
            self.article = self._open(
                self.home,
                home,
                "art",
                number_of(found["label"]),
                ProvisionKind.ARTICLE,
                found["label"],
                heading,
            )
        elif found := _CHAPTER.match(text) if is_heading else None:
            self.home = self._open(
                top,
                self.root,
                "chp",
                number_of(found["label"]),
                ProvisionKind.CHAPTER,
                found["label"],
                found["heading"],
            )
            self.article = None
        elif _PROTOCOL.match(text):
            self.home = self._open(top, self.root, "protocol", "", ProvisionKind.SCHEDULE, "", text)
            self.article = None
        elif is_heading:
            self._open(self._place(), self._place().id, "head", "", ProvisionKind.HEADING, "", text)
        else:
            self._take_words(text)
            return
        self.levels = []

    def _place(self) -> _Node:
        return self.article or self.home

    def _take_box(self, block: Block, text: str) -> None:
        if self.box is None:
            place = self._place()
            self.box = self._open(place, place.id, "mli", "", ProvisionKind.RELATED_PROVISION, "", "")
        if block.kind == "heading" and not self.box.heading:
            self.box.heading = text
        else:
            self.box.text.append(text)

    def _take_words(self, text: str) -> None:
        place = self._place()
        paragraph, point, below = _PARAGRAPH.match(text), _POINT.match(text), _SUBPOINT.match(text)
        if place.kind is ProvisionKind.WORK:
            self._preamble(place, text)
        elif paragraph:
            made = self._numbered(place, "para", ProvisionKind.SUBSECTION, paragraph, text)
            self.levels = [made]
        elif below and (len(self.levels) > 1 or not point):
            # "1)" below "a)", and "i)" below it too; "i)" after "h)" is the next letter.
            self._take_below(place, below, text)
        elif point:
            parent = self.levels[0] if self.levels else self._opened(place)
            self.levels = [parent, self._numbered(parent, "point", ProvisionKind.ITEM, point, text)]
        elif self.levels and (text[:1].islower() or text[:1] in "(["):
            owner = self.levels[0]
            flush = self._open(owner, owner.id, "flush", "", ProvisionKind.FLUSH, "", "")
            flush.text.append(text)
        else:
            made = self._open(place, place.id, "para", "", ProvisionKind.SUBSECTION, "", "")
            made.text.append(text)
            self.levels = [made]

    def _take_below(self, place: _Node, found: re.Match[str], text: str) -> None:
        letters = found["label"].strip("()")
        parent = (
            self.levels[1] if len(self.levels) > 1 else self.levels[0] if self.levels else self._opened(place)
        )
        before = parent.label.strip("()")
        if len(letters) == 1 and letters.isalpha() and len(before) == 1 and ord(letters) == ord(before) + 1:
            owner = self.levels[0]
            self.levels = [owner, self._numbered(owner, "point", ProvisionKind.ITEM, found, text)]
            return
        step = "subpoint" if len(self.levels) > 1 else "point"
        self._numbered(parent, step, ProvisionKind.ITEM, found, text)

    def _opened(self, place: _Node) -> _Node:
        """A paragraph without words of its own, for points that stand below none."""
        made = self._open(place, place.id, "para", "", ProvisionKind.SUBSECTION, "", "")
        self.levels = [made]
        return made

    def _preamble(self, place: _Node, text: str) -> None:
        last = place.children[-1] if place.children else None
        if last is None or last.kind is not ProvisionKind.PREAMBLE:
            last = self._open(place, place.id, "preamble", "", ProvisionKind.PREAMBLE, "", "")
        last.text.append(text)

    def _numbered(
        self, parent: _Node, step: str, kind: ProvisionKind, found: re.Match[str], text: str
    ) -> _Node:
        label = found["label"]
        number = re.sub(r"[^0-9a-zåäö]", "", label.lower())
        made = self._open(parent, parent.id, step, number, kind, label, "")
        made.text.append(text[found.end() :])
        return made

    def _open(
        self,
        parent: _Node,
        home: ProvisionId,
        step: str,
        number: str,
        kind: ProvisionKind,
        label: str,
        heading: str,
    ) -> _Node:
        """A new provision below a parent; where its number is taken or unknown, the next that is free."""
        taken = self.taken
        identifier = taken.claim(home, step, number) if number else taken.next_free(home, step)
        made = _Node(identifier, kind, label, heading)
        parent.children.append(made)
        return made

    def _frozen(self, node: _Node) -> Provision:
        version = Version("\n".join(node.text), ALWAYS, node.heading, observed_at=self.observed_at)
        children = tuple(self._frozen(child) for child in node.children)
        return Provision(node.id, node.kind, node.label, (version,), children)
