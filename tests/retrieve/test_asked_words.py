"""The words of a question and what each weighs."""

from __future__ import annotations

import pytest

from pykala.models.bundled.lazy import bundled_embedder
from pykala.retrieve.likeness import AskedWords


@pytest.mark.parametrize(
    ("question", "terms", "weights"),
    [
        ("horse tax", {"hors": 3.0, "tax": 1.0}, [0.75, 0.25]),
        ("horse tax", {"hors": 3.0}, [1.0, 0.0]),
        ("horse tax cart", {}, [1 / 3, 1 / 3, 1 / 3]),  # the library knows none: all count alike
        ("", {}, []),
    ],
)
def test_weights_are_shares_of_what_the_words_weigh_together(
    question: str, terms: dict[str, float], weights: list[float]
) -> None:
    asked = AskedWords(question, "en", terms, bundled_embedder())
    assert asked.weights.tolist() == pytest.approx(weights)
    assert asked.words == len(weights)
    assert asked.by_meaning is bool(weights)


def test_without_an_embedder_words_are_not_compared_by_meaning() -> None:
    asked = AskedWords("horse tax", "en", {"hors": 3.0})
    assert not asked.by_meaning
    assert not asked.has_vector
