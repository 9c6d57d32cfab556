"""A question asks the store a handful of times, however many places, languages and provisions it looks at."""

from __future__ import annotations

import pytest

from bench.store_calls import PACKS, Counted, counting
from pykala.evaluate.sets import pack_set, read_set
from pykala.library.sample import sample_library
from pykala.packs.pack import installed

MOST = 12
EVERY = 4  # of the questions of each set, which are asked


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Counted:
    found = Counted()
    folder = sample_library(tmp_path_factory.mktemp("cache"), installed())
    with counting(folder) as (library, store):
        for pack in PACKS:
            for question in read_set(pack_set(installed()[pack]))[::EVERY]:
                found.ask(question.question, library, store, question.as_of)
    return found


def test_a_question_makes_few_calls(found: Counted) -> None:
    many = {question: dict(calls) for question, calls in found.by_question.items() if calls.total() > MOST}
    assert not many


def test_searches_of_all_places_are_one_call(found: Counted) -> None:
    for question, calls in found.by_question.items():
        # Its own language, the others, a later wording, and what governs a question that nothing answers.
        assert calls["search"] <= 4, question
        assert not calls["match_text"] + calls["match_vector"] + calls["nearness"], question


def test_the_table_names_the_methods(found: Counted) -> None:
    lines = [*found.lines()]
    assert lines[0].startswith(f"{len(found.by_question)} questions: calls at the median")
    assert any(line.startswith("search ") for line in lines)
