"""An index of the current document, built once for all the citations that are resolved in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from pykala.law.provisions import Document

Index = TypeVar("Index")


class LastRead(Generic[Index]):
    """Caches one index. Documents compare by value, which is slow; this compares by identity."""

    def __init__(self, make: Callable[[Document], Index]) -> None:
        self._make = make
        self._last: tuple[Document, Index] | None = None

    def of(self, document: Document) -> Index:
        """The index of a document: that of the last one, or a new one."""
        if self._last is None or self._last[0] is not document:
            self._last = (document, self._make(document))
        return self._last[1]
