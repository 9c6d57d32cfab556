"""The known languages: our own four, and those that packs add.

Files are read at first use. Values derived from them (patterns, tables of words) are cached by `derived`
until a pack adds another language.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from string import ascii_lowercase
from typing import Final, TypeVar

from pykala.text.languages.language import Language, read_language

#: Our own languages, in the order in which their patterns are tried.
BUILT_IN: Final = ("en", "fi", "sv", "fr")
#: A pattern that matches nothing, for tables that no language has.
NOTHING: Final = r"(?!)"

_brought: Final[dict[str, Language]] = {}
_phrases: Final[dict[str, tuple[Traversable, ...]]] = {}
_caches: Final[list[Callable[[], None]]] = []
Made = TypeVar("Made", bound=Callable[..., object])


def derived(make: Made) -> Made:
    """Cache what a function derives from the known languages, until a language is added."""
    kept = cache(make)
    _caches.append(kept.cache_clear)
    return kept  # type: ignore[return-value]


def derived_of_text(most: int) -> Callable[[Made], Made]:
    """The same for a function of texts, which are many: the last so many results are cached."""

    def caching(make: Made) -> Made:
        kept = lru_cache(maxsize=most)(make)
        _caches.append(kept.cache_clear)
        return kept  # type: ignore[return-value]

    return caching


@cache
def _own(code: str) -> Language:
    folder = files("pykala.text.languages")
    text = folder.joinpath(f"{code}.toml").read_text(encoding="utf-8")
    return read_language(text, phrases=folder.joinpath("phrases", f"{code}.toml"))


def bring(language: Language) -> Language:
    """Add a pack's language. A language that is already known is not replaced."""
    if language.code not in BUILT_IN and language.code not in _brought:
        _brought[language.code] = language
        _forget_what_was_made()
    return language_of(language.code) or language


def forget(code: str) -> None:
    """Remove a pack's language; our own stay."""
    if _brought.pop(code, None) is not None:
        _forget_what_was_made()


def bring_phrases(code: str, file: Traversable) -> None:
    """Add a pack's phrases in a language that is already known, such as its findings in English."""
    if file not in _phrases.get(code, ()):
        _phrases[code] = (*_phrases.get(code, ()), file)
        _forget_what_was_made()


def forget_phrases(file: Traversable) -> None:
    """Remove a pack's phrases."""
    for code, held in _phrases.items():
        _phrases[code] = tuple(one for one in held if one != file)
    _forget_what_was_made()


def phrases_brought(code: str) -> tuple[Traversable, ...]:
    """The files of phrases that packs added to a language."""
    return _phrases.get(code, ())


def _forget_what_was_made() -> None:
    for clear in _caches:
        clear()


def language_of(code: str) -> Language | None:
    """The language of a code; None for an unknown code."""
    return _own(code) if code in BUILT_IN else _brought.get(code)


def known_tables() -> frozenset[str]:
    """The tables that a language may have: all tables of our own languages."""
    return frozenset(table for code in BUILT_IN for table in _own(code).tables)


def codes() -> tuple[str, ...]:
    """The codes of all known languages: our own first, then those of packs in alphabetical order."""
    return (*BUILT_IN, *sorted(_brought))


def known(among: Iterable[str] | None = None) -> tuple[Language, ...]:
    """All known languages, or the known ones among some codes; each once."""
    wanted = codes() if among is None else dict.fromkeys(among)
    return tuple(language for code in wanted if (language := language_of(code)) is not None)


def own_and(code: str) -> tuple[Language, ...]:
    """Our own languages, and another one behind them."""
    return known((*BUILT_IN, code))


def alternatives(table: str, languages: Iterable[Language] | None = None) -> str:
    """A table of all known languages, or of some, as alternatives of one pattern."""
    chosen = known() if languages is None else languages
    return "|".join(dict.fromkeys(piece for one in chosen for piece in one.pieces(table))) or NOTHING


@derived
def letters() -> str:
    """The small letters of all known languages: a to z, and those that single languages add."""
    further = dict.fromkeys(letter for one in known() for letter in one.text("detection.alphabet"))
    return f"{ascii_lowercase}{''.join(further)}"


def item_letters() -> str:
    """The small letters by which items of a list are named, as a range of a pattern's class: `[a-zåäö]`."""
    further = dict.fromkeys(letter for one in known() for letter in one.text("law.item_letters"))
    return f"a-z{''.join(further)}"


def words(table: str, languages: Iterable[Language] | None = None) -> frozenset[str]:
    """The words of one table of all known languages, or of some."""
    chosen = known() if languages is None else languages
    return frozenset(word for one in chosen for word in one.words(table))
