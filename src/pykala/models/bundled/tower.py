"""The question tower: a small transformer that reads a question and says where in the table's space it lies.

Four layers of 384 numbers, in int8 with a scale a row. Each piece of a word comes with its whole word's
vector from the document table, so that a Finnish compound is known by its parts even where its letters are
new. With NumKong the products are of int8 numbers; NumPy alone computes the same in float32 and takes about
twice as long. How it was trained stands in the model card (docs/models.md).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from math import sqrt
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pykala.models.bundled.pieces import END, START, UNKNOWN, PiecesOfWords, words_read

Floats = NDArray[np.float32]
VectorsOfWords = Callable[[Sequence[str]], Floats]

HEADS: Final = 12
WIDTH, INNER, OUT = 384, 1536, 256  # of a token, within a layer, and of a vector
MOST_TOKENS: Final = 48  # of a question, its start and end among them
_STEADY: Final = 1e-12  # in the layers' norms, as they were trained

numkong: Any = None
try:
    numkong = import_module("numkong")
except ImportError:  # the extra `fast` is not installed
    numkong = None


class WeightsDamaged(ValueError):
    """A file of weights that is cut off or of another shape."""


class _Product:
    """x @ weights.T + bias, with int8 weights and a scale a row."""

    def __init__(self, weights: NDArray[np.int8], scales: Floats, bias: Floats | None) -> None:
        self._scales, self._bias = scales, bias
        if numkong is not None:
            self._packed = numkong.dots_pack(np.ascontiguousarray(weights))
        else:
            self._weights = np.ascontiguousarray((weights * scales[:, None]).T)

    def __call__(self, x: Floats) -> Floats:
        if numkong is not None:
            # Each row of x in int8 too, by its own largest number.
            largest = np.maximum(np.abs(x).max(axis=1, keepdims=True), 1e-9) / 127
            rounded = np.rint(x / largest).astype(np.int8)
            found = np.asarray(numkong.dots_packed(rounded, self._packed)).astype(np.float32)
            found *= largest
            found *= self._scales
        else:
            found = x @ self._weights
        if self._bias is not None:
            found += self._bias
        return found


class _Norm:
    def __init__(self, weight: Floats, bias: Floats) -> None:
        self._weight, self._bias = weight, bias

    def __call__(self, x: Floats) -> Floats:
        x = x - x.mean(axis=1, keepdims=True)
        x /= np.sqrt((x * x).mean(axis=1, keepdims=True) + _STEADY)
        x *= self._weight
        x += self._bias
        return x


class _Layer:
    """Attention among the tokens, then two products with a bend between them."""

    def __init__(self, read: _Reading, name: str) -> None:
        self._attention_in = read.product(f"{name}.attention_in", WIDTH, 3 * WIDTH)
        self._attention_out = read.product(f"{name}.attention_out", WIDTH, WIDTH)
        self._attention_norm = read.norm(f"{name}.attention_norm")
        self._inner = read.product(f"{name}.inner", WIDTH, INNER)
        self._outer = read.product(f"{name}.outer", INNER, WIDTH)
        self._norm = read.norm(f"{name}.norm")

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
        return self._norm(x + self._outer(_gelu(self._inner(x))))


def _gelu(x: Floats) -> Floats:
    """Hendrycks & Gimpel's bend, by its usual approximation, in place."""
    bent = x * x
    bent *= np.float32(0.0356774081)
    bent += np.float32(0.7978845608)
    bent *= x
    np.tanh(bent, out=bent)
    bent += 1.0
    bent *= x
    bent *= np.float32(0.5)
    return bent


class _Reading:
    """Arrays of a file of weights by name; what is not there, or of another shape, is told by name."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            # Opened here: np.load leaves a file open that is no archive.
            with path.open("rb") as file, np.load(file) as stored:
                self._arrays: Mapping[str, NDArray[Any]] = {name: stored[name] for name in stored.files}
        # Cut off, of another format, not there: zipfile and NumPy raise many kinds of errors.
        except Exception as error:
            raise WeightsDamaged(f"{path.name} cannot be read: {error}") from error

    def array(self, name: str) -> NDArray[Any]:
        if name not in self._arrays:
            raise WeightsDamaged(f"{self._path.name} has no part {name!r}")
        return self._arrays[name]

    def floats(self, name: str, *shape: int) -> Floats:
        array = self.array(name)
        if array.shape != shape:
            raise WeightsDamaged(f"{self._path.name}: {name!r} is of another shape")
        return array.astype(np.float32)

    def rows(self, name: str, width: int) -> tuple[NDArray[np.int8], Floats]:
        """An int8 matrix of so many columns, and the scale of each row."""
        weights = self.array(f"{name}.weight")
        if weights.dtype != np.int8 or weights.ndim != 2 or weights.shape[1] != width:
            raise WeightsDamaged(f"{self._path.name}: {name!r} is of another shape")
        return weights, self.floats(f"{name}.weight.scales", len(weights))

    def product(self, name: str, given: int, found: int) -> _Product:
        weights, scales = self.rows(name, given)
        if len(weights) != found:
            raise WeightsDamaged(f"{self._path.name}: {name!r} is of another shape")
        return _Product(
            weights, scales, self.floats(f"{name}.bias", found) if f"{name}.bias" in self._arrays else None
        )

    def norm(self, name: str) -> _Norm:
        return _Norm(self.floats(f"{name}.weight", WIDTH), self.floats(f"{name}.bias", WIDTH))

    def vocabulary(self) -> dict[str, int]:
        try:
            pieces = bytes(self.array("vocabulary")).decode("utf-8").split("\n")
        except UnicodeDecodeError as error:
            raise WeightsDamaged(f"{self._path.name}: the vocabulary cannot be read") from error
        found = {piece: at for at, piece in enumerate(pieces)}
        if not found.keys() >= {START, END, UNKNOWN} or len(found) != len(pieces):
            raise WeightsDamaged(f"{self._path.name}: the vocabulary is not whole")
        return found

    @property
    def layers(self) -> int:
        return sum(name.endswith(".attention_in.weight") for name in self._arrays)


class QuestionTower:
    """Vectors of questions. `vectors_of` gives the document table's unit vectors of words."""

    def __init__(self, weights: Path) -> None:
        read = _Reading(weights)
        self._vocabulary = read.vocabulary()
        self._pieces, self._scales = read.rows("pieces", WIDTH)
        if len(self._pieces) != len(self._vocabulary):
            raise WeightsDamaged(f"{weights.name}: a row a piece is needed")
        self._gates = read.floats("gates", len(self._pieces))
        self._positions = read.floats("positions.weight", MOST_TOKENS, WIDTH)
        self._from_table, self._out = read.product("from_table", OUT, WIDTH), read.product("out", WIDTH, OUT)
        self._norm = read.norm("norm")
        self._layers = [_Layer(read, f"layers.{at}") for at in range(read.layers)]
        self._cut = PiecesOfWords(self._vocabulary)

    def read(self, text: str, vectors_of: VectorsOfWords) -> Floats:
        """The unit vector of one question."""
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
        x = self._norm(x.astype(np.float32))
        for layer in self._layers:
            x = layer(x)
        vector = self._out(x.mean(axis=0, keepdims=True))[0]
        return np.asarray(vector / max(float(np.linalg.norm(vector)), 1e-9), dtype=np.float32)
