"""Documents and questions out of libraries: what all engines of a run are given.

Works that questions are about come first, then works that the bundled embedder was not trained on, in an
order drawn by hash, until there are enough documents. A section is one document for each of its wordings.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from hashlib import sha256
from importlib.resources import files
from itertools import groupby
from pathlib import Path

from bench.peers.records import DOCUMENTS, QUESTIONS, Document, Question, write_lines
from pykala.evaluate.matching import covers, section_of
from pykala.evaluate.questions import GoldQuestion
from pykala.evaluate.sets import read_set
from pykala.evaluate.splits import split_of
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.passages import Passage
from pykala.law.provisions import Work
from pykala.library import Library
from pykala.packs.pack import installed
from pykala.passages.cut import cut

ROOT = Path(__file__).parents[2]
WORKS = "works.jsonl"
DATED = 100  # questions made by rule of sections that have more than one wording
TODAY = "2026-06-01"  # the day that questions without a date are asked of
_SEED = 11
_WORDS, _LETTERS = 6, 4  # of a question by rule: how many words, of how many letters at least


@dataclass(frozen=True, slots=True)
class Wanted:
    """A set of documents: the library it comes from, its language, how many, and of which place."""

    name: str
    library: Path
    language: str
    most: int
    place: str = ""  # a jurisdiction's code; without one, all that the library holds


def export(wanted: Wanted, banks: Sequence[Path], folder: Path) -> tuple[int, int]:
    """Write a folder for the engines; how many documents and questions it holds."""
    folder.mkdir(parents=True, exist_ok=True)
    with Library.open(wanted.library, embedder=None) as library:
        asked = [*_sets(wanted, library, banks)]
        golden = {place.work for question, _ in asked for one in question.gold for place in one[:1]}
        documents: list[Document] = []
        chosen: list[WorkId] = []
        works = [one for one in library.store.works() if wanted.place in ("", one.id.jurisdiction)]
        for work in _in_order(works, golden):
            if len(documents) >= wanted.most:
                break
            if wanted.language in {language for language, _ in work.titles}:
                found = [*_documents(library, work, wanted.language)]
                documents += found
                chosen += [work.id] if found else []
    questions = [*_answerable(asked, documents, wanted.language), *dated(documents, wanted.name)]
    write_lines(folder / DOCUMENTS, documents)
    write_lines(folder / QUESTIONS, questions)
    lines = [json.dumps([str(wanted.library.absolute()), str(work), wanted.language]) for work in chosen]
    (folder / WORKS).write_text("\n".join(lines), encoding="utf-8")
    return len(documents), len(questions)


def _in_order(works: Iterable[Work], golden: set[WorkId]) -> Iterator[Work]:
    drawn = sorted(works, key=lambda work: sha256(str(work.id).encode()).hexdigest())
    yield from (work for work in drawn if work.id in golden)
    # Then works that the embedder was not trained on, and only where these are too few all the others.
    yield from sorted(
        (work for work in drawn if work.id not in golden), key=lambda work: split_of(work.id) == "train"
    )


def _documents(library: Library, work: Work, language: str) -> Iterator[Document]:
    document = library.store.document(work.id, language)
    passages = [*cut(document, library.packs[work.id.jurisdiction].sections(document))]
    by_section: defaultdict[ProvisionId, list[Document]] = defaultdict(list)
    for (section, validity), parts in groupby(passages, key=lambda one: (one.section, one.validity)):
        if validity.is_pending:
            continue
        parents = list(parts)
        by_section[section].append(
            Document(
                section=str(section),
                language=language,
                header=parents[0].header,
                text=_joined(parents),
                start=validity.start.isoformat() if validity.start else "",
                end=validity.end.isoformat() if validity.end else "",
                newest=False,
            )
        )
    for wordings in by_section.values():
        wordings.sort(key=lambda one: one.start)
        yield from wordings[:-1]
        yield replace(wordings[-1], newest=True)


def _joined(parents: Sequence[Passage]) -> str:
    """The whole of a section from its parts, which overlap a little."""
    text = ""
    for part in sorted(parents, key=lambda one: one.offset):
        begun = max(0, parents[0].offset + len(text) - part.offset)
        text += part.text[begun:]
    return text


def _sets(wanted: Wanted, library: Library, banks: Sequence[Path]) -> Iterator[tuple[GoldQuestion, str]]:
    """Questions with the name of their set: everyday words, the packs' own over real law, public banks."""
    path = ROOT / "training" / "questions" / f"everyday-{wanted.language}.jsonl"
    if path.is_file():
        for line in path.read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            gold = ((ProvisionId.parse(record["gold"]),),)
            yield GoldQuestion(record["id"], record["question"], record["language"], gold=gold), path.stem
    held = {name.partition("/")[0] for name in library.stats().works}
    for code, pack in installed().items():
        path = Path(str(files(pack.facts.package).joinpath("questions-corpus.jsonl")))
        if code in held and path.is_file():
            yield from ((question, f"{code} corpus") for question in read_set(path))
    for path in banks:
        yield from ((question, path.stem) for question in read_set(path))


def _answerable(
    asked: Iterable[tuple[GoldQuestion, str]], documents: Sequence[Document], language: str
) -> Iterator[Question]:
    """Those whose right section is among the documents; gold as the documents name it."""
    sections: defaultdict[WorkId, list[ProvisionId]] = defaultdict(list)
    for name in dict.fromkeys(one.section for one in documents):
        section = ProvisionId.parse(name)
        sections[section.work].append(section)
    for question, name in asked:
        if question.language not in (None, language):
            continue
        gold = [section_of(one[0]) for one in question.gold]
        right = [
            str(section)
            for place in gold
            for section in sections.get(place.work, ())
            if covers(place, section)
        ]
        if right:
            day = question.as_of.isoformat() if question.as_of else ""
            yield Question(question.id, name, question.question, language, tuple(right), day)


def dated(documents: Sequence[Document], name: str) -> Iterator[Question]:
    """Questions by rule: what an amended section is about, on a day when it still read otherwise.

    The words are the rarest of those that every wording of the section has, so that only the day tells
    which wording is meant.
    """
    chance = random.Random(_SEED)
    frequency = Counter(word for one in documents for word in set(_words(one.text)))
    wordings: defaultdict[str, list[Document]] = defaultdict(list)
    for one in documents:
        wordings[one.section].append(one)
    amended = [
        (section, older, words)
        for section, found in wordings.items()
        for older in [[one for one in found[:-1] if one.end and _differs(one, found[-1])]]
        for words in [_shared_words(found, frequency) if older else []]
        if len(words) == _WORDS
    ]
    for section, older, words in chance.sample(amended, min(DATED, len(amended))):
        chosen = chance.choice(older)
        end = date.fromisoformat(chosen.end)
        start = date.fromisoformat(chosen.start) if chosen.start else end - timedelta(days=365)
        day = start + timedelta(days=chance.randrange(max(1, (end - start).days)))
        asked = " ".join(words)
        yield Question(
            f"dated-{section}", f"{name} dated", asked, chosen.language, (section,), day.isoformat()
        )


def _shared_words(wordings: Sequence[Document], frequency: Counter[str]) -> list[str]:
    """The rarest words that all wordings have, in the order in which the section says them."""
    shared = set[str].intersection(*(set(_words(one.text)) for one in wordings))
    rarest = set(sorted(shared, key=lambda word: (frequency[word], word))[:_WORDS])
    return [word for word in dict.fromkeys(_words(wordings[-1].text)) if word in rarest]


def _words(text: str) -> list[str]:
    return [word for word in re.findall(r"[^\W\d_]+", text.lower()) if len(word) >= _LETTERS]


def _differs(one: Document, other: Document) -> bool:
    return one.text.split() != other.text.split()
