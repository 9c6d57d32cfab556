"""The Embedder protocol: texts to vectors, asymmetric between questions and documents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:  # vectors need NumPy; a library without them opens faster
    from numpy import float32
    from numpy.typing import NDArray


Role = Literal["query", "document"]


class Embedder(Protocol):
    """Encodes texts; `fingerprint` changes whenever the same text would give another vector."""

    @property
    def name(self) -> str:
        """What people call it."""
        ...

    @property
    def dimension(self) -> int:
        """How long its vectors are."""
        ...

    @property
    def fingerprint(self) -> str:
        """Tells its vectors from any other embedder's."""
        ...

    def encode(self, texts: Sequence[str], role: Role) -> NDArray[float32]:
        """Unit vectors, one row a text."""
        ...
