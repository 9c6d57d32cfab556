"""Ask without blocking an event loop: the work is done in a thread, and its events are awaited.

answer = await library.aask("What is the general VAT rate in Finland?")
async for event in library.astream("…"):
...
"""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Callable
from typing import Any

from pykala.law.answers import Answer, Stage, Written

Event = Stage | Written | Answer


class Abandoned(Exception):
    """The caller stopped waiting; the work stops at its next stage."""


class Awaitable:
    """Asynchronous methods of a library."""

    ask: Callable[..., Answer]
    turn: threading.Lock

    async def aask(self, question: str, **choices: Any) -> Answer:
        """Answer a question as `ask` does, with the same choices."""
        async for event in self.astream(question, **choices):
            if isinstance(event, Answer):
                answer = event
        return answer

    async def astream(self, question: str, **choices: Any) -> AsyncIterator[Event]:
        """Yield stages as they end, pieces of a draft, and last the answer.

        Questions to one library are answered one after the other. The work stops when the caller stops
        iterating.
        """
        import asyncio  # asyncio takes time to load, and the command line does not need it

        loop = asyncio.get_running_loop()
        heard: asyncio.Queue[Event | BaseException] = asyncio.Queue()
        abandoned = threading.Event()

        def tell(event: Event | BaseException) -> None:
            if abandoned.is_set():
                raise Abandoned
            loop.call_soon_threadsafe(heard.put_nowait, event)

        def listen(event: Event) -> None:
            if not isinstance(event, Answer):  # an interim answer; the final one comes last
                tell(event)

        def work() -> None:
            try:
                with self.turn:
                    tell(self.ask(question, listen=listen, **choices))
            except Abandoned:
                return
            except BaseException as error:
                if not abandoned.is_set():
                    tell(error)

        working = asyncio.create_task(asyncio.to_thread(work))
        try:
            while True:
                event = await heard.get()
                if isinstance(event, BaseException):
                    raise event
                yield event
                if isinstance(event, Answer):
                    return
        finally:
            abandoned.set()
            await asyncio.shield(working)
