"""The contents of an article or an annex: paragraphs, subparagraphs, points, dashes, tables, quoted words.

Numbered paragraphs of an article are `para_1`, its points `point_a`, its dashes `indent_1`, and unnumbered
text after the first `subpara_2` (the first is the words of the paragraph itself). Points in a later
subparagraph keep the short identifier by which people cite them, `para_2/point_a`. If an earlier list has
already used it, they are placed below their subparagraph.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from pykala.law.provisions import ProvisionKind

from .blocks import Block, Mark, Role
from .labels import PARAGRAPH_LABEL, POINT_LABEL, point_number
from .nodes import Node

_BARE_NUMBER = re.compile(r"\d{1,3}[a-z]{0,2}(?:\s(?:bis|ter|quater))?\s?\.")
#: Old directives divide an article by letters: "A. Within the territory of the country".
_SUBDIVISION = re.compile(r"(?P<letter>[A-H])\s?[.)]\s+(?=[^\W\d_])")
_DASHES = "—–-"
_ROMAN = re.compile(r"(?=.)x{0,3}(?:ix|iv|v?i{0,3})")
_LONGEST_SUBDIVISION = 200


@dataclass(slots=True)
class ArticleText:
    """Takes the blocks of one article (or of an annex, between its headings) in order."""

    article: Node | None = None
    subdivision: Node | None = None
    paragraph: Node | None = None
    tail: Node | None = None  # the last subparagraph begun
    points: list[Node] = field(default_factory=list)
    list_home: Node | None = None  # the provision that owns the present list
    home: Node | None = None  # the last place of text outside articles
    shifted: int = 0  # the depth at which a page prints "(i)" beside the "(e)" that it belongs to
    pending: str = ""  # a number alone on its line before its text, within a point

    def enter(self, article: Node) -> None:
        """Begin an article."""
        self.leave()
        self.article = article

    def leave(self) -> None:
        """End the article, or the part of an annex."""
        self.article = self.subdivision = self.paragraph = self.tail = self.home = self.list_home = None
        self.points.clear()
        self.shifted = 0

    def take(self, block: Block, home: Node) -> None:
        """Put a text, a point or a table in its place; outside articles it belongs to `home`."""
        if self.article is None and self.home is not home:
            self.leave()
            self.home = home
        block = self._nested(block)
        if block.role is Role.POINT:
            self._point(block, home)
        elif block.role is Role.TABLE:
            self._table(block, home)
        elif block.depth > 0 and self.points:
            self._text_in_point(block)
        else:
            self._text(block, home)

    def quote(self, block: Block, home: Node, depth: int) -> None:
        """Keep quoted words of another act together below the provision that quotes them."""
        if self.points and depth:
            holder = self.points[min(depth, len(self.points)) - 1]
        else:
            holder = self._holder(home)
        last = holder.children[-1] if holder.children else None
        if last is None or last.step != "quote":
            number = str(holder.count("quote") + 1)
            last = holder.add(Node(ProvisionKind.AMENDMENT, "quote", number, mark=block.mark))
        words = f"{block.label} {block.text}".strip()
        if not block.text:
            words = f"{words}\x00"  # the text of an item goes on the line of its label
        glue = " " if last.text.endswith("\x00") else "\n"
        last.text = f"{last.text.removesuffix(chr(0))}{glue}{words}".strip("\n ")
        last.notes.extend(block.notes)

    def _nested(self, block: Block) -> Block:
        """Put "(i)" below "(e)", and "(a)" below "3." of an annex, where a page prints both at one depth."""
        depth = block.depth
        if block.role is Role.POINT:
            number = point_number(block.label)
            if self.shifted > depth or (self.shifted == depth and not self._goes_on(number, depth)):
                self.shifted = 0
            elif not self.shifted and self._opens_below(number, depth):
                self.shifted = depth
        if self.shifted and depth >= self.shifted:
            return replace(block, depth=depth + 1)
        return block

    def _opens_below(self, number: str, depth: int) -> bool:
        """Whether a number begins a list of the point before it, though it is printed at the same depth."""
        if number not in ("a", "i") or len(self.points) < depth:
            return False
        before = self.points[depth - 1]
        if before.step != "point":
            return False
        if number == "a":
            return self.article is None and before.number[:1].isdecimal()
        return len(before.number) == 1 and before.number in "abcdefgjklmnopqrstuwyz"

    def _goes_on(self, number: str, depth: int) -> bool:
        """Whether a number is the next of the inner list rather than of the outer one."""
        outer = self.points[depth - 1].number if len(self.points) >= depth else ""
        if outer[:1].isdecimal():
            return not number[:1].isdecimal()
        return _ROMAN.fullmatch(number) is not None and number != _next_letter(outer)

    def _holder(self, home: Node) -> Node:
        return self.paragraph or self.subdivision or self.article or home

    def _text(self, block: Block, home: Node) -> None:
        self.points.clear()
        self.shifted = 0
        self.list_home = None
        if block.label:
            self._numbered(block, block.label, block.text, home)
            return
        match = PARAGRAPH_LABEL.match(block.text)
        if match is not None:
            self._numbered(block, match["label"], block.text[match.end() :], home)
        elif _BARE_NUMBER.fullmatch(block.text):
            self._numbered(block, block.text, "", home)
        elif (
            self.article is not None
            and (point := POINT_LABEL.match(block.text))
            and point["label"] not in _DASHES
        ):
            self._point(replace(block, role=Role.POINT, depth=1, label=point["label"]), home)
            self._text_in_point(replace(block, depth=1, text=block.text[point.end() :]))
        elif self.opens_subdivision(block):
            self.subdivide(block)
        else:
            self._subparagraph(block, home)

    def opens_subdivision(self, block: Block) -> bool:
        """Whether a line is the title of a lettered part of the article."""
        if (
            self.article is None
            or len(block.text) > _LONGEST_SUBDIVISION
            or block.text.endswith((".", ";", ":"))
        ):
            return False
        return _SUBDIVISION.match(block.text) is not None

    def subdivide(self, block: Block) -> None:
        """Begin a lettered part of the article."""
        assert self.article is not None
        match = _SUBDIVISION.match(block.text)
        assert match is not None
        node = Node(ProvisionKind.SUBSECTION, "part", match["letter"], f"{match['letter']}.", mark=block.mark)
        node.heading, node.notes = block.text[match.end() :], list(block.notes)
        self.subdivision = self.article.add(node)
        self.paragraph = self.tail = self.list_home = None
        self.points.clear()

    def _numbered(self, block: Block, label: str, text: str, home: Node) -> None:
        self.paragraph = None
        inside = self.article is not None
        kind = ProvisionKind.SUBSECTION if inside else ProvisionKind.ITEM
        node = Node(kind, "para" if inside else "point", point_number(label) or "1", label, text=text)
        node.mark, node.notes = block.mark, list(block.notes)
        self.paragraph = self._holder(home).add(node)
        self.tail = None

    def _subparagraph(self, block: Block, home: Node) -> None:
        holder = self._holder(home)
        text = f"{block.label} {block.text}".strip()
        if holder.open and not holder.text and holder.kind is not ProvisionKind.WORK:
            holder.text = text
            # An article's title may stand under one mark and its words under the next.
            holder.mark = _later(holder.mark, block.mark)
            holder.notes.extend(block.notes)
            self.tail = holder
            return
        self.tail = holder.add(_subparagraph(holder, text, block))

    def _point(self, block: Block, home: Node) -> None:
        del self.points[block.depth - 1 :]
        number = point_number(block.label)
        step = "point" if number else "indent"
        if self.points:
            above = self.points[-1]
        else:
            self.list_home = above = self.list_home or self._list_home(self._holder(home), step, number)
        node = Node(
            ProvisionKind.ITEM, step, number or str(above.count(step) + 1), block.label, mark=block.mark
        )
        above.add(node)
        while len(self.points) < block.depth - 1:
            self.points.append(self.points[-1] if self.points else node)
        self.points.append(node)
        self.pending = ""

    def _list_home(self, above: Node, step: str, number: str) -> Node:
        """The place of a list: its paragraph, or its subparagraph if an earlier list has used its names."""
        if self.tail is None or self.tail is above:
            return above
        first = number or "1"
        taken = any(child.step == step and child.number == first for child in above.children)
        return self.tail if taken else above

    def _text_in_point(self, block: Block) -> None:
        point = self.points[min(block.depth, len(self.points)) - 1]
        del self.points[block.depth :]
        text = " ".join(part for part in (self.pending, block.label, block.text) if part)
        if block.label and not block.text:
            self.pending = text
            return
        self.pending = ""
        if point.open and not point.text and not point.children:
            point.text, point.mark = text, _later(point.mark, block.mark)
            point.notes.extend(block.notes)
            return
        point.add(_subparagraph(point, text, block))

    def _table(self, block: Block, home: Node) -> None:
        if block.depth and self.points:
            holder = self.points[min(block.depth, len(self.points)) - 1]
        else:
            holder = self._holder(home)
        node = Node(ProvisionKind.TABLE, "table", str(holder.count("table") + 1), text=block.text)
        node.mark, node.notes = block.mark, list(block.notes)
        holder.add(node)


def _subparagraph(holder: Node, text: str, block: Block) -> Node:
    number = str(holder.count("subpara") + (2 if holder.text else 1))
    node = Node(ProvisionKind.SUBSECTION, "subpara", number, text=text, mark=block.mark)
    node.notes = list(block.notes)
    return node


def _next_letter(letter: str) -> str:
    return chr(ord(letter) + 1) if len(letter) == 1 else ""


def _later(one: Mark | None, other: Mark | None) -> Mark | None:
    """The mark of the words, not the mark of their number or title."""
    return other or one
