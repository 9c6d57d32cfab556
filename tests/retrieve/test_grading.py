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
from pykala.law.filters import Filter
from pykala.law.grades import ANSWERED_FROM, LIKELY_FROM, LISTED_FROM
from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import ProvisionKind
from pykala.law.validity import Validity
from pykala.retrieve.calibration import (
    BESIDE,
    Case,
    calibrated,
    leads,
    read_calibration,
    shares,
)
from pykala.retrieve.features import FEATURES
from pykala.retrieve.grade import (
    Considered,
    Graded,
    _with_figure_first,
    _with_named_act_first,
    _with_rule_first,
    consider,
    grade,
    known_share,
    outcome,
    weights,
)
from pykala.retrieve.likeness import AskedWords
from pykala.retrieve.question import Question
from pykala.retrieve.search import Candidate
from pykala.retrieve.shortlist import GLANCES
from pykala.retrieve.wording import NO_FIGURES, Figures
from pykala.stores.store import Match
from pykala.stores.values import PassageWords

SINCE = Validity(date(2000, 1, 1), None)


def candidate(number: int, work: str = "1", *, authority: int = 100, validity: Validity = SINCE) -> Candidate:
    section = ProvisionId.parse(f"xx:act:{work}/sec_{number}")
    match = Match(
        number, 1.0, section, section, ProvisionKind.SECTION, section.work, "en",
        PassageWords.of(f"Act › {number}", "Text.", "Text."), 0, validity, authority,
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


def test_nothing_is_sure_where_another_country_is_named() -> None:
    graded = grade([considered([SURE, POOR, POOR], abroad=True)])
    assert outcome(graded, 1.0) is Outcome.LIKELY


@pytest.mark.parametrize(
    ("bare", "asked", "first"),
    [
        pytest.param(False, 0.4, 1, id="a question goes by meaning"),
        pytest.param(True, 0.4, 2, id="words alone go by words"),
        pytest.param(True, 0.75, 1, id="people ask in these words"),
    ],
)
def test_the_words_that_were_typed_lead_where_nothing_is_asked(bare: bool, asked: float, first: int) -> None:
    by_meaning = SURE | {"words": 0.3, "words_place": 0.5, "asked": asked}
    nearly = {name: 0.8 * value for name, value in SURE.items()}
    by_words = nearly | {"words": 1.0, "words_place": 1.0, "asked": asked}
    graded = grade([considered([by_meaning, by_words], bare=bare)])
    assert graded[0].candidate.match.passage == first


@pytest.mark.parametrize("missing", [("section_likeness", "section_coverage"), ("section_matched",)])
def test_no_lead_makes_up_for_words_without_a_match(missing: tuple[str, ...]) -> None:
    few = dict.fromkeys(missing, 0.05)
    graded = grade([considered([SURE | few | {"sentence_coverage": 0.5}, POOR])])
    assert outcome(graded, 1.0) is not Outcome.ANSWERED


def test_what_nobody_dated_does_not_answer_for_a_day() -> None:
    never = Validity(None, None)
    undated = tuple(candidate(number, validity=never, authority=60) for number in (1, 2))
    one = considered([SURE, POOR], candidates=undated)
    assert outcome(grade([one]), 1.0) is Outcome.ANSWERED
    assert outcome(grade([replace(one, dated=True)]), 1.0) is Outcome.GUIDANCE, "it is not even quoted"
    statutes = tuple(candidate(number, validity=never) for number in (1, 2))
    assert outcome(grade([replace(one, dated=True, candidates=statutes)]), 1.0) is Outcome.ANSWERED


def test_of_a_question_of_two_words_neither_may_be_missing() -> None:
    one = considered([SURE | {"section_matched": 0.64, "sentence_coverage": 0.64, "asked": 0.6}, POOR])
    assert outcome(grade([one]), 1.0) is Outcome.ANSWERED
    assert outcome(grade([replace(one, words=2)]), 1.0) is Outcome.GUIDANCE


def test_of_two_words_one_that_tells_little_may_be_missing_but_not_where_a_country_is_named() -> None:
    one = considered(
        [SURE | {"section_matched": 0.86, "sentence_coverage": 0.86, "asked": 0.6}, POOR], words=2
    )
    assert outcome(grade([one]), 1.0) is Outcome.LIKELY, "the general rate is the rate"
    assert outcome(grade([replace(one, abroad=True)]), 1.0) is Outcome.GUIDANCE, "the rate of Sweden is not"


def test_words_that_people_are_known_to_ask_with_need_not_be_the_laws() -> None:
    other_words = {"section_matched": 0.3, "sentence_coverage": 0.0, "section_coverage": 0.0, "asked": 0.8}
    one = considered([SURE | other_words, POOR], words=1)
    known = tuple(replace(each, asked=0.8) for each in one.candidates)
    graded = grade([replace(one, candidates=known)])
    assert outcome(graded, 0.0) in (Outcome.LIKELY, Outcome.ANSWERED), "no word of it stands in any law"
    unknown = grade([considered([SURE | other_words | {"asked": 0.6}, POOR], words=1)])
    assert outcome(unknown, 0.0) is Outcome.OUTSIDE_CORPUS


@pytest.mark.parametrize(
    ("words", "covered", "listed"), [(1, 1.0, True), (2, 1.0, True), (3, 1.0, False), (1, 0.7, False)]
)
def test_a_term_that_stands_in_the_law_is_not_beside_it(words: int, covered: float, listed: bool) -> None:
    far = {"words": 1.0, "words_absolute": 0.2, "meaning": 0.05}
    far |= {"section_matched": 1.0, "section_likeness": 1.0}
    held = far | {"section_coverage": covered, "sentence_coverage": covered, "coverage": covered}
    graded = grade([considered([held, held], words=words, size=1_000_000)])
    assert outcome(graded, 1.0) is (Outcome.GUIDANCE if listed else Outcome.SILENT)


@pytest.mark.parametrize(
    ("case", "ahead", "matched", "result"),
    [
        (Case.SAME_LANGUAGE, True, 0.8, Outcome.GUIDANCE),
        (Case.OTHER_LANGUAGE, True, 0.8, Outcome.GUIDANCE),  # by translations of its words
        (Case.SAME_LANGUAGE, True, 0.4, Outcome.SILENT),  # something always leads
        (Case.SAME_LANGUAGE, False, 0.8, Outcome.SILENT),  # many have the words of an everyday question
    ],
)
def test_what_leads_clearly_with_most_words_is_not_beside_the_law(
    case: Case, ahead: bool, matched: float, result: Outcome
) -> None:
    far = {"meaning": 0.05, "asked": 0.0, "section_matched": matched}
    best, poor = SURE | {"sentence_coverage": 0.5} | far, POOR | far
    one = considered([best, poor if ahead else best], case=case, words=3, size=1_000_000)
    graded = grade([one])
    assert outcome(graded, 1.0) is result
    assert graded[0].grade < LIKELY_FROM, "never more than related"


def with_text(text: str) -> Candidate:
    one = candidate(1)
    return replace(one, match=one.match.saying(text, text))


@pytest.mark.parametrize(
    ("figures", "text", "result"),
    [
        (Figures(True, frozenset({"percent"})), "The council sets the rate.", Outcome.LIKELY),
        (Figures(True, frozenset({"percent"})), "The rate is 34 per cent.", Outcome.ANSWERED),
        (Figures(True, frozenset({"euros", "dollars"})), "It is a tenth, 10 per cent.", Outcome.ANSWERED),
        (Figures(True, frozenset({"days", "years"})), "It is done yearly.", Outcome.ANSWERED),
        (Figures(True), "Thirty grams.", Outcome.ANSWERED),
        (Figures(True, deadline=True), "The tax is paid on the day of the return.", Outcome.LIKELY),
        (Figures(True, deadline=True), "The return is filed within 30 days.", Outcome.ANSWERED),
        (Figures(True, deadline=True), "The return is filed by 15 March.", Outcome.ANSWERED),
        (Figures(True, deadline=True), "Le rapport est remis sans délai.", Outcome.ANSWERED),
    ],
)
def test_a_rate_or_an_amount_that_is_asked_for_must_be_there(
    figures: Figures, text: str, result: Outcome
) -> None:
    one = considered([SURE, POOR], candidates=(with_text(text), candidate(2)), figures=figures)
    assert outcome(grade([one]), 1.0) is result


@pytest.mark.parametrize(
    ("figures", "second", "leads_with"),
    [
        (Figures(True, deadline=True), 2.0, 2),
        (Figures(True, deadline=True), 0.5, 1),
        (Figures(True, frozenset({"percent"})), 2.0, 1),
        (Figures(True, frozenset({"percent"})), 3.0, 2),
        (Figures(True), 3.0, 1),  # no kind is asked for that must be there
    ],
)
def test_the_section_that_states_what_is_asked_for_leads(
    figures: Figures, second: float, leads_with: int
) -> None:
    texts = "It is paid with the return.", "It is due within 30 days; the rate is 4 per cent."
    ranked = [Graded(with_text(text), 1.0, score) for text, score in zip(texts, (8.0, second), strict=True)]
    changed = _with_figure_first(ranked, considered([SURE, POOR], figures=figures))
    assert changed[0].candidate.match.text == texts[leads_with - 1]
    assert [one.grade for one in changed] == [8.0, second]


@pytest.mark.parametrize(
    ("first", "second", "of_second", "leads_with"),
    [
        (5.0, 6.0, "2", 2),
        (5.0, 4.0, "2", 1),  # the act may be named in passing
        (5.0, 6.0, "1", 1),  # both are of the act that is not named
    ],
)
def test_a_section_of_the_act_that_is_named_leads_where_it_is_graded_higher(
    first: float, second: float, of_second: str, leads_with: int
) -> None:
    found = candidate(1, "1"), candidate(2, of_second)
    rows = [POOR, POOR | {"named": 1.0 if of_second == "2" else 0.0}]
    ranked = [Graded(one, 1.0, score) for one, score in zip(found, (first, second), strict=True)]
    changed = _with_named_act_first(ranked, considered(rows, candidates=found))
    assert changed[0].candidate is found[leads_with - 1]
    assert {one.grade for one in changed} == {first, second}


@pytest.mark.parametrize("text", ["This Act may be cited as the Cart Act.", "Elle peut être citée loi."])
def test_what_only_names_the_act_answers_nothing(text: str) -> None:
    named = considered([SURE, POOR], candidates=(with_text(text), candidate(2)))
    assert outcome(grade([named]), 1.0) is Outcome.GUIDANCE


#: The ranks of the first and of the second candidate, what the second covers, and which comes first.
RANKS = [
    (60, 75, 1.0, 2),
    (60, 74, 1.0, 1),
    (60, 100, 0.99, 1),
    (75, 100, 1.0, 2),
    (100, 60, 1.0, 1),
    (100, 100, 1.0, 1),
]


@pytest.mark.parametrize(("first", "second", "covers", "leads_with"), RANKS)
def test_law_comes_before_guidance_that_says_no_more(
    first: int, second: int, covers: float, leads_with: int
) -> None:
    ranked = (candidate(1, authority=first), candidate(2, authority=second), candidate(3, authority=first))
    less = {"coverage": covers, "likeness": covers, "words": 0.9}
    graded = grade([considered([SURE, SURE | less, POOR], candidates=ranked)])
    assert [one.candidate.match.passage for one in graded] == [leads_with, 3 - leads_with, 3]


def test_uploads_take_nothing_from_the_law() -> None:
    law, uploads = considered([SURE, POOR]), considered([SURE] * 9)
    alone, beside = grade([law, considered([])]), grade([law, uploads])
    assert beside[: len(alone)] == alone


@given(st.lists(st.floats(-9, 9, width=32), min_size=1, max_size=9))
def test_leads_and_shares(order: list[float]) -> None:
    found = np.array(order, dtype=np.float64)
    assert abs(shares(found).sum() - 1) < 1e-6
    assert (leads(found) > 0).sum() <= 1 or len(order) == 1


def test_what_has_every_word_of_the_question_in_one_sentence_is_quoted_and_not_sure() -> None:
    whole = POOR | {"sentence_coverage": 1.0, "section_likeness": 0.6, "section_matched": 1.0}
    graded = grade([considered([whole, POOR])])
    assert LIKELY_FROM <= graded[0].grade < ANSWERED_FROM
    assert outcome(grade([considered([whole | {"transitional": 1.0}, POOR])]), 1.0) is not Outcome.LIKELY


@pytest.mark.parametrize(
    ("best", "known", "result"),
    [
        (9.0, 1.0, Outcome.ANSWERED),
        (8.99, 1.0, Outcome.LIKELY),
        (5.0, 1.0, Outcome.LIKELY),
        (4.99, 1.0, Outcome.GUIDANCE),
        (LISTED_FROM, 1.0, Outcome.GUIDANCE),
        (LISTED_FROM - 0.01, 1.0, Outcome.SILENT),
        (6.0, 0.1, Outcome.OUTSIDE_CORPUS),
        (0.0, 0.1, Outcome.OUTSIDE_CORPUS),
    ],
)
def test_the_outcome_follows_from_the_grade(best: float, known: float, result: Outcome) -> None:
    graded = [replace(grade([considered([POOR])])[0], grade=best)]
    assert outcome(graded, known) is result


def test_candidates_behind_the_first_have_a_scale_of_their_own() -> None:
    weighing = replace(
        calibrated()[Case.SAME_LANGUAGE],
        scale=((0.0, 0.0), (0.5, 0.9), (1.0, 1.0)),
        scale_beside=((0.0, 0.0), (1.0, 0.2)),
    )
    weighing = replace(weighing, confidence={})  # one half is said of each
    grades = weighing.grades(np.zeros((3, len(FEATURES))), np.array([0.0, 1.0, 0.5]), 1.0)
    assert grades == pytest.approx([1.0, 9.0, 1.0])


def test_the_shipped_weights_are_whole_and_nothing_matched_counts_against() -> None:
    for weighing in calibrated().values():
        for scale in (weighing.scale, weighing.scale_beside):
            assert scale[0] == (0, 0)
            assert scale[-1] == (1, 1)
            assert sorted(scale) == list(scale)
            assert sorted(chance for _, chance in scale) == [chance for _, chance in scale]
        assert all(value >= 0 for name, value in weighing.confidence.items() if name != "bias")
        assert {*weighing.confidence} <= {*FEATURES, *BESIDE}
        assert {*weighing.order} <= {*FEATURES}
        assert {*weighing.glance} <= {*GLANCES}
        assert any(weighing.glance.values()), "or the first by chance would be read"


RISING = [[0, 0], [0.4, 0.5], [1, 1]]
EMPTY = {"glance": {}, "order": {}, "confidence": {}, "scale": RISING, "scale_beside": RISING}


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


@pytest.mark.parametrize(
    "scale", [[], [[0, 0]], [[0, 0.5], [1, 0.2]], [[0, 0], [1, 7]], [[0, 0, 0], [1, 1, 1]]]
)
def test_a_scale_that_does_not_rise_from_0_to_1_is_refused(scale: list[list[float]]) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        read_calibration(json.dumps({"cases": {Case.WORDS_ONLY.value: {**EMPTY, "scale": scale}}}))


def test_a_file_from_before_grades_were_measured_answers_what_it_answered() -> None:
    old = {"glance": {}, "order": {}, "confidence": {}, "guidance": 0.1, "answered": 0.6}
    weighing = read_calibration(json.dumps({"cases": {Case.WORDS_ONLY.value: old}}))[Case.WORDS_ONLY]
    for likely, least in ((0.6, ANSWERED_FROM), (0.1, LISTED_FROM)):
        assert 10 * np.interp(likely, *zip(*weighing.scale, strict=True)) == pytest.approx(least)


def test_a_term_that_stands_nowhere_weighs_most() -> None:
    found = {"tax": 2.0, "sourdough": 0.0}
    assert weights(found)["sourdough"] >= 2 * weights(found)["tax"]
    assert known_share(found) < 0.5


@pytest.mark.parametrize(
    ("kind", "text", "counts"),
    [
        (ProvisionKind.SECTION, "A carter pays the cart toll.", True),
        (ProvisionKind.SECTION, "", False),
        (ProvisionKind.RECITAL, "A carter pays the cart toll.", False),
        (ProvisionKind.PREAMBLE, "A carter pays the cart toll.", False),
        (ProvisionKind.HISTORICAL_NOTE, "A carter pays the cart toll.", False),
    ],
)
def test_only_words_that_bind_are_considered(kind: ProvisionKind, text: str, counts: bool) -> None:
    asks = "Who pays the cart toll?"
    question = Question(asks, asks, asks, "en", date(2026, 1, 1), Filter(), (), NO_FIGURES)
    found = candidate(1)
    found = replace(found, match=replace(found.match.saying(text, text), kind=kind))
    asked = AskedWords(asks, "en", {"toll": 1.0})
    assert consider([found], question, asked, 1.0).candidates == ((found,) if counts else ())


def test_words_are_compared_by_stem_without_an_embedder() -> None:
    asked = AskedWords("taxes on horses", "en", {"tax": 1.0, "hors": 3.0})
    met = asked.meet([("The horse is taxed.", "en"), ("A cart is not.", "en")])
    assert asked.coverages(met.held).tolist() == [1.0, 0.0]
    assert asked.measure("The tax on a cart.", "en") == pytest.approx(0.25)


FAR = {"section_likeness": 0.05, "section_coverage": 0.05, "sentence_coverage": 0.5, "asked": 0.0}


@pytest.mark.parametrize(
    ("case", "word_by_word", "signs", "result"),
    [
        (Case.SAME_LANGUAGE, True, FAR, Outcome.SILENT),
        # Where only whole texts are compared, exact words decide, and across languages nothing does.
        (Case.SAME_LANGUAGE, False, FAR, Outcome.LIKELY),
        (Case.SAME_LANGUAGE, False, FAR | {"section_likeness": 1.0, "section_matched": 0.05}, Outcome.LIKELY),
        (Case.SAME_LANGUAGE, False, FAR | {"section_likeness": 1.0}, Outcome.ANSWERED),
        (Case.OTHER_LANGUAGE, False, FAR | {"section_matched": 0.0}, Outcome.ANSWERED),
    ],
)
def test_words_are_compared_as_far_as_the_embedder_can(
    case: Case, word_by_word: bool, signs: dict[str, float], result: Outcome
) -> None:
    one = considered([SURE | signs, POOR, POOR], case=case, word_by_word=word_by_word)
    assert outcome(grade([one]), 1.0) is result


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


ADAPTED = (
    "With respect to employers that count leave by another year, subsection 9(2) of the Act is modified as"
    " follows:\n(2) An employee earns up to 10 days of leave in a year."
)


def adapted_and_rule(rule: int) -> list[Graded]:
    adaptation, target = candidate(33, "2"), candidate(rule, "1")
    adaptation = replace(adaptation, match=adaptation.match.saying(ADAPTED, ADAPTED))
    return [Graded(adaptation, 1.0, 8.3), Graded(target, 1.0, 3.5)]


@pytest.mark.parametrize(
    ("terms", "rule", "first", "best"),
    [
        ({"day", "leav", "employe", "earn"}, 9, 9, 8.3),
        ({"day", "leav", "employ", "count", "anoth", "year"}, 9, 33, 8.3),  # the case is stated
        (
            {"day", "leav", "employe", "earn"},
            8,
            33,
            LIKELY_FROM - 0.01,
        ),  # another section than the one adapted
    ],
)
def test_a_rule_answers_before_its_adaptation_for_some(
    terms: set[str], rule: int, first: int, best: float
) -> None:
    one = considered([SURE, POOR], terms=frozenset(terms))
    changed = _with_rule_first(adapted_and_rule(rule), one)
    assert changed[0].candidate.section.step("sec") == str(first)
    assert changed[0].grade == pytest.approx(best)
