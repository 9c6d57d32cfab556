"""Disagreeing figures are surfaced, and the higher rank is named."""

from __future__ import annotations

from datetime import date

import pytest

from pykala.answer.conflicts import find_conflicts
from pykala.law.answers import CitedProvision, Support
from pykala.law.identifiers import ProvisionId
from pykala.law.validity import Validity


def cited(identifier: str, text: str, authority: int, language: str = "en") -> CitedProvision:
    validity = Validity(date(2020, 1, 1))
    return CitedProvision(
        ProvisionId.parse(identifier), identifier, "", text, "", language, validity, authority, ""
    )


def beside(other: CitedProvision, *, linked: bool = False) -> list[Support]:
    return [Support(other, "guidance on it" if linked else "also about this", int(linked))]


STATUTE = "A key employee is taxed at source for at most 84 months from the start of work."


@pytest.mark.parametrize(
    ("guidance", "conflicts"),
    [
        ("A key employee is taxed at source for at most 48 months from the start of work.", True),
        ("A key employee is taxed at source for at most 84 months from the start of work.", False),
        ("The key employee files a tax return within 4 months.", False),
        ("A key employee is taxed at source at 25 per cent from the start of work.", False),
        ("Interest on a mortgage is deductible for 48 months.", False),
        ("", False),
    ],
)
def test_a_conflict_needs_the_same_subject_and_unit(guidance: str, conflicts: bool) -> None:
    statute, other = cited("fi:act:1995/1551/sec_2", STATUTE, 100), cited("fi:vero:old", guidance, 60)
    found = find_conflicts(statute, {"en": STATUTE}, beside(other))
    assert bool(found) is conflicts
    if found:
        assert (found[0].winner, found[0].loser) == (statute.provision, other.provision)
        assert "84" in found[0].message
        assert "48" in found[0].message
        assert found[0].reason == "higher rank"


def test_the_higher_rank_wins_also_where_it_is_not_the_primary() -> None:
    guidance = cited("fi:vero:old", STATUTE.replace("84", "48"), 60)
    statute = cited("fi:act:1995/1551/sec_2", STATUTE, 100)
    found = find_conflicts(guidance, {"en": guidance.text}, beside(statute))
    assert [one.winner for one in found] == [statute.provision]


def test_a_conflict_is_seen_in_the_language_of_the_other_source() -> None:
    finnish = "Avainhenkilöä verotetaan lähdeverolla enintään 84 kuukautta työn alkamisesta."
    other = cited("fi:vero:vanha", finnish.replace("84", "48"), 60, "fi")
    primary = cited("fi:act:1995/1551/sec_2", STATUTE, 100)
    assert find_conflicts(primary, {"en": STATUTE}, beside(other)) == ()
    assert len(find_conflicts(primary, {"en": STATUTE, "fi": finnish}, beside(other))) == 1


@pytest.mark.parametrize(("one", "other"), [("30 000 euroa", "30.000 euroa"), ("7,5 %", "7.5 prosenttia")])
def test_the_same_figure_written_otherwise_is_no_conflict(one: str, other: str) -> None:
    text = "Verovelvollisen pääomatulon raja verovuonna on {}."
    primary = cited("fi:act:1992/1535/sec_124", text.format(one), 100, "fi")
    guidance = cited("fi:vero:raja", text.format(other), 60, "fi")
    assert find_conflicts(primary, {"fi": primary.text}, beside(guidance)) == ()


def test_a_source_that_refers_to_the_other_needs_fewer_words_in_common() -> None:
    guidance = cited("fi:vero:old", "Taxation of a key employee at source ends after 48 months.", 60)
    statute = cited("fi:act:1995/1551/sec_2", STATUTE, 100)
    assert [
        len(find_conflicts(statute, {"en": STATUTE}, beside(guidance, linked=linked))) for linked in (0, 1)
    ] == [0, 1]
