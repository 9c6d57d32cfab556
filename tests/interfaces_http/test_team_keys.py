"""Keys in the database: hashed, with rights and an end, rotated, revoked, and asked for by the server."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg
import pytest
from fastapi.testclient import TestClient

from http_serving import serving, until
from making import simple
from postgres_server import PostgresServer
from pykala.interfaces.http.app import application
from pykala.interfaces.http.options import ServerOptions
from pykala.interfaces.serving.location import LibraryLocation
from pykala.library.library import Library
from pykala.stores.postgres.keys import REMEMBERED, KeyRing
from pykala.stores.postgres.store import PostgresStore
from pykala.stores.store import StoreError

SOON = datetime(2100, 1, 1, tzinfo=UTC)
LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)


@pytest.fixture
def address(postgres: PostgresServer, tmp_path: Path) -> str:
    place = postgres.new_database()
    with PostgresStore.open_at(place, writable=True, index_folder=tmp_path / "indexes") as store:
        store.put(simple("fi:act:1992/1535", "Vero on 34 prosenttia.", language="fi"))
    return place


@pytest.fixture
def ring(address: str) -> Iterator[KeyRing]:
    opened = KeyRing(address)
    yield opened
    opened.close()


def opened(folder: Path, *, writable: bool = False) -> Library:
    return Library.open(folder, writable=writable, embedder=None)


def make(ring: KeyRing, name: str = "accounts", *rights: str, expires_at: datetime | None = None) -> str:
    return ring.add(name, rights or ("read",), expires_at=expires_at, caller="test")


def test_a_key_is_known_and_kept_nowhere(ring: KeyRing, address: str, postgres: PostgresServer) -> None:
    assert not ring.is_guarded
    key = make(ring, "accounts", "read", "upload", expires_at=SOON)
    assert ring.is_guarded
    holder = ring.holder(key)
    assert holder is not None
    assert (holder.name, holder.rights) == ("accounts", frozenset({"read", "upload"}))
    assert ring.holder(f"{key}x") is None
    (listed,) = ring.listed()
    assert listed.last_used_at is not None
    assert listed.expires_at == SOON
    held = "\n".join(str(row) for row in ring._records.execute("SELECT * FROM api_keys").fetchall())
    assert key not in held
    assert key.removeprefix("pyk_") not in held


def test_a_key_that_has_ended_or_was_revoked_is_refused(ring: KeyRing) -> None:
    assert ring.holder(make(ring, "old", expires_at=LONG_AGO)) is None
    key = make(ring)
    assert ring.holder(key) is not None
    assert ring.revoke("accounts", caller="test") == 1
    assert ring.holder(key) is None
    with pytest.raises(StoreError, match="no key of the name"):
        ring.revoke("accounts", caller="test")


def test_another_server_learns_of_it_within_seconds(ring: KeyRing, address: str) -> None:
    now = [0.0]
    other = KeyRing(address, clock=lambda: now[0])
    key = make(ring)
    assert other.holder(key) is not None
    ring.revoke("accounts", caller="test")
    assert other.holder(key) is not None  # remembered
    now[0] += REMEMBERED + 1
    assert other.holder(key) is None
    other.close()


def test_a_rotated_key_works_for_a_while(ring: KeyRing) -> None:
    first = make(ring, "accounts", "read", "delete", expires_at=SOON)
    second = ring.rotate("accounts", grace=timedelta(hours=1), caller="test")
    assert ring.holder(first) is not None
    holder = ring.holder(second)
    assert holder is not None
    assert holder.rights == {"read", "delete"}
    third = ring.rotate("accounts", grace=timedelta(), caller="test")
    assert ring.holder(first) is None
    assert ring.holder(second) is None
    assert ring.holder(third) is not None


def test_what_was_done_to_keys_is_written_down(ring: KeyRing) -> None:
    make(ring)
    ring.revoke("accounts", caller="jane")
    told = ring._records.execute("SELECT caller, action, subject FROM audit_log ORDER BY id").fetchall()
    assert told == [("test", "key added", "accounts"), ("jane", "key revoked", "accounts")]


def test_a_key_is_not_taken_for_somebody_who_signs_in(ring: KeyRing) -> None:
    with pytest.raises(StoreError, match="people who sign in"):
        make(ring, "user:jane")


def test_a_server_goes_on_while_the_database_does_not_answer(
    ring: KeyRing, address: str, tmp_path: Path
) -> None:
    key, place = make(ring), Path(address)
    held = {"Authorization": f"Bearer {key}"}
    with (
        serving(
            tmp_path,
            open_library=lambda folder, writable=False: Library.open(
                folder, writable=writable, embedder=None
            ),
            place=LibraryLocation(place, place),
        ) as served,
        served.client() as client,
        psycopg.connect(address) as other,
        ThreadPoolExecutor(1) as asking,
    ):
        other.execute("LOCK TABLE pykala.api_keys IN ACCESS EXCLUSIVE MODE")
        waiting = asking.submit(client.get, "/api/v1/library", headers=held)
        query = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
        assert until(lambda: other.execute(query).fetchone() == (1,))
        assert client.get("/api/v1/health").status_code == 200
        assert not waiting.done()
        other.rollback()
        assert waiting.result().status_code == 200


def test_a_database_that_is_gone_is_told_as_that(ring: KeyRing, address: str) -> None:
    make(ring)
    place = Path(address)
    app = application(
        LibraryLocation(place, place),
        opened,
        replace(ServerOptions(), hosts=("testserver",)),
    )
    with TestClient(app) as client, psycopg.connect(address, autocommit=True) as other:
        other.execute("ALTER TABLE pykala.api_keys RENAME TO elsewhere")
        told = client.get("/api/v1/library", headers={"Authorization": "Bearer pyk_wrong"})
        assert (told.status_code, told.json()["code"]) == (503, "library-unusable")
        assert client.get("/api/v1/health").status_code == 200


def test_the_server_asks_for_keys_of_the_library(ring: KeyRing, address: str) -> None:
    place = Path(address)
    app = application(
        LibraryLocation(place, place),
        opened,
        replace(ServerOptions(), hosts=("testserver",)),
    )
    key = make(ring)
    with TestClient(app) as client:
        assert client.get("/api/v1/library").status_code == 401
        assert client.get("/api/v1/library", headers={"Authorization": "Bearer pyk_wrong"}).status_code == 401
        held = {"Authorization": f"Bearer {key}"}
        assert client.get("/api/v1/library", headers=held).status_code == 200
        refused = client.delete("/api/v1/library/works", params={"work": "fi:act:1992/1535"}, headers=held)
        assert refused.status_code == 403
