"""The single instructions of an enacting clause."""

from __future__ import annotations

from dataclasses import dataclass

from pykala.law.identifiers import Step


@dataclass(frozen=True, slots=True)
class NamedAct:
    """An act as a clause names it: its number as `1992/1535`, or only a name; both may be empty."""

    number: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction of a clause, for one place of one act."""

    action: str  # amend, insert, repeal, renumber
    act: NamedAct
    path: tuple[Step, ...]
    start: int
    end: int
    facet: str = "whole"
    temporary: bool = False
    only_language: str = ""  # if only one language's wording is changed
    to: Step | None = None  # the new number of what is renumbered
    instead: bool = False  # it replaces what the clause says was repealed earlier


@dataclass(frozen=True, slots=True)
class Waiting:
    """Places in the genitive whose noun has not come yet: "147 §:n 2 momentin, … sanamuoto"."""

    paths: tuple[tuple[Step, ...], ...]
    start: int
    end: int
    facet: str = "whole"

    @property
    def level(self) -> str:
        """The level of the places."""
        return self.paths[0][-1].kind if self.paths and self.paths[0] else ""
