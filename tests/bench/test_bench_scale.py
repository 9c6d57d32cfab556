"""The law made by rule, parts of a source, and the fit of growth."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.part_of_source import PartOfSource, drawn, items_of, part
from bench.scale import Cost, Latency, exponent, fits, measure_synthetic, read_runs, table
from bench.synthetic_law import AN_ACT, SyntheticLaw, word_of
from pykala.fetch.mirror import NotInMirror, open_mirror
from pykala.law.identifiers import ProvisionId
from pykala.packs.pack import pack_for
from pykala.versions.chains import check_chains


def test_the_same_acts_are_the_same_law() -> None:
    assert SyntheticLaw(3).bundle(2) == SyntheticLaw(3).bundle(2)
    assert SyntheticLaw(3).bundle(2).documents != SyntheticLaw(3).bundle(1).documents


@pytest.mark.parametrize("number", [0, 1, 7])
def test_an_act_is_sound_law(number: int) -> None:
    bundle = SyntheticLaw(8).bundle(number)
    root = bundle.documents[0].root
    nodes = list(root.walk())
    assert len(nodes) == AN_ACT
    assert all(ProvisionId.parse(str(node.id)) == node.id for node in nodes)
    assert not list(check_chains(root))
    assert any(len(node.versions) > 1 for node in nodes)
    words = {word for node in nodes for version in node.versions for word in version.text.split()}
    assert words <= {word for passage in bundle.passages for word in passage.text.split()}
    assert {one.source for one in bundle.references} <= {node.id for node in nodes}


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 59_999), st.integers(0, 59_999))
def test_words_differ_where_their_ranks_do(one: int, other: int) -> None:
    assert (word_of(one) == word_of(other)) == (one == other)


def test_a_synthetic_library_holds_what_was_made_and_answers() -> None:
    cost = measure_synthetic(2 * AN_ACT, False, asked=10)
    assert (cost.provisions, cost.edges) == (2 * AN_ACT, 2 * 20 * 5)
    assert cost.processor > 0
    assert set(cost.latencies) == {"open", "search", "ask", "provision", "walk"}
    assert all(0 < took.half <= took.high for took in cost.latencies.values())


@settings(max_examples=50, deadline=None)
@given(st.floats(0.2, 2.0), st.floats(0.1, 50.0))
def test_the_fit_finds_the_law_it_was_given(power: float, factor: float) -> None:
    sizes = [1e3, 1e4, 1e5]
    assert exponent(sizes, [factor * size**power for size in sizes]) == pytest.approx(
        (power, factor), rel=1e-6
    )


def test_runs_read_back_make_the_same_tables(tmp_path: Path) -> None:
    costs = [
        Cost(f"{size}", size, size, size, size, 2.0 * size, size, 100.0, size / 10, {"ask": took}, 1.0)
        for size, took in ((10, Latency(1.0, 2.0, 3.0)), (1000, Latency(10.0, 20.0, 30.0)))
    ]
    lines = [json.dumps(asdict(one)) for one in reversed(costs)]
    (tmp_path / "runs.jsonl").write_text("\n".join(lines), encoding="utf-8")
    read = read_runs([tmp_path / "runs.jsonl"])
    assert table(read) == table(costs)
    assert "| processor seconds | 1.00 | 10,000 |" in fits(read)
    assert "| ask p50, ms of processor | 0.50 |" in fits(read)


@settings(max_examples=50, deadline=None)
@given(st.text(min_size=1), st.floats(0, 1), st.floats(0, 1))
def test_a_larger_share_holds_the_smaller(name: str, one: float, other: float) -> None:
    small, large = sorted((one, other))
    assert not drawn(name, small) or drawn(name, large)
    assert drawn(name, 1.0)


def test_a_part_of_a_source_shows_whole_works() -> None:
    pack = pack_for("ca")
    sample = Path(__file__).parents[2] / "src" / "pykala" / "packs" / "canada" / "sample"
    with open_mirror(sample) as mirror:
        items = items_of(pack, mirror)
        chosen = sorted(items)[0]
        some = part(mirror, items, lambda name: name == chosen)
        assert isinstance(some, PartOfSource)
        assert sorted(some.paths()) == sorted(items[chosen])
        assert [file.path for file in some.files()] == sorted(items[chosen])
        elsewhere = next(path for path in mirror.paths() if path not in items[chosen])
        with pytest.raises(NotInMirror):
            some.read(elsewhere)
