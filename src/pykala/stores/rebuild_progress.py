"""Say how far the rebuilding of indexes is, and how long it still takes.

Rebuilding the indexes of millions of provisions takes up to hours. Whoever opens a library whose indexes must
be rebuilt first would otherwise see a command that does nothing.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Final

Progress = Callable[[int, int], None]  # steps that are done, and all steps

_FIRST: Final = 2.0  # seconds after which it is said; nobody needs to be told of less
_EACH: Final = 30.0  # seconds from then on
_log = logging.getLogger(__name__)


def unwatched(done: int, total: int) -> None:
    """Progress that nobody asks for."""


@dataclass(slots=True)
class Steps:
    """Counts works as they are written to an index, over all indexes that are written."""

    total: int
    progress: Progress
    done: int = 0

    def advance(self) -> None:
        """One more is written."""
        self.done += 1
        self.progress(self.done, self.total)


class LoggedProgress:
    """Logs the time left as a warning, which programs that do not configure logging show on stderr."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._started = monotonic()
        self._next = _FIRST

    def __call__(self, done: int, total: int) -> None:
        """Say it where it is time to."""
        ran = monotonic() - self._started
        if ran < self._next or not done:
            return
        self._next = ran + _EACH
        _log.warning(
            "The indexes of the library in %s are behind its records or damaged, and are written again first:"
            " %d %% is done after %s, about %s left.",
            self._folder,
            100 * done // max(total, 1),
            _in_words(ran),
            _in_words(ran / done * (total - done)),
        )


def _in_words(seconds: float) -> str:
    """A duration as people say it: "8 seconds", "3 minutes", "2.5 hours"."""
    if seconds < 100:
        return f"{seconds:.0f} seconds"
    return f"{seconds / 60:.0f} minutes" if seconds < 100 * 60 else f"{seconds / 3600:.1f} hours"
