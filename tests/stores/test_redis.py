"""What machines share in Redis: caches, limits, progress; and that all goes on when it is killed."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner

from making import simple
from pykala.caches.cache import CacheName
from pykala.caches.cached import cached_store
from pykala.caches.caching import SqliteCache
from pykala.caches.configured import configured_cache
from pykala.caches.forms import TEXTS
from pykala.caches.jobs import JobBoard, RedisJobs
from pykala.caches.redis_cache import RedisCache
from pykala.caches.redis_server import RedisServer, RedisUnusable, without_secret
from pykala.interfaces.cli.jobs import register
from pykala.interfaces.http.rates import RateLimit, RedisRates
from pykala.law.filters import Filter
from pykala.models.hashing import HashingEmbedder
from pykala.settings import Settings
from pykala.stores.embedded.store import EmbeddedStore
from pykala.stores.store import Search
from redis_server import PASSWORD, RedisProcess, missing

LIBRARY = "postgresql://law@db/law"


class Clock:
    def __init__(self) -> None:
        self.seconds = 1_000.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisProcess]:
    if reason := missing():
        pytest.skip(reason)
    with RedisProcess.started(tmp_path_factory.mktemp("redis")) as server:
        yield server


@pytest.fixture
def redis(running: RedisProcess) -> Iterator[RedisProcess]:
    """The server, empty, and started again where a test has killed it."""
    yield running
    running.kill()
    running.start()


@pytest.fixture
def clock() -> Clock:
    return Clock()


def reached(redis: RedisProcess, clock: Callable[[], float]) -> RedisServer:
    return RedisServer(redis.address, clock=clock, patience=5.0)


def cache_of(redis: RedisProcess, folder: Path, clock: Clock) -> RedisCache:
    local = SqliteCache(folder / "cache.db", worth_keeping=0.0)
    return RedisCache(reached(redis, clock), local, worth_keeping=0.0)


def texts(*values: str) -> Callable[[], Sequence[str]]:
    return lambda: list(values)


def never() -> Sequence[str]:
    raise AssertionError("this was to be had from the cache")


def remembered(cache: RedisCache, make: Callable[[], Sequence[str]], *key: str) -> list[str]:
    return list(cache.remember(CacheName.SEARCHES, key or ("key",), make, TEXTS))


def test_machines_share_a_cache(redis: RedisProcess, tmp_path: Path, clock: Clock) -> None:
    first, second = (cache_of(redis, tmp_path / name, clock) for name in ("one", "two"))
    assert remembered(first, texts("§ 1")) == ["§ 1"]
    assert remembered(second, never) == ["§ 1"]
    second.close()
    kept = {one.name: one for one in first.status()}["searches"]
    assert (kept.entries, kept.hits, kept.misses) == (1, 1, 1)
    assert first.clear([CacheName.EMBEDDINGS]) == 0
    assert first.clear() == 1
    assert remembered(first, texts("§ 2")) == ["§ 2"]
    first.close()


def test_changed_bytes_are_a_miss_and_a_result_ends(
    redis: RedisProcess, tmp_path: Path, clock: Clock
) -> None:
    cache, server = cache_of(redis, tmp_path, clock), reached(redis, clock)
    remembered(cache, texts("§ 1"))

    def spoiled(client: object) -> list[int]:
        places = list(client.scan_iter(match="pykala:1:*"))  # type: ignore[attr-defined]
        lives = [client.pttl(place) for place in places]  # type: ignore[attr-defined]
        for place in places:
            client.setrange(place, 6, b"?")  # type: ignore[attr-defined]
        return lives

    (life,) = server.attempt(spoiled) or ()
    assert 0 < life <= 3_600_000
    assert remembered(cache, texts("§ 2")) == ["§ 2"]
    cache.close()
    server.close()


def test_killed_in_the_middle_everything_goes_on_and_comes_back(
    redis: RedisProcess, tmp_path: Path, clock: Clock
) -> None:
    cache = cache_of(redis, tmp_path, clock)
    assert remembered(cache, texts("§ 1")) == ["§ 1"]
    redis.kill()
    assert remembered(cache, texts("§ 1, made again")) == ["§ 1, made again"]
    assert "could not be reached" in cache.fault
    assert PASSWORD not in cache.fault
    assert remembered(cache, never) == ["§ 1, made again"]  # this machine's own cache
    redis.start()
    assert remembered(cache, never) == ["§ 1, made again"]  # nobody tries again so soon
    clock.seconds += 10
    assert remembered(cache, texts("§ 1")) == ["§ 1"]
    assert not cache.fault
    cache.close()


def test_a_published_state_makes_earlier_searches_unreachable(
    redis: RedisProcess, tmp_path: Path, clock: Clock
) -> None:
    """A library killed of its Redis between two searches finds the same."""
    cache, wanted = cache_of(redis, tmp_path, clock), [Search(Filter(), 10, words="tax")]

    def works(tally: Counter[str]) -> list[str]:
        (hits,) = cached_store(store, cache, tally).search(wanted)
        return sorted(str(match.work) for match in hits.by_words)

    with EmbeddedStore.open(tmp_path / "law", writable=True, embedder=HashingEmbedder(32)) as store:
        store.put(simple("xx:act:1", "A tax on horses."))
        first, again, after, without = (Counter[str]() for _ in range(4))
        assert works(first) == works(again) == ["xx:act:1"]
        assert (first["searches"], again["searches"]) == (0, 1)
        store.put(simple("xx:act:2", "A tax on cows."))
        assert works(after) == ["xx:act:1", "xx:act:2"]
        assert after["searches"] == 0
        redis.kill()
        assert works(without) == ["xx:act:1", "xx:act:2"]
    cache.close()


def test_servers_count_requests_together_and_alone_while_redis_is_gone(
    redis: RedisProcess, clock: Clock
) -> None:
    limits = [RateLimit(3, shared=RedisRates(reached(redis, clock), LIBRARY)) for _ in range(2)]
    assert [limits[at % 2].wait("address 1") for at in range(3)] == [0.0, 0.0, 0.0]
    assert 0 < limits[0].wait("address 1") <= 20
    assert limits[1].is_spent("address 1")
    assert limits[1].wait("address 2") == 0.0
    other = RateLimit(3, shared=RedisRates(reached(redis, clock), "postgresql://other"))
    assert other.wait("address 1") == 0.0
    redis.kill()
    assert [limits[0].wait("address 1") for _ in range(3)] == [0.0, 0.0, 0.0]
    assert limits[0].wait("address 1") > 0
    assert limits[0].is_spent("address 1")


def test_nothing_that_is_kept_names_a_caller(redis: RedisProcess, clock: Clock) -> None:
    server = reached(redis, clock)
    RateLimit(3, shared=RedisRates(server, LIBRARY)).wait("address 192.0.2.7")
    names = server.attempt(lambda client: list(client.scan_iter())) or []
    assert names
    assert not any(b"192.0.2.7" in name for name in names)
    server.close()


def test_work_is_told_of_on_every_machine(redis: RedisProcess, clock: Clock) -> None:
    here, there = (JobBoard(RedisJobs(reached(redis, clock), LIBRARY), now=clock) for _ in range(2))
    with here.reporting("ingest ca") as progress:
        clock.seconds += 5
        progress(40, 100)
        (job,) = (there.listed() or {}).values()
        assert (job.name, job.done, job.total, job.ended) == ("ingest ca", 40, 100, "")
        progress(41, 100)  # too soon to be told
        assert [one.done for one in (there.listed() or {}).values()] == [40]
    (job,) = (there.listed() or {}).values()
    assert (job.done, job.ended) == (41, "finished")
    with pytest.raises(ZeroDivisionError), here.reporting("ingest fi"):
        raise ZeroDivisionError
    assert [one.ended for one in (there.listed() or {}).values()].count("failed") == 1
    assert JobBoard(RedisJobs(reached(redis, clock), "postgresql://other"), now=clock).listed() == {}
    redis.kill()
    with here.reporting("ingest eu") as progress:
        progress(1, 2)
    assert there.listed() is None


def test_what_others_have_written_there_is_no_work(
    redis: RedisProcess, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = reached(redis, clock)
    board = JobBoard(RedisJobs(server, LIBRARY), now=clock)
    with board.reporting("ingest ca"):
        (place,) = server.attempt(lambda client: list(client.scan_iter("pykala:job:*"))) or ()
    told = json.loads(server.attempt(lambda client: client.get(place)) or b"")
    for number, junk in enumerate(
        (
            *(b"", b"[", b"[" * 100_000, b"5", b"[1]", b'{"name": "x"}', b'{"evil": 1}', b"\xff"),
            *(json.dumps({**told, **one}).encode() for one in ({"began": 1e300}, {"told": float("nan")})),
            *(json.dumps({**told, **one}).encode() for one in ({"done": "many"}, {"name": ["x"]})),
        )
    ):
        server.attempt(lambda client, at=number, said=junk: client.set(place + b"%d" % at, said))
    assert [one.name for one in (board.listed() or {}).values()] == ["ingest ca"]
    server.close()


def test_the_command_lists_work(redis: RedisProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import typer

    app = typer.Typer()
    app.command("nothing")(lambda: None)
    register(app)
    monkeypatch.setenv("PYKALA_LIBRARY", LIBRARY)
    monkeypatch.setenv("PYKALA_REDIS", redis.address)
    with JobBoard(RedisJobs(RedisServer(redis.address), LIBRARY)).reporting("ingest ca"):
        told = CliRunner().invoke(app, ["jobs", "--json"])
    assert [one["name"] for one in json.loads(told.stdout)] == ["ingest ca"]
    redis.kill()
    told = CliRunner().invoke(app, ["jobs"])
    assert told.exit_code == 3
    assert "could not be reached" in told.output
    assert PASSWORD not in told.output


# What can be wrong


@pytest.mark.parametrize("sign", "/?#@ :")
def test_a_password_that_was_not_encoded_is_not_shown_either(sign: str) -> None:
    for password in (f"{sign}{PASSWORD}", f"{PASSWORD}{sign}"):
        assert without_secret(f"redis://:{password}@cache:6379/0?protocol=3") == "redis://cache:6379/0"


@pytest.mark.parametrize("address", ["cache:6379", "http://cache", f"redis://:{PASSWORD}@cache:port/0"])
def test_what_is_no_address_is_told_without_its_password(address: str) -> None:
    with pytest.raises(RedisUnusable, match="no address of Redis") as refused:
        RedisServer(address)
    assert PASSWORD not in str(refused.value)
    assert refused.value.__cause__ is None


def test_a_wrong_password_is_told_and_not_shown(redis: RedisProcess, clock: Clock) -> None:
    server = RedisServer(f"redis://:{PASSWORD}x@127.0.0.1:{redis.port}/0", clock=clock, patience=5.0)
    assert server.attempt(lambda client: client.ping()) is None
    assert "user or the password" in server.fault
    assert PASSWORD not in server.fault


def test_settings_never_show_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings.read({"PYKALA_REDIS": f"redis://:{PASSWORD}@cache/0"})
    assert settings.redis.endswith("@cache/0")
    assert PASSWORD not in repr(settings)


def test_a_missing_extra_prints_its_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "redis", None)
    with pytest.raises(RedisUnusable, match=r"pip install 'pykala\[redis\]'"):
        configured_cache(tmp_path, "redis://cache/0")
