"""What people ask of sections: one vector per section, the mean of the questions that we wrote for it.

People's words are nearer to other people's words than to the law's. For a long section on several matters,
the mean lies between them, so its subsections have vectors of their own. A provision is identified by a hash
of its identifier; none of its text is stored. The model card says how the questions were written
(docs/models.md).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pykala.models.bundled.arrays import Weights, WeightsDamaged

#: The share of its section's vector in a subsection's vector: a subsection has few questions of its own, and
#: those of its section are about the same thing (docs/models.md).
_OF_SECTION: Final = 0.5


@lru_cache(maxsize=65_536)
def hash_of(identifier: str) -> int:
    """A provision or a work as a number: a hash of its identifier."""
    return int.from_bytes(hashlib.blake2b(identifier.encode("utf-8"), digest_size=8).digest(), "little")


class AskedSections:
    """The sections and subsections with known questions, and the vectors of these."""

    def __init__(self, weights: Path, dimension: int) -> None:
        read = Weights(weights)
        self._vectors, self._scales = read.rows("vectors", dimension)
        self._names = read.array("names")
        self._works = frozenset(read.array("works").tolist())
        sections, parts = read.array("part_sections"), read.array("part_rows")
        if len(self._names) != len(self._vectors) or (self._names[1:] < self._names[:-1]).any():
            raise WeightsDamaged(f"{weights.name}: a name a vector is needed, in order")
        if len(sections) != len(parts) or (sections[1:] < sections[:-1]).any():
            raise WeightsDamaged(f"{weights.name}: a section a part is needed, in order")
        if len(parts) and int(parts.max()) >= len(self._names):
            raise WeightsDamaged(f"{weights.name}: a part has no vector")
        self._part_sections, self._part_rows = sections, parts

    def __len__(self) -> int:
        return len(self._names)

    def knows(self, work: str) -> bool:
        """Whether any section of a work is among them."""
        return hash_of(work) in self._works

    def of(self, provisions: Sequence[str]) -> NDArray[np.float32]:
        """One unit vector per section or subsection; zeros where it has no known questions."""
        return self.named(np.array([hash_of(one) for one in provisions], dtype=np.uint64))

    def named(self, names: NDArray[np.uint64]) -> NDArray[np.float32]:
        """The same of provisions that are known by the hashes of their identifiers."""
        found = np.zeros((len(names), self._vectors.shape[1]), dtype=np.float32)
        if not len(names) or not len(self._names):
            return found
        places = np.minimum(np.searchsorted(self._names, names), len(self._names) - 1)
        known = self._names[places] == names
        found[known] = self._rows(places[known])
        return found

    def nearest_part(self, question: NDArray[np.float32], sections: Sequence[str]) -> NDArray[np.float32]:
        """The cosine of a question to the nearest subsection of each section; 0 where none is known."""
        found = np.zeros(len(sections), dtype=np.float32)
        names = np.array([hash_of(one) for one in sections], dtype=np.uint64)
        starts = np.searchsorted(self._part_sections, names)
        counts = np.searchsorted(self._part_sections, names, side="right") - starts
        divided = np.flatnonzero(counts)
        if not len(divided):
            return found
        counts = counts[divided]
        first = np.cumsum(counts) - counts  # where each section's parts begin in the concatenated array
        rows = np.repeat(starts[divided] - first, counts) + np.arange(counts.sum())
        whole = self.of([sections[at] for at in divided.tolist()])
        parts = (1 - _OF_SECTION) * self._rows(self._part_rows[rows])
        parts += _OF_SECTION * np.repeat(whole, counts, axis=0)
        cosines = np.einsum("ij,j->i", parts, question) / np.maximum(np.linalg.norm(parts, axis=1), 1e-9)
        found[divided] = np.maximum.reduceat(cosines, first)
        return found

    def _rows(self, places: NDArray[np.intp]) -> NDArray[np.float32]:
        rows = self._vectors[places] * self._scales[places, None]
        return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9), np.float32)
