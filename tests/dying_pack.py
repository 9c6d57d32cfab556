"""Readers that take their process with them. They are apart from the tests, whose imports no worker needs."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from pathlib import Path

from plain_pack import PlainPack
from pykala.packs.pack import Reading, Snapshot, SourceItem


class DyingPack(PlainPack):
    """A reader that takes its process with it, as running out of memory does."""

    def __init__(self, acts: Sequence[int], marks: Path | None = None) -> None:
        self.acts, self.marks = frozenset(map(str, acts)), marks

    def read(self, item: SourceItem, snapshots: Sequence[Snapshot]) -> Reading:
        number = item.name.rpartition(":")[2]
        if number in self.acts and not (self.marks and self._seen(self.marks / number)):
            end()
        return super().read(item, snapshots)

    @staticmethod
    def _seen(mark: Path) -> bool:
        seen = mark.exists()
        mark.touch()
        return seen


def end(*given: object) -> None:
    """End this process, whatever it was given to do."""
    os.kill(os.getpid(), signal.SIGKILL)
