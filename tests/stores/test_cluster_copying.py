"""A cluster is copied, backed up and restored whole; its passages are compared with the records."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from cluster_file import write_cluster_file
from copied_library import CONTRACT, EMBEDDER, Cut, make_library, originals, originals_in_database, told
from postgres_server import PASSWORD, PostgresServer
from pykala.interfaces.cli.main import run
from pykala.law.identifiers import WorkId
from pykala.models.embedder import Embedder
from pykala.stores.archiving import back_up, restore
from pykala.stores.cluster.store import ClusterStore
from pykala.stores.copying import CopyReport, copy_library
from pykala.stores.embedded.backup import check
from pykala.stores.embedded.store import EmbeddedStore
from pykala.stores.embedded.verifying import verify
from pykala.stores.opening import open_store
from pykala.stores.store import StoreDamaged, StoreError, StoreIncompatible
from qdrant_server import KEY, QdrantServer

MADE_AT = datetime(2026, 11, 16, tzinfo=UTC)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return make_library(tmp_path / "law")


@pytest.fixture
def clusters(tmp_path: Path, postgres: PostgresServer, qdrant: QdrantServer) -> Iterator[list[str]]:
    """The addresses of two clusters that hold nothing yet."""
    names = ("one", "two")
    yield [
        f"cluster:{write_cluster_file(tmp_path / name, postgres.new_database(), qdrant.addresses)}"
        for name in names
    ]
    qdrant.drop_all()


def ours(place: str | Path) -> Embedder:
    return EMBEDDER


def digests(report: CopyReport) -> dict[str, tuple[int, str]]:
    return {one.table: (one.rows, one.digest) for one in report.tables}


def file_of(cluster: str) -> Path:
    return Path(cluster.removeprefix("cluster:"))


def test_there_and_back_again(folder: Path, clusters: list[str], tmp_path: Path) -> None:
    there = copy_library(folder, clusters[0], embedder_for=ours)
    back = copy_library(clusters[0], tmp_path / "back", embedder_for=ours)
    assert there.indexed
    assert there.passages == dict(digests(there))["children"][0] > 0
    assert digests(there) == digests(back)
    with (
        EmbeddedStore.open(folder, embedder=EMBEDDER) as first,
        open_store(clusters[0], embedder=EMBEDDER) as second,
        EmbeddedStore.open(tmp_path / "back", embedder=EMBEDDER) as third,
    ):
        assert isinstance(second, ClusterStore)
        assert told(first, digits=3) == told(second, digits=3) == told(third, digits=3)
        assert originals_in_database(second.records) == [CONTRACT]
    assert verify(tmp_path / "back").is_whole
    assert originals(tmp_path / "back") == [CONTRACT]


def test_a_backup_is_restored_into_another_cluster_and_into_a_folder(
    folder: Path, clusters: list[str], tmp_path: Path
) -> None:
    copy_library(folder, clusters[0], embedder_for=ours)
    with ClusterStore.open_file(file_of(clusters[0]), writable=True, embedder=EMBEDDER) as store:
        store.delete(WorkId("xx:act:4"))
    archive = tmp_path / "law.tar.zst"
    made = back_up(clusters[0], archive, made_at=MADE_AT, version="1.0")
    assert check(archive) == made
    restore(archive, clusters[1], embedder_for=ours)
    restore(archive, tmp_path / "restored", embedder_for=ours)
    with (
        open_store(clusters[0], embedder=EMBEDDER) as first,
        open_store(clusters[1], embedder=EMBEDDER) as second,
        EmbeddedStore.open(tmp_path / "restored", embedder=EMBEDDER) as third,
    ):
        assert "xx:act:4" not in {str(work.id) for work in second.works()}
        assert told(first, digits=3) == told(second, digits=3) == told(third, digits=3)
    assert originals(tmp_path / "restored") == [CONTRACT]


def test_a_copy_that_was_cut_off_before_the_passages_goes_on(folder: Path, clusters: list[str]) -> None:
    def cut(place: str | Path) -> Embedder:
        raise Cut

    with pytest.raises(Cut):
        copy_library(folder, clusters[0], embedder_for=cut)
    with pytest.raises(StoreIncompatible, match="pykala reindex"):
        open_store(clusters[0], embedder=EMBEDDER)
    report = copy_library(folder, clusters[0], embedder_for=ours)
    assert report.resumed
    with (
        EmbeddedStore.open(folder, embedder=EMBEDDER) as first,
        open_store(clusters[0], embedder=EMBEDDER) as second,
    ):
        assert told(first, digits=3) == told(second, digits=3)
    with pytest.raises(StoreError, match=r"there is a library in .* already"):
        copy_library(folder, clusters[0], embedder_for=ours)


def test_a_library_that_others_read_is_not_made_a_clusters(
    folder: Path, clusters: list[str], tmp_path: Path, postgres: PostgresServer, qdrant: QdrantServer
) -> None:
    records = postgres.new_database()
    copy_library(folder, records, index_folder=tmp_path / "indexes")
    file = write_cluster_file(tmp_path / "three", records, qdrant.addresses)
    with pytest.raises(StoreError, match=r"there is a library in .* already"):
        copy_library(folder, f"cluster:{file}", embedder_for=ours)
    with (
        open_store(records, embedder=EMBEDDER) as team,
        EmbeddedStore.open(folder, embedder=EMBEDDER) as first,
    ):
        assert told(team) == told(first)


def test_passages_that_are_not_those_of_the_records_are_told(
    folder: Path, clusters: list[str], qdrant: QdrantServer
) -> None:
    copy_library(folder, clusters[0], embedder_for=ours)
    file = file_of(clusters[0])
    whole = ClusterStore.compare_file(file)
    assert set(whole) == {"words", "meaning"}
    with ClusterStore.open_file(file, embedder=EMBEDDER) as store:
        nodes = store.records.nodes
        (name,) = (one for one in nodes.collections() if one.endswith("_meaning"))
        point = next(nodes.scroll(name, {"must": []}, vectors=False))
        # As many as before, but one is said to be of another language.
        nodes.mark(
            name, {"language": point["payload"]["language"] + 1}, {"must": [{"has_id": [point["id"]]}]}
        )
    with pytest.raises(StoreDamaged, match=r"Qdrant \(meaning\) are not those of the records") as error:
        ClusterStore.compare_file(file)
    assert f"pykala reindex --library cluster:{file}" in str(error.value)


def test_the_commands_say_what_is_the_same(
    tmp_path: Path, clusters: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plain = make_library(tmp_path / "plain", embedder=None)
    monkeypatch.setenv("PYKALA_EMBEDDER", "none")
    assert run(["copy", str(plain), clusters[0]]) == 0
    line = " ".join(capsys.readouterr().out.split())
    assert "counts and content hashes are the same" in line
    assert "passages written to Qdrant, the same as in the records" in line
    archive = tmp_path / "law.tar.zst"
    assert run(["backup", str(archive), "--library", clusters[0]]) == 0
    assert run(["restore", str(archive), "--library", clusters[1]]) == 0
    told = capsys.readouterr()
    assert PASSWORD not in told.out + told.err
    assert KEY not in told.out + told.err
    for place in (str(plain), clusters[1]):
        assert run(["search", "tax on horse 3", "--json", "--library", place]) == 0
    first, second = (json.loads(line) for line in _documents(capsys.readouterr().out))
    assert first == second


def test_vectors_of_an_embedder_that_is_not_set_are_told(
    folder: Path, clusters: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PYKALA_EMBEDDER", "none")
    assert run(["copy", str(folder), clusters[0]]) == 3
    told = capsys.readouterr().err
    assert "PYKALA_EMBEDDER" in told
    assert told.count("\n") == 1


def _documents(out: str) -> list[str]:
    """The JSON documents that were written one after the other."""
    decoder, found = json.JSONDecoder(), []
    while out := out.lstrip():
        _, end = decoder.raw_decode(out)
        found.append(out[:end])
        out = out[end:]
    return found
