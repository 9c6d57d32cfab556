"""Grades: what a candidate must be to answer, and what nothing can make up for."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pykala.law.answers import Outcome
from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import ProvisionKind
from pykala.law.validity import Validity
from pykala.retrieve.calibration import (
    ANSWERED_FROM,
    BESIDE,
    Case,
    calibrated,
    leads,
    read_calibration,
    shares,
)
from pykala.retrieve.features import FEATURES
from pykala.retrieve.grade import Considered, beside_home, grade, known_share, outcome, weights
from pykala.retrieve.likeness import AskedWords
from pykala.retrieve.route import ACTS, route
from pykala.retrieve.search import Candidate
from pykala.retrieve.shortlist import GLANCES
from pykala.retrieve.wording import Figures
from pykala.stores.store import Match

SINCE = Validity(date(2000, 1, 1), None)


def candidate(number: int, work: str = "1", *, authority: int = 100, validity: Validity = SINCE) -> Candidate:
    section = ProvisionId.parse(f"xx:act:{work}/sec_{number}")
    match = Match(
        number, 1.0, section, section, ProvisionKind.SECTION, section.work, "en", f"Act › {number}", "Text.",
        "Text.", 0, validity, authority,
    )  # fmt: skip
    return Candidate(section, match, 1.0 / number, 1.0, 0.5)


def considered(rows: list[dict[str, float]], **changed: object) -> Considered:
    table = np.zeros((len(rows), len(FEATURES)), dtype=np.float32)
    for row, values in enumerate(rows):
        for name, value in values.items():
            table[row, FEATURES.index(name)] = value
    found = tuple(candidate(number) for number in range(1, len(rows) + 1))
    return replace(Considered(found, table, 1.0, Case.SAME_LANGUAGE), **changed)  # type: ignore[arg-type]


SURE = dict.fromkeys(FEATURES, 1.0) | {"transitional": 0.0, "generic": 0.0, "definition": 0.0, "length": 0.5}
POOR = {"words": 0.2, "meaning": 0.1}


def test_what_matches_in_every_way_answers_and_what_hardly_does_is_no_answer() -> None:
    graded = grade([considered([SURE, POOR, POOR])])
    assert outcome(graded, 1.0) is Outcome.ANSWERED
    assert outcome(grade([considered([POOR, POOR])]), 1.0) is Outcome.SILENT
    assert outcome(grade([considered([POOR, POOR])]), 0.1) is Outcome.OUTSIDE_CORPUS


@pytest.mark.parametrize("missing", [("section_likeness", "section_coverage"), ("section_matched",)])
def test_no_lead_makes_up_for_words_without_a_match(missing: tuple[str, ...]) -> None:
    few = dict.fromkeys(missing, 0.2)
    graded = grade([considered([SURE | few | {"sentence_coverage": 0.5}, POOR])])
    assert outcome(graded, 1.0) is not Outcome.ANSWERED


def test_what_nobody_dated_does_not_answer_for_a_day() -> None:
    never = Validity(None, None)
    undated = tuple(candidate(number, validity=never, authority=60) for number in (1, 2))
    one = considered([SURE, POOR], candidates=undated)
    assert outcome(grade([one]), 1.0) is Outcome.ANSWERED
    assert outcome(grade([replace(one, dated=True)]), 1.0) is Outcome.GUIDANCE
    statutes = tuple(candidate(number, validity=never) for number in (1, 2))
    assert outcome(grade([replace(one, dated=True, candidates=statutes)]), 1.0) is Outcome.ANSWERED


def test_of_a_question_of_two_words_neither_may_be_missing() -> None:
    one = considered([SURE | {"section_matched": 0.64, "sentence_coverage": 0.64}, POOR])
    assert outcome(grade([one]), 1.0) is Outcome.ANSWERED
    assert outcome(grade([replace(one, words=2)]), 1.0) is Outcome.GUIDANCE


def with_text(text: str) -> Candidate:
    one = candidate(1)
    return replace(one, match=replace(one.match, text=text, parent_text=text))


@pytest.mark.parametrize(
    ("figures", "text", "result"),
    [
        (Figures(True, frozenset({"percent"})), "The council sets the rate.", Outcome.GUIDANCE),
        (Figures(True, frozenset({"percent"})), "The rate is 34 per cent.", Outcome.ANSWERED),
        (Figures(True, frozenset({"euros", "dollars"})), "It is a tenth, 10 per cent.", Outcome.ANSWERED),
        (Figures(True, frozenset({"days", "years"})), "It is done yearly.", Outcome.ANSWERED),
        (Figures(True), "Thirty grams.", Outcome.ANSWERED),
    ],
)
def test_a_rate_or_an_amount_that_is_asked_for_must_be_there(
    figures: Figures, text: str, result: Outcome
) -> None:
    one = considered([SURE, POOR], candidates=(with_text(text), candidate(2)), figures=figures)
    assert outcome(grade([one]), 1.0) is result


def test_law_of_places_that_nobody_named_stays_behind_and_answers_nothing() -> None:
    abroad = grade([considered([SURE, POOR], case=Case.OTHER_LANGUAGE)])
    weak = grade([considered([POOR, POOR])])
    assert abroad[0].grade >= ANSWERED_FROM
    alone = beside_home(weak, abroad)
    assert (alone[0].candidate, outcome(alone, 1.0)) == (abroad[0].candidate, Outcome.GUIDANCE)
    related = [replace(one, grade=7.2) for one in weak]
    assert beside_home(related, abroad)[: len(related)] == tuple(related)


def test_uploads_take_nothing_from_the_law() -> None:
    law, uploads = considered([SURE, POOR]), considered([SURE] * 9)
    alone, beside = grade([law, considered([])]), grade([law, uploads])
    assert beside[: len(alone)] == alone


@given(st.lists(st.floats(-9, 9, width=32), min_size=1, max_size=9))
def test_leads_and_shares(order: list[float]) -> None:
    found = np.array(order, dtype=np.float64)
    assert abs(shares(found).sum() - 1) < 1e-6
    assert (leads(found) > 0).sum() <= 1 or len(order) == 1


def test_the_shipped_weights_are_whole_and_nothing_matched_counts_against() -> None:
    for weighing in calibrated().values():
        assert 0 < weighing.guidance < weighing.answered < 1
        assert [weighing.grade(one) for one in (0.0, weighing.guidance, weighing.answered, 1.0)] == [
            0,
            7,
            8,
            10,
        ]
        assert all(value >= 0 for name, value in weighing.confidence.items() if name != "bias")
        assert {*weighing.confidence} <= {*FEATURES, *BESIDE}
        assert {*weighing.order} <= {*FEATURES}
        assert {*weighing.glance} <= {*GLANCES}
        assert any(weighing.glance.values()), "or the first by chance would be read"


EMPTY = {"glance": {}, "order": {}, "confidence": {}, "guidance": 0.1, "answered": 0.5}


@pytest.mark.parametrize("part", ["glance", "order", "confidence"])
def test_weights_for_what_does_not_exist_are_refused(part: str) -> None:
    one = {**EMPTY, part: {"luck": 1}}
    with pytest.raises(ValueError, match="luck"):
        read_calibration(json.dumps({"cases": {case.value: one for case in Case}}))


@pytest.mark.parametrize("part", EMPTY)
def test_a_case_that_lacks_a_part_is_refused(part: str) -> None:
    one = {name: value for name, value in EMPTY.items() if name != part}
    with pytest.raises(ValueError):  # noqa: PT011
        read_calibration(json.dumps({"cases": {Case.WORDS_ONLY.value: one}}))


def test_a_term_that_stands_nowhere_weighs_most() -> None:
    found = {"tax": 2.0, "sourdough": 0.0}
    assert weights(found)["sourdough"] >= 2 * weights(found)["tax"]
    assert known_share(found) < 0.5


def test_words_are_compared_by_stem_without_an_embedder() -> None:
    asked = AskedWords("taxes on horses", "en", {"tax": 1.0, "hors": 3.0})
    met = asked.meet([("The horse is taxed.", "en"), ("A cart is not.", "en")])
    assert asked.coverages(met.held).tolist() == [1.0, 0.0]
    assert asked.measure("The tax on a cart.", "en") == pytest.approx(0.25)


def test_a_name_leads_the_route_and_at_most_two_acts_are_taken() -> None:
    found = [candidate(number, work) for number, work in enumerate("aabbccd", start=1)]
    named = ProvisionId.parse("xx:act:z").work
    assert route(found, {named})[0] == named
    assert len(route(found)) <= ACTS
    assert route([]) == ()
    uploads = [candidate(number, "u", authority=1) for number in range(1, 9)]
    assert route(uploads) == ()


def test_a_case_that_was_not_learned_keeps_the_shipped_weights() -> None:
    one = {**EMPTY, "glance": {"cited": 2.0}, "order": {"words": 1.0}}
    read = read_calibration(json.dumps({"cases": {Case.WORDS_ONLY.value: one}}))
    assert read[Case.WORDS_ONLY].order == {"words": 1.0}
    assert read[Case.WORDS_ONLY].glance == {"cited": 2.0}
    assert read[Case.SAME_LANGUAGE] == calibrated()[Case.SAME_LANGUAGE]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"cases": {"luck": {}}}', '{"cases": {"words only": 1}}'])
def test_what_is_no_calibration_is_refused(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        read_calibration(text)
