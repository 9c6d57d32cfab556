"""What stands before the first article: citations ("Having regard to"), recitals, the enacting formula."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pykala.law.provisions import ProvisionKind

from .blocks import Block, Role
from .labels import LABEL, point_number
from .nodes import Node

_CITATION = re.compile(
    r"(?:Having regard to|Having considered|After (?:consulting|transmission)|Acting (?:in accordance|on)"
    r"|Following consultation|[Vv]u |Ayant |[Aa]près (?:consultation|transmission)|[Ss]tatuant |En accord )"
)
_WHEREAS = re.compile(r"(?:Whereas|WHEREAS|Considérant(?: que| qu['’])?|considérant(?: que| qu['’])?)\b")
_WHEREAS_ALONE = re.compile(
    r"(?:Whereas|WHEREAS|Considérant(?: ce qui suit)?|considérant(?: ce qui suit)?)\s?[:,]?"
)
_ENACTING = re.compile(
    r"(?:HAS|HAVE) (?:ADOPTED|DECIDED|AGREED)|HEREBY (?:ADOPT|DECIDE)"
    r"|(?:A|ONT) (?:ADOPTÉ|ARRÊTÉ|DÉCIDÉ)|ADOPTE |DÉCIDE|SONT CONVENU|(?:HAS|HAVE) (?:DESIGNATED)"
)
_CONTENTS = re.compile(r"(?:TABLE OF )?CONTENTS|TABLE DES MATIÈRES|SOMMAIRE", re.IGNORECASE)
_NUMBERED_RECITAL = re.compile(r"\((?P<number>\d{1,3}[a-z]?)\)\s+(?=\S)")


@dataclass(slots=True)
class Preamble:
    """Reads blocks until the first article, chapter or annex."""

    root: Node
    active: bool = True
    home: Node | None = None
    recital: Node | None = None
    reached_recitals: bool = False
    contents: Node | None = None

    def take(self, block: Block) -> None:
        """Put one block of the preamble in its place."""
        if block.role is Role.POINT and block.depth == 1 and self._opens_recital(block):
            return
        if block.depth > 0 and self.recital is not None:
            self._into_recital(block)
        elif _ENACTING.search(block.text[:80]):
            self._enact(block)
        elif _CONTENTS.fullmatch(block.text) or (self.contents is not None and block.role is Role.TABLE):
            self._list_contents(block)
        elif self.reached_recitals and (found := _NUMBERED_RECITAL.match(block.text)):
            self._recital(found["number"], f"({found['number']})", block, block.text[found.end() :])
        elif _WHEREAS_ALONE.fullmatch(block.text):
            self.reached_recitals = True
            self._home().add(Node(ProvisionKind.PREAMBLE, "whereas", "1", text=block.text, mark=block.mark))
        elif _WHEREAS.match(block.text):
            self.reached_recitals = True
            self._recital(str(self._home().count("rct") + 1), "", block, block.text)
        else:
            self._line(block)

    def _opens_recital(self, block: Block) -> bool:
        if not LABEL.fullmatch(block.label or ""):
            return False
        number = point_number(block.label)
        if not number or not number[0].isdecimal():
            return False
        self.reached_recitals = True
        self._recital(number, block.label, block, "")
        return True

    def _recital(self, number: str, label: str, block: Block, text: str) -> None:
        node = Node(ProvisionKind.RECITAL, "rct", number, label, text=text, mark=block.mark)
        node.notes = list(block.notes)
        self.recital = self._home().add(node)

    def _into_recital(self, block: Block) -> None:
        assert self.recital is not None
        recital = self.recital
        words = f"{block.label} {block.text}".strip() if block.role is Role.POINT else block.text
        if recital.text.endswith("\x00"):
            recital.text = f"{recital.text[:-1]} {words}"
        elif block.role is Role.POINT:
            recital.text = f"{recital.text}\n{words}\x00".strip("\n")
        else:
            recital.text = f"{recital.text}\n{words}".strip("\n")
        recital.notes.extend(block.notes)

    def _enact(self, block: Block) -> None:
        node = Node(ProvisionKind.ENACTING_CLAUSE, "enacts", "1", text=block.text, mark=block.mark)
        node.notes = list(block.notes)
        self.root.add(node)
        self.recital = None

    def _list_contents(self, block: Block) -> None:
        if self.contents is None:
            kind = ProvisionKind.TABLE_OF_PROVISIONS
            self.contents = self.root.add(Node(kind, "toc", "1", mark=block.mark))
        self.contents.text = f"{self.contents.text}\n{block.text}".strip()
        self.recital = None

    def _line(self, block: Block) -> None:
        words = f"{block.label} {block.text}".strip()
        if not words:
            return
        home = self._home()
        citation = _CITATION.match(block.text) is not None
        step = "cit" if citation else "line"
        node = Node(ProvisionKind.PREAMBLE, step, str(home.count(step) + 1), text=words, mark=block.mark)
        node.notes = list(block.notes)
        home.add(node)
        self.recital = None

    def _home(self) -> Node:
        if self.home is None:
            self.home = self.root.add(Node(ProvisionKind.PREAMBLE, "pbl", "1", mark=None, container=True))
        return self.home
