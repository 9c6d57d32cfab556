"""The gate: on the samples, with no embedder, these figures may rise and may not fall.

When a change raises them, raise them here too (`pykala evaluate fi --json` and its like print them); what
falls is listed by question in the failure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from pykala.evaluate.runs import answer_question, header_of
from pykala.evaluate.scoring import Measured, measure
from pykala.evaluate.sets import GoldQuestion, pack_set, read_set
from pykala.law.answers import Outcome
from pykala.law.identifiers import ProvisionId
from pykala.library import Library
from pykala.packs.pack import installed
from pykala.sample import sample_library

PACKS = ("ca", "eu", "fi", "nyc")

#: pack → measure → what it was when it was last measured; cut, not rounded.
FLOORS: dict[str, dict[str, float]] = {
    "ca": {
        "PRIMARY_PASS": 0.324,
        "PRIMARY_PASS, section": 0.351,
        "OUTCOME_PASS": 0.414,
        "MRR, section": 0.81,
        "recall@10, section": 0.986,
        "numeric recall": 0.333,
    },
    "eu": {
        "PRIMARY_PASS": 0.216,
        "PRIMARY_PASS, section": 0.216,
        "OUTCOME_PASS": 0.292,
        "MRR, section": 0.662,
        "recall@10, section": 0.891,
        "numeric recall": 0.2,
    },
    "fi": {
        "PRIMARY_PASS": 0.384,
        "PRIMARY_PASS, section": 0.384,
        "OUTCOME_PASS": 0.558,
        "MRR, section": 0.761,
        "recall@10, section": 0.974,
        "numeric recall": 0.434,
    },
    "nyc": {
        "PRIMARY_PASS": 0.258,
        "PRIMARY_PASS, section": 0.387,
        "OUTCOME_PASS": 0.5,
        "MRR, section": 0.892,
        "recall@10, section": 1.0,
        "numeric recall": 0.357,
    },
}


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with Library.open(sample_library(tmp_path_factory.mktemp("cache"), installed())) as library:
        yield library


def _questions(pack: str) -> tuple[GoldQuestion, ...]:
    return read_set(pack_set(installed()[pack]))


@pytest.fixture(scope="module")
def measured(sample: Library) -> dict[str, Measured]:
    found = {}
    for pack in PACKS:
        questions = _questions(pack)
        lines = [answer_question(question, sample) for question in questions]
        found[pack] = measure(header_of(pack, questions, sample), questions, lines)
    return found


@pytest.mark.parametrize("pack", PACKS)
def test_the_figures_of_the_sample_do_not_fall(pack: str, measured: dict[str, Measured]) -> None:
    failed = "\n".join(
        f"{one.cause.value}: {one.id} {one.question} → {one.primary}" for one in measured[pack].failures
    )
    for name, floor in FLOORS[pack].items():
        mean = measured[pack].estimates[name].mean
        assert mean >= floor, f"{name} fell from {floor} to {mean:.4f}; what fails now:\n{failed}"


@pytest.mark.parametrize("pack", PACKS)
def test_nothing_is_shown_that_is_not_in_force(pack: str, measured: dict[str, Measured]) -> None:
    assert measured[pack].estimates["temporal correctness"].mean == 1.0


@pytest.mark.parametrize("pack", PACKS)
def test_what_the_sample_does_not_say_is_not_answered(pack: str, measured: dict[str, Measured]) -> None:
    silent = [one for one in measured[pack].scored if Outcome.SILENT in one.question.outcomes]
    assert len(silent) >= 4
    assert [one.question.id for one in silent if one.line.answered] == []


@pytest.mark.parametrize("pack", PACKS)
def test_every_pack_brings_questions_in_all_its_languages_and_on_several_days(pack: str) -> None:
    questions = _questions(pack)
    spoken = Counter(one.language for one in questions)
    assert len(questions) >= 25
    assert {language for language, count in spoken.items() if count >= 5} == {
        "ca": {"en", "fr"},
        "eu": {"en", "fr"},
        "fi": {"fi", "sv", "en"},
        "nyc": {"en"},
    }[pack]
    assert len({one.as_of for one in questions}) > 1


@pytest.mark.parametrize("pack", PACKS)
def test_all_gold_is_in_the_sample(pack: str, sample: Library) -> None:
    for question in _questions(pack):
        for alternative in question.gold:
            for provision in alternative:
                assert sample.store.provision(provision).provision.id == provision


@pytest.mark.parametrize("pack", PACKS)
def test_no_question_is_a_heading(pack: str, sample: Library) -> None:
    headings = {
        node.heading.casefold().strip(" ?.")
        for work in sample.store.works()
        for language in sample.store.provision(ProvisionId(work.id)).languages
        for node in sample.store.document(work.id, language).root.walk()
        if node.heading
    }
    assert [one.id for one in _questions(pack) if one.question.casefold().strip(" ?.") in headings] == []
