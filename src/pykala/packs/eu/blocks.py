"""The common form of every EUR-Lex format: one list of blocks in the order of the text.

A page in any of its layouts, a Formex file and a plain text each give such a list; `outline` builds one tree
of it, whatever the source.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from pykala.law.identifiers import InvalidIdentifier, WorkId


class Role(StrEnum):
    """What a block is."""

    TITLE = "title"
    TEXT = "text"
    POINT = "point"
    DIVISION = "division"
    DIVISION_TITLE = "division-title"
    ARTICLE = "article"
    ARTICLE_HEADING = "article-heading"
    ANNEX = "annex"
    ANNEX_TITLE = "annex-title"
    HEADING = "heading"
    TABLE = "table"
    CONTENTS = "contents"
    FINAL = "final"
    QUOTED_TITLE = "quoted-title"


@dataclass(frozen=True, slots=True)
class Mark:
    """The sign of an amendment in a consolidated text: "▼M18", with the act and what it did."""

    name: str  # "M18", "B", "C1"
    celex: str = ""
    action: str = ""  # "REPLACED", "INSERTED", "DELETED", "" for the text as enacted

    @property
    def is_base(self) -> bool:
        """Whether the text under it is that of the act as it was enacted."""
        return self.name == "B"

    @property
    def is_correction(self) -> bool:
        """Whether a corrigendum made the text."""
        return self.name.startswith("C") or "R(" in self.celex

    @property
    def work(self) -> WorkId | None:
        """The act that made the text."""
        try:
            return WorkId(f"eu:{self.celex}") if self.celex else None
        except InvalidIdentifier:
            return None


@dataclass(frozen=True, slots=True)
class Note:
    """A footnote: its mark as printed and its words."""

    label: str
    text: str


@dataclass(frozen=True, slots=True)
class Block:
    """One block: a paragraph, a list item's beginning, a title, a table."""

    role: Role
    text: str = ""
    label: str = ""
    depth: int = 0  # how many list items it stands in; a point counts itself
    level: int = 0  # of a heading
    mark: Mark | None = None
    notes: tuple[str, ...] = ()  # keys of the footnotes that it refers to
    quoted: bool = False  # words of another act


@dataclass(slots=True)
class Blocks:
    """The blocks of one file, its footnotes by key, and parts that are not law."""

    blocks: list[Block] = field(default_factory=list)
    notes: dict[str, Note] = field(default_factory=dict)
    apparatus: list[str] = field(default_factory=list)  # headers of the Official Journal, lists of amendments
    layout: str = ""
    images: int = 0  # formulas and figures without text
    repealed_by: str | None = (
        None  # a page that only says which act repealed this one ("" where it names none)
    )
    published: str = ""  # the day of the Official Journal as printed: "11.12.2006"
