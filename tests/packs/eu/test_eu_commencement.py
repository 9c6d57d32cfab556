"""What an act says of its entry into force and application, and how its wordings are dated by it."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import Event, Provision, ProvisionKind, Version
from pykala.law.validity import Validity
from pykala.packs.eu.applying import commencement_of, with_days
from pykala.packs.eu.commencement import Commencement
from pykala.packs.pack import pack_for

FACTS = pack_for("eu").facts
ADOPTED, PUBLISHED = date(2016, 4, 27), date(2016, 5, 4)
WORK = ProvisionId.parse("eu:32016R9999")
TWENTIETH = (
    "This Regulation shall enter into force on the twentieth day following that of its publication in the"
)
TWENTIETH += " Official Journal of the European Union."


def act(*articles: str, start: date = ADOPTED) -> Provision:
    """An act of articles, numbered from 1."""
    return Provision(
        WORK,
        ProvisionKind.WORK,
        "",
        (Version("", Validity(start), "A regulation"),),
        tuple(
            Provision(
                WORK.child("art", str(n)),
                ProvisionKind.ARTICLE,
                f"Article {n}",
                (Version(text, Validity(start)),),
            )
            for n, text in enumerate(articles, start=1)
        ),
    )


def read(text: str, language: str = "en") -> Commencement:
    return commencement_of(act(text), language, FACTS, published=PUBLISHED, adopted=ADOPTED)[1]


@pytest.mark.parametrize(
    ("language", "text", "day"),
    [
        ("en", TWENTIETH, date(2016, 5, 24)),
        (
            "en",
            "This Directive shall enter into force on the 20th day following its publication.",
            date(2016, 5, 24),
        ),
        (
            "en",
            "This Decision shall enter into force on the day following that of its publication.",
            date(2016, 5, 5),
        ),
        (
            "en",
            "This Regulation shall enter into force the third day following that of its publication.",
            date(2016, 5, 7),
        ),
        (
            "en",
            "This Directive shall enter into force on the day of its publication in the Official Journal.",
            PUBLISHED,
        ),
        ("en", "This Directive shall enter into force on the day of its adoption.", ADOPTED),
        ("en", "This Directive shall enter into force on 1 January 2007.", date(2007, 1, 1)),
        ("en", "This Directive shall enter into force on 30 February 2007.", None),
        (
            "fr",
            "Le présent règlement entre en vigueur le vingtième jour suivant celui de sa publication"
            " au Journal officiel de l'Union européenne.",
            date(2016, 5, 24),
        ),
        (
            "fr",
            "La présente directive entre en vigueur le jour suivant celui de sa publication.",
            date(2016, 5, 5),
        ),
        ("fr", "La présente directive entre en vigueur le jour de sa publication.", PUBLISHED),
        ("fr", "Le présent règlement entre en vigueur le 1er janvier 2007.", date(2007, 1, 1)),
        ("en", "Member States shall bring into force the laws necessary by 1 January 2009.", None),
    ],
)
def test_entry_into_force(language: str, text: str, day: date | None) -> None:
    assert read(text, language).entered == day


@pytest.mark.parametrize(
    ("language", "text", "applies", "parts"),
    [
        ("en", "It shall apply from 25 May 2018.", "2018-05-25", {}),
        ("en", "This Regulation shall apply as of 3 January 2022.", "2022-01-03", {}),
        (
            "en",
            "It shall apply from 3 July 2016 except for:\n(a) Article 4(2) and (3), which shall apply"
            " from 3 January 2018; and\n(b) Article 7, which shall apply from 2 July 2014.",
            "2016-07-03",
            {"art_4/para_2": "2018-01-03", "art_4/para_3": "2018-01-03", "art_7": "2014-07-02"},
        ),
        (
            "en",
            "It shall apply from 2 May 2023.\nHowever, Article 3(6) and Articles 40 and 46 shall apply"
            " from 1 November 2022 and Article 42 shall apply from 25 June 2023.",
            "2023-05-02",
            {
                "art_3/para_6": "2022-11-01",
                "art_40": "2022-11-01",
                "art_46": "2022-11-01",
                "art_42": "2023-06-25",
            },
        ),
        (
            "en",
            "It shall apply from 2 August 2026.\nHowever:\n(b) Chapter V and Article 78 shall apply"
            " from 2 August 2025, with the exception of Article 101;\n"
            "(d) Articles 102 to 103 shall apply from 27 July 2026.",
            "2026-08-02",
            {
                "cpt_V": "2025-08-02",
                "art_78": "2025-08-02",
                "art_101": "2026-08-02",
                "art_102": "2026-07-27",
                "art_103": "2026-07-27",
            },
        ),
        (
            "en",
            "It shall apply from 1 January 2021, with the exception of Article 87, which shall apply"
            " from the day of entry into force.",
            "2021-01-01",
            {"art_87": "2016-05-24"},
        ),
        ("en", "Member States shall apply the provisions of Article 2 from 1 January 2020.", None, {}),
        ("en", "Point (c) of Article 11(2) shall apply until 31 December 2014.", None, {}),
        (
            "fr",
            "Il est applicable à partir du 25 mai 2018.\nToutefois, les articles 3 et 4 sont applicables"
            " à partir du 1er janvier 2017.",
            "2018-05-25",
            {"art_3": "2017-01-01", "art_4": "2017-01-01"},
        ),
    ],
)
def test_application_of_the_whole_and_of_parts(
    language: str, text: str, applies: str | None, parts: dict[str, str]
) -> None:
    opening = (
        TWENTIETH
        if language == "en"
        else ("Le présent règlement entre en vigueur le vingtième jour suivant celui de sa publication.")
    )
    found = read(f"{opening}\n{text}", language)
    assert found.applies == (date.fromisoformat(applies) if applies else None)
    told = {str(place).removeprefix(f"{WORK}/"): day.isoformat() for place, day in found.parts}
    assert told == parts


def test_an_act_adopted_is_not_yet_law_and_one_in_force_may_not_apply_yet() -> None:
    root = act("Everybody has a right.", f"{TWENTIETH}\nIt shall apply from 25 May 2018.")
    dated = with_days(root, *commencement_of(root, "en", FACTS, published=PUBLISHED, adopted=ADOPTED))
    assert dated.at(date(2016, 5, 1)) is None
    between = dated.at(date(2017, 1, 1))
    assert between is not None
    assert [str(one.id) for one in between.children] == [f"{WORK}/art_2"]
    right = dated.children[0].versions[0]
    assert (right.in_force, right.validity.start) == (date(2016, 5, 24), date(2018, 5, 25))


DAYS = st.dates(date(2016, 4, 27), date(2020, 1, 1))


@given(st.lists(DAYS, min_size=1, max_size=5, unique=True), DAYS, DAYS)
def test_dating_keeps_every_wording_and_no_two_at_once(
    days: list[date], entered: date, applies: date
) -> None:
    days = sorted(days)
    ends = [*days[1:], None]
    versions = tuple(
        Version(str(n), Validity(start, end), event=Event.AMENDED if n else Event.ENACTED)
        for n, (start, end) in enumerate(zip(days, ends, strict=True))
    )
    article = Provision(WORK.child("art", "1"), ProvisionKind.ARTICLE, "Article 1", versions)
    root = Provision(WORK, ProvisionKind.WORK, "", (versions[0],), (article,))
    dated = with_days(root, None, Commencement(entered, applies)).children[0].versions
    assert [one.text for one in dated] == [one.text for one in versions]
    for day in (entered, applies, *days, applies - timedelta(days=1)):
        standing = [one for one in dated if one.validity.covers(day)]
        assert len(standing) == (day >= applies)
        if standing and day >= max(days[0], applies):
            assert standing[0].validity.covers(day)
            assert standing == [
                new for new, old in zip(dated, versions, strict=True) if old.validity.covers(day)
            ]


def test_stages_for_different_persons_are_told_in_the_words_of_the_act() -> None:
    """As Article 113(c) of the AI Act: high-risk systems of Annex III first, those of Annex I later."""
    last = (
        f"{TWENTIETH} It shall apply from 2 August 2026. However:\n(c) Articles 1 and 2 shall apply from:\n"
        "(i) 2 December 2027 as regards systems of Annex III; and\n"
        "(ii) 2 August 2028 as regards systems of Annex I;\n(d) Article 3 shall apply from 27 July 2026."
    )
    root = act("First.", "Second.", "Third.", last)
    told, known = commencement_of(root, "en", FACTS, published=PUBLISHED, adopted=ADOPTED)
    first, second, third, _ = with_days(root, told, known).children
    assert [str(one.versions[0].validity.start) for one in (first, second, third)] == [
        "2027-12-02",
        "2027-12-02",
        "2026-07-27",
    ]
    assert first.versions[0].application == second.versions[0].application
    assert first.versions[0].application.endswith("(ii) 2 August 2028 as regards systems of Annex I")
    assert first.versions[0].application.startswith("Articles 1 and 2 shall apply from: (i) 2 December 2027")
    assert third.versions[0].application == ""


def test_points_of_a_first_subparagraph_have_their_own_day() -> None:
    last = (
        f"{TWENTIETH} Article 1 shall apply from 2 February 2025, with the exception of Article 1(1), first"
        " subparagraph, point (b), which shall apply from 2 December 2026."
    )
    point = Provision(
        WORK.child("art", "1").child("para", "1").child("point", "b"),
        ProvisionKind.ITEM,
        "(b)",
        (Version("Later.", Validity(ADOPTED)),),
    )
    root = act("First.", last)
    article = replace(root.children[0], children=(point,))
    root = replace(root, children=(article, *root.children[1:]))
    told, known = commencement_of(root, "en", FACTS, published=PUBLISHED, adopted=ADOPTED)
    dated = with_days(root, told, known).children[0]
    assert dated.versions[0].validity.start == date(2025, 2, 2)
    assert dated.children[0].versions[0].validity.start == date(2026, 12, 2)
