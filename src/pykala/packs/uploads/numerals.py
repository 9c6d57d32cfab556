"""Numbers as formats print them by themselves: Word's and HTML's automatic numbering."""

from __future__ import annotations

_ROMAN = (
    *((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc")),
    *((50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")),
)
_LARGEST = 3999


def printed_number(number: int, style: str) -> str:
    """A number in one of Word's styles; decimal where the style is unknown or the number out of range."""
    if number < 1 or number > _LARGEST or style == "decimal":
        return str(number)
    if style == "decimalZero":
        return f"{number:02}"
    if style in ("lowerLetter", "upperLetter"):
        # After z comes aa, then bb: Word repeats the letter.
        letters = chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1)
        return letters.upper() if style == "upperLetter" else letters
    if style in ("lowerRoman", "upperRoman"):
        roman = _roman(number)
        return roman.upper() if style == "upperRoman" else roman
    return str(number)


def _roman(number: int) -> str:
    pieces = []
    for value, letters in _ROMAN:
        count, number = divmod(number, value)
        pieces.append(letters * count)
    return "".join(pieces)
