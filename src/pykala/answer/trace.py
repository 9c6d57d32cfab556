"""A trace of the stages that made an answer: each with its time and what it counted."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

from pykala.law.answers import Stage


class Trace:
    """Collects stages in the order in which they end."""

    def __init__(self) -> None:
        self._stages: list[Stage] = []

    @contextmanager
    def stage(self, name: str) -> Iterator[dict[str, object]]:
        """Time a stage; what it adds to the dictionary becomes the stage's facts."""
        facts: dict[str, object] = {}
        started = perf_counter()
        yield facts
        self._stages.append(Stage(name, (perf_counter() - started) * 1000, tuple(facts.items())))

    def stages(self) -> tuple[Stage, ...]:
        """All stages so far."""
        return tuple(self._stages)
