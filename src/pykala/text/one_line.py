"""A question as the rules of its grammar read it: one line, plain apostrophes, and nothing without an end.

Rules such as "up to eight words before a noun" look from every place of a text as far as its words go. Nobody
writes words of hundreds of letters, or questions as long as a book; with bounds for both, every rule has one
for its time.
"""

from __future__ import annotations

import re

LONGEST_WORD = 60  # letters
LONGEST = 4_000  # characters, the beginning and the end of what is longer
_ENDLESS = re.compile(rf"(\S{{{LONGEST_WORD}}})\S+")


def one_line(text: str) -> str:
    """The text in one line with plain apostrophes, and with the beginnings of endless words."""
    return " ".join(bounded(text).replace("’", "'").split())


def bounded(text: str) -> str:
    """The text as it stands, with the beginnings of endless words."""
    if len(text) > LONGEST:
        text = f"{text[: LONGEST // 2]} {text[-LONGEST // 2 :]}"
    return _ENDLESS.sub(r"\1", text)
