"""Parse the enacting clause (johtolause) of an amending act into instructions.

"muutetaan tuloverolain (1535/1992) 3 §:n 2 momentti, 5 §:n otsikko ja 1 momentin 3 kohta sekä 7–9 §" are six.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pykala.packs.finland.amendments.enacting_instructions import Instruction, NamedAct
from pykala.packs.finland.amendments.enacting_reader import LEVELS, Reader
from pykala.packs.finland.amendments.enacting_words import Role, Sort, Token, read_tokens

__all__ = ["Clause", "Instruction", "NamedAct", "read_clause", "read_places"]

#: The longest real clause has some 12,000 characters; a longer text is not a clause.
_LONGEST = 60_000
_BETWEEN = {Sort.NUMBER, Sort.SEPARATOR, Sort.DASH, Sort.NEW, Sort.TEMPORARY, Sort.INSTEAD}


@dataclass(frozen=True, slots=True)
class Clause:
    """What a clause says, and the words that were not understood, with their spans."""

    instructions: tuple[Instruction, ...]
    unread: tuple[tuple[int, int, str], ...] = ()

    @property
    def acts(self) -> tuple[NamedAct, ...]:
        """The acts that it changes, in order."""
        return tuple(dict.fromkeys(instruction.act for instruction in self.instructions))


def read_clause(text: str, language: str) -> Clause:
    """Read an enacting clause in Finnish or Swedish."""
    if len(text) > _LONGEST:
        return Clause((), ((0, len(text), text[:80]),))
    reader = Reader(text, _with_roles(read_tokens(text, language)), swedish=language == "sv")
    reader.read()
    return Clause(tuple(reader.instructions), tuple(reader.unread))


def read_places(text: str, language: str) -> tuple[Instruction, ...]:
    """The places that a list names outside a clause: "5 § ja 7 §:n 2 momentti"."""
    tokens = _with_roles(read_tokens(text[:_LONGEST], language))
    reader = Reader(text[:_LONGEST], tokens, "amend", language == "sv")
    reader.read()
    return tuple(reader.instructions)


def _with_roles(tokens: Sequence[Token]) -> list[Token]:
    """A unit leads to a deeper one if numbers of the deeper unit follow it directly: "5 § 2 mom.".

    This is the rule in Swedish, and in Finnish where the ending is missing: "8 a § 1 momentti".
    """
    following = _units_ahead(tokens)
    result = list(tokens)
    for at, token in enumerate(tokens):
        if token.sort is not Sort.UNIT or token.value not in LEVELS or token.role is not Role.TARGET:
            continue
        after = at + 1
        while after < len(tokens) and tokens[after].sort is Sort.PASSED:
            after += 1
        if after < len(tokens) and _is_deeper(tokens, after, token.value, following):
            result[at] = Token(token.sort, token.start, token.end, token.value, Role.LEADS)
    return result


def _units_ahead(tokens: Sequence[Token]) -> list[int]:
    """For each token, where the run of numbers and separators that starts there ends."""
    ahead = [len(tokens)] * (len(tokens) + 1)
    for at in range(len(tokens) - 1, -1, -1):
        ahead[at] = ahead[at + 1] if tokens[at].sort in _BETWEEN else at
    return ahead


def _is_deeper(tokens: Sequence[Token], at: int, level: str, units_ahead: Sequence[int]) -> bool:
    if tokens[at].sort in {Sort.FACET, Sort.WORDING}:
        return True
    if tokens[at].sort is Sort.UNIT and tokens[at].value == "subpara":
        return level == "para"  # "1 punkten underpunkt a"
    at = _past_act(tokens, at)
    first = tokens[at]
    if first.sort in {Sort.SEPARATOR, Sort.INSTEAD}:
        # "till 7 §, sådan den lyder …, ett nytt 3 mom.": but "7 §, 3 mom." goes back to a section before.
        first = next(
            (one for one in tokens[at : at + 4] if one.sort not in {Sort.SEPARATOR, Sort.INSTEAD}), first
        )
        if first.sort is Sort.NUMBER:
            return False
    if first.sort not in {Sort.NUMBER, Sort.NEW, Sort.TEMPORARY}:
        return False
    unit = units_ahead[at]
    if unit >= len(tokens) or tokens[unit].sort is not Sort.UNIT or tokens[unit].value not in LEVELS:
        return False
    return LEVELS.index(tokens[unit].value) > LEVELS.index(level)


def _past_act(tokens: Sequence[Token], at: int) -> int:
    """Where a place stands before its act, "7 § i kanalavgiftslagen (321/1996)", past the act's name."""
    if tokens[at].sort not in {Sort.HERE, Sort.WORD}:
        return at
    named = {Sort.HERE, Sort.WORD, Sort.PASSED, Sort.NUMBER, Sort.SEPARATOR, Sort.DASH, Sort.BACK}
    end, longest = at, min(len(tokens), at + 60)
    while end < longest and tokens[end].sort in named:
        end += 1
    return end + 1 if end + 1 < len(tokens) and tokens[end].sort is Sort.ACT else at
