"""Matters: nobody else reads them, by SQL, HTTP, MCP or commands; what was done is written down."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import psycopg
import pytest
from fastapi.testclient import TestClient

from making import simple
from postgres_server import PASSWORD, PostgresServer
from pykala.interfaces.cli.main import run
from pykala.interfaces.http.app import application
from pykala.interfaces.http.audit import action_of
from pykala.interfaces.http.options import ServerOptions
from pykala.interfaces.serving.location import LibraryLocation
from pykala.library.library import Library
from pykala.stores.embedded.store import EmbeddedStore
from pykala.stores.matters import REMEMBERED, Matters
from pykala.stores.opening import open_store
from pykala.stores.postgres.address import with_matter
from pykala.stores.postgres.audit_log import AuditLog
from pykala.stores.postgres.connection import schema_of
from pykala.stores.postgres.keys import KeyRing
from pykala.stores.postgres.store import PostgresStore
from pykala.stores.store import StoreError, StoreForbidden

MERGER, LEASE = "acme/merger", "acme/lease"
SECRET = b"# Minutes\n\nThe buyer pays 450 gulden for the xylophone factory.\n"
QUESTION = "What does the buyer pay for the xylophone factory?"


@dataclass
class Team:
    """A library with two matters, a server's role that owns nothing, and a key for each of two people."""

    postgres: PostgresServer
    owner: str
    address: str  # as the server's role
    keys: dict[str, str]
    upload: str = ""

    def app(self, client_options: ServerOptions | None = None) -> TestClient:
        place = Path(self.address)
        options = client_options or ServerOptions(audit="questions")
        return TestClient(
            application(
                LibraryLocation(place, place),
                lambda folder, writable=False: Library.open(folder, writable=writable, embedder=None),
                replace(options, hosts=("testserver",), threads=2),
            )
        )

    def headers(self, who: str, matter: str = "") -> dict[str, str]:
        named = {"X-Pykala-Matter": matter} if matter else {}
        return {"Authorization": f"Bearer {self.keys[who]}", **named}


@pytest.fixture(scope="module")
def team(postgres: PostgresServer, tmp_path_factory: pytest.TempPathFactory) -> Team:
    owner = postgres.new_database()
    name = owner.rpartition("/")[2]
    role = f"server_of_{name}"
    with PostgresStore.open_at(owner, writable=True, index_folder=tmp_path_factory.mktemp("indexes")) as law:
        law.put(simple("fi:act:1992/1535", "Tax is paid by the owner of a horse.", language="en"))
    postgres.execute(
        f"CREATE ROLE {role} LOGIN PASSWORD '{PASSWORD}'; GRANT USAGE ON SCHEMA pykala TO {role};"
        f" GRANT SELECT ON ALL TABLES IN SCHEMA pykala TO {role};"
        f" GRANT INSERT ON pykala.audit_log TO {role};"
        f" GRANT UPDATE (last_used_at) ON pykala.api_keys TO {role}",
        owner,
    )
    matters, ring = Matters(owner), KeyRing(owner)
    for matter, who in ((MERGER, "jane"), (LEASE, "bob")):
        matters.add(matter, embedder=None, roles=[role], caller="test")
        matters.join(matter, who, caller="test")
    rights = ("read", "upload", "delete")
    keys = {who: ring.add(who, rights, expires_at=None, caller="test") for who in ("jane", "bob", "eve")}
    matters.close()
    ring.close()
    return Team(postgres, owner, postgres.url(name, user=role), keys)


@pytest.fixture(scope="module")
def served(team: Team) -> Iterator[TestClient]:
    with team.app() as client:
        added = client.post(
            "/api/v1/uploads", files={"file": ("minutes.md", SECRET)}, headers=team.headers("jane", MERGER)
        )
        assert added.status_code == 201, added.text
        team.upload = added.json()["work"]
        yield client


def found(client: TestClient, headers: dict[str, str], words: str = "xylophone") -> list[str]:
    told = client.get("/api/v1/search", params={"q": words}, headers=headers)
    assert told.status_code == 200, told.text
    return [json.dumps(one) for one in told.json()["results"]]


OTHERS = [("jane", ""), ("bob", ""), ("bob", LEASE), ("eve", "")]


def test_a_member_finds_reads_and_asks(team: Team, served: TestClient) -> None:
    own = team.headers("jane", MERGER)
    assert any(team.upload in one for one in found(served, own))
    assert found(served, own, "horse")  # and the law beside it
    shown = served.get("/api/v1/provision", params={"id": team.upload}, headers=own)
    assert shown.status_code == 200
    assert "xylophone" in shown.text
    answer = served.post("/api/v1/ask", json={"question": QUESTION}, headers=own)
    assert "450 gulden" in answer.text
    listed = served.get("/api/v1/uploads", headers=own).json()["uploads"]
    assert [one["work"] for one in listed] == [team.upload]


def test_answers_are_kept_in_their_matter(team: Team) -> None:
    with team.app() as client:
        for stream in ("false", "true"):
            path, asked = f"/api/v1/ask?stream={stream}", {"question": f"{QUESTION} ({stream})"}
            assert client.post(path, json=asked, headers=team.headers("jane", MERGER)).status_code == 200
    with team.app() as client:  # what was answered is written by then
        kept = client.get("/api/v1/matter/answers", headers=team.headers("jane", MERGER)).json()["answers"]
        asked_then = {one["record"]["question"] for one in kept}
        assert {f"{QUESTION} (false)", f"{QUESTION} (true)"} <= asked_then
        assert {one["caller"] for one in kept} == {"jane"}
        other = client.get("/api/v1/matter/answers", headers=team.headers("bob", LEASE)).json()
        assert not [one for one in other["answers"] if one["caller"] != "bob"]
        assert client.get("/api/v1/matter/answers", headers=team.headers("bob", MERGER)).status_code == 403
        assert client.get("/api/v1/matter/answers", headers=team.headers("jane")).status_code == 422


@pytest.mark.parametrize(("who", "matter"), OTHERS)
def test_nobody_else_does(team: Team, served: TestClient, who: str, matter: str) -> None:
    headers = team.headers(who, matter)
    for path, asked in (
        ("/api/v1/search", {"q": "xylophone"}),
        ("/api/v1/find", {"q": "xylophone"}),
        ("/api/v1/library/works", {"q": "minutes"}),
        ("/api/v1/uploads", {}),
        ("/api/v1/keywords", {"q": "xylophone"}),
    ):
        told = served.get(path, params=asked, headers=headers)
        assert team.upload not in told.text, path
        assert "gulden" not in told.text, path
    for path in (
        "/api/v1/provision",
        "/api/v1/tree",
        "/api/v1/document",
        "/api/v1/history",
        "/api/v1/related",
    ):
        assert served.get(path, params={"id": team.upload}, headers=headers).status_code == 404, path
    answer = served.post("/api/v1/ask", json={"question": QUESTION}, headers=headers)
    assert answer.status_code == 200
    assert "450 gulden" not in answer.text
    context = served.post("/api/v1/context", json={"question": QUESTION}, headers=headers)
    assert "450 gulden" not in context.text
    gone = served.delete("/api/v1/uploads", params={"work": team.upload}, headers=headers)
    assert gone.status_code == 404


@pytest.mark.parametrize(
    ("who", "matter"), [("bob", MERGER), ("eve", MERGER), ("eve", "acme/none"), ("jane", "x")]
)
def test_a_matter_of_others_is_refused_as_one_that_is_not(
    team: Team, served: TestClient, who: str, matter: str
) -> None:
    told = served.get("/api/v1/search", params={"q": "tax"}, headers=team.headers(who, matter))
    assert told.status_code == 403
    assert "belongs to no matter of that name" in told.json()["detail"]


def test_mcp_reads_the_matter_of_the_caller_alone(team: Team, served: TestClient) -> None:
    def told(headers: dict[str, str]) -> str:
        asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
        tool = {"name": "search_law", "arguments": {"query": "xylophone factory"}}
        accept = {"Accept": "application/json, text/event-stream"}
        answer = served.post("/mcp", json={**asked, "params": tool}, headers={**headers, **accept})
        assert answer.status_code == 200, answer.text
        return answer.text

    assert "xylophone" in told(team.headers("jane", MERGER)).replace("xylophone factory", "", 1)
    for who, matter in OTHERS:
        assert "gulden" not in told(team.headers(who, matter))
    assert "gulden" in told(team.headers("jane", MERGER))


def test_rows_are_kept_from_who_does_not_name_the_matter(team: Team, served: TestClient) -> None:
    schema = schema_of(MERGER)
    with psycopg.connect(team.address, autocommit=True) as server:
        tables = server.execute(
            "SELECT tablename, tableowner, rowsecurity FROM pg_tables WHERE schemaname = %s", (schema,)
        ).fetchall()
        assert len(tables) > 15
        user = server.execute("SELECT current_user").fetchone()
        for table, owner, secured in tables:
            assert (owner,) != user
            if table == "migrations":
                continue
            assert secured, table
            for owned in ("", schema_of(LEASE), "pykala"):
                server.execute("SELECT set_config('pykala.owner', %s, false)", (owned,))
                rows = server.execute(f"SELECT count(*) FROM {schema}.{table}".encode()).fetchone()
                assert rows == (0,), table
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            server.execute(f"INSERT INTO {schema}.meta VALUES ('a', 'b')".encode())
        assert server.execute(f"DELETE FROM {schema}.works".encode()).rowcount == 0
        with server.transaction():
            server.execute("SELECT set_config('pykala.owner', %s, true)", (schema,))
            assert server.execute(f"SELECT count(*) FROM {schema}.works".encode()).fetchone() == (1,)
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            server.execute(f"ALTER TABLE {schema}.works DISABLE ROW LEVEL SECURITY".encode())


def test_statistics_of_words_are_a_matters_own(team: Team, served: TestClient) -> None:
    for matter, heard in ((MERGER, True), (LEASE, False), ("", False)):
        store = open_store(with_matter(team.address, matter))
        try:
            assert (store.weigh("xylophone", "en")["xylophon"] > 0) is heard
        finally:
            store.close()


def test_what_was_done_is_written_down(team: Team) -> None:
    with team.app() as client:
        own = team.headers("jane", MERGER)
        client.post("/api/v1/ask", json={"question": QUESTION}, headers=own)
        client.get("/api/v1/provision", params={"id": "fi:act:1992/1535"}, headers=own)
        client.get("/api/v1/search", params={"q": "horse"}, headers=team.headers("eve"))
        client.get("/api/v1/provision", params={"id": "fi:act:1992/1535"}, headers=team.headers("eve"))
    log = AuditLog(team.owner)
    done = {(one.caller, one.action, one.matter, one.question) for one in log.read(limit=1_000)}
    assert ("jane", "asked", MERGER, QUESTION) in done
    assert ("jane", "read", MERGER, "") in done
    assert ("eve", "asked", "", "horse") in done
    assert not [one for one in done if one[:2] == ("eve", "read")]
    assert {"key added", "matter added", "member joined"} <= {one[1] for one in done}
    assert all(one.caller == "jane" for one in log.read(matter=MERGER, action="asked"))
    log.close()


def test_nobody_keeps_a_request_out_of_the_log(team: Team) -> None:
    marks = ("%00", "%ff%00", "a" * 5_000, "\u202e", "%0d%0aforged line")
    with team.app() as client:
        for number, mark in enumerate(marks):
            client.post(
                f"/api/v1/ask?work={mark}",
                json={"question": f"What of walrus {number}?"},
                headers=team.headers("jane", MERGER),
            )
    log = AuditLog(team.owner)
    log.note("jane", "asked", "a\x00\ud800", matter=MERGER, question="What of a walrus\x00\ud800?")
    found = log.read(matter=MERGER, action="asked", limit=1_000)
    log.close()
    asked = [one for one in found if "walrus" in one.question]
    assert len(asked) == len(marks) + 1
    assert all(len(one.subject) <= 1_000 for one in asked)


def test_no_answer_shows_the_password_of_the_database(team: Team) -> None:
    with team.app() as client:
        for path in ("library", "uploads", "library/works", "jurisdictions", "ready", "caches", "rights"):
            told = client.get(f"/api/v1/{path}", headers=team.headers("eve"))
            assert told.status_code == 200, path
            assert PASSWORD not in told.text, path


def test_without_the_operators_wish_no_question_is_written_down(team: Team) -> None:
    with team.app(ServerOptions()) as client:
        asked = {"question": "What of zebras?"}
        client.post("/api/v1/ask", json=asked, headers=team.headers("jane", MERGER))
        client.post("/api/v1/ask", json=asked, headers=team.headers("eve"))
    log = AuditLog(team.owner)
    newest = log.read(limit=1)[0]
    assert (newest.caller, newest.action, newest.question) == ("jane", "asked", "")
    log.close()


@pytest.mark.parametrize(
    ("method", "route", "action"),
    [
        ("POST", "/api/v1/ask", "asked"),
        ("POST", "/v1/chat/completions", "asked"),
        ("POST", "/mcp", "asked"),
        ("POST", "/api/v1/uploads", "uploaded"),
        ("GET", "/api/v1/uploads", "read"),
        ("DELETE", "/api/v1/uploads", "deleted"),
        ("POST", "/api/v1/export", "exported"),
        ("GET", "/api/v1/health", ""),
        ("GET", "/", ""),
        ("GET", "other", ""),
    ],
)
def test_requests_by_what_they_do(method: str, route: str, action: str) -> None:
    assert action_of(method, route) == action


def test_a_server_that_policies_do_not_bind_serves_no_matter(team: Team) -> None:
    matters = Matters(team.owner)  # a superuser
    with pytest.raises(StoreForbidden, match="row security does not bind"):
        matters.admits(MERGER, "jane")
    matters.close()


def test_who_leaves_is_refused_within_seconds_and_organisations_are_joined_whole(team: Team) -> None:
    now = [0.0]
    owner, server = Matters(team.owner), Matters(team.address, clock=lambda: now[0])
    owner.join("acme", "carol", caller="test")
    assert server.admits(MERGER, "carol")
    assert server.admits(LEASE, "carol")
    owner.leave("acme", "carol", caller="test")
    assert server.admits(MERGER, "carol")
    now[0] += REMEMBERED + 1
    assert not server.admits(MERGER, "carol")
    with pytest.raises(StoreError, match="does not belong"):
        owner.leave("acme", "carol", caller="test")
    with pytest.raises(StoreError, match="no matter"):
        owner.join("other/one", "carol", caller="test")
    owner.close()
    server.close()


@pytest.mark.parametrize(
    "name", ["merger", "Acme/merger", "acme/", "acme/a/b", "acme/x'; DROP TABLE matters"]
)
def test_names_that_are_none(team: Team, name: str) -> None:
    matters = Matters(team.owner)
    with pytest.raises(StoreError, match="no name of a matter"):
        matters.add(name, embedder=None, roles=(), caller="test")
    matters.close()


def test_commands_make_read_close_and_erase(
    team: Team, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PYKALA_EMBEDDER", "none")
    monkeypatch.setenv("PYKALA_CACHE", str(tmp_path / "cache"))
    given, role = ["--library", team.owner], team.address.split("://")[1].partition(":")[0]
    assert run(["matters", "add", "beta/one", "--role", role, *given]) == 0
    assert run(["matters", "join", "beta/one", "--key", "eve", *given]) == 0
    assert run(["matters", "add", "beta/one", *given]) == 3
    inbox = tmp_path / "inbox"
    inbox.mkdir()
    (inbox / "note.md").write_bytes(b"# Note\n\nThe walrus signs on Monday.\n")
    beside = with_matter(team.owner, "beta/one")
    assert run(["inbox", str(inbox), "--library", beside]) == 0
    capsys.readouterr()
    assert run(["search", "walrus", "--library", beside]) == 0
    assert "walrus" in capsys.readouterr().out
    assert run(["search", "walrus", *given]) == 0
    assert "signs on Monday" not in capsys.readouterr().out
    assert run(["export", team.owner, "--to", str(tmp_path / "export"), "--no-dataset"]) == 0
    assert not [one for one in (tmp_path / "export").iterdir() if b"walrus" in one.read_bytes()]
    assert run(["copy", beside, str(tmp_path / "copied")]) == 0
    with EmbeddedStore.open(tmp_path / "copied") as copied:
        assert [str(one.id).partition(":")[0] for one in copied.works()] == ["up"]
    assert run(["copy", str(tmp_path / "copied"), with_matter(team.owner, "beta/two")]) == 3
    store = PostgresStore.open_at(beside)
    root = store.folder
    store.close()
    assert root.is_dir()
    assert run(["matters", "close", "beta/one", "--days", "0", *given]) == 0
    capsys.readouterr()
    assert run(["retention", "--dry-run", "--json", *given]) == 0
    assert json.loads(capsys.readouterr().out)["due"] == ["beta/one"]
    assert run(["retention", "--audit-days", "30", *given]) == 0
    assert not root.exists()
    assert run(["search", "walrus", "--library", beside]) == 3
    assert "there is no matter" in capsys.readouterr().err
    assert run(["erase", "--matter", "beta/one", "--yes", *given]) == 3
    capsys.readouterr()
    assert run(["audit-log", "--action", "matter erased", "--json", *given]) == 0
    (line,) = json.loads(capsys.readouterr().out)
    assert line["matter"] == schema_of("beta/one")
    assert run(["audit-log", "--json", "--limit", "1000", *given]) == 0
    assert "beta/one" not in capsys.readouterr().out
