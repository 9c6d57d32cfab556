"""Embedders, rerankers and writers behind protocols."""

from __future__ import annotations

from typing import TYPE_CHECKING

# Import this before the function of the same name is defined: a later import of the package would replace it.
import pykala.models.bundled.package as _bundled

if TYPE_CHECKING:
    from pykala.models.bundled.embedder import TwoTowers
    from pykala.models.bundled.reranker import InteractionReranker

__all__ = ["bundled", "bundled_reranker"]


def bundled() -> TwoTowers:
    """The embedder that ships with the package, loaded once; needs NumPy."""
    return _bundled.embedder_of_package()


def bundled_reranker() -> InteractionReranker:
    """The reranker that ships with the package, loaded once; needs NumPy."""
    return _bundled.reranker_of_package()
