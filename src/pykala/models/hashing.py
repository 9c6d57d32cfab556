"""Feature hashing (Weinberger et al., ICML 2009): a vector of a text's words that needs no training.

It knows no meaning beyond shared words, and is never a default. It allows real tests of code that takes an
embedder where no trained model is available.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pykala.models.embedder import Role
from pykala.text.analysis import analyse, fingerprint


class HashingEmbedder:
    """Signed hashes of analysed words, summed and brought to unit length."""

    def __init__(self, dimension: int = 256, language: str = "en") -> None:
        self._dimension = dimension
        self._language = language

    @property
    def name(self) -> str:
        """The model's name."""
        return f"hashing-{self._dimension}"

    @property
    def dimension(self) -> int:
        """The length of its vectors."""
        return self._dimension

    @property
    def fingerprint(self) -> str:
        """Changes with the dimension, the language and the analysis."""
        return f"{self.name}-{self._language}-{fingerprint()}"

    def encode(self, texts: Sequence[str], role: Role) -> NDArray[np.float32]:
        """Unit vectors, one row per text; a text without words is a zero vector."""
        vectors = np.zeros((len(texts), self._dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            for term in analyse(text, self._language):
                code = zlib.crc32(term.encode())
                vectors[row, (code >> 1) % self._dimension] += 1.0 if code & 1 else -1.0
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        lengths[lengths == 0] = 1.0
        unit: NDArray[np.float32] = vectors / lengths
        return unit
