"""Mistakes of a consolidated text that the acts themselves correct: headings, days, words, lost tables."""

from __future__ import annotations

import json
from datetime import date
from itertools import pairwise
from pathlib import Path

import pytest
from statute_book import momentti, printed, read, write

import semantic_finlex as finlex
from pykala.law.provisions import Version
from pykala.packs.finland.commencement import DAY_UNKNOWN
from pykala.packs.left_out import NO_LIST

CONSOLIDATED = "data/sd-jsonld-fi/2001-77.jsonld"
OMITTED = "<sis:Katkoviiva/>"


def given(*words: str, heading: str = "") -> str:
    """A section 1 as an act prints it."""
    title = f"<saa:SaadosOtsikkoKooste>{heading}</saa:SaadosOtsikkoKooste>" if heading else ""
    made = (one if one == OMITTED else f"<saa:MomenttiKooste>{one}</saa:MomenttiKooste>" for one in words)
    return (
        f"<saa:Pykala><saa:PykalaTunnusKooste>1 §</saa:PykalaTunnusKooste>{title}{''.join(made)}</saa:Pykala>"
    )


def consolidated(*sections: dict[str, object]) -> dict[str, bytes]:
    data = json.dumps(finlex.act(*sections, since="2002-01-01"), ensure_ascii=False).encode()
    return {CONSOLIDATED: data}


def now(place: str, words: str, day: str = "", act: str = "") -> dict[str, object]:
    return finlex.node(place, words, day=day, amended=act)


def versions(folder: Path, place: str) -> tuple[Version, ...]:
    return momentti(read(folder, "act:2001/77"), place).versions


def days(version: Version) -> str:
    return f"{version.validity.start or ''}/{version.validity.end or ''}"


# Headings that an act gives alone ----------------------------------------------------------------

FIRST = printed(77, 2001, given("Maksu on 3 euroa.", heading="Maksu"), base=True)
HEADING = printed(6, 2010, given(heading="Maksun suuruus"), place="1 §:n otsikko")
LAST = printed(8, 2015, given("Maksu on 10 euroa.", heading="Maksun määrä"))


def titled(heading: str, day: str, act: str) -> dict[str, bytes]:
    words = now("pykala/1/momentti/1", "Maksu on 10 euroa.", "20160101", "2015/8")
    return consolidated(finlex.node("pykala/1", "", words, title=heading, day=day, amended=act))


@pytest.mark.parametrize(
    ("acts", "headings"),
    [
        ((FIRST, HEADING, LAST), [("Maksu", "2002-01-01/2011-01-01"),
                                  ("Maksun suuruus", "2011-01-01/2016-01-01"),
                                  ("Maksun määrä", "2016-01-01/")]),
        ((FIRST, LAST), [("Maksu", "2002-01-01/2016-01-01"), ("Maksun määrä", "2016-01-01/")]),
        ((HEADING, LAST), [("Maksun suuruus", "2011-01-01/2016-01-01"), ("Maksun määrä", "2016-01-01/")]),
    ],
)  # fmt: skip
def test_a_heading_that_an_act_gave_alone_is_a_past_one(
    tmp_path: Path, acts: tuple[tuple[str, bytes], ...], headings: list[tuple[str, str]]
) -> None:
    write(tmp_path, {**titled("Maksun määrä", "20160101", "2015/8"), **dict(acts)})
    assert [(one.heading, days(one)) for one in versions(tmp_path, "sec_1")] == headings


def test_words_go_on_below_a_heading_that_was_changed(tmp_path: Path) -> None:
    write(tmp_path, {**titled("Maksun määrä", "20160101", "2015/8"), **dict([FIRST, HEADING, LAST])})
    assert [(one.text, days(one)) for one in versions(tmp_path, "sec_1/subsec_1")] == [
        ("Maksu on 3 euroa.", "2002-01-01/2016-01-01"), ("Maksu on 10 euroa.", "2016-01-01/"),
    ]  # fmt: skip


# Days on which an act was not issued yet ---------------------------------------------------------

NOTED = "Maksu on 5 euroa. (30.12.2004/1304)"
ISSUED = date(2004, 12, 30)


@pytest.mark.parametrize(
    ("day", "beside", "start", "findings"),
    [
        ("20040131", "", ISSUED, (DAY_UNKNOWN,)),  # eleven months before the act was issued
        ("20041230", "", ISSUED, ()),  # an act may begin on the day on which it is issued
        ("20050101", "", date(2005, 1, 1), ()),
        ("20040131", "20050101", date(2005, 1, 1), ()),  # another place has the act's own day
    ],
)
def test_words_do_not_begin_before_their_act_is_issued(
    day: str, beside: str, start: date, findings: tuple[str, ...]
) -> None:
    parts = [finlex.node("pykala/1", "", now("pykala/1/momentti/1", NOTED, day, "2004/1304"))]
    if beside:
        other = now("pykala/2/momentti/1", "Maksun kantaa virasto. (30.12.2004/1304)", beside, "2004/1304")
        parts.append(finlex.node("pykala/2", "", other))
    document, _ = finlex.read(finlex.act(*parts, since="2002-01-01"))
    (version,) = finlex.places(document)["sec_1/subsec_1"].versions
    assert (version.validity.start, version.findings) == (start, findings)


def test_items_that_an_act_left_as_they_were_keep_their_older_day() -> None:
    # The act of October changed the second item; the others are of January, which is no day of that act.
    place, act = "pykala/1/momentti/1", {"amended": "2009/788"}
    items = [
        finlex.node(f"{place}/johdanto", "Maksu on:", day="20090101"),
        finlex.node(f"{place}/kohta/1", "1) aikuiselta 9 euroa;", day="20090101"),
        finlex.node(f"{place}/kohta/2", "2) lapselta 6 euroa. (16.10.2009/788)", day="20091101", **act),
    ]
    whole = finlex.node("pykala/1", "", finlex.node(place, "", *items, day="20091101", **act))
    document, _ = finlex.read(finlex.act(whole, since="2002-01-01"))
    found = finlex.places(document)
    older, changed = (found[f"sec_1/subsec_1/para_{number}"].versions for number in (1, 2))
    assert [(str(one.validity.start), str(one.source_act)) for one in (*older, *changed)] == [
        ("2009-01-01", "None"), ("2009-11-01", "fi:act:2009/788"),
    ]  # fmt: skip
    assert not any(DAY_UNKNOWN in one.findings for one in (*older, *changed))


@pytest.mark.parametrize("before", ["Maksu on 3 euroa.", ""])
def test_a_day_that_is_not_known_is_that_of_the_act_if_it_is_held(tmp_path: Path, before: str) -> None:
    first = [now("pykala/1/momentti/1", before)] if before else []
    late = now("pykala/1/momentti/1", NOTED, "20040131", "2004/1304")
    write(
        tmp_path,
        {**consolidated(finlex.node("pykala/1", "", *first, late)),
         **dict([printed(1304, 2004, given("Maksu on 5 euroa."))])},
    )  # fmt: skip
    found = versions(tmp_path, "sec_1/subsec_1")
    told = [("Maksu on 3 euroa.", "2002-01-01/2005-01-01")] if before else []
    assert [(one.text, days(one)) for one in found] == [*told, ("Maksu on 5 euroa.", "2005-01-01/")]
    assert not any(DAY_UNKNOWN in one.findings for one in found)


def test_a_day_that_is_not_known_is_not_before_the_words_that_it_follows(tmp_path: Path) -> None:
    # An act of 2004 begins in 2010, so that what 2004/1304 gave cannot have followed it in 2005.
    waited = now("pykala/1/momentti/1", "Maksu on 4 euroa. (1.6.2004/500)", "20100101", "2004/500")
    late = now("pykala/1/momentti/1", NOTED, "20040131", "2004/1304")
    given_later = dict([printed(1304, 2004, given("Maksu on 5 euroa."))])
    write(tmp_path, {**consolidated(finlex.node("pykala/1", "", waited, late)), **given_later})
    found = versions(tmp_path, "sec_1/subsec_1")
    for one, other in pairwise(found):
        assert one.validity.end == other.validity.start


# Words of another momentti -----------------------------------------------------------------------

TWO = ("Aikuinen maksaa 5 euroa käynnistä.", "Lapsi maksaa 2 euroa käynnistä.")


@pytest.mark.parametrize(
    ("act", "held", "words"),
    [
        ("2010/6", TWO[0], TWO[1]),  # the source has the words of the first momentti in both
        ("2010/6", TWO[1], TWO[1]),
        ("2010/6", "Koira maksaa euron.", "Koira maksaa euron."),  # nobody gave these: they may be right
        ("2012/3", TWO[0], TWO[0]),  # an act that is not held may have given them
    ],
)
def test_a_momentti_has_its_own_words(tmp_path: Path, act: str, held: str, words: str) -> None:
    day = "20110101" if act == "2010/6" else "20130101"
    source = consolidated(
        finlex.node(
            "pykala/1", "", now("pykala/1/momentti/1", TWO[0], "20110101", "2010/6"),
            now("pykala/1/momentti/2", held, day, act),
        )
    )  # fmt: skip
    write(tmp_path, {**source, **dict([printed(6, 2010, given(*TWO))])})
    assert versions(tmp_path, "sec_1/subsec_2")[-1].text == words


def test_momentti_that_the_source_counts_otherwise_keep_their_words(tmp_path: Path) -> None:
    # It has the end of a list as the first one, so that each of the others stands one number later.
    held = ("Näistä kaikista maksu on suoritettava.", *TWO)
    nodes = (
        now(f"pykala/1/momentti/{at}", words, "20110101", "2010/6") for at, words in enumerate(held, start=1)
    )
    source = consolidated(finlex.node("pykala/1", "", *nodes))
    write(tmp_path, {**source, **dict([printed(6, 2010, given(*TWO))])})
    assert [versions(tmp_path, f"sec_1/subsec_{at}")[-1].text for at in (1, 2, 3)] == list(held)


# Tables that are lost ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("day", "act"),
    [("20160101", "2015/8"), ("20060101", "2005/4")],  # or it missed the later acts
)
@pytest.mark.parametrize(
    ("words", "starts"),
    [
        ("Maksu on seuraavan asteikon mukainen:", ["2002-01-01", "2006-01-01", "2011-01-01", "2016-01-01"]),
        ("Maksu on asteikon mukainen.", ["2002-01-01"]),  # the same words given again are one wording
    ],
)
def test_an_announcement_is_another_one_when_its_table_was_given_anew(
    tmp_path: Path, words: str, starts: list[str], day: str, act: str
) -> None:
    first = printed(77, 2001, given(words), base=True)
    acts = [printed(number, year, given(words)) for number, year in ((4, 2005), (6, 2010), (8, 2015))]
    source = consolidated(finlex.node("pykala/1", "", now("pykala/1/momentti/1", words, day, act)))
    write(tmp_path, {**source, **dict([first, *acts])})
    found = versions(tmp_path, "sec_1/subsec_1")
    assert [str(one.validity.start) for one in found] == starts
    assert [one.validity.end for one in found] == [*(one.validity.start for one in found[1:]), None]
    assert all((NO_LIST in one.findings) is words.endswith(":") for one in found)


# Sections that an act gave as a whole -------------------------------------------------------------

WHOLE = ("Aikuinen maksaa 5 euroa käynnistä.", "Lapsi ei maksa käynnistä mitään.")


@pytest.mark.parametrize(
    ("second", "act", "chain"),
    [
        ("Pyörästä maksetaan 9 euroa käynnistä.", "",
         [("Pyörästä maksetaan 9 euroa käynnistä.", "2002-01-01/2011-01-01"), (WHOLE[1], "2011-01-01/")]),
        (WHOLE[1], "", [(WHOLE[1], "2002-01-01/")]),
        # A later act gave it: it stays.
        ("Lapsi maksaa euron käynnistä.", "2015/8", [("Lapsi maksaa euron käynnistä.", "2016-01-01/")]),
    ],
)  # fmt: skip
def test_a_section_that_an_act_gave_keeps_no_momentti_from_before_it(
    tmp_path: Path, second: str, act: str, chain: list[tuple[str, str]]
) -> None:
    source = consolidated(
        finlex.node(
            "pykala/1", "",
            now("pykala/1/momentti/1", WHOLE[0]),
            now("pykala/1/momentti/2", second, "20160101" if act else "", act),
            now("pykala/1/momentti/3", "Vanhasta moottoripyörästä maksetaan 2 euroa."),
            day="20110101", amended="2010/6",
        )
    )  # fmt: skip
    write(tmp_path, {**source, **dict([printed(6, 2010, given(*WHOLE))])})
    found = versions(tmp_path, "sec_1/subsec_2")
    assert [(one.text, days(one)) for one in found if one.text][-len(chain) :] == chain
    assert versions(tmp_path, "sec_1/subsec_3")[-1].validity.end == date(2011, 1, 1)


def test_an_act_that_leaves_some_of_a_section_as_it_was_did_not_give_all_of_it(tmp_path: Path) -> None:
    words = "Moottoripyörästä maksetaan 9 euroa."
    source = consolidated(
        finlex.node(
            "pykala/1", "", now("pykala/1/momentti/1", WHOLE[0]), now("pykala/1/momentti/2", words),
            day="20110101", amended="2010/6",
        )
    )  # fmt: skip
    write(
        tmp_path, {**source, **dict([printed(6, 2010, given(WHOLE[0], OMITTED), place="1 §:n 1 momentti")])}
    )
    assert [(one.text, days(one)) for one in versions(tmp_path, "sec_1/subsec_2")] == [(words, "2002-01-01/")]
