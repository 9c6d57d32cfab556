"""Everything that the machine which trains the towers needs: three files, nothing of the package.

    python -m training.tower_texts teacher --teacher FOLDER --pieces pieces.txt --out teacher.npz
    python -m training.tower_texts sentences SOURCES --teacher FOLDER --pieces pieces.txt --table embedder.npz
        --out sentences.xz
    python -m training.tower_texts sections SOURCES --pieces pieces.txt --table embedder.npz --out sections.xz

SOURCES is --everyday FOLDER --parallel FOLDER --manuals help.jsonl --library LIBRARY. The teacher is
all-MiniLM-L6-v2 (`model.safetensors`, `vocab.txt`), read with the package `safetensors`; sentences are what
the question tower learns four languages from; sections are the law, the questions on it and other pairs.
"""

from __future__ import annotations

import argparse
import random
import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, TypeVar

import numpy as np

from pykala.law.provisions import APPARATUS
from pykala.models.bundled.pieces import PiecesOfWords
from pykala.passages.header import SEPARATOR
from training.choose_sections import AS_OF
from training.pair_files import SEED
from training.pairs import HELD_OUT, NON_COMMERCIAL
from training.tower_files import CHOSEN_BY, KEPT_OUT, TRAINED, UNSEEN, Arrays, pack, small, write_arrays
from training.tower_sources import Sources, Translation, opened
from training.tower_words import MOST_PIECES, Texts, WordNumbers, piece_vocabulary, ragged, table_vocabulary
from training.written import (
    everyday_sections,
    held_out,
    places_of_names,
    read_gists,
    read_of_sections,
    read_written,
)
from training.written_pairs import EVERYDAY_WORDS, LANGUAGES

One = TypeVar("One")

#: Documents without questions that are drawn, by language.
DOCUMENTS: Final = {"en": 95_000, "fr": 95_000, "fi": 62_000, "sv": 30_000}
MOST_WORD_PAIRS: Final = 150_000
MOST_LAW_PAIRS: Final = 45_000
PLACES: Final = ("ca", "eu", "fi", "nyc")
_TITLE_WORDS, _HEADING_WORDS, _BODY_WORDS = 24, 16, 58  # of a document, that the table has rows for
_QUESTION_WORDS, _SENTENCE_WORDS, _TERM_WORDS = 36, 24, 8
_POSITIONS = 64  # of the teacher's, more than a question has
_READ = 1_100  # characters of a document
_SENTENCES = re.compile(r"(?<=[.!?])\s+")
#: The number before a heading, as the package's embedder leaves it out.
_LABEL = re.compile(r"^\s*(?:§ ?)?[\d.\-a-z]*\s*§?\s*")
_IN_FORCE = "p.ordinal = 0 AND p.valid_from <= :day AND p.valid_to > :day"
_DOCUMENTS = (
    f"SELECT w.key, n.path, d.language, p.header, substr(p.text, 1, {_READ}), d.manifestations, c.kind,"
    " w.kind FROM passages p JOIN documents d ON d.id = p.document JOIN works w ON w.id = d.work"
    " JOIN nodes n ON n.id = p.node JOIN children c ON c.passage = p.id AND c.start = 0"
    f" WHERE {_IN_FORCE}"
)
_BILINGUAL = (
    "SELECT d.language, p.node, p.header, substr(p.text, 1, 260) FROM passages p"
    " JOIN documents d ON d.id = p.document JOIN works w ON w.id = d.work"
    " JOIN names n ON n.id = w.jurisdiction"
    f" WHERE n.value IN ('ca', 'eu') AND d.language IN ('en', 'fr') AND {_IN_FORCE}"
)
_DAY = {"day": AS_OF.toordinal()}


def teacher_arrays(folder: Path, pieces: Iterable[str]) -> Arrays:
    """The teacher's weights in int8, and which of its pieces each of ours is (-1: none)."""
    # Imported here: the other two files are made without it.
    from safetensors.numpy import load_file

    weights: Arrays = {}
    for name, array in load_file(folder / "model.safetensors").items():
        if not name.endswith("position_ids"):
            weights[name] = array[:_POSITIONS] if "position_embeddings" in name else array
    known = piece_vocabulary(folder / "vocab.txt")
    return {**small(weights), "map": np.array([known.get(piece, -1) for piece in pieces], dtype=np.int32)}


def sentence_arrays(sources: Sources, words: WordNumbers, teacher: Path) -> Arrays:
    """Pairs of texts in two languages, English second where it is one, and the teacher's pieces of words."""
    texts = Texts(words)
    pairs = set()
    for first, text, second, other in _sentence_pairs(sources, random.Random(SEED)):
        if text == other:
            continue
        if first == "en":
            first, text, second, other = second, other, first, text
        codes = LANGUAGES.index(first), LANGUAGES.index(second)
        pairs.add((texts.add(text, first), texts.add(other, second), *codes))
    cut = PiecesOfWords(piece_vocabulary(teacher / "vocab.txt"))
    of_teacher = [cut[word][:MOST_PIECES] if code == "en" else () for code, word in words.words]
    print(f"{len(pairs):,} pairs")
    return {
        **words.arrays(),
        **texts.arrays(),
        **ragged("teacher", of_teacher, np.uint16),
        "pairs": np.array(sorted(pairs), dtype=np.uint32),
    }


def _sentence_pairs(sources: Sources, drawn: random.Random) -> Iterator[Translation]:
    for finnish, english in sources.paragraphs():
        yield from _aligned(finnish, english)
    for one in sources.tatoeba():
        if one[0] != one[2] or one[0] == "en":
            yield one
    for question in sources.asked_alike():
        yield "fi", question["fi"], "en", question["en"]
        yield "sv", question["sv"], "en", question["en"]
        yield "fi", question["fi"], "sv", question["sv"]
    yield from sources.help_texts()
    yield from sources.sentences()
    yield from _some(sources.free_dictionary(), MOST_WORD_PAIRS, drawn)
    yield from _law_pairs(sources, drawn)


def _aligned(finnish: str, english: str) -> Iterator[Translation]:
    """A paragraph and its translation, sentence by sentence where they have as many."""
    if len(english) < 8:
        return
    ours, theirs = _SENTENCES.split(finnish), _SENTENCES.split(english)
    if len(english) <= 250 or len(ours) != len(theirs):
        yield "fi", finnish, "en", english
        return
    for one, other in zip(ours, theirs, strict=True):
        if 20 < len(other) < 250 and 0.5 < len(one) / len(other) < 2:
            yield "fi", one, "en", other


def _law_pairs(sources: Sources, drawn: random.Random) -> Iterator[Translation]:
    """Headings and first words of law in French and English: only to learn the languages."""
    sections: dict[int, dict[str, tuple[str, str]]] = {}
    for code, node, header, text in sources.records().execute(_BILINGUAL, _DAY):
        sections.setdefault(node, {})[code] = header.rpartition(SEPARATOR)[2], text
    for both in _some((one for one in sections.values() if len(one) == 2), MOST_LAW_PAIRS, drawn):
        (heading, text), (other_heading, other_text) = both["fr"], both["en"]
        yield "fr", heading, "en", other_heading
        if len(other_text) > 40:
            yield "fr", text, "en", other_text


@dataclass(frozen=True, slots=True)
class Document:
    """A section in one language, as far as it is read."""

    work: str
    path: str
    language: str
    header: str
    text: str


Asked = dict[tuple[str, str], list[tuple[str, str]]]


def all_asked(library: Path) -> Asked:
    """What was asked of each section, by its work and its path in it."""
    asked: Asked = {}
    written = read_written()
    places = places_of_names(library, (one.section for one in written))
    for one in written:
        if one.section in places:
            asked.setdefault(places[one.section], []).extend(one.asked)
    for provision, questions in read_of_sections():
        place = str(provision.work), "/".join(map(str, provision.path))
        asked.setdefault(place, []).extend(questions)
    return asked


def documents(sources: Sources, asked: Asked, drawn: random.Random) -> list[Document]:
    """Every section that was asked about and may be trained on, and some of all others."""
    found: list[Document] = []
    others: dict[str, list[Document]] = {code: [] for code in LANGUAGES}
    for one in _free_documents(sources):
        if (one.work, one.path) in asked:
            found.append(one)
        else:
            others[one.language].append(one)
    for code, count in DOCUMENTS.items():
        drawn.shuffle(others[code])
        # Of Finland acts before rulings, guidance and treaties, which are many.
        others[code].sort(key=lambda one: one.language == "fi" and not one.work.startswith("fi:act"))
        found += others[code][:count]
    return found


def _free_documents(sources: Sources) -> Iterator[Document]:
    """Sections in force whose source may be trained on.

    Of works that the library has from a non-commercial source, the sections come from another library that
    was read without it: as they stood in the Statute Book, or as an act that amended them has them; else
    what we wrote of them in our own words stands in.
    """
    withheld: dict[tuple[str, str], str] = {}
    for one, formats in _sections(sources.records()):
        if any(banned in formats for banned in NON_COMMERCIAL):
            withheld[one.work, one.path] = one.header
        else:
            yield one
    if sources.free is None:
        return
    amending = _amending_titles(withheld)
    titled = {header.partition(SEPARATOR)[0]: work for (work, _), header in withheld.items()}
    amended: dict[tuple[str, str], Document] = {}
    for one, _ in _sections(opened(sources.free)):
        # A page without a number is a work of its own where nothing else has its act.
        work = titled.get(one.header.partition(SEPARATOR)[0], one.work)
        if withheld.pop((work, one.path), None) is not None:
            yield replace(one, work=work)
        elif (act := amending.get(_amended(one.header))) is not None:
            amended[act, one.path] = one  # the newest comes last
    for place, one in amended.items():
        if place in withheld:
            yield replace(one, work=place[0], path=place[1], header=withheld.pop(place))
    for place, (heading, gist) in read_gists().items():
        if place in withheld:
            title = withheld[place].partition(SEPARATOR)[0]
            yield Document(*place, "fi", f"{title}{SEPARATOR}{heading}", gist)


def _sections(records: sqlite3.Connection) -> Iterator[tuple[Document, str]]:
    """Sections of law in force, with the formats that their document was read from."""
    names = dict(records.execute("SELECT id, value FROM names"))
    notes = {kind.value for kind in APPARATUS}
    for *columns, formats, kind, kind_of_work in records.execute(_DOCUMENTS, _DAY):
        if names[kind] not in notes and names[kind_of_work] != "upload" and len(columns[4]) >= 60:
            yield Document(*columns), formats


def _amending_titles(withheld: Mapping[tuple[str, str], str]) -> dict[str, str]:
    """How the titles of acts that amend a Finnish one begin ("laki tuloverolain"), and which it is."""
    titles = {work: header.partition(SEPARATOR)[0].lower() for (work, _), header in withheld.items()}
    return {f"laki {title[:-2]}in": work for work, title in titles.items() if title.endswith("laki")}


def _amended(header: str) -> str:
    title = header.partition(SEPARATOR)[0].lower()
    return " ".join(title.split()[:2]) if "muuttamisesta" in title else ""


def status_of(place: tuple[str, str], everyday: frozenset[str]) -> int:
    """What may be learned of a section, by its work and its path in it."""
    work, path = place
    if work in HELD_OUT:
        return UNSEEN
    if held_out(work):
        return CHOSEN_BY
    return KEPT_OUT if f"{work}/{path}" in everyday else TRAINED


def section_arrays(sources: Sources, words: WordNumbers) -> Arrays:
    """Documents, questions and pairs of texts."""
    drawn = random.Random(SEED)
    texts = Texts(words)
    asked = all_asked(sources.library)
    everyday = everyday_sections()
    sections: dict[tuple[str, str], int] = {}
    works: dict[str, int] = {}
    titles, headings, bodies, facts = [], [], [], []
    for one in documents(sources, asked, drawn):
        place, _, heading = one.header.rpartition(SEPARATOR)
        titles.append(words.telling(place, one.language, _TITLE_WORDS))
        headings.append(words.telling(_LABEL.sub("", heading) if place else "", one.language, _HEADING_WORDS))
        bodies.append(words.telling(one.text, one.language, _BODY_WORDS))
        number = sections.setdefault((one.work, one.path), len(sections))
        work = works.setdefault(one.work, len(works))
        status = status_of((one.work, one.path), everyday)
        place_of_law = PLACES.index(one.work.partition(":")[0])
        facts.append((number, LANGUAGES.index(one.language), status, work, place_of_law))
    questions = [
        (texts.add(text, code, _QUESTION_WORDS), number, LANGUAGES.index(code), status_of(place, everyday))
        for place, own in asked.items()
        for number in (sections.setdefault(place, len(sections)),)
        for code, text in own
    ]
    pairs = {
        "answers": [
            (texts.add(question, "fi", 20), texts.add(passage, "fi", 45))
            for question, passage in _some(sources.finnish_answers(), 30_000, drawn)
        ],
        "translations": [
            (texts.add(text, code, _SENTENCE_WORDS), texts.add(other, second, _SENTENCE_WORDS))
            for code, text, second, other in _translations(sources, drawn)
            if text != other
        ],
        "terms": [
            (texts.add(term, code, _TERM_WORDS), texts.add(other, second, _TERM_WORDS))
            for code, term, second, other in _terms(EVERYDAY_WORDS)
        ],
    }
    print(f"{len(facts):,} documents, {len(questions):,} questions on {len(asked):,} sections")
    named = [f"{work}/{path}" for work, path in sections]
    return {
        "sections": np.frombuffer("\n".join(named).encode(), dtype=np.uint8),
        **words.arrays(),
        **texts.arrays(),
        **ragged("titles", titles, np.uint32),
        **ragged("headings", headings, np.uint32),
        **ragged("bodies", bodies, np.uint32),
        "documents": np.array(facts, dtype=np.uint32),
        "questions": np.array(questions, dtype=np.uint32),
        **{name: np.array(found, dtype=np.uint32) for name, found in pairs.items()},
    }


def _translations(sources: Sources, drawn: random.Random) -> Iterator[Translation]:
    yield from _some((one for one in sources.tatoeba() if one[0] != one[2]), 70_000, drawn)
    for question in sources.asked_alike():
        yield "fi", question["fi"], "en", question["en"]
        yield "sv", question["sv"], "en", question["en"]
    yield from _some(sources.help_texts(), 25_000, drawn)
    short = (one for one in sources.paragraphs() if 12 < len(one[1]) < 220)
    for finnish, english in _some(short, 20_000, drawn):
        yield "fi", finnish, "en", english


def _terms(path: Path) -> Iterator[Translation]:
    """What people say with what the law says, and the law's terms with one another across languages."""
    for line in path.read_text(encoding="utf-8").splitlines():
        columns = [[part.strip() for part in column.split(";") if part.strip()] for column in line.split("|")]
        if len(columns) != 2 * len(LANGUAGES):
            continue
        law = dict(zip(LANGUAGES, columns[::2], strict=True))
        everyday = dict(zip(LANGUAGES, columns[1::2], strict=True))
        for code, terms in law.items():
            for second, said in everyday.items():
                yield from ((second, phrase, code, term) for phrase in said for term in terms)
            for second, others in law.items():
                if code < second:
                    yield from ((code, term, second, other) for term in terms for other in others)


def _some(found: Iterable[One], most: int, drawn: random.Random) -> list[One]:
    everything = list(found)
    return drawn.sample(everything, min(most, len(everything)))


def main() -> None:
    """Write one of the files."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("teacher", "sentences", "sections"):
        command = commands.add_parser(name)
        command.add_argument("--pieces", type=Path, required=True)
        command.add_argument("--out", type=Path, required=True)
        if name != "sections":
            command.add_argument("--teacher", type=Path, required=True, help="folder of all-MiniLM-L6-v2")
        if name != "teacher":
            Sources.ask(command)
            command.add_argument("--table", type=Path, required=True, help="what `training.train` wrote")
    asked = parser.parse_args()
    pieces = piece_vocabulary(asked.pieces)
    if asked.command == "teacher":
        write_arrays(teacher_arrays(asked.teacher, pieces), asked.out)
        return
    words = WordNumbers(pieces, *table_vocabulary(asked.table))
    sources = Sources.of(asked)
    if asked.command == "sentences":
        pack(sentence_arrays(sources, words, asked.teacher), asked.out)
    else:
        pack(section_arrays(sources, words), asked.out)


if __name__ == "__main__":
    main()
