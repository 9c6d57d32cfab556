"""Models that nobody has calibrated: places count, whatever scale their scores are on."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from pykala.law.grades import ANSWERED_FROM, LISTED_FROM
from pykala.retrieve.by_ranks import by_ranks
from pykala.retrieve.calibration import Case
from pykala.retrieve.features import FEATURES

MEANING, RERANKER = FEATURES.index("meaning"), FEATURES.index("reranker")
SURE = dict.fromkeys(FEATURES, 1.0) | {
    **dict.fromkeys(("transitional", "generic", "definition", "meaning", "reranker", "act_by_meaning"), 0.0),
    "length": 0.5,
}


def table(rows: int, **columns: list[float]) -> NDArray[np.float32]:
    made = np.zeros((rows, len(FEATURES)), dtype=np.float32)
    for name, values in columns.items():
        made[:, FEATURES.index(name)] = values
    return made


def first(made: NDArray[np.float32], case: Case, *, own_embedder: bool = False) -> int:
    return int(np.argmax(by_ranks(own_embedder=own_embedder)[case].ranked(made)))


CASES = [
    # (case, own embedder, columns, the row that comes first)
    (Case.SAME_LANGUAGE, False, {"meaning": [0.2, 0.9, 0.1]}, 1),
    (Case.SAME_LANGUAGE, False, {"words": [1, 0.5, 0.3], "meaning": [0.8, 0.9, 0.1]}, 0),
    (Case.OTHER_LANGUAGE, False, {"meaning": [0.2, 0.9, 0.1]}, 1),
    (
        Case.OTHER_LANGUAGE,
        False,
        {"meaning": [0.5, 0.4, 0.3], "reranker": [-1, -2, 3], "words": [0, 0, 1]},
        2,
    ),
    (Case.WORDS_ONLY, True, {"words": [1, 1, 1], "reranker": [-1, 2, 1]}, 1),
    (Case.SAME_LANGUAGE, True, {"meaning_place": [1, 0.9, 0.9], "reranker": [-3, 1, 2]}, 2),
]


@pytest.mark.parametrize(("case", "own", "columns", "best"), CASES)
def test_what_words_and_models_place_well_comes_first(
    case: Case, own: bool, columns: dict[str, list[float]], best: int
) -> None:
    assert first(table(3, **columns), case, own_embedder=own) == best


@pytest.mark.parametrize("case", Case)
@pytest.mark.parametrize("own", [True, False])
def test_two_opposite_rerankers_give_two_orders(case: Case, own: bool) -> None:
    likes, dislikes = table(2, reranker=[1, -1]), table(2, reranker=[-1, 1])
    assert (first(likes, case, own_embedder=own), first(dislikes, case, own_embedder=own)) == (0, 1)


@given(
    st.lists(st.integers(-50, 50), min_size=2, max_size=40, unique=True), st.floats(0.01, 9), st.floats(-5, 5)
)
def test_the_scale_of_a_model_changes_nothing(scores: list[int], times: float, more: float) -> None:
    made, other = table(len(scores)), table(len(scores))
    made[:, RERANKER], other[:, RERANKER] = scores, np.array(scores) * times + more
    made[:, MEANING], other[:, MEANING] = scores[::-1], np.array(scores[::-1]) * times + more
    for own in (True, False):
        weighing = by_ranks(own_embedder=own)[Case.OTHER_LANGUAGE if not own else Case.WORDS_ONLY]
        assert np.allclose(weighing.ranked(made), weighing.ranked(other))


@given(st.lists(st.floats(-1, 1, width=16), min_size=1, max_size=40))
def test_no_model_makes_an_answer_and_no_grade_passes_the_one_before_it(scores: list[float]) -> None:
    made = table(len(scores), meaning=scores, reranker=scores[::-1])
    for weighing in by_ranks(own_embedder=False).values():
        order = weighing.ranked(made)
        grades = weighing.grades(made, order, 1.0)
        assert grades.max() < ANSWERED_FROM
        ranked = grades[np.argsort(-order, kind="stable")]
        assert (np.diff(ranked) <= 0).all()


def test_words_answer_where_every_model_agrees_and_are_related_where_one_does_not() -> None:
    weighing = by_ranks(own_embedder=False)[Case.SAME_LANGUAGE]
    made = table(30)
    made[0] = list(SURE.values())
    for meaning, answers in ((np.linspace(1, 0, 30), True), (np.linspace(0.1, 1, 30), False)):
        made[:, MEANING] = meaning
        order = weighing.ranked(made)
        best = float(weighing.grades(made, order, 1.0).max())
        assert (best >= ANSWERED_FROM) is answers
        assert best >= LISTED_FROM
