"""What the verification of a library found: of a folder, a database or a cluster."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

Progress = Callable[[str], None]


def say_nothing(step: str) -> None:
    """Progress that is not reported."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One difference from what was written."""

    part: str  # such as "database", "records", "edges", "text", "vectors"
    what: str
    mended: bool = False
    next_step: str = ""  # where the library cannot repair itself


@dataclass(slots=True)
class Verification:
    """The checks that were made, their results, and the checks that were not possible."""

    checked: dict[str, int] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    not_covered: list[str] = field(default_factory=list)

    @property
    def is_whole(self) -> bool:
        """Whether no damage is left."""
        return all(one.mended for one in self.findings)

    def damaged(self, *parts: str) -> bool:
        """Whether one of these parts is damaged."""
        return any(one.part in parts for one in self.findings)

    def mended(self, *parts: str) -> None:
        """Mark all findings of these parts as repaired."""
        self.findings = [replace(one, mended=True) if one.part in parts else one for one in self.findings]

    def refer(self, next_step: str, *parts: str) -> None:
        """Name the next step for all findings of these parts."""
        self.findings = [
            replace(one, next_step=next_step) if one.part in parts else one for one in self.findings
        ]
