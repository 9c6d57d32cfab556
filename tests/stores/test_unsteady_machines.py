"""A slow network that cuts connections, a full disk, clocks that differ: a clear error, and nothing lost."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import install_qdrant
import postgres_server
from cluster_file import write_cluster_file
from making import simple
from postgres_server import PostgresServer
from pykala.law.filters import Filter
from pykala.models.hashing import HashingEmbedder
from pykala.stores.opening import open_store, open_writer
from pykala.stores.postgres.generations import Generations
from pykala.stores.store import Store, StoreError, StoreFull
from qdrant_server import QdrantServer
from slow_proxy import SlowProxy

EMBEDDER = HashingEmbedder(32)
HORSES, COWS = (simple(f"xx:act:{n}", f"A tax on {beast}.") for n, beast in ((1, "horses"), (2, "cows")))
LATE = 0.005  # seconds that every part of a message is late


@pytest.fixture(params=["files", "database"])
def address(request: pytest.FixtureRequest, postgres: PostgresServer, tmp_path: Path) -> str:
    return f"{postgres.new_database()}?index={request.param}&index_folder={tmp_path / 'index'}"


@pytest.fixture
def proxy(postgres: PostgresServer) -> Iterator[SlowProxy]:
    with SlowProxy.before(postgres.port, seconds=LATE) as made:
        yield made


def found(store: Store) -> list[tuple[str, float]]:
    vector = EMBEDDER.encode(["tax on horses"], "query")[0]  # type: ignore[arg-type]
    hits = (*store.match_text("tax on horses", Filter(), 5), *store.match_vector(vector, Filter(), 5))
    return [(str(one.work), one.score) for one in hits]


def test_a_slow_network_that_cuts_connections_changes_no_answer(
    address: str, postgres: PostgresServer, proxy: SlowProxy
) -> None:
    slow = address.replace(f":{postgres.port}/", f":{proxy.port}/")
    with open_writer(slow, embedder=EMBEDDER) as writer:
        writer.put(HORSES)
    with open_store(address, embedder=EMBEDDER) as near, open_store(slow, embedder=EMBEDDER) as far:
        wanted = found(near)
        assert found(far) == wanted
        for _ in range(3):
            proxy.cut()
            assert found(far) == wanted  # connected anew, on the same state


def test_a_writer_that_is_cut_off_publishes_nothing(
    address: str, postgres: PostgresServer, proxy: SlowProxy
) -> None:
    slow = address.replace(f":{postgres.port}/", f":{proxy.port}/")
    with open_writer(address, embedder=EMBEDDER) as writer:
        writer.put(HORSES)
        wanted = found(writer)
    writer = open_writer(slow, embedder=EMBEDDER)
    proxy.cut()
    with pytest.raises(StoreError, match=r"could not be reached or ended the connection") as error:
        writer.put(COWS)
    assert "\n" not in str(error.value)
    writer.close()
    with open_store(address, embedder=EMBEDDER) as reader:
        assert found(reader) == wanted
    postgres.wait_for_no_writer(address.partition("?")[0])
    with open_writer(address, embedder=EMBEDDER) as writer:  # the same again
        writer.put(COWS)
    with open_store(address, embedder=EMBEDDER) as reader:
        assert {work for work, _ in found(reader)} == {"xx:act:1", "xx:act:2"}


def test_a_slow_node_of_qdrant_and_one_that_is_cut_change_no_answer(
    tmp_path: Path, postgres: PostgresServer, qdrant: QdrantServer
) -> None:
    (whole,) = qdrant.addresses
    with SlowProxy.before(int(whole.rpartition(":")[2]), seconds=LATE) as node:
        nodes = [f"http://127.0.0.1:{node.port}", whole]
        file = write_cluster_file(tmp_path / "cluster", postgres.new_database(), nodes)
        with open_writer(f"cluster:{file}", embedder=EMBEDDER) as writer:
            writer.put(HORSES)
        with open_store(f"cluster:{file}", embedder=EMBEDDER) as reader:
            wanted = found(reader)
            node.cut_after(40)
            node.cut()
            assert found(reader) == wanted
    qdrant.drop_all()


def test_a_full_disk_of_the_database_is_one_line_and_the_last_state_stays(
    address: str, postgres: PostgresServer
) -> None:
    """The server reports a full disk while rows are written."""
    with open_writer(address, embedder=EMBEDDER) as writer:
        writer.put(HORSES)
        wanted = found(writer)
    bare = address.partition("?")[0]
    postgres.execute(
        "CREATE FUNCTION pykala.full() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
        " RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;"
        " CREATE TRIGGER full_disk BEFORE INSERT ON pykala.passages"
        " FOR EACH ROW EXECUTE FUNCTION pykala.full()",
        bare,
    )
    with open_writer(address, embedder=EMBEDDER) as writer:
        with pytest.raises(StoreFull, match=r"is full; what was published before is safe") as error:
            writer.put(COWS)
        assert "\n" not in str(error.value)
    with open_store(address, embedder=EMBEDDER) as reader:
        assert found(reader) == wanted
    postgres.execute("DROP TRIGGER full_disk ON pykala.passages", bare)
    with open_writer(address, embedder=EMBEDDER) as writer:
        assert writer.put(COWS)


@pytest.mark.parametrize("part", ["database", "qdrant"])
def test_a_small_disk_fills_up_and_nothing_published_is_lost(part: str, tmp_path: Path) -> None:
    reason = postgres_server.missing() or (install_qdrant.missing() if part == "qdrant" else "")
    if reason:
        pytest.skip(reason)
    private = ["unshare", "--mount", "--propagation", "private"]
    if not shutil.which("unshare") or subprocess.run([*private, "true"], capture_output=True).returncode:
        pytest.skip("a small disk cannot be mounted here (needs root); what the server says is tested above")
    script = Path(__file__).parents[1] / f"full_{part}_disk.py"
    done = subprocess.run(
        [*private, sys.executable, str(script), str(tmp_path)], capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["published"]
    assert told["read"] == told["published"]
    assert "is full" in told["message"]
    assert "what was published before is safe" in told["message"]
    assert "\n" not in told["message"]
    assert told["later"] == sorted([*told["published"], "xx:act:1000"])


def test_machines_whose_clocks_differ_see_the_same_states(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """States are numbered: no time of a machine takes part."""
    now = time.time
    with open_writer(address, embedder=EMBEDDER) as writer:
        writer.put(HORSES)
    reader = open_store(address, embedder=EMBEDDER)
    for skew in (-86_400.0 * 400, 86_400.0 * 400):
        with monkeypatch.context() as patched:
            patched.setattr(time, "time", lambda skew=skew: now() + skew)
            with open_writer(address, embedder=EMBEDDER) as writer:
                writer.put(simple(f"xx:act:{3 if skew < 0 else 4}", "A tax on horses and foals."))
        assert reader.catch_up()
        assert not reader.catch_up()
        assert len(list(reader.works())) == (2 if skew < 0 else 3)
    reader.close()


def test_a_reader_leaves_what_a_writer_beside_it_is_writing(tmp_path: Path) -> None:
    generations = Generations(tmp_path)
    for number in range(6):
        generations.folder(number).mkdir(parents=True)
    generations.discard_before(4)
    assert {int(path.name) for path in (tmp_path / "generations").iterdir()} == {2, 3, 4, 5}
