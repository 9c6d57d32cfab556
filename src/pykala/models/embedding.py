"""Embedders behind HTTP: Voyage, Cohere and servers with OpenAI's `/embeddings`.

Questions and documents are encoded differently where the service supports it: by `input_type`, or by a prefix
with which the model was trained.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pykala.models.connection import Connection
from pykala.models.embedder import Role
from pykala.models.failures import MalformedReply
from pykala.models.metering import Account, Charges, Heard
from pykala.text.tokens import count_tokens

_LONGEST: Final = 24_000  # characters of one text; passages have some thousand
_EMPTY: Final = "."  # services refuse an empty text
_PROBE: Final = "law"


@dataclass(frozen=True, slots=True)
class EmbeddingProtocol:
    """The protocol of a service: path, body, position of the vectors, and batch size."""

    path: str
    body: Callable[[str, Sequence[str], Role, int], dict[str, object]]
    vectors: Callable[[Any], list[Any]]
    most_texts: int
    most_tokens: int


class HostedEmbedder:
    """An embedder behind a connection; vectors are normalised to unit length."""

    def __init__(
        self,
        connection: Connection,
        protocol: EmbeddingProtocol,
        model: str,
        *,
        name: str,
        dimension: int = 0,
        prefixes: Mapping[Role, str] | None = None,
        account: Account | None = None,
    ) -> None:
        self._connection, self._protocol, self._model, self._name = connection, protocol, model, name
        self._asked, self._dimension = dimension, dimension
        self._prefixes = dict(prefixes or {})
        self._charges = Charges(name, account)

    def __repr__(self) -> str:
        return f"HostedEmbedder({self._name!r}, {self._connection!r})"

    def heard_by(self, heard: Heard) -> HostedEmbedder:
        """The same embedder, which also reports its costs to `heard`."""
        copied = copy(self)
        copied._charges = self._charges.heard_by(heard)
        return copied

    @property
    def name(self) -> str:
        """The model's name."""
        return self._name

    @property
    def dimension(self) -> int:
        """The length of its vectors; unless the settings give it, the service is asked once."""
        if not self._dimension:
            self._dimension = len(self._encoded([_PROBE], "query")[0])
        return self._dimension

    @property
    def fingerprint(self) -> str:
        """Changes with the service's address, the model, the dimension and the prefixes of texts."""
        parts = (self._connection.base_url, self._model, self.dimension, sorted(self._prefixes.items()))
        return f"{self._name}-{hashlib.sha256(repr(parts).encode()).hexdigest()[:16]}"

    def encode(self, texts: Sequence[str], role: Role) -> NDArray[np.float32]:
        """Unit vectors, one row per text; however many texts, in as few requests as the service takes."""
        rows: list[NDArray[np.float32]] = []
        for batch in self._batches(texts):
            rows.extend(self._encoded(batch, role))
        return np.stack(rows) if rows else np.zeros((0, self.dimension), dtype=np.float32)

    def _batches(self, texts: Sequence[str]) -> Iterator[list[str]]:
        batch: list[str] = []
        tokens = 0
        for text in texts:
            cut = text[:_LONGEST]
            size = count_tokens(cut)
            full = len(batch) >= self._protocol.most_texts or tokens + size > self._protocol.most_tokens
            if batch and full:
                yield batch
                batch, tokens = [], 0
            batch.append(cut)
            tokens += size
        if batch:
            yield batch

    def _encoded(self, batch: Sequence[str], role: Role) -> list[NDArray[np.float32]]:
        before = self._prefixes.get(role, "")
        sent = [f"{before}{text if text.strip() else _EMPTY}" for text in batch]
        body = self._protocol.body(self._model, sent, role, self._asked)
        tokens = sum(map(count_tokens, sent))
        reply = self._charges.call(tokens, lambda: self._connection.post(self._protocol.path, body))
        try:
            given = self._protocol.vectors(reply)
        except (KeyError, TypeError, IndexError, AttributeError):
            given = []
        if len(given) != len(batch):
            raise MalformedReply(
                f"{self._connection.service} gave {len(given)} vectors for {len(batch)} texts; ask again"
            )
        return [self._unit(vector) for vector in given]

    def _unit(self, given: Any) -> NDArray[np.float32]:
        try:
            vector = np.asarray(given, dtype=np.float32)
        except (TypeError, ValueError):
            vector = np.zeros(0, dtype=np.float32)
        known = self._dimension or (vector.shape[0] if vector.ndim == 1 else 0)
        if vector.ndim != 1 or not vector.size or vector.shape[0] != known or not np.isfinite(vector).all():
            raise MalformedReply(f"{self._connection.service} gave something that is no vector of {known}")
        self._dimension = known
        length = float(np.linalg.norm(vector))
        unit: NDArray[np.float32] = vector / length if length else vector
        return unit


def _voyage_body(model: str, texts: Sequence[str], role: Role, dimension: int) -> dict[str, object]:
    body: dict[str, object] = {"model": model, "input": list(texts), "input_type": role, "truncation": True}
    return body | ({"output_dimension": dimension} if dimension else {})


def _cohere_body(model: str, texts: Sequence[str], role: Role, dimension: int) -> dict[str, object]:
    kind = "search_query" if role == "query" else "search_document"
    body: dict[str, object] = {
        "model": model,
        "texts": list(texts),
        "input_type": kind,
        "embedding_types": ["float"],
        "truncate": "END",
    }
    return body | ({"output_dimension": dimension} if dimension else {})


def _openai_body(model: str, texts: Sequence[str], role: Role, dimension: int) -> dict[str, object]:
    # `dimensions` is not sent, because most servers refuse it; the length of the vectors is checked instead.
    return {"model": model, "input": list(texts), "encoding_format": "float"}


def _by_index(reply: Any) -> list[Any]:
    """Vectors in the order of their texts, whatever order they came in; exactly one per text."""
    held = {row["index"]: row["embedding"] for row in reply["data"]}
    return [held[place] for place in range(len(reply["data"]))]


EMBEDDING_PROTOCOLS: Final = {
    "voyage": EmbeddingProtocol("/embeddings", _voyage_body, _by_index, 128, 80_000),
    "cohere": EmbeddingProtocol(
        "/embed", _cohere_body, lambda reply: list(reply["embeddings"]["float"]), 96, 80_000
    ),
    "openai": EmbeddingProtocol("/embeddings", _openai_body, _by_index, 128, 100_000),
}
