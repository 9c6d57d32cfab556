"""Grades as probabilities: the curve, its reliability, and the file that calibration writes."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.reliability import bins_of, table
from pykala.evaluate.calibrate import Fitted, calibration_json, calibration_text, fit
from pykala.evaluate.plots import reliability_plot
from pykala.evaluate.regression import Judged
from pykala.evaluate.reliability import (
    Bin,
    across_folds,
    bins_from,
    bins_json,
    calibration_error,
    on_scale,
    reliability,
    scale_of,
    together,
)
from pykala.law.grades import ANSWERED_FROM
from pykala.retrieve.calibration import Case, Least, read_calibration
from pykala.retrieve.features import FEATURES
from pykala.retrieve.shortlist import GLANCES

MANY = 4000


def drawn(true_chance: np.ndarray) -> np.ndarray:
    return np.random.default_rng(5).random(len(true_chance)) < true_chance


@pytest.mark.parametrize(
    ("slope", "offset"), [(1.0, 0.0), (2.0, 1.0), (0.5, -1.0)], ids=["as it is", "too shy", "too bold"]
)
def test_what_a_model_says_becomes_what_was_right(slope: float, offset: float) -> None:
    said = np.random.default_rng(3).uniform(0.02, 0.98, MANY)
    truth = 1 / (1 + np.exp(-(slope * np.log(said / (1 - said)) + offset)))
    right, folds = drawn(truth), np.arange(MANY) % 5
    assert np.abs(on_scale(scale_of(said, right), said) - truth).max() < 0.05
    assert calibration_error(reliability(across_folds(said, right, folds), right)) < 0.03
    unmeasured = calibration_error(reliability(said, right))
    assert unmeasured > 0.08 or slope == 1.0


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=30))
def test_a_scale_rises_from_nothing_to_all_whatever_it_was_learned_from(
    seen: list[tuple[float, bool]],
) -> None:
    points = scale_of(np.array([one for one, _ in seen]), np.array([right for _, right in seen], dtype=bool))
    assert points[0] == (0.0, 0.0)
    assert points[-1] == (1.0, 1.0)
    chances = [chance for _, chance in points]
    assert chances == sorted(chances)


def test_the_error_is_the_mean_distance_weighed_by_the_bins() -> None:
    chances = np.array([0.95, 0.95, 0.95, 0.95, 0.15])
    right = np.array([True, True, True, False, False])
    bins = reliability(chances, right)
    assert bins == (Bin(pytest.approx(0.15), 0.0, 1), Bin(pytest.approx(0.95), 0.75, 4))
    assert calibration_error(bins) == pytest.approx((1 * 0.15 + 4 * 0.2) / 5)
    assert calibration_error(()) == 0.0
    assert together([bins, bins]) == (Bin(pytest.approx(0.15), 0.0, 2), Bin(pytest.approx(0.95), 0.75, 8))
    assert [one.count for one in bins_from(bins_json(bins))] == [1, 4]


def question(number: int) -> Judged:
    """A question whose right candidate is most like it, more plainly so in some questions than in others."""
    random = np.random.default_rng(number)
    clear = random.uniform(0, 1)
    features = np.clip(random.normal(0.4, 0.1, (6, len(FEATURES))), 0, 1)
    right = np.arange(6) == 0
    features[0] += clear * 0.4
    glances = np.clip(random.normal(0.4, 0.1, (6, len(GLANCES))), 0, 1)
    glances[0] += clear * 0.4
    act = f"act {number % 40}"
    return Judged(act, act, Case.SAME_LANGUAGE, features, right, 1.0, True, glances, right, 1000)


@pytest.fixture(scope="module")
def fitted() -> Fitted:
    return fit([question(number) for number in range(160)])


def test_fitting_measures_on_acts_that_it_had_not_seen(fitted: Fitted) -> None:
    assert fitted.questions == 160
    assert sum(one.count for one in fitted.bins) == 160
    assert sum(one.count for one in fitted.bins_beside) == 160 * 5
    assert fitted.error < 0.1
    assert fitted.answered + fitted.likely <= 1
    assert fitted.accuracy >= fitted.likely_accuracy


def test_with_the_order_of_before_only_grades_are_learned(fitted: Fitted) -> None:
    backwards = dict.fromkeys(FEATURES, -1.0)
    before = replace(fitted.weights, glance={"words": 1.0}, order=backwards)
    learned = fit([question(number) for number in range(160)], order=before)
    assert (learned.weights.glance, learned.weights.order) == ({"words": 1.0}, backwards)
    assert learned.first_right < fitted.first_right, "it is measured in that order"
    assert learned.weights.scale != fitted.weights.scale


def test_the_file_is_read_back_and_drawn(fitted: Fitted, tmp_path: Path) -> None:
    cases = {Case.SAME_LANGUAGE: fitted}
    text = calibration_text(cases)
    assert json.loads(text) == calibration_json(cases)
    assert max(map(len, text.splitlines())) < 110, "a point stands on one line"
    read = read_calibration(text)[Case.SAME_LANGUAGE]
    assert (read.scale, read.scale_beside, read.near) == (
        fitted.weights.scale,
        fitted.weights.scale_beside,
        fitted.weights.near,
    )
    file = tmp_path / "calibration.json"
    file.write_text(text)
    bins = bins_of(file)["same language"]
    assert [one.count for one in bins] == [one.count for one in fitted.bins]
    assert table(bins).count("\n") == len(bins) + 1
    assert reliability_plot(bins, "a title").count("<circle") == len(bins)


def test_nearly_all_right_answers_are_as_alike_as_an_answer_must_be(fitted: Fitted) -> None:
    weights, columns = (
        fitted.weights,
        [FEATURES.index("section_likeness"), FEATURES.index("section_coverage")],
    )
    alike, matched = [], []
    for one in map(question, range(160)):
        order = weights.ranked(one.table)
        first = int(np.argmax(order))
        if one.right[first] and weights.grades(one.table, order, one.known)[first] >= ANSWERED_FROM:
            alike.append(one.table[first, columns].max())
            matched.append(one.table[first, FEATURES.index("section_matched")])
    assert len(alike) > 50
    assert 0.94 <= np.mean(np.array(alike) >= weights.least.alike_to_answer) < 1.0
    assert 0.94 <= np.mean(np.array(matched) >= weights.least.matched_to_answer) < 1.0
    assert weights.least.alike_to_list < weights.least.alike_to_answer


def test_what_answers_must_be_like_is_kept_in_the_file(fitted: Fitted) -> None:
    text = calibration_text({Case.SAME_LANGUAGE: fitted})
    assert read_calibration(text)[Case.SAME_LANGUAGE].least == fitted.weights.least
    older = json.loads(text)
    del older["cases"]["same language"]["least"]
    assert read_calibration(json.dumps(older))[Case.SAME_LANGUAGE].least == Least()
