"""Every example of the documentation runs and prints what the page shows, or says why it is not run."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from docsite.blocks import NEEDS, WITH_SERVERS, Block, all_blocks, executable
from docsite.pages import PLACES, ROOT
from example_runs import Reader, assert_prints, environment, furnish, misread, pages_to_run, serving

BLOCKS = all_blocks()
PAGES = pages_to_run(BLOCKS)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("shared")


@pytest.fixture(scope="module")
def address(shared: Path) -> Iterator[str]:
    with serving(shared) as served:
        yield served


@pytest.fixture(scope="module")
def begun() -> set[str]:
    """What serves is begun once, however many pages tell it."""
    return set()


@pytest.mark.parametrize("page", sorted(PAGES.keys() - WITH_SERVERS))
def test_the_examples_of_a_page_run(
    page: str, shared: Path, address: str, begun: set[str], tmp_path: Path
) -> None:
    furnish(tmp_path, shared / "cache")
    told = {**environment(tmp_path), "PYKALA_CACHE": str(shared / "cache")}
    reader = Reader(tmp_path, told, address, begun=begun)
    for block in PAGES[page]:
        reader.run(block)


@pytest.mark.parametrize(
    "block", [b for b in BLOCKS if b.needs and not b.told], ids=lambda block: block.place
)
def test_what_is_not_run_is_said(block: Block) -> None:
    assert block.needs in NEEDS, (
        f"{block.place}: 'not run: {block.needs}' is no reason; use one of {list(NEEDS)}"
    )
    pytest.skip(
        f"NOT RUN, needs {NEEDS[block.needs]}: {block.commands[0] if block.commands else block.text[:60]}"
    )


def test_the_program_can_parse_every_command() -> None:
    wrong = [
        f"{block.place}: {mistake}"
        for block in BLOCKS
        if executable(block) and block.language != "python"
        for command in block.commands
        for mistake in misread(command)
    ]
    assert wrong == []


def test_the_program_can_parse_every_command_within_a_sentence() -> None:
    # A sentence may name a verb alone, such as `pykala diff`. The changelog names options alone.
    commands = [
        (page, command)
        for page in PLACES
        if page.endswith(".md") and page != "CHANGELOG.md"
        for command in re.findall(r"(?<!`)`(pykala [a-z-]+ [^`\n]+)`(?!`)", (ROOT / page).read_text("utf-8"))
        if "…" not in command
    ]
    assert len(commands) > 20
    assert [f"{page}: {mistake}" for page, command in commands for mistake in misread(command)] == []


@pytest.mark.parametrize(
    ("command", "wrong"),
    [
        ("pykala ask 'What is it?' --as-of 2014-06-01", []),
        ("pykala asks What", ["asks"]),
        ("pykala get fi --form law && pykala serve --open", ["get: No such option: --form"]),
        ("PYKALA_MODEL=x pykala reindx --library x", ["reindx"]),
        ("pykala ingest ca canada.tar.zst", ["ingest: Got unexpected extra argument"]),
        ("pykala show", ["show: Missing argument"]),
        ("pykala ask What --limit 3", ["ask: No such option: --limit"]),
    ],
)
def test_what_the_program_cannot_parse_is_found(command: str, wrong: list[str]) -> None:
    for told, expected in zip(misread(command), wrong, strict=True):
        assert told.startswith(expected)


@pytest.mark.parametrize(
    "block",
    [block for block in BLOCKS if block.language in ("json", "toml", "yaml")],
    ids=lambda block: block.place,
)
def test_data_can_be_read(block: Block) -> None:
    {"json": json.loads, "toml": tomllib.loads, "yaml": yaml.safe_load}[block.language](block.text)


def test_most_of_the_first_pages_is_run() -> None:
    for page in ("accountant", "lawyer", "developer", "operator"):
        assert len(PAGES[f"docs/tutorials/{page}.md"]) >= 3
    assert len([block for block in PAGES["README.md"] if block.language == "console"]) >= 3


def test_what_a_page_shows_is_compared() -> None:
    assert_prints("a\nb\n12 ms\nc\n", "a\n...\n99 ms\nc\n", "here")
    with pytest.raises(AssertionError, match="here printed"):
        assert_prints("a\nb\n", "a\nc\n", "here")
    with pytest.raises(AssertionError):
        assert_prints("30 per cent", "30 per cent\n...\n34 per cent", "here")


def test_no_page_hides_a_command_in_a_block_without_a_language() -> None:
    hidden = [
        block.place
        for block in BLOCKS
        if block.language == "text" and re.search(r"^\$? ?(?:pykala|pip|docker) \w", block.text, re.MULTILINE)
    ]
    assert hidden == []
