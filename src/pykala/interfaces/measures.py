"""Measurements of a service: finished requests and questions.

Prometheus (`http/metrics.py`) and OpenTelemetry (`telemetry_metrics.py`) hear the same facts. Words of a
question are not among them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from time import perf_counter
from typing import Final, Protocol

from pykala.law.answers import Answer, Cost
from pykala.retrieve.trace import Heard, Listener, Watcher, both
from pykala.stores.store import Store

#: Outcomes of a question that got no answer: it failed, or its reader left.
FAILED: Final = "FAILED"
CANCELLED: Final = "CANCELLED"
#: Upper bounds in seconds: a look at a provision takes milliseconds, a draft by a model a minute.
SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0)


@dataclass(frozen=True, slots=True)
class RequestEnded:
    """A request that was answered or refused."""

    method: str
    route: str  # its template, such as /v1/models/{model}: never text from a client
    status: int
    seconds: float
    refused: str = ""  # the code of the guards' refusal; "": it was let through


@dataclass(frozen=True, slots=True)
class QuestionEnded:
    """A question that was answered, failed, or whose reader left."""

    outcome: str
    seconds: float
    cost: Cost = field(default_factory=Cost)


class Measures(Protocol):
    """Counts requests and questions."""

    def request_began(self) -> None:
        """Count a request as in flight."""
        ...

    def request_ended(self, ended: RequestEnded) -> None:
        """Count a finished request."""
        ...

    def question_ended(self, ended: QuestionEnded) -> None:
        """Count a question, from whichever interface."""
        ...


def counted(
    watch: Watcher | None, measures: Sequence[Measures], clock: Callable[[], float] = perf_counter
) -> Watcher:
    """Wrap a watcher so that it also reports every question to `measures`."""

    @contextmanager
    def watching(question: str, store: Store) -> Iterator[Listener]:
        began, answers = clock(), list[Answer]()

        def listen(heard: Heard) -> None:
            if isinstance(heard, Answer):
                answers[:] = [heard]

        outcome = ""
        with ExitStack() as stack:
            try:
                other = stack.enter_context(watch(question, store)) if watch is not None else None
                yield both(other, listen) if other is not None else listen
            except Exception:
                outcome = FAILED
                raise
            except BaseException:  # the caller is gone
                outcome = CANCELLED
                raise
            finally:
                ended = question_ended(outcome, answers[-1] if answers else None, clock() - began)
                for one in measures:
                    one.question_ended(ended)

    return watching


def question_ended(failure: str, answer: Answer | None, seconds: float) -> QuestionEnded:
    """Describe how a question ended."""
    if failure or answer is None:
        return QuestionEnded(failure or FAILED, seconds, answer.cost if answer else Cost())
    return QuestionEnded(answer.outcome.value, seconds, answer.cost)
