"""The common form of both sources of the code: headings, paragraphs, tables, notes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from pykala.law.validity import ALWAYS, Validity


class BlockKind(StrEnum):
    """What a piece of the source is."""

    CONTAINER = "container"  # "Chapter 5: …", "Subchapter 3-A: …", "Part 1: …"
    SECTION = "section"
    TEXT = "text"
    TABLE = "table"
    HISTORY = "history"  # "(Am. L.L. 2019/157, 8/23/2019, eff. 11/21/2019)"
    NOTE = "note"  # "Editor's note: …"


@dataclass(frozen=True, slots=True)
class Block:
    """One piece: its kind, its depth, the labels before its words, and its words.

    `depth` counts levels below the section: 1 for a subdivision; 0 means that the source does not indent it.
    Several labels before one text ("d.   (1)   The…") open several levels at once.
    """

    kind: BlockKind
    text: str
    depth: int = 0
    labels: tuple[str, ...] = ()
    unit: str = ""  # of a container: chp, subchp, part
    number: str = ""  # of a container or section
    line: int = 0
    validity: Validity = ALWAYS  # of parallel versions, "* NB Expires June 30, 2026"


#: A word broken at its own hyphen goes on without a space: "four hundred twenty-" + "one-a"; but
#: "two-" + "or three-family" does not, and a date may break after its stroke: "eff. 7/" + "18/2021".
_SUSPENDED = re.compile(r"(?:or|and|to)\b")


def joined(lines: Sequence[str]) -> str:
    """One running text of wrapped lines."""
    pieces: list[str] = []
    for line in lines:
        words = " ".join(line.split())
        if not words:
            continue
        if pieces and not _goes_on(pieces[-1], words):
            pieces.append(" ")
        pieces.append(words)
    return "".join(pieces)


def _goes_on(before: str, words: str) -> bool:
    """Whether a line continues a word that the line before broke off."""
    return before.endswith("/") or (
        before.endswith("-") and before[-2:-1].isalnum() and not _SUSPENDED.match(words)
    )


_LABEL = re.compile(r"[\s.()*]+")


def bare(label: str) -> str:
    """A label without its marks: "(e-1)*" is "e-1", "a.1." is "a1"."""
    return _LABEL.sub("", label)
