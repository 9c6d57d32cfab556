"""Disagreeing figures are surfaced, and the higher rank is named."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from pykala.answer.conflicts import _closeness, _compared, _figures, _Statement, _Subject, find_conflicts
from pykala.answer.figures import DATE
from pykala.law.answers import CitedProvision, Conflict, Relation, Support
from pykala.law.identifiers import ProvisionId
from pykala.law.validity import Validity


def cited(identifier: str, text: str, authority: int, language: str = "en") -> CitedProvision:
    validity = Validity(date(2020, 1, 1))
    return CitedProvision(
        ProvisionId.parse(identifier), identifier, "", text, "", language, validity, authority, ""
    )


def beside(other: CitedProvision, *, linked: bool = False) -> list[Support]:
    return [Support(other, Relation.GUIDANCE if linked else Relation.ALSO_ABOUT, int(linked))]


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


LIMIT = "Enintään 200 euron suuruinen meno saadaan poistaa kerralla."


def conflicts(
    statute: str, other: str, *, rank: int = 60, linked: bool = True, relation: Relation = Relation.GUIDANCE
) -> tuple[Conflict, ...]:
    """What is found between section 115 of an act since 2020 and a source since 2010, in Finnish."""
    primary = cited("fi:act:1992/1535/sec_115", statute, 100, "fi")
    beside_it = replace(cited("fi:vero:ohje/sec_3", other, rank, "fi"), validity=Validity(date(2010, 1, 1)))
    return find_conflicts(primary, {"fi": statute}, [Support(beside_it, relation, int(linked))])


@pytest.mark.parametrize(
    ("other", "why"),
    [
        ("Esimerkki: enintään 600 euron suuruinen meno saadaan poistaa kerralla.", "an example"),
        (
            "Esimerkki 1.\nAntti osti sahan. Enintään 600 euron meno saadaan poistaa kerralla.",
            "in an example",
        ),
        (f"Enintään 600 euron suuruinen meno saadaan poistaa kerralla. Ennen: {LIMIT}", "it knows both"),
        ("Vähintään 600 euron suuruinen meno saadaan poistaa vuosittain.", "a floor against a ceiling"),
        ("Verovelvollinen maksaa 600 euroa metsästä (TVL 99 §), kun meno poistetaan.", "of another section"),
        ("TVL 115 §:n (995/2000) mukaan enintään 600 euron suuruinen meno saadaan poistaa.", "recited"),
        ("Meno on enintään 600 euroa tai 700 euroa (TVL 115 §), jos se on suuri.", "several figures"),
        ("Enintään 600 kilon suuruinen meno saadaan poistaa kerralla.", "another unit"),
    ],
)
def test_what_looks_like_a_conflict_and_is_none(other: str, why: str) -> None:
    assert conflicts(LIMIT, other) == (), why


@pytest.mark.parametrize(
    ("statute", "other", "figures"),
    [
        (LIMIT, "Menojäännös enintään 600 euroa poistetaan kerralla (TVL 115 §).", ("200", "600")),
        ("Vero on 25 prosenttia palkasta.", "Veroa menee 32 prosenttia (TVL 115 §) palkasta.", ("25", "32")),
        ("Hakemus tehdään 90 päivän kuluessa.", "Hakemus tehdään 30 päivän kuluessa (115 §).", ("90", "30")),
        (
            "Tukea maksetaan yritykselle 31.12.2027 asti.",
            "Tukea maksetaan yritykselle 31.12.2025 asti (115 §).",
            ("2027-12-31", "2025-12-31"),
        ),
        (
            "Hakemus tehdään kuuden kuukauden kuluessa.",
            "Hakemus tehdään 3 kuukauden kuluessa (115 §).",
            ("6", "3"),
        ),
    ],
)
def test_amounts_rates_periods_and_dates_are_compared(
    statute: str, other: str, figures: tuple[str, str]
) -> None:
    (found,) = conflicts(statute, other)
    assert found.reason == "higher rank"
    assert f"says {figures[0]}" in found.message.split(", ")[0]
    assert f"says {figures[1]}" in found.message.split(", ")[1]


def test_a_ruling_on_an_earlier_wording_does_not_disagree_with_the_present_one() -> None:
    other = "Enintään 600 euron suuruinen meno saatiin poistaa kerralla (TVL 115 §)."
    assert conflicts(LIMIT, other, rank=80, relation=Relation.APPLYING) == ()
    assert len(conflicts(LIMIT, other, rank=80, relation=Relation.GUIDANCE)) == 1


def test_a_ruling_beside_the_law_prevails_over_guidance_beside_it() -> None:
    law = cited("fi:act:1992/1535/sec_115", "Meno poistetaan, kuten asetuksella säädetään.", 100, "fi")
    text = "Enintään {} euron suuruinen koneen meno saadaan poistaa kerralla loppuun."
    ruling = cited("fi:kho:2025/46/headnote_1", text.format(600), 80, "fi")
    guidance = cited("fi:vero:ohje/sec_3", text.format(200), 60, "fi")
    support = [Support(guidance, Relation.GUIDANCE, 1), Support(ruling, Relation.APPLYING, 1)]
    (found,) = find_conflicts(law, {"fi": law.text}, support)
    assert (found.winner, found.loser) == (ruling.provision, guidance.provision)


@pytest.mark.parametrize(
    ("years", "places", "reason"),
    [
        ((2024, 2020), ("fi:vero:a/sec_1", "fi:vero:b/sec_1"), "later"),
        ((2020, 2024), ("fi:vero:a/sec_1", "fi:vero:b/sec_1"), "later"),
        ((2020, 2020), ("fi:vero:a/sec_1/para_2", "fi:vero:b/sec_1"), "more specific"),
        ((2020, 2020), ("fi:vero:a/sec_1", "fi:vero:b/sec_1"), ""),
    ],
)
def test_of_one_rank_the_later_prevails_then_the_more_specific(
    years: tuple[int, int], places: tuple[str, str], reason: str
) -> None:
    text = "Enintään {} euron suuruinen koneen meno saadaan poistaa kerralla loppuun."
    one, other = (
        replace(cited(place, text.format(figure), 60, "fi"), validity=Validity(date(year, 1, 1)))
        for place, year, figure in zip(places, years, (200, 600), strict=True)
    )
    (found,) = find_conflicts(one, {"fi": one.text}, beside(other))
    assert found.reason == reason
    if reason == "later":
        assert found.winner == (one if years[0] > years[1] else other).provision
    elif reason:
        assert found.winner == one.provision
    else:
        assert "stand level" in found.message


def test_a_whole_act_and_places_of_one_work_are_not_compared() -> None:
    act = cited("fi:act:1992/1535", f"{LIMIT}\n" * 100, 100, "fi")
    other = cited("fi:vero:ohje/sec_3", LIMIT.replace("200", "600"), 60, "fi")
    assert find_conflicts(other, {"fi": other.text}, beside(act)) == ()
    same = cited("fi:vero:ohje/sec_4", LIMIT, 60, "fi")
    assert find_conflicts(other, {"fi": other.text}, beside(same)) == ()


def statement(
    words: str = "", *, euros: str = "", bounds: tuple[bool, bool] = (False, False), unit: str = "eur"
) -> _Statement:
    return _Statement({unit: frozenset(euros.split())}, frozenset(words.split()), frozenset(), bounds)


@pytest.mark.parametrize(
    ("one", "other", "subject", "closeness"),
    [
        ("a b c d", "a b c d", _Subject(4, 1.0, 1.0, single=False), 1.0),
        ("a b c", "a b c", _Subject(4, 0.0, 0.0, single=False), 0.0),  # too few words
        ("a b", "a b c d", _Subject(2, 0.0, 0.5, single=False), 1.0),  # half of the longer
        ("a b", "a b c d e", _Subject(2, 0.0, 0.5, single=False), 0.0),
        ("a b c d", "a b x y", _Subject(2, 0.5, 0.0, single=False), 0.5),  # half of the shorter
        ("a b c d e", "a b x y z", _Subject(2, 0.5, 0.0, single=False), 0.0),
        ("a b c d e f", "x y a b", _Subject(2, 0.0, 0.0, single=False), 0.5),  # of the shorter one's four
        ("", "", _Subject(0, 0.0, 0.0, single=False), 0.0),
    ],
)
def test_how_much_two_sentences_share(one: str, other: str, subject: _Subject, closeness: float) -> None:
    assert _closeness(statement(one), statement(other), subject) == closeness
    assert _closeness(statement(other), statement(one), subject) == closeness


FLOOR, CEILING, BOTH = (False, True), (True, False), (True, True)


@pytest.mark.parametrize(
    ("one", "other", "single", "compared"),
    [
        (statement(euros="1"), statement(euros="2"), True, True),
        (statement(euros="1 2"), statement(euros="3"), True, False),
        (statement(euros="1 2"), statement(euros="3 4"), True, False),
        (statement(euros="1 2"), statement(euros="3"), False, True),
        (statement(euros="1", bounds=FLOOR), statement(euros="2", bounds=CEILING), False, False),
        (statement(euros="1", bounds=CEILING), statement(euros="2", bounds=FLOOR), False, False),
        (statement(euros="1", bounds=CEILING), statement(euros="2", bounds=CEILING), False, True),
        (statement(euros="1", bounds=BOTH), statement(euros="2", bounds=BOTH), False, True),
        (statement(euros="1", bounds=FLOOR), statement(euros="2"), False, True),
        (statement(euros="1"), statement(euros="2"), False, True),
    ],
)
def test_which_figures_are_compared(one: _Statement, other: _Statement, single: bool, compared: bool) -> None:
    assert _compared(one, other, "eur", _Subject(1, 0.0, 0.0, single=single)) is compared


def test_several_dates_are_never_compared() -> None:
    dated = [statement(euros=days, unit=DATE) for days in ("2020-01-01 2021-01-01", "2022-01-01")]
    loose = _Subject(1, 0.0, 0.0, single=False)
    assert not _compared(dated[0], dated[1], DATE, loose)
    assert _compared(dated[1], dated[1], DATE, loose)


@pytest.mark.parametrize(
    ("figures", "unit", "language", "words"),
    [
        ({"1"}, "euros", "en", "1 euro"),
        ({"2"}, "euros", "en", "2 euros"),
        ({"1", "2"}, "euros", "en", "1 or 2 euros"),
        ({"10", "9"}, "euros", "en", "9 or 10 euros"),
        ({"7.5"}, "percent", "fi", "7,5 prosenttia"),
        ({"2020-01-01"}, DATE, "en", "2020-01-01"),
    ],
)
def test_figures_are_told_as_a_language_counts(
    figures: set[str], unit: str, language: str, words: str
) -> None:
    assert _figures(frozenset(figures), unit, language) == words


def test_sources_in_two_languages_beside_the_law_are_not_compared() -> None:
    law = cited("fi:act:1992/1535/sec_115", "Meno poistetaan, kuten asetuksella säädetään.", 100, "fi")
    text = "Enintään {} euron suuruinen koneen meno saadaan poistaa kerralla loppuun."
    ruling = cited("fi:kho:2025/46/headnote_1", text.format(600), 80, "fi")
    for language, hops, count in (("fi", 1, 1), ("sv", 1, 0), ("fi", 0, 0)):
        guidance = cited("fi:vero:ohje/sec_3", text.format(200), 60, language)
        support = [Support(guidance, Relation.GUIDANCE, hops), Support(ruling, Relation.APPLYING, 1)]
        assert len(find_conflicts(law, {"fi": law.text}, support)) == count
        assert len(find_conflicts(law, {"fi": law.text}, support[::-1])) == count


def test_the_closest_pair_of_sentences_counts() -> None:
    """A sentence that says nearly the same, with the same figure, settles what a looser one puts in doubt."""
    statute = f"{LIMIT} Enintään 300 euron meno saadaan poistaa kerralla, jos kone on vanha."
    assert conflicts(statute, LIMIT) == ()
    (found,) = conflicts(statute, LIMIT.replace("200", "600"))
    assert "says 200" in found.message
