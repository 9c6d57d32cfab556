"""A trace of an answer's stages, each with its time and counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from time import perf_counter

from pykala.law.answers import Answer, Stage, StageName, Written
from pykala.stores.store import Store

#: What a listener receives while a question is answered: each stage as it ends, the answer in the law's own
#: words as soon as it exists, and then, where a model drafts, the draft piece by piece. A listener cancels
#: the work by raising an exception, for example when the client has disconnected.
Heard = Stage | Answer | Written
Listener = Callable[[Heard], None]

#: Observes questions, for example for telemetry. It is entered when a library is asked, receives every stage
#: and finally the finished answer, and is left when the question is answered or has failed.
Watcher = Callable[[str, Store], AbstractContextManager[Listener]]


def nobody(heard: Heard) -> None:
    """A listener that ignores everything."""


def both(first: Listener, second: Listener) -> Listener:
    """Combine two listeners."""

    def listen(heard: Heard) -> None:
        first(heard)
        second(heard)

    return listen


class Trace:
    """Collects stages in the order in which they end, and reports each to a listener."""

    def __init__(self, listen: Listener = nobody) -> None:
        self._stages: list[Stage] = []
        self._listen = listen

    @contextmanager
    def stage(self, name: StageName) -> Iterator[dict[str, object]]:
        """Time a stage; entries of the dictionary become the stage's facts."""
        facts: dict[str, object] = {}
        started = perf_counter()
        yield facts
        ended = Stage(name, (perf_counter() - started) * 1000, tuple(facts.items()))
        self._stages.append(ended)
        self._listen(ended)

    def stages(self) -> tuple[Stage, ...]:
        """All stages so far."""
        return tuple(self._stages)
