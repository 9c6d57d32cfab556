"""Arrays between machines: the texts that a training machine is given, the checkpoints that it gives back.

NumPy alone. Whole numbers travel as three planes of bytes, which compress far better; weights travel as int8
with a scale a row, in files small enough for a machine that returns no large ones.
"""

from __future__ import annotations

import io
import lzma
import math
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO

import numpy as np

Arrays = dict[str, np.ndarray]

#: What is done with the questions on an act: the towers learn them, or are chosen by them, or neither. Of the
#: last kind no document is read either.
TRAINED, CHOSEN_BY, KEPT_OUT, UNSEEN = range(4)

_PLANES = "@planes"
_NUMBERS, _SCALES = "/q", "/s"  # the int8 numbers and the scales of a matrix
_PART = "#"  # before the number of a part of an array
_LARGEST_FILE = 14_000_000  # bytes
_SMALLEST_MATRIX = 20_000  # numbers: smaller ones stay as they are


def write_arrays(arrays: Mapping[str, np.ndarray], file: Path | BinaryIO) -> None:
    """Write arrays by name, as `numpy.load` reads them."""
    np.savez(file, **arrays)  # type: ignore[arg-type]


def pack(arrays: Mapping[str, np.ndarray], path: Path) -> None:
    """Write arrays into one compressed file."""
    stored: Arrays = {}
    for name, array in arrays.items():
        if array.dtype == np.uint32:
            assert array.max(initial=0) < 1 << 24, f"{name} has numbers of more than three bytes"
            octets = np.ascontiguousarray(array, dtype="<u4").view(np.uint8).reshape(*array.shape, 4)
            stored[name + _PLANES] = np.moveaxis(octets[..., :3], -1, 0)
        else:
            stored[name] = array
    written = io.BytesIO()
    write_arrays(stored, written)
    path.write_bytes(lzma.compress(written.getvalue(), preset=2))


def unpack(path: Path) -> Arrays:
    """The arrays of a packed file."""
    arrays: Arrays = {}
    with np.load(io.BytesIO(lzma.decompress(path.read_bytes()))) as stored:
        for name in stored.files:
            array = stored[name]
            if name.endswith(_PLANES):
                low, middle, high = array.astype(np.uint32)
                arrays[name.removesuffix(_PLANES)] = low | middle << 8 | high << 16
            else:
                arrays[name] = array
    return arrays


def quantised(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A matrix as int8 rows and a scale each."""
    scales = np.abs(matrix).max(axis=1) / 127 + 1e-12
    return np.rint(matrix / scales[:, None]).astype(np.int8), scales.astype(np.float32)


def small(weights: Mapping[str, np.ndarray]) -> Arrays:
    """Weights with their large matrices as int8."""
    stored: Arrays = {}
    for name, array in weights.items():
        if array.ndim == 2 and array.size > _SMALLEST_MATRIX:
            stored[name + _NUMBERS], stored[name + _SCALES] = quantised(array)
        else:
            stored[name] = array.astype(np.float32)
    return stored


def whole(stored: Mapping[str, np.ndarray]) -> Arrays:
    """Weights in float32 from what `small` made of them."""
    weights: Arrays = {}
    for name, array in stored.items():
        if name.endswith(_NUMBERS):
            plain = name.removesuffix(_NUMBERS)
            weights[plain] = array.astype(np.float32) * stored[plain + _SCALES][:, None]
        elif not name.endswith(_SCALES):
            weights[name] = array
    return weights


def write_checkpoint(weights: Mapping[str, np.ndarray], folder: Path) -> None:
    """Write weights into a folder, in as many files as they need."""
    folder.mkdir(parents=True, exist_ok=True)
    files: list[Arrays] = [{}]
    held = 0
    for name, array in small(weights).items():
        parts = max(1, math.ceil(array.nbytes / _LARGEST_FILE))
        for number, part in enumerate(np.array_split(array, parts) if parts > 1 else [array]):
            if held and held + part.nbytes > _LARGEST_FILE:
                files.append({})
                held = 0
            files[-1][f"{name}{_PART}{number}" if parts > 1 else name] = part
            held += part.nbytes
    for number, arrays in enumerate(files):
        write_arrays(arrays, folder / f"weights-{number}.npz")


def read_checkpoint(folder: Path) -> Arrays:
    """The weights that a folder holds."""
    parts: dict[str, dict[int, np.ndarray]] = {}
    for path in sorted(folder.glob("weights-*.npz")):
        with np.load(path) as stored:
            for key in stored.files:
                name, _, number = key.partition(_PART)
                parts.setdefault(name, {})[int(number or 0)] = stored[key]
    joined = {
        name: np.concatenate([found[number] for number in sorted(found)]) if len(found) > 1 else found[0]
        for name, found in parts.items()
    }
    return whole(joined)


def rows_of_table(path: Path) -> np.ndarray:
    """The vectors of a table of words as the package or `training.train` writes it."""
    with np.load(path) as stored:
        rows: np.ndarray = stored["rows"].astype(np.float32) * stored["scales"].astype(np.float32)[:, None]
    return rows
