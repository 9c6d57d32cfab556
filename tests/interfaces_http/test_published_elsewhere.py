"""What another process publishes is seen by a running server and by a library that refreshes itself."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import pytest

import pykala
from http_serving import Served, serving
from making import simple
from pykala.interfaces.http.options import ServerOptions
from pykala.law.answers import Answer, Stage, Written
from pykala.law.identifiers import WorkId
from pykala.library import Library
from pykala.models.hashing import HashingEmbedder
from pykala.stores.embedded.locks import publishing
from pykala.stores.embedded.store import EmbeddedStore
from pykala.stores.store import StoreIncompatible, UnknownProvision

LEASE, TERMS = (
    "# Lease\n\n1 § The rent of the boathouse is 450 euros a month.\n",
    "# Terms\n\n1 § Mooring is free.\n",
)
RENT = {"question": "What is the rent of the boathouse?"}


@dataclass(frozen=True)
class Elsewhere:
    """A library that somebody else writes to, whoever has it open."""

    library: Path
    inbox: Path

    def put(self, **files: str) -> None:
        for old in self.inbox.iterdir():
            old.unlink()
        for name, text in files.items():
            (self.inbox / f"{name}.md").write_text(text, "utf-8")

    def ingest(self, **files: str) -> None:
        self.put(**files)
        with Library.open(self.library, writable=True, create=True, embedder=None) as library:
            assert [report.refusals for report in library.inbox(self.inbox, prune=True)] == [()]

    def ingest_in_another_process(self, **files: str) -> None:
        self.put(**files)
        program = [str(Path(sys.executable).parent / "pykala"), "inbox", str(self.inbox)]
        given = [*program, "--library", str(self.library)]
        subprocess.run(given, check=True, capture_output=True, timeout=300)


@pytest.fixture
def elsewhere(tmp_path: Path) -> Elsewhere:
    (tmp_path / "inbox").mkdir()
    made = Elsewhere(tmp_path / "library", tmp_path / "inbox")
    made.ingest(terms=TERMS)
    return made


@pytest.fixture
def server(elsewhere: Elsewhere, tmp_path: Path) -> Iterator[Served]:
    with serving(tmp_path, library=elsewhere.library) as running:
        yield running


def test_a_running_server_sees_it_in_every_answer(server: Served, elsewhere: Elsewhere) -> None:
    def tool(question: str) -> str:
        call = {"name": "ask_law", "arguments": {"question": question}}
        sent = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
        accepted = {"Accept": "application/json, text/event-stream"}
        return client.post("/mcp", json=sent, headers=accepted).text

    def chat(question: str) -> str:
        sent = {"model": "pykala", "messages": [{"role": "user", "content": question}]}
        return client.post("/v1/chat/completions", json=sent).text

    with server.client() as client:
        assert "450 euros" not in client.post("/api/v1/ask", json=RENT).text
        assert client.get("/api/v1/library").json()["totals"]["works"] == 1
        assert "450 euros" not in tool(RENT["question"]) + chat(RENT["question"])
        elsewhere.ingest_in_another_process(terms=TERMS, lease=LEASE)
        assert "450 euros" in client.post("/api/v1/ask", json=RENT).text
        assert client.get("/api/v1/library").json()["totals"]["works"] == 2, "what is counted is counted anew"
        assert "450 euros" in tool(RENT["question"])
        assert "450 euros" in chat(RENT["question"])
        elsewhere.ingest(terms=TERMS)
        assert "450 euros" not in client.post("/api/v1/ask", json=RENT).text, "no cache brings it back"


def test_a_server_goes_on_over_a_library_that_was_indexed_with_another_embedder(
    elsewhere: Elsewhere, tmp_path: Path
) -> None:
    EmbeddedStore.reindex(elsewhere.library, embedder=HashingEmbedder(64))
    embedders = iter((HashingEmbedder(64), HashingEmbedder(48)))

    def open_library(folder: Path, *, writable: bool = False) -> Library:
        return Library.open(folder, embedder=next(embedders))

    options = ServerOptions(threads=1, requests_per_minute=0)
    with (
        serving(tmp_path, options, library=elsewhere.library, open_library=open_library) as server,
        server.client() as client,
    ):
        assert client.get("/api/v1/search", params={"q": "mooring"}).json()["results"]
        EmbeddedStore.reindex(elsewhere.library, embedder=HashingEmbedder(48))
        assert client.get("/api/v1/search", params={"q": "mooring"}).json()["results"]
    assert next(embedders, None) is None, "it was opened anew"


@pytest.mark.parametrize(("refresh", "works"), [("auto", 2), ("manual", 1)])
def test_a_library_in_python_moves_on_as_it_was_told(elsewhere: Elsewhere, refresh: str, works: int) -> None:
    with closing(pykala.open(elsewhere.library, refresh=refresh)) as library:  # type: ignore[arg-type]
        assert sum(library.stats().works.values()) == 1
        elsewhere.ingest(terms=TERMS, lease=LEASE)
        assert sum(library.stats().works.values()) == works
        assert library.refresh() is (refresh == "manual")
        assert sum(library.stats().works.values()) == 2


def test_an_answer_under_way_keeps_its_state(elsewhere: Elsewhere) -> None:
    elsewhere.ingest(terms=TERMS, lease=LEASE)
    removed: list[bool] = []

    def remove(heard: Stage | Answer | Written) -> None:
        if not removed:
            removed.append(True)
            elsewhere.ingest(terms=TERMS)
            assert not library.refresh(), "it is at work"

    with closing(pykala.open(elsewhere.library, refresh="auto")) as library:
        answer = library.ask(RENT["question"], listen=remove)
        assert removed
        assert answer.primary is not None
        assert "450 euros" in answer.primary.text
        with pytest.raises(UnknownProvision):
            library.show(str(answer.primary.provision))


@pytest.fixture
def library(tmp_path: Path) -> Path:
    with EmbeddedStore.open(tmp_path / "small", writable=True) as store:
        store.put(simple("xx:act:1", "A tax on horses."))
    return tmp_path / "small"


def test_nobody_waits_for_a_state_that_is_being_published(library: Path) -> None:
    with EmbeddedStore.open(library) as reader:
        with EmbeddedStore.open(library, writable=True) as writer:
            writer.put(simple("xx:act:2", "A tax on cows."))
        held, done = threading.Event(), threading.Event()

        def publish() -> None:
            with publishing(library):
                held.set()
                done.wait(300)

        thread = threading.Thread(target=publish)
        thread.start()
        try:
            assert held.wait(300)
            assert not reader.catch_up()
            assert len(reader.items()) == 1
        finally:
            done.set()
            thread.join()
        assert reader.catch_up()
        assert len(reader.items()) == 2
        assert not reader.catch_up()


def test_a_library_that_lies_in_the_place_of_another_is_read(library: Path, tmp_path: Path) -> None:
    with EmbeddedStore.open(tmp_path / "other", writable=True) as store:
        store.put(simple("xx:act:7", "A tax on mules."))
    with EmbeddedStore.open(library) as reader:
        library.rename(tmp_path / "old")
        (tmp_path / "other").rename(library)
        assert reader.catch_up()
        assert list(reader.items().values()) == [WorkId("xx:act:7")]


def test_a_library_that_was_moved_away_is_told_as_such_until_it_is_back(
    server: Served, elsewhere: Elsewhere
) -> None:
    away = elsewhere.library.with_name("away")
    with server.client() as client:
        before = client.post("/api/v1/ask", json=RENT).json()["outcome"]
        elsewhere.library.rename(away)
        for _ in range(2):
            told = client.post("/api/v1/ask", json=RENT)
            assert (told.status_code, told.json()["code"]) == (503, "library-unusable")
        away.rename(elsewhere.library)
        assert client.post("/api/v1/ask", json=RENT).json()["outcome"] == before


def test_what_a_killed_writer_left_behind_is_not_half_read(library: Path) -> None:
    with EmbeddedStore.open(library) as reader:
        with EmbeddedStore.open(library, writable=True) as writer:
            writer.put(simple("xx:act:2", "A tax on cows."))
        with closing(sqlite3.connect(library / "library.db")) as connection, connection:
            connection.execute("UPDATE meta SET value = '0' WHERE key = 'text_seq'")
        assert not reader.catch_up(), "its indexes are behind its records"
        assert len(reader.items()) == 1
        EmbeddedStore.open(library).close()  # mends it
        assert reader.catch_up()
        assert len(reader.items()) == 2


def test_a_library_of_another_embedder_says_how_to_go_on(library: Path) -> None:
    EmbeddedStore.reindex(library, embedder=HashingEmbedder(64))
    with Library.open(library, embedder=HashingEmbedder(64), refresh="auto") as reader:
        EmbeddedStore.reindex(library, embedder=HashingEmbedder(48))
        with pytest.raises(StoreIncompatible, match="reindex"):
            reader.search("horses", as_of=date(2026, 1, 1))
