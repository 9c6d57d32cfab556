"""What every reranker does: those behind HTTP over real servers, and those in a folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from loopback import StillClock
from making_models import tiny_onnx_reranker
from provider_servers import (
    KEY,
    Behaviour,
    Rerank,
    Service,
    TextsRerank,
    hanging_up,
    refusing,
    saying,
    served,
)
from pykala.models.configure import reranker_from
from pykala.models.connection import Patience
from pykala.models.failures import (
    KeyRefused,
    MalformedReply,
    MissingKey,
    ModelError,
    ModelMisconfigured,
    ModelUnavailable,
    RateLimited,
)
from pykala.models.reranker import Reranker

QUERY = "tax rate"
TEXTS = ["The court of appeal.", "The tax rate is 34 per cent.", "The tax is paid."]
QUICK = Patience(connect=10.0, silence=20.0)
SERVICES: dict[str, tuple[str, Callable[[], Service]]] = {
    "cohere": ("cohere/rerank-some", Rerank),
    "jina": ("jina/jina-reranker-some", Rerank),
    "vllm": ("vllm/maker/reranker", Rerank),
    "custom": ("custom/reranker", Rerank),
    "tei": ("tei", TextsRerank),
}


@dataclass
class Hosted:
    reranker: Reranker
    service: Service
    clock: StillClock


@pytest.fixture(params=SERVICES)
def hosted(request: pytest.FixtureRequest) -> Iterator[Hosted]:
    model, made = SERVICES[request.param]
    clock = StillClock()
    with served(made()) as service:
        reranker = reranker_from(model, key=KEY, address=service.address, patience=QUICK, clock=clock)
        yield Hosted(reranker, service, clock)


@pytest.fixture(params=["bundled", "onnx", "onnx-two-labels", *SERVICES])
def reranker(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Reranker]:
    if request.param in SERVICES:
        model, made = SERVICES[request.param]
        with served(made()) as service:
            yield reranker_from(model, key=KEY, address=service.address, patience=QUICK)
    elif request.param == "bundled":
        yield reranker_from("bundled")
    else:
        labels = 1 if request.param == "onnx" else 2
        yield reranker_from(str(tiny_onnx_reranker(tmp_path / "tiny", labels=labels)))


def test_one_score_a_text_in_their_order_and_the_better_is_higher(reranker: Reranker) -> None:
    scores = reranker.score(QUERY, TEXTS)
    assert scores.dtype == np.float32
    assert scores.shape == (3,)
    assert scores[1] > scores[2] > scores[0]
    assert np.array_equal(scores, reranker.score(QUERY, TEXTS))
    assert np.allclose(scores[::-1], reranker.score(QUERY, TEXTS[::-1]))


def test_no_texts_have_no_scores(reranker: Reranker) -> None:
    assert reranker.score(QUERY, []).shape == (0,)


def test_many_and_long_and_empty_texts_are_scored_too(reranker: Reranker) -> None:
    texts = ["tax rate", *["nothing of it"] * 70, "", "tax " * 20_000]
    scores = reranker.score(QUERY, texts)
    assert scores.shape == (73,)
    assert scores[0] > scores[1]


def test_it_says_what_it_is_and_not_its_key(reranker: Reranker) -> None:
    assert reranker.name
    assert KEY not in reranker.fingerprint + reranker.name + repr(reranker)
    assert reranker.fingerprint == reranker.fingerprint


def test_a_busy_service_is_waited_for_as_long_as_it_asks(hosted: Hosted) -> None:
    hosted.service.then(refusing(429, "slow down", Retry_After="3"), hanging_up)
    assert hosted.reranker.score(QUERY, TEXTS).argmax() == 1
    assert hosted.clock.slept == [3.0, 2.0]


def scored(*rows: bytes) -> Behaviour:
    """A reply with these rows, where either kind of service has them."""
    return lambda service, handler, body: saying(
        200, b"[%s]" % b",".join(rows) if "texts" in body else b'{"results": [%s]}' % b",".join(rows)
    )(service, handler, body)


def row(place: int, score: str) -> bytes:
    return f'{{"index": {place}, "relevance_score": {score}, "score": {score}}}'.encode()


FAILURES = [
    ([refusing(401, f"bad key {KEY}")], KeyRefused),
    ([refusing(429, "no")] * 3, RateLimited),
    ([refusing(500, "no")] * 3, ModelUnavailable),
    ([saying(200, b"not json")], MalformedReply),
    ([saying(200, b"{}")], MalformedReply),
    ([scored(row(0, "1"), row(1, "1"))], MalformedReply),
    ([scored(row(0, "1"), row(1, "1"), row(1, "1"))], MalformedReply),
    ([scored(row(0, "1"), row(1, "1"), row(3, "1"))], MalformedReply),
    ([scored(row(0, "1"), row(1, "NaN"), row(2, "1"))], MalformedReply),
    ([scored(row(0, "1"), row(1, '"high"'), row(2, "1"))], MalformedReply),
]


@pytest.mark.parametrize(("behaviours", "kind"), FAILURES)
def test_what_fails_is_told_and_never_a_wrong_order(
    hosted: Hosted, behaviours: list[Behaviour], kind: type[ModelError]
) -> None:
    hosted.service.then(*behaviours)
    with pytest.raises(ModelError) as caught:
        hosted.reranker.score(QUERY, TEXTS)
    assert type(caught.value) is kind
    assert KEY not in str(caught.value)


def test_the_scores_of_a_whole_reply_are_taken_as_they_are(hosted: Hosted) -> None:
    hosted.service.then(scored(row(2, "0.5"), row(0, "0.25"), row(1, "-1.5")))
    assert hosted.reranker.score(QUERY, TEXTS).tolist() == [0.25, -1.5, 0.5]


def test_without_a_key_the_variable_is_named() -> None:
    with pytest.raises(MissingKey, match="PYKALA_RERANKER_KEY"):
        reranker_from("cohere/rerank-some").score(QUERY, TEXTS)


@pytest.mark.parametrize("model", ["nobody/model", "cohere", "custom/model", "./no/such/folder"])
def test_a_name_that_means_nothing_is_refused(model: str) -> None:
    with pytest.raises(ModelMisconfigured):
        reranker_from(model)


def test_fingerprints_tell_models_and_addresses_apart(tmp_path: Path) -> None:
    prints = {
        reranker_from("cohere/one").fingerprint,
        reranker_from("cohere/two").fingerprint,
        reranker_from("cohere/one", address="https://elsewhere.example/v2").fingerprint,
        reranker_from(str(tiny_onnx_reranker(tmp_path / "a" / "tiny"))).fingerprint,
        reranker_from(str(tiny_onnx_reranker(tmp_path / "b" / "tiny", labels=2))).fingerprint,
    }
    assert len(prints) == 5
