"""The same question has the same answer in a folder and in PostgreSQL: the packs' own sets on the sample."""

from __future__ import annotations

from dataclasses import replace
from importlib.resources import as_file
from pathlib import Path

import pytest

from postgres_server import PostgresServer
from pykala.evaluate.sets import GoldQuestion, QuestionSetError, pack_set, read_set
from pykala.fetch.mirror import open_mirror
from pykala.ingest import ingest
from pykala.law.answers import Answer, Cost
from pykala.library.library import Library
from pykala.library.sample import EDITION, sample_library, samples
from pykala.models.bundled.lazy import bundled_embedder
from pykala.packs.pack import installed
from pykala.stores.copying import copy_library
from pykala.stores.postgres.store import PostgresStore

EACH = 6  # questions of each pack, spread over its set
MOST_TRIPS = 12  # to the database, for one question


def questions() -> list[GoldQuestion]:
    chosen = []
    for pack in installed().values():
        try:
            asked = read_set(pack_set(pack))
        except QuestionSetError:  # a pack without a set over its sample
            continue
        chosen += asked[:: max(1, len(asked) // EACH)][:EACH]
    return chosen


def told(answer: Answer) -> Answer:
    """An answer without what differs from run to run: its name, and how long each stage took."""
    stages = tuple(replace(stage, milliseconds=0.0) for stage in answer.trace)
    return replace(answer, id="", trace=stages, cost=Cost(), parts=tuple(map(told, answer.parts)))


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sample_library(tmp_path_factory.mktemp("cache"), installed())


@pytest.fixture(scope="module", params=["copied", "ingested"])
def address(
    request: pytest.FixtureRequest,
    postgres: PostgresServer,
    sample: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> str:
    place, indexes = postgres.new_database(), tmp_path_factory.mktemp("indexes")
    if request.param == "copied":
        copy_library(sample, place, index_folder=indexes)
    else:
        with PostgresStore.open_at(
            place, writable=True, embedder=bundled_embedder(), index_folder=indexes
        ) as store:
            for pack, files in samples(installed()):
                with as_file(files) as path, open_mirror(path) as mirror:
                    ingest(store, pack, mirror, whole=False)
            store.record(EDITION)
    return place


def test_every_answer_is_the_same(address: str, sample: Path) -> None:
    with Library.open(sample) as folder, Library.open(address) as team:
        asked = questions()
        assert len(asked) >= 12
        assert isinstance(team.store, PostgresStore)
        team.store.state()  # asked for once a state, not once a question
        for one in asked:
            before = team.store.records.round_trips
            how = {"as_of": one.as_of, "language": one.language, "jurisdiction": one.jurisdiction}
            first, second = folder.ask(one.question, **how), team.ask(one.question, **how)
            assert told(first) == told(second), one.question
            assert team.store.records.round_trips - before <= MOST_TRIPS, one.question
