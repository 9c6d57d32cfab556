"""A second opinion beside an answer, for every interface; asked for after the law's answer is complete."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from pykala.answer.record import second_opinion_record
from pykala.law.answers import Answer
from pykala.library import Library
from pykala.records.answers import SecondOpinion


def _now() -> datetime:
    return datetime.now(UTC)


def second_opinion_on(
    answer: Answer, library: Library, *, deadline: float | None = None, now: Callable[[], datetime] = _now
) -> SecondOpinion:
    """What the web says about an answer's question, as a record; the answer is unchanged."""
    advice = library.second_opinion(answer.question, spent=answer.cost, deadline=deadline)
    return second_opinion_record(advice, now())
