"""Slips of one letter: a letter too many, too few, another one, or two that changed places.

F. J. Damerau, A technique for computer detection and correction of spelling errors, CACM 7(3), 1964: four in
five misspellings are one of these.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from pykala.text.languages.known import letters

WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
SHORTEST = 5  # letters: a shorter word has too many neighbours
_LONGEST = 30
_LEADING = re.compile(r"[ \"'“”«»(¿¡]*")
#: Rarity is a logarithm (of the inverse document frequency). The likeliest word must be this much less rare
#: than the next one, and two letters that changed places count like this much.
_CLEAR, _SWAPPED = 1.0, 2.5
BY_MISTAKE = math.log(100)  # how much rarer than another word a word is that the law has only by mistake
_MOST_READINGS = 5  # words compared for one slip
_MOST_UNKNOWN = 8  # of a question: with more, it is in another language, or no question

Forms = tuple[str, ...]  # words with the same stems


def slips_of(word: str) -> Iterator[str]:
    """Every word that differs from a word by one slip, each once, without the word itself."""
    seen, alphabet = {word}, letters()
    for at in range(len(word) + 1):
        before, after = word[:at], word[at:]
        made = [before + after[1:]] if after else []
        made += [before + after[1] + after[0] + after[2:]] if len(after) > 1 else []
        made += [before + letter + after[1:] for letter in alphabet] if after else []
        made += [before + letter + after for letter in alphabet]
        for one in made:
            if one not in seen:
                seen.add(one)
                yield one


def one_slip_apart(one: str, other: str) -> bool:
    """Whether two words differ by one slip."""
    if one == other or abs(len(one) - len(other)) > 1:
        return False
    left, right = _from_first_difference(one, other)
    return left[1:] == right or left == right[1:] or left[1:] == right[1:] or _are_swapped(left, right)


def is_swapped(one: str, other: str) -> bool:
    """Whether two words differ by two neighbouring letters that changed places: "braech", "breach"."""
    return one != other and _are_swapped(*_from_first_difference(one, other))


def _from_first_difference(one: str, other: str) -> tuple[str, str]:
    pairs = enumerate(zip(one, other, strict=False))
    first = next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))
    return one[first:], other[first:]


def _are_swapped(left: str, right: str) -> bool:
    return len(left) > 1 and len(right) > 1 and left[1::-1] + left[2:] == right


def forgiven(
    question: str,
    *,
    is_word: Callable[[str], bool],
    stems: Callable[[str], Sequence[str]],
    rarity: Callable[[Collection[str]], Mapping[str, float]],
    written: Callable[[Sequence[Forms]], Mapping[str, int]],
    shortest: int = SHORTEST,
    shortest_swap: int = SHORTEST,
) -> str:
    """The question with its one-letter slips corrected, where one correction is clearly the likeliest.

    `is_word` knows every word of the languages, and `stems` analyses a word as the index does (empty for a
    word of another language). `rarity` gives the rarity of words that occur in the library's law, and
    `written` counts forms of words in it; each is called once at most. Names (a capital within a sentence)
    and words with a hyphen or an apostrophe are unchanged, and so are those that the law has, unless it has
    them so seldom that they are slips there, too. A word below `shortest` letters has too many
    neighbours: only two letters that changed places are read as a slip, from `shortest_swap` letters on.
    """
    least = min(shortest, shortest_swap)
    unknown = dict.fromkeys(
        match[0].lower()
        for match in WORD.finditer(question)
        if _can_be_slip(match, least) and not is_word(match[0].lower())
    )
    if len(unknown) > _MOST_UNKNOWN:
        return question
    near = {
        word: [
            one for one in slips_of(word) if (len(word) >= shortest or is_swapped(word, one)) and stems(one)
        ]
        for word in unknown
    }
    every = {one for words in near.values() for one in words}
    if not every:
        return question
    rare = rarity({*every, *unknown})
    readings = {
        word: _readings(word, [one for one in words if one in rare], rare, stems)
        for word, words in near.items()
    }
    counts = written([forms for some in readings.values() for _, forms in some])
    meant = {word: _likeliest(word, some, counts) for word, some in readings.items()}
    meant = {
        word: one
        for word, one in meant.items()
        if one and not (word in rare and rare[word] - rare[one] < BY_MISTAKE)
    }

    def mended(match: re.Match[str]) -> str:
        word = match[0]
        if not meant.get(word.lower()) or not _can_be_slip(match, least):
            return word
        return meant[word.lower()].capitalize() if word[0].isupper() else meant[word.lower()]

    return WORD.sub(mended, question)


def _readings(
    word: str, words: Sequence[str], rare: Mapping[str, float], stems: Callable[[str], Sequence[str]]
) -> list[tuple[float, Forms]]:
    """The likeliest words that may be meant, each with its cost and its forms."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for one in sorted(words, key=lambda one: (len(one), one)):
        groups.setdefault(tuple(stems(one)), []).append(one)
    costs = (
        (min(rare[one] - _SWAPPED * is_swapped(word, one) for one in forms), tuple(forms))
        for forms in groups.values()
    )
    return sorted(costs)[:_MOST_READINGS]


def _likeliest(word: str, readings: Sequence[tuple[float, Forms]], counts: Mapping[str, int]) -> str:
    """The most frequent form of the word that is meant; empty where two words are about as likely.

    A form that the law never writes is none: "considation" has the stem of "considered".
    """
    found = []
    for cost, forms in readings:
        best = max(forms, key=lambda form: (counts.get(form, 0), is_swapped(word, form)))
        if counts.get(best, 0):
            found.append((cost, best))
    if not found or (len(found) > 1 and found[1][0] - found[0][0] < _CLEAR):
        return ""
    return found[0][1]


def _can_be_slip(match: re.Match[str], shortest: int) -> bool:
    word = match[0]
    return shortest <= len(word) <= _LONGEST and word.isalpha() and not is_name(match)


def is_name(match: re.Match[str]) -> bool:
    """Whether a word of a question is written as a name: with a capital that no sentence begins with."""
    word = match[0]
    leading = _LEADING.match(match.string)
    begins = leading is not None and leading.end() >= match.start()
    return word[1:] != word[1:].lower() or (word[0].isupper() and not begins)
