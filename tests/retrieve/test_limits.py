"""The limits of grading: in the calibration file, measured, and each of them in use."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, fields
from pathlib import Path

import numpy as np
import pytest

from pykala.evaluate.questions import GoldQuestion
from pykala.evaluate.sets import read_set
from pykala.law.answers import Outcome
from pykala.library import Library
from pykala.library.sample import sample_library
from pykala.packs import canada
from pykala.packs.pack import installed
from pykala.retrieve.calibration import Limits, bundled, leads, measured_limits, nearness, read_limits
from pykala.retrieve.features import FEATURES
from pykala.retrieve.grade import outcome, weights
from training import limits as measuring


@contextmanager
def with_limit(name: str, value: float) -> Iterator[None]:
    before = measured_limits()
    with measuring.tried(name, value):
        assert getattr(measured_limits(), name) == value
        yield
    assert measured_limits() == before, "the file's own values are back"


def test_every_limit_is_in_the_file_with_what_was_measured_about_it() -> None:
    written = json.loads(bundled())["limits"]
    assert list(written) == [one.name for one in fields(Limits)]
    for name, one in written.items():
        assert one["value"] == getattr(measured_limits(), name)
        assert f"{one['value']:.4g}" in one["tried"], name
        assert len(one["tried"]) == 3, name
        assert all(0 < sum(counted.values()) <= 2 * one["questions"] for counted in one["tried"].values())


def test_limits_that_are_missing_or_unknown_are_refused() -> None:
    file = json.loads(bundled())
    value = file["limits"].pop("alone")
    with pytest.raises(ValueError, match="alone"):
        read_limits(json.dumps(file))
    file["limits"] |= {"alone": value, "lonely": value}
    with pytest.raises(ValueError, match="lonely"):
        read_limits(json.dumps(file))
    with pytest.raises(ValueError, match="limits"):
        read_limits(json.dumps({"cases": {}}))


def test_a_library_that_knows_fewer_words_than_the_limit_does_not_cover_the_question() -> None:
    at = measured_limits().known_to_cover
    assert outcome((), at) is Outcome.SILENT
    assert outcome((), at - 0.001) is Outcome.OUTSIDE_CORPUS
    with with_limit("known_to_cover", at + 0.001):
        assert outcome((), at) is Outcome.OUTSIDE_CORPUS


@pytest.mark.parametrize(("rarest", "unknown"), [(2.0, 6.0), (3.0, 6.0), (5.0, 10.0)])
def test_an_unknown_word_weighs_twice_the_rarest_known_one_and_at_least_six(
    rarest: float, unknown: float
) -> None:
    found = {"tax": 1.0, "capital": rarest, "zebra": 0.0}
    assert weights(found) == {"tax": 1.0, "capital": rarest, "zebra": unknown}
    with with_limit("unknown_least", 20.0):
        assert weights(found)["zebra"] == 20.0
    with with_limit("unknown_times", 10.0):
        assert weights(found)["zebra"] == 10 * rarest


def test_the_lead_of_one_alone_and_the_nearness_in_a_small_library() -> None:
    assert leads(np.array([7.0])).tolist() == [measured_limits().alone]
    table = np.zeros((1, len(FEATURES)))
    table[0, FEATURES.index("meaning")] = 0.4
    assert nearness(table, 1_000_000) == pytest.approx(0.6)
    assert nearness(table, 10_000) == pytest.approx(1.5 * (0.4 + 2 * measured_limits().nearer))
    with with_limit("alone", 3.0), with_limit("nearer", 0.0):
        assert leads(np.array([7.0])).tolist() == [3.0]
        assert nearness(table, 10_000) == pytest.approx(0.6)


@pytest.fixture(scope="module")
def questions() -> list[GoldQuestion]:
    return read_set(Path(canada.__file__).parent / "questions.jsonl")[:6]


def test_they_are_measured_on_questions_and_written_into_the_file(
    questions: list[GoldQuestion], tmp_path: Path
) -> None:
    names = ("known_to_cover", "highest_logit")
    with Library.open(sample_library(tmp_path, installed())) as library:
        measures = measuring.measured(questions, library, again=3, only=names)
    assert list(measures) == list(names)
    assert [one["questions"] for one in measures.values()] == [6, 2]
    tried = measures["known_to_cover"]["tried"]
    assert list(tried) == ["0.4", "0.2", "0.8"]
    assert tried["0.4"]["right"] >= 3, "questions of the sample are answered from the sample"
    text = measuring.written(bundled(), measures)
    before, after = json.loads(bundled()), json.loads(text)
    assert read_limits(text) == measured_limits()
    assert after["limits"] == before["limits"] | measures
    assert after["cases"] == before["cases"]
    assert '"0.4": {"right": ' in text, "each trial on one line"
    assert list(asdict(measured_limits())) == list(after["limits"])
