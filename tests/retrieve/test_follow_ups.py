"""A follow-up gets the section that speaks of what it adds, not that of the first question once more."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from pykala.law.answers import Outcome
from pykala.law.identifiers import ProvisionId
from pykala.library import Library
from pykala.library.sample import sample_library
from pykala.packs.pack import installed

THREADS = tomllib.loads(Path(__file__).with_name("follow_ups.toml").read_text(encoding="utf-8"))["thread"]
AT_MOST_WRONG = 6  # eight in ten are right; without looking at other sections, half are


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with Library.open(sample_library(tmp_path_factory.mktemp("cache"), installed())) as library:
        yield library


def test_most_follow_ups_lead_to_the_section_that_answers_them(sample: Library) -> None:
    wrong = [one["next"] for one in THREADS if not _leads(sample, one["first"], one["next"], one["section"])]
    assert len(wrong) <= AT_MOST_WRONG, wrong


def _leads(library: Library, first: str, further: str, section: str) -> bool:
    answer = library.ask(further, after=library.ask(first))
    return answer.primary is not None and ProvisionId.parse(section).contains(answer.primary.provision)


def test_something_else_in_the_same_act_is_likely_at_most_and_keeps_the_standalone_question(
    sample: Library,
) -> None:
    before = sample.ask("Within how many hours must a personal data breach be notified under the GDPR?")
    answer = sample.ask("and how high is the fine if they do not?", after=before)
    assert answer.outcome is Outcome.LIKELY
    assert answer.confidence < 9
    assert answer.standalone.endswith("GDPR – how high is the fine if they do not?")
    assert answer.jurisdiction is None  # the act was the engine's choice, not the reader's


def test_it_is_chosen_too_where_only_the_questions_of_the_conversation_are_known(sample: Library) -> None:
    before = ["Who is a taxable person under the VAT Directive?"]
    answer = sample.ask("and what may he deduct?", after=before)
    assert answer.primary is not None
    assert str(answer.primary.provision) == "eu:32006L0112/art_168"
