"""What to fetch from a publisher, and a forecast before it starts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["EVERYTHING", "FetchOrder", "Forecast"]


@dataclass(frozen=True, slots=True)
class Forecast:
    """The files to fetch: in all, already present, and the size and time of the rest."""

    publisher: str
    files: int
    at_hand: int
    size: int  # bytes of the files to come, by the mean of the publisher's files
    seconds: float  # by the interval between requests

    @property
    def to_come(self) -> int:
        """How many files are still to be requested."""
        return self.files - self.at_hand


def _say_nothing(forecast: Forecast) -> None:
    return None


@dataclass(frozen=True, slots=True)
class FetchOrder:
    """Which works to fetch, from where, and who receives the forecast.

    `words` are parts of titles in any language: works whose title holds none of them are not fetched; no
    words, every work. `address` stands in for the publisher's own, such as a mirror in a closed network.
    What `announce` raises stops the fetch before the first file.
    """

    words: tuple[str, ...] = ()
    address: str = ""
    announce: Callable[[Forecast], None] = _say_nothing

    def wants(self, title: str) -> bool:
        """Whether a title holds one of the words."""
        folded = title.casefold()
        return not self.words or any(word.casefold() in folded for word in self.words)


EVERYTHING = FetchOrder()
