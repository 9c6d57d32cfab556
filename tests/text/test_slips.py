"""Slips of one letter."""

from __future__ import annotations

from collections.abc import Collection

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pykala.text.languages.known import letters
from pykala.text.slips import forgiven, is_swapped, one_slip_apart, slips_of

words = st.text(alphabet=letters(), min_size=1, max_size=8)


@given(words, words)
def test_two_words_are_one_slip_apart_where_one_of_the_slips_makes_it(one: str, other: str) -> None:
    assert one_slip_apart(one, other) == (other in set(slips_of(one)))


@given(words)
def test_every_slip_is_undone_by_one_slip(word: str) -> None:
    for slip in slips_of(word):
        assert one_slip_apart(slip, word)
        assert one_slip_apart(word, slip)


@pytest.mark.parametrize(
    ("one", "other", "swapped"),
    [
        ("braech", "breach", True),
        ("breech", "breach", False),
        ("breach", "breach", False),
        ("ab", "ba", True),
        ("breach", "breachs", False),
        ("abcd", "badc", False),  # two pairs
    ],
)
def test_two_letters_that_changed_places_are_told(one: str, other: str, swapped: bool) -> None:
    assert is_swapped(one, other) == swapped


#: How rare words of a library are, as a logarithm, and the stem of each.
RARE = {
    "capital": 3.0,
    "income": 2.0,
    "employee": 4.0,
    "employer": 4.0,
    "taxes": 1.0,
    "pääoma": 3.0,
    "sauna": 6.0,
    "breach": 7.1,
    "breech": 11.4,
    "branch": 6.3,
    "vacation": 6.9,
    "vacator": 6.9,
    "offence": 4.0,
    "office": 4.5,
    "considation": 1.0,
    "consolidation": 6.0,
}
STEMS = {"vacation": ("vacat",), "vacator": ("vacat",)}
WRITTEN = {**dict.fromkeys(RARE, 3), "vacation": 40, "vacator": 1, "considation": 0}


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("tax on captial incme", "tax on capital income"),
        ("Captial income?", "Capital income?"),
        ("employeee", "employee"),
        ("employet", "employet"),  # employee or employer: equally likely
        ("fauna", "fauna"),  # a word of its own is nobody's slip
        ("paid by Saunna Oy", "paid by Saunna Oy"),  # a name
        ("SAUNNA", "SAUNNA"),
        ("taxs", "taxs"),  # too short to tell
        ("pääona", "pääoma"),
        ("unrelated", "unrelated"),
        ("data braech", "data breach"),  # letters that changed places, before the more frequent "branch"
        ("a breich", "a breach"),  # by far more frequent than "breech"
        ("vacaton", "vacation"),  # of the same stem as "vacator", and more often written
        ("offece", "offece"),  # offence or office: about as frequent
        ("conslidation", "consolidation"),  # the law never writes the form "considation"
    ],
)
def test_a_question_is_read_as_it_was_meant(question: str, meant: str) -> None:
    known = {*RARE, "fauna", "tax"}
    asked: list[int] = []

    def rarity(words: Collection[str]) -> dict[str, float]:
        asked.append(len(words))
        return {word: RARE[word] for word in words if word in RARE}

    read = forgiven(
        question,
        is_word=known.__contains__,
        stems=lambda one: STEMS.get(one, (one,)),
        rarity=rarity,
        written=lambda readings: {form: WRITTEN[form] for forms in readings for form in forms},
    )
    assert read == meant
    assert len(asked) <= 1


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("atx", "atx"),
        ("rnet", "rent"),
        ("renr", "renr"),  # another letter: of four, too many words are as near
        ("rentt", "rent"),
    ],
)
def test_in_short_words_only_letters_that_changed_places_are_read(question: str, meant: str) -> None:
    read = forgiven(
        question,
        is_word=lambda word: False,
        stems=lambda one: (one,),
        rarity=lambda words: {word: 1.0 for word in words if word in ("rent", "tax")},
        written=lambda readings: {form: 1 for forms in readings for form in forms},
        shortest_swap=4,
    )
    assert read == meant


@pytest.mark.parametrize(
    ("rarity", "meant"),
    [
        ({"lautalle": 6.0}, "lautalle"),
        ({"lautalle": 6.0, "laukalle": 9.0}, "laukalle"),  # a word of the law, though less frequent
        ({"lautalle": 2.0, "laukalle": 9.0}, "lautalle"),  # the law has it so seldom that it is a slip there
    ],
)
def test_a_word_that_the_law_has_stands(rarity: dict[str, float], meant: str) -> None:
    read = forgiven(
        "laukalle",
        is_word=lambda word: False,
        stems=lambda one: (one,),
        rarity=lambda words: {word: rarity[word] for word in words if word in rarity},
        written=lambda readings: {form: 1 for forms in readings for form in forms},
    )
    assert read == meant


@pytest.mark.parametrize(("words", "is_read"), [(8, True), (9, False)])
def test_many_unknown_words_are_no_slips_and_cost_nothing(words: int, is_read: bool) -> None:
    asked: list[str] = []

    def stems(word: str) -> tuple[str, ...]:
        asked.append(word)
        return ()

    question = " ".join(f"zorbl{letter}x" for letter in letters()[:words])
    read = forgiven(
        question,
        is_word=lambda _: False,
        stems=stems,
        rarity=lambda _: {},
        written=lambda _: {},
    )
    assert read == question
    assert bool(asked) is is_read
