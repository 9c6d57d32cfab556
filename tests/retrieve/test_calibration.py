"""Measured chances: leads, shares, the scale of the first and of those beside it, and files of weights."""

from __future__ import annotations

import json

import numpy as np
import pytest

from pykala.law.grades import ANSWERED_FROM, LISTED_FROM
from pykala.retrieve.calibration import (
    Case,
    Least,
    Weights,
    calibrated,
    leads,
    learned_cases,
    nearness,
    read_calibration,
    shares,
)
from pykala.retrieve.features import FEATURES

MEANING, ASKED = FEATURES.index("meaning"), FEATURES.index("asked")


@pytest.mark.parametrize(
    ("order", "ahead"),
    [
        ([3.0, 1.0, 2.0], [1.0, -2.0, -1.0]),
        ([1.0, 1.0, 0.0], [0.0, 0.0, -1.0]),
        ([5.0, 2.0], [3.0, -3.0]),
    ],
)
def test_how_far_each_is_ahead_of_the_best_other(order: list[float], ahead: list[float]) -> None:
    assert leads(np.array(order)).tolist() == ahead


def test_who_is_alone_leads_by_a_fixed_length() -> None:
    alone = leads(np.array([0.3]))
    assert alone.shape == (1,)
    assert alone[0] == leads(np.array([-9.0]))[0] > 0


def test_shares_are_a_softmax() -> None:
    found = shares(np.array([1000.0, 1000.0 + np.log(3.0)]))
    assert found.tolist() == pytest.approx([0.25, 0.75])


def table(rows: int = 2, **columns: list[float]) -> np.ndarray:
    made = np.zeros((rows, len(FEATURES)), dtype=np.float32)
    for name, values in columns.items():
        made[:, FEATURES.index(name)] = values
    return made


def test_nearness_is_that_of_the_nearest_in_a_library_of_a_million() -> None:
    far = nearness(table(meaning=[0.2, 0.6], asked=[0.1, 0.4]), 1_000_000)
    assert far == pytest.approx(0.6 + 0.5 * 0.4)
    assert nearness(table(meaning=[0.2, 0.6]), 1_000_000) == pytest.approx(0.6 * 1.5), "nothing is known"
    assert nearness(table(meaning=[0.6, 0.2]), 10_000) > nearness(table(meaning=[0.6, 0.2]), 1_000_000)


LINE = ((0.0, 0.0), (1.0, 1.0))
HALVED = ((0.0, 0.0), (1.0, 0.5))


def test_the_first_is_read_from_its_own_scale_and_the_others_from_theirs() -> None:
    weights = Weights({}, {"words": 1.0}, {"bias": 0.0}, LINE, HALVED)
    made = table(3, words=[1.0, 3.0, 2.0])
    order = weights.ranked(made)
    assert order.tolist() == [1.0, 3.0, 2.0]
    assert weights.grades(made, order, 1.0).tolist() == pytest.approx([2.5, 5.0, 2.5])


@pytest.mark.parametrize("name", ["lead", "share", "known", "bias", "words"])
def test_each_part_of_the_confidence_adds_to_it(name: str) -> None:
    plain, more = (Weights({}, {}, {name: value}, LINE, LINE) for value in (0.0, 2.0))
    made, order = table(2, words=[1.0, 0.0]), np.array([2.0, 1.0])
    assert plain.probabilities(made, order, 0.5).tolist() == pytest.approx([0.5, 0.5])
    added = {"lead": 1.0, "share": float(shares(order)[0]), "known": 0.5, "bias": 1.0, "words": 1.0}[name]
    assert more.probabilities(made, order, 0.5)[0] == pytest.approx(1 / (1 + np.exp(-2.0 * added)))


def written(**parts: object) -> str:
    case = {"glance": {}, "order": {}, "confidence": {}, "scale": LINE, "scale_beside": HALVED, **parts}
    return json.dumps({"cases": {"words only": case}})


def test_a_file_is_read_and_what_it_lacks_is_as_shipped() -> None:
    text = written(near=0.25, least={"alike_to_list": 0.1}, glance={"words": 2.0})
    found = read_calibration(text)
    own = found[Case.WORDS_ONLY]
    assert (own.near, own.least, own.glance) == (0.25, Least(alike_to_list=0.1), {"words": 2.0})
    assert (own.scale, own.scale_beside) == (LINE, HALVED)
    assert learned_cases(text).keys() == {Case.WORDS_ONLY}
    assert found[Case.SAME_LANGUAGE] == calibrated()[Case.SAME_LANGUAGE]


def test_a_file_from_before_grades_were_measured_keeps_its_answers() -> None:
    case = {"glance": {}, "order": {}, "confidence": {}, "guidance": 0.3, "answered": 0.8}
    own = learned_cases(json.dumps({"cases": {"words only": case}}))[Case.WORDS_ONLY]
    assert own.scale == own.scale_beside
    assert own.scale == ((0.0, 0.0), (0.3, LISTED_FROM / 10), (0.8, ANSWERED_FROM / 10), (1.0, 1.0))
    assert (own.near, own.least) == (0.0, Least())


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{}", "no calibration"),
        ("[]", "no calibration"),
        ('{"cases": {"words only": {}}}', "no calibration"),
        ('{"cases": {"no such case": {}}}', "no such case"),
        (written(glance={"no_such": 1.0}), "unknown features: no_such"),
        (written(order={"no_such": 1.0}), "unknown features: no_such"),
        (written(confidence={"no_such": 1.0}), "unknown features: no_such"),
        (written(scale=[[0.0, 0.0]]), "pairs between 0 and 1 that rise"),
        (written(scale=[[0.0, 0.5], [1.0, 0.4]]), "pairs between 0 and 1 that rise"),
        (written(scale=[[0.5, 0.0], [0.4, 1.0]]), "pairs between 0 and 1 that rise"),
        (written(scale=[[0.0, 0.0], [1.0, 1.1]]), "pairs between 0 and 1 that rise"),
        (written(scale_beside=[[-0.1, 0.0], [1.0, 1.0]]), "pairs between 0 and 1 that rise"),
    ],
)
def test_a_file_that_is_none_is_refused_and_says_why(text: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        read_calibration(text)


def test_what_lies_on_one_height_rises() -> None:
    flat = ((0.0, 0.2), (0.0, 0.2), (1.0, 0.2))
    assert learned_cases(written(scale=flat))[Case.WORDS_ONLY].scale == flat
