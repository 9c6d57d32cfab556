"""Detect questions about the law of a country without an installed pack.

"What is the tax rate in Germany?" has every word that a Finnish tax act has, and no answer in it. A country
is recognised where it stands as the place of the question ("in Germany", "Saksassa", "en Allemagne"), not
where it is only spoken of ("income received from Germany"), nor where it is where somebody or something in
the question is: how a pensioner living in Sweden is taxed, our own law says.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pykala.text.languages.known import derived, language_of


@dataclass(frozen=True, slots=True)
class _Words:
    """A language's names of places, and the words beside one where somebody only lives or works there.

    "Working" and "living" as a matter of their own ("the rules on working in Germany") ask for the law of
    that place.
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


def places_abroad(text: str, language: str) -> tuple[str, ...]:
    """All such places that a question names, also those where somebody only is."""
    words = _words(language)
    found = words.places.finditer(text.replace("’", "'")) if words else ()
    return tuple(one["place"] for one in found)


def _somebody_is_there(found: re.Match[str], words: _Words) -> bool:
    """Whether a place only says where somebody lives or works: "a person living in Germany"."""
    return bool(
        (words.before and words.before.search(found.string[: found.start()]))
        or (words.behind and words.behind.match(found.string, found.end()))
    )
