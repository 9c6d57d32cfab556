"""Messages on the error stream and exit codes; loads no library."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NoReturn

import typer

from pykala.stores.postgres.address import redacted

NOT_UNDERSTOOD, LIBRARY_UNUSABLE, HELD_BACK, UNREACHABLE, INTERRUPTED = 2, 3, 4, 5, 130
#: Escape codes and other controls, marks of text direction, and lone surrogates.
_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


_BREAK = re.compile(r"\s*\n\s*")


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
    sys.stderr.write(f"pykala: {one_line(message)}\n")


def one_line(message: str) -> str:
    """A message without line breaks, passwords and control characters."""
    return printable(redacted(_BREAK.sub(" ", message)))


def printable(text: str) -> str:
    """A text for a terminal; control characters become U+FFFD."""
    return _UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text)
