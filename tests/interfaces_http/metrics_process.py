"""What a process of a server that serves with others does to its metrics."""

from __future__ import annotations

from multiprocessing.connection import Connection
from multiprocessing.synchronize import Event, Semaphore
from pathlib import Path

from pykala.interfaces.http.metrics import Metrics
from pykala.interfaces.measures import QuestionEnded, RequestEnded


def serve(folder: Path, requests: int, ready: Semaphore, stop: Event) -> None:
    """Answer some requests and a question, and have one more request under way until it is stopped."""
    metrics = Metrics(folder)
    for _ in range(requests):
        metrics.request_began()
        metrics.request_ended(RequestEnded("GET", "/api/v1/ask", 200, 0.2))
    metrics.request_began()
    metrics.question_ended(QuestionEnded("ANSWERED", 0.2))
    ready.release()
    stop.wait(600)


def tell(folder: Path, answer: Connection) -> None:
    """Be scraped."""
    answer.send(Metrics(folder).exposition()[0].decode())
