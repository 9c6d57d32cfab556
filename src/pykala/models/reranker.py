"""The Reranker protocol: a question and the few best texts, scored again with a closer reading."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:  # scores need NumPy; a library that reranks nothing opens faster
    from numpy import float32
    from numpy.typing import NDArray


class Reranker(Protocol):
    """Scores texts against one question; `fingerprint` changes whenever a score could differ."""

    @property
    def name(self) -> str:
        """The model's name."""
        ...

    @property
    def fingerprint(self) -> str:
        """Identifies its scores."""
        ...

    def score(self, query: str, texts: Sequence[str]) -> NDArray[float32]:
        """One score per text, in the order given; higher is better.

        Only the order within one call has a meaning. A text may begin with its header on a line of its own.
        """
        ...
