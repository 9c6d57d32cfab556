"""The places of a consolidated act that an amending act names, and whether words may be those of a place."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pykala.law.identifiers import ProvisionId, Step
from pykala.law.provisions import Provision, ProvisionKind, Version

ABOVE_SECTIONS = ("part", "chp")
_WORD = re.compile(r"\w+")
_FEWEST_OF_MOMENTTI = 4  # words


class Places:
    """The places of a document by their path without chapters, where only one has that path."""

    def __init__(self, root: Provision) -> None:
        self.full = {node.id.path: node for node in root.walk()}
        self.short: dict[tuple[Step, ...], list[Provision]] = {}
        for node in root.walk():
            self.short.setdefault(_without_chapters(node.id.path), []).append(node)

    def find(self, path: tuple[Step, ...]) -> Provision | None:
        """The place of a path, whether or not it names the chapter."""
        if path in self.full:
            return self.full[path]
        short = _without_chapters(path)
        # An item may be named without its momentti, if the section has only one.
        if len(short) > 1 and short[0].kind == "sec" and short[1].kind == "para" and short not in self.short:
            short = (short[0], Step("subsec", "1"), *short[1:])
        found = self.short.get(short, ())
        return found[0] if len(found) == 1 and short else None

    def gather(
        self, path: tuple[Step, ...], text: Provision, words: dict[ProvisionId, Version], *, alone: bool
    ) -> bool:
        """Collect the words of a text by place; say whether the document lacks one of them."""
        node = self.find(path)
        if node is None:
            return True
        missing = False
        if text.versions:
            words[node.id] = text.versions[-1]
            missing = not (is_a_rule(node.id, text.versions[-1].text) or text.children)
        for child in () if alone else text.children:
            if child.kind is ProvisionKind.OMISSION:
                missing = True  # what it leaves as it is cannot be told
            else:
                missing |= self.gather((*path, child.id.path[-1]), child, words, alone=False)
        return missing


def is_a_rule(place: ProvisionId, text: str) -> bool:
    """Whether words may be those of a place: a momentti of three words is a row of a table that was cut."""
    is_momentti = bool(place.path) and place.path[-1].kind == "subsec"
    return len(_WORD.findall(text)) >= (_FEWEST_OF_MOMENTTI if is_momentti else 1)


def _without_chapters(path: Sequence[Step]) -> tuple[Step, ...]:
    return tuple(step for step in path if step.kind not in ABOVE_SECTIONS)
