"""Roman numbers up to 3999, in capital or small letters."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

LARGEST: Final = 3999
_FIGURES: Final = (
    *((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc")),
    *((50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")),
)
_VALUES: Final = {letters: value for value, letters in _FIGURES if len(letters) == 1}
_WELL_FORMED: Final = re.compile(r"m{0,3}(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})")


def roman_value(letters: str) -> int:
    """The value of a Roman number; 0 for an invalid one, such as "iiii" or "abc"."""
    return sum_of_letters(letters) if _WELL_FORMED.fullmatch(letters.lower()) else 0


def sum_of_letters(letters: str) -> int:
    """The sum of Roman letters, minus those before a larger one: printers also write "IIII" for 4."""
    values = [_VALUES[letter] for letter in letters.lower()]
    return sum(-value if value < following else value for value, following in pairwise([*values, 0]))


def roman_figure(number: int) -> str:
    """A number from 1 to 3999 in small Roman letters."""
    pieces = []
    for value, letters in _FIGURES:
        count, number = divmod(number, value)
        pieces.append(letters * count)
    return "".join(pieces)
