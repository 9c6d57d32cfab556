"""Vector search in Qdrant: float16 vectors, searched exactly where candidates are few.

Up to `exact_up_to` candidates every vector is compared, as in a folder. Beyond that, a graph (HNSW) chooses
the vectors to compare.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pykala.stores.cluster import points
from pykala.stores.cluster.nodes import Point, QdrantNodes
from pykala.stores.embedded.facets import FacetFilter, Facets
from pykala.stores.served.nearest import Scored, ServedVectors, VectorSearch, rounded
from pykala.stores.store import StoreError

VECTOR: Final = "meaning"
_BEYOND: Final = 32  # extra hits, since their exact cosines may be better than Qdrant's rounded ones
_ROUNDED: Final = 3e-4  # the largest error of Qdrant's cosines
_GRAPH: Final = {"m": 16, "ef_construct": 128}
_SEARCHED: Final = 256  # candidates kept during the walk of the graph


def layout(dimension: int, shards: int, replicas: int) -> dict[str, Any]:
    """The settings of a vector collection: without a graph until it is large."""
    vectors = {"size": dimension, "distance": "Dot", "datatype": "float16", "hnsw_config": {"m": 0}}
    return {"vectors": {VECTOR: vectors}, "shard_number": shards, "replication_factor": replicas}


class QdrantVectors(ServedVectors):
    """The vectors of one state."""

    def __init__(
        self,
        nodes: QdrantNodes,
        collection: str,
        epoch: int,
        *,
        dimension: int,
        passages: int,
        exact: Callable[[FacetFilter], bool] = lambda filter: True,
    ) -> None:
        super().__init__(dimension=dimension, passages=passages)
        self._nodes, self._collection, self._epoch = nodes, collection, epoch
        self._exact = exact

    def _found(self, searches: Sequence[VectorSearch]) -> list[Scored]:
        found: list[Scored] = [[] for _ in searches]
        fetch = {at: one.limit + _BEYOND for at, one in enumerate(searches)}
        while fetch:
            asked = [self._search(searches[at], most) for at, most in fetch.items()]
            answers = self._nodes.query(self._collection, asked)
            for (at, most), hits in zip(list(fetch.items()), answers, strict=True):
                unit, _, limit = searches[at]
                if len(hits) < most or hits[-1]["score"] < hits[limit - 1]["score"] - _ROUNDED:
                    cosines = _cosines(unit, hits)
                    found[at] = sorted(cosines.items(), key=lambda hit: (-hit[1], hit[0]))[:limit]
                    del fetch[at]
                else:
                    fetch[at] *= 2
        return found

    def _search(self, one: VectorSearch, most: int) -> dict[str, Any]:
        exact = self._exact(one.filter)
        return {
            "query": one.unit.tolist(),
            "using": VECTOR,
            "filter": points.passing(one.filter, self._epoch),
            "params": {"exact": True} if exact else {"hnsw_ef": max(_SEARCHED, 2 * most)},
            "with_vector": [VECTOR],
            "limit": most,
        }

    def _cosines_of(
        self, asked: Sequence[tuple[NDArray[np.float32], Sequence[int]]]
    ) -> list[dict[int, float]]:
        wanted = sorted({passage for _, passages in asked for passage in passages})
        body = {
            "filter": {"must": [{"has_id": wanted}, *points.seen_by(self._epoch)]},
            "limit": len(wanted),
            "with_vector": [VECTOR],
        }
        (found,) = self._nodes.query(self._collection, [body])
        by_number = {int(point["id"]): point for point in found}
        return [
            _cosines(unit, [by_number[one] for one in passages if one in by_number])
            for unit, passages in asked
        ]


def _cosines(unit: NDArray[np.float32], found: Sequence[Point]) -> dict[int, float]:
    """Cosines without Qdrant's rounding of the query to float16, as a folder computes them."""
    if not found:
        return {}
    vectors = np.array([hit["vector"][VECTOR] for hit in found], dtype=np.float32)
    return {int(hit["id"]): float(cosine) for hit, cosine in zip(found, vectors @ unit, strict=True)}


def points_of(
    passages: Sequence[int], facets: Sequence[Facets], vectors: NDArray[np.float32], since: int
) -> list[Point]:
    """The points of passages. Vectors of any length are normalised."""
    kept = rounded(vectors).astype(np.float32).tolist()
    return [
        {"id": number, "vector": {VECTOR: row}, "payload": points.payload(facet, since)}
        for number, facet, row in zip(passages, facets, kept, strict=True)
    ]


class VectorsWriter:
    """Writes the vectors of the state after `epoch`."""

    def __init__(
        self, nodes: QdrantNodes, collection: str, epoch: int, *, passages: int, exact_up_to: int
    ) -> None:
        self._nodes, self._collection = nodes, collection
        self._next, self._before, self._exact_up_to = epoch + 1, passages, exact_up_to
        self._count = passages

    def __len__(self) -> int:
        return self._count

    def clear(self) -> None:
        """Remove everything."""
        points.end(self._nodes, self._collection, self._next, [])

    def delete_works(self, works: Collection[int]) -> None:
        """Remove every passage of these works."""
        points.end_works(self._nodes, self._collection, self._next, works)

    def append(self, passages: Sequence[int], facets: Sequence[Facets], vectors: NDArray[np.float32]) -> None:
        """Add one point per passage. Vectors of any length are normalised."""
        self._nodes.upsert(self._collection, points_of(passages, facets, vectors, self._next))

    def commit(self) -> None:
        """Count the points, and build a graph where exact search would take too long."""
        self._count = self._nodes.count(self._collection, {"must": points.seen_by(self._next)})
        if self._before < points.INDEXED_FROM <= self._count:
            self._nodes.index_columns(self._collection, points.COLUMNS)
        if self._before <= self._exact_up_to < self._count:
            graph = {"vectors": {VECTOR: {"hnsw_config": _GRAPH}}}
            self._nodes.call("PATCH", f"/collections/{self._collection}", graph)

    def require(self, passages: int) -> None:
        """Refuse to publish unless every passage has arrived."""
        if self._count != passages:
            raise StoreError(
                f"Qdrant holds the vectors of {self._count:,} passages and not of {passages:,}; nothing was"
                " published. Run the command again; if it says so again, 'pykala reindex' writes them anew"
            )

    def close(self) -> None:
        """Nothing to close: the store owns the connections."""
