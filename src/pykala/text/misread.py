"""UTF-8 that was read as another code page than Windows-1252: "pรครคtรถs" (Thai), "p√§√§t√∂s" (Macintosh).

Each code page turns the two or three bytes of a letter into characters that never occur so in correct text.
Only the letters and marks of the four languages are repaired, so that correct Thai, Greek or Russian is
unchanged.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

#: Most programs read TIS-620 as Windows-874; the others are code pages in which people still save files.
_PAGES: Final = ("cp874", "tis-620", "mac_roman", "cp437", "cp850", "cp1250", "cp1251", "cp1253")
_LETTERS: Final = "äöåÄÖÅéèêëàâáçîïíôóùûüúñÉÈÊËÀÂÁÇÎÏÍÔÓÙÛÜÚÑœŒæÆøØßšžŠŽ§°«»·–—‘’“”…€"


def misread(text: str) -> bool:
    """Whether some letters of a text were decoded with a wrong code page.

    "รถ" by itself is Thai for a car; inside a word of Latin letters it is an ö.
    """
    pattern, _ = _signs()
    return any(_within_word(text, *found.span()) for found in pattern.finditer(text))


def reread(text: str) -> str:
    """The text with such letters repaired; characters among letters of another script are unchanged."""
    pattern, letters = _signs()

    def meant(found: re.Match[str]) -> str:
        if _among_others(text, *found.span()):
            return found[0]
        return _each(found[0], letters)

    return pattern.sub(meant, text)


def _each(run: str, letters: dict[str, str]) -> str:
    """Repair a run of such characters, letter by letter, the longest match first."""
    said, at = "", 0
    while at < len(run):
        size = next(size for size in (3, 2) if run[at : at + size] in letters)
        said, at = said + letters[run[at : at + size]], at + size
    return said


def _within_word(text: str, start: int, end: int) -> bool:
    around = (text[max(0, start - 1) : start], text[end : end + 1])
    return any(sign.isascii() and sign.isalpha() for sign in around) and not _among_others(text, start, end)


def _among_others(text: str, start: int, end: int) -> bool:
    """Whether a letter of another script is directly before or after: the run is part of its word."""
    around = text[max(0, start - 1) : start] + text[end : end + 1]
    return any(sign.isalpha() and not sign.isascii() and sign not in _LETTERS for sign in around)


@cache
def _signs() -> tuple[re.Pattern[str], dict[str, str]]:
    """How each letter looks in each code page, the longest first."""
    meant: dict[str, set[str]] = {}
    for page in _PAGES:
        for letter in _LETTERS:
            seen = "".join(_read(byte, page) for byte in letter.encode())
            if not _is_good(seen):
                meant.setdefault(seen, set()).add(letter)
    # Leave ambiguous sequences alone: two code pages give the same characters for different letters.
    letters = {seen: found.pop() for seen, found in meant.items() if len(found) == 1}
    longest = sorted(letters, key=lambda seen: (-len(seen), seen))
    sign = f"(?:{'|'.join(map(re.escape, longest))})"
    # Do not use `+`: if a pattern begins with alternatives, `re` skips places where none of them can begin.
    return re.compile(f"{sign}{sign}*"), letters


def _read(byte: int, page: str) -> str:
    try:
        return bytes([byte]).decode(page)
    except UnicodeDecodeError:
        return chr(byte)  # bytes that a code page does not define are unchanged


def _is_good(seen: str) -> bool:
    """Whether two characters may occur so in correct text of our languages; three ("ÔÇô") never do."""
    return len(seen) < 3 and all(sign in _LETTERS or sign.isascii() for sign in seen)
