"""Carries out each verb of a library on one state of it, the newest where that is wished for.

Another process may publish a state at any moment. A verb that reads the records twice must find the same law
both times, so a library moves on only between verbs.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import wraps
from typing import Concatenate, Literal, ParamSpec, TypeVar

from pykala.stores.store import Store

Refresh = Literal["auto", "manual"]
Given = ParamSpec("Given")
Result = TypeVar("Result")


class OneState:
    """A store that moves on between verbs, and how many verbs are being carried out on it."""

    def __init__(self, store: Store, refresh: Refresh) -> None:
        self.store = store
        self.refreshing = refresh
        self._under_way = 0
        self._counting = threading.Lock()

    def refresh(self) -> bool:
        """Move to what other processes have published since; whether there was anything. Cheap if not.

        An answer that is under way keeps its state to its end: the library moves on after it.
        """
        with self._counting:
            return self._under_way == 0 and self.store.catch_up()

    def _begin(self) -> None:
        with self._counting:
            if self.refreshing == "auto" and self._under_way == 0:
                self.store.catch_up()
            self._under_way += 1

    def _end(self) -> None:
        with self._counting:
            self._under_way -= 1


Verb = TypeVar("Verb", bound=OneState)


def of_one_state(
    verb: Callable[Concatenate[Verb, Given], Result],
) -> Callable[Concatenate[Verb, Given], Result]:
    """Mark a method whose reads are all of one state."""

    @wraps(verb)
    def carried_out(library: Verb, /, *given: Given.args, **named: Given.kwargs) -> Result:
        library._begin()
        try:
            return verb(library, *given, **named)
        finally:
            library._end()

    return carried_out
