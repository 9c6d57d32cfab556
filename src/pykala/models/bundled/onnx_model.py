"""Write a model in ONNX's format: a graph of operators with its weights, as one string of bytes.

The format is a Protocol Buffers message (github.com/onnx/onnx, `onnx.proto`). Of it this writes what a graph
of a few operators needs, so that no package is needed beside the runtime.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

_VERSION: Final = 9  # of the format
_OPERATORS: Final = 20  # the version of the set of operators: the first with GELU
#: The format's numbers for types of numbers.
FLOAT: Final = 1
_TYPES: Final = {"float32": FLOAT, "int8": 3, "int64": 7}
_OF_FLOAT, _OF_INT, _OF_TEXT, _OF_INTS = 1, 2, 3, 7  # types of attributes

Constant = NDArray[np.float32] | NDArray[np.int8] | NDArray[np.int64]
Attribute = int | float | str | Sequence[int]


class Graph:
    """A graph that is built operator by operator; every value has a name."""

    def __init__(self) -> None:
        self._nodes: list[bytes] = []
        self._constants: list[bytes] = []

    def constant(self, name: str, array: Constant) -> str:
        """Hold an array in the model."""
        held = b"".join(_number(1, length) for length in array.shape)
        held += _number(2, _TYPES[array.dtype.name]) + _text(8, name)
        self._constants.append(_block(5, held + _block(9, array.tobytes())))
        return name

    def node(self, operator: str, inputs: Sequence[str], output: str, **attributes: Attribute) -> str:
        """Apply an operator to values."""
        parts = [_text(1, name) for name in inputs]
        parts += [_text(2, output), _text(4, operator)]
        parts += [_block(5, _attribute(name, value)) for name, value in attributes.items()]
        self._nodes.append(_block(1, b"".join(parts)))
        return output

    def model(self, given: str, found: str, width: int) -> bytes:
        """The model from one matrix of this width to another, each of any number of rows."""
        rows_and_columns = _block(1, _text(2, "rows")) + _block(1, _number(1, width))
        matrix = _block(2, _block(1, _number(1, FLOAT) + _block(2, rows_and_columns)))
        ends = _block(11, _text(1, given) + matrix) + _block(12, _text(1, found) + matrix)
        graph = b"".join((*self._nodes, _text(2, "layers"), *self._constants, ends))
        operators = _block(8, _text(1, "") + _number(2, _OPERATORS))
        return _number(1, _VERSION) + _text(2, "pykala") + operators + _block(7, graph)


def _attribute(name: str, value: Attribute) -> bytes:
    if isinstance(value, str):
        kind, held = _OF_TEXT, _text(4, value)
    elif isinstance(value, float):
        kind, held = _OF_FLOAT, _varint(2 << 3 | 5) + struct.pack("<f", value)
    elif isinstance(value, int):
        kind, held = _OF_INT, _number(3, value)
    else:
        kind, held = _OF_INTS, b"".join(_number(8, each) for each in value)
    return _text(1, name) + held + _number(20, kind)


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _text(field: int, value: str) -> bytes:
    return _block(field, value.encode("utf-8"))


def _block(field: int, held: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(held)) + held


def _varint(value: int) -> bytes:
    """A whole number, seven bits a byte, the lowest first; a negative number as 64 bits."""
    value &= (1 << 64) - 1
    found = bytearray()
    while value > 0x7F:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*found, value])
