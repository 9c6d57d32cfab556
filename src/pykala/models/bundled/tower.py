"""The question tower: a small transformer that encodes a question in the vector space of the table.

Four layers of width 384, in int8 with one scale per row. Each piece of a word comes with its whole word's
vector from the document table, so that a Finnish compound is known by its parts even where its letters are
new. onnxruntime computes the layers where it is installed, else NumKong with int8 numbers, else NumPy
(`KERNELS`, the fastest first). The model card says how it was trained, and how long each takes
(docs/models.md).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import sqrt
from pathlib import Path
from typing import Final, Literal

import numpy as np

from pykala.models.bundled import arrays
from pykala.models.bundled.arrays import Floats, Weights, WeightsDamaged, gelu
from pykala.models.bundled.pieces import END, START, UNKNOWN, PiecesOfWords, words_read
from pykala.models.bundled.tower_session import LayersInSession
from pykala.models.failures import PackageMissing

Kernel = Literal["onnxruntime", "numkong", "numpy"]
Layers = Callable[[Floats], Floats]
VectorsOfWords = Callable[[Sequence[str]], Floats]

HEADS: Final = 12
WIDTH, INNER, OUT = 384, 1536, 256  # width of a token, width within a layer, dimension of a vector
MOST_TOKENS: Final = 48  # the most tokens of a question, including its start and end


class _Layer:
    """Attention among the tokens, then two products with a GELU between them."""

    def __init__(self, read: Weights, name: str) -> None:
        self._attention_in = read.product(f"{name}.attention_in", WIDTH, 3 * WIDTH)
        self._attention_out = read.product(f"{name}.attention_out", WIDTH, WIDTH)
        self._attention_norm = read.norm(f"{name}.attention_norm", WIDTH)
        self._inner = read.product(f"{name}.inner", WIDTH, INNER)
        self._outer = read.product(f"{name}.outer", INNER, WIDTH)
        self._norm = read.norm(f"{name}.norm", WIDTH)

    def __call__(self, x: Floats) -> Floats:
        tokens, width = x.shape
        parts: Floats = self._attention_in(x).reshape(tokens, 3, HEADS, width // HEADS).transpose(1, 2, 0, 3)
        asks, holds, says = parts[0], parts[1], parts[2]
        scores: Floats = asks @ holds.transpose(0, 2, 1)
        scores /= np.float32(sqrt(width // HEADS))
        scores -= scores.max(axis=2, keepdims=True)
        np.exp(scores, out=scores)
        scores /= scores.sum(axis=2, keepdims=True)
        read: Floats = (scores @ says).transpose(1, 0, 2).reshape(tokens, width)
        x = self._attention_norm(x + self._attention_out(read))
        return self._norm(x + self._outer(gelu(self._inner(x))))


def _in_session(read: Weights) -> Layers:
    return LayersInSession(read, WIDTH, INNER, HEADS)


def _by_numkong(read: Weights) -> Layers:
    if arrays.numkong is None:
        raise PackageMissing("numkong cannot be used; install it with: pip install 'pykala[fast]'")
    return _one_after_another(read)


def _by_numpy(read: Weights) -> Layers:
    return _one_after_another(read.plain())


def _one_after_another(read: Weights) -> Layers:
    layers = [_Layer(read, f"layers.{at}") for at in range(read.count(".attention_in.weight"))]

    def through(x: Floats) -> Floats:
        for layer in layers:
            x = layer(x)
        return x

    return through


#: What computes the layers, the fastest first.
KERNELS: Final[Mapping[Kernel, Callable[[Weights], Layers]]] = {
    "onnxruntime": _in_session,
    "numkong": _by_numkong,
    "numpy": _by_numpy,
}


class QuestionTower:
    """Vectors of questions. `vectors_of` gives the document table's unit vectors of words.

    Unless one kernel is asked for, the first takes part that is installed and works.
    """

    def __init__(self, weights: Path, kernel: Kernel | None = None) -> None:
        stored = Weights(weights)
        self.kernel, self._layers = _first_that_works(stored, [kernel] if kernel else list(KERNELS))
        read = stored.plain() if self.kernel != "numkong" else stored
        self._vocabulary = _vocabulary(read, weights.name)
        self._pieces, self._scales = read.rows("pieces", WIDTH)
        if len(self._pieces) != len(self._vocabulary):
            raise WeightsDamaged(f"{weights.name}: a row a piece is needed")
        self._gates = read.floats("gates", len(self._pieces))
        self._positions = read.floats("positions.weight", MOST_TOKENS, WIDTH)
        self._from_table, self._out = read.product("from_table", OUT, WIDTH), read.product("out", WIDTH, OUT)
        self._norm = read.norm("norm", WIDTH)
        self._cut = PiecesOfWords(self._vocabulary)

    def vector(self, states: Floats) -> Floats:
        """The unit vector of an encoded question."""
        vector = self._out(states.mean(axis=0, keepdims=True))[0]
        return np.asarray(vector / max(float(np.linalg.norm(vector)), 1e-9), dtype=np.float32)

    def read(self, text: str, vectors_of: VectorsOfWords) -> Floats:
        """The contextual vector of each token of a question, one row each."""
        words = words_read(text)
        tokens, whose = [self._vocabulary[START]], [-1]
        for at, word in enumerate(words):
            for piece in self._cut[word]:
                tokens.append(piece)
                whose.append(at)
            if len(tokens) >= MOST_TOKENS - 1:
                break
        tokens, whose = tokens[: MOST_TOKENS - 1], whose[: MOST_TOKENS - 1]
        tokens.append(self._vocabulary[END])
        whose.append(-1)
        x = self._pieces[tokens] * self._scales[tokens, None]
        if words:
            known = self._from_table(vectors_of(words[: max(whose) + 1]))
            owned = np.array(whose) >= 0
            gates = self._gates[tokens][owned, None]
            x[owned] += gates * known[np.array(whose)[owned]]
        x += self._positions[: len(tokens)]
        return self._layers(self._norm(x.astype(np.float32)))


def _first_that_works(read: Weights, kernels: Sequence[Kernel]) -> tuple[Kernel, Layers]:
    """The layers by the first of these kernels; one that is missing or broken leaves it to the next."""
    for kernel in kernels[:-1]:
        try:
            return kernel, KERNELS[kernel](read)
        except PackageMissing:
            continue
    return kernels[-1], KERNELS[kernels[-1]](read)


def _vocabulary(read: Weights, name: str) -> dict[str, int]:
    try:
        pieces = bytes(read.array("vocabulary")).decode("utf-8").split("\n")
    except UnicodeDecodeError as error:
        raise WeightsDamaged(f"{name}: the vocabulary cannot be read") from error
    found = {piece: at for at, piece in enumerate(pieces)}
    if not found.keys() >= {START, END, UNKNOWN} or len(found) != len(pieces):
        raise WeightsDamaged(f"{name}: the vocabulary is not whole")
    return found
