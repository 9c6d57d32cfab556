"""From when on Finnish amendments are applied, where that is not the day of their entry into force."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pykala.fetch.mirror import Mirror, open_mirror
from pykala.law.identifiers import ProvisionId
from pykala.law.validity import Validity
from pykala.packs.finland.amendments.amending_days import Days, applied_days
from pykala.packs.finland.amendments.applied_days import applied_from, is_of_the_whole
from pykala.packs.finland.statutes.statute_xml import read_statute_xml
from pykala.packs.pack import Snapshot, pack_for

CORPORA = Path(__file__).parents[4] / "shared" / "corpora"
LABELS = Path(__file__).parent / "labels" / "application.txt"


@pytest.mark.parametrize(
    ("language", "sentence", "day"),
    [
        (
            "fi",
            "Lain 6 ja 20 §:ää sovelletaan kuitenkin 12 päivänä lokakuuta 2023 tai sen jälkeen tehdyn"
            " sopimuksen perusteella tapahtuneeseen luovutukseen.",
            date(2023, 10, 12),
        ),
        (
            "sv",
            "Lagens 6 och 20 § tillämpas dock på överlåtelser som grundar sig på avtal som ingåtts"
            " den 12 oktober 2023 eller därefter.",
            date(2023, 10, 12),
        ),
        ("fi", "Sitä sovelletaan kuitenkin vasta 28 päivästä kesäkuuta 2025.", date(2025, 6, 28)),
        ("sv", "Den tillämpas dock först från och med den 28 juni 2025.", date(2025, 6, 28)),
        ("fi", "Tämän lain 14 b §:ää sovelletaan 1 päivästä toukokuuta 2018.", date(2018, 5, 1)),
        (
            "fi",
            "Lakia sovelletaan kuitenkin myös, jos eräpäivä on 1 päivänä tammikuuta 2024 tai sen jälkeen.",
            None,
        ),
        ("fi", "Lakia sovelletaan ensimmäisen kerran vuodelta 2020 toimitettavassa verotuksessa.", None),
        ("fi", "Lain 19 §:ää sovelletaan sosiaalihuollossa 1 päivästä tammikuuta 2023.", None),
        ("fi", "Tämä laki tulee voimaan 1 päivänä tammikuuta 2024.", None),
        (
            "fi",
            "Lakia sovelletaan 16 päivänä maaliskuuta 2020 tai sen jälkeen ja ennen 1 päivänä tammikuuta 2021"
            " tai sen jälkeen tehtyyn työhön.",
            None,
        ),
    ],
)
def test_the_day_from_which_on_words_are_applied(language: str, sentence: str, day: date | None) -> None:
    assert applied_from(sentence, language) == day


def test_a_sentence_on_the_act_is_told_from_one_on_its_parts() -> None:
    assert is_of_the_whole("Tätä lakia sovelletaan 1 päivästä toukokuuta 2018.", "fi")
    assert is_of_the_whole("Den tillämpas dock först från och med den 28 juni 2025.", "sv")
    assert not is_of_the_whole("Lain 6 §:ää sovelletaan 1 päivästä toukokuuta 2018.", "fi")


DAYS = st.dates(date(1990, 1, 1), date(2040, 1, 1))


@given(DAYS, st.none() | DAYS, st.booleans())
def test_words_begin_with_their_application_and_keep_their_entry_into_force(
    entered: date, applied: date | None, temporary: bool
) -> None:
    validity, in_force = applied_days(Validity(entered), applied, temporary=temporary)
    assert (in_force or validity.start) == entered
    assert validity.start == (entered if applied is None or temporary else applied)
    pending = Validity.pending()
    assert applied_days(pending, applied, temporary=temporary) == (pending, None)


@pytest.fixture(scope="module")
def statutes() -> Iterator[Mirror]:
    path = CORPORA / "finland-statutes.tar.zst"
    if not path.exists():
        pytest.skip("the corpus finland-statutes is not beside the repository (looked in ../shared/corpora)")
    with open_mirror(path) as mirror:
        yield mirror


@pytest.mark.corpora
def test_real_amending_acts_are_applied_from_the_days_that_they_say(statutes: Mirror) -> None:
    facts, wrong = pack_for("fi").facts, []
    lines = [line.split() for line in LABELS.read_text("utf-8").splitlines() if not line.startswith("#")]
    for act, place, entered, applied in lines:
        year, number = act.split("/")
        file = statutes.read(f"asd/fi/{year}/asd{year}{int(number):04}.xml")
        reading = read_statute_xml([Snapshot(file.path, file.data, file.sha256)], facts)
        days = Days.of(reading.documents[0])
        path = ProvisionId.parse(f"fi:act:{act}/{place}").path
        told = [str(days.validity(path, "").start), str(days.applied_from(path, "") or "-")]
        if told != [entered, applied]:
            wrong.append(f"{act} {place}: {told} instead of {[entered, applied]}")
    assert not wrong, "\n".join(wrong)
