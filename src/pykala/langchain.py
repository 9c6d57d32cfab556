"""Provisions for LangChain.

from pykala.langchain import PykalaRetriever
retriever = PykalaRetriever(library=pykala.open(), jurisdiction="fi", limit=5)
retriever.invoke("Who may deduct VAT?")

The choices (date, language, place, kinds) are those of `Library.search`.
"""

from __future__ import annotations

from typing import Any

from pykala.law.choices import Day
from pykala.library import Library
from pykala.library.retrieving import AdapterMissing, Retrieval

try:
    from langchain_core.callbacks import CallbackManagerForRetrieverRun
    from langchain_core.documents import Document
    from langchain_core.retrievers import BaseRetriever
except ModuleNotFoundError as error:
    raise AdapterMissing("langchain-core", "langchain") from error


class PykalaRetriever(BaseRetriever):
    """Provisions in force on a date as LangChain's documents; their citation and address are metadata."""

    library: Any  # a pykala.Library
    limit: int = 10
    as_of: Day | None = None
    language: str | list[str] | None = None
    jurisdiction: str | list[str] | None = None
    kinds: str | list[str] | None = None

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun
    ) -> list[Document]:
        if not isinstance(self.library, Library):
            raise TypeError("library must be a pykala.Library, such as pykala.open()")
        retrieve = Retrieval(
            self.library, self.limit, self.as_of, self.language, self.jurisdiction, self.kinds
        )
        return [
            Document(id=one.id, page_content=one.text, metadata=dict(one.facts)) for one in retrieve(query)
        ]
