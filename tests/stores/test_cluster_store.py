"""The store of a cluster: whole states for readers, weights that follow lengths, faults in one line."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest
from typer.testing import CliRunner

from cluster_file import write_cluster_file
from loopback import hang_up, reply
from making import simple
from postgres_server import PASSWORD, PostgresServer
from pykala.interfaces.cli.main import app
from pykala.law.bundles import Bundle
from pykala.law.filters import Filter
from pykala.law.identifiers import WorkId
from pykala.models.hashing import HashingEmbedder
from pykala.stores.cluster import nodes
from pykala.stores.cluster.configuration import read_configuration
from pykala.stores.cluster.nodes import QdrantNodes
from pykala.stores.cluster.store import ClusterStore
from pykala.stores.embedded.store import EmbeddedStore
from pykala.stores.opening import open_store, reindex
from pykala.stores.postgres.store import PostgresStore
from pykala.stores.served import word_staging
from pykala.stores.served.bm25 import frequency_of, length_norm, passage_weight, rounded_length
from pykala.stores.store import StoreError, StoreForbidden, StoreFull, StoreIncompatible
from qdrant_server import KEY, QdrantServer

EMBEDDER = HashingEmbedder(64)
QUERIES = ("tax on horses", "duty of the owner", "bridge toll", "horses horses foals")


@pytest.fixture
def file(tmp_path: Path, postgres: PostgresServer, qdrant: QdrantServer) -> Iterator[Path]:
    yield write_cluster_file(tmp_path / "cluster", postgres.new_database(), qdrant.addresses)
    qdrant.drop_all()


def acts(count: int, words_each: int = 5) -> list[Bundle]:
    made: list[Bundle] = []
    for number in range(1, count + 1):
        texts = [
            f"The owner of {number} horses pays a tax on horses. "
            + "Foals are free. " * (number % words_each),
            f"A toll is due at bridge {number}. " + "The duty is the owner's. " * (number % 3),
        ]
        made.append(simple(f"xx:act:{number}", *texts))
    return made


def found(store: ClusterStore | EmbeddedStore) -> list[list[tuple[str, float]]]:
    return [[(str(m.provision), m.score) for m in store.match_text(q, Filter(), 20)] for q in QUERIES]


def written(file: Path) -> ClusterStore:
    return ClusterStore.open_file(file, writable=True, embedder=EMBEDDER)


def test_words_rank_as_in_a_folder_whatever_came_and_went(tmp_path: Path, file: Path) -> None:
    """Lengths drift as works come and go: the weights follow them."""
    first, later = acts(12), acts(20, words_each=11)[12:]
    with written(file) as store:
        for one in first:
            store.put(one)
    with written(file) as store, store.batch():
        for one in later:
            store.put(one)
        store.delete(WorkId("xx:act:3"))
        store.delete(WorkId("xx:act:15"))
    with EmbeddedStore.open(tmp_path / "folder", writable=True, embedder=EMBEDDER) as folder, folder.batch():
        for one in (*first, *later):  # as if the two had never been
            if one.work.id not in (WorkId("xx:act:3"), WorkId("xx:act:15")):
                folder.put(one)
    with (
        ClusterStore.open_file(file, embedder=EMBEDDER) as cluster,
        EmbeddedStore.open(tmp_path / "folder", embedder=EMBEDDER) as folder,
    ):
        assert len(cluster._indexes.text) == 2 * 18
        for ours, theirs in zip(found(cluster), found(folder), strict=True):
            assert [name for name, _ in ours] == [name for name, _ in theirs]
            assert [score for _, score in ours] == pytest.approx([s for _, s in theirs], abs=1e-3)
        assert cluster.weigh("tax on horses", "en") == pytest.approx(folder.weigh("tax on horses", "en"))


def test_nothing_is_compressed_on_the_way(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A search of 3 ms took 48: the pieces of what was compressed waited for each other."""
    answers = []

    def sent(*given: Any) -> httpx.Response:
        answers.append(send(*given))
        return answers[-1]

    send = nodes._sent
    with written(file) as store:
        store.put(acts(1)[0])
    monkeypatch.setattr(nodes, "_sent", sent)
    with open_store(Path(f"cluster:{file}"), embedder=EMBEDDER) as reader:
        assert reader.match_text("horses", Filter(), 9)
    assert answers
    assert not [one for one in answers if "content-encoding" in one.headers]


def test_a_reader_stays_on_its_state_until_it_moves(file: Path) -> None:
    with written(file) as store:
        for one in acts(4):
            store.put(one)
    with ClusterStore.open_file(file, embedder=EMBEDDER) as reader:
        before = found(reader)
        with written(file) as store, store.batch():
            for one in acts(9)[4:]:
                store.put(one)
            store.delete(WorkId("xx:act:2"))
        assert found(reader) == before
        assert reader.catch_up()
        assert found(reader) != before
        assert "xx:act:9/sec_1" in dict(found(reader)[0])
        assert "xx:act:2/sec_1" not in dict(found(reader)[0])


def test_what_a_killed_writer_left_is_taken_back(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with written(file) as store:
        for one in acts(4):
            store.put(one)
    with ClusterStore.open_file(file, embedder=EMBEDDER) as reader:
        before = found(reader)

    def killed(self: object) -> None:
        raise KeyboardInterrupt

    store = written(file)
    with monkeypatch.context() as patched:
        # After the points were written and marked, and before anything was committed.
        patched.setattr(word_staging.StatisticsWriter, "commit", killed)
        with pytest.raises(KeyboardInterrupt), store.batch():
            store.delete(WorkId("xx:act:2"))
            for one in acts(8)[4:]:
                store.put(one)
    store.records.close()
    with ClusterStore.open_file(file, embedder=EMBEDDER) as reader:
        assert found(reader) == before
    with written(file) as store:
        assert found(store) == before
        store.put(acts(5)[4])
        assert "xx:act:2/sec_1" in dict(found(store)[0])
        assert "xx:act:7/sec_1" not in dict(found(store)[0])


def test_passages_are_written_anew_from_the_records(file: Path, qdrant: QdrantServer) -> None:
    with written(file) as store:
        for one in acts(4):
            store.put(one)
        wanted = found(store)
        held = store._collection("1", "words")
    qdrant.call("DELETE", f"/collections/{held}")
    with pytest.raises(StoreIncompatible, match=f"pykala reindex --library cluster:{file}"):
        open_store(f"cluster:{file}", embedder=EMBEDDER)
    reindex(f"cluster:{file}", embedder=EMBEDDER)
    with ClusterStore.open_file(file, embedder=EMBEDDER) as reader:
        assert found(reader) == wanted


def test_passages_of_another_state_are_told(file: Path, qdrant: QdrantServer) -> None:
    with written(file) as store:
        for one in acts(4):
            store.put(one)
        held = store._collection("1", "meaning")
    gone = {"filter": {"must": [{"key": "work", "match": {"value": 2}}]}}
    qdrant.call("POST", f"/collections/{held}/points/delete?wait=true", gone)
    with pytest.raises(StoreError, match=r"holds 6 passages of state \d+ \(meaning\), and the records 8"):
        open_store(f"cluster:{file}", embedder=EMBEDDER)


def test_a_teams_library_is_told_apart(tmp_path: Path, postgres: PostgresServer, file: Path) -> None:
    records = read_configuration(file).records
    PostgresStore.open_at(records, writable=True, embedder=EMBEDDER, index_folder=tmp_path / "files").close()
    with pytest.raises(StoreIncompatible, match="'pykala reindex --library cluster:"):
        open_store(f"cluster:{file}", embedder=EMBEDDER)


def test_candidates_beyond_the_bound_are_found_by_the_graph(
    tmp_path: Path, postgres: PostgresServer, qdrant: QdrantServer
) -> None:
    """Few points: the graph is asked for, and every point is looked at all the same."""
    records = postgres.new_database()
    exact = write_cluster_file(tmp_path / "exact", records, qdrant.addresses)
    graph = write_cluster_file(tmp_path / "graph", records, qdrant.addresses, exact_up_to=3)
    with written(graph) as store:
        for one in acts(4):
            store.put(one)
    vector = EMBEDDER.encode(["tax on horses"], "query")[0]  # type: ignore[arg-type]
    with (
        ClusterStore.open_file(exact, embedder=EMBEDDER) as first,
        ClusterStore.open_file(graph, embedder=EMBEDDER) as second,
    ):
        assert first.match_vector(vector, Filter(), 5) == second.match_vector(vector, Filter(), 5)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("not = toml = at all", "is not TOML"),
        pytest.param("a = " + "[" * 100_000, "is not TOML", id="deep"),
        ('records = "postgresql://a@b/c"', r"has no table \[qdrant\]"),
        ('[qdrant]\naddresses = ["http://a:1"]', "names no records"),
        ('records = "postgresql://a:s3cret@b/c"\n[qdrant]\naddresses = []', "names no nodes"),
        ('records = "postgresql://a@b/c"\n[qdrant]\naddresses = ["ftp://a"]', "names no nodes"),
        ('records = "postgresql://a@b/c"\n[qdrant]\naddresses = ["http://a:1"]\nshards = 0', "qdrant.shards"),
        (
            'records = "postgresql://a@b/c"\nkey = "s3cret"\n[qdrant]\naddresses = ["http://a:1"]',
            "says 'key'",
        ),
        (
            'records = "postgresql://a@b/c"\n[qdrant]\naddresses = ["http://a:1"]\nkey_file = "no"',
            "key_file",
        ),
    ],
)
def test_a_wrong_file_is_one_line(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "law.toml").write_text(text)
    with pytest.raises(StoreError, match=told) as error:
        read_configuration(tmp_path / "law.toml")
    assert "\n" not in str(error.value)
    assert "s3cret" not in str(error.value)


def test_a_file_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    asked = ["ask", "Who pays?", "--library", f"cluster:{tmp_path / 'no.toml'}"]
    result = CliRunner().invoke(app, asked)
    assert result.exit_code == 3
    assert "name the file of the cluster" in " ".join(result.output.split())


def test_nodes_that_are_not_there_and_wrong_keys_are_one_line_without_secrets(
    tmp_path: Path, postgres: PostgresServer, qdrant: QdrantServer
) -> None:
    records = postgres.new_database()
    away = write_cluster_file(tmp_path / "away", records, ["http://127.0.0.1:9"])
    with pytest.raises(StoreError, match="no node of Qdrant could answer") as error:
        written(away)
    shown = str(error.value)
    strange = write_cluster_file(tmp_path / "strange", records, qdrant.addresses)
    (tmp_path / "strange" / "qdrant.key").write_text("another-s3cret")
    with pytest.raises(StoreForbidden, match="refused the key; check qdrant") as error:
        written(strange)
    shown += str(error.value) + repr(read_configuration(strange))
    assert "\n" not in shown
    for secret in (KEY, PASSWORD, "another-s3cret"):
        assert secret not in shown


@contextmanager
def ailing_node(send: Callable[[BaseHTTPRequestHandler], None]) -> Iterator[str]:
    """A node that answers every call in the same way."""

    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            send(self)

        do_GET = do_PUT = do_POST = do_DELETE = answer  # noqa: N815

        def log_message(self, *_: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def half(handler: BaseHTTPRequestHandler) -> None:
    """Begin an answer, and hang up in the middle of it."""
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"result": {"points": [')
    handler.wfile.flush()
    hang_up(handler)


FULL = b'{"status": {"error": "Service internal error: No space left on device (os error 28)"}}'


@pytest.mark.parametrize("send", [reply(500, FULL), hang_up, half], ids=["full", "cut", "cut half-way"])
def test_a_node_that_ails_is_passed_over(
    tmp_path: Path,
    postgres: PostgresServer,
    qdrant: QdrantServer,
    send: Callable[[BaseHTTPRequestHandler], None],
) -> None:
    with ailing_node(send) as ailing:
        records = postgres.new_database()
        file = write_cluster_file(tmp_path / "cluster", records, [ailing, *qdrant.addresses])
        with written(file) as store:
            store.put(acts(1)[0])
            assert found(store)[0]
    qdrant.drop_all()


def test_a_node_that_closes_an_idle_connection_is_asked_again() -> None:
    """A node closes idle connections after some seconds, which may be when the next call is sent."""
    calls = iter([hang_up, reply(200, b'{"result": {"count": 3}}')])
    with (
        ailing_node(lambda handler: next(calls)(handler)) as node,
        closing(QdrantNodes("law", [node])) as nodes,
    ):
        assert nodes.count("words", {}) == 3


@pytest.mark.parametrize("body", [b"<html>Welcome to the proxy</html>", b'{"status": "ok"}', b"[]", b""])
def test_what_is_no_node_of_qdrant_is_one_line(body: bytes) -> None:
    with (
        ailing_node(reply(200, body)) as node,
        closing(QdrantNodes("cluster:law.toml", [node])) as nodes,
        pytest.raises(
            StoreError, match=r"does not answer as Qdrant does; check qdrant\.addresses in law\.toml"
        ),
    ):
        nodes.count("words", {})


def test_a_full_disk_is_one_line_and_nothing_is_published(
    tmp_path: Path, postgres: PostgresServer, file: Path
) -> None:
    with written(file) as store:
        store.put(acts(1)[0])
    with ailing_node(reply(500, FULL)) as ailing:
        records = read_configuration(file).records
        full = write_cluster_file(tmp_path / "full", records, [ailing])
        with pytest.raises(StoreFull, match=r"a disk of Qdrant is full .* what was published before is safe"):
            written(full)
    with ClusterStore.open_file(file, embedder=EMBEDDER) as reader:
        assert [name for name, _ in found(reader)[0]] == ["xx:act:1/sec_1"]


def test_a_missing_extra_prints_its_command(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StoreError, match=r"pip install 'pykala\[cluster\]'"):
        open_store(f"cluster:{file}")


def test_lengths_are_rounded_as_in_the_folders_index() -> None:
    assert [rounded_length(n) for n in (0, 1, 39, 40, 41, 43, 57, 60, 100, 1000)] == [
        *(0, 1, 39, 40, 40, 42, 56, 60, 96, 984),
    ]


@pytest.mark.parametrize("frequency", [1, 2, 7, 100, 900])
@pytest.mark.parametrize("length", [1, 50, 3000])
def test_a_frequency_is_had_back_from_its_weight(frequency: int, length: int) -> None:
    import numpy as np

    norm = length_norm(length, 61.7)
    assert frequency_of(float(np.float32(passage_weight(frequency, norm))), norm) == frequency
