"""The same question has the same answer in a folder, in PostgreSQL with files, and in PostgreSQL alone.

A few questions of each pack on the sample; `python -m bench.same_answers` asks 300, of a cluster too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import replace
from importlib.resources import as_file
from pathlib import Path
from typing import Any

import pytest

from making import simple
from postgres_server import PostgresServer
from pykala.evaluate.sets import GoldQuestion, QuestionSetError, pack_set, read_set
from pykala.fetch.mirror import open_mirror
from pykala.ingest import ingest
from pykala.law.answers import Answer, Cost, Stage, Written
from pykala.library.library import Library
from pykala.library.sample import EDITION, sample_library, samples
from pykala.models.bundled.lazy import bundled_embedder
from pykala.packs.pack import installed
from pykala.stores.beside import SideBySide
from pykala.stores.copying import copy_library
from pykala.stores.exchanges import Exchanges
from pykala.stores.matters import Matters
from pykala.stores.opening import open_writer, reindex
from pykala.stores.postgres.address import with_matter
from pykala.stores.postgres.store import PostgresStore
from same_contents import differing

EACH = 6  # questions of each pack, spread over its set
#: Round trips to the database for one question, at most. Without index files, words and vectors are searched
#: there, too: each round of searching counts terms, then searches and reads what it found (docs/team.md).
MOST_TRIPS = {"files": 9, "PostgreSQL alone": 11, "cluster": 11}
#: Of 300 questions (`python -m bench.same_answers`) those with the most round trips in one store or another.
HARDEST = (
    "I lent my brother 20,000 euros and he pays me interest every year. Do I have to pay tax on the interest,"
    " and is it earned income or capital income?",
    "Que veut dire « acquéreur » ?",
    "I just lost my job. How long do I have to wait before they start paying me?",
    "J'ai triché une fois, de façon très grave; de combien mes heures augmentent-elles ?",
    "Mon oncle est mort en 2017 après avoir cotisé toute sa vie au régime de pensions. Comment calcule-t-on"
    " la prestation de décès versée à sa succession ?",
    "A registered builder repaired the roof of my holiday cottage this spring. What share of his labour bill"
    " may I take off my tax?",
)


def told(answer: Answer) -> Answer:
    """An answer without what differs from run to run: its name, and how long each stage took."""
    stages = tuple(replace(stage, milliseconds=0.0) for stage in answer.trace)
    return replace(answer, id="", trace=stages, cost=Cost(), parts=tuple(map(told, answer.parts)))


def answered(library: Library, one: GoldQuestion) -> Answer:
    how: Any = {"as_of": one.as_of, "language": one.language, "jurisdiction": one.jurisdiction}
    return told(library.ask(one.question, **how))


def stages_heard(library: Library) -> list[str]:
    """The stages of a question of two parts, in the order in which a reader hears of them."""
    heard: list[str] = []

    def listen(reported: Stage | Answer | Written) -> None:
        if isinstance(reported, Stage):
            heard.append(reported.name)

    library.ask(HARDEST[0], listen=listen)
    return heard


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sample_library(tmp_path_factory.mktemp("cache"), installed())


@pytest.fixture(scope="module")
def expected(sample: Path) -> list[tuple[GoldQuestion, Answer]]:
    chosen: list[GoldQuestion] = []
    for pack in installed().values():
        try:
            asked = read_set(pack_set(pack))
        except QuestionSetError:  # a pack without a set over its sample
            continue
        chosen += asked[:: max(1, len(asked) // EACH)][:EACH]
    others = [one for pack in ("ca", "fi") for whole in (True, False) for one in _set_of(pack, sample=whole)]
    hardest = {one.question: one for one in others if one.question in HARDEST}
    assert len(hardest) == len(HARDEST)
    chosen += [one for one in hardest.values() if one not in chosen]
    with Library.open(sample) as folder:
        return [(one, answered(folder, one)) for one in chosen]


@pytest.fixture(scope="module")
def stages(sample: Path) -> list[str]:
    with Library.open(sample) as folder:
        return stages_heard(folder)


def _set_of(pack: str, *, sample: bool) -> tuple[GoldQuestion, ...]:
    return tuple(read_set(pack_set(installed()[pack], sample=sample)))


def _copied(sample: Path, place: str, indexes: Path) -> None:
    copy_library(sample, place, index_folder=indexes)


def _ingested(sample: Path, place: str, indexes: Path) -> None:
    embedder = bundled_embedder()
    with PostgresStore.open_at(place, writable=True, embedder=embedder, index_folder=indexes) as store:
        for pack, files in samples(installed()):
            with as_file(files) as path, open_mirror(path) as mirror:
                ingest(store, pack, mirror, whole=False)
        store.record(EDITION)


def _alone(sample: Path, place: str, indexes: Path) -> None:
    copy_library(sample, place, index_folder=indexes)
    reindex(f"{place}?index=database&index_folder={indexes / 'small'}", embedder=bundled_embedder())


MADE: dict[str, Callable[[Path, str, Path], None]] = {
    "copied": _copied,
    "ingested": _ingested,
    "PostgreSQL alone": _alone,
}


@pytest.mark.parametrize("how", MADE)
def test_every_answer_is_the_same(
    how: str,
    postgres: PostgresServer,
    sample: Path,
    expected: list[tuple[GoldQuestion, Answer]],
    stages: list[str],
    tmp_path: Path,
) -> None:
    assert len(expected) >= 12
    assert stages.count("search") == 2
    place = postgres.new_database()
    MADE[how](sample, place, tmp_path / "indexes")
    with Library.open(place) as team:
        assert isinstance(team.store, PostgresStore)
        most = MOST_TRIPS.get(how, MOST_TRIPS["files"])
        team.store.state()  # asked for once a state, not once a question
        for one, wanted in expected:
            before = team.store.records.round_trips
            assert list(differing(wanted, answered(team, one))) == [], one.question
            assert team.store.records.round_trips - before <= most, one.question
        assert stages_heard(team) == stages  # though both parts share their round trips


def test_a_question_in_a_matter_waits_for_the_database_as_seldom(
    postgres: PostgresServer, sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its documents are read over a connection of their own, at the same time as the law."""
    law, embedder = postgres.new_database(), bundled_embedder()
    copy_library(sample, law, index_folder=tmp_path / "indexes")
    with closing(Matters(law)) as matters:
        matters.add("acme/loan", embedder=embedder, roles=[], caller="test")
    place = with_matter(law, "acme/loan")
    with open_writer(place, create=False, embedder=embedder) as matter:
        matter.put(simple("up:" + "a" * 64, "My brother pays interest on the loan each year.", language="en"))
    at_the_same_time = saved_round_trips(monkeypatch)
    with Library.open(place) as team:
        both = team.store
        assert isinstance(both, SideBySide)
        connections = [one.records for one in (both._first, both._second) if isinstance(one, PostgresStore)]
        assert len(connections) == 2
        both.state()
        for question in HARDEST:
            before = sum(one.round_trips for one in connections) - len(at_the_same_time)
            answer = team.ask(question)
            waited = sum(one.round_trips for one in connections) - len(at_the_same_time) - before
            assert waited <= MOST_TRIPS["files"], question
            if question == HARDEST[0]:
                assert "up:" in str(answer)


def saved_round_trips(monkeypatch: pytest.MonkeyPatch) -> list[Exchanges]:
    """Grows by one for each round trip that was made at the same time as another one."""
    saved: list[Exchanges] = []
    sent = Exchanges._sent

    def counted(exchanges: Exchanges, together: Mapping[Exchanges, Any]) -> Any:
        if not exchanges.inside:
            saved.extend(list(together)[1:])
        return sent(exchanges, together)

    monkeypatch.setattr(Exchanges, "_sent", counted)
    return saved
