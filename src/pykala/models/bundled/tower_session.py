"""The layers of the question tower, computed by onnxruntime where that is installed.

The graph is built in memory from the package's own weights and computes in float32: it agrees with NumPy to
six digits and takes half the time. (With int8 products it would take less still, but onnxruntime gives all
tokens of a question one common scale, and the cosine of its vectors to NumPy's falls to .98.)
"""

from __future__ import annotations

from math import sqrt
from typing import Any, Final

import numpy as np

from pykala.models.bundled.arrays import NORM_STEADY, Floats, Weights
from pykala.models.bundled.onnx_model import FLOAT, Constant, Graph
from pykala.models.failures import PackageMissing
from pykala.models.quietly import import_quietly

_GELU: Final = "Gelu"
_SILENT: Final = 4  # of onnxruntime's levels of messages: only what ends the process


class LayersInSession:
    """All layers of the tower as one session of onnxruntime, on one thread."""

    def __init__(self, read: Weights, width: int, inner: int, heads: int) -> None:
        model = layers_as_model(read, width, inner, heads)
        try:
            self._session = _session(model)
            found = self(np.ones((2, width), dtype=np.float32))
        except Exception as fault:  # a broken installation fails in many ways, and has its own exceptions
            raise PackageMissing(
                f"onnxruntime cannot be used ({type(fault).__name__});"
                " install it with: pip install 'pykala[onnx]'"
            ) from fault
        if found.shape != (2, width) or not np.isfinite(found).all():
            raise PackageMissing(
                "onnxruntime computes something else; install it with: pip install 'pykala[onnx]'"
            )

    def __call__(self, x: Floats) -> Floats:
        """The contextual vector of each token."""
        states: Floats = self._session.run(None, {"tokens": x})[0]
        return states


def _session(model: bytes) -> Any:
    runtime: Any = import_quietly("onnxruntime")
    options = runtime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = _SILENT  # a library does not print
    return runtime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def layers_as_model(read: Weights, width: int, inner: int, heads: int) -> bytes:
    """The layers as a model in ONNX's format, from `tokens` to `states`."""
    graph = Graph()
    graph.constant("by head", np.array([-1, 3, heads, width // heads], dtype=np.int64))
    graph.constant("by token", np.array([-1, width], dtype=np.int64))
    graph.constant("share", np.array(1 / sqrt(width // heads), dtype=np.float32))
    for place, part in enumerate(("asks", "holds", "says")):
        graph.constant(part, np.array(place, dtype=np.int64))
    x = "tokens"
    for at in range(read.count(".attention_in.weight")):
        x = _Layer(graph, read, f"layers.{at}").add(x, width, inner)
    return graph.model("tokens", x, width)


class _Layer:
    """Adds one layer to a graph: attention among the tokens, then two products with a GELU between them."""

    def __init__(self, graph: Graph, read: Weights, name: str) -> None:
        self._graph, self._read, self._name = graph, read, name

    def add(self, x: str, width: int, inner: int) -> str:
        """Add the layer; gives the name of its result."""
        read = self._attention(self._product(x, "attention_in", width, 3 * width))
        read = self._product(read, "attention_out", width, width)
        x = self._norm(self._node("Add", [x, read], "attended"), "attention_norm", width)
        bent = self._node(_GELU, [self._product(x, "inner", width, inner)], "bent", approximate="tanh")
        bent = self._product(bent, "outer", inner, width)
        return self._norm(self._node("Add", [x, bent], "read"), "norm", width)

    def _attention(self, joined: str) -> str:
        parts = self._node("Reshape", [joined, "by head"], "parts")
        parts = self._node("Transpose", [parts], "parts by head", perm=(1, 2, 0, 3))
        asks, holds, says = (
            self._node("Gather", [parts, part], f"{part} by head") for part in ("asks", "holds", "says")
        )
        holds = self._node("Transpose", [holds], "holds turned", perm=(0, 2, 1))
        scores = self._node("MatMul", [asks, holds], "raw scores")
        scores = self._node("Softmax", [self._node("Mul", [scores, "share"], "scores")], "shares", axis=-1)
        read = self._node("MatMul", [scores, says], "read by head")
        read = self._node("Transpose", [read], "read by token", perm=(1, 0, 2))
        return self._node("Reshape", [read, "by token"], "read joined")

    def _product(self, x: str, name: str, given: int, found: int) -> str:
        """A product with int8 weights, which onnxruntime scales once, when the session is opened."""
        weights, scales, bias = self._read.parts_of_product(f"{self._name}.{name}", given, found)
        floats = self._constant(f"{name}.weight", weights)
        floats = self._node("Cast", [floats], f"{name}.floats", to=FLOAT)
        scaled = [floats, self._constant(f"{name}.scales", scales[:, None])]
        scaled = [x, self._node("Mul", scaled, f"{name}.scaled"), self._constant(f"{name}.bias", bias)]
        return self._node("Gemm", scaled, f"{name}.sum", transB=1)

    def _norm(self, x: str, name: str, width: int) -> str:
        weight = self._constant(f"{name}.weight", self._read.floats(f"{self._name}.{name}.weight", width))
        bias = self._constant(f"{name}.bias", self._read.floats(f"{self._name}.{name}.bias", width))
        return self._node(
            "LayerNormalization", [x, weight, bias], f"{name}.normed", axis=-1, epsilon=NORM_STEADY
        )

    def _node(self, operator: str, inputs: list[str], name: str, **attributes: Any) -> str:
        return self._graph.node(operator, inputs, f"{self._name}.{name}", **attributes)

    def _constant(self, name: str, array: Constant) -> str:
        return self._graph.constant(f"{self._name}.{name}", array)
