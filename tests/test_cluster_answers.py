"""A question has the same answer in a folder and on three nodes of Qdrant, also while one is killed."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from importlib.resources import as_file
from pathlib import Path

import pytest

import install_qdrant
from cluster_file import write_cluster_file
from making import simple
from postgres_server import PostgresServer
from pykala.evaluate.sets import GoldQuestion
from pykala.fetch.mirror import open_mirror
from pykala.ingest import ingest
from pykala.law.answers import Answer
from pykala.law.filters import Filter
from pykala.law.identifiers import WorkId
from pykala.library.library import Library
from pykala.library.sample import EDITION, samples
from pykala.models.bundled.lazy import bundled_embedder
from pykala.packs.pack import installed
from pykala.stores.cluster.store import ClusterStore
from qdrant_server import QdrantServer
from same_contents import differing
from test_same_answers import MOST_TRIPS, answered, expected, sample

__all__ = ["expected", "sample"]  # fixtures: the folder's answers, which are those of all


@pytest.fixture(scope="module")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[QdrantServer]:
    if reason := install_qdrant.missing():
        pytest.skip(reason)
    with QdrantServer.started(tmp_path_factory.mktemp("nodes"), nodes=3) as server:
        yield server


@pytest.fixture(scope="module")
def file(nodes: QdrantServer, postgres: PostgresServer, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cluster")
    made = write_cluster_file(folder, postgres.new_database(), nodes.addresses, shards=3, replicas=2)
    with ClusterStore.open_file(made, writable=True, embedder=bundled_embedder()) as store:
        for pack, files in samples(installed()):
            with as_file(files) as path, open_mirror(path) as mirror:
                ingest(store, pack, mirror, whole=False)
        store.record(EDITION)
    return made


def test_every_answer_is_the_same(file: Path, expected: list[tuple[GoldQuestion, Answer]]) -> None:
    assert len(expected) >= 12
    with Library.open(f"cluster:{file}") as cluster:
        assert isinstance(cluster.store, ClusterStore)
        cluster.store.state()  # asked for once a state, not once a question
        for one, wanted in expected:
            before = cluster.store.records.round_trips
            assert list(differing(wanted, answered(cluster, one))) == [], one.question
            assert cluster.store.records.round_trips - before <= MOST_TRIPS["cluster"], one.question


def test_a_node_killed_in_mid_query_and_back_later_changes_nothing(
    file: Path, nodes: QdrantServer, expected: list[tuple[GoldQuestion, Answer]]
) -> None:
    begun, differences = threading.Event(), []

    def ask() -> None:
        with Library.open(f"cluster:{file}") as cluster:
            for number, (one, wanted) in enumerate(expected[::2]):
                if number == 4:
                    begun.set()
                try:
                    differences.extend(differing(wanted, answered(cluster, one)))
                except Exception as error:  # told by the thread that waits
                    differences.append(f"{one.question}: {error}")

    asking = threading.Thread(target=ask)
    asking.start()
    assert begun.wait(300)
    nodes.kill(0)  # the one that was named first, and answered
    asking.join(300)
    assert not asking.is_alive()
    assert differences == []

    # What is written while the node is away is there when it is back, and another one goes.
    with ClusterStore.open_file(file, writable=True, embedder=bundled_embedder()) as store:
        store.put(simple("xx:act:1", "A zeppelin pays a toll at every mast."))
        collections = [store._collection("1", part) for part in ("words", "meaning", "asked")]
    nodes.start(0)
    nodes.wait_for_peers()
    for collection in collections:
        nodes.wait_for_whole(collection)
    nodes.kill(1)
    with ClusterStore.open_file(file, embedder=bundled_embedder()) as store:
        (found,) = store.match_text("zeppelin", Filter(), 5)
        assert found.work == WorkId("xx:act:1")
