"""Gather what the question tower is tuned on: written questions, and documents as the table holds them.

    python -m training.tower_questions LIBRARY --out questions.xz [--passages passages.xz]

The table stays as it is, so documents travel as their vectors; for a reader (`training.try_reader`) their
first words go into a file of their own. Besides the sections that questions were written for, others are
there to be told from them. Questions on acts that are held out choose the recipe; so do those told as people
tell them (`questions/told.jsonl`), which are never learned. Nothing of Semantic Finlex is read: what its
sections lay down is told by a line of our own (`questions/gists.jsonl`).
"""

from __future__ import annotations

import argparse
import random
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby, islice
from pathlib import Path

import numpy as np

from pykala.law.identifiers import ProvisionId
from pykala.models import bundled
from pykala.models.bundled import TABLE_WEIGHTS, TOWER_WEIGHTS
from training.calibrate import told_questions
from training.tower_files import Arrays, pack, quantised
from training.tower_words import Texts, WordNumbers, table_vocabulary
from training.written import (
    OF_SECTIONS,
    TOLD_OF_SECTIONS,
    TOLD_OF_SUBSECTIONS,
    held_out,
    places_of_names,
    read_gists,
    read_of_sections,
    read_written,
)

LANGUAGES = ("fi", "sv", "en", "fr")
LEARNED, CHOSEN_BY, TOLD = range(3)  # what is done with a question
_MOST_WORDS, _MOST_OF_PASSAGE = 40, 80  # words of a question, and of a passage
_PASSAGES_READ = 2  # of a section, in each language
_BESIDE = 0.03  # share of the sections without questions that are read
_PASSAGES = """
SELECT works.key || '/' || nodes.path, documents.language, passages.header,
  substr(passages.text, children.start + 1, children.end - children.start)
FROM documents JOIN works ON works.id = documents.work JOIN passages ON passages.document = documents.id
JOIN nodes ON nodes.id = passages.node JOIN children ON children.passage = passages.id
WHERE passages.valid_to >= 4000000 AND documents.manifestations NOT LIKE '%semantic-finlex%'
  AND documents.manifestations NOT LIKE '%json-ld%'
ORDER BY documents.id, passages.node, passages.ordinal, children.start
"""


@dataclass
class Gathered:
    """Questions and documents by the number of their section."""

    numbers: dict[str, int] = field(default_factory=dict)
    #: Text, section, language, use, and whether it tells a situation.
    questions: list[tuple[int, int, int, int, bool]] = field(default_factory=list)
    documents: list[tuple[int, int, int]] = field(default_factory=list)  # section, language, words

    def number(self, section: str) -> int:
        """The number of a section."""
        return self.numbers.setdefault(section, len(self.numbers))


def written_by_section(library: Path) -> Iterator[tuple[str, bool, list[tuple[str, str]]]]:
    """Every section that questions were written for, whether they tell situations, and the questions."""
    for path in (OF_SECTIONS, TOLD_OF_SECTIONS, TOLD_OF_SUBSECTIONS):
        for provision, asked in read_of_sections([path]):
            yield str(provision), path != OF_SECTIONS, asked
    older = {one.section: one for one in read_written()}
    for name, (work, path_in_it) in places_of_names(library, older).items():
        yield f"{work}/{path_in_it}", False, list(older[name].asked)


def add_questions(gathered: Gathered, texts: Texts, library: Path) -> None:
    """All written questions, and those that were told by another hand."""
    for section, tells, asked in written_by_section(library):
        use = CHOSEN_BY if held_out(str(ProvisionId.parse(section).work)) else LEARNED
        for language, text in asked:
            if language in LANGUAGES:
                facts = gathered.number(section), LANGUAGES.index(language), use, tells
                gathered.questions.append((texts.add(text, language, _MOST_WORDS), *facts))
    for one in told_questions():
        section, language = str(one.gold[0][0]), LANGUAGES.index(one.language)
        text = texts.add(one.question, one.language, _MOST_WORDS)
        gathered.questions.append((text, gathered.number(section), language, TOLD, True))


def documents_of(library: Path, gathered: Gathered) -> Iterator[tuple[int, int, str, str]]:
    """Section, language, header and text of the passages that are read."""
    records = sqlite3.connect(f"file:{library / 'library.db'}?mode=ro", uri=True)
    chance, asked = random.Random(7), set(gathered.numbers)
    rows = (row for row in records.execute(_PASSAGES) if row[1] in LANGUAGES)
    for (section, language), own in groupby(rows, key=lambda row: (row[0], row[1])):
        if section in asked or chance.random() < _BESIDE:
            for _, _, header, text in islice(own, _PASSAGES_READ):
                yield gathered.number(section), LANGUAGES.index(language), header, text
    for (work, path), (heading, gist) in read_gists().items():
        yield gathered.number(f"{work}/{path}"), LANGUAGES.index("fi"), heading, gist


def vectors_of(library: Path, gathered: Gathered, passages: Texts) -> np.ndarray:
    """The table's vectors of the documents, whose facts and first words are kept."""
    towers, found = bundled(), []
    rows = documents_of(library, gathered)
    while some := list(islice(rows, 2000)):
        for section, language, header, text in some:
            number = passages.add(f"{header} . {text}", LANGUAGES[language], _MOST_OF_PASSAGE)
            gathered.documents.append((section, language, number))
        found.append(towers.encode_passages([one[2] for one in some], [one[3] for one in some]))
    return np.concatenate(found)


def gather(library: Path) -> tuple[Arrays, Arrays]:
    """All that the training machine is given: questions with the vectors of documents, and their words."""
    rows, buckets = table_vocabulary(TABLE_WEIGHTS)
    with np.load(TOWER_WEIGHTS) as tower:
        pieces = {one: at for at, one in enumerate(bytes(tower["vocabulary"]).decode().split("\n"))}
    words = WordNumbers(pieces, rows, buckets)
    gathered, texts, passages = Gathered(), Texts(words), Texts(words)
    add_questions(gathered, texts, library)
    codes, scales = quantised(vectors_of(library, gathered, passages))
    arrays = {**words.arrays(), **texts.arrays()}
    used, arrays["rows/flat"] = np.unique(arrays["rows/flat"], return_inverse=True)
    arrays["rows/flat"] = arrays["rows/flat"].astype(np.uint32)
    with np.load(TABLE_WEIGHTS) as table:
        arrays["table"], arrays["table/scales"] = table["rows"][used], table["scales"][used]
    names = list(gathered.numbers)
    works = {name: at for at, name in enumerate(dict.fromkeys(one.partition("/")[0] for one in names))}
    arrays["sections"] = np.array(
        [(works[one.partition("/")[0]], _PLACES.index(one.partition(":")[0])) for one in names], np.uint32
    )
    arrays["names"] = np.frombuffer("\n".join(names).encode(), dtype=np.uint8)
    arrays["questions"] = np.array(gathered.questions, dtype=np.uint32)
    documents = np.array(gathered.documents, dtype=np.uint32)
    arrays["documents"] = documents[:, :2]
    arrays["vectors"], arrays["vectors/scales"] = codes, scales.astype(np.float16)
    return arrays, {**passages.arrays(), "numbers": documents[:, 2]}


_PLACES = ("fi", "eu", "ca", "nyc")


def main() -> None:
    """Gather and pack."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("library", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--passages", type=Path, help="the passages' first words, for a reader")
    given = parser.parse_args()
    arrays, passages = gather(given.library)
    for name, array in arrays.items():
        print(f"{name}: {array.shape} {array.dtype}")
    pack(arrays, given.out)
    if given.passages:
        pack(passages, given.passages)
    print(f"{given.out.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
