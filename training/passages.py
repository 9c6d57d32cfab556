"""The passages that questions for the reranker are made of and searched among, one file a language.

    python -m training.passages --pairs FOLDER [--pairs FOLDER] --dictionary FOLDER [--momentti FOLDER]
        --language fi [--split train|development] --out fi.json.xz

The file holds the synonyms of the language and sentences of everyday talk too, so that the next step
(`training.candidates`) needs nothing but it and the embedder's weights, and runs on a machine
that has no corpora.
"""

from __future__ import annotations

import argparse
import json
import lzma
import random
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from pykala.text.sentences import sentences
from training.asked import Section, synonyms
from training.pair_files import SEED, read
from training.pairs import HELD_OUT_TITLES

MOST_PASSAGES = 30_000
MOST_SENTENCES = 5_000
_LONGEST_PASSAGE = 300  # characters: where a section is cut into passages
_KINDS = ("act", "regulation", "decree", "decision", "directive", "treaty", "guidance")


def sections_of_pairs(folders: Sequence[Path], language: str, split: str) -> Iterator[tuple[str, str, str]]:
    """Work, heading and text of each section of a split that pairs were made of."""
    for folder in folders:
        for kind in _KINDS:
            path = folder / f"titled-{kind}-{language}.jsonl.zst"
            if path.exists():
                for row in read(path):
                    work, _, heading = row[0].rpartition(": ")
                    if row[4] == split and work and not HELD_OUT_TITLES.search(work):
                        yield work, heading, row[2]


def momentti_sections(folder: Path) -> Iterator[tuple[str, str, str, str]]:
    """Work, chapter, heading and text of the momentti of acts, but for the held-out one."""
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if not HELD_OUT_TITLES.search(row["law"]):
                yield row["law"], row["chapter_title"] or "", row["section_title"] or "", row["text"]


def passages(
    folders: Sequence[Path], language: str, momentti: Path | None, split: str, most: int
) -> list[Section]:
    """Passages of whole works: sections as they are, or cut as search cuts them, a work always one way."""
    works: dict[str, list[tuple[str, str]]] = {}
    for work, heading, text in sections_of_pairs(folders, language, split):
        works.setdefault(work, []).append((heading, text))
    names = sorted(works)
    random.Random(SEED).shuffle(names)
    found: list[Section] = []
    numbers = iter(range(10_000_000))
    seen: set[str] = set()
    if momentti is not None and language == "fi":
        sections: dict[tuple[str, str, str], int] = {}
        for work, chapter, heading, text in momentti_sections(momentti):
            number = sections.setdefault((work, chapter, heading), len(sections) + 20_000_000)
            found.append(Section(work, f"{work} › {chapter}" if chapter else work, heading, text, number))
    for work in names:
        if len(found) >= most:
            break
        cut = zlib.crc32(work.encode()) % 2 == 0
        for heading, text in works[work]:
            if text in seen:
                continue
            seen.add(text)
            number = next(numbers)
            for piece in _pieces(text) if cut else (text,):
                found.append(Section(work, work, heading, piece, number))
    return found


def _pieces(text: str) -> Iterator[str]:
    start = 0
    for _, end in sentences(text):
        if end - start >= _LONGEST_PASSAGE:
            yield text[start:end].strip()
            start = end
    if len(text) - start > 40 or start == 0:
        yield text[start:].strip()


def everyday_sentences(folder: Path, language: str) -> list[str]:
    """Short sentences of everyday talk, from pairs of translated sentences."""
    found: set[str] = set()
    for path in sorted(folder.glob("sent-*.jsonl.zst")):
        for row in read(path):
            for text, code in ((row[0], row[1]), (row[2], row[3])):
                if code == language and 12 <= len(text) <= 60:
                    found.add(text)
    return random.Random(SEED).sample(sorted(found), min(len(found), MOST_SENTENCES))


def main() -> None:
    """Write the passages and synonyms of one language."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pairs", type=Path, action="append", required=True)
    parser.add_argument("--dictionary", type=Path, required=True, help="folder of the dictionaries' pairs")
    parser.add_argument("--momentti", type=Path)
    parser.add_argument("--language", required=True)
    parser.add_argument("--split", choices=("train", "development"), default="train")
    parser.add_argument("--out", type=Path, required=True)
    asked = parser.parse_args()
    found = passages(asked.pairs, asked.language, asked.momentti, asked.split, MOST_PASSAGES)
    dictionary = (row for path in sorted(asked.dictionary.glob("dict-*.jsonl.zst")) for row in read(path))
    written = {
        "language": asked.language,
        "passages": [[one.work, one.place, one.heading, one.body, one.section] for one in found],
        "synonyms": synonyms(dictionary, asked.language),
        "talk": everyday_sentences(asked.dictionary, asked.language),
    }
    asked.out.write_bytes(lzma.compress(json.dumps(written, ensure_ascii=False).encode(), preset=4))
    print(f"{asked.language}: {len(found):,} passages of {len({one.work for one in found}):,} works")


if __name__ == "__main__":
    main()
