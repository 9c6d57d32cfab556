"""Questions that were written, not made by rule, and the sections that answer them.

`questions/written.jsonl` holds, for each section, questions in four languages as people ask them: in
everyday words, each from another side. A section is named by a hash of its letters, for its text is not
ours to keep; the passages that `training.passages` wrote hold it.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from training.asked import Section

QUESTIONS = Path(__file__).parent / "questions" / "written.jsonl"
HELD_OUT = 5  # one section in so many is held out: the engine is calibrated on these
_LETTERS = 150  # of a section, that its name is made of


@dataclass(frozen=True, slots=True)
class Written:
    """A section's name and language, and what was asked of it: (language, text) pairs."""

    section: str
    language: str
    asked: tuple[tuple[str, str], ...]

    @property
    def split(self) -> str:
        """Whether it is trained on."""
        return "development" if int(self.section, 16) % HELD_OUT == 0 else "train"


def name_of(text: str) -> str:
    """A section's name: a hash of its first letters, however it is spaced and punctuated."""
    letters = re.sub(r"\W+", "", text.lower())[:_LETTERS]
    return hashlib.blake2b(letters.encode(), digest_size=8).hexdigest()


def read_written(path: Path = QUESTIONS) -> list[Written]:
    """All questions, by section."""
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [
        Written(row["section"], row["language"], tuple((code, text) for code, text in row["asked"]))
        for row in rows
    ]


def by_name(passages: Sequence[Section]) -> dict[str, list[Section]]:
    """The pieces of each section, in order, by the section's name."""
    sections: dict[tuple[int, str, str], list[Section]] = {}
    for one in passages:
        sections.setdefault((one.section, one.place, one.heading), []).append(one)
    return {name_of(" ".join(one.body for one in pieces)): pieces for pieces in sections.values()}
