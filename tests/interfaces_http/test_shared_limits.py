"""Two servers that share a Redis: one limit for both, one cache, and nothing breaks when it is killed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from making import simple
from pykala.caches.configured import configured_cache
from pykala.interfaces.http.app import application
from pykala.interfaces.http.options import ServerOptions
from pykala.interfaces.serving.location import LibraryLocation
from pykala.library.library import Library
from pykala.stores.embedded.store import EmbeddedStore
from redis_server import PASSWORD, RedisProcess, missing

SEARCH = "/api/v1/search?q=horse"


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[RedisProcess]:
    if reason := missing():
        pytest.skip(reason)
    with RedisProcess.started(tmp_path / "redis") as server:
        yield server


@pytest.fixture
def law(tmp_path: Path) -> Path:
    with EmbeddedStore.open(tmp_path / "law", writable=True) as store:
        store.put(simple("fi:act:1992/1535", "Tax is paid by the owner of a horse.", language="en"))
    return tmp_path / "law"


def served(redis: RedisProcess, law: Path, caches: Path, most: int) -> TestClient:
    options = replace(ServerOptions(), hosts=("testserver",), redis=redis.address, requests_per_minute=most)
    cache = configured_cache(caches, redis.address)

    def opened(folder: Path, *, writable: bool = False) -> Library:
        return Library.open(folder, writable=writable, embedder=None).with_parts(cache=cache)

    return TestClient(application(LibraryLocation(law, None), opened, options, cache=cache))


def test_one_limit_for_both_and_one_each_while_redis_is_gone(
    redis: RedisProcess, law: Path, tmp_path: Path
) -> None:
    with ExitStack() as held:
        first, second = (
            held.enter_context(served(redis, law, tmp_path / name, most=4)) for name in ("one", "two")
        )
        asked = [client.get(SEARCH).status_code for client in (first, second) * 3]
        assert asked == [200, 200, 200, 200, 429, 429]
        redis.kill()
        for client in (first, second):  # each with a bucket of its own
            assert [client.get(SEARCH).status_code for _ in range(5)] == [200, 200, 200, 200, 429]


def test_killed_in_the_middle_the_answers_stay_the_same(
    redis: RedisProcess, law: Path, tmp_path: Path
) -> None:
    with served(redis, law, tmp_path / "one", most=0) as client:
        asked = {"question": "Who pays tax for a horse?", "as_of": "2026-06-01"}
        answers = []
        for number in range(6):
            if number == 3:
                redis.kill()
            answers.append(client.post("/api/v1/ask", json=asked).json())
        assert {one["outcome"] for one in answers} == {answers[0]["outcome"]}
        assert {one["text"] for one in answers} == {answers[0]["text"]}
        caches = client.get("/api/v1/caches").json()
        assert "could not be reached" in caches["fault"]
        assert PASSWORD not in str(caches)
