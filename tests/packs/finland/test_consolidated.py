"""Consolidated acts of Semantic Finlex: the tree, the chains of versions, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import replace
from datetime import date, timedelta
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.completeness.finland_consolidated import lost_words, words_of_consolidated
from pykala.fetch.mirror import Mirror, open_mirror
from pykala.fetch.refusals import RefusedFile
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Document, Event, Provision, ProvisionKind, Version, WorkKind
from pykala.law.validity import Validity
from pykala.packs.finland.commencement import DAY_UNKNOWN
from pykala.packs.finland.consolidated.dating import NO_TEXT
from pykala.packs.finland.consolidated.reading import (
    CUT_LIST,
    EMPTY,
    ConsolidatedFiles,
    _with_renewals,
    read_consolidated,
)
from pykala.packs.finland.consolidated.words import take_notes, take_table, tombstone_unit
from pykala.packs.finland.statutes.act_facts import work_of
from pykala.packs.pack import Snapshot, read_facts
from semantic_finlex import act, node, places, read

CORPORA = Path(__file__).parents[4] / "shared" / "corpora"
IN_FORCE = node("pykala/9/momentti/1", "Tämä laki tulee voimaan 1 päivänä maaliskuuta 2001.")
LAST = node("pykala/9", "", IN_FORCE, title="Voimaantulo")


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("data/sd-jsonld-fi/1995-1551.jsonld", "1995/1551"),
        ("sd-jsonld-fi/1734-3.jsonld", "1734/3"),
        ("data/sd-jsonld-fi/1889-39B.jsonld", "1889/39B"),
        ("data/sd-jsonld-sv/1995-1551.jsonld", None),
        ("data/sd-jsonld-fi/1995-1551.json", None),
        ("data/sd-jsonld-fi/39-001.jsonld", None),
    ],
)
def test_act_of_a_path(path: str, expected: str | None) -> None:
    assert ConsolidatedFiles.act_of(path) == expected


def test_an_act_as_a_tree() -> None:
    document, facts = read(
        act(
            node("johtolause", "Eduskunnan päätöksen mukaisesti säädetään:"),
            node("liite/1", "Taulukko maksuista."),
            node(
                "luku/1",
                "",
                node(
                    "luku/1/pykala/1",
                    "",
                    node(
                        "luku/1/pykala/1/momentti/1",
                        "",
                        node("luku/1/pykala/1/momentti/1/kohta/1", "1) ensimmäinen asia;"),
                        node("luku/1/pykala/1/momentti/1/johdanto", "Maksua peritään, jos:"),
                        node(
                            "luku/1/pykala/1/momentti/1/kohta/2",
                            "",
                            node("luku/1/pykala/1/momentti/1/kohta/2/alakohta/b", "b) jälkimmäinen osa;"),
                            node("luku/1/pykala/1/momentti/1/kohta/2/alakohta/a", "a) edellinen osa;"),
                            node("luku/1/pykala/1/momentti/1/kohta/2/johdanto", "2) toinen asia, jossa on:"),
                        ),
                        node("luku/1/pykala/1/momentti/1/loppukappale", "Maksu palautetaan pyynnöstä."),
                    ),
                    title="Soveltamisala",
                ),
                title="Yleiset säännökset",
            ),
            LAST,
        )
    )
    assert document.title == "Laki koemaksusta"
    assert list(places(document)) == [
        "",
        "enacting_1",
        "chp_1",
        "sec_1",
        "sec_1/subsec_1",
        "sec_1/subsec_1/para_1",
        "sec_1/subsec_1/para_2",
        "sec_1/subsec_1/para_2/subpara_a",
        "sec_1/subsec_1/para_2/subpara_b",
        "sec_1/subsec_1/flush_1",
        "sec_9",
        "sec_9/subsec_1",
        "annex_1",
    ]
    found = places(document)
    section, second = found["sec_1"], found["sec_1/subsec_1/para_2"]
    assert (section.label, section.heading, section.kind) == ("1 §", "Soveltamisala", ProvisionKind.SECTION)
    assert (found["chp_1"].label, found["chp_1"].heading) == ("1 luku", "Yleiset säännökset")
    assert (second.label, second.versions[0].text) == ("2)", "toinen asia, jossa on:")
    assert found["sec_1/subsec_1"].versions[0].text == "Maksua peritään, jos:"
    assert found["sec_9"].kind is ProvisionKind.ENTRY_INTO_FORCE
    since = Validity(date(2001, 3, 1))
    assert {v.validity for one in document.root.walk() for v in one.versions} == {since}
    assert {v.event for one in document.root.walk() for v in one.versions} == {Event.ENACTED}
    assert (facts.validity, facts.issued, facts.kind) == (since, date(2001, 2, 3), WorkKind.ACT)


def test_the_work_answers_to_its_names() -> None:
    _, facts = read(act(LAST))
    work = work_of(facts, read_facts("pykala.packs.finland"))
    assert work.id == WorkId("fi:act:2001/77")
    assert {"77/2001", "laki koemaksusta", "koemaksusta annettu laki"} <= set(work.aliases)
    assert "http://data.finlex.fi/eli/sd/2001/77" in work.aliases


def test_an_amended_momentti_says_since_when_and_by_which_act() -> None:
    document, facts = read(
        act(
            node(
                "pykala/1",
                "",
                node("pykala/1/momentti/1", "Maksu on pieni."),
                node(
                    "pykala/1/momentti/2",
                    "Maksu on 5 euroa.\n(14.12.2004/785)",
                    day="20050101",
                    amended="2004/785",
                ),
                day="20050101",
                title="Maksu",
            ),
            LAST,
        )
    )
    found = places(document)
    (amended,) = found["sec_1/subsec_2"].versions
    assert amended.text == "Maksu on 5 euroa."
    assert amended.validity == Validity(date(2005, 1, 1))
    assert (amended.event, amended.source_act) == (Event.AMENDED, WorkId("fi:act:2004/785"))
    assert amended.history_unavailable
    assert found["sec_1"].versions[0].event is Event.ENACTED  # only a momentti of it changed
    assert not found["sec_1/subsec_1"].versions[0].history_unavailable
    assert facts.amended_by == {WorkId("fi:act:2004/785"): date(2004, 12, 14)}
    assert facts.commencements == {WorkId("fi:act:2004/785"): date(2005, 1, 1)}


def test_a_section_replaced_as_a_whole_gives_its_act_to_its_momentit() -> None:
    document, _ = read(
        act(
            node(
                "pykala/2",
                "",
                node("pykala/2/momentti/1", "Maksun määrää virasto.", day="20100101"),
                node(
                    "pykala/2/momentti/2",
                    "Päätöksestä saa valittaa.\n(1.6.2012/300)",
                    day="20130101",
                    amended="2012/300",
                ),
                day="20130101",
                amended="2009/900",
                title="Viranomainen",
            ),
            LAST,
        )
    )
    found = places(document)
    assert found["sec_2"].versions[0].source_act == WorkId("fi:act:2009/900")
    assert found["sec_2"].versions[0].validity.start == date(2010, 1, 1)
    assert found["sec_2/subsec_1"].versions[0].source_act == WorkId("fi:act:2009/900")
    assert found["sec_2/subsec_2"].versions[0].source_act == WorkId("fi:act:2012/300")


def test_an_earlier_wording_beside_the_newer_is_its_own_version() -> None:
    later = node("pykala/1/momentti/1", "Maksu on 7 euroa.", day="20170101", amended="2016/5")
    middle = node("pykala/1/momentti/1", "Maksu on 6 euroa.", day="20120101", amended="2011/4")
    first = node("pykala/1/momentti/1", "Maksu on 5 euroa.")
    document, _ = read(act(node("pykala/1", "", later, first, middle, day="20170101"), LAST))
    chain = places(document)["sec_1/subsec_1"].versions
    assert [(v.text, v.validity.start, v.validity.end) for v in chain] == [
        ("Maksu on 5 euroa.", date(2001, 3, 1), date(2012, 1, 1)),
        ("Maksu on 6 euroa.", date(2012, 1, 1), date(2017, 1, 1)),
        ("Maksu on 7 euroa.", date(2017, 1, 1), None),
    ]
    assert not any(version.history_unavailable for version in chain)


def test_what_only_one_state_of_a_section_holds_was_inserted_or_ended() -> None:
    kept = node("pykala/1/momentti/1", "Tämä pysyy.")
    gone = node("pykala/1/momentti/2", "Tämä poistuu.")
    new = node("pykala/1/momentti/3", "Tämä tulee.", day="20150101", amended="2014/8")
    document, _ = read(
        act(node("pykala/1", "", kept, gone), node("pykala/1", "", kept, new, day="20150101"), LAST)
    )
    found = places(document)
    assert found["sec_1/subsec_1"].versions[0].validity == Validity(date(2001, 3, 1))
    assert found["sec_1/subsec_2"].versions[0].validity == Validity(date(2001, 3, 1), date(2015, 1, 1))
    (added,) = found["sec_1/subsec_3"].versions
    assert (added.event, added.history_unavailable) == (Event.INSERTED, False)


def test_a_day_that_is_the_acts_own_is_not_believed() -> None:
    elsewhere = node("pykala/1/momentti/1", "Maksu on 6 euroa.", day="20090501", amended="2008/11")
    fallen = node("pykala/2/momentti/1", "Maksusta päätetään.", day="20010203", amended="2008/11")
    alone = node("pykala/3/momentti/1", "Maksu palautetaan.", day="20010203", amended="2010/3")
    document, _ = read(
        act(
            node("pykala/1", "", elsewhere, day="20090501"),
            node("pykala/2", "", fallen, day="20010203"),
            node("pykala/3", "", alone, day="20010203"),
            LAST,
        )
    )
    found = places(document)
    assert found["sec_2/subsec_1"].versions[0].validity.start == date(2009, 5, 1)  # as its act says elsewhere
    assert found["sec_3/subsec_1"].versions[0].validity.start is None
    assert found["sec_3/subsec_1"].versions[0].source_act == WorkId("fi:act:2010/3")


def test_two_wordings_without_a_day_between_them_say_so() -> None:
    first = node("pykala/1/momentti/1", "Maksu on 5 euroa.")
    later = node("pykala/1/momentti/1", "Maksu on 9 euroa.\n(7.8.2015/44)", day="20010203", amended="2015/44")
    document, _ = read(act(node("pykala/1", "", first, later), LAST))
    old, new = places(document)["sec_1/subsec_1"].versions
    assert old.validity == Validity(date(2001, 3, 1), date(2015, 8, 7))
    assert new.validity == Validity(date(2015, 8, 7))
    assert DAY_UNKNOWN in new.findings


def test_an_act_of_a_later_volume_is_named_by_it() -> None:
    noted = node(
        "pykala/1/momentti/1",
        "Hiippakunta päättää.\n(12.11.2010/1009 v. 2012)",
        day="20130601",
        amended="2010/1009",
    )
    inherited = node("pykala/2/momentti/1", "Seurakunta maksaa.", day="20130601")
    document, facts = read(
        act(
            node("pykala/1", "", noted, day="20130601"),
            node("pykala/2", "", inherited, day="20130601", amended="2010/1009"),
            LAST,
        )
    )
    found = places(document)
    assert found["sec_1/subsec_1"].versions[0].source_act == WorkId("fi:act:2012/1009")
    assert found["sec_2/subsec_1"].versions[0].source_act == WorkId("fi:act:2012/1009")
    assert facts.amended_by == {WorkId("fi:act:2012/1009"): date(2010, 11, 12)}


def test_a_repealed_section_ends_and_its_tombstone_stands() -> None:
    old = node("pykala/3", "", node("pykala/3/momentti/1", "Maksu viivästyy."), title="Viivästys")
    stone = node(
        "pykala/3",
        "3 §(9.9.2016/773)\n\n3 § on kumottu L:lla 9.9.2016/773, joka tulee voimaan 1.1.2017."
        " Aiempi sanamuoto kuuluu:",
        day="20170101",
        repealed="2016/773",
    )
    document, _ = read(act(stone, old, LAST))
    found = places(document)
    lived, ended = found["sec_3"].versions
    assert lived.validity == Validity(date(2001, 3, 1), date(2017, 1, 1))
    assert (ended.event, ended.source_act) == (Event.REPEALED, WorkId("fi:act:2016/773"))
    assert ended.validity == Validity(date(2017, 1, 1))
    assert ended.text.startswith("3 § on kumottu")
    assert found["sec_3/subsec_1"].versions[0].validity.end == date(2017, 1, 1)


@pytest.mark.parametrize("beside", [False, True])
def test_a_tombstone_is_of_the_section_that_it_prints(beside: bool) -> None:
    words = "17 §(9.9.2016/773)\n\n17 § on kumottu L:lla 9.9.2016/773."
    stone = node("pykala/170", words, day="20170101", repealed="2016/773")
    other = node("pykala/17", "", node("pykala/17/momentti/1", "Maksu viivästyy."))
    found = places(read(act(*([stone, other] if beside else [stone]), LAST))[0])
    assert "sec_170" not in found
    last = found["sec_17"].versions[-1]
    assert (last.event, last.validity) == (Event.REPEALED, Validity(date(2017, 1, 1)))
    if beside:
        assert found["sec_17/subsec_1"].versions[-1].validity.end == date(2017, 1, 1)


@pytest.mark.parametrize(("also", "place"), [("", "sec_17"), ("17", "sec_170")])
def test_a_section_has_the_number_that_it_prints_unless_another_has_it(also: str, place: str) -> None:
    slip = node("pykala/170", "17 §(9.9.2016/773)\n\nMaksu on 5.", day="20170101", amended="2016/773")
    other = (
        [node(f"pykala/{also}", "", node(f"pykala/{also}/momentti/1", "Maksu viivästyy."))] if also else []
    )
    found = places(read(act(slip, *other, LAST))[0])
    assert "Maksu on 5." in found[place].versions[-1].text


@pytest.mark.parametrize("later", [False, True])
def test_a_label_alone_is_no_text(later: bool) -> None:
    bare = node("pykala/5", "5 §(13.11.2009/886)", day="20100101", amended="2009/886")
    words = node("pykala/5/momentti/1", "Maksu on 5.", day="20150101")
    worded = node("pykala/5", "", words, day="20150101", amended="2014/505")
    found = places(read(act(*([bare, worded] if later else [bare]), LAST))[0])
    version = found["sec_5"].versions[-1]
    assert (version.text, found["sec_5"].label) == ("", "5 §")
    assert (NO_TEXT in version.findings) is not later


def test_a_repeal_without_a_day_did_not_hold_before_its_act_was_given() -> None:
    # The source has the day of the repealed act itself.
    stone = node(
        "pykala/6/momentti/2", "2 momentti on kumottu L:lla 9.1.2009/6.", day="20010203", repealed="2009/6"
    )
    first = node("pykala/6/momentti/1", "Maksu on 5.")
    found = places(read(act(node("pykala/6", "", first, stone), LAST))[0])
    (version,) = found["sec_6/subsec_2"].versions
    assert (version.event, version.validity) == (Event.REPEALED, Validity(date(2009, 1, 9)))
    assert version.findings == (DAY_UNKNOWN,)
    assert version.history_unavailable


def test_a_tombstone_of_a_range_stands_for_each_section() -> None:
    stone = node(
        "pykala/4", "4–6 §\n\n\n4–6 § on kumottu L:lla 1.2.2008/90.", day="20080301", repealed="2008/90"
    )
    document, _ = read(act(stone, LAST))
    found = places(document)
    assert [name for name in found if name.startswith("sec_")][:3] == ["sec_4", "sec_5", "sec_6"]
    assert {found[f"sec_{number}"].versions[0].event for number in (4, 5, 6)} == {Event.REPEALED}


def test_a_chapter_that_is_gone_is_not_a_section() -> None:
    stone = node("luku/2/pykala/38/momentti/1", "2 luku on kumottu L:lla 9.9.2016/775.", day="20170101")
    document, _ = read(
        act(
            node("luku/1", "", node("luku/1/pykala/1", "", node("luku/1/pykala/1/momentti/1", "Maksu on.")),
                 title="Alku"),
            node(
                "luku/2",
                "",
                node("luku/2/pykala/38", "", stone, day="20170101", amended="2016/775"),
                day="20170101",
                amended="2016/775",
            ),
            LAST,
        )
    )  # fmt: skip
    found = places(document)
    assert "sec_38" not in found
    (gone,) = found["chp_2"].versions
    assert (gone.event, gone.source_act) == (Event.REPEALED, WorkId("fi:act:2016/775"))
    assert gone.validity.start == date(2017, 1, 1)


def chapter(number: str, sections: str, part: str = "") -> dict[str, object]:
    above = f"{part}luku/{number}"
    return node(
        above,
        "",
        *(
            node(
                f"{above}/pykala/{one}", "", node(f"{above}/pykala/{one}/momentti/1", f"Sana {number} {one}.")
            )
            for one in sections.split()
        ),
        title=f"Luku {number}",
    )


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (
            (chapter("1", "1 2"), chapter("2", "1 2")),
            ["chp_1/sec_1", "chp_1/sec_2", "chp_2/sec_1", "chp_2/sec_2"],
        ),
        ((chapter("1", "1 2"), chapter("2", "3 4")), ["sec_1", "sec_2", "sec_3", "sec_4"]),
        # One number in two chapters is a section that moved, not a new count.
        ((chapter("1", "1 2"), chapter("2", "2 3"), chapter("3", "4")), ["sec_1", "sec_2", "sec_3", "sec_4"]),
        # The file sorts letters as tens.
        ((chapter("1", "50 50i 51 50j 52"),), ["sec_50", "sec_50i", "sec_50j", "sec_51", "sec_52"]),
    ],
)
def test_sections_are_numbered_through_or_anew(
    parts: tuple[dict[str, object], ...], expected: list[str]
) -> None:
    document, _ = read(act(*parts))
    assert [name for name in places(document) if name.rpartition("/")[2].startswith("sec_")] == expected


def test_chapters_numbered_anew_in_each_part() -> None:
    document, _ = read(
        act(
            node("osa/1", "", chapter("1", "1 2", "osa/1/"), chapter("2", "3", "osa/1/"), title="ALKU"),
            node("osa/2", "", chapter("1", "4", "osa/2/"), title="LOPPU"),
        )
    )
    found = places(document)
    assert {"part_1/chp_1", "part_1/chp_2", "part_2/chp_1", "sec_4"} <= set(found)
    assert [found["part_1"].label, found["part_2"].label] == ["I OSA", "II OSA"]


def test_a_subheading_stands_over_its_sections_and_a_loose_section_in_its_place() -> None:
    document, _ = read(
        act(
            chapter("1", "1 2"),
            chapter("2", "4"),
            node("valiotsikko/1", "Erityistä\n(1.1.2010/5)", before="pykala/3"),
            node("pykala/3", "", node("pykala/3/momentti/1", "Irrallinen.")),
        )
    )
    names = list(places(document))
    assert names.index("chp_1") < names.index("head_1") < names.index("sec_3") < names.index("chp_2")
    assert places(document)["head_1"].heading == "Erityistä"


def test_an_act_left_to_a_decree_is_in_force_since_an_unknown_day() -> None:
    words = "Tämän lain voimaantulosta säädetään valtioneuvoston asetuksella."
    document, facts = read(act(node("pykala/1", "", node("pykala/1/momentti/1", words))))
    assert facts.validity == Validity()
    assert document.root.versions[0].validity == Validity()
    _, told = read(act(node("pykala/1", "", node("pykala/1/momentti/1", words)), since="2004-05-06"))
    assert told.validity == Validity(date(2004, 5, 6))


def test_a_temporary_act_ends() -> None:
    words = "Tämä laki tulee voimaan 1 päivänä tammikuuta 2002 ja on voimassa 31 päivään joulukuuta 2003."
    document, _ = read(act(node("pykala/1", "", node("pykala/1/momentti/1", words))))
    (version,) = places(document)["sec_1/subsec_1"].versions
    assert version.validity == Validity(date(2002, 1, 1), date(2004, 1, 1))


@pytest.mark.parametrize(
    ("text", "before", "table"),
    [
        ("Vain sanoja.\nToinen rivi.", "Vain sanoja.\nToinen rivi.", ""),
        (
            "Maksu on:  \n\n\nalle 10 kg\n5 euroa\n\nyli 10 kg\n7 euroa",
            "Maksu on:  ",
            "alle 10 kg | 5 euroa\nyli 10 kg | 7 euroa",
        ),
        ("Kunta\nVero\n\nAkka\n20\n\nBokka\n21", "", "Kunta | Vero\nAkka | 20\nBokka | 21"),
        (
            "Tulo, \neuroa\n" + " " * 22 + "\n" + " " * 22 + "\nVero, %\n" + (" " * 20 + "\n") * 4 + "10\n"
            + " " * 22 + "\n" + " " * 22 + "\n6,00",
            "",
            "Tulo, euroa | Vero, %\n10 | 6,00",
        ),
    ],
)  # fmt: skip
def test_tables(text: str, before: str, table: str) -> None:
    assert take_table(text) == (before, table)


def test_a_table_is_a_provision_and_a_lost_one_a_finding() -> None:
    with_table = "Maksu on seuraava:\n\n\nalle 10 kg\n5 euroa\n\nyli 10 kg\n7 euroa"
    document, _ = read(
        act(
            node(
                "pykala/1",
                "",
                node("pykala/1/momentti/1", with_table),
                node(
                    "pykala/1/momentti/2",
                    "",
                    node("pykala/1/momentti/2/johdanto", "Veroa maksetaan seuraavan asteikon mukaan:"),
                ),
            )
        )
    )
    found = places(document)
    assert found["sec_1/subsec_1/table_1"].kind is ProvisionKind.TABLE
    assert found["sec_1/subsec_1/table_1"].versions[0].text == "alle 10 kg | 5 euroa\nyli 10 kg | 7 euroa"
    assert not found["sec_1/subsec_1"].versions[0].findings
    assert found["sec_1/subsec_2"].versions[0].findings


@pytest.mark.parametrize(
    ("text", "rest", "acts"),
    [
        ("Sana.\n(10.11.2006/975)", "Sana.", ["2006/975"]),
        ("Sana. (1.2.1990/3)(4.5.1995/6)", "Sana.", ["1990/3", "1995/6"]),
        ("Sana.\n((22.12.1994/1350))", "Sana.", ["1994/1350"]),
        ("Laki (768/2016).", "Laki (768/2016).", []),
        ("(1.2.1990/3) alussa", "(1.2.1990/3) alussa", []),
        ("", "", []),
    ],
)
def test_notes(text: str, rest: str, acts: list[str]) -> None:
    bare, notes = take_notes(text)
    assert (bare, [str(note.act).removeprefix("fi:act:") for note in notes]) == (rest, acts)


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("3 § on kumottu L:lla 4.5.2018/345.", "§"),
        ("12–19 § on kumottu L:lla 20.8.2004/783.", "§"),
        ("2 momentti on kumottu A:lla 22.12.2005/1170.", "momentti"),
        ("2 kohdan c alakohta on kumottu L:lla 28.12.2012/1081.", "kohta"),
        ("4 luku on kumottu L:lla 9.9.2016/775.", "luku"),
        ("Lajikenimi on kumottu hakemuksesta.", ""),
        ("Jos päätös on kumottu, maksu palautetaan.", ""),
    ],
)
def test_tombstones(text: str, unit: str) -> None:
    assert tombstone_unit(text) == unit


def test_one_text_in_two_copies_loses_no_word() -> None:
    one = node("luku/1/pykala/5", "", node("luku/1/pykala/5/momentti/1", "Kumotaan vanha laki Genevessä."))
    other = node("pykala/5", "", node("pykala/5/momentti/1", "Kumotaan vanha laki Genèvessä."))
    document, _ = read(act(node("luku/1", "", one, title="Loppu"), other))
    assert len([name for name in places(document) if name.endswith("sec_5")]) == 1
    (version,) = places(document)["sec_5/subsec_1"].versions
    assert "Genevessä" in version.text + str(version.findings)
    assert "Genèvessä" in version.text + str(version.findings)


# Properties

DAYS = st.dates(date(2001, 3, 1), date(2018, 1, 1))
TEXTS = st.sampled_from(
    ["Maksu on 5.", "Maksu on 6.", "Maksu on 7.", "1 momentti on kumottu L:lla 1.2.2010/3."]
)


@st.composite
def wordings(draw: st.DrawFn, place: str) -> list[dict[str, object]]:
    made = []
    for _ in range(draw(st.integers(1, 4))):
        day = draw(st.none() | DAYS)
        source = f"{draw(st.integers(2001, 2018))}/{draw(st.integers(1, 9))}" if draw(st.booleans()) else ""
        stamp = "" if day is None else f"{day:%Y%m%d}"
        made.append(node(place, draw(TEXTS), day=stamp, amended=source))
    return made


@st.composite
def acts(draw: st.DrawFn) -> dict[str, object]:
    sections: list[dict[str, object]] = []
    for number in draw(st.lists(st.sampled_from(["1", "2", "2a", "3"]), min_size=1, max_size=5)):
        parts = [
            one
            for moment in draw(st.lists(st.integers(1, 3), min_size=1, max_size=3))
            for one in draw(wordings(f"pykala/{number}/momentti/{moment}"))
        ]
        day = draw(st.none() | DAYS)
        stamp = "" if day is None else f"{day:%Y%m%d}"
        sections.append(
            node(f"pykala/{number}", "", *parts, day=stamp, title=draw(st.sampled_from(["", "A", "B"])))
        )
    return act(*sections, LAST, issued="2001-02-03")


def check_chains(document: Document) -> None:
    for provision in document.root.walk():
        assert provision.versions, provision.id
        for before, after in pairwise(provision.versions):
            assert not before.validity.overlaps(after.validity), provision.id
            assert before.validity.end is not None
            assert after.validity.start is not None
            assert before.validity.end <= after.validity.start


def check_identifiers(document: Document) -> None:
    identifiers = [provision.id for provision in document.root.walk()]
    assert len(set(identifiers)) == len(identifiers)
    assert all(ProvisionId.parse(str(one)) == one for one in identifiers)


@settings(max_examples=150, deadline=None)
@given(acts())
def test_chains_never_overlap_and_identifiers_read_back(made: dict[str, object]) -> None:
    document, facts = read(made)
    check_chains(document)
    check_identifiers(document)
    data = json.dumps(made).encode()
    assert not lost_words(words_of_consolidated(data, "made", facts, document), document)


@settings(max_examples=60, deadline=None)
@given(st.lists(DAYS, min_size=1, max_size=5, unique=True))
def test_on_each_day_the_wording_of_that_day(days: list[date]) -> None:
    parts = [
        node("pykala/1/momentti/1", f"Maksu on {place}.", day=f"{day:%Y%m%d}", amended=f"{day.year}/9")
        for place, day in enumerate(days)
    ]
    document, _ = read(act(node("pykala/1", "", *parts), LAST))
    (moment,) = (one for one in document.root.walk() if one.id.step("sec") == "1" and one.id.step("subsec"))
    for place, day in enumerate(days):
        for asked in (
            day,
            min((later for later in days if later > day), default=day + timedelta(9)) - timedelta(1),
        ):
            standing = moment.at(asked)
            assert standing is not None
            assert standing.versions[0].text == f"Maksu on {place}."


# Hostile input

WHOLE = act(node("pykala/1", "", node("pykala/1/momentti/1", "Maksu on.")), LAST)


def changed(*path: str | int, value: object) -> dict[str, object]:
    copy = deepcopy(WHOLE)
    place: object = copy
    for step in path[:-1]:
        place = place[step]  # type: ignore[index]
    place[path[-1]] = value  # type: ignore[index]
    return copy


def nested(depth: int) -> dict[str, object]:
    inner = node("pykala/1/momentti/1", "Maksu on.")
    for _ in range(depth):
        inner = node("pykala/1/momentti/1", "", inner)
    return act(inner)


@pytest.mark.parametrize(
    "value",
    [
        b"",
        b"\xff\xfe{",
        b"[1, 2]",
        b'{"@id": "sfsd:2001/77"}',
        b"{" * 100_000,
        b'{"@id": ' + b"[" * 100_000,
        b'{"@id": "sfsd:2001/77", "temporalVersion": ' + b"9" * 5_000 + b"}",
        json.dumps(WHOLE).encode()[:-20],
        changed("@id", value="sfsd:1999/1"),
        changed("@id", value=7),
        changed("temporalVersion", value=[]),
        changed("temporalVersion", "@type", value="sfl:SectionVersion"),
        changed("temporalVersion", "hasPart", value=["text"]),
        changed("temporalVersion", "hasPart", value=None),
        changed("temporalVersion", "hasPart", 0, "@type", value="sfl:UnknownVersion"),
        changed("temporalVersion", "hasPart", 0, "isMemberOf", value="sfsd:1999/1/pykala/1"),
        changed("temporalVersion", "hasPart", 0, "isMemberOf", value="sfsd:2001/77/pykala/" + "1" * 300),
        changed("temporalVersion", "hasPart", 0, "isMemberOf", value="sfsd:2001/77/pykala/a b"),
        changed("temporalVersion", "hasPart", 0, "amendedBy", value={"@id": "sfsd:1999/1"}),
        changed("temporalVersion", "hasPart", 0, "amendedBy", value="http://elsewhere"),
        changed("temporalVersion", "hasPart", 0, "languageVersion", value="text"),
        changed("temporalVersion", "hasPart", 0, "languageVersion", value={"title_fi": 5}),
        nested(40),
        act(*(node("pykala/1", "1 § on.") for _ in range(100))),
        act(*(node(f"pykala/{number}", "Sana.") for number in range(1, 6_000))),
    ],
)
def test_what_is_not_such_a_file_is_refused(value: object) -> None:
    with pytest.raises(RefusedFile) as refused:
        read(value)
    assert refused.value.reason


@pytest.mark.parametrize("stamp", ["00020614", "99999999", "20010230", "18000101"])
def test_a_day_that_cannot_be_is_unknown(stamp: str) -> None:
    made = act(node("pykala/1", "", node("pykala/1/momentti/1", "Maksu.", day=stamp, amended="2005/3")), LAST)
    document, _ = read(made)
    assert places(document)["sec_1/subsec_1"].versions[0].validity.start is None


def test_long_rows_of_notes_and_marks_are_read_in_one_pass() -> None:
    notes = "Maksu on.\n" + "(1.1.2001/1)" * 10_000
    gaps = "a" + " " * 50_000 + "\n" * 50_000 + "(1.1.2001/1" * 20_000
    document, _ = read(
        act(
            node(
                "pykala/1",
                "",
                node("pykala/1/momentti/1", notes),
                node("pykala/1/momentti/2", gaps),
                node("pykala/1/momentti/3", "1) " * 50_000),
            )
        )
    )
    assert places(document)["sec_1/subsec_1"].versions[0].text == "Maksu on."


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
KEYS = ["@id", "@type", "isMemberOf", "hasPart", "amendedBy", "repealedBy", "languageVersion", "followedBy"]


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(KEYS), JSON, st.sampled_from([(), (0,), (0, "hasPart")]))
def test_any_value_in_any_place_is_read_or_refused(
    key: str, value: object, below: tuple[str | int, ...]
) -> None:
    path = ("temporalVersion", *(("hasPart", *below) if below else ()), key)
    try:
        document, _ = read(changed(*path, value=value))
    except RefusedFile:
        return
    check_chains(document)
    check_identifiers(document)


@settings(max_examples=100, deadline=None)
@given(st.text(st.sampled_from("1a §).(\n–/|kumottu onL:2"), max_size=300))
def test_any_words_are_kept(words: str) -> None:
    made = act(node("pykala/1", "", node("pykala/1/momentti/1", words), title=words[:40]))
    document, facts = read(made)
    check_identifiers(document)
    assert not lost_words(words_of_consolidated(json.dumps(made).encode(), "made", facts, document), document)


# The real archive


@pytest.fixture(scope="module")
def archive() -> Iterator[Mirror]:
    path = CORPORA / "finland-consolidated.tar.zst"
    if not path.exists():
        pytest.skip(f"the corpus {path.name} is not beside the repository (looked in ../shared/corpora)")
    with open_mirror(path) as mirror:
        yield mirror


@pytest.fixture(scope="module")
def of_archive(archive: Mirror) -> Callable[[str], Document]:
    """Reads an act of the archive, once for all tests that ask for it."""

    @cache
    def read_act(name: str) -> Document:
        path = next(path for path in archive.paths() if path.endswith(name))
        file = archive.read(path)
        facts = read_facts("pykala.packs.finland")
        return read_consolidated(Snapshot(path, file.data, file.sha256), facts)[0]

    return read_act


@pytest.mark.corpora
def test_the_archive_is_read_without_loss(archive: Mirror) -> None:
    paths = sorted(path for path in archive.paths() if ConsolidatedFiles.act_of(path))
    assert len(paths) == 1_938
    for path in paths[::40]:
        file = archive.read(path)
        snapshot = Snapshot(path, file.data, file.sha256)
        document, facts = read_consolidated(snapshot, read_facts("pykala.packs.finland"))
        check_chains(document)
        check_identifiers(document)
        assert not lost_words(words_of_consolidated(file.data, path, facts, document), document), path


@pytest.mark.corpora
@pytest.mark.parametrize(
    ("name", "place", "day", "words"),
    [
        ("1995-1551.jsonld", "sec_2/subsec_3", date(2017, 6, 1), "48 kuukauden"),
        ("1995-1551.jsonld", "sec_3/subsec_1", date(2017, 6, 1), "35 prosenttia"),
        ("1992-1535.jsonld", "sec_124/subsec_2", date(2016, 6, 1), "Yhteisetuuden tuloveroprosentti on 28"),
        ("1992-1535.jsonld", "sec_124/subsec_2", date(2017, 6, 1), "Yhteisetuuden tuloveroprosentti on 26,5"),
        ("1992-1535.jsonld", "sec_124/subsec_4", date(2014, 6, 1), "6 prosenttia"),
        ("1992-1535.jsonld", "sec_124/subsec_4", date(2018, 6, 1), "5,85 prosenttia"),
        ("1993-1501.jsonld", "sec_84/subsec_1", date(2013, 6, 1), "24 prosenttia"),
        ("1993-1501.jsonld", "sec_85/subsec_1", date(2013, 6, 1), "14 prosenttia"),
        ("1993-1501.jsonld", "sec_85a/subsec_1", date(2013, 6, 1), "10 prosenttia"),
        ("1993-1501.jsonld", "sec_85/subsec_1/para_2", date(2010, 7, 1), "ravintola- ja ateriapalvelut"),
        ("1997-1336.jsonld", "chp_2/sec_4", date(2018, 1, 1), ""),
        ("1734-3.jsonld", "chp_10/sec_2/subsec_1/para_1", date(2010, 1, 1), "saatava on erääntynyt"),
    ],
)
def test_known_answers(
    of_archive: Callable[[str], Document], name: str, place: str, day: date, words: str
) -> None:
    document = of_archive(name)
    standing = places(document)[place].at(day)
    assert standing is not None
    assert words in standing.versions[0].text


@pytest.mark.corpora
def test_the_rates_before_the_oldest_wording_are_unavailable(of_archive: Callable[[str], Document]) -> None:
    document = of_archive("1993-1501.jsonld")
    (rate,) = places(document)["sec_84/subsec_1"].versions
    assert rate.history_unavailable
    assert rate.source_act == WorkId("fi:act:2012/706")
    assert places(document)["sec_84/subsec_1"].at(date(2012, 12, 31)) is None


@pytest.mark.parametrize(("last", "told"), [("muuten petollisesti,", True), ("muuten petollisesti.", False)])
def test_a_list_whose_closing_words_are_missing_says_so(last: str, told: bool) -> None:
    items = [node("pykala/1/momentti/1/kohta/1", "1) antaa väärän tiedon, tai"),
             node("pykala/1/momentti/1/kohta/2", f"2) {last}")]  # fmt: skip
    intro = node("pykala/1/momentti/1/johdanto", "Joka")
    document, _ = read(act(node("pykala/1", "", node("pykala/1/momentti/1", "", intro, *items))))
    findings = places(document)["sec_1/subsec_1"].versions[-1].findings
    assert (CUT_LIST in findings) is told


def test_the_editors_words_before_an_earlier_wording_are_no_law() -> None:
    bare, notes = take_notes(
        "2 § on kumottu L:lla 25.8.2016/683, joka tulee voimaan 1.1.2017. Aiempi sanamuoto kuuluu:"
    )
    assert (bare, notes) == ("2 § on kumottu L:lla 25.8.2016/683, joka tulee voimaan 1.1.2017.", ())


def test_a_section_that_was_repealed_and_given_anew_stands_again() -> None:
    place, act = ProvisionId.parse("fi:act:1940/378/sec_24"), WorkId("fi:act:2016/783")
    gone = Version("24 § on kumottu.", Validity(date(2010, 9, 1)), "Verovuosi", Event.REPEALED)
    new = Version("Verovuosi on kalenterivuosi.", Validity(date(2017, 1, 1)), "", Event.AMENDED, act)
    momentti = Provision(place.child("subsec", "1"), ProvisionKind.SUBSECTION, "", (new,))
    section = Provision(place, ProvisionKind.SECTION, "24 §", (gone,), (momentti,))
    ended, anew = _with_renewals(section).versions
    assert (ended.validity, ended.event) == (Validity(date(2010, 9, 1), date(2017, 1, 1)), Event.REPEALED)
    assert (anew.validity.start, anew.event, anew.source_act) == (date(2017, 1, 1), Event.INSERTED, act)
    older = replace(new, validity=Validity(date(2005, 1, 1)))
    kept = replace(section, children=(replace(momentti, versions=(older,)),))
    assert _with_renewals(kept) == kept, "what is older than the repeal went with it"


def test_a_momentti_without_words_says_so() -> None:
    document, _ = read(
        act(node("pykala/7", "", node("pykala/7/momentti/1", ""), node("pykala/7/momentti/2", "Sana.")))
    )
    found = places(document)
    assert found["sec_7/subsec_1"].versions[-1].findings == (EMPTY,)
    assert found["sec_7/subsec_2"].versions[-1].findings == ()
