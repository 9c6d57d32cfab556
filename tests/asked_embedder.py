"""An embedder that knows what is asked of sections, for tests that say what it knows."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from pykala.models.hashing import HashingEmbedder

Floats = NDArray[np.float32]


class AskedHashingEmbedder(HashingEmbedder):
    """Knows a question of every provision, and neither subsections nor topics, unless a test says more."""

    def knows_questions_of(self, work: str) -> bool:
        return True

    def asked_of(self, provisions: Sequence[str]) -> Floats:
        return self.encode([f"question of {one}" for one in provisions], "query")

    def near_parts(self, question: Floats, parts: Sequence[str], typed: str = "") -> Floats:
        return np.asarray(self.asked_of(parts) @ question, dtype=np.float32)

    def asked_by_topic(self, question: Floats, typed: str, places: Collection[str]) -> Floats:
        return np.zeros((0, self.dimension), dtype=np.float32)

    def nearest_part(self, question: Floats, sections: Sequence[str], typed: str = "") -> Floats:
        return np.zeros(len(sections), dtype=np.float32)
