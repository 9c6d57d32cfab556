"""Provisions for retrieval frameworks: a text, metadata and a score.

`pykala.langchain`, `pykala.llamaindex` and `pykala.haystack` hand these on in their own shapes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pykala.law.choices import Day, OneOrMany
from pykala.library import Library


class AdapterMissing(ImportError):
    """The framework of an adapter is not installed."""

    def __init__(self, framework: str, extra: str) -> None:
        super().__init__(f"{framework} is not installed; run: pip install 'pykala[{extra}]'", name=extra)


@dataclass(frozen=True, slots=True)
class Retrieved:
    """A provision in force: its text, score and metadata."""

    id: str
    text: str
    score: float
    facts: Mapping[str, Any]


@dataclass(slots=True)
class Retrieval:
    """Options of retrieval; the same as those of `Library.search`."""

    library: Library
    limit: int = 10
    as_of: Day | None = None
    language: OneOrMany = None
    jurisdiction: OneOrMany = None
    kinds: OneOrMany = field(default=None)

    def __call__(self, query: str, *, limit: int | None = None, as_of: Day | None = None) -> list[Retrieved]:
        """The provisions relevant to a query, best first. Threads take turns."""
        if not query.strip():
            return []
        with self.library.turn:
            found = self.library.search(
                query,
                as_of=as_of or self.as_of,
                language=self.language,
                jurisdiction=self.jurisdiction,
                kinds=self.kinds,
                limit=limit or self.limit,
            )
        records = [one.to_dict() for one in found]
        return [
            Retrieved(
                str(one["provision"]),
                str(one["text"]),
                match.match.score,
                {name: value for name, value in one.items() if name != "text"},
            )
            for one, match in zip(records, found, strict=True)
        ]
