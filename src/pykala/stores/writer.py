"""Writer: change a library, for every engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from pykala.law.bundles import Bundle
from pykala.law.identifiers import WorkId
from pykala.stores.originals import Originals


class Writer(Protocol):
    """Changes a library, one work per transaction."""

    def put(self, bundle: Bundle) -> bool:
        """Store one work in one transaction; False, and nothing written, where it is unchanged."""
        ...

    def refuse(self, item: str, fingerprint: str, reasons: Sequence[tuple[str, str]]) -> None:
        """Record that an item gave no work, and why, so that it is not read again unchanged."""
        ...

    def delete(self, work: WorkId) -> None:
        """Remove a work, its passages and its references; references to it become unresolved."""
        ...

    def record(self, facts: Mapping[str, str]) -> None:
        """Record facts about the library."""
        ...

    def batch(self) -> AbstractContextManager[None]:
        """Publish everything put within the block at its end, at once for readers."""
        ...

    def originals(self) -> Originals | None:
        """Where the library keeps the files of uploads; None for its own folder."""
        return None
