"""Slips of one letter: a letter too many, too few, another one, or two that changed places.

F. J. Damerau, A technique for computer detection and correction of spelling errors, CACM 7(3), 1964: four in
five misspellings are one of these.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence

#: The letters of the four languages.
LETTERS = "abcdefghijklmnopqrstuvwxyzåäöàâçéèêëîïôûùœ"
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
SHORTEST = 5  # letters: a shorter word has too many neighbours
_SHORTEST_PLACE = 6
_LONGEST = 30
_LEADING = re.compile(r"[ \"'“”«»(¿¡]*")


def slips_of(word: str) -> Iterator[str]:
    """Every word that one slip makes of a word, each once, without the word itself."""
    seen = {word}
    for at in range(len(word) + 1):
        before, after = word[:at], word[at:]
        made = [before + after[1:]] if after else []
        made += [before + after[1] + after[0] + after[2:]] if len(after) > 1 else []
        made += [before + letter + after[1:] for letter in LETTERS] if after else []
        made += [before + letter + after for letter in LETTERS]
        for one in made:
            if one not in seen:
                seen.add(one)
                yield one


def one_slip_apart(one: str, other: str) -> bool:
    """Whether one slip makes one word of the other."""
    if one == other or abs(len(one) - len(other)) > 1:
        return False
    pairs = enumerate(zip(one, other, strict=False))
    first = next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))
    left, right = one[first:], other[first:]
    swapped = left[1::-1] + left[2:] == right if len(left) > 1 and len(right) > 1 else False
    return left[1:] == right or left == right[1:] or left[1:] == right[1:] or swapped


def forgiven(
    question: str,
    *,
    is_word: Callable[[str], bool],
    stems: Callable[[str], Sequence[str]],
    held: Callable[[Collection[str]], Collection[str]],
    shortest: int = SHORTEST,
    places: Collection[str] = (),
) -> str:
    """The question with its one-letter slips undone, where there is one reading of each.

    `is_word` knows every word of the languages, `stems` reads a word as the index does, and `held` says which
    words the library's law has. Names (a capital within a sentence), words with a hyphen or an apostrophe and
    those below `shortest` letters stand as they are; of names only those of `places` are corrected.
    """

    def mended(match: re.Match[str]) -> str:
        word = match[0]
        if not shortest <= len(word) <= _LONGEST or not word.isalpha():
            return word
        if _is_name(match):
            return _place_meant(word, places, is_word)
        if is_word(word.lower()):
            return word
        words = [one for one in slips_of(word.lower()) if is_word(one)]
        readings: dict[tuple[str, ...], str] = {}
        for one in sorted(held(words), key=lambda one: (len(one), one)) if words else ():
            readings.setdefault(tuple(stems(one)), one)
        if len(readings) != 1:
            return word
        (meant,) = readings.values()
        return meant.capitalize() if word[0].isupper() else meant

    return _WORD.sub(mended, question)


def _place_meant(word: str, places: Collection[str], is_word: Callable[[str], bool]) -> str:
    """The one place whose name is one slip apart; "Findland" is Finland, and the Queen is not Queens."""
    if len(word) < _SHORTEST_PLACE or word in places:
        return word
    near = [place for place in places if place[0] == word[0] and one_slip_apart(word, place)]
    if is_word(word.lower()):  # "Finlan" is so by its stem, that of "Finlandais"
        near = [place for place in near if place.startswith(word)]
    return near[0] if len(near) == 1 else word


def _is_name(match: re.Match[str]) -> bool:
    word = match[0]
    leading = _LEADING.match(match.string)
    begins = leading is not None and leading.end() >= match.start()
    return word[1:] != word[1:].lower() or (word[0].isupper() and not begins)
