"""Estimate how many tokens a model would count, for budgets.

The rule: a word of up to six characters is one token, a longer word one token per four characters, a run of
digits one token per three, and every other mark one token. Models keep common short words whole and split the
long words of Finnish and Swedish. It is an estimate, not a tokenizer's count; it needs no model and always
gives the same number.
"""

from __future__ import annotations

import re
from typing import Final

_WORD: Final = re.compile(r"[^\W\d_]+|\d+|[^\w\s]|_")
_LETTERS: Final = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
_WHOLE: Final = 6
_PER_PIECE: Final = 4
_DIGITS_PER_PIECE: Final = 3


def count_tokens(text: str) -> int:
    """Estimate the tokens of a text: never negative, 0 for white space alone, never fewer for more text."""
    total = 0
    for word in _WORD.findall(text):
        length = len(word)
        if length == 1:
            total += 1
        elif word[0].isdigit():
            total += -(-length // _DIGITS_PER_PIECE)
        else:
            total += 1 if length <= _WHOLE else -(-length // _PER_PIECE)
    return total


def words_of(text: str) -> list[str]:
    """The words of a text in lower case, in order, without numbers and marks."""
    return _LETTERS.findall(text.lower().replace("’", "'"))
