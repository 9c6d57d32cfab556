"""The primary is killed while two writers are at work: published states stay, and the same commands go on."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import patroni_servers
from patroni_servers import PatroniServers
from pykala.fetch.mirror import open_mirror
from pykala.ingest import ingest
from pykala.law.filters import Filter
from pykala.stores.embedded.store import EmbeddedStore
from pykala.stores.opening import open_store
from same_contents import contents
from writing_aside import EMBEDDER, FIRST_OF_YY, Place

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
def sources(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folders = {}
    for code, first in (("xx", 10), ("yy", FIRST_OF_YY)):
        folder = folders[code] = tmp_path_factory.mktemp(code)
        for number in range(first, first + _ACTS):
            words = f"Act {number}\nDuty {number} under § 1 of act {number - 1}.\n" + "A long duty. " * 50
            (folder / f"{number}.txt").write_text(words, "utf-8")
    return folders


def command(code: str, source: Path, address: str) -> subprocess.Popen[str]:
    path = os.pathsep.join([str(TESTS), str(TESTS.parent / "src"), os.environ.get("PYTHONPATH", "")])
    return subprocess.Popen(
        [sys.executable, str(TESTS / "failing_over.py"), code, str(source), address],
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def published(process: subprocess.Popen[str]) -> int:
    """How many works its next publication has."""
    assert process.stdout is not None
    return int(process.stdout.readline().removeprefix("published "))


def test_a_killed_primary_loses_nothing_that_was_published(
    patroni: PatroniServers, sources: dict[str, Path], tmp_path: Path
) -> None:
    address = f"{patroni.new_database()}&index=database&index_folder={tmp_path / 'small'}"
    writers = {code: command(code, source, address) for code, source in sources.items()}
    for _ in range(_SEEN):  # the first one is that of the opening
        acknowledged = max(published(writer) for writer in writers.values())
    with open_store(address, embedder=EMBEDDER) as reader:
        killed = patroni.kill_primary()
        assert len(reader.items()) >= acknowledged
    for writer in writers.values():
        told, said = writer.communicate(timeout=300)
        acknowledged = max([acknowledged, *(int(line.split()[1]) for line in told.splitlines())])
        assert writer.returncode == 1, said
        assert said.startswith("StoreError: the database at postgresql://")
        assert said.count("\n") == 1

    patroni.wait_for_primary()
    assert patroni.primary() != killed
    with open_store(address, embedder=EMBEDDER) as reader:
        held = len(reader.items())
        assert acknowledged <= held < 2 * _ACTS  # nothing that was acknowledged is lost
        assert len({match.work for match in reader.match_text("duty", Filter(), 500)}) == held  # one state
    for writer in [command(code, source, address) for code, source in sources.items()]:  # at once again
        told, said = writer.communicate(timeout=300)
        assert writer.returncode == 0, said
        assert told.splitlines()[-1] == "whole"

    undisturbed = tmp_path / "undisturbed"
    for code, source in sources.items():
        with (
            EmbeddedStore.open(undisturbed, writable=True, embedder=EMBEDDER) as store,
            open_mirror(source) as mirror,
        ):
            ingest(store, Place(code), mirror)
    assert contents(address)[""] == contents(undisturbed)[""]

    patroni.start(killed)  # back as a replica
    patroni.wait_for_replicas(patroni_servers.NODES - 1)
