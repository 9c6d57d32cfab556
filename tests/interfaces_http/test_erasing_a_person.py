"""Erase a person: afterwards their name and words are in no table and no file, and the log still tells."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg
import pytest
from fastapi.testclient import TestClient
from psycopg import sql

from making import simple
from postgres_server import PASSWORD, PostgresServer
from pykala.interfaces.cli.main import run
from pykala.interfaces.http.app import application
from pykala.interfaces.http.options import ServerOptions
from pykala.interfaces.serving.location import LibraryLocation
from pykala.library import Library
from pykala.stores.matters import Matters
from pykala.stores.persons import Persons
from pykala.stores.postgres.audit_log import AuditLog
from pykala.stores.postgres.connection import schema_of
from pykala.stores.postgres.keys import KeyRing
from pykala.stores.postgres.store import PostgresStore
from pykala.stores.store import StoreError

JANE, BOB, USER = "jane.quill", "bob", "user:jane.quill"
OWN, SHARED = "quill/divorce", "acme/merger"
SECRET = b"# Letter\n\nThe xylophone stays with the wife.\n"


@dataclass
class Held:
    """A library in which Jane, who also signs in as a user, and Bob have worked."""

    owner: str
    indexes: Path
    jane: str

    def rows(self) -> str:
        """Every row of every table of the library and its matters, as the database's owner sees them."""
        told = []
        with psycopg.connect(self.owner) as database:
            tables = database.execute(
                "SELECT schemaname, tablename FROM pg_tables WHERE starts_with(schemaname, 'pykala')"
            ).fetchall()
            for names in tables:
                query = sql.SQL("SELECT row_to_json(one)::text FROM {} AS one").format(sql.Identifier(*names))
                told += [f"{names}: {row}" for (row,) in database.execute(query)]
        return "\n".join(told)

    def log(self) -> list[tuple[str, str, str]]:
        with closing(AuditLog(self.owner)) as entries:
            return [(one.caller, one.action, one.subject) for one in entries.read(limit=1_000)][::-1]


@pytest.fixture
def held(postgres: PostgresServer, tmp_path: Path) -> Held:
    owner, indexes = postgres.new_database(), tmp_path / "indexes"
    name = owner.rpartition("/")[2]
    role = f"server_of_{name}"
    with PostgresStore.open_at(owner, writable=True, index_folder=indexes) as law:
        law.put(simple("fi:act:1992/1535", "Tax is paid by the owner of a horse.", language="en"))
    postgres.execute(
        f"CREATE ROLE {role} LOGIN PASSWORD '{PASSWORD}'; GRANT USAGE ON SCHEMA pykala TO {role};"
        f" GRANT SELECT ON ALL TABLES IN SCHEMA pykala TO {role};"
        f" GRANT INSERT ON pykala.audit_log TO {role}",
        owner,
    )
    with closing(Matters(owner)) as matters, closing(KeyRing(owner)) as ring:
        for matter, members in ((OWN, [JANE]), (SHARED, [JANE, BOB, USER])):
            matters.add(matter, embedder=None, roles=[role], caller="admin")
            for member in members:
                matters.join(matter, member, caller="admin")
        keys = {
            who: ring.add(who, ("read", "upload"), expires_at=None, caller="admin") for who in (JANE, BOB)
        }
    place = Path(postgres.url(name, user=role))
    app = application(
        LibraryLocation(place, place),
        lambda folder, writable=False: Library.open(folder, writable=writable, embedder=None),
        replace(ServerOptions(audit="questions"), hosts=("testserver",), threads=2),
    )
    with TestClient(app) as client:
        for who, matter in ((JANE, OWN), (JANE, SHARED), (BOB, SHARED)):
            headers = {"Authorization": f"Bearer {keys[who]}", "X-Pykala-Matter": matter}
            asked = {"question": f"What of the walrus of {who.partition('.')[0]}?"}
            assert client.post("/api/v1/ask", json=asked, headers=headers).status_code == 200
        upload = {"file": ("letter.md", SECRET)}
        headers = {"Authorization": f"Bearer {keys[JANE]}", "X-Pykala-Matter": OWN}
        assert client.post("/api/v1/uploads", files=upload, headers=headers).status_code == 201
    return Held(owner, indexes, keys[JANE])


def test_afterwards_no_table_and_no_file_has_the_person(
    held: Held, capsys: pytest.CaptureFixture[str]
) -> None:
    before = held.log()
    rows = held.rows()
    assert all(one in rows for one in (JANE, "walrus of jane", "xylophone", "walrus of bob"))
    assert schema_of(OWN) in rows
    given = ["--yes", "--library", held.owner]
    assert run(["erase", "--user", JANE, *given]) == 0
    assert "1 keys, 2 answers, 1 matters" in " ".join(capsys.readouterr().out.split())
    assert run(["erase", "--user", USER, *given]) == 0
    rows = held.rows()
    for gone in (JANE, "walrus of jane", "xylophone", OWN, f"({schema_of(OWN)!r}"):
        assert gone not in rows, gone
    assert "walrus of bob" in rows, "what others did stays"
    assert b"xylophone" not in b"".join(one.read_bytes() for one in held.indexes.rglob("*") if one.is_file())

    # The log has the same lines in the same order, and one other name in place of hers.
    after = held.log()
    assert [action for _, action, _ in after[: len(before)]] == [action for _, action, _ in before]
    assert {action for _, action, _ in after[len(before) :]} == {"matter erased", "person erased"}
    renamed = {now for (was, _, _), (now, _, _) in zip(before, after, strict=False) if was == JANE}
    (pseudonym,) = renamed
    assert pseudonym.startswith("erased:")
    pairs = zip(before, after, strict=False)
    assert all(was == now for (was, _, _), (now, _, _) in pairs if was != JANE)
    assert (pseudonym, "key added") in {(subject, action) for _, action, subject in after}
    assert f"{pseudonym} in {SHARED}" in {subject for _, _, subject in after}


def test_who_is_erased_reads_nothing_and_others_go_on(held: Held) -> None:
    with closing(Persons(held.owner)) as persons:
        persons.erase(JANE, caller="admin")
        with pytest.raises(StoreError, match=r"nothing here belongs to 'jane\.quill'"):
            persons.erase(JANE, caller="admin")
    with closing(KeyRing(held.owner)) as ring, closing(Matters(held.owner)) as matters:
        assert ring.holder(held.jane) is None
        assert ring.is_guarded, "the keys of erased persons still close the server to everybody without one"
        assert [(one.name, one.members) for one in matters.listed()] == [(SHARED, (BOB, USER))]
        with pytest.raises(StoreError, match="erased persons"):
            ring.add("erased:1", ("read",), expires_at=None, caller="admin")


def test_matters_can_be_kept_and_their_answers_go(held: Held) -> None:
    for name in (JANE, USER):
        assert run(["erase", "--user", name, "--keep-matters", "--yes", "--library", held.owner]) == 0
    rows = held.rows()
    assert JANE not in rows
    assert "walrus of jane" not in rows
    assert "xylophone" in rows
    with closing(Matters(held.owner)) as matters:
        assert {one.name: one.members for one in matters.listed()} == {OWN: (), SHARED: (BOB,)}


def test_the_schedule_erases_people_whose_last_key_ended(
    held: Held, postgres: PostgresServer, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(KeyRing(held.owner)) as ring:
        ring.add(BOB, ("read",), expires_at=datetime.now(UTC) - timedelta(days=40), caller="admin")
        ring.revoke(JANE, caller="admin")
    postgres.execute(
        f"UPDATE pykala.api_keys SET revoked_at = now() - interval '31 days' WHERE name = '{JANE}'",
        held.owner,
    )
    given = ["--json", "--library", held.owner]
    assert run(["retention", "--user-days", "30", "--dry-run", *given]) == 0
    assert json.loads(capsys.readouterr().out)["people_due"] == [JANE], "Bob still has a key that works"
    assert JANE in held.rows()
    assert run(["retention", "--user-days", "32", *given]) == 0
    assert JANE in held.rows()
    assert run(["retention", "--user-days", "30", *given]) == 0
    capsys.readouterr()
    with closing(Persons(held.owner)) as persons:
        assert persons.belongings(JANE).is_empty
        assert persons.ended(longer_than=timedelta(0)) == ()
    assert schema_of(OWN) in held.rows(), "a schedule erases no matter that was not closed"


@pytest.mark.parametrize("arguments", [[], ["--user", "a", "--matter", "b/c"]])
def test_one_of_both_is_erased(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["erase", *arguments, "--yes"]) == 2
    assert "--user NAME" in capsys.readouterr().err


def test_who_is_unknown_is_not_erased(held: Held, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["erase", "--user", "carol", "--yes", "--library", held.owner]) == 3
    assert "pykala keys list" in capsys.readouterr().err
