"""Run each verb of a library on one published state, by default the newest.

Another process may publish a state at any moment. A verb that reads the records twice must read the same law
both times, so a library changes its state only between verbs.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import wraps
from typing import Concatenate, Literal, ParamSpec, TypeVar

from pykala.stores.store import State, Store

Refresh = Literal["auto", "manual"]
Given = ParamSpec("Given")
Result = TypeVar("Result")


class OneState:
    """A store that changes its state only between verbs, and the number of running verbs."""

    def __init__(self, store: Store, refresh: Refresh) -> None:
        self.store = store
        self.refreshing = refresh
        self._under_way = 0
        self._counting = threading.Lock()
        self._state: State | None = None

    def refresh(self) -> bool:
        """Move to the newest published state; return whether there was one. Cheap if not.

        An answer in progress keeps its state to its end; the library changes its state after that.
        """
        with self._counting:
            return self._under_way == 0 and self._catch_up()

    def renew(self) -> None:
        """Move to the newest published state; if a writer is publishing one, wait for it."""
        with self._counting:
            self._state = None
            self.store.refresh()

    def state(self) -> State | None:
        """The state's facts, read once per state; None while the library is being written."""
        if self.store.writer is not None:
            return None
        if self._state is None:
            self._state = self.store.state()
        return self._state

    def _catch_up(self) -> bool:
        moved = self.store.catch_up()
        self._state = None if moved else self._state
        return moved

    def _begin(self) -> None:
        with self._counting:
            if self.refreshing == "auto" and self._under_way == 0:
                self._catch_up()
            self._under_way += 1

    def _end(self) -> None:
        with self._counting:
            self._under_way -= 1


Verb = TypeVar("Verb", bound=OneState)


def of_one_state(
    verb: Callable[Concatenate[Verb, Given], Result],
) -> Callable[Concatenate[Verb, Given], Result]:
    """Mark a method whose reads must all see one state."""

    @wraps(verb)
    def carried_out(library: Verb, /, *given: Given.args, **named: Given.kwargs) -> Result:
        library._begin()
        try:
            return verb(library, *given, **named)
        finally:
            library._end()

    return carried_out
