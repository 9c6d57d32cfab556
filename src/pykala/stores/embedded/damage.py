"""Damage that a store meets in its vector index, known also where no vectors are and NumPy is not loaded."""

from __future__ import annotations

from pathlib import Path

from pykala.stores.store import StoreError


class VectorIndexDamaged(StoreError):
    """A file of the vector index is missing, cut short or altered; the records can rebuild it."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"vector index file {path} is damaged: {reason}; rebuild the index from the records")
        self.path = path
        self.reason = reason
