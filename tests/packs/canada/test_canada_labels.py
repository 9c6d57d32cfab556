"""The grammar against the labels: figures may not fall, and the labels themselves are sound."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from pykala.fetch.mirror import open_mirror

ROOT = Path(__file__).resolve().parents[3]
ARCHIVE = ROOT.parent / "shared" / "corpora" / "canada.tar.zst"
#: What is reached today, rounded down: (find precision, find recall, resolve precision, resolve recall).
REACHED = {"en": (0.994, 0.999, 0.985, 0.990), "fr": (0.995, 0.991, 0.979, 0.977)}
LANGUAGES = ("en", "fr")


def _bench() -> ModuleType:
    name = "bench_canada_citations"
    spec = importlib.util.spec_from_file_location(name, ROOT / "bench" / "canada_citations.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


bench = _bench()


@pytest.mark.parametrize("language", LANGUAGES)
def test_there_are_enough_labels_and_they_do_not_overlap(language: str) -> None:
    labelled = bench.read_labels(language)
    places = [entry.provision for entry in labelled]
    assert len(places) == len(set(places))
    assert sum(not label.optional for entry in labelled for label in entry.labels) >= 300
    assert sum(not entry.labels for entry in labelled) >= 50
    assert sum(entry.held_out for entry in labelled) >= 60
    for entry in labelled:
        end = 0
        for label in entry.labels:
            assert end <= label.start < label.end
            end = label.end


@pytest.fixture(scope="module")
def corpus() -> Iterator[object]:
    if not ARCHIVE.exists():
        pytest.skip(f"the real corpus is absent: {ARCHIVE.name} is not beside the repository")
    with open_mirror(ARCHIVE) as mirror:
        yield bench.Corpus(mirror)


@pytest.mark.corpora
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_figures_do_not_fall(language: str, corpus: object) -> None:
    result = bench.score(language, corpus, bench.read_labels(language))
    figures = result.figures()
    fallen = {
        name: (round(figure, 4), least)
        for (name, figure), least in zip(figures.items(), REACHED[language], strict=True)
        if figure < least
    }
    assert not fallen, "\n".join(result.misses)


def label(start: int, end: int, *targets: str, optional: bool = False) -> object:
    return bench.Label(start, end, targets, optional)


def found(start: int, end: int) -> object:
    return bench.Found(start, end, "")


@pytest.mark.parametrize(
    ("labels", "spans", "expected"),
    [
        ([label(0, 9)], [found(0, 9)], [(0, 0)]),
        ([label(0, 9)], [], [(0, None)]),
        ([], [found(3, 5)], [(None, 0)]),
        # A citation cut in two is found once, and something besides it.
        ([label(0, 30)], [found(0, 9), found(15, 30)], [(0, 1), (None, 0)]),
        ([label(0, 9), label(10, 13)], [found(0, 13)], [(0, 0), (1, None)]),
        ([label(0, 9), label(10, 13)], [found(10, 13), found(0, 9)], [(0, 1), (1, 0)]),
    ],
)
def test_matching(labels: list[object], spans: list[object], expected: list[tuple[int, int]]) -> None:
    pairs = [
        (labels.index(one) if one is not None else None, spans.index(other) if other is not None else None)
        for one, other in bench.matched(labels, spans)
    ]
    assert pairs == expected
