"""Reading damaged records ends in one kind of error, whichever line of the store meets the damage first."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, Protocol, TypeVar

from pykala.stores.embedded.database import clear_errors, records_damaged

Reader = TypeVar("Reader", bound="type[Any]")

#: What rows that no writer has written lead to: an unknown kind, a day out of range, half a JSON document.
_OF_BAD_ROWS = (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError, AssertionError)


class _Sound(Protocol):
    folder: Path

    def require_sound(self) -> None:
        """Raise what a check in the background has found."""


def guarded(*names: str) -> Callable[[Reader], Reader]:
    """Let these methods of a store raise StoreDamaged where its records cannot be read or understood."""

    def guard(reader: Reader) -> Reader:
        for name in names:
            setattr(reader, name, _guarded(getattr(reader, name)))
        return reader

    return guard


def _guarded(method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    def read(store: _Sound, *arguments: Any, **named: Any) -> Any:
        store.require_sound()
        with clear_errors(store.folder):
            try:
                return method(store, *arguments, **named)
            except _OF_BAD_ROWS as error:
                raise records_damaged(store.folder, f"{type(error).__name__}: {error}") from error

    return read
