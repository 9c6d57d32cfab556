"""Messages on the error stream and exit codes; loads no library."""

from __future__ import annotations

import re
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NoReturn

import typer

from pykala.stores.postgres.address import redacted

NOT_UNDERSTOOD, LIBRARY_UNUSABLE, HELD_BACK, UNREACHABLE, INTERRUPTED = 2, 3, 4, 5, 130
#: Escape codes and other controls, marks of text direction, ends of lines, tags, and lone surrogates.
_UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\U000e0000-\U000e007f]"
)


_BREAK = re.compile(r"\s*\n\s*")
#: A command in a message: in quotation marks, or the rest of the line.
_COMMAND = re.compile(r"'pykala [^']*'|(?<=: )pykala .*")
_HELD = "\N{NO-BREAK SPACE}"


class Interrupted(Exception):
    """An interrupt with a message about what was kept; Typer would end silently."""


@contextmanager
def keeping_when_interrupted(kept: Callable[[], str]) -> Iterator[None]:
    """On an interrupt, report what the work so far leaves behind."""
    try:
        yield
    except KeyboardInterrupt as interrupt:
        raise Interrupted(kept()) from interrupt


def fail(message: str, code: int) -> NoReturn:
    """Print one line on the error stream and exit with a code."""
    warn(message)
    raise typer.Exit(code)


def warn(message: str) -> None:
    """Print one line on the error stream and continue."""
    note(f"pykala: {message}")


def note(message: str) -> None:
    """Write one line on the error stream; a terminal gets it broken between words."""
    line = one_line(message)
    sys.stderr.write((_broken(line) if sys.stderr.isatty() else line) + "\n")


def _broken(line: str) -> str:
    """A line for a terminal's width. Commands stay whole, so that they can be copied, and so do addresses."""
    whole = _COMMAND.sub(lambda found: found[0].replace(" ", _HELD), line)
    width = shutil.get_terminal_size().columns
    kept = textwrap.wrap(whole, width, break_long_words=False, break_on_hyphens=False)
    return "\n".join(kept).replace(_HELD, " ")


def one_line(message: str) -> str:
    """A message without line breaks, passwords and control characters."""
    return printable(redacted(_BREAK.sub(" ", message)))


def printable(text: str) -> str:
    """A text for a terminal; control characters become U+FFFD."""
    return _UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text)
