"""Build the tree of an act from blocks: titles and chapters, articles, annexes, and what is around them.

Articles are directly below the work, whatever title or chapter contains them; `article_text` reads the
contents of an article or an annex.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from pykala.law.identifiers import WorkId
from pykala.law.provisions import ProvisionKind

from .article_text import ArticleText
from .blocks import Block, Blocks, Role
from .labels import after_article_number, annex, article_number, division, protocol
from .nodes import Node, identify
from .preamble import Preamble
from .quotations import Quotation

#: The beginning of the final part: some pages mark it, others only show it in words.
_DONE = re.compile(
    r"(?:Done at|Done in|Fait à|Fait au|This (?:Regulation|Decision) shall be binding in its entirety"
    r"|Le présent règlement est obligatoire dans (?:tous ses éléments|toutes ses parties)"
    r"|La présente décision est obligatoire dans tous ses éléments)\b"
)
_LETTERED = re.compile(r"(?P<number>[A-Z]|[IVX]{1,5}|\d{1,3}(?:\.\d{1,3})*)\s?[.):–—-]\s*(?=\S)")
_DIVISION_KINDS = {
    "cpt": ProvisionKind.CHAPTER,
    "sct": ProvisionKind.DIVISION,
    "sbs": ProvisionKind.DIVISION,
}


def read_outline(blocks: Blocks, work: WorkId) -> Node:
    """The tree of one file, with identifiers."""
    outline = _Outline(blocks)
    for block in blocks.blocks:
        outline.take(block)
    outline.finish()
    identify(outline.root, work)
    return outline.root


def _root() -> Node:
    return Node(ProvisionKind.WORK, "work", "1", container=True)


@dataclass(slots=True)
class _Outline:
    blocks: Blocks
    root: Node = field(default_factory=_root)
    divisions: list[tuple[int, Node]] = field(default_factory=list)
    headings: list[tuple[int, Node]] = field(default_factory=list)  # within an annex or below a division
    annexed: Node | None = None
    last: Node | None = None  # the title to which a second line belongs
    preamble: Preamble = field(init=False)
    text: ArticleText = field(default_factory=ArticleText)
    quotation: Quotation = field(default_factory=Quotation)
    titles: list[str] = field(default_factory=list)
    places: dict[str, Node] = field(default_factory=dict)  # those of which there is one

    def __post_init__(self) -> None:
        self.preamble = Preamble(self.root)

    def take(self, block: Block) -> None:
        """Put one block in its place."""
        if self.quotation.takes(block):
            self._quote(block)
            return
        taker = _TITLES.get(block.role)
        if block.role in (Role.DIVISION_TITLE, Role.HEADING) and self.text.opens_subdivision(block):
            self.text.subdivide(block)
        elif taker is not None:
            taker(self, block)
        elif self._in_preamble():
            self.preamble.take(block)
        elif (
            block.role is Role.TEXT and block.depth == 0 and self.annexed is None and _DONE.match(block.text)
        ):
            self._final(block)
        else:
            self.last = None
            self.text.take(block, self._home())
        self.quotation.watch(block)

    def finish(self) -> None:
        """Put each footnote below the place that refers to it; those without a reference go to the end."""
        self.root.heading = " ".join(self.titles)
        notes = self.blocks.notes
        told: set[int] = set()
        for node in list(self.root.walk()):
            node.text = node.text.removesuffix("\x00")
            for key in node.notes:
                note = notes.get(key)
                if note is not None and id(note) not in told:
                    told.add(id(note))
                    node.add_note(note)
            node.notes.clear()
        for note in notes.values():
            if id(note) not in told:
                told.add(id(note))
                self.root.add_note(note)

    def _in_preamble(self) -> bool:
        return self.preamble.active and self.annexed is None

    def _home(self) -> Node:
        """The present place of articles, and of text outside articles."""
        if self.headings:
            return self.headings[-1][1]
        if self.annexed is not None:
            return self.annexed
        return self.divisions[-1][1] if self.divisions else self.root

    def _title(self, block: Block) -> None:
        self.titles.append(block.text)

    def _division(self, block: Block) -> None:
        found = division(block.text)
        if found is None:
            self._heading(block)
            return
        self.preamble.active = False
        step, number, level, rest = found
        self._leave_article()
        if self.annexed is not None:
            node = Node(ProvisionKind.PART, step, number, mark=block.mark)
            self._open_heading(level, node, rest, block)
            return
        while self.divisions and self.divisions[-1][0] >= level:
            self.divisions.pop()
        self.headings.clear()
        kind = _DIVISION_KINDS.get(step, ProvisionKind.PART)
        node = Node(kind, step, number, _label(block.text, rest), rest, mark=block.mark, container=True)
        node.notes = list(block.notes)
        (self.divisions[-1][1] if self.divisions else self.root).add(node)
        self.divisions.append((level, node))
        self.last = node

    def _article(self, block: Block) -> None:
        number = article_number(block.text)
        if not number:
            self._heading(block)
            return
        self.preamble.active = False
        rest = after_article_number(block.text)
        self._leave_article()
        node = Node(ProvisionKind.ARTICLE, "art", number, _label(block.text, rest), rest, mark=block.mark)
        node.notes = list(block.notes)
        self._home().add(node)
        self.text.enter(node)
        self.last = node

    def _article_heading(self, block: Block) -> None:
        article, last = self.text.article, self.last
        titled = last is not None and last.container and last.open and not last.heading
        if titled or (article is not None and article.open and not article.text):
            self._join_heading(block)
        else:
            self._heading(block)

    def _annex(self, block: Block) -> None:
        self.preamble.active = False
        self._leave_article()
        self.divisions.clear()
        self.headings.clear()
        found = annex(block.text)
        step, rest, number = "anx", "", str(self.root.count("anx") + 1)
        if found is not None:
            rest = found[1]
            number = found[0] or number
        elif treaty := protocol(block.text):
            step, number = "ptc", treaty
        self.annexed = self.root.add(
            Node(ProvisionKind.ANNEX, step, number, _label(block.text, rest), rest, mark=block.mark)
        )
        self.annexed.notes = list(block.notes)
        self.last = self.annexed

    def _annex_title(self, block: Block) -> None:
        if self.annexed is None and self._in_preamble():
            self.preamble.take(block)
        elif self.annexed is not None and self.last is self.annexed and self.annexed.open:
            self._join_heading(block)
        else:
            self._heading(block)

    def _heading(self, block: Block) -> None:
        """A title without an article: of a part of an annex, or between articles."""
        if self._in_preamble():
            self.preamble.take(block)
            return
        found = division(block.text)
        lettered = _LETTERED.match(block.text) if self.annexed is not None else None
        if found is not None:
            step, number, _, rest = found
            node = Node(ProvisionKind.PART, step, number, mark=block.mark)
        elif lettered is not None:
            node, rest = Node(ProvisionKind.PART, "sct", lettered["number"], mark=block.mark), block.text
        elif self._continues_title():
            self._join_heading(block)
            return
        else:
            node, rest = Node(ProvisionKind.HEADING, "head", "", mark=block.mark), block.text
        self._leave_article()
        # Older pages print "SECTION VIII" and "A. Financial account" below it as titles of one level.
        self._open_heading(10 * (block.level or 1) + (0 if found else 5), node, rest, block)

    def _continues_title(self) -> bool:
        """Say whether a title is the second line of the last: "PART A" and what it is about."""
        last = self.last
        return (
            last is not None
            and last.open
            and not last.text
            and not last.heading
            and bool(self.headings)
            and last is self.headings[-1][1]
        )

    def _open_heading(self, level: int, node: Node, rest: str, block: Block) -> None:
        while self.headings and self.headings[-1][0] >= level:
            self.headings.pop()
        above = self._home()
        if not node.number:
            node.number = str(above.count(node.step) + 1)
        node.container = self.annexed is None
        node.notes = list(block.notes)
        node.heading = rest
        node.label = _label(block.text, rest) if rest != block.text else ""
        above.add(node)
        self.headings.append((level, node))
        self.last = node

    def _join_heading(self, block: Block) -> None:
        if self.last is None or not self.last.open:
            self._heading(block)
            return
        self.last.heading = f"{self.last.heading} {block.text}".strip()
        self.last.notes.extend(block.notes)

    def _leave_article(self) -> None:
        self.text.leave()
        self.quotation.close()

    def _contents(self, block: Block) -> None:
        found = self.preamble.contents or self._once(ProvisionKind.TABLE_OF_PROVISIONS, "toc", block)
        found.text = f"{found.text}\n{block.text}".strip()

    def _final(self, block: Block) -> None:
        self.preamble.active = False
        article = self.text.article
        if article is not None and article.open and not article.text and not _DONE.match(block.text):
            # Some pages put the last article's words ("addressed to the Member States") into the final part.
            self.text.take(replace(block, role=Role.TEXT), self._home())
            return
        found = self._once(ProvisionKind.SIGNATURE_BLOCK, "fnp", block)
        found.text = f"{found.text}\n{f'{block.label} {block.text}'.strip()}".strip()
        found.notes.extend(block.notes)
        self._leave_article()

    def _once(self, kind: ProvisionKind, step: str, block: Block) -> Node:
        """A place of which a document has one: made with its first block, and found again with the others."""
        if step not in self.places:
            self.places[step] = self.root.add(Node(kind, step, "1", mark=block.mark))
        return self.places[step]

    def _quote(self, block: Block) -> None:
        if self._in_preamble():
            self.preamble.take(block)
        else:
            self.text.quote(block, self._home(), self.quotation.depth)


def _label(title: str, rest: str) -> str:
    """The words of a title before what follows its number."""
    return title[: len(title) - len(rest)].rstrip(" .:–—-") if rest else title


_TITLES: dict[Role, Callable[[_Outline, Block], None]] = {
    Role.TITLE: _Outline._title,
    Role.DIVISION: _Outline._division,
    Role.DIVISION_TITLE: _Outline._join_heading,
    Role.ARTICLE: _Outline._article,
    Role.ARTICLE_HEADING: _Outline._article_heading,
    Role.ANNEX: _Outline._annex,
    Role.ANNEX_TITLE: _Outline._annex_title,
    Role.HEADING: _Outline._heading,
    Role.CONTENTS: _Outline._contents,
    Role.FINAL: _Outline._final,
}
