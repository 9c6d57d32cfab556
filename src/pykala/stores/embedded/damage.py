"""Errors for damaged index files; without NumPy, which a library without vectors does not need."""

from __future__ import annotations

from pathlib import Path

from pykala.stores.store import StoreError


class IndexDamaged(StoreError):
    """A file of an index is missing, cut short or altered; the records can rebuild it."""

    def __init__(self, part: str, path: Path, reason: str) -> None:
        super().__init__(
            f"{path} is damaged: {reason}; 'pykala verify --repair' writes it anew from the records"
        )
        self.part, self.path, self.reason = part, path, reason


class VectorIndexDamaged(IndexDamaged):
    """A file of the vector index is missing, cut short or altered."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__("vectors", path, reason)
