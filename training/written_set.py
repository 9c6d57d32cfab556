"""The written questions that nothing was trained on, as a question set for a library of their sections.

    python -m training.written_set LIBRARY --passages fi.json.xz [--passages …] --out written.jsonl

`pykala calibrate SET=LIBRARY… --beside written.jsonl=LIBRARY` learns from it what a right answer looks like.
Sections are found by their letters: labels, numbers and headings within them are set otherwise in a library
than in the passages that the questions were written of.
"""

from __future__ import annotations

import argparse
import json
import lzma
import re
import sqlite3
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from pykala.stores.embedded.rows import provision_id
from training.asked import Section
from training.written import by_name, read_written

_LETTERS = 90
_LABELS = re.compile(r"\[[^\]\n]{0,120}\]|\(\w{1,5}\)|\b\w{1,3}\)|^\s*\w{1,3}\.\s")
_OTHER_THAN_LETTERS = re.compile(r"[\W\d_]+")
_SECTIONS = (
    "SELECT works.key, nodes.path, documents.language, passages.text FROM passages"
    " JOIN documents ON documents.id = passages.document JOIN works ON works.id = documents.work"
    " JOIN nodes ON nodes.id = passages.node WHERE valid_from <= ? AND valid_to > ?"
)


def letters(text: str) -> str:
    """What a section's text begins with, but for its labels."""
    return _OTHER_THAN_LETTERS.sub("", _LABELS.sub(" ", text).lower())[:_LETTERS]


def places_of(library: Path, wanted: set[tuple[str, str]], day: date) -> dict[tuple[str, str], list[str]]:
    """The provisions in force whose words are wanted, by language and letters."""
    found: dict[tuple[str, str], list[str]] = {}
    number = day.toordinal()
    with sqlite3.connect(f"file:{library / 'library.db'}?mode=ro", uri=True) as records:
        for work, path, language, text in records.execute(_SECTIONS, (number, number)):
            key = language, letters(text)
            if key in wanted:
                found.setdefault(key, []).append(str(provision_id(work, path)))
    return found


def questions(library: Path, passages: Sequence[Path], day: date) -> list[dict[str, object]]:
    """One line a question."""
    held_out = {one.section: one for one in read_written() if one.split != "train"}
    keys: dict[str, tuple[str, str]] = {}
    for path in passages:
        stored = json.loads(lzma.decompress(path.read_bytes()))
        for name, pieces in by_name([Section(*row) for row in stored["passages"]]).items():
            if name in held_out:
                keys[name] = stored["language"], letters(" ".join(one.body for one in pieces))
    places = places_of(library, {*keys.values()}, day)
    made: list[dict[str, object]] = []
    for name, key in sorted(keys.items()):
        gold = sorted({*places.get(key, ())})
        for number, (language, text) in enumerate(held_out[name].asked if gold else ()):
            made.append(
                {
                    "id": f"{name}-{number}",
                    "question": text,
                    "language": language,
                    "jurisdiction": gold[0].partition(":")[0],
                    "gold": [[one] for one in gold],
                }
            )
    return made


def main() -> None:
    """Write the set."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("library", type=Path)
    parser.add_argument("--passages", type=Path, action="append", required=True)
    parser.add_argument("--day", type=date.fromisoformat, default=date(2026, 6, 1))
    parser.add_argument("--out", type=Path, required=True)
    asked = parser.parse_args()
    made = questions(asked.library, asked.passages, asked.day)
    lines = [json.dumps(one, ensure_ascii=False) for one in made]
    asked.out.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(made):,} questions")


if __name__ == "__main__":
    main()
