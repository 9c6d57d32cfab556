"""A question as the grammar rules read it: one line, plain apostrophes, bounded length.

Rules such as "up to eight words before a noun" look ahead from every place of a text. Nobody writes words of
hundreds of letters, or questions as long as a book; with limits for both, the time of every rule is bounded.
"""

from __future__ import annotations

import re

LONGEST_WORD = 60  # letters
LONGEST = 4_000  # characters; of a longer text, the beginning and the end are kept
_ENDLESS = re.compile(rf"(\S{{{LONGEST_WORD}}})\S+")


def one_line(text: str) -> str:
    """The text in one line with plain apostrophes; overlong words are cut."""
    return " ".join(bounded(text).replace("’", "'").split())


def bounded(text: str) -> str:
    """The text unchanged, except that overlong words are cut."""
    if len(text) > LONGEST:
        text = f"{text[: LONGEST // 2]} {text[-LONGEST // 2 :]}"
    return _ENDLESS.sub(r"\1", text)
