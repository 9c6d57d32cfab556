"""Completions, responses and embeddings in OpenAI's shapes as models."""

from __future__ import annotations

from typing import Literal

from pykala.interfaces.http.models.answers import GeneralGuidanceModel, Quote, StructuredModel
from pykala.interfaces.http.models.describing import Day, Described, Identifier
from pykala.law.answers import Outcome


class UrlCitation(Described):
    """Where a key stands in the text, and the page it cites."""

    start_index: int
    end_index: int
    url: str
    title: str


class Annotation(Described):
    """A citation as OpenAI marks it."""

    type: Literal["url_citation"]
    url_citation: UrlCitation


class ChatMessage(Described):
    """The answer in Markdown, with its keys and sources."""

    role: Literal["assistant"]
    content: str
    refusal: None
    annotations: list[Annotation]


class ChatCitation(Quote):
    """A citation with the dates of its wording."""

    valid_from: Day | None
    valid_to: Day | None
    as_of: Day


class ToldBeside(Described):
    """What stands beside OpenAI's shape."""

    citations: list[ChatCitation]
    structured: StructuredModel
    general: GeneralGuidanceModel | None
    standalone: str | None
    outcome: Outcome
    outcome_text: str
    as_of: Day
    language: str


class Kept(Described):
    """The same once more, where LangChain keeps it; no probabilities are told."""

    content: None
    refusal: None
    pykala: ToldBeside


class ChatChoice(Described):
    """The one choice that there is."""

    index: int
    message: ChatMessage
    finish_reason: Literal["stop"]
    logprobs: Kept


class Usage(Described):
    """Tokens as the provider reported them; none where no model wrote."""

    prompt_tokens: int
    completion_tokens: int
    total_tokens: int


class ChatModel(ToldBeside):
    """A completion in OpenAI's shape; `citations`, `outcome`, `as_of` and `language` stand beside it."""

    id: str
    object: Literal["chat.completion"]
    created: int
    model: str
    choices: list[ChatChoice]
    usage: Usage


class ModelLine(Described):
    """The library, or one jurisdiction of it, as a model."""

    id: str
    object: Literal["model"]
    created: int
    owned_by: str


class ModelsModel(Described):
    """The models."""

    object: Literal["list"]
    data: list[ModelLine]


class ResponseAnnotation(Described):
    """A key in the text, the page that it cites, and what the citation contract says of it."""

    type: Literal["url_citation"]
    start_index: int
    end_index: int
    url: str
    title: str
    key: str
    provision: Identifier
    quote: str
    valid_from: Day | None
    valid_to: Day | None
    as_of: Day


class ResponseText(Described):
    """The answer in Markdown, with its keys and sources."""

    type: Literal["output_text"]
    text: str
    annotations: list[ResponseAnnotation]
    logprobs: list[None]


class ResponseMessage(Described):
    """The one message that there is."""

    id: str
    type: Literal["message"]
    role: Literal["assistant"]
    status: Literal["completed", "in_progress"]
    content: list[ResponseText]


class InputDetails(Described):
    """Of the tokens that were read, those that the provider had kept: it does not say."""

    cached_tokens: int


class OutputDetails(Described):
    """Of the tokens that were written, those nobody sees: it does not say."""

    reasoning_tokens: int


class ResponseUsage(Described):
    """Tokens as the provider reported them; none where no model wrote."""

    input_tokens: int
    input_tokens_details: InputDetails
    output_tokens: int
    output_tokens_details: OutputDetails
    total_tokens: int


class ResponseModel(ToldBeside):
    """A response in OpenAI's shape; `metadata` has the outcome, and what the caller gave."""

    id: str
    object: Literal["response"]
    created_at: int
    status: Literal["completed"]
    error: None
    incomplete_details: None
    instructions: str | None
    model: str
    output: list[ResponseMessage]
    parallel_tool_calls: bool
    tool_choice: Literal["none"]
    tools: list[None]
    temperature: None
    top_p: None
    previous_response_id: None
    metadata: dict[str, str]
    usage: ResponseUsage


class EmbeddingLine(Described):
    """The vector of one text: numbers, or their bytes (float32, little-endian) in base64."""

    object: Literal["embedding"]
    index: int
    embedding: list[float] | str


class EmbeddingUsage(Described):
    """Tokens, as they are estimated here."""

    prompt_tokens: int
    total_tokens: int


class EmbeddingsModel(Described):
    """The vectors of texts, in their order."""

    object: Literal["list"]
    model: str
    data: list[EmbeddingLine]
    usage: EmbeddingUsage
