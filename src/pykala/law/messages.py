"""A message as a key and values, until it is printed in a reader's language (`text.phrases.tell`)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class Message:
    """A message: the key of a phrase ("claim.no_day") and the values for its placeholders, by name."""

    key: str
    values: tuple[tuple[str, str | int | date | Message], ...] = ()

    @classmethod
    def of(cls, key: str, /, **values: str | int | date | Message) -> Message:
        """A message with its values."""
        return cls(key, tuple(values.items()))
