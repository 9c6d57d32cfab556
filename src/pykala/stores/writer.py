"""Writer: change a library, for every engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol

from pykala.law.bundles import Bundle
from pykala.law.identifiers import WorkId
from pykala.stores.originals import Originals


class Writer(Protocol):
    """Changes a library, one work per transaction.

    Where an engine lets several writers work side by side, their publications take turns: a batch, and each
    change outside one, waits for its turn and builds on the newest state. So prepare before the batch begins.
    """

    @property
    def takes_turns(self) -> bool:
        """Whether other writers may wait for the end of a batch."""
        return False

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

    def alone_in(self, jurisdiction: str) -> AbstractContextManager[None]:
        """Keep other writers from the law of a jurisdiction within the block; StoreLocked where one is there.

        Whoever reads a source decides by what the library held before: nobody may change that meanwhile. This
        default is for engines that have one writer only.
        """
        return nullcontext()

    def originals(self) -> Originals | None:
        """Where the library keeps the files of uploads; None for its own folder."""
        return None
