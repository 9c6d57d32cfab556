"""The reranker that ships with the package: it scores how a question's words match a candidate's.

A deep relevance matching model (Guo et al., CIKM 2016; Xiong et al., SIGIR 2017) of some ten thousand weights
over the embedder's word vectors. It needs only NumPy. The model card says how it was trained and how well it
does (docs/models.md).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pykala.models.bundled import OWN_RERANKER, digest_of
from pykala.models.bundled.embedder import DocumentTable
from pykala.models.bundled.interactions import Floats, Interacting, Interactions


class InteractionReranker:
    """Scores candidates against a question, each a body below a header line (`Title › Heading`)."""

    def __init__(self, weights: Path, embedder: DocumentTable) -> None:
        self._digest = digest_of(weights)
        self._embedder = embedder
        with np.load(weights) as stored:
            self._scorers = _scorers(stored)
            self._interacting = Interacting(embedder, stored["rarity"].astype(np.float32))

    @property
    def name(self) -> str:
        """What people call it."""
        return OWN_RERANKER

    @cached_property
    def fingerprint(self) -> str:
        """Changes with the weights, the code that compares words, and the embedder."""
        return f"{self.name}-{self._digest}-{self._embedder.digest}"

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """One score per text, higher is better; all are equal where the question has no content word."""
        if not texts:
            return np.zeros(0, dtype=np.float32)
        read = self._interacting.read(query, texts)
        return self._judge(read) if read.asked else np.zeros(len(texts), dtype=np.float32)

    def _judge(self, read: Interactions) -> Floats:
        scores: Floats = np.mean([scorer.judge(read) for scorer in self._scorers], axis=0, dtype=np.float32)
        return scores


class Scorer:
    """One set of weights; the scores of several, trained from different starts, are averaged."""

    def __init__(self, weights: Mapping[str, Floats]) -> None:
        self._weights = weights

    def judge(self, read: Interactions) -> Floats:
        """Scores of the candidates."""
        toward = self._through("direction", read.vectors)
        traits = np.concatenate((read.traits, toward), axis=1)
        weights = self._through("weigh_out", _positive(self._through("weigh_in", traits)))[:, 0]
        weights = np.logaddexp(weights, 0.0)
        shares = (weights / max(float(weights.sum()), 1e-6)).astype(np.float32)
        known = np.broadcast_to(traits, (len(read.meetings), *traits.shape))
        found = _positive(self._through("meet_in", np.concatenate((read.meetings, known), axis=2)))
        found = _positive(self._through("meet_out", found))
        pooled = np.einsum("cwk,w->ck", found, shares)
        plain = np.einsum("cwk,w->ck", read.meetings, shares)
        judged = np.concatenate((pooled, found.max(axis=1), plain, read.standings), axis=1)
        scores: Floats = self._through("judge_out", _positive(self._through("judge_in", judged)))[:, 0]
        return scores

    def _through(self, layer: str, values: Floats) -> Floats:
        out: Floats = values @ self._weights[f"{layer}.weight"] + self._weights[f"{layer}.bias"]
        return out


def _scorers(stored: Mapping[str, NDArray[np.generic]]) -> list[Scorer]:
    """The scorers of a file, whose arrays are named `0/judge_in.weight`."""
    found: dict[str, dict[str, Floats]] = {}
    for name in stored:
        number, _, layer = name.partition("/")
        if layer:
            found.setdefault(number, {})[layer] = stored[name].astype(np.float32)
    return [Scorer(weights) for _, weights in sorted(found.items())]


def _positive(values: Floats) -> Floats:
    return np.maximum(values, 0.0)
