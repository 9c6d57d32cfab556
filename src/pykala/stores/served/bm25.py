"""BM25 as a product of two weights, the query's and the passage's, so that any engine can rank by it.

Robertson & Zaragoza, "The Probabilistic Relevance Framework" (2009), with k1 = 1.2 and b = 0.75. Lengths are
rounded down as Lucene and Tantivy do (four significant bits), so that the scores are those of a folder.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from typing import Final

K1: Final = 1.2
B: Final = 0.75
_EXACT: Final = 24  # lengths below this are kept as they are


def _length(code: int) -> int:
    if code < _EXACT:
        return code
    bits, shift = (code - _EXACT) & 7, ((code - _EXACT) >> 3) - 1
    return _EXACT + (bits if shift < 0 else (bits | 8) << shift)


_LENGTHS: Final = tuple(_length(code) for code in range(256))


def rounded_length(length: int) -> int:
    """A length as the index stores it."""
    return _LENGTHS[bisect_right(_LENGTHS, length) - 1]


def length_norm(length: int, average: float) -> float:
    """The length normalisation of a passage."""
    return K1 * (1 - B + B * rounded_length(length) / average)


def passage_weight(frequency: int, norm: float) -> float:
    """The weight of a term that occurs so often in a passage."""
    return frequency / (frequency + norm)


def frequency_of(weight: float, norm: float) -> int:
    """How often a term of that weight occurs in a passage."""
    return round(weight * norm / (1 - weight))


def query_weight(holding: int, passages: int) -> float:
    """The weight of a term in a query: higher for a rarer term."""
    return (1 + K1) * math.log(1 + (passages - holding + 0.5) / (holding + 0.5))
