"""Choose the models for one question, and the weights for their scores.

Any embedder and any reranker can be used. The bundled pair has bundled weights. Another pair uses the weights
that `pykala calibrate` stores beside the library; until then it counts by ranks, and the answer says so. A
model that fails is left out: the search by words still answers, and the answer says that too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pykala.law.answers import Caveat, CaveatKind
from pykala.models.bundled import OWN_EMBEDDER, OWN_RERANKER
from pykala.models.embedder import Embedder, ForwardingEmbedder, Role, WordEmbedder
from pykala.models.reranker import Reranker
from pykala.retrieve.by_ranks import ByRanks, by_ranks
from pykala.retrieve.calibration import Case, Weighing, calibrated
from pykala.retrieve.rerank import reason
from pykala.text.phrases import say


@dataclass(frozen=True, slots=True)
class ModelsInUse:
    """The working models, their weights, and the caveats about them."""

    embedder: Embedder | None
    reranker: Reranker | None
    weights: Mapping[Case, Weighing]
    names: tuple[str, ...]  # of the models that are not the package's own
    caveats: tuple[Caveat, ...] = ()

    def by_ranks(self, cases: Iterable[Case], spoken: str) -> tuple[Caveat, ...]:
        """The caveat that these cases are ordered by ranks; empty where they are calibrated."""
        if not any(isinstance(self.weights[case], ByRanks) for case in cases):
            return ()
        message = say(spoken, "caveat.by_ranks", models=", ".join(self.names))
        return (Caveat(CaveatKind.UNCALIBRATED, None, message),)


def models_in_use(
    query: str,
    spoken: str,
    embedder: Embedder | None,
    reranker: Reranker | None,
    learned: Mapping[Case, Weighing] | None = None,
) -> ModelsInUse:
    """Try the embedder on the question, and choose the weights for the models that work.

    `learned` holds the cases that these models were calibrated for.
    """
    caveats: tuple[Caveat, ...] = ()
    if embedder is not None:
        try:
            embedder = _asked(embedder, query)
        except Exception as error:  # any embedder may raise anything; the search by words goes on
            message = say(spoken, "caveat.words_alone", embedder=embedder.name, reason=reason(error))
            caveats = (Caveat(CaveatKind.DEGRADED, None, message),)
            embedder = None
            # The bundled reranker uses the bundled embedder's table, so it works only if that does.
            reranker = None if reranker is not None and reranker.name == OWN_RERANKER else reranker
    own_embedder = embedder is None or embedder.name == OWN_EMBEDDER
    own_reranker = reranker is None or reranker.name == OWN_RERANKER
    names = [embedder.name] if embedder is not None and not own_embedder else []
    names += [reranker.name] if reranker is not None and not (own_reranker and own_embedder) else []
    weights: Mapping[Case, Weighing] = calibrated() if not names else by_ranks(own_embedder=own_embedder)
    return ModelsInUse(embedder, reranker, {**weights, **(learned or {})}, tuple(names), caveats)


def _asked(embedder: Embedder, query: str) -> Embedder:
    """The embedder after encoding the question; an embedder of single words caches questions itself."""
    vector = np.asarray(embedder.encode([query], "query"), dtype=np.float32)
    if vector.shape != (1, embedder.dimension) or not np.isfinite(vector).all():
        raise ValueError("an embedder gives one finite vector a text")
    return embedder if isinstance(embedder, WordEmbedder) else _Asked(embedder, query, vector)


class _Asked(ForwardingEmbedder):
    """An embedder that already has the question's vector, so that a remote service is called only once."""

    def __init__(self, embedder: Embedder, query: str, vector: NDArray[np.float32]) -> None:
        super().__init__(embedder)
        self._query, self._vector = query, vector

    def encode(self, texts: Sequence[str], role: Role) -> NDArray[np.float32]:
        if role == "query" and [*texts] == [self._query]:
            return self._vector
        return self._embedder.encode(texts, role)
