"""Two writers in one library: each has its jurisdiction, they take turns to publish, and nothing is lost."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest

import install_qdrant
import s3_server
from cluster_file import write_cluster_file
from making import simple
from postgres_server import PASSWORD, PostgresServer
from pykala.fetch.mirror import open_mirror
from pykala.ingest import ingest
from pykala.law.filters import Filter
from pykala.stores.embedded import integrity
from pykala.stores.embedded.store import EmbeddedStore
from pykala.stores.matters import Matters
from pykala.stores.opening import open_store, open_writer, reindex, verify
from pykala.stores.postgres import locking
from pykala.stores.postgres.address import with_matter
from pykala.stores.postgres.jobs import JobTable
from pykala.stores.postgres.objects import S3Objects
from pykala.stores.store import Store, StoreError, StoreLocked
from qdrant_server import QdrantServer
from s3_server import S3Server
from same_contents import contents
from slow_proxy import SlowProxy
from writing_aside import EMBEDDER, FIRST_OF_YY, Place

TESTS = Path(__file__).parent
ACTS = 12
BUCKET = "law-of-two-writers"


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Two places whose acts cite the act before, and one of the other place."""
    folders = {}
    for code, first, abroad in (("xx", 10, FIRST_OF_YY), ("yy", FIRST_OF_YY, 10)):
        folder = folders[code] = tmp_path_factory.mktemp(code)
        for number in range(first, first + ACTS):
            cited = f"Duty {number} under § 1 of act {number - 1} and § 1 of act {number - first + abroad}."
            words = f"Act {number}\n{cited}\n" + "A long duty. " * (20 + number)
            (folder / f"{number}.txt").write_text(words, "utf-8")
    return folders


@pytest.fixture(scope="module")
def s3(tmp_path_factory: pytest.TempPathFactory) -> Iterator[S3Server]:
    if reason := s3_server.missing():
        pytest.skip(reason)
    with S3Server.started(tmp_path_factory.mktemp("s3")) as server, pytest.MonkeyPatch.context() as patched:
        for name, value in server.environment.items():
            patched.setenv(name, value)
        S3Objects(f"s3://{BUCKET}")._client.create_bucket(Bucket=BUCKET)
        yield server


class Machines:
    """One library, as each of two machines names it."""

    def __init__(self, records: str, addresses: dict[str, str], environment: dict[str, str]) -> None:
        self.records, self.addresses, self._environment = records, addresses, environment
        self._started: list[subprocess.Popen[str]] = []

    def start(self, code: str, source: Path, *, stop: str = "") -> subprocess.Popen[str]:
        """An ingest on a machine of its own."""
        path = os.pathsep.join([str(TESTS), str(TESTS.parent / "src"), os.environ.get("PYTHONPATH", "")])
        cache = {"XDG_CACHE_HOME": str(Path(self._environment["XDG_CACHE_HOME"]) / code)}
        process = subprocess.Popen(
            [sys.executable, str(TESTS / "writing_aside.py"), code, str(source), self.addresses[code], stop],
            env={**os.environ, **self._environment, **cache, "PYTHONPATH": path},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._started.append(process)
        return process

    def close(self) -> None:
        """End what a failed test has left."""
        for process in self._started:
            process.kill()
            process.communicate()


@pytest.fixture(params=["files", "s3", "database", "cluster"])
def machines(
    request: pytest.FixtureRequest,
    postgres: PostgresServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Machines]:
    records, codes = postgres.new_database(), ("xx", "yy")
    environment = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    if request.param == "files":
        addresses = dict.fromkeys(codes, f"{records}?index_folder={tmp_path / 'shared'}")
    elif request.param == "database":
        addresses = {code: f"{records}?index=database&index_folder={tmp_path / code}" for code in codes}
    elif request.param == "s3":
        server: S3Server = request.getfixturevalue("s3")
        folder = f"s3://{BUCKET}/{records.rpartition('/')[2]}"
        addresses = dict.fromkeys(codes, f"{records}?index_folder={folder}")
        environment |= server.environment
    else:
        if reason := install_qdrant.missing():
            pytest.skip(reason)
        nodes: QdrantServer = request.getfixturevalue("qdrant")
        addresses = {
            code: f"cluster:{write_cluster_file(tmp_path / code, records, nodes.addresses)}" for code in codes
        }
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    made = Machines(records, addresses, environment)
    yield made
    made.close()
    if request.param == "cluster":
        nodes.drop_all()


def wait_until_stopped(process: subprocess.Popen[str]) -> None:
    assert process.stdout is not None
    said = process.stdout.readline()
    assert said == "stopped\n", process.communicate()


def let_on(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()


def finish(process: subprocess.Popen[str]) -> None:
    told, said = process.communicate(timeout=600)
    assert (told.splitlines()[-1:], said) == (["done"], "")


def links(address: str) -> set[tuple[str, ...]]:
    """Every edge in words, whatever numbers its ends have, and every reference that leads nowhere."""
    end = "works.key || '/' || nodes.path FROM nodes JOIN works ON works.id = nodes.work WHERE nodes.id ="
    with psycopg.connect(address, options="-c search_path=pykala") as connection:
        linked = connection.execute(f"SELECT (SELECT {end} edges.source), (SELECT {end} target) FROM edges")
        lost = connection.execute("SELECT text, reason FROM refs WHERE reason != ''")
        return {*linked.fetchall(), *lost.fetchall()}


def found(store: Store) -> list[tuple[str, float]]:
    """What searches by words and by meaning find, with scores."""
    vector = EMBEDDER.encode(["duty under act 15"], "query")[0]
    hits = []
    for code in ("xx", "yy"):
        place = Filter(jurisdictions=frozenset({code}))
        hits += store.match_text("duty under act 15", place, 50)
        hits += store.match_vector(vector, place, 50)
    return sorted((str(one.provision), round(one.score, 3)) for one in hits)


def in_turn(folder: Path, sources: dict[str, Path]) -> tuple[str, list[tuple[str, float]]]:
    """The digest of what one process stores, one place after the other, and what is found in it."""
    for code, source in sources.items():
        with (
            EmbeddedStore.open(folder, writable=True, embedder=EMBEDDER) as store,
            open_mirror(source) as read,
        ):
            ingest(store, Place(code), read)
    with EmbeddedStore.open(folder, embedder=EMBEDDER) as reader:
        return contents(folder)[""][1], found(reader)


def require_whole(machines: Machines, sources: dict[str, Path], folder: Path) -> None:
    """The library is what it would be, had one process read one place after the other."""
    digest, hits = in_turn(folder, sources)
    assert contents(machines.records)[""][1] == digest
    for address in machines.addresses.values():
        with open_store(address, embedder=EMBEDDER) as reader:
            assert found(reader) == hits
    linked = links(machines.records)
    for number in range(ACTS):
        ends = f"xx:act:{10 + number}/sec_1", f"yy:act:{FIRST_OF_YY + number}/sec_1"
        assert {ends, ends[::-1]} <= linked
    assert len(linked) == 4 * ACTS  # the first act of each place cites one that there is not
    checked = verify(machines.addresses["yy"], embedder=EMBEDDER)
    assert checked.is_whole, checked.findings


def test_two_at_once_make_the_library_that_one_after_the_other_makes(
    machines: Machines, sources: dict[str, Path], tmp_path: Path
) -> None:
    first = machines.start("xx", sources["xx"], stop="5")
    wait_until_stopped(first)
    second = machines.start("yy", sources["yy"], stop="5")  # the first one is in the middle of its work
    wait_until_stopped(second)
    with closing(JobTable(machines.records)) as jobs:
        listed = jobs.read()
    assert listed is not None
    assert {(one.name, one.ended) for one in listed.values()} == {("ingest xx", ""), ("ingest yy", "")}
    let_on(first)
    let_on(second)
    finish(first)
    finish(second)
    require_whole(machines, sources, tmp_path / "undisturbed")


def test_one_that_is_killed_as_it_publishes_leaves_the_other_its_turn(
    machines: Machines, sources: dict[str, Path], tmp_path: Path
) -> None:
    first = machines.start("xx", sources["xx"], stop="5")
    wait_until_stopped(first)
    second = machines.start("yy", sources["yy"], stop="turn")
    wait_until_stopped(second)
    let_on(first)  # it waits for the turn of the second one
    with open_store(machines.addresses["xx"], embedder=EMBEDDER) as reader:
        before = len(reader.items())
    second.kill()
    second.communicate()
    finish(first)
    with open_store(machines.addresses["xx"], embedder=EMBEDDER) as reader:
        held = [str(work) for work in reader.items().values()]
    assert sum(work.startswith("xx:") for work in held) == ACTS
    assert 0 < sum(work.startswith("yy:") for work in held) <= before < ACTS  # what it had published stays
    checked = verify(machines.addresses["xx"], embedder=EMBEDDER)
    assert checked.is_whole, checked.findings
    finish(machines.start("yy", sources["yy"]))
    require_whole(machines, sources, tmp_path / "undisturbed")


@pytest.fixture
def address(postgres: PostgresServer, tmp_path: Path) -> str:
    return f"{postgres.new_database()}?index_folder={tmp_path / 'index'}"


XX, YY = simple("xx:act:1", "A tax on horses."), simple("yy:act:1", "A tax on cows.")


def test_a_jurisdiction_has_one_writer(address: str) -> None:
    with open_writer(address, embedder=EMBEDDER) as first, open_writer(address, embedder=EMBEDDER) as second:
        with first.alone_in("xx"):
            first.put(XX)
            with pytest.raises(
                StoreLocked, match=r"another process \(connection \d+ from .*\) is writing law"
            ):
                second.alone_in("xx").__enter__()
            with pytest.raises(StoreLocked, match="is writing law of 'xx'"):
                second.delete(XX.work.id)
            with pytest.raises(StoreLocked, match="is writing law of 'xx'") as refused, second.batch():
                second.put(YY)
                second.put(simple("xx:act:1", "A tax on mules."))
            assert PASSWORD not in str(refused.value)
            assert second.put(YY)
            with second.alone_in("yy"), second.alone_in("yy"):
                second.delete(YY.work.id)
        second.delete(XX.work.id)
        first.put(YY)
    with open_store(address, embedder=EMBEDDER) as reader:
        assert [str(work.id) for work in reader.works()] == ["yy:act:1"]


def test_the_same_work_is_stored_once(address: str) -> None:
    with open_writer(address, embedder=EMBEDDER) as first, open_writer(address, embedder=EMBEDDER) as second:
        assert first.put(XX)
        assert second.catch_up()
        assert not second.catch_up()
        assert not second.put(XX)
        assert [str(hit.work) for hit in second.match_text("tax", Filter(), 5)] == ["xx:act:1"]


def test_the_database_lets_go_of_a_writer_whose_machine_is_gone(address: str) -> None:
    with open_writer(address, embedder=EMBEDDER) as writer:
        names = ("idle_session_timeout", *(f"tcp_keepalives_{one}" for one in ("idle", "interval", "count")))
        shown = [writer.records.execute(f"SHOW {name}").fetchone()[0] for name in names]
    assert shown[0] == "0"  # a writer rests while acts are read
    idle, interval, count = (int(one) for one in shown[1:])
    assert 0 < idle + interval * count <= 120


def test_a_writer_that_is_cut_off_as_it_publishes_disturbs_no_other(
    address: str, postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It does not know yet that its turn is over, and goes on writing its index files."""
    record = integrity.record
    with SlowProxy.before(postgres.port, seconds=0) as proxy, open_writer(address, embedder=EMBEDDER) as near:
        far = open_writer(address.replace(f":{postgres.port}/", f":{proxy.port}/"), embedder=EMBEDDER)

        def cut(*given: Any, **named: Any) -> Any:
            with monkeypatch.context() as undone:
                undone.setattr(integrity, "record", record)
                proxy.cut()
                assert near.put(YY)  # once the database has let go of the other
            return record(*given, **named)

        monkeypatch.setattr(integrity, "record", cut)
        with pytest.raises(StoreError, match="could not be reached or ended the connection"):
            far.put(XX)
        monkeypatch.setattr(integrity, "record", record)
        far.close()
        with open_store(address, embedder=EMBEDDER) as reader:
            assert [str(hit.work) for hit in reader.match_text("tax", Filter(), 5)] == ["yy:act:1"]
        assert near.put(XX)
    assert verify(address, embedder=EMBEDDER).is_whole


def test_a_turn_that_does_not_end_is_told(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locking, "LONGEST_TURN", 0.2)
    with open_writer(address, embedder=EMBEDDER) as first, open_writer(address, embedder=EMBEDDER) as second:
        with first.batch():
            first.put(XX)
            with pytest.raises(StoreLocked) as refused:
                second.put(YY)
            told = str(refused.value)
            assert "has been publishing to the library in postgresql://" in told
            assert "what was published before is safe: wait for it to finish, or stop it" in told
            assert "\n" not in told
            assert PASSWORD not in told
        assert second.put(YY)


def test_what_changes_the_whole_library_is_alone(address: str, postgres: PostgresServer) -> None:
    records = address.partition("?")[0]
    with open_writer(address, embedder=EMBEDDER) as writer:
        writer.put(XX)
        for change in (
            lambda: reindex(address, embedder=EMBEDDER),
            lambda: verify(address, embedder=EMBEDDER),
            lambda: contents(records),
        ):
            with pytest.raises(
                StoreLocked, match=r"another process \(connection \d+ from .*\) is writing to"
            ):
                change()
        writer.put(YY)
    with psycopg.connect(records) as held:
        held.execute("SELECT pg_advisory_lock(7921053384)")  # as whoever copies or reindexes does
        with pytest.raises(StoreLocked, match=r"another process .* is changing the whole library"):
            open_writer(address, embedder=EMBEDDER)
        role = f"guest_of_{records.rpartition('/')[2]}"
        postgres.execute(
            f"CREATE ROLE {role} LOGIN PASSWORD '{PASSWORD}'; GRANT USAGE ON SCHEMA pykala TO {role};"
            f" GRANT SELECT ON ALL TABLES IN SCHEMA pykala TO {role}",
            records,
        )
        with pytest.raises(StoreLocked, match=r"\(connection \d+ of another user\) is changing"):
            open_writer(address.replace("//postgres:", f"//{role}:"), embedder=EMBEDDER)
    postgres.wait_for_no_writer(records)
    reindex(address, embedder=EMBEDDER)


def test_a_matter_is_not_erased_while_it_is_written(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pykala.stores.matters._LEAST_WAIT", 0)
    open_writer(address, embedder=EMBEDDER).close()
    with closing(Matters(address)) as matters:
        matters.add("acme/merger", embedder=EMBEDDER, roles=[], caller="test")
        with open_writer(with_matter(address, "acme/merger"), embedder=EMBEDDER) as writer:
            with open_writer(address, embedder=EMBEDDER) as law, law.batch():
                writer.put(XX)  # its turns are its own
            with pytest.raises(StoreLocked, match="is writing to the library"):
                matters.erase("acme/merger", caller="test")
            assert not writer.put(XX)
        matters.erase("acme/merger", caller="test")
        assert matters.listed() == ()
