"""Provisions for Haystack.

from pykala.haystack import PykalaRetriever
pipeline.add_component("law", PykalaRetriever(pykala.open(), jurisdiction="fi", limit=5))

The choices (date, language, place, kinds) are those of `Library.search`.
"""

from __future__ import annotations

from typing import Any

from pykala.library import Library
from pykala.library.retrieving import AdapterMissing, Retrieval

try:
    from haystack import Document, component
except ModuleNotFoundError as error:
    raise AdapterMissing("haystack-ai", "haystack") from error


@component
class PykalaRetriever:
    """Provisions in force on a date as Haystack's documents."""

    def __init__(self, library: Library, **choices: Any) -> None:
        self._retrieval = Retrieval(library, **choices)

    @component.output_types(documents=list[Document])
    def run(self, query: str, top_k: int | None = None, as_of: str | None = None) -> dict[str, list[Any]]:
        """The provisions that bear on a query; `top_k` and `as_of` go before what was set."""
        found = self._retrieval(query, limit=top_k, as_of=as_of)
        return {
            "documents": [
                Document(id=one.id, content=one.text, meta=dict(one.facts), score=one.score) for one in found
            ]
        }
