"""Rerankers behind HTTP: Cohere, Jina and vLLM (`documents`), Text Embeddings Inference (`texts`)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pykala.models.connection import Connection
from pykala.models.failures import MalformedReply
from pykala.models.metering import Account, Charges, Heard
from pykala.text.tokens import count_tokens

_LONGEST: Final = 12_000  # characters of one text


@dataclass(frozen=True, slots=True)
class RerankingProtocol:
    """The protocol of a service: its request, where its results are, and its name for a score."""

    path: str
    body: Callable[[str, str, Sequence[str]], dict[str, object]]
    results: Callable[[Any], list[Any]]
    score: str
    most_texts: int


class HostedReranker:
    """A reranker behind a connection."""

    def __init__(
        self,
        connection: Connection,
        protocol: RerankingProtocol,
        model: str,
        *,
        name: str,
        account: Account | None = None,
    ) -> None:
        self._connection, self._protocol, self._model, self._name = connection, protocol, model, name
        self._charges = Charges(name, account)

    def heard_by(self, heard: Heard) -> HostedReranker:
        """The same reranker, which also reports its costs to `heard`."""
        copied = copy(self)
        copied._charges = self._charges.heard_by(heard)
        return copied

    def __repr__(self) -> str:
        return f"HostedReranker({self._name!r}, {self._connection!r})"

    @property
    def name(self) -> str:
        """The model's name."""
        return self._name

    @property
    def fingerprint(self) -> str:
        """Changes with the service's address and the model."""
        parts = (self._connection.base_url, self._protocol.path, self._model)
        return f"{self._name}-{hashlib.sha256(repr(parts).encode()).hexdigest()[:16]}"

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """One score per text, in the order given."""
        scores = np.zeros(len(texts), dtype=np.float32)
        for start in range(0, len(texts), self._protocol.most_texts):
            batch = [text[:_LONGEST] or " " for text in texts[start : start + self._protocol.most_texts]]
            body = self._protocol.body(self._model, query[:_LONGEST], batch)
            reply = self._charges.call(_read(query, batch), partial(self._post, body))
            scores[start : start + len(batch)] = self._read(reply, len(batch))
        return scores

    def _post(self, body: dict[str, object]) -> Any:
        return self._connection.post(self._protocol.path, body)

    def _read(self, reply: Any, count: int) -> list[float]:
        """Scores by the position of their text; services return the best first, each position once."""
        try:
            found = {
                int(result["index"]): float(result[self._protocol.score])
                for result in self._protocol.results(reply)
            }
        except (KeyError, TypeError, ValueError):
            found = {}
        if sorted(found) != list(range(count)) or not np.isfinite(list(found.values())).all():
            raise MalformedReply(
                f"{self._connection.service} did not score each of {count} texts once; ask again"
            )
        return [found[place] for place in range(count)]


def _read(query: str, texts: Sequence[str]) -> int:
    """Tokens that scoring reads: a cross-encoder reads the question with every text."""
    asked = count_tokens(query[:_LONGEST])
    return sum(asked + count_tokens(text) for text in texts)


def _documents_body(model: str, query: str, texts: Sequence[str]) -> dict[str, object]:
    return {"model": model, "query": query, "documents": list(texts), "top_n": len(texts)}


def _texts_body(model: str, query: str, texts: Sequence[str]) -> dict[str, object]:
    return {"query": query, "texts": list(texts), "raw_scores": False, "truncate": True}


RERANKING_PROTOCOLS: Final = {
    "documents": RerankingProtocol(
        "/rerank", _documents_body, lambda reply: list(reply["results"]), "relevance_score", 200
    ),
    "texts": RerankingProtocol("/rerank", _texts_body, list, "score", 32),
}
