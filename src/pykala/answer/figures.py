"""The figures of a text, for holding a claim against its source: quantities, dates, and bare numbers.

Law spells its figures out ("kuuden kuukauden kuluessa", "within six months"), and a claim about it writes
them in digits, often in another language; so numerals of the four languages are read as the digits they
stand for, and dates as days, whatever their order and typography.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Final

from pykala.text.date_phrases import MONTHS, PHRASES, Meaning
from pykala.text.quantities import quantities

#: Numerals in the forms that stand before a unit: "kuusi kuukautta", "kuuden kuukauden", "kuudessa".
_NUMERALS: Final = {
    word: number
    for number, words in {
        1: "one yksi yhden yhtenä yhdessä ett en un une",
        2: "two kaksi kahden kahta kahdessa kahtena två deux",
        3: "three kolme kolmen kolmea kolmessa kolmena tre trois",
        4: "four neljä neljän neljää neljässä neljänä fyra quatre",
        5: "five viisi viiden viittä viidessä viitenä fem cinq",
        6: "six kuusi kuuden kuutta kuudessa kuutena sex",
        7: "seven seitsemän seitsemää seitsemässä seitsemänä sju sept",
        8: "eight kahdeksan kahdeksaa kahdeksassa åtta huit",
        9: "nine yhdeksän yhdeksää yhdeksässä nio neuf",
        10: "ten kymmenen kymmentä kymmenessä tio dix",
        11: "eleven yksitoista yhdentoista elva onze",
        12: "twelve kaksitoista kahdentoista tolv douze",
        13: "thirteen kolmetoista kolmentoista tretton treize",
        14: "fourteen neljätoista neljäntoista fjorton quatorze",
        15: "fifteen viisitoista viidentoista femton quinze",
        16: "sixteen kuusitoista kuudentoista sexton seize",
        17: "seventeen seitsemäntoista sjutton",
        18: "eighteen kahdeksantoista arton aderton",
        19: "nineteen yhdeksäntoista nitton",
        20: "twenty kaksikymmentä kahdenkymmenen tjugo vingt",
        30: "thirty kolmekymmentä kolmenkymmenen trettio trente",
        40: "forty neljäkymmentä neljänkymmenen fyrtio quarante",
        50: "fifty viisikymmentä viidenkymmenen femtio cinquante",
        60: "sixty kuusikymmentä kuudenkymmenen sextio soixante",
        70: "seventy seitsemänkymmentä seitsemänkymmenen sjuttio",
        80: "eighty kahdeksankymmentä kahdeksankymmenen åttio",
        90: "ninety yhdeksänkymmentä yhdeksänkymmenen nittio",
        100: "hundred sata sadan hundra cent",
    }.items()
    for word in words.split()
}
# "Per cent" and "pour cent" are a unit, not a hundred.
_numeral = re.compile(
    r"(?<!\bper )(?<!\bpour )(?<!\w)"
    rf"(?:one hundred|{'|'.join(sorted(_NUMERALS, key=len, reverse=True))})(?!\w)",
    re.IGNORECASE,
)
_number = re.compile(r"\d{1,3}(?:[ \u00a0\u202f,.]\d{3})+(?![\d])|\d+(?:[.,]\d+)?")
_days = [re.compile(rf"(?<!\w)(?:{phrase})(?!\w)", re.IGNORECASE) for phrase in PHRASES[Meaning.DAY]]
_ZEROS: Final = re.compile(r"(\.\d*?)0+$")
_MONTHS_A_YEAR: Final = 12


@dataclass(frozen=True, slots=True)
class Figures:
    """What a text says in figures: (figure, unit), days, and numbers without a unit of their own."""

    quantities: frozenset[tuple[str, str]]
    days: frozenset[date]
    numbers: frozenset[str]


def figures(text: str, *, spelled: bool = False) -> Figures:
    """The figures of a text; with `spelled`, numerals without a unit count as numbers too.

    A source is read with them and a claim without: "one of the partners" claims no figure.
    """
    days, rest = _without_days(text)
    digits = _in_digits(rest)
    found = frozenset((plain(one.figure), one.unit) for one in quantities(digits))
    return Figures(found, frozenset(days), frozenset(_bare(digits if spelled else rest)))


def plain(number: str) -> str:
    """One spelling of a number: "30 000", "30,000" and "30.000" are 30000, "7,50" is 7.5."""
    compact = re.sub(r"[ \u00a0\u202f]", "", number)
    if re.fullmatch(r"\d{1,3}(?:[.,]\d{3})+", compact):
        compact = re.sub(r"[.,]", "", compact)
    compact = _ZEROS.sub(r"\1", compact.replace(",", ".")).rstrip(".")
    return compact.lstrip("0") or "0"


def in_months(quantity: tuple[str, str]) -> tuple[str, str]:
    """A number of years as months: "seven years" is "84 months"; anything else as it is."""
    figure, unit = quantity
    if unit == "years" and figure.isdigit():
        return str(int(figure) * _MONTHS_A_YEAR), "months"
    return quantity


def _without_days(text: str) -> tuple[list[date], str]:
    """The days that a text names, and the text with spaces where they stood."""
    days = []
    for pattern in _days:
        for match in list(pattern.finditer(text)):
            day = _day(match)
            if day is not None:
                days.append(day)
                # Only the figures go: "before 1 March 2020" names the day, whatever stands before it.
                text = text[: match.start()] + " " * len(match[0]) + text[match.end() :]
    return days, text


def _day(match: re.Match[str]) -> date | None:
    month = match["month"].casefold()
    try:
        return date(int(match["year"]), int(month) if month.isdigit() else MONTHS[month], int(match["day"]))
    except ValueError:
        return None


def _in_digits(text: str) -> str:
    return _numeral.sub(lambda match: str(_NUMERALS.get(match[0].casefold(), 100)), text)


def _bare(text: str) -> Iterator[str]:
    """The numbers that stand in no quantity; the cents of "$30,000.00" are none of their own."""
    taken = [(one.start, one.end) for one in quantities(text)]
    for match in _number.finditer(text):
        cents = text[match.start() - 1 : match.start()] in {".", ","} and not match[0].strip("0")
        if not cents and not any(start <= match.start() < end for start, end in taken):
            yield plain(match[0])
