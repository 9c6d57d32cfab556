"""The Embedder protocol: texts to vectors, asymmetric between questions and documents."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Literal, Protocol, runtime_checkable

if TYPE_CHECKING:  # vectors need NumPy; a library without them opens faster
    from numpy import float32
    from numpy.typing import NDArray


Role = Literal["query", "document"]


class Embedder(Protocol):
    """Encodes texts; `fingerprint` changes whenever the same text would give another vector."""

    @property
    def name(self) -> str:
        """The model's name."""
        ...

    @property
    def dimension(self) -> int:
        """Numbers per vector."""
        ...

    @property
    def fingerprint(self) -> str:
        """Identifies its vectors."""
        ...

    def encode(self, texts: Sequence[str], role: Role) -> NDArray[float32]:
        """Unit vectors, one row per text."""
        ...


class ForwardingEmbedder:
    """Passes every call on to another embedder; subclasses change how texts are encoded."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    @property
    def name(self) -> str:
        """The name of the other embedder."""
        return self._embedder.name

    @property
    def dimension(self) -> int:
        """The length of its vectors."""
        return self._embedder.dimension

    @property
    def fingerprint(self) -> str:
        """Its fingerprint: the vectors are the same."""
        return self._embedder.fingerprint

    def encode(self, texts: Sequence[str], role: Role) -> NDArray[float32]:
        """Encode texts with the other embedder."""
        return self._embedder.encode(texts, role)


@runtime_checkable
class WordEmbedder(Embedder, Protocol):
    """An embedder of single words, of every language in one space."""

    def word_vectors(self, words: Sequence[str], language: str) -> NDArray[float32]:
        """Unit vectors, one row per word in lower case; zeros for a word it knows nothing of."""
        ...

    def translated(self, words: Sequence[str], language: str, into: str) -> list[dict[str, float]]:
        """For each word, terms of another language, as full-text search knows them, with their likeness."""
        ...


@runtime_checkable
class PassageEmbedder(Embedder, Protocol):
    """An embedder with its own method to combine a passage's header and text."""

    def encode_passages(self, headers: Sequence[str], texts: Sequence[str]) -> NDArray[float32]:
        """Unit vectors, one row per passage."""
        ...


@runtime_checkable
class TwoTowerEmbedder(Embedder, Protocol):
    """An embedder that encodes documents and questions by separate models."""

    @property
    def documents_fingerprint(self) -> str:
        """Changes only with document vectors; a library keeps these while only question vectors change."""
        ...


@runtime_checkable
class AskedEmbedder(Embedder, Protocol):
    """An embedder that knows which questions people ask about some sections."""

    def knows_questions_of(self, work: str) -> bool:
        """Whether it knows questions of any section of a work."""
        ...

    def asked_of(self, provisions: Sequence[str]) -> NDArray[float32]:
        """The vector of the known questions of each section or subsection; zeros where there are none."""
        ...

    def near_parts(
        self, question: NDArray[float32], parts: Sequence[str], typed: str = ""
    ) -> NDArray[float32]:
        """The cosine of a question to what is asked of each part of a section; 0 where nothing is known."""
        ...

    def nearest_part(
        self, question: NDArray[float32], sections: Sequence[str], typed: str = ""
    ) -> NDArray[float32]:
        """The cosine of a question to each section's nearest subsection or topic; 0 without any.

        `typed` is the question's text: it may be a topic's own term.
        """
        ...

    def asked_by_topic(
        self, question: NDArray[float32], typed: str, places: Collection[str]
    ) -> NDArray[float32]:
        """The vectors of known questions of sections with a near topic, nearest first.

        Of the law of some jurisdictions, or of all where none is given.
        """
        ...


def encode_passages(embedder: Embedder, headers: Sequence[str], texts: Sequence[str]) -> NDArray[float32]:
    """The vectors of passages as they are indexed: each with its header."""
    if isinstance(embedder, PassageEmbedder):
        return embedder.encode_passages(headers, texts)
    return embedder.encode(
        [f"{header}\n{text}" for header, text in zip(headers, texts, strict=True)], "document"
    )
