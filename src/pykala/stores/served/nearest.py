"""Vector searches on a server, and vectors as they are stored: of length one, in float16."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pykala.stores.embedded.facets import FacetFilter

Scored = list[tuple[int, float]]


class VectorSearch(NamedTuple):
    """A search for the passages nearest to a vector of length one."""

    unit: NDArray[np.float32]
    filter: FacetFilter
    limit: int


def rounded(vectors: NDArray[np.float32]) -> NDArray[np.float16]:
    """Vectors of any length as they are stored: of length one, in float16."""
    wide = np.asarray(vectors, dtype=np.float64)
    lengths = np.linalg.norm(wide, axis=1, keepdims=True)
    return (wide / np.where(lengths > 0, lengths, 1)).astype(np.float16)


class ServedVectors(ABC):
    """The vectors of one state, with the interface of `embedded.vectors.VectorIndex`."""

    def __init__(self, *, dimension: int, passages: int) -> None:
        self.dimension, self._count = dimension, passages

    @abstractmethod
    def _found(self, searches: Sequence[VectorSearch]) -> Sequence[Scored]:
        """The nearest passages of each search with their cosines, best first, ties by number."""

    @abstractmethod
    def _cosines_of(
        self, asked: Sequence[tuple[NDArray[np.float32], Sequence[int]]]
    ) -> list[dict[int, float]]:
        """The cosines of some passages to each vector of length one."""

    def __len__(self) -> int:
        return self._count

    def match(self, query: NDArray[np.float32], filter: FacetFilter, limit: int) -> Scored:
        """The nearest passages that pass the filter, with their cosines; best first, ties by id."""
        return self.match_many([(query, filter, limit)])[0]

    def match_many(self, searches: Sequence[tuple[NDArray[np.float32], FacetFilter, int]]) -> list[Scored]:
        """Run the searches in one call."""
        wanted = self.wanted(searches)
        found = dict(zip(wanted, self._found(list(wanted.values())) if wanted else (), strict=True))
        return [found.get(at, []) for at in range(len(searches))]

    def wanted(
        self, searches: Sequence[tuple[NDArray[np.float32], FacetFilter, int]]
    ) -> dict[int, VectorSearch]:
        """The searches that can find something, by number; a vector of length zero has no direction."""
        wanted: dict[int, VectorSearch] = {}
        for at, (query, filter, limit) in enumerate(searches):
            unit = self._unit(query)
            if unit is not None and limit > 0 and self._count:
                wanted[at] = VectorSearch(unit, filter, limit)
        return wanted

    def nearness(self, query: NDArray[np.float32], passages: Sequence[int]) -> dict[int, float]:
        """Cosines of some passages, by id."""
        return self.nearness_many([(query, passages)])[0]

    def nearness_many(
        self, asked: Sequence[tuple[NDArray[np.float32], Sequence[int]]]
    ) -> list[dict[int, float]]:
        """Cosines of some passages to each query, in one call."""
        wanted = self.compared(asked)
        found = dict(zip(wanted, self._cosines_of(list(wanted.values())) if wanted else (), strict=True))
        return [found.get(at, {}) for at in range(len(asked))]

    def compared(
        self, asked: Sequence[tuple[NDArray[np.float32], Sequence[int]]]
    ) -> dict[int, tuple[NDArray[np.float32], Sequence[int]]]:
        """The requests that have something to compare, by number."""
        units = [self._unit(query) for query, _ in asked]
        return {
            at: (unit, sorted(set(passages)))
            for at, (unit, (_, passages)) in enumerate(zip(units, asked, strict=True))
            if unit is not None and passages
        }

    def _unit(self, query: NDArray[np.float32]) -> NDArray[np.float32] | None:
        query = np.asarray(query, dtype=np.float32)
        if query.shape != (self.dimension,):
            raise ValueError(f"a query of shape {query.shape}; this index takes ({self.dimension},)")
        if not np.isfinite(query).all():
            raise ValueError("the query vector holds NaN or infinity")
        length = float(np.linalg.norm(query))
        return query / np.float32(length) if length else None

    def refresh(self) -> None:  # noqa: B027
        """Do nothing: each state has its own object."""

    def close(self) -> None:  # noqa: B027
        """Nothing to close: the store owns the connections."""
