"""Provisions for LlamaIndex.

from pykala.llamaindex import PykalaRetriever
retriever = PykalaRetriever(pykala.open(), jurisdiction="fi", limit=5)
retriever.retrieve("Who may deduct VAT?")

The choices (date, language, place, kinds) are those of `Library.search`.
"""

from __future__ import annotations

from typing import Any

from pykala.library import Library
from pykala.library.retrieving import AdapterMissing, Retrieval

try:
    from llama_index.core.base.base_retriever import BaseRetriever
    from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode
except ModuleNotFoundError as error:
    raise AdapterMissing("llama-index-core", "llamaindex") from error


class PykalaRetriever(BaseRetriever):
    """Provisions in force on a date as LlamaIndex's nodes."""

    def __init__(self, library: Library, **choices: Any) -> None:
        self._retrieval = Retrieval(library, **choices)
        super().__init__()

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return [
            NodeWithScore(node=TextNode(id_=one.id, text=one.text, metadata=dict(one.facts)), score=one.score)
            for one in self._retrieval(query_bundle.query_str)
        ]
