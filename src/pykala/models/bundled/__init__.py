"""Models that ship inside the package and need nothing but NumPy."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pykala.models.bundled.embedder import StaticEmbedder

WEIGHTS: Final = Path(__file__).parent / "embedder.npz"


@cache
def embedder_of_package() -> StaticEmbedder:
    """The embedder of the package, loaded once."""
    # Imported here: whoever opens a library without vectors needs no NumPy.
    from pykala.models.bundled.embedder import StaticEmbedder

    return StaticEmbedder(WEIGHTS)
