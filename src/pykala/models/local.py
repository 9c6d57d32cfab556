"""Embedders and rerankers from a folder on this machine: ONNX with its tokenizer, or sentence-transformers.

A folder is laid out as such models are published: `model.onnx` (or `onnx/model.onnx`) with `tokenizer.json`,
and perhaps `1_Pooling/config.json` and `config_sentence_transformers.json`. Nothing is fetched.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pykala.models.embedder import Role
from pykala.models.failures import ModelDamaged, ModelMisconfigured, PackageMissing
from pykala.models.quietly import import_quietly

_ONNX: Final = ("model.onnx", "onnx/model.onnx", "model_quantized.onnx", "onnx/model_quantized.onnx")
_BATCH: Final = 16
_LONGEST: Final = 512  # tokens, where the folder does not say
_MOST: Final = 8192
_HASHED: Final = 8 * 1024 * 1024  # bytes at each end of a large file that are hashed


def has_onnx(folder: Path) -> bool:
    """Whether a folder holds an ONNX model."""
    return any((folder / name).is_file() for name in _ONNX)


class OnnxModel:
    """A model and its tokenizer: texts or pairs of texts in, the model's first output out."""

    def __init__(self, folder: Path) -> None:
        runtime, tokenizers = _packages("onnxruntime", "tokenizers")
        path = next((folder / name for name in _ONNX if (folder / name).is_file()), None)
        if path is None or not (folder / "tokenizer.json").is_file():
            raise ModelMisconfigured(f"{folder.name} needs model.onnx and tokenizer.json; check the folder")
        with _told_by_name(path):
            self._session = runtime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
        with _told_by_name(folder / "tokenizer.json"):
            self._tokenizer = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.path = path
        self._wanted = {given.name for given in self._session.get_inputs()}
        self._tokenizer.enable_truncation(max_length=_longest(folder))
        padding = int(_read(folder / "config.json").get("pad_token_id") or 0)
        self._tokenizer.enable_padding(pad_id=padding, pad_token=self._tokenizer.id_to_token(padding) or "")
        self.digest = _digest(path, folder / "tokenizer.json")

    def run(self, texts: Sequence[str | tuple[str, str]]) -> Iterator[tuple[NDArray[Any], NDArray[np.int64]]]:
        """For a few texts at a time, the model's output and which tokens are the text's own."""
        for start in range(0, len(texts), _BATCH):
            encoded = self._tokenizer.encode_batch(list(texts[start : start + _BATCH]))
            given = {
                "input_ids": np.array([text.ids for text in encoded], dtype=np.int64),
                "attention_mask": np.array([text.attention_mask for text in encoded], dtype=np.int64),
                "token_type_ids": np.array([text.type_ids for text in encoded], dtype=np.int64),
            }
            feeds = {name: value for name, value in given.items() if name in self._wanted}
            yield self._session.run(None, feeds)[0], given["attention_mask"]


class OnnxEmbedder:
    """A sentence embedder in ONNX: the first token's vector or the tokens' mean, as the folder says."""

    def __init__(self, folder: Path, prefixes: Mapping[Role, str] | None = None) -> None:
        self._model = OnnxModel(folder)
        self._name = folder.resolve().name
        pooling = _read(folder / "1_Pooling" / "config.json")
        self._first_token = bool(pooling.get("pooling_mode_cls_token"))
        self._prefixes = dict(prefixes or _prompts(folder))
        with _told_by_name(self._model.path):
            self._dimension = self.encode(["law"], "document").shape[1]

    @property
    def name(self) -> str:
        """The model's name."""
        return self._name

    @property
    def dimension(self) -> int:
        """The length of its vectors."""
        return int(self._dimension)

    @property
    def fingerprint(self) -> str:
        """Changes with the model's files, the pooling of vectors and the prefixes of texts."""
        manner = hashlib.sha256(repr((self._first_token, sorted(self._prefixes.items()))).encode())
        return f"{self._name}-{self._model.digest}-{manner.hexdigest()[:8]}"

    def encode(self, texts: Sequence[str], role: Role) -> NDArray[np.float32]:
        """Unit vectors, one row per text."""
        if not texts:
            return np.zeros((0, self._dimension), dtype=np.float32)
        before = self._prefixes.get(role, "")
        # Batch texts of similar length: a batch is padded to its longest text.
        order = sorted(range(len(texts)), key=lambda at: len(texts[at]))
        rows = [self._pooled(*batch) for batch in self._model.run([f"{before}{texts[at]}" for at in order])]
        return _unit(np.concatenate(rows)[np.argsort(order)])

    def _pooled(self, output: NDArray[Any], mask: NDArray[np.int64]) -> NDArray[np.float32]:
        if output.ndim == 2:  # the model pools its vectors itself
            return output.astype(np.float32)
        if self._first_token:
            return output[:, 0].astype(np.float32)
        weights = mask[..., None].astype(np.float32)
        pooled: NDArray[np.float32] = (output * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1.0)
        return pooled.astype(np.float32)


class OnnxReranker:
    """A cross-encoder in ONNX; scores lie between 0 and 1."""

    def __init__(self, folder: Path) -> None:
        self._model = OnnxModel(folder)
        self._name = folder.resolve().name
        with _told_by_name(self._model.path):
            self.score("law", ["law"])

    @property
    def name(self) -> str:
        """The model's name."""
        return self._name

    @property
    def fingerprint(self) -> str:
        """Changes with the model's files."""
        return f"{self._name}-{self._model.digest}"

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """One score per text, in the order given."""
        if not texts:
            return np.zeros(0, dtype=np.float32)
        logits = np.concatenate([output for output, _ in self._model.run([(query, text) for text in texts])])
        # With one label, the logit is the relevance. With two (irrelevant, relevant), their difference is.
        value = logits.reshape(len(texts), -1)
        raw = value[:, 0] if value.shape[1] == 1 else value[:, 1] - value[:, 0]
        scores: NDArray[np.float32] = (1.0 / (1.0 + np.exp(-raw.astype(np.float64)))).astype(np.float32)
        return scores


class SentenceTransformersEmbedder:
    """A sentence-transformers folder without ONNX; needs that package, and PyTorch with it."""

    def __init__(self, folder: Path) -> None:
        package, quiet = _packages("sentence_transformers", "transformers.utils.logging")
        quiet.disable_progress_bar()  # a library does not print
        with _told_by_name(next(iter(sorted(folder.glob("*.safetensors"))), folder)):
            self._model = package.SentenceTransformer(str(folder), device="cpu", local_files_only=True)
        self._name = folder.resolve().name
        self._prefixes = _prompts(folder)
        weights = sorted((*folder.rglob("*.safetensors"), *folder.rglob("*.bin"), *folder.rglob("*.json")))
        self._digest = _digest(*weights)

    @property
    def name(self) -> str:
        """The model's name."""
        return self._name

    @property
    def dimension(self) -> int:
        """The length of its vectors."""
        return int(self.encode(["law"], "document").shape[1])

    @property
    def fingerprint(self) -> str:
        """Changes with the folder's files."""
        return f"{self._name}-{self._digest}"

    def encode(self, texts: Sequence[str], role: Role) -> NDArray[np.float32]:
        """Unit vectors, one row per text."""
        before = self._prefixes.get(role, "")
        vectors = self._model.encode(
            [f"{before}{text}" for text in texts] or ["law"],
            prompt="",
            batch_size=_BATCH,
            show_progress_bar=False,
            convert_to_numpy=True,
        )
        return _unit(np.asarray(vectors, dtype=np.float32)[: len(texts)])


@contextmanager
def _told_by_name(path: Path) -> Iterator[None]:
    """Turn any error of a runtime about a damaged file into one line that names the file."""
    try:
        yield
    except Exception as fault:  # every runtime has its own exception types
        raise ModelDamaged(
            f"{path.name} in {path.parent.resolve().name} is cut off or of another shape"
            f" ({type(fault).__name__}); fetch it again"
        ) from None


def _unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    lengths[lengths == 0] = 1.0
    unit: NDArray[np.float32] = (vectors / lengths).astype(np.float32)
    return unit


def _packages(*names: str) -> list[Any]:
    found = []
    for name in names:
        try:
            found.append(import_quietly(name))
        except ImportError:
            extra = "onnx" if name != "sentence_transformers" else "sentence-transformers"
            raise PackageMissing(
                f"a model in a folder needs {name}; install it with: pip install 'pykala[{extra}]'"
            ) from None
    return found


def _prompts(folder: Path) -> dict[Role, str]:
    """The prefixes for questions and documents, from the folder's configuration."""
    configured = _read(folder / "config_sentence_transformers.json").get("prompts")
    prompts = configured if isinstance(configured, dict) else {}
    query, document = prompts.get("query"), prompts.get("document") or prompts.get("passage")
    found: dict[Role, str] = {}
    if isinstance(query, str) and query:
        found["query"] = query
    if isinstance(document, str) and document:
        found["document"] = document
    return found


def _longest(folder: Path) -> int:
    """How many tokens the model reads, from the first file that says so."""
    lengths = (
        _read(folder / "sentence_bert_config.json").get("max_seq_length"),
        _read(folder / "tokenizer_config.json").get("model_max_length"),
    )
    known = [int(length) for length in lengths if isinstance(length, int | float) and 0 < length < 1_000_000]
    return min(known[0] if known else _LONGEST, _MOST)


def _read(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return data if isinstance(data, dict) else {}


def _digest(*files: Path) -> str:
    """A digest of files; only the length and both ends of large ones, so that a model opens quickly."""
    digest = hashlib.sha256()
    for path in files:
        size = path.stat().st_size
        digest.update(f"{path.name}:{size}\0".encode())
        with path.open("rb") as opened:
            digest.update(opened.read(_HASHED))
            if size > _HASHED:
                opened.seek(max(_HASHED, size - _HASHED))
                digest.update(opened.read())
    return digest.hexdigest()[:16]
