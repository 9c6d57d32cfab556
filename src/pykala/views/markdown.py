r"""Escape quoted text for Markdown, so that it is shown as words and does nothing.

Chat clients render the text they receive. If a document contains `![](https://…)`, `<img …>`, a link under
another name or a key such as `[L9]`, the client would load it or show it as genuine. Every character with a
meaning in Markdown gets a backslash, which readers do not see. Only keys of the answer itself stay keys.
Characters that nobody sees, or that turn other words round, are left out.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Set
from typing import Final
from urllib.parse import quote

from pykala.law.answers import Answer
from pykala.text.unseen import without_unseen

_SIGN: Final = re.compile(
    r"[\\`*_\[\]<>~|@]"
    r"|&(?=[#A-Za-z])"  # an entity
    # Clients turn these into links. What stands before "www" may be in a piece that was shown already.
    r"|:(?=//)|(?<=www)\."
)
#: Characters that begin a heading, a list or a rule at the start of a line.
_BLOCK: Final = re.compile(r"^([ \t]*)(#|[-+=](?=[ \t]|$)|[-=]{2,}|\d{1,9}[.)](?=[ \t]|$))", re.MULTILINE)
_INDENT: Final = re.compile(r"^[ \t]+", re.MULTILINE)
_KEY: Final = re.compile(r"\[(L\d{1,4})\]")
_BEHIND: Final = re.compile(r"\s*\[(L\d{1,4})\]")
#: The end of a piece that may continue as a key or an address in the next piece.
_UNDECIDED: Final = re.compile(r"(?:\[L?\d{0,4}|:/?|w{1,3}|&)$")


def as_words(text: str) -> str:
    """Escape lines of text; indentation does not become code."""
    flat = _INDENT.sub("", without_unseen(text))
    return _BLOCK.sub(_marked, _signed(flat))


def _within(text: str) -> str:
    """Escape a piece of text; leading spaces become one."""
    words = text.lstrip(" \t")
    return f"{' ' if words != text else ''}{as_words(words)}"


def _signed(text: str) -> str:
    return _SIGN.sub(lambda sign: f"\\{sign[0]}", text)


def _marked(block: re.Match[str]) -> str:
    """Escape the character that would start a list: the stop of "1.", else the first character."""
    sign = block[2]
    return f"{block[1]}{sign[:-1]}\\{sign[-1]}" if sign[0].isdigit() else f"{block[1]}\\{sign}"


def link(label: str, url: str) -> str:
    """A link with an escaped label; only the label where the address is not a web address."""
    safe = as_words(" ".join(label.replace("[", "(").replace("]", ")").split()))
    if not url.startswith(("https://", "http://")):
        return safe
    return f"[{safe}]({quote(url, safe=IN_ADDRESSES)})"


IN_ADDRESSES: Final = "/:?#@!$&'*+,;=%~[]"  # without brackets, spaces and quotation marks, which would end it


def answer_words(answer: Answer) -> str:
    """An answer's text: escaped claims, each with the keys of its own citations."""
    if answer.writer:
        return with_keys(answer.text, _keys(answer))
    claims = ((claim.text, {one.key for one in claim.citations}) for claim in answer.claims)
    return claimed_words(answer.text, claims)


def claimed_words(text: str, claims: Iterable[tuple[str, Set[str]]]) -> str:
    """An escaped text; only the keys after each claim stay keys."""
    pieces: list[str] = []
    rest = text
    for claim, keys in claims:
        before, found, after = rest.partition(claim) if claim else (rest, "", "")
        if not found:
            continue
        pieces += [_within(before), _within(found)]
        rest = after
        while (behind := _BEHIND.match(rest)) and behind[1] in keys:
            pieces.append(behind[0])
            rest = rest[behind.end() :]
    return "".join((*pieces, _within(rest)))


def with_keys(text: str, keys: Collection[str]) -> str:
    """A model's text: the answer's keys stay keys, everything else is escaped."""
    pieces, position = [], 0
    for found in _KEY.finditer(text):
        if found[1] in keys:
            pieces += [_within(text[position : found.start()]), found[0]]
            position = found.end()
    return "".join((*pieces, _within(text[position:])))


def _keys(answer: Answer) -> set[str]:
    return {one.key for claim in answer.claims for one in claim.citations}


class DraftStream:
    """Escapes a draft while it streams, in pieces cut anywhere."""

    def __init__(self) -> None:
        self._held = ""

    def feed(self, piece: str) -> str:
        """The text that can be shown now."""
        text = self._held + without_unseen(piece)
        undecided = _UNDECIDED.search(text)
        self._held = undecided[0] if undecided else ""
        return self._shown(text[: len(text) - len(self._held)])

    def end(self) -> str:
        """The text that was held back."""
        held, self._held = self._held, ""
        return self._shown(held)

    @staticmethod
    def _shown(text: str) -> str:
        pieces: Iterable[str] = _KEY.split(text)  # words and keys alternate
        return "".join(f"[{one}]" if n % 2 else _signed(one) for n, one in enumerate(pieces))
