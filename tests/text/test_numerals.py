"""Numbers in words, in four languages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pykala.text.numerals import numerals


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("twenty-five", [25]),
        ("Twenty five", [25]),
        ("one hundred and twenty", [120]),
        ("two thousand five hundred", [2500]),
        ("five hundred thousand", [500_000]),
        ("one million two hundred thousand", [1_200_000]),
        ("two five-year periods", [2, 5]),
        ("between twenty and thirty", [20, 30]),
        ("between twenty and five", [20, 5]),
        ("sixty and ten", [60, 10]),
        ("ten five", [10, 5]),
        ("kuuden", [6]),
        ("kahdessatoista", [12]),
        ("kahdentoista", [12]),
        ("kaksikymmentäviisi", [25]),
        ("kahdenkymmenenviiden", [25]),
        ("kaksisataa viisikymmentä", [250]),
        ("kaksituhatta", [2000]),
        ("tjugofem", [25]),
        ("etthundra", [100]),
        ("två tusen", [2000]),
        ("vingt et un", [21]),
        ("dix-sept", [17]),
        ("soixante et onze", [71]),
        ("soixante-quinze", [75]),
        ("quatre-vingts", [80]),
        ("quatre-vingt-dix-sept", [97]),
        ("deux cent cinquante mille", [250_000]),
        ("four per cent, cinq pour cent", [4, 5]),
        ("cent euros par personne", [100]),
        ("super cent", [100]),
        ("someone, tenth, onerous", []),
        ("İstanbul: six", [6]),
    ],
)
def test_numbers_in_words(text: str, values: list[int]) -> None:
    assert [one.value for one in numerals(text)] == values


_BELOW_TWENTY = (
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")


def _english(number: int) -> str:
    for worth, name in ((1_000_000, "million"), (1_000, "thousand"), (100, "hundred")):
        if number >= worth:
            rest = number % worth
            joined = (" and " if worth == 100 else " ") if rest else ""
            return f"{_english(number // worth)} {name}{joined}{_english(rest) if rest else ''}"
    if number < 20:
        return _BELOW_TWENTY[number - 1]
    return _TENS[number // 10 - 2] + (f"-{_BELOW_TWENTY[number % 10 - 1]}" if number % 10 else "")


@given(st.integers(1, 99_999_999), st.sampled_from(["{}", "({})", "some {}, others", "— {}."]))
def test_every_english_number_is_read_back(number: int, around: str) -> None:
    words = _english(number)
    text = around.format(words)
    (found,) = numerals(text)
    assert found.value == number
    assert text[found.start : found.end] == words


_VOCABULARY = (
    "one two sixty hundred thousand million and et cent vingt quatre kuusi kymmenen en ett tusen per ."
)


@given(st.lists(st.sampled_from(_VOCABULARY.split()), max_size=12).map(" ".join) | st.text())
def test_numbers_stand_in_order_without_overlap(text: str) -> None:
    ends = 0
    for one in numerals(text):
        assert ends <= one.start < one.end <= len(text)
        assert one.value > 0
        ends = one.end
