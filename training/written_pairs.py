"""Written questions with their sections, and everyday words with the law's, as pairs for `training.encode`.

    python -m training.written_pairs --passages fi.json.xz [--passages sv.json.xz …] --out FOLDER

`questions/everyday-words.txt` is a thesaurus from what people say to what statutes say, a concept a line.
"""

from __future__ import annotations

import argparse
import json
import lzma
from collections.abc import Iterator, Sequence
from pathlib import Path

from training.asked import Section
from training.pair_files import Pair, write
from training.written import Written, by_name, read_written

EVERYDAY_WORDS = Path(__file__).parent / "questions" / "everyday-words.txt"
LANGUAGES = ("fi", "sv", "en", "fr")  # the order of its columns, two each: the law's terms, everyday words
_READ = 700  # characters of a section that a pair holds


def question_pairs(written: Sequence[Written], passages: Sequence[Path]) -> Iterator[Pair]:
    """Every question with the section that answers it, one task a language of the law."""
    known: dict[str, list[Section]] = {}
    for path in passages:
        found = json.loads(lzma.decompress(path.read_bytes()))["passages"]
        known |= by_name([Section(*row) for row in found])
    for one in written:
        pieces = known.get(one.section)
        if pieces is None:
            continue
        body = " ".join(piece.body for piece in pieces)[:_READ]
        text = f"{pieces[0].place} {pieces[0].heading}. {body}"
        for code, question in one.asked:
            yield Pair(f"asked-{one.language}", question, code, text, one.language, one.split)


def word_pairs(path: Path = EVERYDAY_WORDS) -> Iterator[Pair]:
    """Everyday words with the law's words for the same thing, within a language and across."""
    for line in path.read_text(encoding="utf-8").splitlines():
        columns = [[part.strip() for part in column.split(";")] for column in line.split("|")]
        if len(columns) != 2 * len(LANGUAGES):
            continue
        law = dict(zip(LANGUAGES, columns[::2], strict=True))
        everyday = dict(zip(LANGUAGES, columns[1::2], strict=True))
        for code, phrases in everyday.items():
            for other, terms in law.items():
                for number, phrase in enumerate(phrases):
                    yield Pair(f"lay-{other}", phrase, code, terms[number % len(terms)], other, "train")
                yield Pair(f"lay-{other}", ", ".join(phrases), code, ", ".join(terms), other, "train")


def main() -> None:
    """Write the pairs."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--passages", type=Path, action="append", required=True)
    parser.add_argument("--out", type=Path, required=True)
    asked = parser.parse_args()
    written = read_written()
    counts = write((*question_pairs(written, asked.passages), *word_pairs()), asked.out)
    for (task, split), count in sorted(counts.items()):
        print(f"{split:<12}{task:<12}{count:>8,} pairs")


if __name__ == "__main__":
    main()
