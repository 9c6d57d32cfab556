"""A message as a key and values, until it is printed in a reader's language (`text.phrases.tell`).

Libraries store messages in a plain form, which JSON can hold: the key alone, or the key and its values, where
a day is `{"day": "2020-01-01"}` and a message within a message is a list again.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Final

#: The key of a message that has its own words, in the language of whoever wrote them.
IN_WORDS: Final = "finding.in_words"


@dataclass(frozen=True, slots=True)
class Message:
    """A message: the key of a phrase ("claim.no_day") and the values for its placeholders, by name."""

    key: str
    values: tuple[tuple[str, str | int | date | Message], ...] = ()

    @classmethod
    def of(cls, key: str, /, **values: str | int | date | Message) -> Message:
        """A message with its values; the order in which they are given does not matter."""
        return cls(key, tuple(sorted(values.items())))

    @classmethod
    def in_words(cls, words: str) -> Message:
        """A message in its own words, which every reader is told as they stand."""
        return cls.of(IN_WORDS, words=words)

    def value(self, name: str) -> str | int | date | Message | None:
        """One of its values; None where it has none of this name."""
        return dict(self.values).get(name)

    def plain(self) -> list[object]:
        """The message as plain data, as libraries store it."""
        values = {name: _plain(value) for name, value in self.values}
        return [self.key, values] if values else [self.key]

    @classmethod
    def from_plain(cls, plain: object) -> Message:
        """The message of plain data; ValueError for any other data."""
        match plain:
            case [str(key)]:
                return cls(key)
            case [str(key), dict(values)]:
                return cls.of(key, **{name: _value(value) for name, value in values.items()})
        raise ValueError(f"no message: {plain!r}")


def _plain(value: str | int | date | Message) -> object:
    if isinstance(value, Message):
        return value.plain()
    return {"day": value.isoformat()} if isinstance(value, date) else value


def _value(plain: object) -> str | int | date | Message:
    match plain:
        case str() | int():
            return plain
        case {"day": str(day)}:
            return date.fromisoformat(day)
    return Message.from_plain(plain)
