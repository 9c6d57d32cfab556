"""Models that ship inside the package and need nothing but NumPy."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pykala.models.bundled.embedder import StaticEmbedder
    from pykala.models.bundled.reranker import InteractionReranker

WEIGHTS: Final = Path(__file__).parent / "embedder.npz"
#: One bit a language for each word of the vocabulary (see training/term_languages.py).
LANGUAGES_OF_TERMS: Final = Path(__file__).parent / "languages.npy"
RERANKER_WEIGHTS: Final = Path(__file__).parent / "reranker.npz"


@cache
def embedder_of_package() -> StaticEmbedder:
    """The embedder of the package, loaded once."""
    # Imported here: whoever opens a library without vectors needs no NumPy.
    from pykala.models.bundled.embedder import StaticEmbedder

    return StaticEmbedder(WEIGHTS)


@cache
def reranker_of_package() -> InteractionReranker:
    """The reranker of the package, loaded once; it shares the embedder's table."""
    from pykala.models.bundled.reranker import InteractionReranker

    return InteractionReranker(RERANKER_WEIGHTS, embedder_of_package())
