"""Which models take part in a question, by which weights, and what the answer says of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from pykala.law.answers import CaveatKind
from pykala.models.bundled import OWN_EMBEDDER, OWN_RERANKER
from pykala.models.embedder import Role
from pykala.models.hashing import HashingEmbedder
from pykala.retrieve.by_ranks import ByRanks
from pykala.retrieve.calibration import Case, calibrated
from pykala.retrieve.in_use import models_in_use

QUESTION = "How is a horse taxed?"


class Named(HashingEmbedder):
    """The hashing embedder under any name, which counts how often it is asked."""

    def __init__(self, name: str) -> None:
        super().__init__(64)
        self._called, self.asked = name, 0

    @property
    def name(self) -> str:
        return self._called

    def encode(self, texts: Sequence[str], role: Role) -> NDArray[np.float32]:
        self.asked += 1
        return super().encode(texts, role)


class Broken(Named):
    """An embedder whose vectors are of no use."""

    def __init__(self, vector: object) -> None:
        super().__init__("broken")
        self._vector = vector

    def encode(self, texts: Sequence[str], role: Role) -> NDArray[np.float32]:
        if isinstance(self._vector, Exception):
            raise self._vector
        return np.asarray(self._vector, dtype=np.float32)


class Reader:
    """A reranker of a name."""

    fingerprint = "1"

    def __init__(self, name: str) -> None:
        self.name = name

    def score(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        return [0.0 for _ in texts]


@pytest.mark.parametrize(
    ("embedder", "reranker", "named"),
    [
        (None, None, ()),
        (OWN_EMBEDDER, None, ()),
        (OWN_EMBEDDER, OWN_RERANKER, ()),
        (None, OWN_RERANKER, ()),
        ("other", None, ("other",)),
        ("other", OWN_RERANKER, ("other", OWN_RERANKER)),
        (OWN_EMBEDDER, "reader", ("reader",)),
        (None, "reader", ("reader",)),
        ("other", "reader", ("other", "reader")),
    ],
)
def test_models_that_are_not_the_packages_own_count_by_ranks_and_are_named(
    embedder: str | None, reranker: str | None, named: tuple[str, ...]
) -> None:
    used = models_in_use(
        QUESTION, "en", Named(embedder) if embedder else None, Reader(reranker) if reranker else None
    )
    assert used.names == named
    assert used.caveats == ()
    assert {type(used.weights[case]) is ByRanks for case in Case} == {bool(named)}
    told = used.by_ranks([Case.SAME_LANGUAGE], "en")
    assert [one.kind for one in told] == ([CaveatKind.UNCALIBRATED] if named else [])
    assert all(", ".join(named) in one.message for one in told)
    assert used.by_ranks([], "en") == (), "no case, nothing to say"


def test_what_was_learned_counts_before_ranks() -> None:
    learned = {Case.SAME_LANGUAGE: calibrated()[Case.WORDS_ONLY]}
    used = models_in_use(QUESTION, "en", Named("other"), None, learned)
    assert used.weights[Case.SAME_LANGUAGE] is learned[Case.SAME_LANGUAGE]
    assert used.by_ranks([Case.SAME_LANGUAGE], "en") == ()
    assert len(used.by_ranks([Case.SAME_LANGUAGE, Case.OTHER_LANGUAGE], "en")) == 1


@pytest.mark.parametrize(
    "vector",
    [
        RuntimeError("no memory"),
        [[0.0] * 63],  # of another length
        [[0.0] * 64, [0.0] * 64],  # two for one text
        [0.0] * 64,
        [[float("nan")] * 64],
    ],
)
@pytest.mark.parametrize(("reranker", "stays"), [(OWN_RERANKER, False), ("reader", True)])
def test_an_embedder_that_fails_is_left_out_and_its_reader_with_it(
    vector: object, reranker: str, stays: bool
) -> None:
    used = models_in_use(QUESTION, "en", Broken(vector), Reader(reranker))
    assert used.embedder is None
    assert (used.reranker is not None) is stays, "the package's own reads with the same table"
    assert [one.kind for one in used.caveats] == [CaveatKind.DEGRADED]
    assert "broken" in used.caveats[0].message


def test_the_question_is_encoded_once() -> None:
    embedder = Named("other")
    used = models_in_use(QUESTION, "en", embedder, None).embedder
    assert used is not None
    assert (used.encode([QUESTION], "query") == HashingEmbedder(64).encode([QUESTION], "query")).all()
    assert embedder.asked == 1
    for texts, role in (([QUESTION], "document"), (["Another?"], "query"), ([QUESTION, "?"], "query")):
        found = used.encode(texts, role)  # type: ignore[arg-type]
        assert (found == HashingEmbedder(64).encode(texts, role)).all()  # type: ignore[arg-type]
    assert embedder.asked == 4
