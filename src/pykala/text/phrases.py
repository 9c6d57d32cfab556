"""What the engine itself says, in the reader's language: notices, caveats, reasons, names of relations.

The law is quoted in its own words; all other text comes from here. A phrase is a line of
`languages/phrases/<language>.toml`, here or in a pack, with placeholders ("{day}"). A phrase with a count has
a singular and a plural form. If a language lacks a phrase, English is used.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from datetime import date
from enum import Enum
from typing import Final

from pykala.law.messages import Message
from pykala.text.languages.known import BUILT_IN, codes, derived, language_of, phrases_brought

#: The languages with phrases; the first is used for readers of any other language.
LANGUAGES: Final = BUILT_IN
Value = str | int | date
#: A phrase, or its forms: "one" and "other".
Phrase = str | Mapping[str, str]


def say(language: str, key: str, /, **values: Value) -> str:
    """A phrase in a language: days as ISO dates, numbers grouped; `count` chooses between its forms."""
    spoken = language if speaks(language) else LANGUAGES[0]
    phrase = _phrase(spoken, key)
    if not isinstance(phrase, str):
        phrase = phrase[_form(values.get("count", 0), spoken)]
    return phrase.format(**{name: _written(value, spoken) for name, value in values.items()})


def tell(language: str, message: Message) -> str:
    """A message in a language.

    A library may hold messages that have no phrase here: of a pack that is not installed, or of a later
    version. They are told by the name of their key, with their values.
    """
    values = {
        name: tell(language, value) if isinstance(value, Message) else value for name, value in message.values
    }
    try:
        return say(language, message.key, **values)
    except KeyError:
        return _without_phrase(language, message.key, values)


def has_phrase(message: Message) -> bool:
    """Whether a message, and every message within it, has a phrase that its values fill."""
    within = [value for _, value in message.values if isinstance(value, Message)]
    values = {name: "" if isinstance(value, Message) else value for name, value in message.values}
    try:
        say(LANGUAGES[0], message.key, **values)
    except KeyError:
        return False
    return all(map(has_phrase, within))


def named(language: str, family: str, member: Enum) -> str:
    """The name of a member of an enumeration: `named("fi", "relation", Relation.CITED)`."""
    return say(language, f"{family}.{member.name.lower()}")


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
    """Every phrase of a language, by its key: "caveat.repealed"; those of packs cannot replace our own."""
    known = language_of(language)
    own = (known.phrases,) if known is not None and known.phrases else ()
    found: dict[str, Phrase] = {}
    for file in (*own, *phrases_brought(language)):
        for family, phrases in tomllib.loads(file.read_text(encoding="utf-8")).items():
            for name, phrase in phrases.items():
                found.setdefault(f"{family}.{name}", phrase)
    return found


def _phrase(language: str, key: str) -> Phrase:
    """The phrase of a key: in the language, else in English, else in any language that has it."""
    held = catalogue(language).get(key)
    others = (catalogue(code) for code in codes())
    return held if held is not None else next((one for one in others if key in one), {})[key]


def _without_phrase(language: str, key: str, values: Mapping[str, Value]) -> str:
    name = key.rpartition(".")[2].replace("_", " ")
    told = ", ".join(f"{which}: {_written(value, language)}" for which, value in values.items())
    return f"{name} ({told})" if told else name


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
