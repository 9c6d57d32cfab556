"""Weights of the bundled models as they are stored in files, and the products that use them."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pykala.models.failures import ModelDamaged

Floats = NDArray[np.float32]

NORM_STEADY: Final = 1e-12  # added in the layers' norms, as in training

numkong: Any = None
try:
    numkong = import_module("numkong")
except ImportError:  # the extra `fast` is not installed
    numkong = None


class WeightsDamaged(ModelDamaged, ValueError):
    """A file of weights that is truncated or of another shape."""


class Product:
    """x @ weights.T + bias, with int8 weights and one scale per row.

    With NumKong the products use int8 numbers, unless float32 is asked for.
    """

    def __init__(
        self, weights: NDArray[np.int8], scales: Floats, bias: Floats | None, *, plain: bool = False
    ) -> None:
        self._scales, self._bias = scales, bias
        self._packed = None if plain or numkong is None else numkong.dots_pack(np.ascontiguousarray(weights))
        if self._packed is None:
            self._weights = np.ascontiguousarray((weights * scales[:, None]).T)

    def __call__(self, x: Floats) -> Floats:
        """The product with every row of x."""
        if self._packed is not None:
            # Quantise each row of x to int8 too, by its own largest number.
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


class Norm:
    """Layer normalisation: rows with mean 0 and variance 1, then scaled and shifted."""

    def __init__(self, weight: Floats, bias: Floats) -> None:
        self._weight, self._bias = weight, bias

    def __call__(self, x: Floats) -> Floats:
        """The normalised rows of x."""
        x = x - x.mean(axis=1, keepdims=True)
        x /= np.sqrt((x * x).mean(axis=1, keepdims=True) + NORM_STEADY)
        x *= self._weight
        x += self._bias
        return x


def gelu(x: Floats) -> Floats:
    """The GELU activation (Hendrycks & Gimpel), by its usual approximation."""
    bent = x * x
    bent *= np.float32(0.0356774081)
    bent += np.float32(0.7978845608)
    bent *= x
    np.tanh(bent, out=bent)
    bent += 1.0
    bent *= x
    bent *= np.float32(0.5)
    return bent


class Weights:
    """Arrays of a file of weights by name; a missing or misshapen array raises an error that names it."""

    def __init__(self, path: Path) -> None:
        self._path, self._plain = path, False
        try:
            # Open the file here: np.load leaves it open if it is not an archive.
            with path.open("rb") as file, np.load(file) as stored:
                self._arrays: Mapping[str, NDArray[Any]] = {name: stored[name] for name in stored.files}
        # A truncated, foreign or missing file: zipfile and NumPy raise many kinds of errors.
        except Exception as error:
            raise WeightsDamaged(f"{path.name} cannot be read: {error}") from error

    def plain(self) -> Weights:
        """The same arrays; products are in float32, also where NumKong is installed."""
        same = copy(self)
        same._plain = True
        return same

    def array(self, name: str) -> NDArray[Any]:
        """An array as it is stored."""
        if name not in self._arrays:
            raise WeightsDamaged(f"{self._path.name} has no part {name!r}")
        return self._arrays[name]

    def floats(self, name: str, *shape: int) -> Floats:
        """An array of this shape, in single precision."""
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

    def product(self, name: str, given: int, found: int) -> Product:
        """The product of a layer."""
        return Product(*self.parts_of_product(name, given, found), plain=self._plain)

    def parts_of_product(self, name: str, given: int, found: int) -> tuple[NDArray[np.int8], Floats, Floats]:
        """The weights of a layer's product, the scale of each row, and the bias; zeros where it has none."""
        weights, scales = self.rows(name, given)
        if len(weights) != found:
            raise WeightsDamaged(f"{self._path.name}: {name!r} is of another shape")
        has_bias = f"{name}.bias" in self._arrays
        return weights, scales, self.floats(f"{name}.bias", found) if has_bias else np.zeros_like(scales)

    def norm(self, name: str, width: int) -> Norm:
        """The norm of a layer."""
        return Norm(self.floats(f"{name}.weight", width), self.floats(f"{name}.bias", width))

    def count(self, ending: str) -> int:
        """How many arrays have a name with this ending; used to count layers."""
        return sum(name.endswith(ending) for name in self._arrays)
