"""Compare the passages in Qdrant with those of the records, by count and by hash.

Every point says which passage of which work it is, in which language, of which kind, and on which days it is
law. The same is computed from the records. Points come in no useful order, so hashes of rows are added up.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pykala.stores.cluster.nodes import QdrantNodes
from pykala.stores.cluster.points import COLUMNS, PASSAGE, seen_by
from pykala.stores.postgres.connection import PostgresConnection
from pykala.stores.served.passages import all_passages
from pykala.stores.store import StoreDamaged


@dataclass(frozen=True, slots=True)
class Passages:
    """How many passages there are, and their hash."""

    count: int
    digest: str


def passages_of_records(records: PostgresConnection) -> Passages:
    """The passages that the records have."""
    return _summed(all_passages(records))


def passages_of_points(nodes: QdrantNodes, collection: str, epoch: int) -> Passages:
    """The passages that a state sees in a collection."""
    points = nodes.scroll(collection, {"must": seen_by(epoch)}, vectors=False)
    return _summed(
        (int(point["id"]) & PASSAGE, *(point["payload"][name] for name in COLUMNS[:7])) for point in points
    )


def require_same(library: str, part: str, held: Passages, wanted: Passages) -> None:
    """Refuse passages that are not those of the records."""
    if held != wanted:
        raise StoreDamaged(
            f"the passages in Qdrant ({part}) are not those of the records: {held.count:,} with hash"
            f" {held.digest}, not {wanted.count:,} with {wanted.digest};"
            f" 'pykala reindex --library {library}' writes them from the records"
        )


def _summed(rows: Iterable[Sequence[int]]) -> Passages:
    count = total = 0
    for row in rows:
        said = ",".join(map(str, row)).encode()
        total += int.from_bytes(hashlib.blake2b(said, digest_size=16).digest())
        count += 1
    return Passages(count, f"{total % 2**128:032x}")
