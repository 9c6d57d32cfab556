"""The models of the package, each loaded once."""

from __future__ import annotations

import threading
from functools import cache
from typing import TYPE_CHECKING

from pykala.models.bundled import ASKED_SECTIONS, RERANKER_WEIGHTS, TABLE_WEIGHTS, TOPICS, TOWER_WEIGHTS

if TYPE_CHECKING:
    from pykala.models.bundled.embedder import TwoTowers
    from pykala.models.bundled.reranker import InteractionReranker


#: `cache` lets threads that come at once each load a copy, and a server's threads do.
_LOADING = threading.RLock()


def embedder_of_package() -> TwoTowers:
    """The embedder of the package, loaded once."""
    with _LOADING:
        return _embedder()


def reranker_of_package() -> InteractionReranker:
    """The reranker of the package, loaded once; it shares the embedder's table."""
    with _LOADING:
        return _reranker()


@cache
def _embedder() -> TwoTowers:
    # Import it here: a library without vectors does not need NumPy.
    from pykala.models.bundled.embedder import TwoTowers

    return TwoTowers(TABLE_WEIGHTS, TOWER_WEIGHTS, ASKED_SECTIONS, TOPICS)


@cache
def _reranker() -> InteractionReranker:
    from pykala.models.bundled.arrays import WeightsDamaged
    from pykala.models.bundled.reranker import InteractionReranker

    table = _embedder().table
    try:
        return InteractionReranker(RERANKER_WEIGHTS, table)
    # A truncated, foreign or missing file: zipfile and NumPy raise many kinds of errors.
    except Exception as error:
        raise WeightsDamaged(f"{RERANKER_WEIGHTS.name} cannot be read: {error}") from error
