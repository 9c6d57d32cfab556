"""Many askers on one library get what one asker gets, and what differs is counted as an error."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bench.load import Asked, Asker, Soaked, ask_in_processes, ask_together, resident, said, slope, soak
from bench.synthetic_law import SyntheticLaw
from pykala.library import Library
from pykala.models import bundled


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("library")
    writer = Library.open(folder, writable=True, create=True, embedder=bundled())
    with writer, writer.store.batch():
        for bundle in SyntheticLaw(12).bundles():
            writer.store.put(bundle)
    with Library.open(folder, embedder=bundled()) as read:
        yield read


@pytest.fixture(scope="module")
def questions() -> list[Asked]:
    return [(text, "en", "2026-06-01") for text in SyntheticLaw(12).questions(12)]


@pytest.fixture(scope="module")
def expected(library: Library, questions: list[Asked]) -> list[str]:
    return [said(library, one) for one in questions]


def test_threads_that_share_a_library_get_the_answers_of_one_asker(
    library: Library, questions: list[Asked], expected: list[str]
) -> None:
    found = ask_together("shared", [library] * 16, questions, expected, 48)
    assert found.errors == ()
    assert (found.askers, found.answered, len(found.milliseconds)) == (16, 48, 48)


def test_processes_get_the_answers_of_one_asker(
    library: Library, questions: list[Asked], expected: list[str]
) -> None:
    assert library.folder is not None
    with Library.open(library.folder) as words:
        by_words = [said(words, one) for one in questions]
    found = ask_in_processes(library.folder, questions, by_words, 2, 12)
    assert (found.errors, found.answered) == ((), 12)


def test_another_answer_and_an_exception_are_errors(
    library: Library, questions: list[Asked], expected: list[str]
) -> None:
    asker = Asker(library, [*questions[:2], ("what?", "en", "no day")], ["other", expected[1], ""])
    for number in range(3):
        asker.ask(number)
    assert len(asker.milliseconds) == 2
    assert [error.partition(": ")[0] for error in asker.errors] == [questions[0][0], "what?"]


@pytest.mark.parametrize(
    ("resident_after", "grows"),
    [((10.0, 10.0, 10.0), 0.0), ((10.0, 11.0, 12.0), 2.0), ((9.0, 8.0, 7.0), -2.0)],
)
def test_the_slope_is_memory_per_thousand_questions(resident_after: tuple[float, ...], grows: float) -> None:
    points = [Soaked((at + 1) * 500, held) for at, held in enumerate(resident_after)]
    assert slope(points) == pytest.approx(grows)


def test_a_soak_looks_at_memory_on_the_way(library: Library, questions: list[Asked]) -> None:
    points = soak(library, questions, 9, 3)
    assert [one.asked for one in points] == [3, 6, 9]
    assert all(0 < one.resident < 10 * resident() for one in points)
