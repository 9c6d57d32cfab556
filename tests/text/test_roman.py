"""Roman numbers: read and written, and what only looks like one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pykala.text.roman import LARGEST, roman_figure, roman_value, sum_of_letters


@given(st.integers(1, LARGEST))
def test_what_is_written_is_read(number: int) -> None:
    written = roman_figure(number)
    assert roman_value(written) == roman_value(written.upper()) == sum_of_letters(written) == number


@pytest.mark.parametrize(
    ("letters", "value"),
    [
        ("", 0),
        ("iv", 4),
        ("XIV", 14),
        ("mcmxcii", 1992),
        ("iiii", 0),
        ("ic", 0),
        ("abc", 0),
        ("vx", 0),
        ("İ", 0),
    ],
)
def test_only_well_formed_numbers_have_a_value(letters: str, value: int) -> None:
    assert roman_value(letters) == value


def test_a_printer_s_four_is_summed() -> None:
    assert sum_of_letters("IIII") == 4
