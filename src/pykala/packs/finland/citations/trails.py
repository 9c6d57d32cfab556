"""The antecedents at a point of a text: the law named last, the section cited last.

Rulings and guidance name a law once and then say "lain 5 §" or "pykälän 2 momentti" for pages; statutes do so
within a section. A trail is passed from one provision of a document to the next.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from pykala.law.identifiers import Step

#: Works in which "5 §" is their own: statutes, also those whose number is not known.
STATUTES: Final = ("fi:act:", "fi:statute:")


@dataclass(slots=True)
class Trail:
    """The antecedents at one point of a text; `copy` it before reading on."""

    law: str = ""  # the act named last, as an identifier or a folded name
    decree: str = ""
    union: str = ""  # the act of the Union named last, or "treaty:" for a treaty
    section: tuple[str, tuple[Step, ...]] | None = None  # the section cited last: its work, its steps
    chapter: tuple[str, tuple[Step, ...]] | None = None  # the chapter cited last
    governing: str = (
        ""  # the law of the list that a text stands in: "sovelletaan, mitä säteilylain (859/2018):"
    )
    named: dict[str, str] = field(default_factory=dict)  # the document's own names of laws: "arvostamislaki"

    def copy(self) -> Trail:
        """A copy to continue with; the names that a document gives are shared by all copies."""
        return Trail(
            self.law, self.decree, self.union, self.section, self.chapter, self.governing, self.named
        )

    def name(self, work: str, decree: bool) -> None:
        """Record the law that was named last."""
        if decree:
            self.decree = work
        else:
            self.law = work

    def same(self, decree: bool) -> str:
        """What "lain" or "asetuksen" means here; empty where nothing was named."""
        return (self.decree or self.law) if decree else self.law
