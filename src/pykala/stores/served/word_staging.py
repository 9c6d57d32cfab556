"""Stage the words of passages: count them, and write each passage with the weights of its terms.

A passage's weights depend on the average length of passages. They use a fixed average until the real one has
drifted from it; then the weights of that jurisdiction and field are computed again.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from pykala.stores.embedded.facets import Facets
from pykala.stores.embedded.fulltext import body_field
from pykala.stores.postgres.connection import PostgresConnection
from pykala.stores.served.bm25 import length_norm, passage_weight
from pykala.stores.served.statistics import Lengths, StatisticsWriter

FIELDS: Final = ("body_fi", "body_sv", "body_en", "body_fr", "body_other")
STAGED: Final = 4_000  # passages that are counted and written together
_DRIFT_WITHIN: Final = 0.05  # drift of the average length allowed while a source is being read


@dataclass(frozen=True, slots=True)
class StagedPassage:
    """A passage to write: how often it contains each term, by the terms' numbers."""

    passage: int
    field: str
    facets: Facets
    frequencies: Mapping[int, int]
    length: int
    made_with: Lengths

    def weights(self) -> dict[int, float]:
        """The weight of each term, with the fixed average length."""
        norm = length_norm(self.length, self.made_with.average)
        return {number: passage_weight(n, norm) for number, n in self.frequencies.items()}


class CountedPassage(NamedTuple):
    """A passage to remove, with its counts."""

    jurisdiction: int
    field: str
    terms: Sequence[int]
    length: int


class _Waiting(NamedTuple):
    passage: int
    field: str
    facets: Facets
    terms: Counter[str]
    length: int


class WordsWriter(ABC):
    """Writes the words of the next state, and counts them."""

    def __init__(self, records: PostgresConnection, *, drift: float) -> None:
        self._drift = drift
        self._statistics = StatisticsWriter(records)
        self._waiting: list[_Waiting] = []

    @abstractmethod
    def _write(self, passages: Sequence[StagedPassage]) -> None:
        """Write passages with their weights."""

    @abstractmethod
    def _of_works(self, works: Collection[int]) -> Iterable[CountedPassage]:
        """The passages of works in the next state."""

    @abstractmethod
    def _take_out(self, works: Collection[int] | None) -> None:
        """Remove the passages of works, or all."""

    @abstractmethod
    def _weigh(self, jurisdiction: int, field: str, before: Lengths, now: Lengths) -> None:
        """Write the weights of a field's passages with the present average length."""

    @abstractmethod
    def _require(self, passages: int) -> None:
        """Refuse to publish unless every passage has arrived."""

    def clear(self) -> None:
        """Remove everything."""
        self._take_out(None)
        self._statistics.clear()
        self._waiting.clear()

    def delete_works(self, works: Collection[int]) -> None:
        """Remove every passage of these works, and its words from the statistics."""
        if not works:
            return
        for one in self._of_works(works):
            self._statistics.count(one.jurisdiction, one.field, one.terms, one.length, sign=-1)
        self._take_out(works)

    def add(self, passage: int, language: str, facets: Facets, terms: Sequence[str]) -> None:
        """Add one passage."""
        self._waiting.append(_Waiting(passage, body_field(language), facets, Counter(terms), len(terms)))
        if len(self._waiting) >= STAGED:
            self._write_waiting()

    def _write_waiting(self) -> None:
        waiting, self._waiting = self._waiting, []
        if not waiting:
            return
        numbers = self._statistics.numbers((one.field, term) for one in waiting for term in one.terms)
        for one in waiting:
            of_passage = [numbers[one.field, term] for term in one.terms]
            self._statistics.count(one.facets.jurisdiction, one.field, of_passage, one.length)
        for place, field in {(one.facets.jurisdiction, one.field) for one in waiting}:
            if not self._statistics.lengths[place, field].weighting:
                self._statistics.weigh_with_average(place, field)
        self._write(
            [
                StagedPassage(
                    one.passage,
                    one.field,
                    one.facets,
                    {numbers[one.field, term]: n for term, n in one.terms.items()},
                    one.length,
                    self._statistics.lengths[one.facets.jurisdiction, one.field],
                )
                for one in waiting
            ]
        )

    def commit(self, *, last: bool = True) -> int:
        """Write the pending passages and the statistics; return the number of passages."""
        self._write_waiting()
        for place, field in list(self._statistics.lengths):
            if self.is_drifted(place, field, last=last):
                before = self._statistics.lengths[place, field]
                self._weigh(place, field, before, self._statistics.weigh_with_average(place, field))
        self._statistics.commit()
        wanted = sum(self._statistics.passages.values())
        self._require(wanted)
        return wanted

    def is_drifted(self, jurisdiction: int, field: str, *, last: bool) -> bool:
        """Whether the average length has moved too far from the one behind the weights."""
        made_with = self._statistics.lengths[jurisdiction, field].average
        now = self._statistics.average(jurisdiction, field)
        allowed = self._drift if last or not self._drift else max(self._drift, _DRIFT_WITHIN)
        return now > 0 and abs(now - made_with) > allowed * made_with + 1e-12

    def close(self) -> None:
        """Drop pending passages."""
        self._waiting.clear()
