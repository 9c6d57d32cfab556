"""The primary of PostgreSQL is killed in mid-ingest: published states stay, and the same command goes on."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import patroni_servers
from patroni_servers import PatroniServers
from plain_pack import pack
from pykala.fetch.mirror import open_mirror
from pykala.ingest import ingest
from pykala.law.filters import Filter
from pykala.models.hashing import HashingEmbedder
from pykala.stores.embedded.store import EmbeddedStore
from pykala.stores.opening import open_store
from same_contents import contents

TESTS = Path(__file__).parent
_ACTS = 60
_SEEN = 3  # publications before the kill

pytestmark = pytest.mark.skipif(
    "PYKALA_FAULTS" not in os.environ,
    reason="NOT HERE: three nodes of Patroni take a minute; 'python -m bench.faults' runs this",
)


@pytest.fixture(scope="module")
def patroni(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PatroniServers]:
    if reason := patroni_servers.missing():
        pytest.skip(reason)
    with PatroniServers.started(tmp_path_factory.mktemp("patroni")) as servers:
        yield servers


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("source")
    for number in range(10, 10 + _ACTS):
        words = f"Act {number}\nDuty {number} under § 1 of act {number - 1}.\n" + "A long duty. " * 50
        (folder / f"{number}.txt").write_text(words, "utf-8")
    return folder


def command(source: Path, address: str) -> subprocess.Popen[str]:
    path = os.pathsep.join([str(TESTS), str(TESTS.parent / "src"), os.environ.get("PYTHONPATH", "")])
    return subprocess.Popen(
        [sys.executable, str(TESTS / "failing_over.py"), str(source), address],
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_a_killed_primary_loses_nothing_that_was_published(
    patroni: PatroniServers, source: Path, tmp_path: Path
) -> None:
    address = f"{patroni.new_database()}&index=database&index_folder={tmp_path / 'small'}"
    ingesting = command(source, address)
    assert ingesting.stdout is not None
    acknowledged = 0
    killed = None
    for seen, line in enumerate(ingesting.stdout, start=1):
        acknowledged = int(line.removeprefix("published "))
        if seen == _SEEN + 1:  # the first one is that of the empty library
            with open_store(address, embedder=HashingEmbedder(32)) as reader:
                killed = patroni.kill_primary()
    assert killed is not None
    _, said = ingesting.communicate(timeout=300)
    assert ingesting.returncode == 1, said
    assert said.startswith("StoreError: the database at postgresql://")
    assert said.count("\n") == 1

    patroni.wait_for_primary()
    assert patroni.primary() != killed
    with open_store(address, embedder=HashingEmbedder(32)) as reader:
        held = len(reader.items())
        assert acknowledged <= held < _ACTS  # nothing that was acknowledged is lost
        assert len({match.work for match in reader.match_text("duty", Filter(), 500)}) == held  # one state
    again = command(source, address)
    told, said = again.communicate(timeout=300)
    assert again.returncode == 0, said
    assert told.splitlines()[-1] == "whole"

    undisturbed = tmp_path / "undisturbed"
    embedder = HashingEmbedder(32)
    with (
        EmbeddedStore.open(undisturbed, writable=True, embedder=embedder) as store,
        open_mirror(source) as mirror,
    ):
        ingest(store, pack, mirror)
    assert contents(address)[""] == contents(undisturbed)[""]

    patroni.start(killed)  # back as a replica
    patroni.wait_for_replicas(patroni_servers.NODES - 1)
