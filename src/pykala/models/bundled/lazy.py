"""The package's embedder: its name is known at once, its weights are loaded when the first text is encoded.

Commands that only show a provision or its history do not need the table of word vectors, and should not wait
for it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pykala.models.bundled import (
    ASKED_SECTIONS,
    OWN_EMBEDDER,
    OWN_RERANKER,
    TABLE_WEIGHTS,
    TOWER_WEIGHTS,
    fingerprint_of,
)
from pykala.models.bundled.package import embedder_of_package, reranker_of_package
from pykala.models.embedder import Role
from pykala.models.failures import ModelDamaged
from pykala.models.unusable import UnusableModel

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

_DIMENSION: Final = 256


class BundledEmbedder:
    """The same vectors as `pykala.models.bundled()`; the weights are loaded at first use."""

    @property
    def name(self) -> str:
        """What people call it."""
        return OWN_EMBEDDER

    @property
    def dimension(self) -> int:
        """How long its vectors are."""
        return _DIMENSION

    @cached_property
    def fingerprint(self) -> str:
        """The fingerprint of the embedder behind it, computed from its files."""
        return fingerprint_of(TABLE_WEIGHTS, TOWER_WEIGHTS, ASKED_SECTIONS)

    @cached_property
    def documents_fingerprint(self) -> str:
        """The fingerprint of the document vectors alone."""
        return fingerprint_of(TABLE_WEIGHTS)

    def encode(self, texts: Sequence[str], role: Role) -> NDArray[float32]:
        """Unit vectors, one row per text."""
        return embedder_of_package().encode(texts, role)

    def encode_passages(self, headers: Sequence[str], texts: Sequence[str]) -> NDArray[float32]:
        """Unit vectors of passages, each read under its header."""
        return embedder_of_package().encode_passages(headers, texts)

    def knows_questions_of(self, work: str) -> bool:
        """Whether it knows questions of any section of a work."""
        return embedder_of_package().knows_questions_of(work)

    def asked_of(self, provisions: Sequence[str]) -> NDArray[float32]:
        """The vector of the known questions of each section or subsection; zeros where there are none."""
        return embedder_of_package().asked_of(provisions)

    def near_parts(
        self, question: NDArray[float32], parts: Sequence[str], typed: str = ""
    ) -> NDArray[float32]:
        """The cosine of a question to what is asked of each part of a section; 0 where nothing is known."""
        return embedder_of_package().near_parts(question, parts, typed)

    def nearest_part(
        self, question: NDArray[float32], sections: Sequence[str], typed: str = ""
    ) -> NDArray[float32]:
        """The cosine of a question to the nearest subsection or topic of each section."""
        return embedder_of_package().nearest_part(question, sections, typed)

    def asked_by_topic(
        self, question: NDArray[float32], typed: str, places: Collection[str]
    ) -> NDArray[float32]:
        """The vectors of known questions of sections with a near topic, nearest first."""
        return embedder_of_package().asked_by_topic(question, typed, places)

    def word_vectors(self, words: Sequence[str], language: str) -> NDArray[float32]:
        """Unit vectors, one row per word."""
        return embedder_of_package().word_vectors(words, language)

    def translated(self, words: Sequence[str], language: str, into: str) -> list[dict[str, float]]:
        """For each word, the nearest terms of another language."""
        return embedder_of_package().translated(words, language, into)


class LazyReranker:
    """The package's reranker, loaded at first use."""

    @property
    def name(self) -> str:
        """What people call it."""
        return OWN_RERANKER

    @property
    def fingerprint(self) -> str:
        """Changes with the weights and with the embedder."""
        return reranker_of_package().fingerprint

    def score(self, query: str, texts: Sequence[str]) -> NDArray[float32]:
        """One score per text, higher is better."""
        return reranker_of_package().score(query, texts)


@cache
def bundled_embedder() -> BundledEmbedder:
    """The embedder of this process."""
    return BundledEmbedder()


def bundled_for(made_with: str | None) -> BundledEmbedder | UnusableModel:
    """The package's embedder, for a library whose vectors have this fingerprint.

    If the fingerprint differs, our weights may be damaged, so they are loaded here and not at first use.
    """
    embedder = bundled_embedder()
    try:
        if embedder.fingerprint != made_with:
            embedder_of_package()
    except ModelDamaged as error:
        return UnusableModel(OWN_EMBEDDER, error)
    except OSError as error:
        name = Path(error.filename or "a file of weights").name
        return UnusableModel(OWN_EMBEDDER, ModelDamaged(f"{name} cannot be read: {error.strerror}"))
    return embedder
