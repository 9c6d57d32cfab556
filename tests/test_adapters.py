"""The adapters with the frameworks themselves.

Each test imports its framework: at the head of the file, every process of a run would load all three.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

import pykala
from pykala.library import Library

if TYPE_CHECKING:
    from langchain_core.documents import Document

QUERY = "tax rate on capital income"
SECTION = "fi:act:1992/1535/sec_124"


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    settings = pykala.Settings.read({"PYKALA_CACHE": str(tmp_path_factory.mktemp("cache"))})
    with pykala.sample(settings) as library:
        yield library


def test_langchain_retrieves_chains_and_awaits(sample: Library) -> None:
    from langchain_core.runnables import RunnableLambda

    from pykala import langchain

    retriever = langchain.PykalaRetriever(
        library=sample, jurisdiction="fi", language="en", limit=3, as_of="2014-06-01"
    )
    (first, *_) = found = retriever.invoke(QUERY)
    assert len(found) <= 3
    assert first.id == SECTION
    assert "32 per cent" in first.page_content
    assert first.metadata["citation"] == "Income Tax Act (1535/1992), section 124"
    assert first.metadata["url"].startswith("https://www.finlex.fi/")
    assert first.metadata["valid_to"] == "2015-01-01"
    chained = retriever | RunnableLambda(lambda documents: documents[0].metadata["citation"])
    assert chained.invoke(QUERY) == first.metadata["citation"]

    async def together() -> list[list[Document]]:
        return await asyncio.gather(*(retriever.ainvoke(QUERY) for _ in range(4)))

    assert [documents[0].id for documents in asyncio.run(together())] == [SECTION] * 4
    assert retriever.invoke("  ") == []
    with pytest.raises(TypeError, match=r"pykala\.Library"):
        langchain.PykalaRetriever(library=None).invoke(QUERY)


def test_llamaindex_retrieves_nodes_with_scores(sample: Library) -> None:
    from pykala import llamaindex

    found = llamaindex.PykalaRetriever(sample, jurisdiction="fi", language="en", limit=2).retrieve(QUERY)
    assert 0 < len(found) <= 2
    assert found[0].node.node_id == SECTION
    assert found[0].score is not None
    assert "34 per cent" in found[0].node.get_content()


def test_haystack_runs_it_in_a_pipeline(sample: Library) -> None:
    from haystack import Pipeline

    from pykala import haystack

    pipeline = Pipeline()
    pipeline.add_component("law", haystack.PykalaRetriever(sample, language="en"))
    made = pipeline.run({"law": {"query": QUERY, "top_k": 2, "as_of": "2014-06-01"}})
    (first, *_) = made["law"]["documents"]
    assert first.id == SECTION
    assert "32 per cent" in (first.content or "")
    assert first.meta["citation"] == "Income Tax Act (1535/1992), section 124"


WITHOUT_FRAMEWORKS = """
import importlib, sys
packages = {"langchain": "langchain_core", "llamaindex": "llama_index", "haystack": "haystack"}
for module, package in packages.items():
    sys.modules[package] = None
    try:
        importlib.import_module(f"pykala.{module}")
    except ImportError as error:
        print(error)
"""


def test_where_a_framework_is_not_installed_it_says_what_to_install() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_FRAMEWORKS], capture_output=True, text=True, timeout=300
    )
    assert [line.partition("run: ")[2] for line in done.stdout.splitlines()] == [
        f"pip install 'pykala[{extra}]'" for extra in ("langchain", "llamaindex", "haystack")
    ]
