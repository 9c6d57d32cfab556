"""The grammar against the labels: figures may not fall, and the labels themselves are sound."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[3]
CORPORA = ROOT.parent / "shared" / "corpora"
#: What is reached today, rounded down: (find precision, find recall, resolve precision, resolve recall).
REACHED = {"fi": (0.995, 0.995, 0.985, 0.98), "sv": (0.995, 0.995, 0.99, 0.99)}
LANGUAGES = ("fi", "sv")


def _bench() -> ModuleType:
    name = "bench_finland_citations"
    spec = importlib.util.spec_from_file_location(name, ROOT / "bench" / "finland_citations.py")
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
    places = [(entry.path, entry.provision) for entry in labelled]
    assert len(places) == len(set(places))
    assert sum(not label.optional for entry in labelled for label in entry.labels) >= 300
    assert sum(not entry.labels for entry in labelled) >= 50
    assert sum(entry.held_out for entry in labelled) >= 30
    assert {entry.source for entry in labelled} >= {"akn", "statute"}
    for entry in labelled:
        end = 0
        for label in entry.labels:
            assert end <= label.start < label.end
            end = label.end


@pytest.fixture(scope="module")
def corpora() -> Iterator[object]:
    archives = sorted({source.archive for source in bench.SOURCES.values()})
    absent = [name for name in archives if not (CORPORA / f"{name}.tar.zst").exists()]
    if absent:
        pytest.skip(f"the real corpora are absent beside the repository: {', '.join(absent)}")
    with ExitStack() as stack:
        yield bench.Corpora(CORPORA, stack)


@pytest.mark.corpora
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_figures_do_not_fall(language: str, corpora: object) -> None:
    result = bench.score(language, corpora, bench.read_labels(language))["all"]
    assert result.counts["outdated"] <= 0.02 * result.counts["provisions"], "\n".join(result.misses)
    fallen = {
        name: (round(figure, 4), least)
        for (name, figure), least in zip(result.figures().items(), REACHED[language], strict=True)
        if figure < least
    }
    assert not fallen, "\n".join(result.misses)
