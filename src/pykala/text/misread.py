"""UTF-8 that was read as another code page than Windows-1252: "pรครคtรถs" (Thai), "p√§√§t√∂s" (Macintosh).

Each code page turns the two or three bytes of a letter into signs that never stand so in good text. Only the
letters and marks of the four languages are looked for, so that good Thai, Greek or Russian stays as it is.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

#: TIS-620 is read as Windows-874 by most programs; the others are those that people still save files in.
_PAGES: Final = ("cp874", "tis-620", "mac_roman", "cp437", "cp850", "cp1250", "cp1251", "cp1253")
_LETTERS: Final = "äöåÄÖÅéèêëàâáçîïíôóùûüúñÉÈÊËÀÂÁÇÎÏÍÔÓÙÛÜÚÑœŒæÆøØßšžŠŽ§°«»·–—‘’“”…€"


def misread(text: str) -> bool:
    """Whether a text holds words of which some letters were read in a wrong code page.

    "รถ" by itself is Thai for a car; inside a word of Latin letters it is an ö.
    """
    pattern, _ = _signs()
    return any(_within_word(text, *found.span()) for found in pattern.finditer(text))


def reread(text: str) -> str:
    """The text with such letters put right; what stands among letters of another script stays as it is."""
    pattern, letters = _signs()

    def meant(found: re.Match[str]) -> str:
        if _among_others(text, *found.span()):
            return found[0]
        return _each(found[0], letters)

    return pattern.sub(meant, text)


def _each(run: str, letters: dict[str, str]) -> str:
    """A run of such signs, letter by letter, the longest that fits first."""
    said, at = "", 0
    while at < len(run):
        size = next(size for size in (3, 2) if run[at : at + size] in letters)
        said, at = said + letters[run[at : at + size]], at + size
    return said


def _within_word(text: str, start: int, end: int) -> bool:
    around = (text[max(0, start - 1) : start], text[end : end + 1])
    return any(sign.isascii() and sign.isalpha() for sign in around) and not _among_others(text, start, end)


def _among_others(text: str, start: int, end: int) -> bool:
    """Whether letters of another script stand right before or behind: the run is a part of their word."""
    around = text[max(0, start - 1) : start] + text[end : end + 1]
    return any(sign.isalpha() and not sign.isascii() and sign not in _LETTERS for sign in around)


@cache
def _signs() -> tuple[re.Pattern[str], dict[str, str]]:
    """What each letter looks like in each code page, the longest first."""
    meant: dict[str, set[str]] = {}
    for page in _PAGES:
        for letter in _LETTERS:
            seen = "".join(_read(byte, page) for byte in letter.encode())
            if not _is_good(seen):
                meant.setdefault(seen, set()).add(letter)
    # What two pages make of two letters is left alone: nobody can tell which was meant.
    letters = {seen: found.pop() for seen, found in meant.items() if len(found) == 1}
    longest = sorted(letters, key=lambda seen: (-len(seen), seen))
    sign = f"(?:{'|'.join(map(re.escape, longest))})"
    # Not `+`: where a pattern begins with a choice, Python skips all that none of its members begins with.
    return re.compile(f"{sign}{sign}*"), letters


def _read(byte: int, page: str) -> str:
    try:
        return bytes([byte]).decode(page)
    except UnicodeDecodeError:
        return chr(byte)  # what a page leaves undefined stays as it was


def _is_good(seen: str) -> bool:
    """Whether two signs may stand so in good text of our languages; three in a row ("ÔÇô") never do."""
    return len(seen) < 3 and all(sign in _LETTERS or sign.isascii() for sign in seen)
