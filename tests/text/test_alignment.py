"""Aligning words: what is learned from paired texts, whatever their order and side."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pykala.text.alignment import Alignment

PAIRED = [
    ("kunta tehtävä", "kommun uppgift"),
    ("kunta talous", "kommun ekonomi"),
    ("valtio tehtävä", "stat uppgift"),
    ("valtio talous", "stat ekonomi"),
    ("kunta valtio yhteistyö", "kommun stat samarbet"),
]


def learned(pairs: list[tuple[str, str]], **limits: int) -> dict[tuple[str, str], float]:
    alignment = Alignment(**limits)
    for first, second in pairs:
        alignment.add(first.split(), second.split())
    return {(found.first, found.second): found.agreement for found in alignment.words()}


def test_words_find_their_counterparts() -> None:
    agreement = learned(PAIRED)
    for first, second in (
        ("kunta", "kommun"),
        ("valtio", "stat"),
        ("tehtävä", "uppgift"),
        ("talous", "ekonomi"),
    ):
        assert max((weight, other) for (one, other), weight in agreement.items() if one == first)[1] == second
    assert not any("yhteistyö" in pair for pair in agreement), "one text is no evidence"


@pytest.mark.parametrize(
    "pairs",
    [[], [("", "kommun")], [("kunta", "")], [("kunta", "kommun")]],
    ids=["none", "left", "right", "once"],
)
def test_nothing_is_learned_from_too_little(pairs: list[tuple[str, str]]) -> None:
    assert learned(pairs) == {}


def test_a_word_said_twice_in_a_text_is_said_there_once() -> None:
    assert learned([("kunta kunta", "kommun kommun")]) == {}


def test_a_dictionary_is_found_again() -> None:
    chance = random.Random(3)
    alignment = Alignment()
    for _ in range(600):
        words = chance.sample(range(120), chance.randint(2, 6))
        alignment.add([f"a{word}" for word in words], [f"b{word}" for word in sorted(words)])
    best = {found.first: found.second for found in sorted(alignment.words(), key=lambda one: one.agreement)}
    assert best == {f"a{word}": f"b{word}" for word in range(120)}


def test_the_shortest_texts_count_where_not_all_fit() -> None:
    long = ("yksi kaksi kolme neljä", "ett två tre fyra")
    assert set(learned([long, long, ("kunta", "kommun"), ("kunta", "kommun")], most_links=4)) == {
        ("kunta", "kommun")
    }
    assert learned([long, long], most_links=4) == {}


WORDS = st.lists(st.sampled_from("abcdef"), max_size=5).map(" ".join)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(WORDS, WORDS), max_size=12))
def test_both_directions_are_one(pairs: list[tuple[str, str]]) -> None:
    there = learned(pairs)
    back = learned([(second, first) for first, second in pairs])
    assert {(other, one): pytest.approx(weight) for (one, other), weight in there.items()} == back
    for (first, second), weight in there.items():
        assert 0 < weight <= 1 + 1e-9
        assert sum(first in one.split() and second in other.split() for one, other in pairs) >= 2
