"""What may be found: the conditions that hold before anything is ranked."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from pykala.law.identifiers import WorkId


@dataclass(frozen=True, slots=True)
class Filter:
    """Conditions on a passage; an empty set or None lets everything pass.

    `kinds` holds names of work kinds ("act", "guidance") or of provision kinds ("definition"); where it
    holds both, a passage must match one of each: "act" and "definition" are the definitions of acts.
    """

    as_of: date | None = None
    jurisdictions: frozenset[str] = frozenset()
    languages: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()
    works: frozenset[WorkId] = frozenset()
    without: frozenset[str] = frozenset()  # provision kinds that are left out: notes, enacting clauses
