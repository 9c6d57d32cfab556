"""Our measures of rankings against ir-measures, which runs trec_eval; and any other measure by its name."""

from __future__ import annotations

import sys
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pykala.evaluate import metrics
from pykala.evaluate.matching import Held
from pykala.evaluate.questions import GoldQuestion, QuestionSetError
from pykala.evaluate.ranking import by_ir_measures
from pykala.evaluate.runs import Line
from pykala.evaluate.scoring import score_all
from pykala.law.answers import Outcome
from pykala.law.identifiers import ProvisionId

PLACES = [ProvisionId.parse(f"xx:act:1/sec_{number}") for number in range(1, 9)]
#: Places within others too: a found subsection stands for the section that is gold.
FOUND = [*PLACES, *(place.child("subsec", str(number)) for place in PLACES[:4] for number in (1, 2))]


def line(ranked: list[ProvisionId]) -> Line:
    return Line(
        id="q",
        outcome=Outcome.SILENT,
        language="en",
        as_of=date(2020, 1, 1),
        primary=None,
        support=(),
        path=(),
        ranked=tuple(ranked),
        searched=(),
        held=Held(),
        found=Held(),
        confidence=0.0,
        stages={},
        milliseconds=1.0,
    )


RANKED = st.lists(st.sampled_from(FOUND), unique=True, max_size=12)
ALTERNATIVE = st.lists(st.sampled_from(PLACES), unique=True, min_size=1, max_size=4)
NAMES = ("nDCG@10", "R@10", "R@1", "RR")


@given(st.lists(ALTERNATIVE, min_size=1, max_size=3), RANKED)
def test_our_measures_are_those_of_trec_eval(
    gold: list[list[ProvisionId]], ranked: list[ProvisionId]
) -> None:
    pytest.importorskip("ir_measures", reason="needs the extra: pip install 'pykala[measures]'")
    question = GoldQuestion("q", "?", gold=tuple(map(tuple, gold)))
    theirs = by_ir_measures(NAMES, [question], {"q": line(ranked)})["q"]
    ours = (
        metrics.ndcg(gold, ranked, 10),
        metrics.recall(gold, ranked, 10),
        metrics.recall(gold, ranked, 1),
        metrics.reciprocal_rank(gold, ranked),
    )
    assert [theirs[f"{name} (ir-measures)"] for name in NAMES] == pytest.approx(list(ours), abs=1e-6)


@given(st.lists(st.integers(1, 4), min_size=1, max_size=6), st.randoms(), st.integers(1, 12))
def test_graded_gains_are_those_of_trec_eval(grades: list[int], order: object, depth: int) -> None:
    pytest.importorskip("ir_measures", reason="needs the extra: pip install 'pykala[measures]'")
    ranked = list(PLACES)
    order.shuffle(ranked)  # type: ignore[attr-defined]
    question = GoldQuestion("q", "?", gold=(tuple(PLACES[: len(grades)]),), grades=tuple(grades))
    theirs = by_ir_measures([f"nDCG@{depth}"], [question], {"q": line(ranked)})["q"]
    ours = metrics.ndcg(question.gold, ranked, depth, grades)
    assert theirs[f"nDCG@{depth} (ir-measures)"] == pytest.approx(ours, abs=1e-6)


def test_a_measure_is_named_and_stands_beside_ours() -> None:
    pytest.importorskip("ir_measures", reason="needs the extra: pip install 'pykala[measures]'")
    question = GoldQuestion("q", "?", gold=((PLACES[0], PLACES[1]),))
    (scored,) = score_all([question], [line([PLACES[0], PLACES[5], PLACES[1]])], ["AP", "P@5"])
    assert scored.scores["AP (ir-measures)"] == pytest.approx((1 + 2 / 3) / 2)
    assert scored.scores["P@5 (ir-measures)"] == pytest.approx(2 / 5)
    assert "MRR" in scored.scores
    # A question without gold has no ranking to measure.
    (silent,) = score_all([GoldQuestion("q", "?")], [line([])], ["AP"])
    assert "AP (ir-measures)" not in silent.scores


@pytest.mark.parametrize("name", ["nonsense", "nDCG@@", "P@x", ""])
def test_a_measure_that_is_none_is_said(name: str) -> None:
    pytest.importorskip("ir_measures", reason="needs the extra: pip install 'pykala[measures]'")
    with pytest.raises(QuestionSetError, match=r"is no measure of ir-measures .*such as nDCG@20"):
        by_ir_measures([name], [], {})


def test_without_the_extra_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ir_measures", None)
    with pytest.raises(QuestionSetError, match=r"pip install 'pykala\[measures\]'"):
        by_ir_measures(["AP"], [], {})
    assert by_ir_measures([], [GoldQuestion("q", "?", gold=((PLACES[0],),))], {"q": line(PLACES)}) == {}
