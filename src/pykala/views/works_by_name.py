"""Works by words of their names: those whose name fits best come first."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from pykala.law.provisions import Work
from pykala.text.slips import SHORTEST, one_slip_apart

_WORD = re.compile(r"[^\W\d_]+")
Fit = tuple[int, int]  # how well the words fit, and the length of the name; less is better


def folded_names(work: Work) -> tuple[str, ...]:
    """Every name of a work, folded: titles of all languages, abbreviations, its identifier."""
    titles = (title for _, title in (*work.short_titles, *work.titles))
    names = (*titles, *work.abbreviations, *work.aliases, str(work.id))
    return tuple(dict.fromkeys(name.casefold() for name in names if name))


def fit(names: Sequence[str], words: Sequence[str]) -> Fit | None:
    """How well folded words fit a work's folded names; None where the names lack one of them.

    From best to worst: the whole name, its beginning, consecutive words, beginnings of words, parts of words.
    "income tax act" gives the Income Tax Act, then the Income Tax Act, 1948, then an Act to amend the Income
    Tax Act.
    """
    if not words:
        return 0, 0
    everything = " ".join(names)
    if not all(word in everything for word in words):
        return None
    together = r"\s+".join(map(re.escape, words))
    begun = [re.compile(rf"\b{re.escape(word)}") for word in words]
    tests: tuple[Callable[[str], object], ...] = (
        lambda name: re.fullmatch(together, name),
        lambda name: re.match(rf"{together}\b", name),
        lambda name: re.search(rf"\b{together}\b", name),
        lambda name: all(word.search(name) for word in begun),
        lambda name: all(word in name for word in words),
    )
    for rank, passes in enumerate(tests):
        fitting = [len(name) for name in names if passes(name)]
        if fitting:
            return rank, min(fitting)
    return len(tests), len(everything)


def respelled(words: str, works: Iterable[Work]) -> str:
    """The words with slips of one letter corrected by the words of the works' names; empty if none fits."""
    known = {one for work in works for name in folded_names(work) for one in _WORD.findall(name)}
    meant = []
    for word in words.casefold().split():
        if len(word) < SHORTEST or any(word in one for one in known):
            meant.append(word)
            continue
        near = [one for one in known if one_slip_apart(word, one)]
        if len(near) != 1:
            return ""
        meant += near
    spelled = " ".join(meant)
    return spelled if spelled != " ".join(words.casefold().split()) else ""
