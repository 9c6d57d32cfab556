"""Sentences of a draft that speak of another time than the one that counts."""

from __future__ import annotations

from datetime import date
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from making import section, since
from pykala.law.identifiers import WorkId
from pykala.law.provisions import Event, Version
from pykala.law.validity import Validity
from pykala.text.phrases import tell
from pykala.versions.mismatches import (
    CitedChain,
    TemporalMismatch,
    Wording,
    check_temporal_mismatches,
    cited_chain,
)

ACT = WorkId("fi:act:1995/1551")
AMENDING = WorkId("fi:act:2023/1234")
TODAY = date(2026, 1, 1)


def chain(number: str, *versions: Version, language: str = "en") -> CitedChain:
    return cited_chain(section(ACT, number, versions=versions), f"section {number}", language)


MONTHS = chain(
    "1",
    Version(
        "A key employee is taxed under this Act for at most 48 months from the start of the work.",
        since(1996, 2024),
    ),
    Version(
        "A key employee is taxed under this Act for at most 84 months from the start of the work.",
        since(2024),
        event=Event.AMENDED,
        source_act=AMENDING,
    ),
)
RATES = chain(
    "2",
    Version("The tax is 30 per cent, and 32 per cent on what is above 50,000 euros.", since(2012, 2014)),
    Version("The tax is 30 per cent, and 32 per cent on what is above 40,000 euros.", since(2014, 2016)),
    Version("The tax is 30 per cent, and 34 per cent on what is above 30,000 euros.", since(2016)),
)
FILING = chain(
    "3",
    Version(
        "The return shall be given on paper to the tax office of the municipality of residence.",
        since(1996, 2020),
    ),
    Version("The return shall be given electronically to the Tax Administration by everyone.", since(2020)),
)
FINNISH = chain(
    "4",
    Version("Avainhenkilönä pidetään enintään 48 kuukauden ajan.", since(1996, 2024)),
    Version("Avainhenkilönä pidetään enintään 84 kuukauden ajan.", since(2024)),
    language="fi",
)
EVIDENCE = (MONTHS, RATES, FILING)


def told(
    text: str, evidence: tuple[CitedChain, ...] = EVIDENCE, as_of: date = TODAY
) -> list[tuple[str, str, int]]:
    return [
        (one.citation, one.by, one.matched.validity.start.year if one.matched.validity.start else 0)
        for one in check_temporal_mismatches(text, evidence, as_of)
    ]


@pytest.mark.parametrize(
    ("draft", "expected"),
    [
        # The law in force
        ("A key employee is taxed for at most 84 months.", []),
        ("The tax is 34 per cent on what is above 30,000 euros.", []),
        ("The return shall be given electronically to the Tax Administration.", []),
        ("Nothing of this is in the law.", []),
        ("", []),
        # Figures of another time
        ("A key employee is taxed for at most 48 months.", [("section 1", "figures", 1996)]),
        ("Key employees keep the benefit for 48 months from the start.", [("section 1", "figures", 1996)]),
        ("The tax is 32 per cent on what is above 50,000 euros.", [("section 2", "figures", 2012)]),
        ("The tax on what is above 40 000 euros is 32 per cent.", [("section 2", "figures", 2014)]),
        # One figure is of another time, and another of none: the words tell that it is the same matter
        (
            "The tax is 30 per cent, and 33 per cent on what is above 50,000 euros.",
            [("section 2", "figures", 2012)],
        ),
        (
            "For hamsters at most 48 months from the work, licensed for 12 euros.",
            [("section 1", "figures", 1996)],
        ),
        ("The fee of 12 euros for a hamster: the animal is for 48 months a licensed lodger at the zoo.", []),
        ("It is 31 % or 32 %.", []),
        # Words of another time
        (
            "The return shall be given on paper to the tax office of the municipality.",
            [("section 3", "words", 1996)],
        ),
        # A sentence that says of which time it speaks
        ("In 2020 a key employee was taxed for at most 48 months.", []),
        ("In 2013 the tax was 32 per cent on what was above 50,000 euros.", []),
        ("In 2013 the tax was 34 per cent on what was above 30,000 euros.", [("section 2", "figures", 2016)]),
        # A figure that some cited law in force holds is supported
        ("The tax is 30 per cent.", []),
        # Figures in a unit that the law in force does not speak of
        ("The fee for a key employee is 48 hours of work.", []),
        # One wrong sentence among right ones
        (
            "A key employee is taxed for 84 months. The tax is 32 per cent on what is above 50,000 euros.",
            [("section 2", "figures", 2012)],
        ),
    ],
)
def test_sentences_of_another_time(draft: str, expected: list[tuple[str, str, int]]) -> None:
    assert told(draft) == expected


@pytest.mark.parametrize(("day", "start"), [(date(2000, 1, 1), 1960), (date(2004, 6, 1), 2005)])
def test_of_two_wordings_that_say_it_the_one_nearest_to_the_day_is_told(day: date, start: int) -> None:
    fee = "The fee for a licence to keep bees is {} euros."
    years = (1960, 1999, 2005, 2007)
    amounts = (10, 20, 10, 30)
    spans = zip(years, (*years[1:], None), strict=True)
    bees = chain("8", *(Version(fee.format(n), since(*span)) for n, span in zip(amounts, spans, strict=True)))
    assert told(fee.format(10), (bees,), as_of=day) == [("section 8", "figures", start)]


def test_a_wording_that_is_not_in_force_yet_is_another_time_too() -> None:
    assert told("A key employee is taxed for at most 84 months.", as_of=date(2020, 1, 1)) == [
        ("section 1", "figures", 2024)
    ]


def test_figures_are_compared_across_languages() -> None:
    assert told("A key employee is taxed for at most 48 months.", (FINNISH,)) == [
        ("section 4", "figures", 1996)
    ]
    assert told("A key employee is taxed for at most 84 months.", (FINNISH,)) == []


def test_a_figure_that_another_cited_provision_holds_is_no_mismatch() -> None:
    other = chain("9", Version("The permit is given for at most 48 months.", since(2000)))
    assert told("The permit is given for at most 48 months.", (MONTHS, other)) == []


def test_the_mismatch_names_the_version_and_its_dates() -> None:
    draft = "It is thus. A key employee is taxed for at most 48 months."
    (one,) = check_temporal_mismatches(draft, EVIDENCE, TODAY)
    assert draft[one.start : one.end] == one.sentence == "A key employee is taxed for at most 48 months."
    assert one.matched.validity == since(1996, 2024)
    assert one.in_force is not None
    assert one.in_force.acts == (AMENDING,)
    said = tell("en", one.message)
    assert "section 1" in said
    assert "1996-01-01" in said
    assert "2024-01-01" in said


@pytest.mark.parametrize(
    ("validity", "key", "days"),
    [
        (since(1996, 2024), "claim.other_time_between", {"start": 1996, "end": 2024}),
        (since(2030), "claim.other_time_since", {"start": 2030}),
        (Validity(None, date(2024, 1, 1)), "claim.other_time_until", {"end": 2024}),
        (Validity(), "claim.other_time_undated", {}),
    ],
)
def test_the_message_tells_the_days_that_are_known(
    validity: Validity, key: str, days: dict[str, int]
) -> None:
    matched = Wording("Old.", validity, ())
    found = TemporalMismatch(0, 4, "Old.", MONTHS.provision, "section 1", matched, None, "words")
    values = dict(found.message.values)
    assert found.message.key == key
    assert {name: day.year for name, day in values.items() if isinstance(day, date)} == days
    assert (values["sentence"], values["citation"]) == ("Old.", "section 1")
    assert tell("en", found.message)


def test_an_ended_provision_is_quoted_as_if_it_stood() -> None:
    ended = chain("5", Version("The dog tax is 50 euros for each dog.", since(1990, 2019)))
    assert told("The dog tax is 50 euros for each dog.", (ended,)) == [("section 5", "figures", 1990)]


def test_wordings_follow_the_changes_of_a_chain() -> None:
    assert [wording.validity for wording in RATES.wordings] == [
        since(2012, 2014),
        since(2014, 2016),
        since(2016),
    ]
    pending = chain("6", Version("Now.", since(2000)), Version("To come.", Validity.pending()))
    assert [wording.text for wording in pending.wordings] == ["Now."]


@given(st.sampled_from([*EVIDENCE, FINNISH]), st.dates(date(1990, 1, 1), date(2030, 1, 1)))
def test_the_law_in_force_never_mismatches_itself(cited: CitedChain, day: date) -> None:
    standing = [wording for wording in cited.wordings if wording.validity.covers(day)]
    for wording in standing:
        assert check_temporal_mismatches(wording.text, [cited], day) == ()


def test_a_long_draft_is_checked_within_a_second() -> None:
    long = chain(
        "7",
        *(
            Version(
                " ".join(f"Of matter {n} the person shall pay {n + year} euros a year." for n in range(60)),
                since(year, year + 1),
            )
            for year in range(2010, 2020)
        ),
    )
    draft = " ".join(f"Of matter {n} the person shall pay {n + 2012} euros a year." for n in range(40))
    started = process_time()
    found = check_temporal_mismatches(draft, [long], date(2019, 6, 1))
    assert process_time() - started < 8.0
    assert found
