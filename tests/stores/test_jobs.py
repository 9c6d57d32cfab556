"""Progress of long work without a Redis: in a table of the database, for the command and for the server."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from fastapi.testclient import TestClient

from making import simple
from postgres_server import PASSWORD, PostgresServer
from pykala.caches.configured import configured_jobs
from pykala.caches.job_files import JobFiles
from pykala.caches.jobs import JobBoard, RedisJobs
from pykala.caches.redis_server import RedisServer
from pykala.interfaces.cli.main import run
from pykala.interfaces.http.app import application
from pykala.interfaces.http.options import ServerOptions
from pykala.interfaces.serving.location import LibraryLocation
from pykala.library import Library
from pykala.stores.postgres.jobs import JobTable
from pykala.stores.postgres.store import PostgresStore
from redis_server import RedisProcess
from redis_server import missing as no_redis

SAMPLE = Path(__file__).parents[2] / "src/pykala/packs/nyc/sample"


@pytest.fixture
def address(postgres: PostgresServer, tmp_path: Path) -> str:
    place = postgres.new_database()
    with PostgresStore.open_at(place, writable=True, index_folder=tmp_path / "indexes") as store:
        store.put(simple("fi:act:1992/1535", "Vero on 34 prosenttia.", language="fi"))
    return place


@pytest.fixture
def boards(address: str) -> Iterator[list[JobBoard]]:
    """The boards of two machines, one second apart from each word to the next."""
    seconds = iter(range(1_000))
    made = [JobBoard(JobTable(address), now=lambda: float(next(seconds))) for _ in range(2)]
    yield made
    for one in made:
        one.close()


def test_work_is_told_of_on_every_machine(
    boards: list[JobBoard], address: str, postgres: PostgresServer
) -> None:
    here, there = boards
    with here.reporting("ingest ca") as progress:
        progress(40, 100)
        (job,) = (there.listed() or {}).values()
        assert (job.name, job.done, job.total, job.ended) == ("ingest ca", 40, 100, "")
        assert job.began <= job.told
    with pytest.raises(ZeroDivisionError), here.reporting("ingest fi"):
        raise ZeroDivisionError
    assert [(one.name, one.ended) for one in (there.listed() or {}).values()] == [
        ("ingest fi", "failed"),
        ("ingest ca", "finished"),
    ]
    postgres.execute("UPDATE pykala.jobs SET told = now() - interval '25 hours'", address)
    assert there.listed() == {}
    with here.reporting("ingest eu"):
        pass
    with psycopg.connect(address) as records:  # older ones are removed
        assert records.execute("SELECT name FROM pykala.jobs").fetchall() == [("ingest eu",)]


def test_work_goes_on_where_nothing_can_be_written(address: str, postgres: PostgresServer) -> None:
    name = address.rpartition("/")[2]
    role = f"looker_at_{name}"
    postgres.execute(
        f"CREATE ROLE {role} LOGIN PASSWORD '{PASSWORD}'; GRANT USAGE ON SCHEMA pykala TO {role};"
        f" GRANT SELECT ON ALL TABLES IN SCHEMA pykala TO {role}",
        address,
    )
    board = JobBoard(JobTable(postgres.url(name, user=role)))
    done = 0
    with board.reporting("ingest ca") as progress:
        assert board.fault
        assert PASSWORD not in board.fault
        progress(1, 2)
        done += 1
    assert done == 1
    assert board.listed() == {}
    assert board.fault == ""
    board.close()


@pytest.mark.skipif(bool(no_redis()), reason=no_redis())
def test_work_that_began_in_a_redis_is_told_on_in_the_database(address: str, tmp_path: Path) -> None:
    redis = RedisProcess(tmp_path / "redis")
    redis.start()
    seconds = iter(range(1_000))
    server = RedisServer(redis.address, patience=5.0)
    board = JobBoard(RedisJobs(server, address), JobTable(address), now=lambda: float(next(seconds)))
    table = JobTable(address)
    try:
        with board.reporting("ingest ca") as progress:
            progress(1, 3)
            assert [one.done for one in (board.listed() or {}).values()] == [1]
            assert table.read() == {}
            redis.kill()
            progress(2, 3)
            assert [one.done for one in (board.listed() or {}).values()] == [2]
            assert "Redis" in board.fault
        assert [one.ended for one in (table.read() or {}).values()] == ["finished"]
    finally:
        redis.kill()
        table.close()
        board.close()


def test_the_commands_of_a_team_tell_of_an_ingest_into_an_empty_database(
    postgres: PostgresServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    address = f"{postgres.new_database()}?index_folder={tmp_path / 'indexes'}"
    monkeypatch.setenv("PYKALA_EMBEDDER", "none")
    monkeypatch.delenv("PYKALA_REDIS", raising=False)
    assert run(["ingest", "nyc", "--from", str(SAMPLE), "--library", address, "--workers", "1"]) == 0
    capsys.readouterr()
    assert run(["jobs", "--json", "--library", address]) == 0
    (job,) = json.loads(capsys.readouterr().out)
    assert (job["name"], job["ended"]) == ("ingest nyc", "finished")
    assert job["done"] == job["total"] > 0


def test_a_folder_has_files_for_its_jobs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("PYKALA_REDIS", raising=False)
    monkeypatch.setenv("PYKALA_CACHE", str(tmp_path / "cache"))
    law, cache = tmp_path / "law", tmp_path / "cache"
    Library.open(law, writable=True, create=True, embedder=None).close()
    seconds = iter(range(int(time.time()), int(time.time()) + 1_000))
    board = JobBoard(JobFiles(cache, law), now=lambda: float(next(seconds)))
    with board.reporting("ingest ca") as progress:
        progress(40, 100)
        assert run(["jobs", "--json", "--library", str(law)]) == 0
        (job,) = json.loads(capsys.readouterr().out)
        assert (job["name"], job["done"], job["total"], job["ended"]) == ("ingest ca", 40, 100, "")
    assert served(LibraryLocation(law, None), cache)["jobs"][0]["ended"] == "finished"  # type: ignore[index]
    assert configured_jobs(tmp_path / "other", "", cache).listed() == {}
    for path in cache.rglob("jobs/*/*"):
        told = json.loads(path.read_text()) | {"told": time.time() - 90_000}
        path.write_text(json.dumps(told))
        os.utime(path, (told["told"], told["told"]))
    assert board.listed() == {}
    with board.reporting("ingest eu"):  # older ones are removed
        pass
    assert len(list(cache.rglob("jobs/*/*"))) == 1


def test_files_of_jobs_that_cannot_be_written_or_read_are_no_error(tmp_path: Path) -> None:
    (tmp_path / "jobs").write_text("in the way")
    board = configured_jobs(tmp_path / "law", "", tmp_path)
    with board.reporting("ingest ca") as progress:
        progress(1, 2)
    assert board.listed() == {}
    assert "cannot be written" in board.fault
    (tmp_path / "jobs").unlink()
    with board.reporting("ingest fi"):
        (path,) = tmp_path.rglob("jobs/*/*")
        (path.parent / "junk").write_text("{")
        assert [one.name for one in (board.listed() or {}).values()] == ["ingest fi"]


def served(place: LibraryLocation, cache: Path | None = None) -> dict[str, object]:
    def opened(folder: Path, *, writable: bool = False) -> Library:
        return Library.open(folder, writable=writable, embedder=None)

    options = ServerOptions(
        hosts=("testserver",), keys=("reader",), administer_keys=("operator",), cache=cache
    )
    with TestClient(application(place, opened, options)) as client:
        refused = client.get("/api/v1/jobs", headers={"Authorization": "Bearer reader"})
        assert (refused.status_code, refused.json()["code"]) == (403, "not-allowed")
        told = client.get("/api/v1/jobs", headers={"Authorization": "Bearer operator"})
        found: dict[str, object] = told.raise_for_status().json()
        return found


def test_the_server_shows_jobs(boards: list[JobBoard], address: str) -> None:
    with boards[0].reporting("fetch eu") as progress:
        progress(2, 5)
        place = Path(address)
        told = served(LibraryLocation(place, place))
    assert told["fault"] == ""
    (job,) = told["jobs"]  # type: ignore[misc]
    assert (job["name"], job["done"], job["total"], job["ended"]) == ("fetch eu", 2, 5, "")
    assert job["began"].endswith("Z")
