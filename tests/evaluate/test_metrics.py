"""The measures against values worked out by hand, and what must hold of them whatever the ranking."""

from __future__ import annotations

from math import isclose, log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pykala.evaluate import metrics
from pykala.evaluate.matching import Passage, covers, held, on_path, section_of
from pykala.evaluate.questions import GoldQuestion, GoldStep
from pykala.law.answers import PathStep
from pykala.law.identifiers import ProvisionId
from pykala.law.references import EdgeKind

ACT = "fi:act:2015/410"


def place(path: str) -> ProvisionId:
    return ProvisionId.parse(f"{ACT}/{path}" if path else ACT)


def places(*paths: str) -> list[ProvisionId]:
    return [place(path) for path in paths]


@pytest.mark.parametrize(
    ("gold", "found", "expected"),
    [
        ("sec_110/subsec_3", "sec_110/subsec_3", True),
        ("sec_110/subsec_3", "sec_110/subsec_3/para_2", True),
        ("sec_110/subsec_3", "sec_110", False),
        ("sec_110/subsec_3", "sec_110/subsec_2", False),
        ("sec_110", "sec_110a", False),
        ("sec_5", "chp_1/sec_5", True),  # the gold does not name the chapter: any will do
        ("sec_5", "part_2/chp_7/sec_5/subsec_1", True),
        ("chp_7/sec_5", "chp_1/sec_5", False),
        ("chp_7/sec_5", "part_1/chp_7/sec_5", True),
        ("chp_7", "chp_7/sec_5", True),
        ("", "chp_7/sec_5", True),
    ],
)
def test_what_was_found_is_the_gold_or_lies_within_it(gold: str, found: str, expected: bool) -> None:
    assert covers(place(gold), place(found)) is expected
    assert not covers(place(gold), ProvisionId.parse(f"fi:act:1999/1/{found}"))


@pytest.mark.parametrize(
    ("provision", "section"),
    [("sec_1/subsec_2", "sec_1"), ("chp_2/sec_4/subsec_1", "chp_2/sec_4"), ("chp_2", "chp_2"), ("", "")],
)
def test_the_section_of_a_provision(provision: str, section: str) -> None:
    assert section_of(place(provision)) == place(section)


#: (gold alternatives, ranking, reciprocal rank, recall@1, recall@3, nDCG@3), by hand.
RANKINGS = [
    ([["sec_1"]], ["sec_1", "sec_2"], 1.0, 1.0, 1.0, 1.0),
    ([["sec_1"]], ["sec_2", "sec_1"], 0.5, 0.0, 1.0, 1 / log2(3)),
    ([["sec_1"]], ["sec_2", "sec_3", "sec_4", "sec_1"], 0.25, 0.0, 0.0, 0.0),
    ([["sec_1"]], [], 0.0, 0.0, 0.0, 0.0),
    ([["sec_1", "sec_2"]], ["sec_2", "sec_9", "sec_1"], 1.0, 0.5, 1.0, (1 + 0.5) / (1 + 1 / log2(3))),
    ([["sec_1", "sec_2"]], ["sec_9", "sec_2"], 0.5, 0.0, 0.5, (1 / log2(3)) / (1 + 1 / log2(3))),
    ([["sec_1", "sec_2"], ["sec_3"]], ["sec_3"], 1.0, 1.0, 1.0, 1.0),  # the better alternative counts
    ([["sec_1"]], ["sec_1/subsec_2", "sec_1/subsec_1"], 1.0, 1.0, 1.0, 1.0),  # no gain twice
]


@pytest.mark.parametrize(("gold", "ranked", "rank", "first", "third", "gain"), RANKINGS)
def test_measures_of_rankings_by_hand(
    gold: list[list[str]], ranked: list[str], rank: float, first: float, third: float, gain: float
) -> None:
    wanted, found = [places(*one) for one in gold], places(*ranked)
    assert isclose(metrics.reciprocal_rank(wanted, found), rank)
    assert isclose(metrics.recall(wanted, found, 1), first)
    assert isclose(metrics.recall(wanted, found, 3), third)
    assert isclose(metrics.ndcg(wanted, found, 3), gain)


def test_graded_gains_by_hand() -> None:
    gold, grades = [places("sec_1", "sec_2", "sec_3")], [3, 1, 1]
    found = metrics.ndcg(gold, places("sec_2", "sec_9", "sec_1"), 10, grades)
    assert isclose(found, (1 + 3 / 2) / (3 + 1 / log2(3) + 1 / 2))
    assert metrics.ndcg(gold, places("sec_1"), 1, grades) == 1.0  # the best that one place can hold


SECTIONS = st.lists(st.integers(1, 12).map(lambda number: place(f"sec_{number}")), unique=True, max_size=10)


@given(st.lists(SECTIONS.filter(bool), min_size=1, max_size=3), SECTIONS, SECTIONS)
def test_a_longer_ranking_never_scores_less(
    gold: list[list[ProvisionId]], ranked: list[ProvisionId], more: list[ProvisionId]
) -> None:
    longer = [*ranked, *(one for one in more if one not in ranked)]
    assert 0 <= metrics.reciprocal_rank(gold, ranked) <= metrics.reciprocal_rank(gold, longer) <= 1
    assert 0 <= metrics.recall(gold, ranked, 10) <= metrics.recall(gold, longer, 30) <= 1
    assert 0 <= metrics.ndcg(gold, ranked, 30) <= metrics.ndcg(gold, longer, 30) <= 1 + 1e-9


@given(st.lists(SECTIONS.filter(bool), min_size=1, max_size=3), SECTIONS)
def test_asking_for_the_section_only_is_never_harder(
    gold: list[list[ProvisionId]], ranked: list[ProvisionId]
) -> None:
    inner = [[one.child("subsec", "1") for one in alternative] for alternative in gold]
    within = [one.child("subsec", "2") for one in ranked]
    assert metrics.reciprocal_rank(inner, within) == 0
    assert metrics.reciprocal_rank(metrics.by_section(inner), within) == metrics.reciprocal_rank(gold, ranked)


def test_precision_counts_what_is_shown_and_overlap_counts_names() -> None:
    gold = [places("sec_1"), places("sec_2")]
    assert metrics.precision(gold, places("sec_1/subsec_1", "sec_2", "sec_3", "sec_4")) == 0.5
    assert metrics.precision(gold, []) == 0.0
    assert metrics.overlap(["vero", "finlex"], ["vero", "vero", "eur-lex"]) == (0.5, 0.5)
    assert metrics.overlap(["vero"], []) == (0.0, 0.0)


def test_an_interval_is_seeded_and_holds_the_mean() -> None:
    values = [1.0] * 60 + [0.0] * 40
    first, second = metrics.estimate(values), metrics.estimate(values)
    assert first == second
    assert first.mean == 0.6
    # The normal approximation gives 0.6 ± 1.96·√(0.6·0.4/100) = 0.504…0.696.
    assert isclose(first.low, 0.504, abs_tol=0.02)
    assert isclose(first.high, 0.696, abs_tol=0.02)
    assert metrics.estimate(values, seed=8) != first
    with pytest.raises(ValueError, match="no values"):
        metrics.estimate([])


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_an_interval_lies_within_the_values(values: list[float]) -> None:
    found = metrics.estimate(values)
    assert min(values) - 1e-9 <= found.low <= found.high <= max(values) + 1e-9


def test_the_coverage_curve_by_hand() -> None:
    answers = [(0.9, True), (0.5, False), (0.7, True), (0.7, False)]
    curve = metrics.coverage_curve(answers, 5)
    assert all(one.low <= one.accuracy <= one.high for one in curve)
    points = [(one.confidence, one.coverage, one.accuracy) for one in curve]
    assert points == [(0.9, 0.2, 1.0), (0.7, 0.6, 2 / 3), (0.5, 0.8, 0.5)]
    assert metrics.coverage_curve([], 3) == ()


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=30), st.integers(0, 20))
def test_the_curve_ends_where_everything_given_is_counted(
    answers: list[tuple[float, bool]], silent: int
) -> None:
    curve = metrics.coverage_curve(answers, len(answers) + silent)
    assert isclose(curve[-1].coverage, len(answers) / (len(answers) + silent))
    assert isclose(curve[-1].accuracy, sum(right for _, right in answers) / len(answers))
    assert [one.coverage for one in curve] == sorted({one.coverage for one in curve})


def test_latency_counts_a_stage_where_it_ran() -> None:
    times = [{"search": 1.0}, {"search": 3.0, "walk": 10.0}, {"search": 2.0}]
    found = {one.stage: one for one in metrics.latencies(times)}
    assert (found["search"].median, found["search"].mean, found["walk"].p95) == (2.0, 2.0, 10.0)
    assert found["search"].count == 3
    low, high = found["search"].median_interval
    assert 1.0 <= low <= 2.0 <= high <= 3.0
    assert found["walk"].p95_interval == (10.0, 10.0)


def test_confusion_counts_and_gives_the_share_of_what_is_right() -> None:
    pairs = [("ANSWERED", "SILENT"), ("ANSWERED", "SILENT"), ("ANSWERED", "ANSWERED"), ("SILENT", "SILENT")]
    found = {pair: (count, share.mean) for pair, (count, share) in metrics.confusion(pairs).items()}
    assert found == {
        ("ANSWERED", "ANSWERED"): (1, pytest.approx(1 / 3)),
        ("ANSWERED", "SILENT"): (2, pytest.approx(2 / 3)),
        ("SILENT", "SILENT"): (1, 1.0),
    }


def test_a_long_run_is_resampled_in_blocks_to_the_same_end(monkeypatch: pytest.MonkeyPatch) -> None:
    values = [float(number % 3) for number in range(50)]
    whole = metrics.estimate(values)
    monkeypatch.setattr(metrics, "_DRAWN_AT_ONCE", 120)
    assert metrics.estimate(values) == whole


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        (GoldStep(kind=EdgeKind.CITES), True),
        (GoldStep(place("sec_9"), EdgeKind.CITES, place("sec_8/subsec_2")), True),
        (GoldStep(None, None, place("sec_8")), True),
        (GoldStep(place("sec_9/subsec_1")), False),
        (GoldStep(kind=EdgeKind.EXCEPTS), False),
        (GoldStep(place("sec_8"), EdgeKind.CITES, place("sec_9")), False),
        (GoldStep(kind=EdgeKind.CITES, at=place("sec_8")), True),
        (GoldStep(at=place("sec_9/subsec_3")), True),
        (GoldStep(kind=EdgeKind.EXCEPTS, at=place("sec_8")), False),
        (GoldStep(at=place("sec_7")), False),
    ],
)
def test_a_gold_step_is_on_the_path(step: GoldStep, expected: bool) -> None:
    path = [PathStep(place("sec_9/subsec_3"), EdgeKind.CITES, place("sec_8/subsec_2"))]
    assert on_path(step, path) is expected
    assert not on_path(step, [])


FINNISH = Passage("Vero on 34 prosenttia, kun tulot ylittävät 30 000 euroa.", "fi")
ENGLISH = Passage("The rate of tax is 34 per cent where the income exceeds 30,000 euros.", "en")


def required(**what: tuple[str, ...]) -> GoldQuestion:
    return GoldQuestion("1", "Which rate above 30,000 euros?", language="en", **what)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("number", "passage", "expected"),
    [
        ("34 %", FINNISH, True),
        ("34 %", ENGLISH, True),
        ("30,000 euros", FINNISH, True),
        ("30 000 €", ENGLISH, True),
        ("34 euros", ENGLISH, False),
        ("30 %", ENGLISH, False),
    ],
)
def test_a_number_is_held_in_any_spelling_and_language(number: str, passage: Passage, expected: bool) -> None:
    assert held(required(numbers=(number,)), [passage]).numbers == (expected,)


def test_words_are_held_in_any_inflection_and_in_one_passage() -> None:
    words = required(strings=("tulo ylittää", "income rate", "tulo rate"))
    assert held(words, [FINNISH, ENGLISH]).strings == (True, True, False)


@pytest.mark.parametrize(
    ("fact", "passages", "expected"),
    [
        ("The tax rate is 34% where income exceeds 30,000 euros.", [ENGLISH], True),
        ("The tax rate is 36% where income exceeds 30,000 euros.", [ENGLISH], False),
        ("Lunches at the office stay 34% cheaper for the whole staff.", [ENGLISH], False),  # other words
        ("The tax rate is 34%.", [FINNISH], True),  # another language: its number tells
        ("The rate rises with income.", [FINNISH], None),  # nothing can tell
        ("The rate rises above 30,000 euros.", [FINNISH], None),  # the question gave that number itself
        ("The tax rate is 34%.", [], False),
    ],
)
def test_a_fact_is_held_by_its_numbers_and_its_words(
    fact: str, passages: list[Passage], expected: bool | None
) -> None:
    assert held(required(facts=(fact,)), passages).facts == (expected,)
