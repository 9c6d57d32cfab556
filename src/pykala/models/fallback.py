"""A model, and another that writes where the first fails."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import closing

from pykala.models.failures import ModelError
from pykala.models.writer import FellBack, Message, Piece, Structured, Usage, Writer


class WriterWithFallback:
    """Writes with the first model; if it fails, the second starts again, and the stream says so."""

    def __init__(self, first: Writer, second: Writer) -> None:
        self._first, self._second = first, second

    @property
    def name(self) -> str:
        """The first model."""
        return self._first.name

    def __repr__(self) -> str:
        return f"WriterWithFallback({self._first!r}, {self._second!r})"

    def write(
        self, messages: Sequence[Message], *, most_tokens: int, structured: Structured = False
    ) -> Generator[Piece, None, None]:
        """Text as it comes, a change of model where there is one, then one Usage."""
        written = False
        try:
            first = self._first.write(messages, most_tokens=most_tokens, structured=structured)
            for piece in _closed_after(first):
                written = written or (isinstance(piece, str) and bool(piece.strip()))
                if isinstance(piece, Usage) and not written:
                    yield piece  # the failed call costs all the same
                    break
                yield piece
            if written:
                return
            reason = f"{self._first.name} wrote nothing"
        except ModelError as error:
            reason = str(error)
        yield FellBack(self._second.name, reason)
        yield from self._second.write(messages, most_tokens=most_tokens, structured=structured)


def _closed_after(pieces: Generator[Piece, None, None]) -> Generator[Piece, None, None]:
    """Close the call as soon as its reader stops, not at the next garbage collection."""
    with closing(pieces):
        yield from pieces
