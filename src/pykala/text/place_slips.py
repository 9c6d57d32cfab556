"""Slips of one letter in the names of places: "Canda", "finlad", "New Yrok".

A place decides whose law answers, so a slip in its name costs more than one in another word. The names are
few, and a word that is known for itself is left as it is: "Finish" is no slip of Finnish.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pykala.text.slips import WORD, is_name, is_swapped, one_slip_apart

_SHORTEST_NAME = 5  # letters, spaces not counted
_SHORTEST_PART = 3  # letters of a word of a name with several words: "New"

Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Suspect:
    """A word that is one slip away from a word of a place's name."""

    word: str  # in lower case
    meant: str  # as the name has it
    place: str
    start: int
    end: int


class PlaceNames:
    """The names by which questions call places, each with the code of its place."""

    def __init__(self, names: Mapping[str, str]) -> None:
        whole = {name: place for name, place in names.items() if name.replace(" ", "").isalpha()}
        self._names = [
            (tuple(name.split()), tuple(name.lower().split()), place)
            for name, place in whole.items()
            # "canadien" is an ordinary word, and is corrected like one.
            if name != name.lower() and len(name.replace(" ", "")) >= _SHORTEST_NAME
        ]
        self._words = {word for name in names for word in name.lower().split()}

    def suspects(self, question: str, stems: Callable[[str], Sequence[str]]) -> Iterator[Suspect]:
        """Words that may be slips in a name. `stems` gives the stems of a word if they are known."""
        found = list(WORD.finditer(question))
        words = tuple(match[0].lower() for match in found)
        for at, (word, match) in enumerate(zip(words, found, strict=True)):
            if word in self._words or not word.isalpha() or len(word) < _SHORTEST_PART:
                continue
            known = stems(word)
            near = {
                meant: place
                for meant, place in self._near(at, words)
                if not self._is_known(word, meant.lower(), known, is_name(match))
            }
            if len({*near.values()}) == 1:
                meant = min(near, key=lambda one: (not is_swapped(word, one.lower()), -len(one), one))
                yield Suspect(word, meant, near[meant], *match.span())

    def _near(self, at: int, words: Words) -> Iterator[tuple[str, str]]:
        """The words of names that fit at a position and are one slip away, with their places."""
        length = len(words[at])
        for name, lower, place in self._names:
            for part, own in enumerate(lower):
                if abs(len(own) - length) > 1:
                    continue  # more than one slip apart: nearly all names
                first = at - part
                around = (*words[max(first, 0) : at], own, *words[at + 1 : first + len(lower)])
                long_enough = len(lower) == 1 or len(own) >= _SHORTEST_PART
                if long_enough and around == lower and one_slip_apart(words[at], own):
                    yield name[part], place

    def _is_known(self, word: str, meant: str, stems: Sequence[str], named: bool) -> bool:
        """Whether a word stands for itself, or is another form of the name: the Queen, Canadians.

        A stem that is the beginning of the name ("canad", "finl") shows nothing if it is nearly all of it, or
        if the word is written as a name. Otherwise it may be another word: "kanaa" is a form of "kana" (hen).
        """
        if meant == f"{word}s" or word == f"{meant}s":
            return True
        return any(
            not meant.startswith(stem) or stem in self._words or not (named or len(stem) >= len(meant) - 1)
            for stem in stems
        )


def with_places(question: str, suspects: Sequence[Suspect]) -> str:
    """The question with these slips corrected."""
    for one in sorted(suspects, key=lambda one: -one.start):
        question = question[: one.start] + one.meant + question[one.end :]
    return question
