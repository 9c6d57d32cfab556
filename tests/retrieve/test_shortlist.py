"""Which candidates are read closely: what is cited goes first, and nothing is made up or lost."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import ProvisionKind
from pykala.law.standing import UNKNOWN, Standing
from pykala.law.validity import ALWAYS, Validity
from pykala.retrieve.calibration import Case, calibrated
from pykala.retrieve.search import Candidate
from pykala.retrieve.shortlist import GLANCES, glance, shares, shortlisted
from pykala.stores.store import Match
from pykala.stores.values import PassageWords

TODAY = date(2026, 1, 1)
EVEN = dict.fromkeys(GLANCES, 1.0)
CITED = Standing(cited=12, works=5, act_works=9, weight=0.8, act_weight=0.6)


def candidate(
    number: int,
    words: float = 1.0,
    meaning: float = 0.5,
    *,
    work: str = "1",
    standing: Standing = UNKNOWN,
    validity: Validity = ALWAYS,
    authority: int = 100,
) -> Candidate:
    section = ProvisionId.parse(f"xx:act:{work}/sec_{number}")
    match = Match(
        number, 1.0, section, section, ProvisionKind.SECTION, section.work, "en",
        PassageWords.of(f"Act › {number}", "Text.", "Text."), 0, validity, authority, standing,
    )  # fmt: skip
    return Candidate(section, match, 1.0 / number, words, meaning)


def column(candidates: list[Candidate], name: str) -> list[float]:
    found: list[float] = glance(candidates, TODAY)[:, GLANCES.index(name)].tolist()
    return found


_CANDIDATES = st.lists(
    st.builds(
        candidate,
        st.integers(1, 999),
        st.floats(0, 40, width=32),
        st.floats(-1, 1, width=32),
        work=st.sampled_from("abc"),
        standing=st.builds(
            Standing,
            cited=st.integers(0, 99),
            last_cited=st.integers(0, date.max.toordinal()),
            weight=st.floats(0, 1),
            act_weight=st.floats(0, 1),
        ),
        validity=st.sampled_from([ALWAYS, Validity(date(2020, 1, 1), None), Validity.pending()]),
        authority=st.sampled_from([1, 60, 75, 100]),
    ),
    max_size=60,
)
_WEIGHTS = st.dictionaries(st.sampled_from(GLANCES), st.floats(-9, 9, width=32))


@pytest.mark.parametrize("case", Case)
def test_a_cited_section_goes_before_its_uncited_twin(case: Case) -> None:
    twins = [candidate(1), candidate(2), candidate(3, standing=CITED), candidate(4)]
    found = shortlisted(twins, calibrated()[case].glance, TODAY, 2)
    assert [one.match.passage for one in found] == [3, 1]


def test_candidates_that_are_alike_stay_in_their_order() -> None:
    alike = [candidate(number, 0.0, 0.0) for number in (5, 2, 9)]
    assert shortlisted(alike, EVEN, TODAY, 9) == tuple(alike)
    assert shortlisted([candidate(1), candidate(2)], {}, TODAY, 1) == (candidate(1),)


@given(_CANDIDATES, _WEIGHTS, st.integers(0, 70))
def test_never_more_than_asked_for_and_none_made_up(
    candidates: list[Candidate], weights: dict[str, float], count: int
) -> None:
    found = shortlisted(candidates, weights, TODAY, count)
    assert len(found) == min(count, len(candidates))
    left = list(candidates)
    for one in found:
        left.remove(one)  # raises where it was given twice


@given(_CANDIDATES, _WEIGHTS, st.integers(0, 70))
def test_a_shorter_list_is_the_best_of_a_longer_one(
    candidates: list[Candidate], weights: dict[str, float], count: int
) -> None:
    whole = shortlisted(candidates, weights, TODAY, len(candidates))
    assert sorted(map(id, whole)) == sorted(map(id, candidates)), "all of them, in another order"
    assert shortlisted(candidates, weights, TODAY, count) == whole[:count]
    line = np.array([weights.get(name, 0.0) for name in GLANCES], dtype=np.float32)
    scores = glance(candidates, TODAY).astype(np.float64) @ line
    at = {id(one): place for place, one in enumerate(candidates)}
    ranked = np.array([scores[at[id(one)]] for one in whole])
    assert (np.diff(ranked) <= 1e-3).all(), "best first"


@given(_CANDIDATES)
def test_every_number_is_finite_and_a_share(candidates: list[Candidate]) -> None:
    table = glance(candidates, TODAY)
    assert table.shape == (len(candidates), len(GLANCES))
    assert np.isfinite(table).all()
    assert (np.abs(table) <= 1 + 1e-6).all()
    for what in ("words", "meaning"):
        works = [str(one.match.work) for one in candidates]
        total = sum(shares(works, [getattr(one, what) for one in candidates]).values())
        assert total == pytest.approx(1.0) or total == 0.0


@pytest.mark.parametrize(
    ("bare", "asked", "first"),
    [
        pytest.param(False, 0.4, 2, id="a question goes by meaning"),
        pytest.param(True, 0.4, 1, id="words alone go by words"),
        pytest.param(True, 0.75, 2, id="people ask in these words"),
        pytest.param(True, 0.0, 2, id="no questions are known"),
    ],
)
def test_a_section_with_the_words_that_were_typed(bare: bool, asked: float, first: int) -> None:
    by_words, by_meaning = candidate(1, 12.0, 0.3), replace(candidate(2, 3.0, 0.8), asked=asked)
    found = shortlisted([by_meaning, by_words], calibrated()[Case.SAME_LANGUAGE].glance, TODAY, 1, bare=bare)
    assert [one.match.passage for one in found] == [first]


def test_nothing_gives_nothing() -> None:
    assert glance([], TODAY).shape == (0, len(GLANCES))
    assert shortlisted([], EVEN, TODAY, 5) == ()
    assert shares([], []) == {}


def test_scores_and_places() -> None:
    found = [candidate(1, 4.0, 0.2), candidate(2, 8.0, 0.0), candidate(3, 0.0, 0.9)]
    assert column(found, "words") == pytest.approx([0.5, 1.0, 0.0])
    assert column(found, "words_place") == pytest.approx([10 / 11, 1.0, 0.0]), "not found by words: no place"
    assert column(found, "meaning") == pytest.approx([0.2, 0.0, 0.9])
    assert column(found, "meaning_place") == pytest.approx([10 / 11, 0.0, 1.0])


def test_the_eleventh_place_counts_half() -> None:
    found = [candidate(number, 20.0 - number) for number in range(1, 12)]
    assert column(found, "words_place")[10] == pytest.approx(0.5)


def test_standing_and_rank_are_taken_as_they_are() -> None:
    found = [candidate(1, standing=CITED), candidate(2, authority=60)]
    assert column(found, "cited") == pytest.approx([0.8, 0.0])
    assert column(found, "act_cited") == pytest.approx([0.6, 0.0])
    assert column(found, "authority") == pytest.approx([1.0, 0.6])


def test_an_act_has_its_share_of_what_was_found() -> None:
    found = [candidate(1, 3.0, 0.5), candidate(2, 1.0, -0.5), candidate(1, 4.0, 0.5, work="2")]
    assert column(found, "act_by_words") == pytest.approx([0.5, 0.5, 0.5])
    assert column(found, "act_by_meaning") == pytest.approx([0.5, 0.5, 0.5]), "what is unlike takes nothing"


@pytest.mark.parametrize(
    ("worded", "cited", "recent"),
    [
        (None, None, False),
        (date(2015, 1, 1), None, False),
        (date(2016, 6, 1), None, True),
        (date(2000, 1, 1), date(2024, 1, 1), True),
        (None, date(2024, 1, 1), True),
        (date(2020, 1, 1), date(1999, 1, 1), True),
        (date(1990, 1, 1), date(1999, 1, 1), False),
    ],
)
def test_recent_is_worded_or_cited_within_ten_years(
    worded: date | None, cited: date | None, recent: bool
) -> None:
    standing = replace(UNKNOWN, last_cited=cited.toordinal() if cited else 0)
    one = candidate(1, standing=standing, validity=Validity(worded, None))
    assert column([one], "recent") == [float(recent)]
