"""What every engine is given: documents and questions, as JSON lines; standard library only.

A document is one wording of one section in one language, with the days in which it was in force. A question
names the sections that are right and, where it is dated, the day it is asked of.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

NOT_SHOWN = "?"  # the start of a section that is named, but none of whose wordings is shown
DOCUMENTS, QUESTIONS = "documents.jsonl", "questions.jsonl"


@dataclass(frozen=True, slots=True)
class Document:
    """One wording of a section; days as ISO dates, "" where the interval is open."""

    section: str
    language: str
    header: str
    text: str
    start: str
    end: str
    newest: bool

    @property
    def words(self) -> str:
        """What is indexed: where it stands, and what it says."""
        return f"{self.header}\n{self.text}"

    def in_force(self, day: str) -> bool:
        """Whether it was law on a day; ISO dates compare as text."""
        return self.start <= day and (not self.end or day < self.end)


@dataclass(frozen=True, slots=True)
class Question:
    """A question, the sections that answer it, and the day it is asked of ("" where it says nothing)."""

    id: str
    set: str
    question: str
    language: str
    gold: tuple[str, ...]
    as_of: str = ""


@dataclass(frozen=True, slots=True)
class Hit:
    """A wording that an engine returns, best first."""

    section: str
    start: str
    end: str


def write_lines(path: Path, records: Iterable[Document | Question]) -> int:
    """Write records, one a line; how many there were."""
    count = 0
    with path.open("w", encoding="utf-8") as file:
        for record in records:
            file.write(json.dumps(asdict(record), ensure_ascii=False) + "\n")
            count += 1
    return count


def read_documents(folder: Path, *, only_newest: bool = False) -> Iterator[Document]:
    """Documents one at a time: what an engine keeps of them is its own memory."""
    for record in _lines(folder / DOCUMENTS):
        if record["newest"] or not only_newest:
            yield Document(**record)


def read_questions(folder: Path) -> list[Question]:
    """The questions of a folder."""
    return [Question(**{**record, "gold": tuple(record["gold"])}) for record in _lines(folder / QUESTIONS)]


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)
