"""A conversation in one of OpenAI's shapes, answered: what the endpoints under /v1 share.

The last words of the user are the question. Where they go on from what was asked before ("and in 2013?"),
those messages say what they mean. The system's message instructs no model here. A model of the list is the
library, or one jurisdiction of it.
"""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from pykala.answer.record import general_json
from pykala.answer.structured import structured_json
from pykala.answer.told import outcome_in_words
from pykala.interfaces.http.desk import Desk
from pykala.interfaces.http.hearing import Ended, Quiet, Tell, hear
from pykala.interfaces.http.observing import note_question
from pykala.interfaces.http.problems import Problem
from pykala.interfaces.http.prose import answer_text, citations_json, sources_text, upload_notice
from pykala.interfaces.http.requests import ONLINE
from pykala.interfaces.http.vocabulary import JURISDICTIONS, Day, Jurisdiction, Language
from pykala.law.answers import Answer, Stage, Written
from pykala.library import Library
from pykala.text.sentences import sentences
from pykala.views.markdown import DraftStream

MODEL = "pykala"
MODELS = (MODEL, *(f"{MODEL}-{code}" for code in JURISDICTIONS))
_ANOTHER_DRAFT = "\n\n---\n\n*The draft above did not hold against the sources; another follows.*\n\n"
_KEY = re.compile(r"\[(L\d{1,4})\]")


class LawAsked(BaseModel):
    """What any of OpenAI's shapes may say besides; what tunes a model has nothing to tune here."""

    model_config = ConfigDict(extra="allow")
    model: Annotated[str, StringConstraints(max_length=100)] = MODEL
    stream: bool | None = False
    as_of: Day | None = Field(default=None, description="The date whose law counts.")
    language: Language | None = None
    jurisdiction: Jurisdiction | None = None
    home: Jurisdiction | None = Field(
        default=None,
        description="The reader's own place: its law counts where the question gives no sign of any.",
    )
    draft: bool = Field(
        default=True, description="Let the server's model, where it has one, write the answer."
    )
    online: bool = Field(default=False, description=ONLINE)

    @property
    def law_of(self) -> str | None:
        """The jurisdiction that was asked for, by itself or as the model."""
        require_model(self.model, MODELS)
        return self.jurisdiction or self.model.removeprefix(MODEL).removeprefix("-") or None


def require_model(name: str, known: Sequence[str]) -> None:
    """Refuse a model that there is not."""
    if name not in known:
        raise Problem("unknown-model", f"there is no model {name!r}; there are: {', '.join(known)}")


class Answering:
    """The work of answering a conversation."""

    def __init__(
        self, asked: LawAsked, questions: tuple[str, list[str]], identifier: str, desk: Desk
    ) -> None:
        self._publishers = desk.publishers() if asked.online else None
        self._asked, self._law_of, self.identifier = asked, asked.law_of, identifier
        self._question, self._earlier = questions
        note_question(self._question)

    def __call__(self, library: Library, tell: Tell) -> Answer:
        """Answer it."""

        def listen(heard: Stage | Answer | Written) -> None:
            tell(heard)

        return library.ask(
            self._question,
            as_of=self._asked.as_of,
            language=self._asked.language,
            jurisdiction=self._law_of,
            identifier=self.identifier,
            listen=listen,
            draft=self._asked.draft,
            after=self._earlier,
            home=self._asked.home,
            online=self._publishers,
        )


@dataclass(frozen=True, slots=True)
class Spoken:
    """The answer, and all that was said of it."""

    answer: Answer
    text: str


async def spoken(desk: Desk, work: Answering) -> AsyncGenerator[str | Quiet | Spoken, None]:
    """An answer as it is said: a draft as it is written, the law's own words by sentence, then `Spoken`."""
    draft, said, words = 0, "", DraftStream()
    stood: Answer | None = None  # before it is drafted
    hearing = hear(desk.room, work, seconds=desk.options.seconds)
    try:
        async for told in hearing:
            if isinstance(told, Quiet):
                yield told
            elif isinstance(told, Answer):
                stood = told
            elif isinstance(told, Written):
                before = _ANOTHER_DRAFT if draft and told.draft != draft else ""
                if not said and stood is not None and stood.from_upload:
                    before = f"**{upload_notice(stood.language)}** "
                piece = f"{before}{words.feed(told.text)}"
                draft, said = told.draft, said + piece
                yield piece
            elif isinstance(told, Ended):
                answer: Answer = told.result
                for piece in (words.end(), *by_sentence(_rest(answer, said))):
                    said += piece
                    if piece:
                        yield piece
                yield Spoken(answer, said)
    finally:
        await hearing.aclose()


def _rest(answer: Answer, said: str) -> str:
    """What is left to say once the answer stands."""
    return f"\n\n{sources_text(answer)}" if answer.writer and said else answer_text(answer)


def by_sentence(text: str) -> Iterator[str]:
    """A text cut before each of its sentences; together the pieces are the text."""
    begins = [0, *(start for start, _ in sentences(text)[1:]), len(text)]
    return (text[start:end] for start, end in pairwise(begins))


def cited_places(content: str, answer: Answer) -> Iterator[tuple[dict[str, int], dict[str, object]]]:
    """Each key in the text that leads to a page: where it stands, and its citation."""
    by_key = {one["key"]: one for one in citations_json(answer) if one["url"]}
    for match in _KEY.finditer(content):
        if (one := by_key.get(match[1])) is not None:
            yield {"start_index": match.start(), "end_index": match.end()}, one


def beside(answer: Answer) -> dict[str, object]:
    """What a client that knows more than OpenAI's shape may use."""
    return {
        "citations": citations_json(answer),
        "structured": structured_json(answer),
        "general": general_json(answer.general) if answer.general else None,
        "standalone": answer.standalone or None,
        "outcome": answer.outcome.value,
        "outcome_text": outcome_in_words(answer),
        "as_of": answer.as_of.isoformat(),
        "language": answer.language,
    }
