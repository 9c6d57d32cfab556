"""The library as files for other programs: every provision once, every wording with its days."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet
import pytest
from lxml import etree
from typer.testing import CliRunner

from making import bundle, cites, document, section, since
from pykala.interfaces.cli.main import app
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.messages import Message
from pykala.law.provisions import Event, Version
from pykala.law.validity import Validity
from pykala.library.export import export
from pykala.stores.embedded.store import EmbeddedStore

FIRST, SECOND = WorkId("xx:act:1"), WorkId("xx:act:2")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[EmbeddedStore]:
    with EmbeddedStore.open(tmp_path / "library", writable=True) as opened:
        versions = (
            Version("Old <words> & more.", since(2000, 2010)),
            Version(
                "New.",
                since(2010),
                event=Event.AMENDED,
                source_act=SECOND,
                findings=(Message("finding.no_list"),),
            ),
        )
        pending = section(FIRST, "2", "Waits.", validity=Validity.pending())
        one = [
            document(FIRST, language, [section(FIRST, "1", versions=versions), pending])
            for language in ("en", "fr")
        ]
        two = document(SECOND, "en", [section(SECOND, "1", "See section 1 of Act 1.")])
        source, target = (ProvisionId.parse(f"{work}/sec_1") for work in (SECOND, FIRST))
        with opened.batch():
            opened.put(bundle(FIRST, one))
            opened.put(bundle(SECOND, [two], references=[cites(source, target)]))
        yield opened


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_the_graph_holds_every_provision_once_and_every_edge(store: EmbeddedStore, tmp_path: Path) -> None:
    written = export(store, tmp_path / "out")
    nodes, edges = lines(tmp_path / "out/nodes.jsonl"), lines(tmp_path / "out/edges.jsonl")
    assert [node["id"] for node in nodes] == [
        "xx:act:1", "xx:act:1/sec_1", "xx:act:1/sec_2", "xx:act:2", "xx:act:2/sec_1",
    ]  # fmt: skip
    assert (written.works, written.nodes, written.edges) == (2, len(nodes), len(edges))
    cited = [edge for edge in edges if edge["kind"] == "cites"]
    assert [(edge["source"], edge["target"]) for edge in cited] == [("xx:act:2/sec_1", "xx:act:1/sec_1")]
    assert sum(edge["kind"] == "parent_of" for edge in edges) == 3
    graph = etree.parse(tmp_path / "out/graph.graphml").getroot()
    assert len(graph.findall(".//{*}node")) == len(nodes)
    assert len(graph.findall(".//{*}edge")) == len(edges)


def test_the_dataset_holds_every_wording_with_its_days(store: EmbeddedStore, tmp_path: Path) -> None:
    export(store, tmp_path / "out")
    folder = tmp_path / "out/dataset"
    provisions = pyarrow.parquet.read_table(folder / "provisions.parquet").to_pylist()
    versions = pyarrow.parquet.read_table(folder / "versions.parquet").to_pylist()
    assert len(provisions) == 8  # three in two languages, two in one
    chain = [row for row in versions if (row["id"], row["language"]) == ("xx:act:1/sec_1", "fr")]
    assert [(row["text"], row["start"], row["end"]) for row in chain] == [
        ("Old <words> & more.", "2000-01-01", "2010-01-01"),
        ("New.", "2010-01-01", None),
    ]
    assert (chain[1]["source_act"], chain[1]["findings"]) == (
        "xx:act:2",
        ["the list or table that these words announce is not in the source"],
    )
    waiting = next(row for row in versions if row["id"] == "xx:act:1/sec_2")
    assert (waiting["start"], waiting["pending"]) == (None, True)
    assert (folder / "README.md").read_text("utf-8").startswith("---\npretty_name:")


def test_the_command_writes_what_it_says(store: EmbeddedStore, tmp_path: Path) -> None:
    store.close()
    folder = tmp_path / "out"
    told = CliRunner().invoke(
        app, ["export", str(tmp_path / "library"), "--to", str(folder), "--no-dataset", "--json"]
    )
    assert told.exit_code == 0, told.output
    assert json.loads(told.output)["files"] == ["edges.jsonl", "graph.graphml", "nodes.jsonl"]
