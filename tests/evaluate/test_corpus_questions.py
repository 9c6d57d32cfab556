"""The packs' questions over their real corpora: the format, how they spread, and that they give nothing away.

What the sets ask is checked on the corpora themselves for New York City and the smaller works of the Union:
whether the gold is there and in force on its day, holds what is required, and shares no long run of words
with the question. The other corpora take minutes to read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from importlib.resources import files
from pathlib import Path

import pytest

from pykala.evaluate.matching import Passage, covers, held, section_of
from pykala.evaluate.questions import GoldQuestion
from pykala.evaluate.sets import pack_set, read_set
from pykala.fetch.mirror import open_mirror
from pykala.law.answers import Outcome
from pykala.law.composition import compose
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Document, Provision
from pykala.packs.pack import Snapshot, pack_for

CORPORA = Path(__file__).parents[2].parent / "shared" / "corpora"
REFUSALS = {Outcome.SILENT, Outcome.OUTSIDE_CORPUS}
LONG_RUN = 6  # so many words in a row are copied, not thought of again

FEW_FILES = 8  # a work of so many files at most is read quickly; the VAT Directive has over a hundred


@dataclass(frozen=True, slots=True)
class Least:
    """What a set must hold at least."""

    languages: Mapping[str, int]
    works: int  # with a primary provision among the gold
    sections: int


PACKS = {
    "ca": Least({"en": 25, "fr": 12}, works=30, sections=40),
    "eu": Least({"en": 25, "fr": 12}, works=20, sections=40),
    "fi": Least({"en": 10, "fi": 15, "sv": 10}, works=35, sections=40),
    "nyc": Least({"en": 40}, works=1, sections=40),
}
KINDS = {"figure", "deadline", "exception", "dated", "rule", "cited", "silent", "outside", "nonsense"}
OWN_KINDS = {
    "eu": {"definition"},
    "fi": {"case", "guidance", "treaty", "repealed", "chain"},
    "nyc": {"repealed"},
}


def corpus_set(code: str) -> tuple[GoldQuestion, ...]:
    package = pack_for(code).facts.package
    return read_set(Path(str(files(package).joinpath("questions-corpus.jsonl"))))


def golds(question: GoldQuestion) -> Iterator[ProvisionId]:
    for alternative in question.gold:
        yield from alternative


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def shares_a_run(question: str, law: str, length: int = LONG_RUN) -> bool:
    """Whether so many words stand in the same order in both."""

    def runs(text: str) -> set[tuple[str, ...]]:
        found = words(text)
        return {tuple(found[start : start + length]) for start in range(len(found) - length + 1)}

    return not runs(question).isdisjoint(runs(law))


@pytest.mark.parametrize("code", PACKS)
def test_every_question_says_when_where_and_what_is_right(code: str) -> None:
    pack = pack_for(code)
    for question in corpus_set(code):
        assert question.id.startswith(f"{code}-c"), question.id
        assert question.jurisdiction == code
        assert question.language in PACKS[code].languages, question.id
        assert question.as_of is not None, question.id
        assert question.kind in KINDS | OWN_KINDS.get(code, set()), question.id
        assert question.outcomes, question.id
        assert question.question == " ".join(question.question.split())
        assert question.question.endswith("?"), question.id
        for provision in (*golds(question), *question.forbidden):
            assert provision.work.jurisdiction == pack.facts.code, question.id


@pytest.mark.parametrize("code", PACKS)
def test_a_question_has_gold_or_must_be_refused(code: str) -> None:
    for question in corpus_set(code):
        if question.kind in {"silent", "outside", "nonsense"}:
            assert not question.gold, question.id
            assert set(question.outcomes) <= REFUSALS, question.id
        else:
            assert question.gold, question.id
            assert Outcome.ANSWERED in question.outcomes, question.id
        primary = [alternative[0] for alternative in question.gold]
        for trap in question.forbidden:
            assert not any(covers(one, trap) or covers(trap, one) for one in primary), question.id


@pytest.mark.parametrize("code", PACKS)
def test_the_sets_are_large_and_spread(code: str) -> None:
    least, questions = PACKS[code], corpus_set(code)
    answered = [question for question in questions if question.gold]
    assert len(answered) >= 45
    assert len(questions) - len(answered) >= 6
    spoken = Counter(question.language for question in questions)
    assert all(spoken[language] >= count for language, count in least.languages.items()), spoken
    primary = [question.gold[0][0] for question in answered]
    assert len({one.work for one in primary}) >= least.works
    assert len({section_of(one) for one in primary}) >= least.sections
    kinds = {question.kind for question in questions}
    assert KINDS | OWN_KINDS.get(code, set()) <= kinds
    if code != "nyc":  # of New York only the text of today is kept; its dated questions name the year
        dated = {question.as_of for question in questions if question.kind == "dated"}
        assert len(dated) >= 3, dated


@pytest.mark.parametrize("code", PACKS)
def test_no_question_is_asked_twice(code: str) -> None:
    asked = Counter((question.question, question.as_of) for question in corpus_set(code))
    assert [one for one, times in asked.items() if times > 1] == []
    on_the_sample = {question.question for question in read_set(pack_set(pack_for(code)))}
    assert on_the_sample.isdisjoint(question for question, _ in asked)


@pytest.mark.parametrize(
    ("question", "law", "shared"),
    [
        ("How long may the tax be left unpaid?", "Interest where the tax may be left unpaid", False),
        ("Who pays the tax on the occupancy of a room?", "The tax on the occupancy of a room is", True),
        ("Kuka maksaa?", "Kuka maksaa", False),
    ],
)
def test_a_long_run_is_six_words_in_order(question: str, law: str, shared: bool) -> None:
    assert shares_a_run(question, law) is shared


def documents(code: str, wanted: set[WorkId]) -> Iterator[Document]:
    archive = CORPORA / f"{code}.tar.zst"
    if not archive.exists():
        pytest.skip(f"{archive.name} is not in ../shared/corpora: the gold is not tried on the real law")
    pack = pack_for(code)
    with open_mirror(archive) as mirror:
        for item in pack.works(mirror.paths()):
            if WorkId(item.name) in wanted and len(item.paths) <= FEW_FILES:
                found = [mirror.read(path) for path in item.paths]
                snapshots = [Snapshot(one.path, one.data, one.sha256) for one in found]
                yield from pack.read(item, snapshots).documents


class Law:
    """Works as they stood on the days that are asked for: for each provision, its text in every language."""

    def __init__(self, documents: Iterable[Document]) -> None:
        self.documents = list(documents)
        self.works = {document.work for document in self.documents}
        self.on: dict[date, dict[ProvisionId, list[tuple[str, Provision]]]] = {}

    def opened(self, places: Iterable[ProvisionId], day: date) -> Iterator[Passage]:
        if day not in self.on:
            self.on[day] = self._standing(day)
        for place in places:
            for language, found in self.on[day].get(place, ()):
                yield Passage(f"{found.heading}\n{compose(found).text}", language)

    def _standing(self, day: date) -> dict[ProvisionId, list[tuple[str, Provision]]]:
        standing: dict[ProvisionId, list[tuple[str, Provision]]] = {}
        for document in self.documents:
            tree = document.root.at(day)
            for found in tree.walk() if tree else ():
                standing.setdefault(found.id, []).append((document.language, found))
        return standing


@pytest.mark.corpora
@pytest.mark.parametrize(("code", "tried"), [("nyc", 45), ("eu", 15)])
def test_the_gold_stands_in_the_real_law_and_is_not_copied(code: str, tried: int) -> None:
    questions = [one for one in corpus_set(code) if one.gold]
    law = Law(documents(code, {place.work for one in questions for place in golds(one)}))
    asked = [one for one in questions if all(place.work in law.works for place in golds(one))]
    assert len(asked) >= tried
    for question in asked:
        assert question.as_of is not None
        for alternative in question.gold:
            passages = list(law.opened(alternative, question.as_of))
            assert passages, f"{question.id}: {alternative[0]} is not in force on {question.as_of}"
            for passage in passages:
                assert not shares_a_run(question.question, passage.text), question.id
            found = held(question, passages)
            assert all(found.strings), question.id
            assert all(found.numbers), question.id
