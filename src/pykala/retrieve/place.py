"""Detect the jurisdiction of a question from words that do not name it.

Packs list the words that are signs of their place ("Kela", "the RCMP", "Brooklyn", "GDPR"), the words that
only hint at it (dollars, a condo), and the languages spoken nowhere else. Signs are counted: the place with
the most signs is chosen, and places with equally many are searched together. Hints or a language alone do not
exclude other places: the hinted place's law comes first, and the law of the others follows.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from pykala.law.authority import OFFICIAL_FROM
from pykala.packs.pack import Pack

#: The weight of a sign and of a hint. A language in which only one place makes law counts as a sign; a
#: language of several places counts less: a French question about the GDPR is not about Canada.
_SIGN, _HINT, _ITS_LANGUAGE, _SHARED_LANGUAGE = 3, 1, 3, 2


class Ground(StrEnum):
    """What indicates the place of a question."""

    GIVEN = "given"  # the caller said it
    NAMED = "named"  # the question says it
    SIGNS = "signs"
    HINTS = "hints"  # or a cited act; does not exclude other places
    LANGUAGE = "language"  # does not exclude other places
    HOME = "home"  # the reader's own setting
    NONE = ""


@dataclass(frozen=True, slots=True)
class Place:
    """The places whose law counts (empty for all), those that are only suggested, and the ground."""

    jurisdictions: tuple[str, ...] = ()
    leaning: tuple[str, ...] = ()
    ground: Ground = Ground.NONE
    words: tuple[str, ...] = ()  # the words that indicate the place


def read_place(
    text: str, language: str, packs: Mapping[str, Pack], *, cited: Collection[str] = (), home: str = ""
) -> Place:
    """The place of a question that names none: from its words, its cited acts and its language.

    `cited` are the places of those acts. The reader's `home` counts in three cases: the question gives no
    sign; it hints at several places and home is one of them; or its language is that of several places' law
    and home is one of those.
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
    # Search the place of a cited act first, but not alone: law of other places may refer to the act.
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


def means_the_whole(text: str, jurisdictions: Collection[str], packs: Mapping[str, Pack]) -> bool:
    """Whether a question means the law of a whole country: "a bank in Alberta" is under federal law."""
    asked = [pack.facts for code, pack in packs.items() if not jurisdictions or code in jurisdictions]
    return any(words_found(words, text) for one in asked for words in (one.of_whole, *one.governs.values()))


def names_the_part(text: str, part: str, packs: Mapping[str, Pack]) -> bool:
    """Whether a text names a part of a place, in any of its forms: "Ahvenanmaalla", "Ahvenanmaan"."""
    words = [word for pack in packs.values() for word in pack.facts.own_law if _as_written([word], part)]
    return bool(_as_written(words, text))


def _as_written(words: Sequence[str], text: str) -> frozenset[str]:
    return _written_in(tuple(words), text) if words else frozenset()


@lru_cache(maxsize=256)  # the same question is looked at several times
def _written_in(words: tuple[str, ...], text: str) -> frozenset[str]:
    return frozenset(found[0] for pattern in _patterns(words) if pattern for found in pattern.finditer(text))


def name_of(code: str, language: str, packs: Mapping[str, Pack]) -> str:
    """The name of a place in a language, else in its own, else its code."""
    names = packs[code].facts.names if code in packs else {}
    known = names.get(language) or names.get("en") or next(iter(names.values()), ())
    return known[0] if known else code


def _makers(language: str, packs: Mapping[str, Pack]) -> tuple[str, ...]:
    """The places whose law is made in a language; a translation does not count."""
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
    return _any_of(capitals, 0), _any_of(others, re.IGNORECASE)


def _any_of(words: Sequence[str], flags: int) -> re.Pattern[str] | None:
    """A pattern for any of some words, the longest first.

    Words that begin with a letter share one check of what stands before them: most places in a text fail it.
    """
    longest_first = sorted(words, key=lambda word: (-len(word), word))
    lettered = [_ended(word) for word in longest_first if re.match(r"\w", word)]
    others = [_ended(word) for word in longest_first if not re.match(r"\w", word)]
    shared = [rf"(?<!\w)(?:{'|'.join(lettered)})"] if lettered else []
    return re.compile("|".join([*shared, *others]), flags) if words else None


def _ended(word: str) -> str:
    """A pattern for a word up to its end; a star allows any ending, and a currency sign needs no space."""
    stem, ending = word.removesuffix("*"), r"\w*" if word.endswith("*") else ""
    behind = r"(?!\w)" if re.search(r"\w$", stem) else ""
    return f"{re.escape(stem)}{ending or behind}"
