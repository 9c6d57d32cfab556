"""The languages that are known: four of our own, and those that packs bring.

Files are read when they are first wanted. What is made of them (patterns, tables of words) is cached by
`derived` until a pack brings another language.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from importlib.resources import files
from typing import Final, TypeVar

from pykala.text.languages.language import Language, read_language

#: Our own, in the order in which their patterns are tried.
BUILT_IN: Final = ("en", "fi", "sv", "fr")
#: A pattern that matches nothing: what no language has is not found.
NOTHING: Final = r"(?!)"

_brought: Final[dict[str, Language]] = {}
_caches: Final[list[Callable[[], None]]] = []
Made = TypeVar("Made", bound=Callable[..., object])


def derived(make: Made) -> Made:
    """Cache what a function makes of the known languages, until there is another one."""
    kept = cache(make)
    _caches.append(kept.cache_clear)
    return kept  # type: ignore[return-value]


@cache
def _own(code: str) -> Language:
    folder = files("pykala.text.languages")
    text = folder.joinpath(f"{code}.toml").read_text(encoding="utf-8")
    return read_language(text, phrases=folder.joinpath("phrases", f"{code}.toml"))


def bring(language: Language) -> Language:
    """Make a pack's language known. One that is known already stays as it is."""
    if language.code not in BUILT_IN and language.code not in _brought:
        _brought[language.code] = language
        _forget_what_was_made()
    return language_of(language.code) or language


def forget(code: str) -> None:
    """Make a pack's language unknown again; our own stay."""
    if _brought.pop(code, None) is not None:
        _forget_what_was_made()


def _forget_what_was_made() -> None:
    for clear in _caches:
        clear()


def language_of(code: str) -> Language | None:
    """The language of a code; None where none is known by it."""
    return _own(code) if code in BUILT_IN else _brought.get(code)


def known_tables() -> frozenset[str]:
    """The tables that a language may have: all that one of our own has."""
    return frozenset(table for code in BUILT_IN for table in _own(code).tables)


def codes() -> tuple[str, ...]:
    """The codes of all known languages: our own first, then those of packs in alphabetical order."""
    return (*BUILT_IN, *sorted(_brought))


def known(among: Iterable[str] | None = None) -> tuple[Language, ...]:
    """All known languages, or those known of some codes; each once."""
    wanted = codes() if among is None else dict.fromkeys(among)
    return tuple(language for code in wanted if (language := language_of(code)) is not None)


def own_and(code: str) -> tuple[Language, ...]:
    """Our own languages, and another one behind them."""
    return known((*BUILT_IN, code))


def alternatives(table: str, languages: Iterable[Language] | None = None) -> str:
    """One table of all known languages, or of some, as a piece of one pattern."""
    chosen = known() if languages is None else languages
    return "|".join(dict.fromkeys(piece for one in chosen for piece in one.pieces(table))) or NOTHING


def words(table: str, languages: Iterable[Language] | None = None) -> frozenset[str]:
    """The words of one table of all known languages, or of some."""
    chosen = known() if languages is None else languages
    return frozenset(word for one in chosen for word in one.words(table))
