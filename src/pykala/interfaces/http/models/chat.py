"""Completions in OpenAI's shape as models."""

from __future__ import annotations

from typing import Literal

from pykala.interfaces.http.models.answers import GeneralGuidanceModel, Quote, StructuredModel
from pykala.interfaces.http.models.describing import Day, Described
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


class ChatChoice(Described):
    """The one choice that there is."""

    index: int
    message: ChatMessage
    finish_reason: Literal["stop"]
    logprobs: None


class Usage(Described):
    """Tokens as the provider reported them; none where no model wrote."""

    prompt_tokens: int
    completion_tokens: int
    total_tokens: int


class ChatCitation(Quote):
    """A citation with the dates of its wording."""

    valid_from: Day | None
    valid_to: Day | None
    as_of: Day


class ChatModel(Described):
    """A completion in OpenAI's shape; `citations`, `outcome`, `as_of` and `language` stand beside it."""

    id: str
    object: Literal["chat.completion"]
    created: int
    model: str
    choices: list[ChatChoice]
    usage: Usage
    citations: list[ChatCitation]
    structured: StructuredModel
    general: GeneralGuidanceModel | None
    standalone: str | None
    outcome: Outcome
    outcome_text: str
    as_of: Day
    language: str


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
