"""Tiny models in folders, laid out as real ones are published: made here, run for real."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

_WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "tax", "rate", "law", "the", "is", "on", "capital", "income"]
_WIDTH = 8


def _tokenizer(folder: Path) -> None:
    """A tokenizer of whole words with a first and a last token, as BERT's has."""
    tokenizers = pytest.importorskip("tokenizers")
    words = [*_WORDS, "query", ":", "per", "cent", "34", ".", "§", "124"]
    model = tokenizers.models.WordLevel({word: n for n, word in enumerate(words)}, unk_token="[UNK]")
    tokenizer = tokenizers.Tokenizer(model)
    tokenizer.normalizer = tokenizers.normalizers.Lowercase()
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    tokenizer.post_processor = tokenizers.processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "config.json").write_text('{"pad_token_id": 0}')
    (folder / "tokenizer_config.json").write_text('{"model_max_length": 64}')


def _table(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(64, _WIDTH)).astype(np.float32)


def _save(
    folder: Path, nodes: list[object], weights: list[object], output: object, inputs: list[str]
) -> None:
    onnx = pytest.importorskip("onnx")
    given = [onnx.helper.make_tensor_value_info(name, onnx.TensorProto.INT64, ["n", "t"]) for name in inputs]
    graph = onnx.helper.make_graph(nodes, "tiny", given, [output], weights)
    opset = [onnx.helper.make_opsetid("", 17)]
    model = onnx.helper.make_model(graph, opset_imports=opset, ir_version=9)
    onnx.save(model, str(folder / "model.onnx"))


def tiny_onnx_embedder(folder: Path, *, seed: int = 1, pooling: str = "mean", query: str = "") -> Path:
    """Word vectors from a table, as `last_hidden_state`."""
    onnx = pytest.importorskip("onnx")
    folder.mkdir(parents=True, exist_ok=True)
    _tokenizer(folder)
    table = onnx.numpy_helper.from_array(_table(seed), "table")
    gather = onnx.helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"])
    shape = ["n", "t", _WIDTH]
    output = onnx.helper.make_tensor_value_info("last_hidden_state", onnx.TensorProto.FLOAT, shape)
    _save(folder, [gather], [table], output, ["input_ids", "attention_mask"])
    (folder / "1_Pooling").mkdir(exist_ok=True)
    told = {"pooling_mode_cls_token": pooling == "cls", "pooling_mode_mean_tokens": pooling == "mean"}
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(told))
    if query:
        prompts = {"prompts": {"query": query, "document": ""}}
        (folder / "config_sentence_transformers.json").write_text(json.dumps(prompts))
    return folder


def tiny_onnx_reranker(folder: Path, *, labels: int = 1) -> Path:
    """A cross-encoder that likes texts that speak of tax: a weight a word, summed."""
    onnx = pytest.importorskip("onnx")
    folder.mkdir(parents=True, exist_ok=True)
    _tokenizer(folder)
    weights = np.zeros((64, labels), dtype=np.float32)
    weights[4:6, labels - 1] = 1.0  # tax, rate
    table = onnx.numpy_helper.from_array(weights, "table")
    axes = onnx.numpy_helper.from_array(np.array([1], dtype=np.int64), "axes")
    nodes = [
        onnx.helper.make_node("Gather", ["table", "input_ids"], ["each"]),
        onnx.helper.make_node("ReduceSum", ["each", "axes"], ["logits"], keepdims=0),
    ]
    output = onnx.helper.make_tensor_value_info("logits", onnx.TensorProto.FLOAT, ["n", labels])
    _save(folder, nodes, [table, axes], output, ["input_ids", "attention_mask", "token_type_ids"])
    return folder


def tiny_sentence_transformers(folder: Path) -> Path:
    """A BERT of one small layer, as such models are published; skipped where no package can read it."""
    pytest.importorskip("sentence_transformers")
    transformers = pytest.importorskip("transformers")
    torch = pytest.importorskip("torch")
    torch.manual_seed(1)
    folder.mkdir(parents=True)
    (folder / "vocab.txt").write_text("\n".join([*_WORDS, "[MASK]"]))
    transformers.BertTokenizerFast(vocab_file=str(folder / "vocab.txt")).save_pretrained(folder)
    config = transformers.BertConfig(
        vocab_size=len(_WORDS) + 1,
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=64,
    )
    transformers.BertModel(config).save_pretrained(folder)
    return folder
