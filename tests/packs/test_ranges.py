"""Ranges in citations: their ends, and their members counted or as a document has them."""

from __future__ import annotations

import pytest

from pykala.law.identifiers import Step
from pykala.packs.ranges import LONGEST, counted, ends, walked

ARTICLE = Step("art", "5")


@pytest.mark.parametrize(
    ("number", "members"),
    [
        ("24", ["24"]),
        ("24..26", ["24", "25", "26"]),
        ("24..24", ["24"]),
        ("a..d", ["a", "b", "c", "d"]),
        ("26..24", ["26", "24"]),
        ("d..a", ["d", "a"]),
        ("i..iv", ["i", "iv"]),
        ("5a..5c", ["5a", "5c"]),
        ("1..b", ["1", "b"]),
        (f"1..{LONGEST + 1}", [str(number) for number in range(1, LONGEST + 2)]),
        (f"1..{LONGEST + 2}", ["1", str(LONGEST + 2)]),
    ],
)
def test_a_range_is_counted_by_numbers_or_letters_else_its_ends_are_told(
    number: str, members: list[str]
) -> None:
    expected = [(ARTICLE, Step("para", member)) for member in members]
    assert counted((ARTICLE, Step("para", number))) == expected


def test_ends_are_of_the_last_step() -> None:
    assert ends(()) == ((), None)
    assert counted(()) == [()]
    assert ends((ARTICLE,)) == ((ARTICLE,), None)
    assert ends((ARTICLE, Step("para", "1..3"))) == (
        (ARTICLE, Step("para", "1")),
        (ARTICLE, Step("para", "3")),
    )


def test_a_document_has_members_that_counting_misses() -> None:
    siblings = [
        Step("para", "1"),
        Step("para", "1a"),
        Step("note", "1"),
        Step("para", "2"),
        Step("para", "3"),
    ]
    found = walked((ARTICLE, siblings[0]), (ARTICLE, siblings[3]), siblings)
    assert found == [(ARTICLE, Step("para", number)) for number in ("1", "1a", "2")]


def test_a_range_has_no_more_members_than_the_limit() -> None:
    siblings = [Step("para", str(number)) for number in range(LONGEST + 9)]
    assert len(walked((siblings[0],), (siblings[-1],), siblings)) == LONGEST
