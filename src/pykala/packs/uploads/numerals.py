"""Numbers as formats print them by themselves: Word's and HTML's automatic numbering."""

from __future__ import annotations

from pykala.text.roman import LARGEST, roman_figure


def printed_number(number: int, style: str) -> str:
    """A number in one of Word's styles; decimal where the style is unknown or the number out of range."""
    if number < 1 or number > LARGEST or style == "decimal":
        return str(number)
    if style == "decimalZero":
        return f"{number:02}"
    if style in ("lowerLetter", "upperLetter"):
        # After z comes aa, then bb: Word repeats the letter.
        letters = chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1)
        return letters.upper() if style == "upperLetter" else letters
    if style in ("lowerRoman", "upperRoman"):
        roman = roman_figure(number)
        return roman.upper() if style == "upperRoman" else roman
    return str(number)
