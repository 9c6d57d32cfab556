"""Renumbering: "jolloin nykyinen 3 momentti siirtyy 4 momentiksi", "varvid 3 mom. blir 4 mom.".

One act got consecutive section numbers: "II osan 1 luvun 5 ja 6 §:n numero 7 ja 8:ksi" (371/2019).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pykala.packs.finland.amendments.enacting_numbers import PendingNumbers
from pykala.packs.finland.amendments.enacting_words import Role, Sort, Token

_STOP = {Sort.VERB, Sort.END, Sort.ACT}


@dataclass(frozen=True, slots=True)
class Move:
    """Numbers of one level, what they become, and where the words end."""

    level: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    end: int


@dataclass(slots=True)
class Moves:
    """The moves after "jolloin", the position after them, and whether they were understood."""

    found: list[Move] = field(default_factory=list)
    at: int = 0
    understood: bool = False


def read_moves(text: str, tokens: Sequence[Token], at: int, swedish: bool) -> Moves:
    """Read from the token after "jolloin" or "varvid" on."""
    moves, numbers = Moves(at=at), PendingNumbers()
    before: list[str] = []
    level = ""
    while moves.at < len(tokens):
        token = tokens[moves.at]
        moves.at += 1
        if token.sort is Sort.NUMBER:
            numbers.add(token)
        elif token.sort is Sort.DASH:
            numbers.dash()
        elif token.sort is Sort.UNIT and _becomes(text, token, swedish and bool(before)):
            moves.found.append(Move(level or token.value, tuple(before), tuple(numbers.take()), token.end))
            before = []
            if not _goes_on(text, tokens, moves.at):
                moves.understood = True
                return moves
        elif token.sort is Sort.UNIT:
            before += numbers.take()
            level = token.value
        elif token.sort in _STOP:
            moves.at -= 1
            break
    return moves


def read_new_numbers(tokens: Sequence[Token], at: int) -> tuple[tuple[str, ...], int]:
    """The numbers after "numero" ("7 ja 8:ksi", "29–36:ksi"), if any, and the place after them."""
    numbers = PendingNumbers()
    while at < len(tokens) and tokens[at].sort in {Sort.NUMBER, Sort.SEPARATOR, Sort.DASH}:
        if tokens[at].sort is Sort.NUMBER:
            numbers.add(tokens[at])
        elif tokens[at].sort is Sort.DASH:
            numbers.dash()
        at += 1
    ends = at < len(tokens) and tokens[at].sort is Sort.WORD and tokens[at].value.startswith(":ksi")
    return (tuple(numbers.take()), at + 1) if ends else ((), at)


def _becomes(text: str, token: Token, after_old_numbers: bool) -> bool:
    """Whether a unit has the new numbers: by its case, or in Swedish after "blir"."""
    blir = after_old_numbers and "blir" in text[max(0, token.start - 40) : token.start]
    return token.role is Role.BECOMES or blir


def _goes_on(text: str, tokens: Sequence[Token], at: int) -> bool:
    """Whether another pair follows: "… 3 momentiksi ja nykyinen 3 momentti siirtyy 5 momentiksi"."""
    ahead = tokens[at : at + 3]
    passed = [token for token in ahead if token.sort is Sort.PASSED]
    return bool(passed) and ahead[0].sort is Sort.SEPARATOR and text[passed[0].start] in "nmä"
