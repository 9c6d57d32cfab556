"""The Writer protocol: messages in, a stream of text out, and at its end what it used."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

Speaker = Literal["system", "user", "assistant"]


@dataclass(frozen=True, slots=True)
class Message:
    """What one side of a conversation says."""

    speaker: Speaker
    text: str


@dataclass(frozen=True, slots=True)
class Usage:
    """What a call used, as the service reports it. `tokens_in` counts all that was read, cached or not.

    `estimated`: the service reported nothing, so the tokens were estimated here.
    """

    model: str  # as the price table names it: "deepseek/deepseek-flash"
    tokens_in: int
    tokens_out: int
    tokens_cached: int = 0  # of those read, the ones the service had from an earlier call
    stopped_short: bool = False  # the text ended because `most_tokens` was reached
    estimated: bool = False
    charged: float | None = None  # what the service itself says that the call cost, in US dollars


@dataclass(frozen=True, slots=True)
class FellBack:
    """The first model failed and another writes from the start: what came before this counts no more."""

    model: str
    reason: str


#: Whether one JSON object is wanted and nothing else; a JSON schema says which, to servers that heed one.
Structured = bool | Mapping[str, object]
#: What a writer gives: pieces of text, a change of model, and last what was used.
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
