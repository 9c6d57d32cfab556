"""Characters of a quoted text that a reader does not see, or that change how other words are shown.

Marks of direction turn the words behind them round; escape codes command a terminal; tags spell words that
only a model reads; a carriage return begins a line, and so a heading, in Markdown. Joiners (U+200C, U+200D)
and soft hyphens stay: words of living languages have them.
"""

from __future__ import annotations

import re
from typing import Final

#: As a class of a pattern: controls, marks of direction, spaces without width, annotations, tags.
UNSEEN: Final = (
    "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff"
    "\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e007f"
)
_UNSEEN: Final = re.compile(f"[{UNSEEN}]")
_LINE_END: Final = re.compile("\r\n?|[\x85\u2028\u2029]")


def without_unseen(text: str) -> str:
    """The text as it is read, with one kind of line end."""
    return _UNSEEN.sub("", _LINE_END.sub("\n", text))
