"""A table of ablations: every row a run of its own, resumable, compared with the first."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from making import bundle, document, section
from plain_pack import pack
from pykala.evaluate import runs
from pykala.evaluate.ablations import (
    Row,
    ablations_json,
    ablations_markdown,
    estimates_of,
    run_ablations,
)
from pykala.evaluate.configurations import Configuration
from pykala.evaluate.questions import GoldQuestion
from pykala.evaluate.runs import Line
from pykala.law.answers import Outcome
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.library import Library
from pykala.retrieve.options import DEFAULT_OPTIONS, AskOptions
from pykala.stores.embedded.store import EmbeddedStore

WORK = WorkId("xx:act:1")
DAY = date(2020, 6, 1)
QUESTIONS = tuple(
    GoldQuestion(
        name,
        f"What is the tax on a {name}?",
        language="en",
        jurisdiction="xx",
        as_of=DAY,
        gold=((ProvisionId.parse(f"{WORK}/sec_{number}"),),),
    )
    for number, name in enumerate(("horse", "boat"), start=1)
)
ROWS = (
    Configuration("as it is", DEFAULT_OPTIONS),
    Configuration("no graph", replace(DEFAULT_OPTIONS, graph=False)),
    Configuration("no cache", replace(DEFAULT_OPTIONS, cache=False)),
)


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    sections = [
        section(WORK, str(number), f"The tax on a {name} is {number} euros.")
        for number, name in enumerate(("horse", "boat"), start=1)
    ]
    with EmbeddedStore.open(tmp_path / "library", writable=True) as store:
        store.put(bundle(WORK, [document(WORK, "en", sections, "Tax Act")]))
        yield Library(store, packs={"xx": pack}, today=lambda: DAY)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, AskOptions]]:
    """Every question and the options it was asked under; without the graph, the boat is not answered."""
    found: list[tuple[str, AskOptions]] = []
    answer = runs.answer_question

    def listening(question: GoldQuestion, library: Library) -> Line:
        found.append((question.id, library.options))
        line = answer(question, library)
        if question.id == "boat" and not library.options.graph:
            return replace(line, outcome=Outcome.SILENT, primary=None, support=(), path=())
        return line

    monkeypatch.setattr(runs, "answer_question", listening)
    return found


def table(library: Library, folder: Path) -> tuple[Row, ...]:
    return run_ablations("set", QUESTIONS, library, ROWS, folder)


def test_each_row_is_asked_under_its_own_options_and_compared_with_the_first(
    library: Library, tmp_path: Path, asked: list[tuple[str, AskOptions]]
) -> None:
    whole, no_graph, no_cache = table(library, tmp_path / "out")
    assert [options for _, options in asked] == [one.options for one in ROWS for _ in QUESTIONS]
    assert library.options == DEFAULT_OPTIONS
    assert (whole.changed, whole.differences) == ((), ())
    assert no_graph.changed == ("boat",)
    passed = {one.measure: one for one in no_graph.differences}["PRIMARY_PASS"]
    assert (passed.before, passed.after, passed.gained, passed.lost) == (1.0, 0.5, (), ("boat",))
    assert passed.change.low <= passed.change.mean == -0.5 <= passed.change.high
    assert no_cache.changed == ()
    assert [(name, one.mean) for name, one in estimates_of((whole, no_graph), "PRIMARY_PASS")] == [
        ("as it is", 1.0),
        ("no graph", 0.5),
    ]


def test_a_table_that_was_cut_off_goes_on(
    library: Library, tmp_path: Path, asked: list[tuple[str, AskOptions]]
) -> None:
    first = table(library, tmp_path / "out")
    assert len(asked) == 6
    file = tmp_path / "out" / "no-graph" / runs.FILE
    file.write_bytes(file.read_bytes()[:-30])  # killed in the middle of the second row's last line
    again = table(library, tmp_path / "out")
    assert [name for name, _ in asked[6:]] == ["boat"]
    assert [one.measured.estimates["PRIMARY_PASS"] for one in again] == [
        one.measured.estimates["PRIMARY_PASS"] for one in first
    ]


def test_a_table_leaves_the_library_as_it_is(
    library: Library, tmp_path: Path, asked: list[tuple[str, AskOptions]]
) -> None:
    table(library, tmp_path / "out")
    assert any(not options.graph for _, options in asked)
    assert library.options == DEFAULT_OPTIONS


def test_the_table_says_what_changed_gained_and_was_lost(
    library: Library, tmp_path: Path, asked: list[tuple[str, AskOptions]]
) -> None:
    rows = table(library, tmp_path / "out")
    page, data = ablations_markdown(rows), ablations_json(rows)
    assert "| as it is | – | – | 1.000 (1.000–1.000) |" in page
    assert "| no graph | graph = false | 1 | 0.500 (0.000–1.000) |" in page
    assert "| PRIMARY_PASS | -0.500 (-1.000 to +0.000) | – | boat |" in page
    assert "### no cache\n\nNo answer changes" in page
    found = json.loads(json.dumps(data))["rows"]
    assert [(one["name"], one["options"], one["changed"]) for one in found] == [
        ("as it is", "", []),
        ("no graph", "graph = false", ["boat"]),
        ("no cache", "cache = false", []),
    ]
    assert {"measure": "PRIMARY_PASS", "lost": ["boat"]}.items() <= found[1]["against_first"][0].items()
