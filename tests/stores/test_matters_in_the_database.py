"""Matters whose index is in PostgreSQL: beside a law in PostgreSQL alone, and beside one on a cluster."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest

from cluster_file import write_cluster_file
from making import simple
from postgres_server import PASSWORD, PostgresServer
from pykala.interfaces.cli.main import run
from pykala.law.filters import Filter
from pykala.models.hashing import HashingEmbedder
from pykala.stores.matters import Matters
from pykala.stores.opening import open_store, open_writer
from pykala.stores.postgres import connection
from pykala.stores.postgres.address import with_matter
from pykala.stores.postgres.connection import schema_of
from pykala.stores.store import Store, StoreError
from qdrant_server import QdrantServer

MATTER, OTHER = "acme/merger", "acme/lease"
EMBEDDER = HashingEmbedder(64)
LAW = simple("fi:act:1992/1535", "Tax is paid by the owner of a horse.", language="en")
SECRET = simple("up:" + "a" * 64, "The buyer pays 450 gulden for the xylophone factory.")
MORE = simple("up:" + "b" * 64, "The walrus signs on Monday.")


@dataclass
class Served:
    """A library as its owner and as a server's role reach it, and the database that its records are in."""

    owner: str
    server: str
    records: str
    role: str


@pytest.fixture(params=["database", "cluster"])
def served(
    request: pytest.FixtureRequest, postgres: PostgresServer, qdrant: QdrantServer, tmp_path: Path
) -> Iterator[Served]:
    records = postgres.new_database()
    name = records.rpartition("/")[2]
    role = f"server_of_{name}"
    as_role = postgres.url(name, user=role)
    if request.param == "cluster":
        owner, server = (
            f"cluster:{write_cluster_file(tmp_path / who, address, qdrant.addresses)}"
            for who, address in (("owner", records), ("server", as_role))
        )
    else:
        owner, server = (
            f"{address}?index=database&index_folder={tmp_path / 'small'}" for address in (records, as_role)
        )
    with open_writer(owner, embedder=EMBEDDER) as law:
        law.put(LAW)
    postgres.execute(
        f"CREATE ROLE {role} LOGIN PASSWORD '{PASSWORD}'; GRANT USAGE ON SCHEMA pykala TO {role};"
        f" GRANT SELECT ON ALL TABLES IN SCHEMA pykala TO {role}",
        records,
    )
    with closing(Matters(owner)) as matters:
        for matter in (MATTER, OTHER):
            matters.add(matter, embedder=EMBEDDER, roles=[role], caller="test")
    yield Served(owner, server, records, role)
    qdrant.drop_all()


def found(store: Store, words: str) -> list[str]:
    by_words = store.match_text(words, Filter(), 5)
    vector = EMBEDDER.encode([words], "query")[0]  # type: ignore[arg-type]
    return [str(one.work) for one in (*by_words, *store.match_vector(vector, Filter(), 5))]


def test_a_matter_is_searched_beside_the_law_and_by_nobody_else(
    served: Served, postgres: PostgresServer, qdrant: QdrantServer
) -> None:
    held = qdrant.collections()
    with open_writer(with_matter(served.server, MATTER), create=False, embedder=EMBEDDER) as matter:
        matter.put(SECRET)
    assert qdrant.collections() == held  # what is secret is not in Qdrant
    with closing(open_store(with_matter(served.server, MATTER), embedder=EMBEDDER)) as both:
        assert str(SECRET.work.id) in found(both, "xylophone factory")
        assert str(LAW.work.id) in found(both, "owner of a horse")
    for place in (served.server, with_matter(served.server, OTHER)):
        with closing(open_store(place, embedder=EMBEDDER)) as other:
            assert str(SECRET.work.id) not in found(other, "xylophone factory")
    own = schema_of(MATTER)
    address = postgres.url(served.records.rpartition("/")[2], user=served.role)
    with psycopg.connect(address, autocommit=True) as server:
        for table in ("index_words", "index_meaning", "index_terms", "index_files", "works"):
            query = f"SELECT count(*) FROM {own}.{table}".encode()
            assert server.execute(query).fetchone() == (0,), table
        server.execute(f"SET pykala.owner = '{own}'".encode())
        assert server.execute(f"SELECT count(*) FROM {own}.index_words".encode()).fetchone() == (1,)


def test_retention_erases_what_was_closed_long_enough_ago(
    served: Served, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with open_writer(with_matter(served.owner, MATTER), create=False, embedder=EMBEDDER) as matter:
        matter.put(SECRET)
    with closing(Matters(served.owner)) as matters:
        matters.end(MATTER, kept_days=0, caller="test")
    assert run(["retention", "--library", served.owner]) == 0
    assert "1 erased" in capsys.readouterr().out
    with pytest.raises(StoreError, match="there is no matter 'acme/merger'"):
        open_store(with_matter(served.owner, MATTER), embedder=EMBEDDER)
    with psycopg.connect(served.records) as owner:
        held = owner.execute(b"SELECT nspname FROM pg_namespace").fetchall()
    assert (schema_of(MATTER),) not in held
    assert (schema_of(OTHER),) in held


def test_a_matter_is_erased_although_a_server_has_it_open(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database lets go of a reader that rests, so that nothing holds up the erasure."""
    monkeypatch.setattr(connection, "RESTING", 1)
    with open_writer(with_matter(served.owner, MATTER), create=False, embedder=EMBEDDER) as matter:
        matter.put(SECRET)
    with closing(open_store(with_matter(served.server, MATTER), embedder=EMBEDDER)) as both:
        assert str(SECRET.work.id) in found(both, "xylophone factory")
        with closing(Matters(served.owner)) as matters:
            matters.erase(MATTER, caller="test")
        with pytest.raises(StoreError):
            both.refresh()
    assert run(["retention", "--library", served.owner]) == 0  # nothing of it is left to do
    with closing(Matters(served.owner)) as matters:
        assert [one.name for one in matters.listed()] == [OTHER]


def test_a_reader_that_rested_too_long_goes_on_where_it_was(
    served: Served, postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "RESTING", 1)
    place = with_matter(served.owner, MATTER)
    with open_writer(place, create=False, embedder=EMBEDDER) as matter:
        matter.put(SECRET)
    with closing(open_store(place, embedder=EMBEDDER)) as both:
        assert str(SECRET.work.id) in found(both, "xylophone factory")
        _wait_until_nobody_rests(postgres, served.records)
        assert str(SECRET.work.id) in found(both, "xylophone factory")
        _wait_until_nobody_rests(postgres, served.records)
        with open_writer(place, create=False, embedder=EMBEDDER) as matter:
            matter.put(MORE)
        both.refresh()  # though what it read before is gone
        assert str(MORE.work.id) in found(both, "walrus")


def _wait_until_nobody_rests(postgres: PostgresServer, address: str) -> None:
    """Wait until the database has ended the transaction of a matter's reader."""
    postgres.execute(f"BEGIN; LOCK TABLE {schema_of(MATTER)}.meta; COMMIT", address)
