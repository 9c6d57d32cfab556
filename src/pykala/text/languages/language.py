"""A language as data: the words and patterns of one TOML file (docs/languages.md explains every table).

Patterns are those of Python's `re`. The members of a list are alternatives. In a pattern, `{name}` stands for
the piece of that name in the section `pieces`; any other name in braces (`{year}`) is filled in by the code
that reads the table.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from importlib.resources.abc import Traversable
from typing import Final

#: A value of a table: a flag, a number, a text, alternatives, pairs, or texts by name.
Value = bool | int | str | tuple[str, ...] | tuple[tuple[str, ...], ...] | Mapping[str, str]

_CODE: Final = re.compile(r"[a-z]{2,3}")
_PLACEHOLDER: Final = re.compile(r"\{([a-z_]+)\}")
_PIECES: Final = "pieces."
_DEEPEST: Final = 4  # levels of nested pieces
#: Tables whose keys differ from language to language.
_NAMED: Final = frozenset({"quantities.only_before", "quantities.fractions"})


class LanguageRefused(ValueError):
    """A language file that cannot be used, and why."""


@dataclass(frozen=True, slots=True)
class Language:
    """One language. A missing table is empty and matches nothing."""

    code: str
    name: str  # in English: "German"
    tables: Mapping[str, Value] = field(repr=False, default_factory=dict)
    phrases: Traversable | None = field(repr=False, compare=False, default=None)  # the engine's messages

    def flag(self, table: str) -> bool:
        """Whether the language has a property."""
        return self.tables.get(table, False) is True

    def number(self, table: str, otherwise: int) -> int:
        """A number, or another where the language gives none."""
        value = self.tables.get(table)
        return value if isinstance(value, int) and not isinstance(value, bool) else otherwise

    def text(self, table: str) -> str:
        """A single word or pattern; empty where there is none."""
        value = self.tables.get(table, "")
        return value if isinstance(value, str) else "|".join(self.pieces(table))

    def words(self, table: str) -> tuple[str, ...]:
        """A list of words, or a text of words parted by white space."""
        value = self.tables.get(table, ())
        return tuple(value.split()) if isinstance(value, str) else self.pieces(table)

    def pieces(self, table: str) -> tuple[str, ...]:
        """The alternatives of a pattern, in order."""
        value = self.tables.get(table, ())
        if isinstance(value, str):
            return (value,)
        if not isinstance(value, tuple):
            raise TypeError(f"{self.code}: {table} is no list of words")
        return tuple(piece for piece in value if isinstance(piece, str))

    def pairs(self, table: str) -> tuple[tuple[str, str], ...]:
        """Pairs of words: an ending and its replacement."""
        value = self.tables.get(table, ())
        return tuple((pair[0], pair[1]) for pair in value) if isinstance(value, tuple) else ()

    def named(self, table: str) -> Mapping[str, str]:
        """Texts by keys that the language itself defines."""
        value = self.tables.get(table, {})
        return value if isinstance(value, Mapping) else {}

    def rules(self, section: str) -> Iterator[tuple[str, str]]:
        """The tables of a section with their patterns, in the order of the file."""
        for table in self.tables:
            if table.startswith(f"{section}."):
                yield table.rpartition(".")[2], self.text(table)


def read_language(
    text: str, *, known: Collection[str] | None = None, phrases: Traversable | None = None
) -> Language:
    """Read a language file. Raises LanguageRefused where it is none, or has a table that is not `known`."""
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise LanguageRefused(f"a language file that is no TOML: {error}") from error
    code, name = content.pop("code", ""), content.pop("name", "")
    if not isinstance(code, str) or not _CODE.fullmatch(code) or not isinstance(name, str) or not name:
        raise LanguageRefused(
            'a language file begins with its code and its name: code = "de", name = "German"'
        )
    tables = dict(_flat(content, ""))
    if known is not None:
        _refuse_unknown(code, tables, known)
    filled = {table: _filled(value, tables) for table, value in tables.items()}
    return Language(code, name, filled, phrases)


def _flat(content: Mapping[str, object], above: str) -> Iterator[tuple[str, Value]]:
    for key, value in content.items():
        table = f"{above}{key}"
        if isinstance(value, dict) and table not in _NAMED:
            yield from _flat(value, f"{table}.")
        elif isinstance(value, list):
            yield table, tuple(tuple(one) if isinstance(one, list) else str(one) for one in value)  # type: ignore[misc]
        elif isinstance(value, bool | int | str | dict):
            yield table, value
        else:
            raise LanguageRefused(f"{table} is no text, list of texts, number or flag")


def _refuse_unknown(code: str, tables: Mapping[str, Value], known: Collection[str]) -> None:
    for table in tables:
        if table not in known and not table.startswith(_PIECES):
            near = get_close_matches(table, known, n=1)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise LanguageRefused(f"{code}: no table is called {table}{hint} (see docs/languages.md)")


def _filled(value: Value, tables: Mapping[str, Value]) -> Value:
    """A value with the pieces filled in that its patterns name in braces."""
    if isinstance(value, str):
        return _fill(value, tables)
    if isinstance(value, tuple) and value and isinstance(value[0], str):
        return tuple(_fill(str(piece), tables) for piece in value)
    return value


def _fill(pattern: str, tables: Mapping[str, Value], depth: int = 0) -> str:
    if "{" not in pattern or depth > _DEEPEST:
        return pattern

    def meant(found: re.Match[str]) -> str:
        piece = tables.get(f"{_PIECES}{found[1]}")
        if isinstance(piece, tuple):
            piece = "|".join(str(one) for one in piece)
        return _fill(piece, tables, depth + 1) if isinstance(piece, str) else found[0]

    return _PLACEHOLDER.sub(meant, pattern)
