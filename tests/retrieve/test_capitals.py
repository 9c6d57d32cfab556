"""Abbreviations: matched by their capitals, and said to be unknown where the law does not write them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from making import graded
from pykala.law.grades import LIKELY_FROM
from pykala.packs.pack import installed
from pykala.retrieve.abbreviations import abbreviations_in
from pykala.retrieve.capitals import by_their_capitals, unknown_among
from pykala.retrieve.grade import Graded

PACKS = installed()


def saying(text: str, grade: float) -> Graded:
    (one,) = graded("nyc", grade)
    match = one.candidate.match.saying(text)
    return replace(one, candidate=replace(one.candidate, match=match))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("STAR exemption", ("STAR",)),
        ("XYZA s. 30", ("XYZA",)),
        ("PIA and SCC", ("SCC",)),  # the pack of the Union spells the first out
        ("GDPR art. 33", ()),
        ("UBT rate", ()),
        ("Must I PAY?", ("PAY",)),
        ("MUST I PAY THIS TAX", ()),  # an emphasis
        ("Part II of the act", ()),
        ("What is the rate?", ()),
    ],
)
def test_words_in_capitals_that_no_pack_explains(text: str, found: tuple[str, ...]) -> None:
    assert abbreviations_in(text, PACKS) == found


def test_an_abbreviation_is_no_common_word() -> None:
    gold, star = saying("Gold star parents are exempt.", 7.4), saying("The STAR exemption is granted.", 1.0)
    first, second = by_their_capitals([gold, star], ("STAR",), "STAR exemption")
    assert first is star
    assert second.grade == star.grade
    # Where nothing else is worth listing, the common word is listed, and never quoted.
    (alone,) = by_their_capitals([gold], ("STAR",), "STAR exemption")
    assert alone.grade < LIKELY_FROM
    assert by_their_capitals([gold, saying("Parents.", 0.1)], ("STAR",), "STAR")[0].grade < LIKELY_FROM


def test_what_is_found_by_meaning_keeps_its_grade() -> None:
    (found,) = by_their_capitals([saying("Relief from school taxes.", 8.0)], ("STAR",), "STAR exemption")
    assert found.grade == 8.0


def test_capitals_in_a_sentence_may_be_an_emphasis() -> None:
    rent = saying("A tenant must pay the rent.", 8.0)
    text = "Do I really HAVE to PAY my rent?"
    assert by_their_capitals([rent], ("HAVE", "PAY"), text) == (rent,)
    assert unknown_among(("HAVE", "PAY"), [rent], text, "en") == ()


@pytest.mark.parametrize(
    ("text", "unknown"),
    [("PIA", ("PIA",)), ("KVTES ja lisä", ("KVTES",)), ("How much is the PIA in a year?", ("PIA",))],
)
def test_what_the_law_does_not_write_is_unknown(text: str, unknown: tuple[str, ...]) -> None:
    assert unknown_among(unknown, [saying("Gold star parents.", 4.0)], text, "en") == unknown
    assert unknown_among(unknown, [saying(f"The {unknown[0]} is due.", 4.0)], text, "en") == ()
    assert unknown_among(unknown, [saying(f"The {unknown[0]} is due.", 0.1)], text, "en") == unknown
