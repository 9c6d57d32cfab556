"""Parameters and bodies of requests, validated before anything is read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from fastapi import Query, Request
from fastapi.routing import APIRoute
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from pykala.draft.context import BUDGET, SMALLEST_BUDGET
from pykala.interfaces.serving.problems import Problem
from pykala.interfaces.serving.vocabulary import (
    LONGEST_QUESTION,
    Day,
    Jurisdiction,
    Language,
    LongText,
    Words,
)
from pykala.retrieve.conversation import Turn

AsOf = Annotated[Day | None, Query(description="The date whose law counts; today where it is left out.")]
Id = Annotated[
    Words,
    Query(
        description="An identifier or a citation as lawyers write it.",
        examples=["fi:act:1992/1535/sec_124", "TVL 124 §"],
    ),
]
LanguageQuery = Annotated[Language | None, Query(description="In this language where it is held in it.")]
JurisdictionQuery = Annotated[Jurisdiction | None, Query(description="Only this jurisdiction's law.")]


def _of_whole_characters(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ValueError("it holds half of a character; send whole ones") from error
    return text


#: Text of any length without half characters (lone surrogates), which no answer could quote.
WholeText = Annotated[str, AfterValidator(_of_whole_characters)]
_READING = frozenset({"GET", "HEAD"})
ONLINE = (
    "Where the library has no good answer, ask the publishers and try again, where the server allows that."
)


async def refuse_unknown_parameters(request: Request) -> None:  # async: no thread is needed for it
    """Refuse a parameter that a reading route does not have.

    A misspelled filter would let everything through.
    """
    if request.method not in _READING:
        return
    route = request.scope.get("route")
    known = [one.alias for one in route.dependant.query_params] if isinstance(route, APIRoute) else []
    for name in request.query_params:
        if name not in known:
            there = f"it takes: {', '.join(known)}" if known else "it takes none"
            raise Problem("invalid-request", f"{name[:100]!r} is no parameter of {request.url.path}; {there}")


class Before(BaseModel):
    """The previous question, rewritten to stand alone, and the choices made for it."""

    model_config = ConfigDict(extra="forbid")
    question: Words
    as_of: Day | None = None
    language: Language | None = None
    jurisdiction: Jurisdiction | None = None

    @property
    def turn(self) -> Turn:
        """Convert to the library's form."""
        return Turn(self.question, self.language, self.as_of, self.jurisdiction)


After = Annotated[
    Words | Before | None,
    Field(
        description="What the question goes on from (“and in 2013?”): the question before, its `standalone`"
        " form where it has one; or an object with what was fixed for it."
    ),
]


def turn_of(after: str | Before | None) -> Turn | str | None:
    """The previous turn of a conversation, in the library's form."""
    return after.turn if isinstance(after, Before) else after


class Asked(BaseModel):
    """A question."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {
                    "question": "What is the tax rate on capital income above 30 000 euros in Finland?",
                    "as_of": "2026-01-01",
                }
            ]
        },
    )
    question: Words
    as_of: Day | None = None
    language: Language | None = None
    jurisdiction: Jurisdiction | None = None
    after: After = None
    home: Jurisdiction | None = Field(
        default=None,
        description="The reader's own place: its law counts where the question gives no sign of any.",
    )
    draft: bool = Field(
        default=True, description="Let the server's model, where it has one, write the answer."
    )
    second_opinion: bool = Field(
        default=False,
        description="Beside the answer, what the web says, where the server has a service for that: not law,"
        " not checked.",
    )
    online: bool = Field(default=False, description=ONLINE)


class Part(BaseModel):
    """A part of a message; only text is read."""

    model_config = ConfigDict(extra="allow")
    type: str = "text"
    text: WholeText = ""


class Message(BaseModel):
    """A message of a conversation, in OpenAI's shape."""

    model_config = ConfigDict(extra="allow")
    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: WholeText | list[Part] | None = None

    @property
    def words(self) -> str:
        """The text of the message."""
        if isinstance(self.content, list):
            return "\n".join(part.text for part in self.content if part.type in ("text", "input_text"))
        return self.content or ""


def questions_of(messages: Sequence[Message]) -> tuple[str, list[str]]:
    """The question of a conversation (the user's last message) and the user's messages before it.

    The earlier messages tell what "and in 2013?" means. The assistant's answers are left out: their words are
    the law's, not the user's.
    """
    return questions_said([message.words for message in messages if message.role == "user"])


def questions_said(words_of_the_user: Sequence[str]) -> tuple[str, list[str]]:
    """The question and those before it, from the user's messages in order."""
    said = [words.strip() for words in words_of_the_user]
    if not said or not said[-1]:
        raise Problem("invalid-request", "the conversation holds no words of the user; send a question")
    if len(said[-1]) > LONGEST_QUESTION:
        raise Problem("invalid-request", f"a question has at most {LONGEST_QUESTION:,} characters")
    return said[-1], [words for words in said[:-1] if words and len(words) <= LONGEST_QUESTION]


class ContextAsked(BaseModel):
    """A question or a conversation that needs a context block."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [{"question": "How is capital income taxed in Finland?", "budget": 2000}]
        },
    )
    question: Words | None = None
    messages: Annotated[list[Message], Field(max_length=1_000)] = []
    as_of: Day | None = None
    language: Language | None = None
    jurisdiction: Jurisdiction | None = None
    after: After = None
    home: Jurisdiction | None = Field(
        default=None,
        description="The reader's own place: its law counts where the question gives no sign of any.",
    )
    budget: int = Field(default=BUDGET, ge=SMALLEST_BUDGET, le=1_000_000, description="Tokens at most.")
    both_languages: bool = Field(default=False, description="Each text in all its languages.")


class CiteAsked(BaseModel):
    """A text to search for citations."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"text": "See section 7 of the Employment Insurance Act."}]},
    )
    text: LongText
    language: Language | None = None
    jurisdiction: Jurisdiction | None = None
