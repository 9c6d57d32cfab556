"""Measure whether a text contains the kind of answer that is asked for: a period, a rate, an authority.

Each kind has its own signs in the languages' files (`[holding]`). The score is between 0 and 1: for "how
long", a period in days scores highest; "without delay" answers too, but scores lower.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final

from pykala.retrieve.kinds import DEADLINE, Kind
from pykala.text.date_phrases import month_names
from pykala.text.languages.known import alternatives, derived, item_letters
from pykala.text.numerals import numerals
from pykala.text.quantities import TIME, quantities

MONEY: Final = frozenset({"euros", "dollars"})
_RATES: Final = frozenset({"percent"})
_FULL, _HALF = 1.0, 0.5


@derived
def _sign(table: str) -> re.Pattern[str]:
    """The words of a table, in all known languages."""
    return _words(alternatives(table))


def _words(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE)


@derived
def _minutes() -> re.Pattern[str]:
    """Times shorter than a day: "two minutes" also answers "how soon"."""
    return re.compile(rf"\w+\s(?:{alternatives('holding.minutes')})(?!\w)", re.IGNORECASE)


@derived
def _single() -> re.Pattern[str]:
    """A unit of time without a number: "vuoden kuluessa" is within one year."""
    return _words(alternatives("holding.single"))


@derived
def _day() -> re.Pattern[str]:
    month = rf"(?:{month_names()})\w{{0,4}}"
    endings = alternatives("periods.day_endings")
    return _words(
        rf"{month}\s\d{{1,2}}(?:,? \d{{4}})?"
        rf"|\d{{1,2}}(?:\.|{endings})?\s(?:{alternatives('holding.day_of')})?{month}"
        rf"|{alternatives('holding.day').replace('{month}', month_names())}"
        r"|\d{1,2}\.\d{1,2}\.\d{4}|\d{4}-\d\d-\d\d"
    )


@derived
def _share() -> re.Pattern[str]:
    return _words(rf"{alternatives('holding.share')}|\d/\d")


@derived
def _items() -> re.Pattern[str]:
    """How the items of a list begin."""
    return re.compile(rf"(?m)^[^\S\n]*(?:\(?(?:[{item_letters()}]{{1,2}}|[ivx]{{1,5}}|\d{{1,3}})[.)])\s")


_OPENS = re.compile(r"[:—–-]\s*$")
_number = re.compile(r"\d")


def holds(kind: Kind, text: str, units: frozenset[str] = frozenset()) -> float:
    """How well a text contains a kind of answer, 0–1; `units` are those that the question names."""
    return _HOLDS[kind](text, units)


def holds_any(kinds: Iterable[Kind], text: str, units: frozenset[str] = frozenset()) -> float:
    """The best score of a text over several kinds."""
    return max((holds(kind, text, units) for kind in kinds), default=0.0)


def _units(text: str) -> set[str]:
    return {quantity.unit for quantity in quantities(text)}


def _period(text: str, units: frozenset[str]) -> float:
    held = _units(text) & TIME
    single = not held and _single().search(text) is not None
    if DEADLINE in units and (held or single):
        return _FULL if _sign("holding.within").search(text) else 0.4
    if held & units or (held and not units & TIME) or single or _minutes().search(text):
        return _FULL
    return 0.8 if held else _HALF if _sign("holding.prompt").search(text) else 0.0


def _date(text: str, units: frozenset[str]) -> float:
    if _day().search(text):
        return _FULL
    if _units(text) & TIME or _single().search(text):
        return 0.7
    return _HALF if _sign("holding.prompt").search(text) else 0.0


def _amount(text: str, units: frozenset[str]) -> float:
    held = _units(text)
    if held & MONEY or (held & units - TIME) or (held & units & TIME and not units & MONEY):
        return _FULL
    if held:
        return 0.8 if held & _RATES else 0.6
    return _HALF if _number.search(text) or next(numerals(text), None) or _share().search(text) else 0.0


def _rate(text: str, units: frozenset[str]) -> float:
    return _FULL if _units(text) & _RATES else 0.8 if _share().search(text) else 0.0


def _list(text: str, units: frozenset[str]) -> float:
    return _FULL if _OPENS.search(text) or len(_items().findall(text)) > 1 else 0.0


def _authority(text: str, units: frozenset[str]) -> float:
    return (
        _FULL
        if _sign("holding.office").search(text)
        else _HALF
        if _sign("holding.person").search(text)
        else 0.0
    )


def _signed(table: str) -> Callable[[str, frozenset[str]], float]:
    return lambda text, units: _FULL if _sign(table).search(text) else 0.0


_HOLDS: Final[dict[Kind, Callable[[str, frozenset[str]], float]]] = {
    Kind.PERIOD: _period,
    Kind.DATE: _date,
    Kind.AMOUNT: _amount,
    Kind.RATE: _rate,
    Kind.AUTHORITY: _authority,
    Kind.PLACE: _signed("holding.somewhere"),
    Kind.DEFINITION: _signed("holding.meaning"),
    Kind.CONDITION: _signed("holding.rule"),
    Kind.PROCEDURE: _signed("holding.steps"),
    Kind.LIST: _list,
}
