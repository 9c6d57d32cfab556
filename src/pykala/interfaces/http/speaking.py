"""Answer a conversation in one of OpenAI's shapes: shared by the endpoints under /v1.

The user's last message is the question. Where it continues earlier ones ("and in 2013?"), those messages
complete it. System messages are ignored: there is no model to instruct. A model name selects the library, or
one jurisdiction of it.
"""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from pykala.interfaces.http.requests import ONLINE
from pykala.interfaces.http.shared_state import SharedState
from pykala.interfaces.records.answers import quotes_of
from pykala.interfaces.serving.problems import Problem
from pykala.interfaces.serving.progress import Finished, Report, StillWorking, progress_of
from pykala.interfaces.serving.request import note_question
from pykala.interfaces.serving.vocabulary import JURISDICTIONS, Day, Jurisdiction, Language
from pykala.law.answers import Answer, Stage, Written
from pykala.library import Library
from pykala.records.answers import DatedQuote
from pykala.text.sentences import sentences
from pykala.views.markdown import DraftStream
from pykala.views.prose import answer_text, sample_notice, sources_text, upload_notice

MODEL = "pykala"
MODELS = (MODEL, *(f"{MODEL}-{code}" for code in JURISDICTIONS))
#: The models of `/v1/embeddings`: for documents, and for questions.
DOCUMENTS, QUESTIONS = EMBEDDERS = (f"{MODEL}-embeddings", f"{MODEL}-embeddings-query")
_ANOTHER_DRAFT = "\n\n---\n\n*The draft above did not hold against the sources; another follows.*\n\n"
_KEY = re.compile(r"\[(L\d{1,4})\]")


class LawAsked(BaseModel):
    """Extra fields that all of OpenAI's shapes accept; sampling options are ignored."""

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
        """The jurisdiction asked for, directly or by the model's name."""
        require_model(self.model, MODELS)
        return self.jurisdiction or self.model.removeprefix(MODEL).removeprefix("-") or None


def require_model(name: str, known: Sequence[str]) -> None:
    """Refuse an unknown model."""
    if name not in known:
        raise Problem("unknown-model", f"there is no model {name!r}; there are: {', '.join(known)}")


class Answering:
    """Answers a conversation on a library thread."""

    def __init__(
        self, asked: LawAsked, questions: tuple[str, list[str]], identifier: str, state: SharedState
    ) -> None:
        self._publishers = state.publishers() if asked.online else None
        self._asked, self._law_of, self.identifier = asked, asked.law_of, identifier
        self._question, self._earlier = questions
        note_question(self._question)

    def __call__(self, library: Library, report: Report) -> Answer:
        """Answer the conversation."""

        def listen(reported: Stage | Answer | Written) -> None:
            report(reported)

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
    """The answer, and the text that was streamed for it."""

    answer: Answer
    text: str


async def spoken(state: SharedState, work: Answering) -> AsyncGenerator[str | StillWorking | Spoken, None]:
    """Stream an answer: a draft as it is written, quoted law by sentence, and last `Spoken`."""
    draft, said, words = 0, "", DraftStream()
    stood: Answer | None = None  # the answer before drafting
    progress = progress_of(state.pool, work, seconds=state.options.seconds)
    try:
        async for event in progress:
            if isinstance(event, StillWorking):
                yield event
            elif isinstance(event, Answer):
                stood = event
            elif isinstance(event, Written):
                before = _ANOTHER_DRAFT if draft and event.draft != draft else ""
                if not said and stood is not None:
                    before = _above(stood)
                piece = f"{before}{words.feed(event.text)}"
                draft, said = event.draft, said + piece
                yield piece
            elif isinstance(event, Finished):
                answer: Answer = event.result
                for piece in (words.end(), *by_sentence(_rest(answer, said))):
                    said += piece
                    if piece:
                        yield piece
                yield Spoken(answer, said)
    finally:
        await progress.aclose()


def _above(answer: Answer) -> str:
    """The text before a draft: that it uses the sample, or a user's own document."""
    notices = "".join(f"{one}\n\n" for one in sample_notice(answer))
    return f"{notices}**{upload_notice(answer.language)}** " if answer.from_upload else notices


def _rest(answer: Answer, said: str) -> str:
    """The text that is still missing once the answer is complete."""
    return f"\n\n{sources_text(answer)}" if answer.writer and said else answer_text(answer)


def by_sentence(text: str) -> Iterator[str]:
    """Split a text before each sentence; joined, the pieces are the text."""
    begins = [0, *(start for start, _ in sentences(text)[1:]), len(text)]
    return (text[start:end] for start, end in pairwise(begins))


def cited_places(content: str, answer: Answer) -> Iterator[tuple[dict[str, Any], DatedQuote]]:
    """Each citation key in the text that links to a page: its position, and the citation."""
    by_key = {one.key: one for one in quotes_of(answer) if one.url}
    for match in _KEY.finditer(content):
        if (one := by_key.get(match[1])) is not None:
            place = {"start_index": match.start(), "end_index": match.end()}
            yield {**place, "url": one.url, "title": one.citation}, one
