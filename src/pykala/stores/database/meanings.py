"""Passages by their meaning, in PostgreSQL: float16 vectors, every one that passes the filter compared."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pykala.stores.database.tables import FACETS, facets_of, passing
from pykala.stores.embedded.facets import Facets
from pykala.stores.postgres.connection import PostgresConnection, Query
from pykala.stores.served.nearest import Scored, ServedVectors, VectorSearch, rounded
from pykala.stores.store import StoreError

_GIVEN: Final = ("passage", *FACETS)
_WRITTEN_AT_ONCE: Final = 1_000
_COSINE: Final = "-(meaning::vector <#> CAST(? AS vector))"  # float32: a float16 query would change scores


def dense(vector: NDArray[np.float32]) -> str:
    """A vector as pgvector reads it."""
    return f"[{','.join(map(repr, vector.tolist()))}]"


class DatabaseVectors(ServedVectors):
    """The vectors of one state."""

    def __init__(self, records: PostgresConnection, table: str, *, dimension: int, passages: int) -> None:
        super().__init__(dimension=dimension, passages=passages)
        self._records, self._table = records, table

    def _found(self, searches: Sequence[VectorSearch]) -> list[Scored]:
        return self._records.together([self.query(one) for one in searches])

    def query(self, one: VectorSearch) -> Query:
        """The statement of a search; its rows are passages with their cosines."""
        condition, values = passing(one.filter)
        statement = (
            f"SELECT passage, {_COSINE} AS cosine FROM {self._table} WHERE {condition}"
            " ORDER BY cosine DESC, passage LIMIT ?"
        )
        return statement, [dense(one.unit), *values, one.limit]

    def _cosines_of(
        self, asked: Sequence[tuple[NDArray[np.float32], Sequence[int]]]
    ) -> list[dict[int, float]]:
        return [dict(rows) for rows in self._records.together([self.nearness_query(*one) for one in asked])]

    def nearness_query(self, unit: NDArray[np.float32], passages: Sequence[int]) -> Query:
        """The statement whose rows are passages with their cosines."""
        return self._nearness("CAST(? AS bigint[])"), [dense(unit), list(passages)]

    def nearness_to_found(self, unit: NDArray[np.float32], found: str) -> Query:
        """The same for the passages of a query, which takes no values."""
        return self._nearness(f"ARRAY({found})"), [dense(unit)]

    def _nearness(self, passages: str) -> str:
        return f"SELECT passage, {_COSINE} FROM {self._table} WHERE passage = ANY({passages})"


class DatabaseVectorsWriter:
    """Writes the vectors of the next state, in the writer's transaction."""

    def __init__(self, records: PostgresConnection, table: str) -> None:
        self._records, self._table, self._count = records, table, 0
        self._insert = (
            f"INSERT INTO {table} ({', '.join(_GIVEN)}, meaning) SELECT {', '.join(_GIVEN)}, meaning::halfvec"
            f" FROM unnest({', '.join(['CAST(? AS bigint[])'] * len(_GIVEN))}, CAST(? AS text[]))"
            f" AS given ({', '.join(_GIVEN)}, meaning)"
        )

    def __len__(self) -> int:
        return self._count

    def clear(self) -> None:
        """Remove everything."""
        self._records.execute(f"DELETE FROM {self._table}")

    def delete_works(self, works: Collection[int]) -> None:
        """Remove every passage of these works."""
        if works:
            self._records.execute(f"DELETE FROM {self._table} WHERE work = ANY(?)", (sorted(works),))

    def append(self, passages: Sequence[int], facets: Sequence[Facets], vectors: NDArray[np.float32]) -> None:
        """Add one row for each passage. Vectors of any length are normalised."""
        kept = rounded(vectors).astype(np.float32)
        for at in range(0, len(passages), _WRITTEN_AT_ONCE):
            part = slice(at, at + _WRITTEN_AT_ONCE)
            rows = [
                (passage, *facets_of(facet), dense(row))
                for passage, facet, row in zip(passages[part], facets[part], kept[part], strict=True)
            ]
            self._records.execute(self._insert, [list(column) for column in zip(*rows, strict=True)])

    def commit(self) -> None:
        """Count what is there."""
        row = self._records.execute(f"SELECT count(*) FROM {self._table}").fetchone()
        self._count = int(row[0]) if row else 0

    def require(self, passages: int) -> None:
        """Refuse to publish where not every passage has a vector."""
        if self._count != passages:
            raise StoreError(
                f"the index holds the vectors of {self._count:,} passages and not of {passages:,};"
                " nothing was published. 'pykala reindex' writes them anew"
            )

    def close(self) -> None:
        """Nothing to release: the connection is the store's."""
