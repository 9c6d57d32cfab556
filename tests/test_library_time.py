"""The library's verbs of time over the sample: the text on a date, its history, two dates, a period."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pykala.law.composition import compose
from pykala.law.identifiers import ProvisionId
from pykala.library import Library
from pykala.library.sample import sample_library
from pykala.packs.pack import UnknownPack, installed
from pykala.stores.store import NotInForce
from pykala.versions.differences import Alteration, Mark

RATE = "fi:act:1992/1535/sec_124"
PLACES = [RATE, f"{RATE}/subsec_2", "fi:act:1992/1535", "fi:act:1993/1501/sec_84", "fi:act:1995/1551/sec_2"]
DAYS = st.dates(date(1992, 1, 1), date(2030, 1, 1))


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with Library.open(sample_library(tmp_path_factory.mktemp("cache"), installed())) as library:
        yield library


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(place=st.sampled_from(PLACES), day=DAYS, language=st.sampled_from(["fi", "sv"]))
def test_the_text_on_a_date_is_that_of_the_versions_in_force(
    sample: Library, place: str, day: date, language: str
) -> None:
    standing = sample.store.chain(ProvisionId.parse(place), language=language).at(day)
    if standing is None:
        with pytest.raises(NotInForce):
            sample.text_at(place, day, language=language)
    else:
        assert sample.text_at(place, day, language=language) == compose(standing).text


@pytest.mark.parametrize("place", PLACES)
def test_the_text_changes_on_the_days_of_the_timeline_and_on_no_others(sample: Library, place: str) -> None:
    days = [moment.day for moment in sample.history(place, language="fi").moments if moment.day]
    assert days
    for day in days[1:]:
        before = day - timedelta(days=1)
        assert sample.text_at(place, before, language="fi") != sample.text_at(place, day, language="fi")
    for first, second in pairwise(days):
        last = second - timedelta(days=1)
        assert sample.text_at(place, first, language="fi") == sample.text_at(place, last, language="fi")


def test_known_rates_of_capital_income(sample: Library) -> None:
    for year, rate in ((2010, "28"), (2012, "30"), (2016, "34"), (2025, "34")):
        assert rate in sample.text_at(f"{RATE}/subsec_2", date(year, 7, 1), language="fi")


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(place=st.sampled_from(PLACES), one=DAYS, other=DAYS)
def test_two_dates_differ_where_their_texts_do(sample: Library, place: str, one: date, other: date) -> None:
    first, second = sorted((one, other))
    try:
        texts = [sample.text_at(place, day, language="fi") for day in (first, second)]
    except NotInForce:
        return
    found = sample.diff(place, first, second, language="fi")
    same = all(difference.alteration is Alteration.UNCHANGED for difference in found.differences)
    assert same == (texts[0] == texts[1])
    for difference in found.changed:
        assert any(piece.mark is not Mark.SAME for piece in difference.pieces)


def test_a_history_names_the_acts_as_people_do(sample: Library) -> None:
    found = sample.history(RATE, language="fi")
    assert found.citation == "TVL 124 §"
    assert "1546/2015" in found.acts.values()
    assert found.history_unavailable


def test_what_changed_in_a_period_is_grouped_by_act(sample: Library) -> None:
    found = {str(one.work): one for one in sample.changes(date(2016, 1, 1), date(2016, 12, 31))}
    assert [str(act) for act, _ in found["fi:act:1992/1535"].causes] == ["fi:act:2015/1546"]
    only = sample.changes(date(2016, 1, 1), date(2016, 12, 31), jurisdiction="ca")
    assert {one.work.jurisdiction for one in only} <= {"ca"}
    assert sample.changes(date(2016, 1, 1), date(2016, 12, 31), kind="treaty") == ()
    with pytest.raises(UnknownPack):
        sample.changes(date(2016, 1, 1), jurisdiction="zz")
