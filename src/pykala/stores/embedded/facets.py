"""The facets of a passage: the columns that filters use in both indexes.

Strings (a language, a jurisdiction, a kind) are numbered by the record database; dates are
ordinal days (`date.toordinal()`), so that both indexes compare small integers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

UNKNOWN_START = 0  # in force since before anything we know
NO_END = 4_000_000  # beyond date.max.toordinal() (3,652,059): no end is known


@dataclass(frozen=True, slots=True)
class Facets:
    """The filterable facts of one indexed passage; the interval is half-open."""

    work: int
    jurisdiction: int
    language: int
    work_kind: int
    provision_kind: int
    valid_from: int = UNKNOWN_START
    valid_to: int = NO_END


@dataclass(frozen=True, slots=True)
class FacetFilter:
    """A `law.Filter` in the store's own numbers; None means that anything passes.

    `kinds` passes a passage whose work kind *or* provision kind is in the set. `provision_kinds` checks the
    provision alone, so that both together ask for the sections of acts. `without` excludes kinds of
    provisions.
    """

    day: int | None = None
    jurisdictions: frozenset[int] | None = None
    languages: frozenset[int] | None = None
    kinds: frozenset[int] | None = None
    provision_kinds: frozenset[int] | None = None
    works: frozenset[int] | None = None
    without: frozenset[int] = frozenset()

    def chosen(self) -> Iterator[tuple[str, frozenset[int]]]:
        """The facets that are restricted to some values: name and values."""
        for name, wanted in (
            ("work", self.works),
            ("jurisdiction", self.jurisdictions),
            ("language", self.languages),
            ("provision_kind", self.provision_kinds),
        ):
            if wanted is not None:
                yield name, wanted

    def passes(self, facets: Facets) -> bool:
        """Whether one passage passes; tests compare both indexes with this."""
        return (
            (self.day is None or facets.valid_from <= self.day < facets.valid_to)
            and (self.jurisdictions is None or facets.jurisdiction in self.jurisdictions)
            and (self.languages is None or facets.language in self.languages)
            and (self.kinds is None or facets.work_kind in self.kinds or facets.provision_kind in self.kinds)
            and (self.provision_kinds is None or facets.provision_kind in self.provision_kinds)
            and (self.works is None or facets.work in self.works)
            and facets.provision_kind not in self.without
        )
