"""Numbers written as words in every known language: "twenty-five", "kuuden", "trente".

Law spells its figures out ("within six months", "kuuden kuukauden kuluessa"). A number is a run of words,
separated by single spaces or hyphens, that is one number in a language: "two hundred and fifty" is, "two
five" is not. Finnish and Swedish write most numbers as one word, so those words are built here from their
parts, as the language's file says (`numerals.together`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

from pykala.text.languages.known import derived, known
from pykala.text.languages.language import Language

_HUNDRED, _THOUSAND, _MILLION = 100, 1_000, 1_000_000


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number in words: its value and its position."""

    value: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Words:
    """A language's number words by value, and the word that may join two of them."""

    values: Mapping[str, int]
    joining: str
    adds_teens: bool = False  # "soixante-dix", "dix-sept"


_STEM: Final = 4  # letters by which a longer number word is recognised before it is looked up
_ONES: Final = 9  # the numbers 1 to 9, which combine with others in one word
_TIMES: Final = {"times_ten": 10, "times_hundred": _HUNDRED, "times_thousand": _THOUSAND}
_TOKEN: Final = re.compile(r"(\{[a-z_]+\})")


def _values(language: Language) -> dict[str, int]:
    """Every number word of a language with its value."""
    ones = _forms(language, "numerals.ones")
    values = {form: value for value, forms in enumerate(ones, start=1) for form in forms}
    for value, forms in zip(range(20, 100, 10), _forms(language, "numerals.tens"), strict=False):
        values |= dict.fromkeys(forms, value)
    for name, value in (("hundred", _HUNDRED), ("thousand", _THOUSAND), ("million", _MILLION)):
        values |= dict.fromkeys(language.words(f"numerals.{name}"), value)
    for template in language.pieces("numerals.together"):
        values |= _together(language, template)
    return values


def _forms(language: Language, table: str) -> list[list[str]]:
    return [piece.split() for piece in language.pieces(table)]


def _together(language: Language, template: str) -> dict[str, int]:
    """The numbers that are written as one word after a template: "{one}und{ten}"."""
    tokens = [token for token in _TOKEN.split(template) if token]
    inflected = language.flag("numerals.inflected")
    made: dict[str, int] = {}
    for chosen in product(*(_words_of_sort(language, token) for token in tokens)):
        if inflected and chosen[0].worth == 1 and chosen[1].multiplies:
            continue  # ten itself is "kymmenen", a hundred "sata"
        value = 0
        for word in chosen:
            value = value * word.worth if word.multiplies else value + word.worth
        made |= dict.fromkeys(map("".join, _joined(chosen, inflected)), value)
    return made


@dataclass(frozen=True, slots=True)
class _Word:
    """A part of a number in one word: its forms, and the value that it adds or multiplies by."""

    forms: Sequence[str]
    worth: int
    multiplies: bool = False


def _joined(chosen: Sequence[_Word], inflected: bool) -> Iterable[tuple[str, ...]]:
    """The forms of several words in combination; if they are inflected, all have the same case."""
    if not inflected:
        return product(*(word.forms for word in chosen))
    cases = range(max(len(word.forms) for word in chosen))
    return (tuple(word.forms[min(case, len(word.forms) - 1)] for word in chosen) for case in cases)


def _words_of_sort(language: Language, token: str) -> list[_Word]:
    """The words that may fill a part of a template; text outside braces stands for itself."""
    name = token.strip("{}")
    if name == token:
        return [_Word([token], 0)]
    if name == "one":
        return [
            _Word(forms, at) for at, forms in enumerate(_forms(language, "numerals.ones")[:_ONES], start=1)
        ]
    if name == "ten":
        return [_Word(forms, 20 + 10 * at) for at, forms in enumerate(_forms(language, "numerals.tens"))]
    forms = language.words(f"numerals.{name}")
    return [_Word(forms, _TIMES[name], multiplies=True) if name in _TIMES else _Word(forms, 10)]


@derived
def _known() -> Mapping[str, Sequence[_Words]]:
    """Each number word with its possible languages: "six" is English and French."""
    found: dict[str, list[_Words]] = {}
    for language in known():
        words = _Words(
            _values(language), language.text("numerals.joining"), language.flag("numerals.adds_teens")
        )
        for word in words.values:
            found.setdefault(word, []).append(words)
    return found


@derived
def _first() -> re.Pattern[str]:
    """The beginnings of number words, by their first letter, so that a search tries few at each place."""
    by_letter: dict[str, set[str]] = {}
    for word in _known():
        rest = rf"{word[1:]}\b" if len(word) < _STEM else rf"{word[1:_STEM]}[^\W\d_]*"
        by_letter.setdefault(word[0], set()).add(rest)
    beginnings = "|".join(
        f"{letter}(?:{'|'.join(sorted(rest))})" for letter, rest in sorted(by_letter.items())
    )
    return re.compile(rf"\b(?:{beginnings})(?!\w)")


_NEXT: Final = re.compile(r"[ \u00a0\u202f\u2011-]([^\W\d_]+)(?!\w)")
_BEFORE_UNIT: Final = 12  # characters before a number word in which the rest of its unit is looked for


@derived
def _in_units() -> Mapping[str, re.Pattern[str]]:
    """Number words that belong to a unit, with what stands before them: "per cent" is no hundred."""
    before: dict[str, list[str]] = {}
    for language in known():
        for unit in language.pieces("numerals.units"):
            first, _, word = unit.rpartition(" ")
            before.setdefault(word, []).append(re.escape(first))
    return {word: re.compile(rf"(?<![^\W\d_])(?:{'|'.join(firsts)})\s?$") for word, firsts in before.items()}


def numerals(text: str) -> Iterator[Numeral]:
    """The numbers that a text writes in words, in order."""
    lowered, end = _lowered(text), 0
    words, units = _known(), _in_units()
    for match in _first().finditer(lowered):
        start, word = match.start(), match[0]
        if (
            start < end
            or word not in words
            or (word in units and units[word].search(lowered, max(0, start - _BEFORE_UNIT), start))
        ):
            continue
        readings = [_longest(lowered, start, match.end(), word, language) for language in words[word]]
        found = readings[0] if len(readings) == 1 else max(readings, key=lambda one: one.end)
        end = found.end
        yield found


def _lowered(text: str) -> str:
    """A text in lower case with unchanged positions: "İ" would become two characters."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(small if len(small := letter.lower()) == 1 else letter for letter in text)


def _longest(text: str, start: int, end: int, word: str, language: _Words) -> Numeral:
    """The longest run of words from here that one language reads as one number."""
    best = Numeral(language.values[word], start, end)
    following = _NEXT.match(text, end)
    if following is None or not (following[1] in language.values or following[1] == language.joining):
        return best  # most numbers are one word, which this check shows quickly
    reading, joined = _Reading(language.adds_teens), False
    reading.takes(best.value)
    while (following := _NEXT.match(text, end)) is not None:
        word, end = following[1], following.end()
        if word == language.joining and not joined:
            joined = True
        elif word in language.values and reading.takes(language.values[word], joined=joined):
            best, joined = Numeral(reading.value, start, end), False
        else:
            break
    return best


class _Reading:
    """A number while it is read word by word: the finished part, and the part below a thousand."""

    def __init__(self, adds_teens: bool) -> None:
        self._adds_teens = adds_teens
        self._settled = 0
        self._group = 0
        self._last = 0

    @property
    def value(self) -> int:
        return self._settled + self._group

    def takes(self, value: int, *, joined: bool = False) -> bool:
        """Add a word; False where no number continues so ("two five", "thirty twenty")."""
        if value >= _THOUSAND:
            grown = self._takes_thousands(value)
        elif value >= _HUNDRED:
            # "Two hundred" and "nineteen hundred" multiply; "kaksisataa" says so itself.
            counts = self._group < _HUNDRED and self._group % 10 != 0
            grown = self._group == 0 or (counts and value == _HUNDRED)
            if grown:
                self._group = (self._group or 1) * value
        else:
            grown = self._takes_below_hundred(value, joined)
        self._last = value
        return grown

    def _takes_thousands(self, value: int) -> bool:
        scale = value in (_THOUSAND, _MILLION)
        falls = self._settled == 0 or self._settled > value
        if not falls or (self._last and not self._group) or (self._group and not scale):
            return False
        self._settled += (self._group or 1) * value
        self._group = 0
        return True

    def _takes_below_hundred(self, value: int, joined: bool) -> bool:
        below = self._group % _HUNDRED
        if self._adds_teens and self._group == 4 and value == 20:
            self._group = 80  # "quatre-vingts"
            return True
        if joined:  # "one hundred and five", "vingt et un"; "between twenty and five" is two numbers
            fits = value in (1, 11) and below >= 20 if self._adds_teens else below == 0
        else:
            fits = below == 0 or self._follows(below, value)
        if fits:
            self._group += value
        return fits

    def _follows(self, below: int, value: int) -> bool:
        """Whether a number below a hundred continues so: "twenty-five", "soixante-dix", "dix-sept"."""
        if self._adds_teens and below in (60, 80):
            return value < 20
        tens = below >= 20 or self._adds_teens
        return tens and below % 10 == 0 and value < 10
