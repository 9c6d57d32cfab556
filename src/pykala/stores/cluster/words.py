"""Passages by their words, in Qdrant: sparse vectors of BM25 weights made from our own statistics."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final

from pykala.stores.cluster import points
from pykala.stores.cluster.nodes import Point, QdrantNodes
from pykala.stores.postgres.connection import PostgresConnection
from pykala.stores.served.bm25 import frequency_of, length_norm, passage_weight
from pykala.stores.served.statistics import Lengths
from pykala.stores.served.word_search import SCORE_DIGITS, PlaceSearch, Scored, ServedWords
from pykala.stores.served.word_staging import FIELDS, STAGED, CountedPassage, StagedPassage, WordsWriter
from pykala.stores.store import StoreError

VECTOR: Final = "words"
_COLUMNS: Final = (*points.COLUMNS, "field", "weighting")


def layout(shards: int, replicas: int) -> dict[str, Any]:
    """The settings of a text collection."""
    return {
        "vectors": {},
        "sparse_vectors": {VECTOR: {}},
        "shard_number": shards,
        "replication_factor": replicas,
    }


class QdrantWords(ServedWords):
    """The text index of one state."""

    def __init__(
        self, nodes: QdrantNodes, collection: str, records: PostgresConnection, epoch: int, *, passages: int
    ) -> None:
        super().__init__(records, passages=passages)
        self._nodes, self._collection, self._epoch = nodes, collection, epoch

    def _found(self, searches: Sequence[PlaceSearch]) -> Sequence[Scored]:
        given = [(self._search(one), one.limit) for one in searches]
        return points.best(self._nodes, self._collection, given, SCORE_DIGITS)

    def _search(self, one: PlaceSearch) -> dict[str, Any]:
        return {
            "query": {"indices": list(one.weights), "values": list(one.weights.values())},
            "using": VECTOR,
            "filter": points.passing(one.filter, self._epoch),
        }


class QdrantWordsWriter(WordsWriter):
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
        super().__init__(records, drift=drift)
        self._nodes, self._collection, self._before = nodes, collection, passages
        self._next = epoch + 1

    def _take_out(self, works: Collection[int] | None) -> None:
        if works is None:
            points.end(self._nodes, self._collection, self._next, [])
        else:
            points.end_works(self._nodes, self._collection, self._next, works)

    def _of_works(self, works: Collection[int]) -> Iterator[CountedPassage]:
        gone = {"must": [points.one_of("work", works), *points.seen_by(self._next)]}
        for point in self._nodes.scroll(self._collection, gone, vectors=True):
            said = point["payload"]
            indices = point["vector"].get(VECTOR, {"indices": []})["indices"]
            yield CountedPassage(said["jurisdiction"], FIELDS[said["field"]], indices, said["length"])

    def _write(self, passages: Sequence[StagedPassage]) -> None:
        self._nodes.upsert(self._collection, [point_of(one, self._next) for one in passages])

    def _require(self, passages: int) -> None:
        found = self._nodes.count(self._collection, {"must": points.seen_by(self._next)})
        if found != passages:
            raise StoreError(
                f"Qdrant holds {found:,} passages of this library and not {passages:,}; nothing was"
                " published. Run the command again; if it says so again, 'pykala reindex' writes them from"
                " the records"
            )
        if self._before < points.INDEXED_FROM <= found:
            self._nodes.index_columns(self._collection, _COLUMNS)

    def _weigh(self, jurisdiction: int, field: str, before: Lengths, now: Lengths) -> None:
        """Rewrite every passage of a field with weights for the present average length."""
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
            if len(waiting) >= STAGED:
                self._nodes.upsert(self._collection, waiting)
                waiting = []
        self._nodes.upsert(self._collection, waiting)
        points.end(self._nodes, self._collection, self._next, old)


def point_of(one: StagedPassage, since: int) -> Point:
    """The point of a passage."""
    said = points.payload(one.facets, since) | {"field": FIELDS.index(one.field), "length": one.length}
    return _point(one.passage, one.weights(), said | {"weighting": one.made_with.weighting})


def number_of(passage: int, weighting: int) -> int:
    """The number of a passage's point."""
    return weighting * (points.PASSAGE + 1) + passage


def _point(passage: int, weights: Mapping[int, float], said: dict[str, Any]) -> Point:
    vector = {"indices": list(weights), "values": list(weights.values())}
    return {
        "id": number_of(passage, said["weighting"]),
        "vector": {VECTOR: vector} if weights else {},
        "payload": said,
    }
