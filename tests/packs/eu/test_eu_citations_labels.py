"""The grammar against the labels: figures may not fall, and the labels themselves are sound."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.eu_citations import LABELS, Corpus, Label, LabelledProvision, read_labels, score
from pykala.fetch.mirror import open_mirror
from pykala.law.identifiers import ProvisionId

ROOT = Path(__file__).resolve().parents[3]
ARCHIVE = ROOT.parent / "shared" / "corpora" / "eu.tar.zst"
LANGUAGES = ("en", "fr")
#: What is reached, rounded down: (find precision, find recall, resolve precision, resolve recall).
FLOORS = {"en": (0.98, 0.98, 0.96, 0.96), "fr": (0.98, 0.97, 0.95, 0.95)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_labels_are_sound(language: str) -> None:
    labelled = read_labels(language)
    assert len({(entry.provision, entry.text_sha256) for entry in labelled}) == len(labelled)
    assert sum(not label.optional for entry in labelled for label in entry.labels) >= 300
    assert any(entry.held_out for entry in labelled)
    for entry in labelled:
        assert entry.provision.path, entry.provision
        assert entry.provision.work.jurisdiction == "eu"
        _stand_apart(entry)
        for label in entry.labels:
            _lead_somewhere(label)


def _stand_apart(entry: LabelledProvision) -> None:
    end = 0
    for label in entry.labels:
        assert end <= label.start < label.end, (entry.provision, label)
        end = label.end


def _lead_somewhere(label: Label) -> None:
    for target in label.targets:
        if not target.startswith("name:"):
            assert str(ProvisionId.parse(target)) == target


@pytest.mark.parametrize("language", LANGUAGES)
def test_labels_hold_no_sentences(language: str) -> None:
    text = (LABELS / f"{language}.jsonl").read_text("utf-8")
    assert max(len(part) for part in text.split()) < 120
    assert '"text"' not in text


@pytest.fixture(scope="module")
def corpus() -> Iterator[Corpus]:
    if not ARCHIVE.exists():
        pytest.skip(f"the corpus {ARCHIVE.name} is not beside the repository; the labels cannot be scored")
    with open_mirror(ARCHIVE) as mirror:
        yield Corpus(mirror)


@pytest.mark.corpora
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_figures_do_not_fall(language: str, corpus: Corpus) -> None:
    # The others take longer to read than all these together; the bench reads them all.
    labelled = [entry for entry in read_labels(language) if corpus.is_small(entry.provision.work)]
    assert len(labelled) > 100
    result = score(language, corpus, labelled)
    figures = tuple(result.figures().values())
    assert all(figure >= floor for figure, floor in zip(figures, FLOORS[language], strict=True)), (
        figures,
        result.misses,
    )
