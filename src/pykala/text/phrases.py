"""What the engine itself says, in the reader's language: notices, caveats, reasons, names of relations.

The law is quoted in its own words; all other text comes from here. A phrase is a line of
`languages/phrases/<language>.toml`, here or in the pack that adds the language, with placeholders ("{day}").
A phrase with a count has a singular and a plural form. If a language lacks a phrase, English is used.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from datetime import date
from enum import Enum
from functools import cache
from string import Formatter
from typing import Final

from pykala.law.messages import Message
from pykala.text.languages.known import BUILT_IN, derived, language_of

#: The languages with phrases; the first is used for readers of any other language.
LANGUAGES: Final = BUILT_IN
Value = str | int | date
#: A phrase, or its forms: "one" and "other".
Phrase = str | Mapping[str, str]

_LONGEST: Final = 4_000  # characters of a text that is translated; a longer one is no phrase
#: The pattern of a value in an English phrase: a day, a number, or anything.
_PATTERNS: Final = {
    **dict.fromkeys(("day", "start", "end", "first", "changed", "issued"), r"\d{4}-\d\d-\d\d"),
    "count": r"\d+",
}
#: Values that are phrases themselves: "the act could not be played forward: there is no 5 §".
_WITHIN: Final = {"reason": ("unplayed",)}


def say(language: str, key: str, /, **values: Value) -> str:
    """A phrase in a language: days as ISO dates, numbers grouped; `count` chooses between its forms."""
    spoken = language if speaks(language) else LANGUAGES[0]
    phrase = catalogue(spoken).get(key) or catalogue(LANGUAGES[0])[key]
    if not isinstance(phrase, str):
        phrase = phrase[_form(values.get("count", 0), spoken)]
    return phrase.format(**{name: _written(value, spoken) for name, value in values.items()})


def tell(language: str, message: Message) -> str:
    """A message in a language."""
    values = {
        name: tell(language, value) if isinstance(value, Message) else value for name, value in message.values
    }
    return say(language, message.key, **values)


def named(language: str, family: str, member: Enum) -> str:
    """The name of a member of an enumeration: `named("fi", "relation", Relation.CITED)`."""
    return say(language, f"{family}.{member.name.lower()}")


def retold(language: str, family: str, text: str) -> str:
    """Translate a text that libraries store in English, such as a finding of a source.

    A text that is no English phrase of the family is returned unchanged.
    """
    if language == LANGUAGES[0] or not speaks(language) or len(text) > _LONGEST:
        return text
    for key, pattern in _english(family):
        found = pattern.fullmatch(text)
        if found:
            said = {name: _read(name, value, language) for name, value in found.groupdict().items()}
            return say(language, key, **said)
    return text


def decimal(language: str, figure: str) -> str:
    """A plain figure as a language writes it: "7.5" is "7,5" everywhere but in English."""
    known = language_of(language)
    return figure.replace(".", (known.text("writing.decimal") if known else "") or ".")


def speaks(language: str) -> bool:
    """Whether a language has phrases."""
    known = language_of(language)
    return known is not None and known.phrases is not None


@derived
def catalogue(language: str) -> Mapping[str, Phrase]:
    """Every phrase of a language, by its key: "caveat.repealed"."""
    known = language_of(language)
    text = known.phrases.read_text(encoding="utf-8") if known is not None and known.phrases else ""
    return {
        f"{family}.{name}": phrase
        for family, phrases in tomllib.loads(text).items()
        for name, phrase in phrases.items()
    }


@cache
def _english(family: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The English phrases of a family as patterns that extract their values."""
    return tuple(
        (key, _pattern(form))
        for key, phrase in catalogue(LANGUAGES[0]).items()
        if key.startswith(f"{family}.")
        for form in ([phrase] if isinstance(phrase, str) else phrase.values())
    )


def _pattern(phrase: str) -> re.Pattern[str]:
    parts = (
        re.escape(literal) + (f"(?P<{name}>{_PATTERNS.get(name, '.+')})" if name else "")
        for literal, name, _, _ in Formatter().parse(phrase)
    )
    return re.compile("".join(parts), re.DOTALL)


def _read(name: str, value: str, language: str) -> Value:
    if name == "count":
        return int(value)
    for family in _WITHIN.get(name, ()):
        value = retold(language, family, value)
    return value


def _form(count: Value, language: str) -> str:
    known = language_of(language)
    # French uses the singular for 0, too: "0 acte".
    one_too = count == 0 and known is not None and known.flag("writing.none_is_one")
    return "one" if count == 1 or one_too else "other"


def _written(value: Value, language: str) -> str:
    if isinstance(value, int):
        known = language_of(language)
        return f"{value:,}".replace(",", (known.text("writing.thousands") if known else "") or " ")
    return value if isinstance(value, str) else value.isoformat()
