"""The progress of long work on a library, as other processes see it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

KEPT_SECONDS: Final = 24 * 3600  # after the last word


@dataclass(frozen=True, slots=True)
class Job:
    """Work in progress or finished; times are seconds since 1970."""

    name: str
    machine: str
    began: float
    told: float
    done: int = 0
    total: int = 0
    ended: str = ""  # "finished" or "failed"; empty while it goes on
    outcome: str = ""  # what came of it, as JSON, or in words why it failed
