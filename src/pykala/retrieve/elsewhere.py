"""Detect questions about the law of a country without an installed pack.

"What is the tax rate in Germany?" shares every word with a Finnish tax act, which does not answer it. A
country counts where it is the place of the question ("in Germany", "Saksassa", "en Allemagne"). It does not
count where it is only mentioned ("income received from Germany") or where it only says where a person or
thing is: our own law says how a pensioner living in Sweden is taxed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pykala.text.languages.known import derived, language_of

_REACH = 40  # characters before the name of a law


@dataclass(frozen=True, slots=True)
class _Words:
    """A language's names of places, and the words near a place where somebody only lives or works there.

    "Working" and "living" as the subject itself ("the rules on working in Germany") ask for the law of that
    place.
    """

    places: re.Pattern[str]
    before: re.Pattern[str] | None
    behind: re.Pattern[str] | None


@derived
def _words(code: str) -> _Words | None:
    language = language_of(code)
    names = language.pieces("elsewhere.places") if language else ()
    if language is None or not names:
        return None
    before, behind = language.text("elsewhere.somebody_before"), language.text("elsewhere.somebody_behind")
    places = "|".join(map(re.escape, names))
    return _Words(
        re.compile(rf"(?<!\w){language.text('elsewhere.before')}(?P<place>{places})(?!\w)"),
        re.compile(before, re.IGNORECASE) if before else None,
        re.compile(behind, re.IGNORECASE) if behind else None,
    )


def place_elsewhere(text: str, language: str) -> str:
    """The place of a question that lies outside all installed jurisdictions, if any."""
    words = _words(language)
    if words is None:
        return ""
    places = words.places.finditer(text.replace("’", "'"))
    return next((found["place"] for found in places if not _somebody_is_there(found, words)), "")


@derived
def _law(code: str) -> tuple[re.Pattern[str], ...]:
    language = language_of(code)
    return tuple(map(re.compile, language.pieces("elsewhere.law"))) if language else ()


def law_elsewhere(text: str, language: str) -> str:
    """The country whose own law a question names ("Swedish law", "what does Sweden charge"), if any."""
    plain = text.replace("’", "'")
    found = (match for one in _law(language) for match in one.finditer(plain))
    return next((match["place"] for match in found if not _was_made_under(match, language)), "")


@derived
def _made(code: str) -> tuple[re.Pattern[str] | None, re.Pattern[str] | None]:
    language = language_of(code)
    tables = ("elsewhere.made_before", "elsewhere.made_behind")
    before, behind = (language.text(table) if language else "" for table in tables)
    return (
        re.compile(before, re.IGNORECASE) if before else None,
        re.compile(behind, re.IGNORECASE) if behind else None,
    )


def _was_made_under(found: re.Match[str], language: str) -> bool:
    """Whether the law is only that under which something was made: "a marriage entered into under …"."""
    before, behind = _made(language)
    return bool(
        (before and before.search(found.string[max(0, found.start() - _REACH) : found.start()]))
        or (behind and behind.match(found.string, found.end()))
    )


def places_abroad(text: str, language: str) -> tuple[str, ...]:
    """All foreign places that a question names, also those where somebody only lives or works."""
    words = _words(language)
    found = words.places.finditer(text.replace("’", "'")) if words else ()
    return tuple(one["place"] for one in found)


def _somebody_is_there(found: re.Match[str], words: _Words) -> bool:
    """Whether a place only says where somebody lives or works: "a person living in Germany"."""
    return bool(
        (words.before and words.before.search(found.string[: found.start()]))
        or (words.behind and words.behind.match(found.string, found.end()))
    )
