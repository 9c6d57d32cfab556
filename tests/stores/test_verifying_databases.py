"""Damage in PostgreSQL and Qdrant: found row by row and point by point, and mended from the records."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from typer.testing import CliRunner

from asked_embedder import AskedHashingEmbedder
from cluster_file import write_cluster_file
from making import cites, simple
from postgres_server import PASSWORD, PostgresServer
from pykala.interfaces.cli.main import app
from pykala.law.bundles import Bundle
from pykala.law.filters import Filter
from pykala.law.identifiers import ProvisionId
from pykala.stores.cluster.configuration import read_configuration
from pykala.stores.opening import open_store, open_writer, verify
from pykala.stores.store import StoreError
from pykala.stores.verification import Verification
from qdrant_server import QdrantServer

EMBEDDER = AskedHashingEmbedder(64)
SECTION = "xx:act:2/sec_1"


@pytest.fixture(params=["files", "database", "cluster"])
def library(
    request: pytest.FixtureRequest, tmp_path: Path, postgres: PostgresServer, qdrant: QdrantServer
) -> Iterator[str]:
    """A library of ten acts, kept in each of the ways that need PostgreSQL."""
    records = postgres.new_database()
    if request.param == "cluster":
        address = f"cluster:{write_cluster_file(tmp_path / 'cluster', records, qdrant.addresses)}"
    else:
        address = f"{records}?index={request.param}&index_folder={tmp_path / 'index'}"
    fill(address)
    yield address
    qdrant.drop_all()


@pytest.fixture
def cluster(tmp_path: Path, postgres: PostgresServer, qdrant: QdrantServer) -> Iterator[str]:
    file = write_cluster_file(tmp_path / "cluster", postgres.new_database(), qdrant.addresses)
    fill(f"cluster:{file}")
    yield f"cluster:{file}"
    qdrant.drop_all()


def fill(address: str) -> None:
    with open_writer(address, embedder=EMBEDDER) as store, store.batch():
        for one in acts():
            store.put(one)


def acts() -> Iterator[Bundle]:
    target = ProvisionId.parse(SECTION)
    for number in range(1, 8):
        name = f"xx:act:{number}"
        texts = (
            f"The owner of {number} horses pays a tax.",
            f"A toll is due at bridge {number}. Foals are free.",
        )
        references = [cites(ProvisionId.parse(f"{name}/sec_1"), target)] if number > 2 else []
        yield simple(name, *texts, references=references)


def answers(address: str) -> list[object]:
    with open_store(address, embedder=EMBEDDER) as store:
        (vector,) = EMBEDDER.encode(["tax on horses"], "query")
        by_words = [(str(m.provision), m.score) for m in store.match_text("tax on horses", Filter(), 20)]
        return [by_words, [str(m.provision) for m in store.match_vector(vector, Filter(), 20)]]


def checked(address: str, *, repair: bool = False) -> Verification:
    return verify(address, embedder=EMBEDDER, repair=repair)


def records_of(address: str) -> str:
    file = address.removeprefix("cluster:")
    return read_configuration(Path(file)).records if file != address else address.partition("?")[0]


def change(address: str, statement: str) -> None:
    """Alter records behind the store's back, as decay does."""
    with psycopg.connect(
        records_of(address), autocommit=True, options="-c search_path=pykala,pykala_vector"
    ) as connection:
        assert connection.execute(statement.encode()).rowcount > 0


def test_a_whole_library_is_whole(library: str) -> None:
    found = checked(library)
    assert found.findings == []
    assert [one for one in found.not_covered if not one.startswith("pages of the database")] == []
    assert found.checked["works"] == 7
    assert found.checked["references"] == 5
    assert min(found.checked.values()) > 0


def test_an_altered_digit_is_found_and_its_work_is_read_again(library: str) -> None:
    change(library, "UPDATE versions SET text = replace(text, '2 horses', '3 horses')")
    (finding, *rest) = checked(library).findings
    assert (finding.what, rest) == (
        f"{SECTION}: versions: its text or dates are not those that were written",
        [],
    )
    assert not checked(library, repair=True).is_whole  # the law is not to be had here
    with open_writer(library, embedder=EMBEDDER) as store:
        assert store.fingerprints()["xx:act:2"] == "damaged"  # so that an ingest reads it again
        for one in acts():
            store.put(one)
    assert checked(library).findings == []


def test_edges_are_linked_again(library: str) -> None:
    change(library, "DELETE FROM edges WHERE ref = (SELECT max(ref) FROM edges)")
    found = checked(library, repair=True)
    assert [(one.part, one.mended) for one in found.findings if one.part == "edges"] == [("edges", True)]
    assert found.is_whole
    assert checked(library).findings == []


def test_works_of_an_older_version_get_their_hashes(library: str) -> None:
    change(library, "DELETE FROM digests WHERE work < 4")
    assert "3 of 7 works" in checked(library).not_covered[0]
    assert any("before today in 3 works" in one for one in checked(library, repair=True).not_covered)
    assert checked(library).checked["works"] == 7


def test_an_index_without_its_embedder_is_checked_by_words(library: str) -> None:
    found = verify(library)
    assert found.is_whole
    assert "vectors against the records: their embedder is not at hand" in found.not_covered


def test_damaged_index_files_are_written_anew(tmp_path: Path, postgres: PostgresServer) -> None:
    address = f"{postgres.new_database()}?index_folder={tmp_path / 'index'}"
    fill(address)
    wanted = answers(address)
    for path in (tmp_path / "index").rglob("*.idx"):
        path.write_bytes(path.read_bytes()[:-1] + b"?")
    assert checked(address).damaged("text")
    assert checked(address, repair=True).is_whole
    assert checked(address).findings == []
    assert answers(address) == wanted


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM index_words WHERE passage = 3",
        "UPDATE index_words SET terms = ARRAY[1], frequencies = ARRAY[1], words = '{1:1}/1000000000'",
        "UPDATE index_meaning SET meaning = (SELECT meaning FROM index_meaning WHERE passage = 3)",
    ],
)
def test_damaged_rows_of_an_index_are_written_anew(
    tmp_path: Path, postgres: PostgresServer, statement: str
) -> None:
    address = f"{postgres.new_database()}?index=database&index_folder={tmp_path / 'local'}"
    fill(address)
    wanted = answers(address)
    change(address, statement)
    assert not checked(address).is_whole
    assert checked(address, repair=True).is_whole
    assert checked(address).findings == []
    assert answers(address) == wanted


# Points in Qdrant


def collection_of(qdrant: QdrantServer, part: str) -> str:
    (name,) = (name for name in qdrant.collections() if name.endswith(f"_{part}"))
    return name


def call(qdrant: QdrantServer, part: str, path: str, body: dict[str, Any]) -> dict[str, Any]:
    return qdrant.call("POST", f"/collections/{collection_of(qdrant, part)}/points/{path}", body)


def of_work(number: int) -> dict[str, Any]:
    return {"filter": {"must": [{"key": "work", "match": {"value": number}}]}}


@pytest.mark.parametrize("part", ["words", "meaning", "asked"])
def test_missing_points_are_put_back(qdrant: QdrantServer, cluster: str, part: str) -> None:
    wanted, before = answers(cluster), qdrant.collections()
    for number in (3, 4):
        call(qdrant, part, "delete?wait=true", of_work(number))
    with pytest.raises(StoreError, match="Qdrant holds"):
        open_store(cluster, embedder=EMBEDDER)
    found = checked(cluster, repair=True)
    assert [one.what.partition(" of ")[0] for one in found.findings] == ["4"]
    assert found.is_whole
    assert checked(cluster).findings == []
    assert answers(cluster) == wanted
    assert qdrant.collections() == before  # no collection was written anew


def test_points_astray_and_altered_are_mended(qdrant: QdrantServer, cluster: str) -> None:
    wanted, before = answers(cluster), qdrant.collections()
    call(qdrant, "words", "payload?wait=true", {"payload": {"valid_to": 1}, **of_work(5)})
    (copied,) = call(qdrant, "meaning", "scroll", {"limit": 1, "with_vector": True, "with_payload": True})[
        "result"
    ]["points"]
    strange = {"points": [{"id": 999, "vector": copied["vector"], "payload": copied["payload"]}]}
    qdrant.call("PUT", f"/collections/{collection_of(qdrant, 'meaning')}/points?wait=true", strange)
    told = [one.what for one in checked(cluster).findings]
    assert told == [
        "2 of 14 points in Qdrant are missing or altered",
        "1 points in Qdrant belong to no passage of the records",
    ]
    assert checked(cluster, repair=True).is_whole
    assert checked(cluster).findings == []
    assert (answers(cluster), qdrant.collections()) == (wanted, before)


def test_wrong_weights_and_vectors_are_written_anew(qdrant: QdrantServer, cluster: str) -> None:
    wanted = answers(cluster)
    for part, name in (("words", "words"), ("meaning", "meaning")):
        held = call(qdrant, part, "scroll", {"limit": 99, "with_vector": True})["result"]["points"]
        swapped = [
            {"id": one["id"], "vector": {name: other["vector"][name]}}
            for one, other in zip(held, [*held[1:], held[0]], strict=True)
        ]
        place = f"/collections/{collection_of(qdrant, part)}/points/vectors?wait=true"
        qdrant.call("PUT", place, {"points": swapped})
    found = checked(cluster)
    assert [one.what.partition(" ")[2] for one in found.findings if "sampled" in one.what]
    assert found.damaged("indexes")
    assert checked(cluster, repair=True).is_whole
    assert checked(cluster).findings == []
    assert answers(cluster) == wanted


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE index_lengths SET terms = terms + 1",
        "UPDATE index_frequencies SET passages = passages + 1",
        "UPDATE index_files SET bytes = '\\x00'",
        "UPDATE meta SET value = '1' WHERE key = 'cluster_epoch'",
    ],
)
def test_wrong_statistics_are_written_anew(cluster: str, statement: str) -> None:
    wanted = answers(cluster)
    change(cluster, statement)
    assert not checked(cluster).is_whole
    assert checked(cluster, repair=True).is_whole
    assert checked(cluster).findings == []
    assert answers(cluster) == wanted


def test_a_collection_that_is_gone_is_written_anew(qdrant: QdrantServer, cluster: str) -> None:
    wanted = answers(cluster)
    qdrant.call("DELETE", f"/collections/{collection_of(qdrant, 'words')}")
    assert not checked(cluster).is_whole
    assert checked(cluster, repair=True).is_whole
    assert answers(cluster) == wanted


def test_the_command_says_what_it_found_without_secrets(cluster: str, qdrant: QdrantServer) -> None:
    call(qdrant, "words", "delete?wait=true", of_work(3))
    result = CliRunner().invoke(app, ["verify", cluster])
    assert result.exit_code == 3
    told = " ".join(result.output.split())
    assert "Damaged: text: 2 of 14 points in Qdrant are missing or altered" in told
    assert "Mend it with 'pykala verify" in told
    result = CliRunner().invoke(app, ["verify", records_of(cluster)])
    assert result.exit_code == 3
    assert "the passages of this library are in Qdrant" in " ".join(result.output.split())
    assert PASSWORD not in told + result.output
