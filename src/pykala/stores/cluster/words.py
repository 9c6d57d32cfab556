"""Full-text search in Qdrant: sparse vectors of BM25 weights from our own statistics.

Used in the place of `embedded.fulltexts.TextIndexes`, and gives the same scores.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from pykala.stores.cluster import points
from pykala.stores.cluster.bm25 import frequency_of, length_norm, passage_weight, query_weight
from pykala.stores.cluster.nodes import Point, QdrantNodes
from pykala.stores.cluster.statistics import FieldTerm, StatisticsWriter, WordStatistics
from pykala.stores.embedded.facets import FacetFilter, Facets
from pykala.stores.embedded.fulltext import body_field
from pykala.stores.postgres.connection import PostgresConnection
from pykala.stores.store import StoreError

VECTOR: Final = "words"
FIELDS: Final = ("body_fi", "body_sv", "body_en", "body_fr", "body_other")
_COLUMNS: Final = (*points.COLUMNS, "field", "weighting")
_STAGED: Final = 4_000  # passages that are counted together
_SCORE_DIGITS: Final = 4  # as in a folder: equal passages must tie
_DRIFT_WITHIN: Final = 0.05  # of the average length that is let pass while a source is still being read


def layout(shards: int, replicas: int) -> dict[str, Any]:
    """The settings of a text collection."""
    return {
        "vectors": {},
        "sparse_vectors": {VECTOR: {}},
        "shard_number": shards,
        "replication_factor": replicas,
    }


class _Staged(NamedTuple):
    passage: int
    field: str
    facets: Facets
    terms: Counter[str]
    length: int


@dataclass(frozen=True, slots=True)
class WordSearch:
    """A search by analysed terms; `weights` multiplies a term's score, 0 and below drops the term."""

    terms_by_language: Mapping[str, Sequence[str]]
    filter: FacetFilter
    limit: int
    weights: Mapping[str, float]

    def wanted(self) -> dict[FieldTerm, float]:
        """Each term with its weight; a term given twice counts twice."""
        counts = Counter(
            (body_field(language), term)
            for language, terms in self.terms_by_language.items()
            for term in terms
        )
        weighed = ((term, self.weights.get(term[1], 1.0) * count) for term, count in counts.items())
        return {term: weight for term, weight in weighed if weight > 0}


class QdrantWords:
    """The text index of one state."""

    def __init__(
        self, nodes: QdrantNodes, collection: str, records: PostgresConnection, epoch: int, *, passages: int
    ) -> None:
        self._nodes, self._collection, self._records = nodes, collection, records
        self._epoch, self._count = epoch, passages
        self._statistics = WordStatistics(records)

    def match(
        self,
        terms_by_language: Mapping[str, Sequence[str]],
        filter: FacetFilter,
        limit: int,
        *,
        weights: Mapping[str, float] | None = None,
    ) -> list[tuple[int, float]]:
        """Rank the passages that pass the filter by their jurisdiction's statistics, best first."""
        return self.match_many([WordSearch(terms_by_language, filter, limit, weights or {})])[0]

    def match_many(self, searches: Sequence[WordSearch]) -> list[list[tuple[int, float]]]:
        """Run the searches in one call."""
        wanted = [one.wanted() if one.limit > 0 else {} for one in searches]
        self.know(term for terms in wanted for term in terms)
        asked = [
            (at, search)
            for at, one in enumerate(searches)
            for search in self._searches(wanted[at], one.filter)
        ]
        given = [(search, searches[at].limit) for at, search in asked]
        found = points.best(self._nodes, self._collection, given, _SCORE_DIGITS)
        hits: list[list[tuple[int, float]]] = [[] for _ in searches]
        for (at, _), some in zip(asked, found, strict=True):
            hits[at] += some
        return [
            sorted(some, key=lambda hit: (-hit[1], hit[0]))[: one.limit]
            for some, one in zip(hits, searches, strict=True)
        ]

    def know(self, terms: Iterable[FieldTerm]) -> None:
        """Read the statistics of some terms in one round trip."""
        self._statistics.frequencies(terms)

    def _searches(self, wanted: Mapping[FieldTerm, float], filter: FacetFilter) -> Iterator[dict[str, Any]]:
        known = self._statistics.frequencies(wanted)
        for place, passages in self._statistics.passages().items():
            if filter.jurisdictions is not None and place not in filter.jurisdictions:
                continue
            vector = {
                frequency.number: query_weight(frequency.passages[place], passages) * wanted[term]
                for term, frequency in known.items()
                if place in frequency.passages
            }
            if vector:
                here = replace(filter, jurisdictions=frozenset({place}))
                yield {
                    "query": {"indices": list(vector), "values": list(vector.values())},
                    "using": VECTOR,
                    "filter": points.passing(here, self._epoch),
                }

    def document_frequency(
        self, term: str, language: str, jurisdictions: Collection[int] | None = None
    ) -> int:
        """Count the passages that contain a term."""
        found = self._statistics.frequencies([(body_field(language), term)])
        return sum(
            passages
            for frequency in found.values()
            for place, passages in frequency.passages.items()
            if jurisdictions is None or place in jurisdictions
        )

    def count(self, jurisdictions: Collection[int] | None = None) -> int:
        """Count the passages of some jurisdictions, or of all."""
        held = self._statistics.passages()
        return sum(n for place, n in held.items() if jurisdictions is None or place in jurisdictions)

    def __len__(self) -> int:
        return self._count

    def refresh(self) -> None:
        """Do nothing: each state has its own object."""

    def close(self) -> None:
        """Nothing to close: the store owns the connections."""


class WordsWriter:
    """Writes the text index of the state after `epoch`."""

    def __init__(
        self,
        nodes: QdrantNodes,
        collection: str,
        records: PostgresConnection,
        epoch: int,
        *,
        drift: float,
        passages: int,
    ) -> None:
        self._nodes, self._collection, self._before = nodes, collection, passages
        self._next, self._drift = epoch + 1, drift
        self._statistics = StatisticsWriter(records)
        self._staged: list[_Staged] = []

    def clear(self) -> None:
        """Remove everything."""
        points.end(self._nodes, self._collection, self._next, [])
        self._statistics.clear()
        self._staged.clear()

    def delete_works(self, works: Collection[int]) -> None:
        """Remove every passage of these works, and its words from the statistics."""
        if not works:
            return
        gone = {"must": [points.one_of("work", works), *points.seen_by(self._next)]}
        for point in self._nodes.scroll(self._collection, gone, vectors=True):
            said = point["payload"]
            indices = point["vector"].get(VECTOR, {"indices": []})["indices"]
            self._statistics.count(
                said["jurisdiction"], FIELDS[said["field"]], indices, said["length"], sign=-1
            )
        points.end_works(self._nodes, self._collection, self._next, works)

    def add(self, passage: int, language: str, facets: Facets, terms: Sequence[str]) -> None:
        """Add one passage."""
        self._staged.append(_Staged(passage, body_field(language), facets, Counter(terms), len(terms)))
        if len(self._staged) >= _STAGED:
            self._write_staged()

    def _write_staged(self) -> None:
        staged, self._staged = self._staged, []
        if not staged:
            return
        numbers = self._statistics.numbers((one.field, term) for one in staged for term in one.terms)
        for one in staged:
            of_passage = [numbers[one.field, term] for term in one.terms]
            self._statistics.count(one.facets.jurisdiction, one.field, of_passage, one.length)
        for place, field in {(one.facets.jurisdiction, one.field) for one in staged}:
            if not self._statistics.lengths[place, field].weighting:
                self._statistics.weigh_with_average(place, field)
        self._nodes.upsert(self._collection, [self._point(one, numbers) for one in staged])

    def _point(self, one: _Staged, numbers: Mapping[tuple[str, str], int]) -> Point:
        known = self._statistics.lengths[one.facets.jurisdiction, one.field]
        norm = length_norm(one.length, known.average)
        weights = {numbers[one.field, term]: passage_weight(n, norm) for term, n in one.terms.items()}
        said = points.payload(one.facets, self._next)
        said |= {"field": FIELDS.index(one.field), "length": one.length, "weighting": known.weighting}
        return _point(one.passage, weights, said)

    def commit(self, *, last: bool = True) -> int:
        """Write the pending passages and the statistics; return the number of passages."""
        self._write_staged()
        for place, field in list(self._statistics.lengths):
            if self.is_drifted(place, field, last=last):
                self._weigh_anew(place, field)
        self._statistics.commit()
        wanted = sum(self._statistics.passages.values())
        found = self._nodes.count(self._collection, {"must": points.seen_by(self._next)})
        if found != wanted:
            raise StoreError(
                f"Qdrant holds {found:,} passages of this library and not {wanted:,}; nothing was published."
                " Run the command again; if it says so again, 'pykala reindex' writes them from the records"
            )
        if self._before < points.INDEXED_FROM <= found:
            self._nodes.index_columns(self._collection, _COLUMNS)
        return wanted

    def is_drifted(self, jurisdiction: int, field: str, *, last: bool) -> bool:
        """Whether the average length has moved too far from the one behind the weights."""
        made_with = self._statistics.lengths[jurisdiction, field].average
        now = self._statistics.average(jurisdiction, field)
        allowed = self._drift if last or not self._drift else max(self._drift, _DRIFT_WITHIN)
        return now > 0 and abs(now - made_with) > allowed * made_with + 1e-12

    def _weigh_anew(self, jurisdiction: int, field: str) -> None:
        """Rewrite every passage of a field with weights for the present average length."""
        before = self._statistics.lengths[jurisdiction, field]
        now = self._statistics.weigh_with_average(jurisdiction, field)
        old = [
            points.one_of("jurisdiction", [jurisdiction]),
            points.one_of("field", [FIELDS.index(field)]),
            points.one_of("weighting", [before.weighting]),
        ]
        waiting: list[Point] = []
        seen = {"must": [*old, *points.seen_by(self._next)]}
        for point in self._nodes.scroll(self._collection, seen, vectors=True):
            said, vector = point["payload"], point["vector"].get(VECTOR, {"indices": [], "values": []})
            norms = length_norm(said["length"], before.average), length_norm(said["length"], now.average)
            weights = {
                number: passage_weight(frequency_of(weight, norms[0]), norms[1])
                for number, weight in zip(vector["indices"], vector["values"], strict=True)
            }
            changed = {**said, "since": self._next, "weighting": now.weighting}
            waiting.append(_point(int(point["id"]) & points.PASSAGE, weights, changed))
            if len(waiting) >= _STAGED:
                self._nodes.upsert(self._collection, waiting)
                waiting = []
        self._nodes.upsert(self._collection, waiting)
        points.end(self._nodes, self._collection, self._next, old)

    def close(self) -> None:
        """Drop pending passages."""
        self._staged.clear()


def _point(passage: int, weights: Mapping[int, float], said: dict[str, Any]) -> Point:
    vector = {"indices": list(weights), "values": list(weights.values())}
    number = said["weighting"] * (points.PASSAGE + 1) + passage
    return {"id": number, "vector": {VECTOR: vector} if weights else {}, "payload": said}
