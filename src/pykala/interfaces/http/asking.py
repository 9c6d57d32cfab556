"""Questions: answered as JSON or as a stream of events, and as a context block for another program."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from time import monotonic
from typing import TYPE_CHECKING, Annotated
from uuid import uuid4

from fastapi import APIRouter, Query, Request
from fastapi.responses import JSONResponse, Response

from pykala.answer.record import verification_json
from pykala.draft.context import context_json
from pykala.draft.second_opinion import DEADLINE
from pykala.interfaces.advising import second_opinion_on
from pykala.interfaces.http.attending import KEEP_ALIVE, EventStream, attend, event
from pykala.interfaces.http.describing import events_of, problems
from pykala.interfaces.http.desk import Desk
from pykala.interfaces.http.hearing import Ended, Quiet, Tell, hear
from pykala.interfaces.http.models import AnswerModel, ContextModel
from pykala.interfaces.http.observing import note_answer, note_question
from pykala.interfaces.http.problems import problem_of
from pykala.interfaces.http.reading_room import ReadingRoom
from pykala.interfaces.http.requests import Asked, ContextAsked, questions_of, turn_of
from pykala.interfaces.http.rights import Right, require
from pykala.interfaces.http.shapes import answer_shape, stage_json
from pykala.law.answers import Answer, Stage, Written
from pykala.library import Library

if TYPE_CHECKING:
    from pykala.online import Online

EVENT_STREAM = "text/event-stream"
EVENTS = ("stage", "evidence", "text", "checks", "second_opinion", "done", "error")
_TO_SAY_SO = 2.0  # seconds that are left to send an answer whose second opinion took all the rest


def routes(desk: Desk) -> APIRouter:
    """The routes of questions."""
    room, seconds = desk.room, desk.options.seconds
    router = APIRouter(tags=["questions"])

    @router.post(
        "/ask",
        response_model=AnswerModel,
        responses=problems("not-json")
        | {
            200: {
                "description": f"The answer, or events: {', '.join(EVENTS)}.",
                "content": events_of(*EVENTS),
            }
        },
        summary="Answer a question about the law in force on a date",
    )
    async def ask(
        request: Request,
        asked: Asked,
        stream: Annotated[bool, Query(description="Answer as server-sent events.")] = False,
    ) -> Response:
        note_question(asked.question)
        if asked.second_opinion:
            require(Right.FETCH)
        work = Answering(asked, seconds, desk.publishers() if asked.online else None)
        if stream or EVENT_STREAM in request.headers.get("accept", ""):
            return EventStream(events(room, work, seconds))
        answer = await attend(request, room, work, seconds=seconds)
        note_answer(answer)
        return JSONResponse(answer)

    @router.post(
        "/context",
        response_model=ContextModel,
        responses=problems("not-json"),
        summary="The law that bears on a question, as a block for another program's prompt",
    )
    async def context(request: Request, asked: ContextAsked) -> JSONResponse:
        question, earlier = (asked.question, []) if asked.question else questions_of(asked.messages)
        note_question(question)
        after = turn_of(asked.after) or earlier

        def work(library: Library) -> object:
            return context_json(
                library.context(
                    question,
                    as_of=asked.as_of,
                    language=asked.language,
                    jurisdiction=asked.jurisdiction,
                    budget=asked.budget,
                    both_languages=asked.both_languages,
                    after=after,
                    home=asked.home,
                )
            )

        return await desk.read(request, work)

    return router


class Answering:
    """The work of answering a question, telling each event on the way as (name, data)."""

    def __init__(self, asked: Asked, seconds: float, publishers: Online | None = None) -> None:
        self._asked, self._publishers, self._ends = asked, publishers, monotonic() + seconds

    def __call__(self, library: Library, tell: Tell) -> dict[str, object]:
        """Answer it."""
        asked = self._asked

        def shape(answer: Answer) -> dict[str, object]:
            if self._publishers is None:
                return answer_shape(answer, library, jurisdiction=asked.jurisdiction)
            with library.with_fetched(self._publishers.folder) as both:
                return answer_shape(answer, both, jurisdiction=asked.jurisdiction)

        stood: list[tuple[Answer, dict[str, object]]] = []  # the answer before any drafting

        def listen(heard: Stage | Answer | Written) -> None:
            if isinstance(heard, Stage):
                tell(("stage", stage_json(heard)))
            elif isinstance(heard, Written):
                tell(("text", {"text": heard.text, "draft": heard.draft}))
            else:
                stood.append((heard, shape(heard)))
                tell(("evidence", stood[-1][1]))

        answer = library.ask(
            asked.question,
            as_of=asked.as_of,
            language=asked.language,
            jurisdiction=asked.jurisdiction,
            identifier=uuid4().hex,
            listen=listen,
            draft=asked.draft,
            after=turn_of(asked.after),
            home=asked.home,
            online=self._publishers,
        )
        if answer.verification is not None:
            tell(("checks", verification_json(answer.verification, answer.language)))
        record = next((data for one, data in stood if one is answer), None) or shape(answer)
        if not asked.second_opinion:
            return record
        # It may take what is left of the time, and no more: the law's answer is not lost to it.
        left = max(min(DEADLINE, self._ends - monotonic() - _TO_SAY_SO), 0.0)
        opinion = second_opinion_on(answer, library, deadline=left)
        tell(("second_opinion", opinion))
        return {**record, "second_opinion": opinion}


async def events(room: ReadingRoom, work: Answering, seconds: float) -> AsyncGenerator[bytes, None]:
    """The events of a question that is being answered; the last is `done` or `error`."""
    hearing = hear(room, work, seconds=seconds)
    try:
        async for told in hearing:
            if isinstance(told, Quiet):
                yield KEEP_ALIVE
            elif isinstance(told, Ended):
                note_answer(told.result)
                yield event("done", told.result)
            elif isinstance(told, tuple):
                yield event(*told)
    except Exception as error:
        yield event("error", problem_of(error).as_dict())
    finally:
        await hearing.aclose()
