"""What people ask of sections: one vector a section, the mean of the questions that we wrote for it.

People's words lie nearer to other people's words than to the law's. A section is known by a hash of its
identifier; nothing of its text is kept. How the questions were written stands in the model card
(docs/models.md).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pykala.models.bundled.arrays import Weights, WeightsDamaged


def name_of(identifier: str) -> int:
    """A section or a work as a number."""
    return int.from_bytes(hashlib.blake2b(identifier.encode("utf-8"), digest_size=8).digest(), "little")


class AskedSections:
    """The sections that there are questions of, and where these lie."""

    def __init__(self, weights: Path, dimension: int) -> None:
        read = Weights(weights)
        self._vectors, self._scales = read.rows("vectors", dimension)
        self._names = read.array("names")
        self._works = frozenset(read.array("works").tolist())
        if len(self._names) != len(self._vectors) or (self._names[1:] < self._names[:-1]).any():
            raise WeightsDamaged(f"{weights.name}: a name a vector is needed, in order")

    def __len__(self) -> int:
        return len(self._names)

    def knows(self, work: str) -> bool:
        """Whether any section of a work is among them."""
        return name_of(work) in self._works

    def of(self, sections: Sequence[str]) -> NDArray[np.float32]:
        """A unit vector a section; zeros where nothing is known of it."""
        found = np.zeros((len(sections), self._vectors.shape[1]), dtype=np.float32)
        if not sections or not len(self._names):
            return found
        names = np.array([name_of(section) for section in sections], dtype=np.uint64)
        places = np.minimum(np.searchsorted(self._names, names), len(self._names) - 1)
        known = self._names[places] == names
        rows = places[known]
        found[known] = self._vectors[rows] * self._scales[rows, None]
        found[known] /= np.maximum(np.linalg.norm(found[known], axis=1, keepdims=True), 1e-9)
        return found
