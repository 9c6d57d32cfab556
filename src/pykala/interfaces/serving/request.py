"""The current request: its identifier, its caller and its question."""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final

LEFT: Final = 499  # the client closed the connection before an answer began


@dataclass(slots=True)
class RequestSeen:
    """The facts about one request that are known so far."""

    id: str
    caller: str = ""  # the name of its key
    refused: str = ""  # the code of the guards' refusal
    question: str = ""
    matter: str = ""  # the matter whose documents it reads beside the law
    answer: object = None  # as sent to the client, to be stored in the matter
    status: int = LEFT
    bytes_in: int = 0
    bytes_out: int = 0
    whole: bool = False


#: The current request; None outside a request.
current: ContextVar[RequestSeen | None] = ContextVar("request", default=None)


#: The matter of the current request; "" for the law alone.
chosen_matter: ContextVar[str] = ContextVar("matter", default="")


def note_question(question: str) -> None:
    """Note the question of the current request; it is logged only if the operator wants that."""
    if (seen := current.get()) is not None:
        seen.question = question


def note_answer(answer: object) -> None:
    """Note the answer of the current request; it is stored if the request belongs to a matter."""
    if (seen := current.get()) is not None:
        seen.answer = answer


def request_id() -> str:
    """The identifier of the current request; "" outside a request."""
    seen = current.get()
    return seen.id if seen is not None else ""
