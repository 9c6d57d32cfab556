"""Answer questions: as JSON, as a stream of events, or as a context block for another program."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING, Annotated
from uuid import uuid4

from fastapi import APIRouter, Query, Request
from fastapi.responses import JSONResponse, Response

from pykala.answer.record import verification_record
from pykala.draft.context import context_record
from pykala.draft.second_opinion import DEADLINE
from pykala.interfaces.advising import second_opinion_on
from pykala.interfaces.http.describing import events_of, problems
from pykala.interfaces.http.disconnect import KEEP_ALIVE, EventStream, event, run_until_disconnect
from pykala.interfaces.http.requests import Asked, ContextAsked, questions_of, turn_of
from pykala.interfaces.http.shared_state import SharedState
from pykala.interfaces.records.answers import AnswerPage, answer_page
from pykala.interfaces.serving.library_pool import LibraryPool
from pykala.interfaces.serving.problems import problem_of
from pykala.interfaces.serving.progress import Finished, Report, StillWorking, progress_of
from pykala.interfaces.serving.request import note_answer, note_question
from pykala.interfaces.serving.rights import Right, require
from pykala.law.answers import Answer, Stage, Written
from pykala.library import Library
from pykala.records.answers import Context
from pykala.records.answers import Stage as StageRecord

if TYPE_CHECKING:
    from pykala.online import Online

EVENT_STREAM = "text/event-stream"
EVENTS = ("stage", "evidence", "text", "checks", "second_opinion", "done", "error")
_TO_SAY_SO = 2.0  # seconds reserved for sending the answer if the second opinion takes all other time


def routes(state: SharedState) -> APIRouter:
    """The routes for questions."""
    pool, seconds = state.pool, state.options.seconds
    router = APIRouter(tags=["questions"])

    @router.post(
        "/ask",
        response_model=AnswerPage,
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
        work = Answering(asked, seconds, state.publishers() if asked.online else None)
        if stream or EVENT_STREAM in request.headers.get("accept", ""):
            return EventStream(events(pool, work, seconds))
        page = (await run_until_disconnect(request, pool, work, seconds=seconds)).as_json()
        note_answer(page)
        return JSONResponse(page)

    @router.post(
        "/context",
        response_model=Context,
        responses=problems("not-json"),
        summary="The law that bears on a question, as a block for another program's prompt",
    )
    async def context(request: Request, asked: ContextAsked) -> JSONResponse:
        question, earlier = (asked.question, []) if asked.question else questions_of(asked.messages)
        note_question(question)
        after = turn_of(asked.after) or earlier

        def work(library: Library) -> object:
            return context_record(
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

        return await state.read(request, work)

    return router


class Answering:
    """Answers a question on a library thread, and reports each event as (name, data)."""

    def __init__(self, asked: Asked, seconds: float, publishers: Online | None = None) -> None:
        self._asked, self._publishers, self._ends = asked, publishers, monotonic() + seconds

    def __call__(self, library: Library, report: Report) -> AnswerPage:
        """Answer the question."""
        asked = self._asked

        def page(answer: Answer) -> AnswerPage:
            if self._publishers is None:
                return answer_page(answer, library, jurisdiction=asked.jurisdiction)
            with library.with_fetched(self._publishers.folder) as both:
                return answer_page(answer, both, jurisdiction=asked.jurisdiction)

        stood: list[tuple[Answer, AnswerPage]] = []  # the answer before drafting, once it exists

        def listen(reported: Stage | Answer | Written) -> None:
            if isinstance(reported, Stage):
                report(("stage", StageRecord.of(reported)))
            elif isinstance(reported, Written):
                report(("text", {"text": reported.text, "draft": reported.draft}))
            else:
                stood.append((reported, page(reported)))
                report(("evidence", stood[-1][1]))

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
            report(("checks", verification_record(answer.verification, answer.language)))
        record = next((data for one, data in stood if one is answer), None) or page(answer)
        if not asked.second_opinion:
            return record
        # The second opinion may use only the remaining time, so that the law's answer is not lost.
        left = max(min(DEADLINE, self._ends - monotonic() - _TO_SAY_SO), 0.0)
        opinion = second_opinion_on(answer, library, deadline=left)
        report(("second_opinion", opinion))
        return replace(record, second_opinion=opinion)


async def events(pool: LibraryPool, work: Answering, seconds: float) -> AsyncGenerator[bytes, None]:
    """Stream the events of a question; the last is `done` or `error`."""
    progress = progress_of(pool, work, seconds=seconds)
    try:
        async for reported in progress:
            if isinstance(reported, StillWorking):
                yield KEEP_ALIVE
            elif isinstance(reported, Finished):
                page = reported.result.as_json()
                note_answer(page)
                yield event("done", page)
            elif isinstance(reported, tuple):
                yield event(*reported)
    except Exception as error:
        yield event("error", problem_of(error).as_dict())
    finally:
        await progress.aclose()
