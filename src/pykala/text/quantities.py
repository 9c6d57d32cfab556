"""Quantities as the law writes them in every known language: a figure and its unit, whatever its spelling."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from pykala.text.languages.known import NOTHING, alternatives, derived, derived_of_text, known, language_of
from pykala.text.languages.language import Language
from pykala.text.numerals import Numeral, numerals

#: Units in order, with the patterns that write them in every language.
_UNITS: Final[Mapping[str, tuple[str, ...]]] = {
    "months": (),
    "weeks": (),
    "years": (),
    "days": (),
    "hours": (),
    "percent": ("%",),
    "euros": ("€", r"euro\w*", "eur"),
    "dollars": (r"\$",),
}
TIME: Final = frozenset({"days", "weeks", "months", "years", "hours"})
_MIXED = r"\d{1,9}[ \u00a0\u202f]\d{1,3}/\d{1,3}(?!\d)"  # "7 1/2 %"
_NUMBER = r"\d{1,3}(?:[ \u00a0\u202f,.]\d{3}){1,10}(?!\d)|\d{1,40}(?:[.,]\d{1,40})?"
_digits = re.compile(r"\d+")
_marked = {
    unit: re.compile(rf"[{mark}]\s?({_NUMBER})") for unit, mark in (("dollars", r"\$"), ("euros", "€"))
}
#: "EUR 20 000": the code of a currency before its figure, always in capitals.
_coded = re.compile(rf"(?P<code>EUR|CAD|USD)[ \u00a0\u202f]?({_NUMBER})")
_CODES: Final = {"EUR": "euros", "CAD": "dollars", "USD": "dollars"}
_grouped = re.compile(r"\d{1,3}([.,]\d{3})+")
_spaces = re.compile(r"[ \u00a0\u202f]")


def _words(unit: str, languages: Sequence[Language] | None = None) -> str:
    """How a unit is written, in all languages or in some, as one piece of a pattern."""
    of_languages = known() if languages is None else languages
    written = (
        *_UNITS[unit],
        *(piece for one in of_languages for piece in one.pieces(f"quantities.units.{unit}")),
    )
    return "|".join(dict.fromkeys(written)) or NOTHING


@derived
def _tail() -> str:
    """A pattern for what follows a figure: perhaps a qualifier ("30 calendar days"), and the unit."""
    units = "|".join(f"(?P<{unit}>{_words(unit)})" for unit in _UNITS)
    sorts = alternatives("quantities.sorts")
    return rf"\s*[-\u2011]?(?:(?:{sorts})\s)?(?:{units})(?!\w)"


@derived
def _figured() -> re.Pattern[str]:
    # Possessive matching: if no unit follows the whole number, none follows a part of it.
    return re.compile(rf"((?>{_MIXED}|{_NUMBER})){_tail()}", re.IGNORECASE)


@derived
def _spelled() -> re.Pattern[str]:
    """A pattern for what follows a number in words; "thirty (30) days" repeats the figure in brackets."""
    return re.compile(rf"(?:\s*\(\s?(?:{_NUMBER})\s?\))?{_tail()}", re.IGNORECASE)


@derived
def _parts() -> Mapping[str, int]:
    """The words for fractions of one, with their denominators."""
    return {
        word: int(count)
        for language in known()
        for word, count in language.named("quantities.fractions").items()
    }


@derived
def _fraction() -> re.Pattern[str]:
    """A pattern for what follows a numerator: "seven-eighths", "eighty-five one-hundredths of one"."""
    return re.compile(
        rf"[-\u2011\s](?:(?:{alternatives('quantities.one_part')})[-\u2011\s])?"
        rf"(?P<part>{'|'.join(_parts()) or NOTHING})s?(?!\w)(?:{alternatives('quantities.of_one')})?",
        re.IGNORECASE,
    )


@derived
def _before_parts() -> re.Pattern[str]:
    """A pattern between a number and its fraction: "five and seven-eighths"."""
    return re.compile(rf"\s(?:{alternatives('quantities.before_parts')})\s", re.IGNORECASE)


@derived
def _only_before() -> Mapping[str, re.Pattern[str]]:
    """Number words that count only before some units: Swedish "en dag" is one day, French "en jours" not."""
    found: dict[str, list[str]] = {}
    for language in known():
        for word, behind in language.named("quantities.only_before").items():
            found.setdefault(word, []).append(behind)
    return {word: re.compile("|".join(behind), re.IGNORECASE) for word, behind in found.items()}


@derived
def _named(code: str) -> Mapping[str, re.Pattern[str]]:
    """How a question in a language names a unit, or asks for it without naming it; "" for any language.

    Its own words alone count: the French "an" is a year, and the English is not.
    """
    own = language_of(code)
    languages = None if own is None else (own,)
    asked = {unit: alternatives(f"quantities.asked.{unit}", languages) for unit in _UNITS}
    return {
        unit: re.compile(rf"(?<!\w)(?:{_words(unit, languages)}|{words})(?!\w)", re.IGNORECASE)
        for unit, words in asked.items()
    }


@derived
def _any_unit() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(_words, _UNITS))})(?!\w)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A figure in plain spelling ("30000", "7.5"), its unit, and its position."""

    figure: str
    unit: str
    start: int
    end: int


@derived_of_text(512)  # a question looks for several kinds of figures in the same sentences
def quantities(text: str) -> tuple[Quantity, ...]:
    """Every quantity in a text, in order."""
    found = [*_in_figures(text), *_in_words(text)]
    for unit, pattern in _marked.items():
        found += (Quantity(_plain(match[1]), unit, *match.span()) for match in pattern.finditer(text))
    return tuple(sorted(found, key=lambda quantity: (quantity.start, quantity.end)))


def units_named(text: str, language: str = "") -> frozenset[str]:
    """The units that a question names or asks for: "how long" wants days, months or years."""
    return frozenset(unit for unit, pattern in _named(language).items() if pattern.search(text))


def without_units(text: str) -> str:
    """A text without the names of units, for comparing its other words."""
    return _any_unit().sub(" ", text)


def _in_figures(text: str) -> Iterator[Quantity]:
    """Figures in digits before a unit or after a currency's code, from left to right.

    A search for digits passes over letters many times faster than one for whole quantities.
    """
    end = 0
    coded: dict[int, re.Match[str]] = {}
    if any(code in text for code in _CODES):
        coded = {match.start(2): match for match in _coded.finditer(text) if _parted(text, match.start())}
    for digits in _digits.finditer(text):
        start = digits.start()
        if start < end:
            continue
        match = coded.get(start)
        if match is not None and match.start() >= end:  # in "20 EUR 30 days", EUR belongs to 20
            end = match.end()
            yield Quantity(_plain(match[2]), _CODES[match["code"]], *match.span())
        elif _parted(text, start):
            match = _figured().match(text, start)
            if match is not None:
                end = match.end()
                yield Quantity(_plain(match[1]), match.lastgroup or "", *match.span())


def _in_words(text: str) -> Iterator[Quantity]:
    only_before = _only_before()
    found = list(numerals(text))
    told = 0  # the end of the last fraction, whose words are not separate numbers
    for before, numeral in zip([None, *found], found, strict=False):
        if numeral.start < told:
            continue
        if fraction := _with_fraction(text, before, numeral):
            told = fraction.end
            yield fraction
            continue
        behind = only_before.get(text[numeral.start : numeral.end].lower())
        if behind is not None and not behind.match(text, numeral.end):
            continue
        match = _spelled().match(text, numeral.end)
        if match is not None:
            yield Quantity(str(numeral.value), match.lastgroup or "", numeral.start, match.end())


def _with_fraction(text: str, before: Numeral | None, numerator: Numeral) -> Quantity | None:
    """A number that ends in a fraction: "five and seven-eighths percent"."""
    part = _fraction().match(text, numerator.end)
    unit = _spelled().match(text, part.end()) if part else None
    if part is None or unit is None:
        return None
    start, whole = numerator.start, 0
    if before is not None and _before_parts().fullmatch(text, before.end, start):
        start, whole = before.start, before.value
    value = whole + numerator.value / _parts()[part["part"].lower()]
    return Quantity(f"{value:.10g}", unit.lastgroup or "", start, unit.end())


def _parted(text: str, start: int) -> bool:
    """Whether no letter or digit is directly before a position."""
    before = text[start - 1 : start] if start else ""
    return not (before.isalnum() or before == "_")


def _plain(number: str) -> str:
    if "/" in number:
        whole, over, under = map(int, re.findall(r"\d+", number))
        return f"{whole + over / (under or 1):.10g}"
    compact = _spaces.sub("", number)
    if _grouped.fullmatch(compact):
        return compact.replace(".", "").replace(",", "")
    return compact.replace(",", ".")
