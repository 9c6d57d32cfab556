"""The split of a work: most works are for training, some for development, and some for one final test."""

from __future__ import annotations

import hashlib
from typing import Final, Literal

from pykala.law.identifiers import WorkId

Split = Literal["train", "development", "test"]

_SEED: Final = 20261115


def split_of(work: WorkId) -> Split:
    """The split of a work: 90 % train, 5 % development, 5 % test, by a hash of its identifier."""
    drawn = int(hashlib.sha256(f"{_SEED}:{work}".encode()).hexdigest()[:8], 16) % 100
    return "development" if drawn < 5 else "test" if drawn < 10 else "train"
