"""Quantities as the law writes them in four languages: a figure and its unit, whatever its spelling."""

from __future__ import annotations

import re
from dataclasses import dataclass

_UNITS = {
    "months": r"months?|kuukau\w+|kk|månad\w*|mois",
    "weeks": r"weeks?|viikk?o\w*|vecko?\w*|semaines?",
    "years": r"years?|vuot\w+|vuode\w+|vuosi\w*|år|ans?|années?",
    "days": r"days?|päiv\w+|dag\w*|jours?",
    "hours": r"hours?|tunti\w*|tunnin|tuntia|timm\w+|heures?",
    "percent": r"%|per\s?cent(?:um)?|percent|prosent\w+|procent\w*|pour\s?cent",
    "euros": r"€|euro\w*|eur",
    "dollars": r"dollars?|\$",
}
#: Words that ask for a unit without naming it.
_ASKED = {
    "percent": r"rates?|\w*verokan\w*|\w*skattesats\w*|taux|percentage|pourcentage",
    "euros": r"how much|paljonko|hur mycket|amount|montant|threshold|limit|\w*raja\w*|gräns\w*|seuil",
    "dollars": r"how much|combien|amount|montant|threshold|limit|seuil|plafond",
    "months": r"how long|kuinka kauan|hur länge|combien de temps|deadline|délai|määräai\w*",
    "days": r"how long|kuinka kauan|hur länge|combien de temps|deadline|délai|määräai\w*",
    "years": r"how long|how old|kuinka kauan|hur länge|combien de temps",
}
#: New York's laws spell their figures out: "four percent".
_SPELLED = {
    word: str(number)
    for number, word in enumerate(
        [
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
            "twenty",
        ],
        start=1,
    )
} | {"thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "ninety": "90", "one hundred": "100"}
_NUMBER = r"\d{1,3}(?:[ \u00a0\u202f,.]\d{3})+(?!\d)|\d+(?:[.,]\d+)?"
_after = {
    unit: re.compile(rf"(?<!\w)({_NUMBER}|{'|'.join(_SPELLED)})\s*[-\u2011]?(?:{words})(?!\w)", re.IGNORECASE)
    for unit, words in _UNITS.items()
}
_before = {
    unit: re.compile(rf"[{mark}]\s?({_NUMBER})") for unit, mark in (("dollars", r"\$"), ("euros", "€"))
}
_named = {
    unit: re.compile(rf"(?<!\w)(?:{words}|{_ASKED.get(unit, words)})(?!\w)", re.IGNORECASE)
    for unit, words in _UNITS.items()
}
_any_unit = re.compile(rf"(?<!\w)(?:{'|'.join(_UNITS.values())})(?!\w)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A figure in a plain spelling ("30000", "7.5"), its unit, and where it stands."""

    figure: str
    unit: str
    start: int
    end: int


def quantities(text: str) -> list[Quantity]:
    """Every quantity in a text, in order."""
    found = [
        Quantity(_plain(match[1]), unit, *match.span())
        for patterns in (_after, _before)
        for unit, pattern in patterns.items()
        for match in pattern.finditer(text)
    ]
    return sorted(found, key=lambda quantity: (quantity.start, quantity.end))


def units_named(text: str) -> frozenset[str]:
    """The units that a question names or asks for: "how long" wants days, months or years."""
    return frozenset(unit for unit, pattern in _named.items() if pattern.search(text))


def without_units(text: str) -> str:
    """A text without the names of units, for comparing what else it speaks of."""
    return _any_unit.sub(" ", text)


def _plain(number: str) -> str:
    if number.lower() in _SPELLED:
        return _SPELLED[number.lower()]
    compact = re.sub(r"[ \u00a0\u202f]", "", number)
    if re.fullmatch(r"\d{1,3}([.,]\d{3})+", compact):
        return re.sub(r"[.,]", "", compact)
    return compact.replace(",", ".")
