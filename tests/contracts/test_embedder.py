"""What every embedder does: those behind HTTP over real servers, those in a folder, those that ship."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from loopback import StillClock
from making_models import tiny_onnx_embedder, tiny_sentence_transformers
from provider_servers import (
    KEY,
    Behaviour,
    CohereEmbed,
    Embeddings,
    hanging_up,
    refusing,
    saying,
    served,
    vector,
)
from pykala.models.configure import embedder_from
from pykala.models.connection import Patience
from pykala.models.embedder import Embedder
from pykala.models.failures import (
    KeyRefused,
    MalformedReply,
    MissingKey,
    ModelError,
    ModelMisconfigured,
    ModelUnavailable,
    RateLimited,
)
from pykala.models.hashing import HashingEmbedder

TEXTS = ["The tax rate is 34 per cent.", "Verokanta on 34 prosenttia.", "", "a" * 40_000, "§ 124"]
QUICK = Patience(connect=10.0, silence=20.0)
SERVICES: dict[str, tuple[str, Callable[[], Embeddings]]] = {
    "voyage": ("voyage/voyage-some", lambda: Embeddings(typed=True, most=1000)),
    "cohere": ("cohere/embed-some", lambda: CohereEmbed()),
    "openai": ("openai/text-embedding-some", Embeddings),
    "vllm": ("vllm/maker/multilingual-e5-small", lambda: Embeddings(dimension=384)),
}


@dataclass
class Hosted:
    embedder: Embedder
    service: Embeddings
    clock: StillClock


@pytest.fixture(params=SERVICES)
def hosted(request: pytest.FixtureRequest) -> Iterator[Hosted]:
    model, made = SERVICES[request.param]
    clock = StillClock()
    with served(made()) as service:
        assert isinstance(service, Embeddings)
        embedder = embedder_from(model, key=KEY, address=service.address, patience=QUICK, clock=clock)
        yield Hosted(embedder, service, clock)


@pytest.fixture(scope="module", params=["bundled", "hashing", "onnx", "sentence-transformers", *SERVICES])
def embedder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Embedder]:
    if request.param in SERVICES:
        model, made = SERVICES[request.param]
        with served(made()) as service:
            yield embedder_from(model, key=KEY, address=service.address, patience=QUICK)
    elif request.param == "onnx":
        yield embedder_from(str(tiny_onnx_embedder(tmp_path_factory.mktemp("onnx") / "tiny")))
    elif request.param == "sentence-transformers":
        yield embedder_from(str(tiny_sentence_transformers(tmp_path_factory.mktemp("st") / "tiny")))
    else:
        yield HashingEmbedder(64) if request.param == "hashing" else embedder_from("bundled")


@pytest.mark.parametrize("role", ["query", "document"])
def test_one_unit_vector_a_text_in_their_order(embedder: Embedder, role: str) -> None:
    assert role in ("query", "document")
    vectors = embedder.encode(TEXTS, role)  # type: ignore[arg-type]
    assert vectors.shape == (len(TEXTS), embedder.dimension)
    assert vectors.dtype == np.float32
    lengths = np.linalg.norm(vectors, axis=1)
    assert np.all((np.abs(lengths - 1) < 1e-4) | (lengths == 0))
    assert lengths[0] > 0
    alone = np.concatenate([embedder.encode([text], role) for text in TEXTS])  # type: ignore[arg-type]
    assert np.allclose(vectors, alone, atol=1e-4)


def test_no_texts_give_no_vectors(embedder: Embedder) -> None:
    assert embedder.encode([], "document").shape == (0, embedder.dimension)


def test_it_says_what_it_is(embedder: Embedder) -> None:
    assert embedder.name
    assert embedder.fingerprint == embedder.fingerprint
    assert KEY not in embedder.fingerprint + embedder.name + repr(embedder)


def test_questions_and_documents_are_told_apart(hosted: Hosted) -> None:
    hosted.embedder.encode(["a question"], "query")
    hosted.embedder.encode(["a document"], "document")
    query, document = (seen.body for seen in hosted.service.seen[-2:])
    if "input_type" in query:
        assert query["input_type"] in ("query", "search_query")
        assert document["input_type"] in ("document", "search_document")
    elif "e5" in query["model"]:
        assert query["input"] == ["query: a question"]
        assert document["input"] == ["passage: a document"]


def test_many_texts_go_in_as_few_requests_as_are_allowed(hosted: Hosted) -> None:
    texts = [f"text {n}" for n in range(300)]
    vectors = hosted.embedder.encode(texts, "document")
    sizes = [len(seen.body.get("input") or seen.body["texts"]) for seen in hosted.service.seen]
    assert sum(sizes) == 300
    assert len(sizes) == -(-300 // max(sizes))
    sent = hosted.service.seen[0].body
    first = (sent.get("input") or sent["texts"])[0]
    expected = np.array(vector(first, sent.get("input_type", ""), hosted.service.dimension))
    assert np.allclose(vectors[0], expected / np.linalg.norm(expected), atol=1e-5)


def test_long_texts_are_sent_in_several_requests(hosted: Hosted) -> None:
    hosted.embedder.encode(["word " * 4000] * 40, "document")
    assert len(hosted.service.seen) > 1


def test_a_busy_service_is_waited_for_as_long_as_it_asks(hosted: Hosted) -> None:
    hosted.service.then(
        refusing(429, "slow down", Retry_After="3"),
        refusing(503, "overloaded"),
    )
    assert len(hosted.embedder.encode(["law"], "query")) == 1
    assert hosted.clock.slept == [3.0, 2.0]


def holding(vector: bytes, index: int = 0) -> Behaviour:
    """A reply with one vector, where each of the services has it."""
    data = b'{"data": [{"index": %d, "embedding": %s}], "embeddings": {"float": [%s]}}'
    return saying(200, data % (index, vector, vector if index == 0 else b""))


FAILURES = [
    ([refusing(401, f"bad key {KEY}")], KeyRefused),
    ([refusing(429, "no")] * 3, RateLimited),
    ([hanging_up] * 3, ModelUnavailable),
    ([saying(200, b"not json")], MalformedReply),
    ([saying(200, b"{}")], MalformedReply),
    ([holding(b"[1]", 9)], MalformedReply),
    ([holding(b'["x"]')], MalformedReply),
    ([holding(b"[NaN]")], MalformedReply),
    ([holding(b"[[1]]")], MalformedReply),
    ([holding(b"[]")], MalformedReply),
    ([saying(200, b'{"data": [], "embeddings": {"float": []}}')], MalformedReply),
]  # fmt: skip


@pytest.mark.parametrize(("behaviours", "kind"), FAILURES)
def test_what_fails_is_told_and_never_a_wrong_vector(
    hosted: Hosted, behaviours: list[Behaviour], kind: type[ModelError]
) -> None:
    hosted.service.then(*behaviours)
    with pytest.raises(ModelError) as caught:
        hosted.embedder.encode(["law"], "query")
    assert type(caught.value) is kind
    assert KEY not in str(caught.value)


def test_a_vector_of_another_length_is_refused(hosted: Hosted) -> None:
    hosted.embedder.encode(["law"], "query")
    hosted.service.dimension += 1
    with pytest.raises(MalformedReply):
        hosted.embedder.encode(["law"], "query")


def test_the_fingerprint_tells_models_and_addresses_apart(hosted: Hosted) -> None:
    one = hosted.embedder
    others = [
        embedder_from(f"{one.name}-large", key=KEY, address=hosted.service.address),
        embedder_from(one.name, key=KEY, address=f"{hosted.service.address}/other"),
    ]
    assert len({one.fingerprint, *(other.fingerprint for other in others)}) == 3


@pytest.mark.parametrize("name", ["voyage", "cohere", "openai"])
def test_without_a_key_the_variable_is_named(name: str) -> None:
    embedder = embedder_from(SERVICES[name][0])
    with pytest.raises(MissingKey, match="PYKALA_EMBEDDER_KEY"):
        embedder.encode(["law"], "query")


@pytest.mark.parametrize("model", ["nobody/model", "voyage", "voyage/", "custom/model", "./no/such/folder"])
def test_a_name_that_means_nothing_is_refused_with_what_would(model: str) -> None:
    with pytest.raises(ModelMisconfigured):
        embedder_from(model)


def test_a_folder_s_fingerprint_changes_with_its_model(tmp_path: Path) -> None:
    first = embedder_from(str(tiny_onnx_embedder(tmp_path / "one" / "tiny", seed=1)))
    again = embedder_from(str(tiny_onnx_embedder(tmp_path / "two" / "tiny", seed=1)))
    other = embedder_from(str(tiny_onnx_embedder(tmp_path / "three" / "tiny", seed=2)))
    assert first.fingerprint == again.fingerprint != other.fingerprint


@pytest.mark.parametrize("pooling", ["cls", "mean"])
def test_a_folder_s_pooling_and_prompts_are_kept(tmp_path: Path, pooling: str) -> None:
    embedder = embedder_from(str(tiny_onnx_embedder(tmp_path / pooling, pooling=pooling, query="query: ")))
    plain = embedder_from(str(tiny_onnx_embedder(tmp_path / f"{pooling}-plain", pooling=pooling)))
    assert np.allclose(embedder.encode(["tax rate"], "query"), plain.encode(["query: tax rate"], "query"))
    assert np.allclose(embedder.encode(["tax rate"], "document"), plain.encode(["tax rate"], "document"))
    other = embedder_from(
        str(tiny_onnx_embedder(tmp_path / "other", pooling={"cls": "mean", "mean": "cls"}[pooling]))
    )
    assert not np.allclose(plain.encode(["tax rate"], "query"), other.encode(["tax rate"], "query"))


def test_a_folder_without_a_model_says_what_is_missing(tmp_path: Path) -> None:
    folder = tiny_onnx_embedder(tmp_path / "tiny")
    (folder / "tokenizer.json").unlink()
    with pytest.raises(ModelMisconfigured, match=r"tokenizer\.json"):
        embedder_from(str(folder))
    tiny_onnx_embedder(tmp_path / "broken")
    (tmp_path / "broken" / "model.onnx").write_bytes(b"not a model")
    with pytest.raises(ModelMisconfigured, match="fetch it again"):
        embedder_from(str(tmp_path / "broken"))
