"""Numbers written as words in English, Finnish, Swedish and French: "twenty-five", "kuuden", "trente".

Law spells its figures out ("within six months", "kuuden kuukauden kuluessa"). A number is a run of words,
parted by single spaces or hyphens, that one language reads as one: "two hundred and fifty" is, "two five"
is not. Finnish and Swedish write most of theirs in one word, so those words are made here from their parts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Final

_HUNDRED, _THOUSAND, _MILLION = 100, 1_000, 1_000_000


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number in words: what it is, and where it stands."""

    value: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Words:
    """A language's number words by value, and the word that may join two of them."""

    values: Mapping[str, int]
    joining: str
    adds_teens: bool = False  # "soixante-dix", "dix-sept"


def _counted(values: Iterable[int], words: str) -> dict[str, int]:
    return dict(zip(words.split(), values, strict=True))


def _worth(value: int, words: str) -> dict[str, int]:
    return dict.fromkeys(words.split(), value)


_TENS: Final = range(20, 100, 10)
_ENGLISH: Final = {
    **_counted(
        range(1, 20),
        "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
        " seventeen eighteen nineteen",
    ),
    **_counted(_TENS, "twenty thirty forty fifty sixty seventy eighty ninety"),
    **_counted((_HUNDRED, _THOUSAND, _MILLION), "hundred thousand million"),
}
_FRENCH: Final = {
    **_counted(
        range(1, 17),
        "un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize",
    ),
    **_counted(_TENS, "vingt trente quarante cinquante soixante septante huitante nonante"),
    **_counted((1, 20), "une vingts"),
    **_worth(_HUNDRED, "cent cents"),
    **_worth(_THOUSAND, "mille"),
    **_worth(_MILLION, "million millions"),
}
#: The forms that stand before a unit: "kuusi kuukautta", "kuuden kuukauden", "kuutta", "kuudessa", "kuutena".
_FINNISH_UNITS: Final = (
    "yksi yhden yhtä yhdessä yhtenä",
    "kaksi kahden kahta kahdessa kahtena",
    "kolme kolmen kolmea kolmessa kolmena",
    "neljä neljän neljää neljässä neljänä",
    "viisi viiden viittä viidessä viitenä",
    "kuusi kuuden kuutta kuudessa kuutena",
    "seitsemän seitsemän seitsemää seitsemässä seitsemänä",
    "kahdeksan kahdeksan kahdeksaa kahdeksassa kahdeksana",
    "yhdeksän yhdeksän yhdeksää yhdeksässä yhdeksänä",
)
_FINNISH_TENS: Final = "kymmentä kymmenen kymmentä kymmenessä kymmenenä"
_FINNISH_HUNDREDS: Final = "sataa sadan sataa sadassa satana"
_FINNISH_THOUSANDS: Final = "tuhatta tuhannen tuhatta tuhannessa tuhantena"


def _finnish() -> dict[str, int]:
    words = {
        **_worth(10, "kymmenen kymmentä kymmenessä kymmenenä"),
        **_worth(_HUNDRED, "sata sadan sataa sadassa satana"),
        **_worth(_THOUSAND, "tuhat tuhannen tuhatta tuhannessa tuhantena"),
        **_worth(_MILLION, "miljoona miljoonan miljoonaa"),
    }
    units = [forms.split() for forms in _FINNISH_UNITS]
    scales = [
        (10, _FINNISH_TENS.split()),
        (_HUNDRED, _FINNISH_HUNDREDS.split()),
        (_THOUSAND, _FINNISH_THOUSANDS.split()),
    ]
    for value, forms in enumerate(units, start=1):
        for case, form in enumerate(forms):
            words |= {form: value, f"{form}toista": 10 + value}
            if value > 1:  # ten itself is "kymmenen", a hundred "sata"
                words |= {f"{form}{scale[case]}": worth * value for worth, scale in scales}
                tens = f"{form}{scales[0][1][case]}"
                words |= {f"{tens}{one[case]}": 10 * value + unit for unit, one in enumerate(units, start=1)}
    return words


def _swedish() -> dict[str, int]:
    units = _counted((1, *range(1, 10)), "en ett två tre fyra fem sex sju åtta nio")
    teens = _counted(
        (*range(10, 20), 18), "tio elva tolv tretton fjorton femton sexton sjutton arton nitton aderton"
    )
    tens = _counted(_TENS, "tjugo trettio fyrtio femtio sextio sjuttio åttio nittio")
    scales = {"hundra": _HUNDRED, "tusen": _THOUSAND}
    return {
        **units,
        **teens,
        **tens,
        **scales,
        **_worth(_MILLION, "miljon miljoner"),
        **{f"{ten}{unit}": tens[ten] + units[unit] for ten, unit in product(tens, units)},
        **{f"{unit}{name}": units[unit] * scales[name] for unit, name in product(units, scales)},
    }


_LANGUAGES: Final = (
    _Words(_ENGLISH, "and"),
    _Words(_finnish(), ""),
    _Words(_swedish(), ""),
    _Words(_FRENCH, "et", adds_teens=True),
)
#: Each number word with the languages that it may be of: "six" is English and French.
_KNOWN: Final[dict[str, list[_Words]]] = {}
for _language in _LANGUAGES:
    for _word in _language.values:
        _KNOWN.setdefault(_word, []).append(_language)


_STEM: Final = 4  # letters by which a longer number word is recognised before it is looked up


def _beginnings() -> str:
    """How number words begin, by their first letter: a search tries few of them at each place."""
    by_letter: dict[str, set[str]] = {}
    for word in _KNOWN:
        rest = rf"{word[1:]}\b" if len(word) < _STEM else rf"{word[1:_STEM]}[^\W\d_]*"
        by_letter.setdefault(word[0], set()).add(rest)
    return "|".join(f"{letter}(?:{'|'.join(sorted(rest))})" for letter, rest in sorted(by_letter.items()))


_FIRST: Final = re.compile(rf"\b(?:{_beginnings()})(?!\w)")
_NEXT: Final = re.compile(r"[ \u00a0\u202f\u2011-]([^\W\d_]+)(?!\w)")
#: "Per cent" and "pour cent" are a unit, not a hundred.
_RATE: Final = re.compile(r"(?<![^\W\d_])(?:per|pour)\s?$")
_LONGEST_RATE = 6


def numerals(text: str) -> Iterator[Numeral]:
    """The numbers that a text writes in words, in order."""
    lowered, end = _lowered(text), 0
    for match in _FIRST.finditer(lowered):
        start, word = match.start(), match[0]
        if (
            start < end
            or word not in _KNOWN
            or (word == "cent" and _RATE.search(lowered, max(0, start - _LONGEST_RATE), start))
        ):
            continue
        readings = [_longest(lowered, start, match.end(), word, language) for language in _KNOWN[word]]
        found = readings[0] if len(readings) == 1 else max(readings, key=lambda one: one.end)
        end = found.end
        yield found


def _lowered(text: str) -> str:
    """A text in small letters, each where it stood: "İ" would become two."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(small if len(small := letter.lower()) == 1 else letter for letter in text)


def _longest(text: str, start: int, end: int, word: str, language: _Words) -> Numeral:
    """The longest run of words from here that one language reads as one number."""
    best = Numeral(language.values[word], start, end)
    following = _NEXT.match(text, end)
    if following is None or not (following[1] in language.values or following[1] == language.joining):
        return best  # as most are, and it is quickly seen
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
    """A number as it grows word by word: what is settled, and the part below a thousand."""

    def __init__(self, adds_teens: bool) -> None:
        self._adds_teens = adds_teens
        self._settled = 0
        self._group = 0
        self._last = 0

    @property
    def value(self) -> int:
        return self._settled + self._group

    def takes(self, value: int, *, joined: bool = False) -> bool:
        """Go on with a word; false where no number goes on so ("two five", "thirty twenty")."""
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
        """Whether a number below a hundred goes on so: "twenty-five", "soixante-dix", "dix-sept"."""
        if self._adds_teens and below in (60, 80):
            return value < 20
        tens = below >= 20 or self._adds_teens
        return tens and below % 10 == 0 and value < 10
