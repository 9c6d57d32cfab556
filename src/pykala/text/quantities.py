"""Quantities as the law writes them in four languages: a figure and its unit, whatever its spelling."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from pykala.text.numerals import numerals

_UNITS = {
    "months": r"months?|kuukau\w+|kk|månad\w*|mois",
    "weeks": r"weeks?|viikk?o\w*|vecko?\w*|semaines?",
    "years": r"years?|vuot\w+|vuode\w+|vuosi\w*|år|ans?|années?",
    "days": r"days?|(?:kalenteri|työ|arki)?päiv\w+|(?:kalender|arbets|var|bank)?dag\w*|jours?",
    "hours": r"hours?|tunti\w*|tunnin|tuntia|timm\w+|heures?",
    "percent": r"%|per\s?cent(?:um)?|percent|prosent\w+|procent\w*|pour\s?cent",
    "euros": r"€|euro\w*|eur",
    "dollars": r"dollars?|\$",
}
#: Words that ask for a unit without naming it.
_ASKED = {
    "percent": (
        r"rates?|\w*verokan\w*|\w*prosent\w*|\w*skattesats\w*|\w*procent\w*|taux|percentage|pourcentage"
    ),
    "euros": r"how much|paljonko|hur mycket|amount|montant|threshold|limit|\w*raja\w*|gräns\w*|seuil",
    "dollars": r"how much|combien|amount|montant|threshold|limit|seuil|plafond",
    "months": r"how long|kuinka kauan|hur länge|combien de temps|deadline|délai|määräai\w*",
    "days": r"how long|kuinka kauan|hur länge|combien de temps|deadline|délai|määräai\w*",
    "years": r"how long|how old|kuinka kauan|hur länge|combien de temps",
}
_NUMBER = r"\d{1,3}(?:[ \u00a0\u202f,.]\d{3}){1,10}(?!\d)|\d{1,40}(?:[.,]\d{1,40})?"
#: What may stand between a figure and its unit: "30 calendar days", "kuusi täyttä kuukautta", "tre hela år".
_SORT = (
    r"(?:(?:calendar|working|business|banking|consecutive|successive|clear|full|whole|complete"
    r"|täyden|täyttä|peräkkäisen|peräkkäistä|hela|fulla)\s)?"
)
_UNIT = "|".join(f"(?P<{unit}>{words})" for unit, words in _UNITS.items())
_TAIL = rf"\s*[-\u2011]?{_SORT}(?:{_UNIT})(?!\w)"
# No shorter reading of a number is tried where no unit follows: none could.
_figured = re.compile(rf"((?>{_NUMBER})){_TAIL}", re.IGNORECASE)
#: "Thirty (30) days": the figure in brackets says it again.
_spelled = re.compile(rf"(?:\s*\(\s?(?:{_NUMBER})\s?\))?{_TAIL}", re.IGNORECASE)
#: Swedish "en dag" is one day; French "en jours" is none.
_swedish_one = re.compile(r"\s(?:dag|månad|veck|timm|procent)\w*", re.IGNORECASE)
_digits = re.compile(r"\d+")
_marked = {
    unit: re.compile(rf"[{mark}]\s?({_NUMBER})") for unit, mark in (("dollars", r"\$"), ("euros", "€"))
}
#: "EUR 20 000": the code of a currency before its figure, always in capitals.
_coded = re.compile(rf"(?P<code>EUR|CAD|USD)[ \u00a0\u202f]?({_NUMBER})")
_CODES: Final = {"EUR": "euros", "CAD": "dollars", "USD": "dollars"}
_named = {
    unit: re.compile(rf"(?<!\w)(?:{words}|{_ASKED.get(unit, words)})(?!\w)", re.IGNORECASE)
    for unit, words in _UNITS.items()
}
_any_unit = re.compile(rf"(?<!\w)(?:{'|'.join(_UNITS.values())})(?!\w)", re.IGNORECASE)
_grouped = re.compile(r"\d{1,3}([.,]\d{3})+")
_spaces = re.compile(r"[ \u00a0\u202f]")


@dataclass(frozen=True, slots=True)
class Quantity:
    """A figure in a plain spelling ("30000", "7.5"), its unit, and where it stands."""

    figure: str
    unit: str
    start: int
    end: int


def quantities(text: str) -> list[Quantity]:
    """Every quantity in a text, in order."""
    found = [*_in_figures(text), *_in_words(text)]
    for unit, pattern in _marked.items():
        found += (Quantity(_plain(match[1]), unit, *match.span()) for match in pattern.finditer(text))
    found.sort(key=lambda quantity: (quantity.start, quantity.end))
    return found


def units_named(text: str) -> frozenset[str]:
    """The units that a question names or asks for: "how long" wants days, months or years."""
    return frozenset(unit for unit, pattern in _named.items() if pattern.search(text))


def without_units(text: str) -> str:
    """A text without the names of units, for comparing what else it speaks of."""
    return _any_unit.sub(" ", text)


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
        if match is not None and match.start() >= end:  # in "20 EUR 30 days" the code is the first one's
            end = match.end()
            yield Quantity(_plain(match[2]), _CODES[match["code"]], *match.span())
        elif _parted(text, start):
            match = _figured.match(text, start)
            if match is not None:
                end = match.end()
                yield Quantity(_plain(match[1]), match.lastgroup or "", *match.span())


def _in_words(text: str) -> Iterator[Quantity]:
    for numeral in numerals(text):
        if text[numeral.start : numeral.end].lower() == "en" and not _swedish_one.match(text, numeral.end):
            continue
        match = _spelled.match(text, numeral.end)
        if match is not None:
            yield Quantity(str(numeral.value), match.lastgroup or "", numeral.start, match.end())


def _parted(text: str, start: int) -> bool:
    """Whether no letter or digit stands right before a place."""
    before = text[start - 1 : start] if start else ""
    return not (before.isalnum() or before == "_")


def _plain(number: str) -> str:
    compact = _spaces.sub("", number)
    if _grouped.fullmatch(compact):
        return compact.replace(".", "").replace(",", "")
    return compact.replace(",", ".")
