"""Where the towers' texts come from besides the law: everyday questions, sentences and words.

Everyday questions and sentences lie in one folder (JSON lines), word lists in another (tab-separated, the
parallel archive unpacked), and the paragraphs of the LibreOffice help in a file of their own, each line
[language, text, language, text].
"""

from __future__ import annotations

import argparse
import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from training.pairs import without_copyleft_lists
from training.written_pairs import LANGUAGES

#: A text in a language and the same in another: (language, text, language, text).
Translation = tuple[str, str, str, str]
_WORDNETS = {"wn_fien.tsv": "fi", "wn_fren.tsv": "fr", "wn_sven.tsv": "sv", "wn_gloss.tsv": "fi"}


@dataclass(frozen=True, slots=True)
class Sources:
    """The folders of a run."""

    everyday: Path
    parallel: Path
    manuals: Path
    library: Path
    free: Path | None = None

    @staticmethod
    def ask(parser: argparse.ArgumentParser) -> None:
        """Add what `of` needs to a command."""
        parser.add_argument("--everyday", type=Path, required=True, help="folder of everyday texts")
        parser.add_argument("--parallel", type=Path, required=True, help="folder of word lists and sentences")
        parser.add_argument("--manuals", type=Path, required=True, help="paragraphs of the LibreOffice help")
        parser.add_argument("--library", type=Path, required=True, help="library of the law")
        parser.add_argument("--free", type=Path, help="library read without non-commercial sources")

    @classmethod
    def of(cls, asked: argparse.Namespace) -> Sources:
        """The folders that a command was given."""
        return cls(asked.everyday, asked.parallel, asked.manuals, asked.library, asked.free)

    def records(self) -> sqlite3.Connection:
        """The library, to read from."""
        return opened(self.library)

    def finnish_answers(self) -> Iterator[tuple[str, str]]:
        """Finnish questions, each with a passage that answers it."""
        yield from self._everyday("questions-passages-fi.jsonl")

    def paragraphs(self) -> Iterator[tuple[str, str]]:
        """Paragraphs, questions and answers in Finnish and English."""
        yield from self._everyday("sentences-fi-en.jsonl")

    def tatoeba(self) -> Iterator[Translation]:
        """Everyday sentences; some are said in another way in the same language."""
        yield from map(tuple, self._everyday("sentences-tatoeba.jsonl"))

    def asked_alike(self) -> Iterator[dict[str, str]]:
        """Everyday questions in English, Finnish and Swedish."""
        yield from self._everyday("questions-mkqa.jsonl")

    def french_pages(self) -> Iterator[str]:
        """What French authorities tell people, page by page."""
        for page in self._everyday("pages-fr.jsonl"):
            yield f"{page['title']} {str(page.get('text', ''))[:3000]}"

    def help_texts(self) -> Iterator[Translation]:
        """Paragraphs of a program's help, each with the English one."""
        yield from map(tuple, _json_lines(self.manuals))

    def sentences(self) -> Iterator[Translation]:
        """Sentences translated by people."""
        yield from _translations(self._columns("sent.tsv"))

    def dictionary(self) -> Iterator[Translation]:
        """Words and terms, with the lists that may only be counted, not learned from."""
        yield from _translations(self._columns("dict.tsv"))

    def free_dictionary(self) -> Iterator[Translation]:
        """Words and terms, and what wordnets say is the same word in English."""
        yield from _translations(without_copyleft_lists(self._columns("dict.tsv")))
        for name, language in _WORDNETS.items():
            for row in self._columns(name):
                if len(row) == 2:
                    yield language, row[0].strip('"'), "en", row[1]

    def titles(self, language: str) -> Iterator[str]:
        """Titles and subject headings of libraries, in Finnish or Swedish."""
        for row in self._columns(f"finna-{language}.txt"):
            if len(row) == 3:
                yield row[2]

    def _everyday(self, name: str) -> Iterator[Any]:
        return _json_lines(self.everyday / name)

    def _columns(self, name: str) -> Iterator[list[str]]:
        with (self.parallel / name).open(encoding="utf-8") as file:
            for line in file:
                yield line.rstrip("\n").split("\t")


def opened(library: Path) -> sqlite3.Connection:
    """A library's records, to read from."""
    return sqlite3.connect(f"file:{library / 'library.db'}?mode=ro", uri=True)


def _json_lines(path: Path) -> Iterator[Any]:
    with path.open(encoding="utf-8") as file:
        yield from map(json.loads, file)


def _translations(rows: Iterator[list[str]]) -> Iterator[Translation]:
    for row in rows:
        if len(row) == 4 and row[0] in LANGUAGES and row[1] in LANGUAGES and row[2] and row[3]:
            yield row[0], row[2], row[1], row[3]
