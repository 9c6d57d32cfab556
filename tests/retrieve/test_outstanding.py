"""How far the nearest candidates stand out: the columns of a table that are made of others."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pykala.retrieve.features import FEATURES, outstanding

NAMES = ("asked_peak", "asked_strength", "asked_lead", "asked_high", "meaning_peak", "meaning_lead")
NEARNESS = st.lists(st.floats(0, 1, width=32), min_size=1, max_size=40)


def columns(asked: list[float], meaning: list[float] | None = None) -> dict[str, np.ndarray]:
    table = np.zeros((len(asked), len(FEATURES)), dtype=np.float32)
    table[:, FEATURES.index("asked")] = asked
    table[:, FEATURES.index("meaning")] = asked if meaning is None else meaning
    return dict(zip(NAMES, outstanding(table).T, strict=True))


def test_they_are_the_last_columns() -> None:
    assert FEATURES[-len(NAMES) :] == NAMES


def test_one_that_lies_alone_leads_and_one_of_many_does_not() -> None:
    alone, many = columns([0.8, 0.4, 0.3]), columns([0.8, 0.79, 0.78])
    assert alone["asked_lead"][0] == pytest.approx(2.0)
    assert many["asked_lead"][0] == pytest.approx(0.05, abs=1e-5)
    assert alone["asked_peak"][1] < 0.01 < 0.5 < many["asked_peak"][1]


def test_what_is_asked_counts_for_less_where_even_the_nearest_is_far() -> None:
    assert columns([0.3, 0.1])["asked_strength"][0] < columns([0.9, 0.1])["asked_strength"][0]
    assert columns([0.3, 0.1])["asked_high"].max() == 0
    assert columns([0.3, 0.1])["asked_lead"].max() == pytest.approx(0.0, abs=1e-6)
    assert 0 < columns([0.45, 0.1])["asked_lead"][0] < columns([0.9, 0.55])["asked_lead"][0]


def test_nothing_stands_out_where_nothing_is_known_to_be_asked() -> None:
    found = columns([0.0, 0.0], [0.5, 0.2])
    assert not any(found[name].any() for name in NAMES[:4])
    assert found["meaning_peak"][0] == 1


def test_an_only_candidate_and_none() -> None:
    assert columns([0.6])["asked_lead"][0] == pytest.approx(3.0)
    assert outstanding(np.zeros((0, len(FEATURES)), dtype=np.float32)).shape == (0, len(NAMES))


@given(NEARNESS)
def test_the_nearest_has_the_most_and_nobody_else_leads(asked: list[float]) -> None:
    found = columns(asked)
    first = int(np.argmax(np.array(asked, dtype=np.float32)))
    for name in NAMES:
        assert np.isfinite(found[name]).all()
        assert found[name][first] == found[name].max()
    behind = np.array(asked, dtype=np.float32) < np.float32(max(asked))
    assert not found["asked_lead"][behind].any()
