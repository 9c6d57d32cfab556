"""Damaged records raise one kind of error, wherever the damage is found."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, Protocol, TypeVar

from pykala.stores.embedded.database import clear_errors, records_damaged

Reader = TypeVar("Reader", bound="type[Any]")

#: Errors that corrupt rows cause: an unknown kind, a date out of range, a truncated JSON document.
_OF_BAD_ROWS = (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError, AssertionError)


class _Sound(Protocol):
    folder: Path

    def require_sound(self) -> None:
        """Raise the damage that the background check found."""


def guarded(*names: str) -> Callable[[Reader], Reader]:
    """Wrap methods of a store so that unreadable records raise StoreDamaged."""

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
