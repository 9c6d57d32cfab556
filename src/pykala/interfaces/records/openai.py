"""Completions, responses and embeddings in OpenAI's shapes, and our additions to them."""

from __future__ import annotations

from typing import Literal

from pykala.answer.in_words import outcome_in_words
from pykala.answer.structured import structured_record
from pykala.interfaces.records.answers import quotes_of
from pykala.law.answers import Answer, Outcome
from pykala.records.answers import DatedQuote, GeneralGuidance, Structured
from pykala.records.record import Day, Identifier, Record


class Beside(Record):
    """What stands beside OpenAI's shape."""

    citations: list[DatedQuote]
    structured: Structured
    general: GeneralGuidance | None
    standalone: str | None
    outcome: Outcome
    outcome_text: str
    as_of: Day
    language: str


def extra_fields(answer: Answer) -> dict[str, object]:
    """The fields of `Beside` that are computed from an answer."""
    return {
        "citations": quotes_of(answer),
        "structured": structured_record(answer),
        "outcome_text": outcome_in_words(answer),
    }


class UrlCitation(Record):
    """Where a key stands in the text, and the page it cites."""

    start_index: int
    end_index: int
    url: str
    title: str


class Annotation(Record):
    """A citation as OpenAI marks it."""

    type: Literal["url_citation"] = "url_citation"
    url_citation: UrlCitation


class ChatMessage(Record):
    """The answer in Markdown, with its keys and sources."""

    role: Literal["assistant"] = "assistant"
    content: str
    refusal: None = None
    annotations: list[Annotation]


class Kept(Record):
    """The same once more, where LangChain keeps it; no probabilities are told."""

    content: None = None
    refusal: None = None
    pykala: Beside


class Choice(Record):
    """The one choice that there is."""

    index: int = 0
    message: ChatMessage
    finish_reason: Literal["stop"] = "stop"
    logprobs: Kept


class Usage(Record):
    """Tokens as the provider reported them; none where no model wrote."""

    prompt_tokens: int
    completion_tokens: int
    total_tokens: int


class Completion(Beside):
    """A completion in OpenAI's shape; `citations`, `outcome`, `as_of` and `language` stand beside it."""

    id: str
    object: Literal["chat.completion"] = "chat.completion"
    created: int
    model: str
    choices: list[Choice]
    usage: Usage


class Model(Record):
    """The library, one jurisdiction of it, or its embedder, as a model."""

    id: str
    object: Literal["model"] = "model"
    created: int = 0
    owned_by: str = "pykala"


class Models(Record):
    """The models."""

    object: Literal["list"] = "list"
    data: list[Model]


class ResponseAnnotation(UrlCitation):
    """A key in the text, the page that it cites, and the provision, quote and dates behind it."""

    type: Literal["url_citation"] = "url_citation"
    key: str
    provision: Identifier
    quote: str
    valid_from: Day | None
    valid_to: Day | None
    as_of: Day


class ResponseText(Record):
    """The answer in Markdown, with its keys and sources."""

    type: Literal["output_text"] = "output_text"
    text: str
    annotations: list[ResponseAnnotation]
    logprobs: tuple[None, ...] = ()


class ResponseMessage(Record):
    """The one message that there is."""

    id: str
    type: Literal["message"] = "message"
    role: Literal["assistant"] = "assistant"
    status: Literal["completed", "in_progress"]
    content: list[ResponseText]


class InputDetails(Record):
    """Of the tokens that were read, those that the provider had kept: it does not say."""

    cached_tokens: int = 0


class OutputDetails(Record):
    """Of the tokens that were written, those nobody sees: it does not say."""

    reasoning_tokens: int = 0


class ResponseUsage(Record):
    """Tokens as the provider reported them; none where no model wrote."""

    input_tokens: int
    input_tokens_details: InputDetails = InputDetails()
    output_tokens: int
    output_tokens_details: OutputDetails = OutputDetails()
    total_tokens: int


class ResponseFrame(Record):
    """What a response in OpenAI's shape says of itself; nothing is stored, and no tool is called."""

    id: str
    object: Literal["response"] = "response"
    created_at: int
    status: Literal["completed", "in_progress"]
    error: None = None
    incomplete_details: None = None
    instructions: str | None
    model: str
    output: list[ResponseMessage]
    parallel_tool_calls: Literal[False] = False
    tool_choice: Literal["none"] = "none"
    tools: tuple[None, ...] = ()
    temperature: None = None
    top_p: None = None
    previous_response_id: None = None
    metadata: dict[str, str]
    usage: ResponseUsage | None = None


class Response(ResponseFrame, Beside):
    """A response in OpenAI's shape; `metadata` has the outcome, and what the caller gave."""


class EmbeddingLine(Record):
    """The vector of one text: numbers, or their bytes (float32, little-endian) in base64."""

    object: Literal["embedding"] = "embedding"
    index: int
    embedding: list[float] | str


class EmbeddingUsage(Record):
    """Tokens, as they are estimated here."""

    prompt_tokens: int
    total_tokens: int


class Embeddings(Record):
    """The vectors of texts, in their order."""

    object: Literal["list"] = "list"
    model: str
    data: list[EmbeddingLine]
    usage: EmbeddingUsage
