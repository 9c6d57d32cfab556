"""Numbers in lists and ranges: "35–37, 51 ja 56 §", "8 a–8 d §", "10–12 a §"."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from pykala.packs.finland.amendments.enacting_words import Token
from pykala.packs.finland.spacing import ALPHABET, number_of

_WIDEST = 400


@dataclass(slots=True)
class PendingNumbers:
    """Numbers read before the unit that they belong to."""

    start: int = -1
    _found: list[tuple[str, bool]] = field(default_factory=list)
    _dashed: bool = False

    def __bool__(self) -> bool:
        return bool(self._found)

    def add(self, token: Token) -> None:
        """Take one more number: "33 a", "IV", "b"."""
        if not self._found:
            self.start = token.start
        number = token.value.partition(":")[0].rstrip("-")
        if number[0].isupper():
            number = number_of(number) or number
        self._found.append((number.replace(" ", "").lower(), self._dashed))
        self._dashed = False

    def dash(self) -> None:
        """Take a dash: the number before and the one after it are the ends of a range."""
        self._dashed = bool(self._found)

    def take(self) -> list[str]:
        """Return all numbers, with ranges expanded, and clear the list."""
        numbers = unfolded(self._found)
        self.forget()
        return numbers

    def forget(self) -> None:
        """Leave none."""
        self.start, self._found, self._dashed = -1, [], False


def unfolded(numbers: Iterable[tuple[str, bool]]) -> list[str]:
    """All numbers of a list, each once, with whether a dash led to it."""
    found: list[str] = []
    for number, dashed in numbers:
        if dashed and found:
            found += between(found[-1], number)
            number = completed(found[-1], number)
        found.append(number)
    return list(dict.fromkeys(found[:_WIDEST]))


def completed(first: str, last: str) -> str:
    """The end of a range written short: "8 a–c §" ends at 8c."""
    stem = first.rstrip(ALPHABET)
    return f"{stem}{last}" if last.isalpha() and stem else last


def between(first: str, last: str) -> list[str]:
    """What lies between the ends of a range: "10–12 a" holds 11 and 12, "8 a–8 d" holds 8b and 8c."""
    last = completed(first, last)
    (opening, first_letter), (closing, last_letter) = _parted(first), _parted(last)
    if len(first_letter) > 1 or len(last_letter) > 1:
        return []
    if opening == closing:
        return [f"{opening}{letter}" for letter in _letters_between(first_letter, last_letter)]
    if not (opening.isdecimal() and closing.isdecimal()):
        return []
    inner = range(int(opening) + 1, int(closing) + (1 if last_letter else 0))
    numbers = [str(number) for number in inner] if len(inner) <= _WIDEST else []
    return [*numbers, *(f"{closing}{letter}" for letter in _letters_between("", last_letter))]


def _letters_between(first: str, last: str) -> str:
    """The letters after `first`, or from the beginning, up to `last`; after z come å, ä and ö."""
    start = ALPHABET.find(first) + 1 if first else 0
    return ALPHABET[start : ALPHABET.find(last)] if last in ALPHABET and last else ""


def _parted(number: str) -> tuple[str, str]:
    stem = number.rstrip(ALPHABET)
    return stem, number[len(stem) :]
