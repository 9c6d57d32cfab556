"""Numbers spelled out, as the code writes them: "four hundred twenty-one-a", "eleven hundred five"."""

from __future__ import annotations

import re

_ONES = {
    word: value
    for value, word in enumerate(
        ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
         "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
        start=1,
    )
}  # fmt: skip
_TENS = {
    word: value * 10
    for value, word in enumerate(
        ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"), start=2
    )
}
SMALL = (*_ONES, *_TENS)  # the words of numbers under a hundred
_SMALL = "|".join(sorted(SMALL, key=len, reverse=True))
_UNIT = rf"(?:{_SMALL})(?:-(?:{_SMALL}))?"
#: A spelled number: words of number, then perhaps a letter ("six-B", "two hundred eighty F", "fifty-a").
_BEFORE_MORE = rf"(?: and)?(?: (?={_UNIT}))?"
SPELLED = rf"(?:{_UNIT} thousand{_BEFORE_MORE})?(?:{_UNIT} hundred{_BEFORE_MORE})?(?:{_UNIT})?"
_SHAPE = re.compile(SPELLED)
_SUFFIX = re.compile(r"(?:-([A-Za-z]{1,2})(?:-(\d{1,2}|[a-z]))?| ([A-Z]))(?![\w-])")
_WORD = re.compile(r"[a-z]+")


def spelled(text: str, position: int) -> tuple[str, int] | None:
    """Read a spelled number at a position: its figures ("421-a") and where it ends; None where none is."""
    match = _SHAPE.match(text, position)
    if match is None or match.end() == position:
        return None
    end = match.end()
    while text[end - 1 : end] == " ":
        end -= 1
    value = value_of(text[position:end])
    after = text[end : end + 1]
    if value is None or (after and (after.isalnum() or after == "_")):
        return None
    suffix = _SUFFIX.match(text, end)
    if suffix is None:
        if after == "-":
            return None  # "four-family"
        return str(value), end
    letter = suffix[1] or suffix[3]
    tail = f"-{suffix[2]}" if suffix[2] else ""
    return f"{value}-{letter}{tail}", suffix.end()


def value_of(words: str) -> int | None:
    """The value of a spelled number; None for words that are none. "eleven hundred five" is 1105."""
    total = current = 0
    found = False
    for word in _WORD.findall(words.casefold()):
        if word == "and":
            continue
        if word in _ONES or word in _TENS:
            current += _ONES.get(word) or _TENS[word]
        elif word == "hundred":
            current = (current or 1) * 100
        elif word == "thousand":
            total, current = total + (current or 1) * 1000, 0
        else:
            return None
        found = True
    return total + current if found else None
