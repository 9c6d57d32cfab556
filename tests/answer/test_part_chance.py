"""The chance that the best part of a section is the right one, and how it is measured."""

from __future__ import annotations

import json
from itertools import pairwise

import numpy as np
import pytest

from pykala.answer.part_chance import chance_of_part, least_to_answer, part_scale, surely_ahead
from pykala.law.grades import ANSWERED_FROM
from pykala.retrieve.calibration import bundled, measured_limits, read_calibration, read_limits
from training.fit_pinpoint import Weighed, held_out, scale_of, written


def test_the_chance_rises_with_the_lead_and_a_whole_section_is_certain() -> None:
    scale = part_scale()
    assert all(a[0] < b[0] and a[1] < b[1] for a, b in pairwise(scale))
    assert 0 < chance_of_part(0.0) < chance_of_part(0.5) < chance_of_part(5.0) < 1
    assert chance_of_part(None) == 1
    assert chance_of_part(surely_ahead()) == pytest.approx(ANSWERED_FROM / 10)
    assert chance_of_part(0.0) < least_to_answer() < chance_of_part(surely_ahead())


def test_the_file_says_on_how_many_questions_the_scale_was_measured() -> None:
    parts = json.loads(bundled())["parts"]
    shares = [share for _, share in part_scale()]
    assert parts["questions"] > 200
    assert min(shares) < parts["right"] / parts["questions"] < max(shares)


def told(lead: float | None, right: bool, act: str = "a") -> Weighed:
    return Weighed(act, "xx", np.zeros((1, 1)), np.array([True]), lead, right)


ROWS = [
    *(told(0.1, number % 2 == 0, f"a{number}") for number in range(40)),
    *(told(0.5, number % 4 > 0, f"a{number}") for number in range(40)),
    *(told(0.6, number % 4 > 0, f"a{number}") for number in range(40)),
    *(told(2.0, True, f"a{number}") for number in range(40)),
    *(told(None, False) for _ in range(40)),  # a whole section says nothing of parts
]


def test_a_scale_gives_the_share_that_was_right_by_lead_and_nothing_is_certain() -> None:
    leads, shares = zip(*scale_of(ROWS), strict=True)
    assert np.interp([0.1, 0.55, 2.0], leads, shares) == pytest.approx([0.5, 0.75, 0.98], abs=0.04)
    assert all(a < b for a, b in pairwise(shares)), "groups that do not rise are joined"
    assert max(shares) < 1


def test_a_scale_is_held_against_acts_that_it_was_not_measured_on() -> None:
    folds = np.arange(len(ROWS)) // 3 % 5
    found = list(held_out(ROWS, folds))
    assert sum(int(line.partition(" ")[0]) for line in found) == 160, "whole sections are left out"
    for line in found:
        said, right = (float(part.split()[-1]) for part in line.split(","))
        assert said == pytest.approx(right, abs=0.1)


def test_writing_the_scale_changes_nothing_else_of_the_file() -> None:
    text = bundled()
    once = written(text, ROWS)
    assert written(once, ROWS) == once
    before, after = json.loads(text), json.loads(once)
    scale, least = [[*pair] for pair in scale_of(ROWS)], before["parts"]["answers_from"]
    assert after["parts"] == {"answers_from": least, "questions": 160, "right": 120, "scale": scale}
    assert {**after, "parts": None} == {**before, "parts": None}
    assert read_limits(once) == measured_limits()
    assert read_calibration(once) == read_calibration(text)
    without = "\n".join(line for line in text.splitlines() if not line.startswith(' "parts"')) + "\n"
    assert json.loads(written(without, ROWS)) == after
