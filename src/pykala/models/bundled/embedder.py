"""The embedder that ships with the package: a table of word vectors, trained on paired law.

A text's vector is the sum of its words' rows, each word once, brought to unit length. NumPy is all it
needs. How it was made, on what, and how well it does, stands in the model card (docs/models.md).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pykala.models.bundled import words
from pykala.models.bundled.words import RowsOfWords, language_of, printed_words_of
from pykala.models.embedder import Role
from pykala.text.analysis import fingerprint as analysis_fingerprint


class StaticEmbedder:
    """Word vectors, summed. `encode` gives the same bits wherever it runs on the same kind of machine."""

    def __init__(self, weights: Path) -> None:
        data = weights.read_bytes()
        # How words become rows counts as much as the rows: other rules, other vectors.
        self._digest = hashlib.sha256(data + Path(words.__file__).read_bytes()).hexdigest()[:16]
        with np.load(weights) as stored:
            scales = stored["scales"].astype(np.float32)
            self._table: NDArray[np.float32] = stored["rows"] * scales[:, None]
            vocabulary = bytes(stored["vocabulary"]).decode("utf-8").split("\n")
            self._buckets = int(stored["buckets"])
        self._vocabulary = {term: row for row, term in enumerate(vocabulary)}
        self._rows: dict[str, RowsOfWords] = {}

    @property
    def name(self) -> str:
        """What people call it."""
        return "pykala-static"

    @property
    def dimension(self) -> int:
        """How long its vectors are."""
        return int(self._table.shape[1])

    @cached_property
    def fingerprint(self) -> str:
        """Changes with the weights, with the analysis of words and with how words become rows."""
        return f"{self.name}-{self._digest}-{analysis_fingerprint()}"

    def encode(self, texts: Sequence[str], role: Role) -> NDArray[np.float32]:
        """Unit vectors, one row a text; a text without a known word is a zero vector."""
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for place, text in enumerate(texts):
            rows = self.rows_of(text)
            if rows:
                # Text by text: the few rows stay in the cache, which all rows of a batch would not.
                self._table.take(rows, axis=0).sum(axis=0, out=vectors[place])
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        lengths[lengths == 0] = 1.0
        vectors /= lengths
        return vectors

    def rows_of(self, text: str) -> list[int]:
        """The rows of a text's words, each once, in order: sums then come out the same in every process."""
        printed = printed_words_of(text)
        language = language_of(printed, text)
        known = self._rows.get(language)
        if known is None:
            known = self._rows[language] = RowsOfWords(language, self._vocabulary, self._buckets)
        return sorted(set().union(*map(known.__getitem__, set(printed))))
