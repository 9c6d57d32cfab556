"""Write to terminals and pipes safely: text of the law is data, and control characters have no effect."""

from __future__ import annotations

import json
import os
import re
import sys

from rich.console import Console, ConsoleOptions, ConsoleRenderable, RenderableType, RenderHook, RenderResult
from rich.segment import Segment

from pykala.interfaces.exits import NOT_UNDERSTOOD, fail, printable
from pykala.records.record import as_json
from pykala.text.unseen import UNSEEN

_HALVES = re.compile("[\ud800-\udfff]")
#: What a terminal would act on, or would not show where it stands.
_NOT_IN_JSON = re.compile(f"[{UNSEEN}\u2028\u2029\x85\ud800-\udfff]")


def readable(text: str) -> str:
    """Decode an argument; bytes that are not UTF-8 become U+FFFD."""
    return _HALVES.sub("\N{REPLACEMENT CHARACTER}", text)


def piped(most: int) -> str:
    """What is piped in, as text; more characters than that are refused."""
    text = sys.stdin.buffer.read(4 * most + 1).decode("utf-8", "replace")
    require_length(text, most)
    return text


def require_length(text: str, most: int) -> None:
    """Exit with one line where a text is too long."""
    if len(text) > most:
        fail(f"the text has more than {most:,} characters; give it in parts", NOT_UNDERSTOOD)


def json_text(data: object, *, indent: int | None = None) -> str:
    """JSON in the output stream's encoding, without control characters that a terminal would execute."""
    encoding = (getattr(sys.stdout, "encoding", None) or "utf-8").casefold()
    text = json.dumps(as_json(data), ensure_ascii=not encoding.startswith("utf"), indent=indent)
    return _NOT_IN_JSON.sub(lambda found: json.dumps(found[0])[1:-1], text)


def console(*, stderr: bool = False) -> Console:
    """A console without markup: square brackets are text, and control characters have no effect."""
    made = _Console(stderr=stderr, highlight=False, soft_wrap=False, markup=False, emoji=False)
    made.push_render_hook(_Printing())
    return made


class _Console(Console):
    def on_broken_pipe(self) -> None:
        # If the reader of our output, such as head, closes the pipe, that is no error; exit code 1 has
        # another meaning.
        self.quiet = True
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(0)


class _Printing(RenderHook):
    def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
        return [_Printed(renderable) for renderable in renderables]


class _Printed:
    """A renderable with printable text and without trailing spaces."""

    def __init__(self, renderable: RenderableType) -> None:
        self._renderable = renderable

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        line: list[Segment] = []
        for segment in console.render(self._renderable, options):
            if segment.control:
                line.append(segment)
                continue
            *ended, rest = segment.text.split("\n")
            for text in ended:
                yield from _trimmed([*line, Segment(printable(text), segment.style)])
                yield Segment.line()
                line = []
            line.append(Segment(printable(rest), segment.style))
        yield from line  # more text may be printed on the same line


def _trimmed(line: list[Segment]) -> list[Segment]:
    """A line without trailing spaces, which would disturb copying and piping."""
    while line and not line[-1].control:
        *before, last = line
        if kept := last.text.rstrip(" "):
            return [*before, Segment(kept, last.style)]
        line = before
    return line
