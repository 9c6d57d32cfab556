"""A configured model that cannot be used; using it raises the reason."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from pykala.models.embedder import Role
from pykala.models.failures import ModelError

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray


class UnusableModel:
    """Takes the place of an embedder or a reranker; using it raises the error that made it unusable."""

    dimension = 0
    fingerprint = ""

    def __init__(self, name: str, error: ModelError) -> None:
        self.name, self.error = name, error

    def encode(self, texts: Sequence[str], role: Role) -> NDArray[float32]:
        """Raise the error."""
        self._refuse()

    def score(self, query: str, texts: Sequence[str]) -> NDArray[float32]:
        """Raise the error."""
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise self.error
