"""Detect the jurisdiction of a question from words that do not name it.

Packs say which words are signs of their place ("Kela", "the RCMP", "Brooklyn", "GDPR"), which only hint at
it (dollars, a condo), and which languages are spoken nowhere else. Signs are counted: the place with the
most has the question, and places with as many share it. Hints and a language alone lean: that place's law
comes first, and the other places' law behind it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from pykala.law.authority import OFFICIAL_FROM
from pykala.packs.pack import Pack

#: What a sign counts, and a hint. A language that only one place makes its law in counts as a sign, one of
#: several places less: who asks in French about the GDPR does not ask about Canada.
_SIGN, _HINT, _ITS_LANGUAGE, _SHARED_LANGUAGE = 3, 1, 3, 2


class Ground(StrEnum):
    """What indicates the place of a question."""

    GIVEN = "given"  # the caller said it
    NAMED = "named"  # the question says it
    SIGNS = "signs"
    HINTS = "hints"  # or an act that it cites; only leaning
    LANGUAGE = "language"  # only leaning
    HOME = "home"  # the reader's own setting
    NONE = ""


@dataclass(frozen=True, slots=True)
class Place:
    """The places whose law counts (empty for all), those that are only suggested, and the ground."""

    jurisdictions: tuple[str, ...] = ()
    leaning: tuple[str, ...] = ()
    ground: Ground = Ground.NONE
    words: tuple[str, ...] = ()  # the words that gave it away


def read_place(
    text: str, language: str, packs: Mapping[str, Pack], *, cited: Collection[str] = (), home: str = ""
) -> Place:
    """The place of a question that names none: from its words, its cited acts and its language.

    `cited` are the places of those acts. The reader's `home` counts where the question gives no sign, or
    leans to several places of which it is one, or is in a language of several in which it makes its law.
    """
    read = _read(text, language, packs, cited)
    if home and not read.jurisdictions and _lets_home_decide(read, home, language, packs):
        return Place((home,), (), Ground.HOME)
    return read


def _lets_home_decide(read: Place, home: str, language: str, packs: Mapping[str, Pack]) -> bool:
    if read.ground is Ground.LANGUAGE:
        return home in read.leaning or home in _makers(language, packs)
    return not read.leaning or home in read.leaning


def _read(text: str, language: str, packs: Mapping[str, Pack], cited: Collection[str]) -> Place:
    signs = {code: words_found(pack.facts.signs, text) for code, pack in packs.items()}
    hints = {code: words_found(pack.facts.hints, text) - signs[code] for code, pack in packs.items()}
    speaking = [code for code, pack in packs.items() if language in pack.facts.home_languages]
    spoken = _SHARED_LANGUAGE if len(_makers(language, packs)) > 1 else _ITS_LANGUAGE
    weights = {
        code: _SIGN * (len(signs[code]) + (code in cited))
        + _HINT * len(hints[code])
        + spoken * (code in speaking)
        for code in packs
    }
    most = max(weights.values(), default=0)
    if not most:
        return Place()
    first = tuple(code for code in packs if weights[code] == most)
    words = tuple(sorted({word for code in first for word in signs[code] | hints[code]}))
    if any(signs[code] for code in first):
        return Place(first, (), Ground.SIGNS, words)
    # An act that is cited is looked into, and so is what may refer to it elsewhere: citing only leans.
    leans = Ground.HINTS if words or any(code in cited for code in first) else Ground.LANGUAGE
    return Place((), first, leans, words)


def collections_of(packs: Mapping[str, Pack]) -> tuple[str, ...]:
    """Packs that are not places, such as uploads: they are always searched."""
    return tuple(
        code for code, pack in packs.items() if max(pack.facts.authority.values(), default=0) < OFFICIAL_FROM
    )


def part_with_own_law(text: str, jurisdictions: Collection[str], packs: Mapping[str, Pack]) -> str:
    """The part of a place that a question names and whose own law the place's sources lack: "Alberta"."""
    asked = [pack.facts.own_law for code, pack in packs.items() if not jurisdictions or code in jurisdictions]
    return next((word for words in asked for word in sorted(_as_written(words, text))), "")


def _as_written(words: Sequence[str], text: str) -> set[str]:
    exact, loose = _patterns(tuple(words)) if words else (None, None)
    return {found[0] for pattern in (exact, loose) if pattern for found in pattern.finditer(text)}


def name_of(code: str, language: str, packs: Mapping[str, Pack]) -> str:
    """The name of a place in a language, else in its own, else its code."""
    names = packs[code].facts.names if code in packs else {}
    known = names.get(language) or names.get("en") or next(iter(names.values()), ())
    return known[0] if known else code


def _makers(language: str, packs: Mapping[str, Pack]) -> tuple[str, ...]:
    """The places that make law in a language."""
    beside = collections_of(packs)
    return tuple(
        code
        for code, pack in packs.items()
        if code not in beside and language in {*pack.facts.languages} - {*pack.facts.translations}
    )


def words_found(words: Sequence[str], text: str) -> set[str]:
    """Which of some words stand in a text."""
    return {word.lower() for word in _as_written(words, text.replace("’", "'"))}


@lru_cache(maxsize=64)
def _patterns(words: tuple[str, ...]) -> tuple[re.Pattern[str] | None, re.Pattern[str] | None]:
    """Patterns for words: capitals are case-sensitive (EI, "ei"), the others are not."""
    capitals = [word for word in words if word.isupper()]
    others = [word for word in words if not word.isupper()]
    return _pattern(capitals, 0), _pattern(others, re.IGNORECASE)


def _pattern(words: Sequence[str], how: int) -> re.Pattern[str] | None:
    longest_first = sorted(words, key=lambda word: (-len(word), word))
    return re.compile("|".join(map(_bounded, longest_first)), how) if words else None


def _bounded(word: str) -> str:
    """A pattern for a whole word; a star allows any ending, and a currency sign needs no space."""
    stem, ending = word.removesuffix("*"), r"\w*" if word.endswith("*") else ""
    before = r"(?<!\w)" if re.match(r"\w", stem) else ""
    behind = r"(?!\w)" if re.search(r"\w$", stem) else ""
    return f"{before}{re.escape(stem)}{ending}{'' if ending else behind}"
