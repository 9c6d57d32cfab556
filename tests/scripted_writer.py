"""A writer that writes what a test tells it to, and remembers what it was told."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from pykala.models.failures import ModelError
from pykala.models.writer import FellBack, Message, Piece, Structured, Usage
from pykala.text.tokens import count_tokens

#: What the next call does: its text, in pieces; or pieces of any kind, an error among them.
Script = str | Sequence[Piece | ModelError]


class ScriptedWriter:
    """Plays scripts, one a call; the last is played again."""

    def __init__(self, *scripts: Script, name: str = "ollama/scripted") -> None:
        self._scripts, self._name = list(scripts), name
        self.calls: list[tuple[Message, ...]] = []
        self.limits: list[int] = []
        self.closed = 0

    @property
    def name(self) -> str:
        return self._name

    def write(
        self, messages: Sequence[Message], *, most_tokens: int, structured: Structured = False
    ) -> Generator[Piece, None, None]:
        script = self._scripts[min(len(self.calls), len(self._scripts) - 1)]
        self.calls.append(tuple(messages))
        self.limits.append(most_tokens)
        reported = False
        try:
            pieces: Sequence[Piece | ModelError] = (
                [script[place : place + 7] for place in range(0, len(script), 7)]
                if isinstance(script, str)
                else script
            )
            for piece in pieces:
                if isinstance(piece, ModelError):
                    raise piece
                reported = reported or isinstance(piece, Usage)
                yield piece
            if not reported:
                yield Usage(self._name, sum(count_tokens(one.text) for one in messages), 50)
        finally:
            self.closed += 1


__all__ = ["FellBack", "Script", "ScriptedWriter"]
