"""Law, uploads and law in other languages in one list."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from making import graded, simple
from plain_pack import pack
from pykala.law.grades import LIKELY_FROM
from pykala.retrieve.engine import Engine
from pykala.retrieve.grade import Graded
from pykala.retrieve.options import DEFAULT_OPTIONS
from pykala.retrieve.plan import (
    _best_facts,
    _best_first,
    _by_grade,
    _law_first,
    _read_by_place,
    asked_words,
)
from pykala.retrieve.question import understand
from pykala.stores.embedded.store import EmbeddedStore

LAW, OWN = graded("fi", 6.0, 3.0), graded("up", 9.0, 1.0)


def order(found: tuple[Graded, ...]) -> list[tuple[str, float]]:
    return [(one.candidate.section.work.jurisdiction, one.grade) for one in found]


def test_law_that_is_quoted_comes_before_uploads() -> None:
    assert LAW[0].grade >= LIKELY_FROM
    assert order(_law_first(LAW, OWN)) == [("fi", 6.0), ("fi", 3.0), ("up", 9.0), ("up", 1.0)]
    exactly = graded("fi", LIKELY_FROM)
    assert order(_law_first(exactly, OWN))[0] == ("fi", LIKELY_FROM)


def test_law_that_is_only_related_comes_where_its_grade_says() -> None:
    weak = graded("fi", LIKELY_FROM - 0.01)
    assert order(_law_first(weak, OWN))[0] == ("up", 9.0)
    assert order(_law_first(weak, OWN[1:]))[0] == ("fi", LIKELY_FROM - 0.01)
    assert _law_first((), OWN) == OWN


def test_of_two_lists_the_better_comes_first_and_the_own_one_on_equal_grades() -> None:
    same = graded("ca", 6.0)
    assert order(_best_first(LAW, same)) == [("fi", 6.0), ("fi", 3.0), ("ca", 6.0)]
    assert order(_best_first(LAW, graded("ca", 6.01)))[0] == ("ca", 6.01)
    assert _best_first(LAW, ()) == LAW
    assert _best_first((), same) == same
    assert _best_first((), ()) == ()


@pytest.mark.parametrize(("read", "apart"), [(10, 16), (40, 20)])
def test_places_share_what_is_read_closely_but_for_a_least(tmp_path: Path, read: int, apart: int) -> None:
    places = {place: [one.candidate for one in graded(place, *([6.0] * 30))] for place in ("fi", "ca")}
    with EmbeddedStore.open(tmp_path, writable=True) as store:
        store.put(simple("xx:act:1", "A carter pays the toll."))
        engine = Engine(store, {"xx": pack}, options=replace(DEFAULT_OPTIONS, read=read))
        question = understand("Who pays the toll?", store, engine.packs, as_of=date(2026, 1, 1))
        looked = _read_by_place(question, places, asked_words(question, engine), engine)
    assert [sum(len(one.candidates) for one in group) for group in looked.values()] == [apart, apart]


def test_the_trace_tells_the_best_grade_and_that_of_each_place() -> None:
    assert _best_facts((), {}) == {"best": 0.0}
    assert _best_facts(LAW, {"": LAW}) == {"best": 6.0}
    found = _best_facts(graded("fi", 6.126), {"fi": graded("fi", 6.126), "ca": graded("ca", 2.0), "eu": ()})
    assert found == {"best": 6.13, "best_of_places": {"fi": 6.13, "ca": 2.0}}


def test_lists_in_two_languages_are_told_by_grade_each_in_its_own_order() -> None:
    other = (*graded("ca", 6.0), *graded("ca", 2.0), *graded("ca", 5.0))
    merged = order(_by_grade(LAW, other))
    assert merged == [("fi", 6.0), ("ca", 6.0), ("fi", 3.0), ("ca", 2.0), ("ca", 5.0)]
    assert _by_grade((), other) == other


def test_what_is_nearer_in_another_language_comes_before_its_cousin() -> None:
    def near(found: tuple[Graded, ...], meaning: float) -> tuple[Graded, ...]:
        return tuple(replace(one, candidate=replace(one.candidate, meaning=meaning)) for one in found)

    cousin, act = near(graded("fi", 7.5), 0.6), near(graded("ca", 5.1), 0.7)
    assert order(_by_grade(cousin, act))[0] == ("ca", 5.1)
    assert order(_by_grade(cousin, near(act, 0.5)))[0] == ("fi", 7.5)
    assert order(_by_grade(cousin, near(graded("ca", 4.9), 0.7)))[0] == ("fi", 7.5)  # would not be quoted
    assert order(_by_grade(cousin, near(graded("fi", 5.1), 0.7)))[0] == ("fi", 7.5)  # the same act
