"""Configurations from TOML: the fields of the options, and errors that name the nearest."""

from __future__ import annotations

from dataclasses import asdict, fields
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pykala.evaluate.configurations import (
    Configuration,
    ConfigurationError,
    describe,
    read_ablations,
    read_configuration,
)
from pykala.retrieve.options import DEFAULT_OPTIONS, AskOptions, Fusion, Unit

ROWS = Path(__file__).parents[2] / "bench" / "ablations.toml"


def written(folder: Path, text: str) -> Path:
    (folder / "fast.toml").write_text(text)
    return folder / "fast.toml"


def test_a_configuration_is_a_name_and_what_it_changes(tmp_path: Path) -> None:
    text = 'fusion = "rrf"\nunit = "passage"\nhops = 0\ngraph = false\nmeaning_share = 1\n'
    found = read_configuration(written(tmp_path, text))
    assert found.name == "fast"
    assert found.options == AskOptions(
        fusion=Fusion.RANKS, unit=Unit.PASSAGE, hops=0, graph=False, meaning_share=1.0
    )
    assert read_configuration(written(tmp_path, 'name = "Slow one"')) == Configuration(
        "Slow one", DEFAULT_OPTIONS
    )
    given = AskOptions(cache=False, hops=2)
    assert read_configuration(written(tmp_path, "cache = true"), given).options == AskOptions(hops=2)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("grpah = false", "'grpah' is not an option; did you mean 'graph'?"),
        ("rerankers = false", "did you mean 'reranker'?"),
        ("xyzzy = 1", "'xyzzy' is not an option; there are: text, vectors"),
        ("graph = 1", "graph = 1 is not true or false"),
        ('graph = "no"', 'graph = "no" is not true or false'),
        ("hops = true", "hops = true is not a whole number"),
        ("hops = 1.5", "hops = 1.5 is not a whole number"),
        ('fusion = "sum"', 'fusion = "sum" is not "weighted" or "rrf"'),
        ("meaning_share = true", "meaning_share = true is not a number"),
        ('name = ""', "has no name"),
        ("graph = ", "is not TOML"),
        ('[[row]]\nname = "x"', "give it as --ablations"),
    ],
)
def test_what_is_no_configuration_is_said(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(ConfigurationError) as told:
        read_configuration(written(tmp_path, text))
    assert says in str(told.value)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("graph = false", "holds no rows"),
        ("row = 1", "holds no rows"),
        ("[row]\ngraph = false", "holds no rows"),
        ("[[row]]\ngraph = false", "row 1 has no name"),
        ('[[row]]\nname = "x"\ngrpah = false', "row 1: 'grpah' is not an option; did you mean 'graph'?"),
        ('graph = false\n[[row]]\nname = "x"', "'graph' stands outside the rows"),
        ('[[row]]\nname = "No graph"\n[[row]]\nname = "no-graph"', "are one name"),
    ],
)
def test_what_is_no_table_of_ablations_is_said(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(ConfigurationError) as told:
        read_ablations(written(tmp_path, text))
    assert says in str(told.value)


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="No such file"):
        read_configuration(tmp_path / "none.toml")


def test_the_table_turns_every_stage_off_once() -> None:
    first, *others = read_ablations(ROWS)
    assert first.options == DEFAULT_OPTIONS
    alone = [describe(row.options) for row in others]
    switches = [name for name, value in asdict(DEFAULT_OPTIONS).items() if value is True and name != "cache"]
    assert {f"{name} = false" for name in switches} <= set(alone)
    assert {'fusion = "rrf"', 'unit = "passage"', "hops = 0", "hops = 1", "hops = 2"} <= set(alone)
    assert all(alone), "a row that changes nothing measures nothing"


OPTIONS = st.builds(
    AskOptions,
    **{field.name: st.booleans() for field in fields(AskOptions) if field.type == "bool"},
    hops=st.none() | st.integers(0, 4),
    fusion=st.sampled_from(Fusion),
    unit=st.sampled_from(Unit),
    meaning_share=st.integers(0, 8).map(lambda eighth: eighth / 8),
)


@given(OPTIONS)
def test_what_is_described_reads_back(tmp_path_factory: pytest.TempPathFactory, options: AskOptions) -> None:
    path = tmp_path_factory.mktemp("toml") / "one.toml"
    path.write_text(describe(options).replace(", ", "\n"))
    assert read_configuration(path).options == options
