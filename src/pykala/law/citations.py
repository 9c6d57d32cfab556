"""Citations as written in a text, before and after they are resolved: find first, then resolve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Protocol

from pykala.law.identifiers import ProvisionId, Step
from pykala.law.provisions import Document
from pykala.law.references import EdgeKind, Unresolved


@dataclass(frozen=True, slots=True)
class CitationContext:
    """Where a text stands, for references such as "this Act", "subsection (2)", "edellä 1 momentissa"."""

    language: str
    provision: ProvisionId | None = None  # the provision whose own text is read; None for a question
    document: Document | None = None


@dataclass(frozen=True, slots=True)
class FoundCitation:
    """A citation as written: the span, and the parts that the grammar recognised, not yet resolved."""

    start: int
    end: int
    text: str
    work_name: str = ""  # "tuloverolain", "the Bank Act", "TVL"; empty: the work at hand
    steps: tuple[Step, ...] = ()
    relative: bool = False  # steps count from the provision at hand, not from its work
    kind: EdgeKind = EdgeKind.CITES
    effective: date | None = None  # the day that its sentence names: "is repealed with effect from …"


@dataclass(frozen=True, slots=True)
class ResolvedCitation:
    """Where a citation leads: a target, or a work known by name with a path, or a reason why nowhere."""

    target: ProvisionId | None = None
    alias: str = ""
    path: tuple[Step, ...] = ()
    reason: Unresolved | None = None


class CitationGrammar(Protocol):
    """How one jurisdiction writes references; every pack is one."""

    def find_citations(self, text: str, context: CitationContext) -> Sequence[FoundCitation]:
        """Find citations in a text, in order, without overlap; nothing is looked up."""
        ...

    def resolve(self, citation: FoundCitation, context: CitationContext) -> Sequence[ResolvedCitation]:
        """Say where a citation leads; a range or a list ("sections 4 to 6") gives several."""
        ...
