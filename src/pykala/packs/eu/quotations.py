"""Words that an amending act quotes: where they begin and end, so that they never become its own articles."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .blocks import Block, Role

_OPENING = re.compile(r"[‘“«„\"']")
_CLOSING = re.compile(r"[’”»\"']\s*[.;,)]{0,3}\s*[\"”’]?$")
#: Words that announce a quotation: "is replaced by the following:", "est remplacé par le texte suivant:".
_ANNOUNCED = re.compile(
    r"\b(?:(?:is|are|be|been)\s(?:hereby\s|also\s)?"
    r"(?:replaced|inserted|added|substituted|amended|supplemented|worded|reworded|deleted)"
    r"|shall\sread|reads\b|remplacée?s?|insérée?s?|ajoutée?s?|complétée?s?|modifiée?s?|libellée?s?"
    r"|rédigée?s?|substituée?s?|se\slit|se\slisent)"
    r"[^:]{0,160}:\s*$|^(?:for|read|instead of|lire|au lieu de)\s?:$",
    re.IGNORECASE,
)


@dataclass(slots=True)
class Quotation:
    """Follows the blocks and decides which of them are quoted."""

    depth: int = 0
    open: bool = False
    announced: bool = False
    announced_depth: int = 0

    def takes(self, block: Block) -> bool:
        """Whether a block is quoted; opens and closes the quotation as it goes."""
        if block.role is Role.QUOTED_TITLE and not self.open:
            self.announced, self.announced_depth = True, block.depth
            self.open, self.depth = True, block.depth
            return True
        if not self.open and not self._begins(block):
            return False
        if not self.open:
            self.open, self.depth = True, self.announced_depth
        elif self._is_over(block):
            self.close()
            return False
        if _closes(block.text):
            self.close()
        return True

    def watch(self, block: Block) -> None:
        """Note what a block that is not quoted announces."""
        if block.role in (Role.TEXT, Role.ARTICLE_HEADING) and block.text:
            end = block.text[-160:]
            self.announced = end.rstrip().endswith(":") and _ANNOUNCED.search(end) is not None
            self.announced_depth = block.depth
        elif block.role not in (Role.POINT,):
            self.announced = False

    def close(self) -> None:
        """End the quotation."""
        self.open = self.announced = False

    def _begins(self, block: Block) -> bool:
        if not self.announced or block.role in (Role.TITLE, Role.ANNEX, Role.DIVISION, Role.ARTICLE):
            return False
        words = block.label or block.text
        if block.role is Role.POINT and block.depth <= self.announced_depth:
            return False
        return _OPENING.match(words) is not None

    def _is_over(self, block: Block) -> bool:
        """Whether the quotation is over: a title of the act itself, or the next item of the outer list."""
        if block.role in (Role.ARTICLE, Role.ANNEX, Role.DIVISION, Role.FINAL, Role.TITLE):
            return True
        return block.role is Role.POINT and block.depth <= self.depth


def _closes(text: str) -> bool:
    """Whether a line ends with the quotation's closing mark, rather than with a term in quotation marks."""
    match = _CLOSING.search(text)
    if match is None:
        return False
    inner = max(text.rfind(mark, 1, match.start()) for mark in "‘“«„")
    return inner < 0 or any(mark in text[inner + 1 : match.start()] for mark in "’”»")
