"""The Writer protocol: messages in, a stream of text out, and at its end the usage."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

Speaker = Literal["system", "user", "assistant"]


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation."""

    speaker: Speaker
    text: str


@dataclass(frozen=True, slots=True)
class Usage:
    """What a call used, as the service reports it. `tokens_in` counts all tokens read, cached or not.

    `estimated`: the service reported nothing, so the tokens were estimated here.
    """

    model: str  # as the price table names it: "deepseek/deepseek-flash"
    tokens_in: int
    tokens_out: int
    tokens_cached: int = 0  # those of the tokens read that the service had cached
    stopped_short: bool = False  # the text ended because `most_tokens` was reached
    estimated: bool = False
    charged: float | None = None  # the cost that the service itself reports, in US dollars


@dataclass(frozen=True, slots=True)
class FellBack:
    """The first model failed and another starts again: ignore all text before this."""

    model: str
    reason: str


#: Whether to ask for one JSON object and nothing else; a JSON schema is passed to servers that support one.
Structured = bool | Mapping[str, object]
#: Items of a writer's stream: pieces of text, a change of model, and last the usage.
Piece = str | Usage | FellBack


class Writer(Protocol):
    """Writes from messages. Closing the iterator stops the call; failures are ModelErrors."""

    @property
    def name(self) -> str:
        """The model, as the price table names it: "deepseek/deepseek-flash"."""
        ...

    def write(
        self, messages: Sequence[Message], *, most_tokens: int, structured: Structured = False
    ) -> Generator[Piece, None, None]:
        """Text as it comes, then one Usage; `structured` asks for one JSON object and nothing else."""
        ...
