"""Wordings that a consolidated text passes over, from the acts that gave them; whole acts, really read."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statute_book import momentti, printed, read, section, write

import semantic_finlex as finlex
from pykala.packs.finland.amendments.givings import nearly_same, same_words
from pykala.packs.finland.amendments.past_wordings import PERHAPS_CHANGED

CONSOLIDATED = "data/sd-jsonld-fi/2001-77.jsonld"
FIRST = printed(77, 2001, section("1", "Maksu on 3 euroa."), base=True)
ACTS = {
    "2005/4": printed(4, 2005, section("1", "Maksu on 5 euroa.")),
    "2010/6": printed(6, 2010, section("1", "Maksu on 7 euroa.")),
    "2015/8": printed(8, 2015, section("1", "Maksu on 10 euroa.")),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "source"


def consolidated(
    words: str, *, day: str = "", amended: str = "", named: tuple[str, ...] = ()
) -> dict[str, bytes]:
    """A consolidated act of two sections; `named` acts amended the second one."""
    first = finlex.node("pykala/1/momentti/1", words, day=day, amended=amended)
    parts = [finlex.node("pykala/1", "", first, title="Maksun määrä")]
    parts += [
        finlex.node(
            f"pykala/{number}",
            "",
            finlex.node(f"pykala/{number}/momentti/1", "Virasto.", day="20160101", amended=act),
        )
        for number, act in enumerate(named, start=2)
    ]
    data = json.dumps(finlex.act(*parts, since="2001-03-01"), ensure_ascii=False).encode()
    return {CONSOLIDATED: data}


def chain(folder: Path, place: str = "sec_1/subsec_1") -> list[tuple[str, str, str]]:
    versions = momentti(read(folder, "act:2001/77"), place).versions
    return [
        (one.text, f"{one.validity.start or ''}", str(one.source_act or "").removeprefix("fi:act:"))
        for one in versions
    ]


def test_every_wording_whose_act_is_held_has_its_days(folder: Path) -> None:
    text = consolidated("Maksu on 10 euroa.", day="20160101", amended="2015/8")
    write(folder, {**text, **dict([FIRST, *ACTS.values()])})
    assert chain(folder) == [
        ("Maksu on 3 euroa.", "2001-03-01", ""),
        ("Maksu on 5 euroa.", "2006-01-01", "2005/4"),
        ("Maksu on 7 euroa.", "2011-01-01", "2010/6"),
        ("Maksu on 10 euroa.", "2016-01-01", "2015/8"),
    ]
    versions = momentti(read(folder, "act:2001/77"), "sec_1/subsec_1").versions
    ends = [one.validity.end for one in versions]
    assert ends == [*(one.validity.start for one in versions[1:]), None]
    assert not any(one.history_unavailable or one.findings for one in versions)


def test_what_names_a_younger_act_is_no_first_printing(folder: Path) -> None:
    later = printed(77, 2001, section("1", "Maksu on 3 euroa. Siitä säädetään laissa (9/2012)."), base=True)
    text = consolidated("Maksu on 10 euroa.", day="20160101", amended="2015/8")
    write(folder, {**text, **dict([later, ACTS["2015/8"]])})
    assert chain(folder) == [("Maksu on 10 euroa.", "2016-01-01", "2015/8")]


def test_words_that_name_a_younger_act_begin_with_the_act_that_gave_them(folder: Path) -> None:
    words = "Maksusta säädetään maksulaissa (9/2012)."
    write(folder, {**consolidated(words), **dict([printed(8, 2015, section("1", words))])})
    assert chain(folder) == [(words, "2016-01-01", "2015/8")]


def test_a_row_of_a_table_is_no_momentti(folder: Path) -> None:
    text = consolidated("Maksu on 10 euroa.", day="20160101", amended="2015/8")
    row = printed(4, 2005, section("1", "16,40 m"))
    write(folder, {**text, **dict([row, ACTS["2015/8"]])})
    assert chain(folder) == [("Maksu on 10 euroa.", "2016-01-01", "2015/8")]


def test_an_act_that_is_not_held_may_have_changed_a_past_wording(folder: Path) -> None:
    text = consolidated("Maksu on 10 euroa.", day="20160101", amended="2015/8", named=("2012/3",))
    write(folder, {**text, **dict([ACTS["2010/6"], ACTS["2015/8"]])})
    first, last = momentti(read(folder, "act:2001/77"), "sec_1/subsec_1").versions
    assert first.findings == (PERHAPS_CHANGED,)
    assert first.history_unavailable
    assert not last.findings
    assert not last.history_unavailable


def test_an_act_that_is_not_held_may_have_changed_the_first_wording(folder: Path) -> None:
    text = consolidated("Maksu on 10 euroa.", day="20160101", amended="2015/8", named=("2012/3",))
    write(folder, {**text, **dict([FIRST, ACTS["2015/8"]])})
    first, _ = momentti(read(folder, "act:2001/77"), "sec_1/subsec_1").versions
    assert (first.text, first.findings) == ("Maksu on 3 euroa.", (PERHAPS_CHANGED,))


def test_of_two_acts_of_one_day_the_later_one_counts(folder: Path) -> None:
    # As texts, "2005/1000" comes before "2005/999".
    two = [printed(number, 2005, section("1", f"Maksu on {number} euroa.")) for number in (999, 1000)]
    text = consolidated("Maksu on 10 euroa.", day="20160101", amended="2015/8")
    write(folder / "past", {**text, **dict([FIRST, *two, ACTS["2015/8"]])})
    assert [words for words, _, _ in chain(folder / "past")] == [
        "Maksu on 3 euroa.", "Maksu on 1000 euroa.", "Maksu on 10 euroa.",
    ]  # fmt: skip
    write(folder / "present", {**consolidated("Maksu on 3 euroa."), **dict([FIRST, *two])})
    assert chain(folder / "present")[-1] == ("Maksu on 1000 euroa.", "2006-01-01", "2005/1000")


def test_nothing_stands_before_words_that_are_lacking(folder: Path) -> None:
    # The list of 2010 has an item too many, so the words between 2011 and 2016 are not known: with those of
    # 2006 in front of them, the item would seem repealed in 2011.
    three = ("1) aikuiselta 4 euroa;", "2) lapselta 2 euroa;", "3) koiralta 1 euro.")
    write(folder, _two_lists(printed(4, 2005, _list(*three[:2])), printed(6, 2010, _list(*three))))
    assert len(chain(folder, "sec_1/subsec_1/para_1")) == 1
    assert momentti(read(folder, "act:2001/77"), "sec_1/subsec_1/para_1").versions[0].history_unavailable


def test_words_given_again_between_two_wordings_are_one_wording(folder: Path) -> None:
    again = printed(6, 2010, section("1", "Maksu on 5 euroa."))
    text = consolidated("Maksu on 10 euroa.", day="20160101", amended="2015/8")
    write(folder, {**text, **dict([FIRST, ACTS["2005/4"], again, ACTS["2015/8"]])})
    assert chain(folder) == [
        ("Maksu on 3 euroa.", "2001-03-01", ""),
        ("Maksu on 5 euroa.", "2006-01-01", "2005/4"),
        ("Maksu on 10 euroa.", "2016-01-01", "2015/8"),
    ]


def test_old_words_do_not_come_back(folder: Path) -> None:
    # The act of 2010 gives a heading alone; its day is one on which the section was touched.
    heading = printed(6, 2010, section("1", ""), place="1 §:n otsikko")
    write(
        folder,
        {**consolidated("Maksu on 3 euroa."), **dict([FIRST, ACTS["2005/4"], heading, ACTS["2015/8"]])},
    )
    assert [words for words, _, _ in chain(folder)] == [
        "Maksu on 3 euroa.", "Maksu on 5 euroa.", "Maksu on 10 euroa.",
    ]  # fmt: skip


def test_present_words_that_an_act_replaced_are_replaced(folder: Path) -> None:
    write(folder, {**consolidated("Maksu on 3 euroa."), **dict([FIRST, ACTS["2015/8"]])})
    assert chain(folder) == [
        ("Maksu on 3 euroa.", "2001-03-01", ""), ("Maksu on 10 euroa.", "2016-01-01", "2015/8"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("named", "now"),
    [
        (("2015/8",), "Maksu on 10 euroa."),  # the source says that it has all acts; none gave four euros
        (("2015/8", "2017/2"), "Maksu on 4 euroa."),  # an act that is not held may have given them
        ((), "Maksu on 4 euroa."),  # nor does the source know the act
    ],
)
def test_words_that_no_held_act_gave_are_old_only_if_every_act_is_held(
    folder: Path, named: tuple[str, ...], now: str
) -> None:
    write(folder, {**consolidated("Maksu on 4 euroa.", named=named), **dict([ACTS["2015/8"]])})
    assert chain(folder)[-1][0] == now


def test_words_begin_with_the_act_that_gave_them(folder: Path) -> None:
    # The source dates the words of 2015 by an older act.
    text = consolidated("Maksu on 10 euroa.", day="20060101", amended="2005/4")
    write(folder, {**text, **dict([ACTS["2005/4"], ACTS["2015/8"]])})
    assert chain(folder) == [
        ("Maksu on 5 euroa.", "2006-01-01", "2005/4"), ("Maksu on 10 euroa.", "2016-01-01", "2015/8"),
    ]  # fmt: skip


def test_words_given_twice_have_been_there_since_the_first_time(folder: Path) -> None:
    again = printed(9, 2016, section("1", "Maksu on 10 euroa."))
    text = consolidated("Maksu on 10 euroa.", day="20170101", amended="2016/9")
    write(folder, {**text, **dict([ACTS["2015/8"], again])})
    assert chain(folder) == [("Maksu on 10 euroa.", "2016-01-01", "2015/8")]


def test_a_chapter_gives_each_of_its_sections(folder: Path) -> None:
    chapter = (
        "<saa:Luku><saa:LukuTunnusKooste>1 luku</saa:LukuTunnusKooste>"
        "<saa:SaadosOtsikkoKooste>Maksu</saa:SaadosOtsikkoKooste>"
        f"{section('1', 'Maksu on 5 euroa.')}</saa:Luku>"
    )
    whole = finlex.node(
        "luku/1/pykala/1",
        "",
        finlex.node("luku/1/pykala/1/momentti/1", "Maksu on 10 euroa.", day="20160101", amended="2015/8"),
    )
    data = json.dumps(finlex.act(finlex.node("luku/1", "", whole), since="2001-03-01"), ensure_ascii=False)
    given = printed(4, 2005, chapter, place="1 luku")
    write(folder, {CONSOLIDATED: data.encode(), **dict([given, ACTS["2015/8"]])})
    (place,) = (
        node
        for node in read(folder, "act:2001/77").documents[0].root.walk()
        if node.id.path[-2:] and str(node.id).endswith("sec_1/subsec_1")
    )
    assert [one.text for one in place.versions] == ["Maksu on 5 euroa.", "Maksu on 10 euroa."]


def _list(*items: str) -> str:
    below = "".join(f"<saa:MomenttiKohtaKooste>{one}</saa:MomenttiKohtaKooste>" for one in items)
    return (
        "<saa:Pykala><saa:PykalaTunnusKooste>1 §</saa:PykalaTunnusKooste><saa:KohdatMomentti>"
        f"<saa:MomenttiJohdantoKooste>Maksu on:</saa:MomenttiJohdantoKooste>{below}"
        "</saa:KohdatMomentti></saa:Pykala>"
    )


def _two_lists(*acts: tuple[str, bytes]) -> dict[str, bytes]:
    """A consolidated list of two items by an act of 2015, that act, and others."""
    days = {"day": "20160101", "amended": "2015/8"}
    parts = [
        finlex.node("pykala/1/momentti/1/johdanto", "Maksu on:", **days),
        finlex.node("pykala/1/momentti/1/kohta/1", "1) aikuiselta 9 euroa;", **days),
        finlex.node("pykala/1/momentti/1/kohta/2", "2) lapselta 6 euroa.", **days),
    ]
    whole = finlex.node("pykala/1", "", finlex.node("pykala/1/momentti/1", "", *parts, **days))
    data = json.dumps(finlex.act(whole, since="2001-03-01"), ensure_ascii=False).encode()
    now = printed(8, 2015, _list("1) aikuiselta 9 euroa;", "2) lapselta 6 euroa."), place="1 §:n 1 momentti")
    return {CONSOLIDATED: data, **dict([*acts, now])}


@pytest.mark.parametrize(
    ("items", "wordings"),
    [
        (("1) aikuiselta 4 euroa;", "2) lapselta 2 euroa."), 2),
        (("1) aikuiselta 4 euroa;", "2) lapselta 2 euroa;", "3) koiralta 1 euro."), 1),  # one too many
    ],
)
def test_a_past_list_is_placed_whole_or_not_at_all(
    folder: Path, items: tuple[str, ...], wordings: int
) -> None:
    write(folder, _two_lists(printed(4, 2005, _list(*items))))
    assert len(chain(folder, "sec_1/subsec_1/para_1")) == wordings
    assert chain(folder, "sec_1/subsec_1/para_1")[-1][0] == "aikuiselta 9 euroa;"


@pytest.mark.parametrize(
    ("one", "other", "same", "nearly"),
    [
        ("lapselta 6 euroa; sekä", "Lapselta 6 euroa.", True, True),
        ("Maksu on 8 500 euroa.", "Maksu on 10 000 euroa.", False, False),
        (f"Maksu {'kannetaan ' * 3}heti {' '.join(map(str, range(40)))}", f"Maksu {'kannetaan ' * 3}"
         f"nyt {' '.join(map(str, range(40)))}", False, True),
    ],
)  # fmt: skip
def test_the_same_words(one: str, other: str, same: bool, nearly: bool) -> None:
    assert same_words(one, other) is same
    assert nearly_same(one, other) is nearly


@given(st.text(max_size=80))
def test_words_are_the_same_as_themselves(text: str) -> None:
    assert same_words(text, text)
    assert nearly_same(text, text)


@given(st.integers(1, 9999), st.integers(1, 9999))
def test_another_figure_is_another_wording(one: int, other: int) -> None:
    words = "Maksu on {} euroa, ja sen kantaa virasto viipymättä, jollei toisin säädetä."
    assert nearly_same(words.format(one), words.format(other)) is (one == other)


def test_the_day_of_a_past_wording_is_its_own(folder: Path) -> None:
    text = consolidated("Maksu on 10 euroa.", day="20160101", amended="2015/8")
    write(folder, {**text, **dict([FIRST, *ACTS.values()])})
    root = read(folder, "act:2001/77").documents[0].root
    for day, words in ((date(2001, 3, 1), "3"), (date(2010, 12, 31), "5"), (date(2011, 1, 1), "7")):
        standing = root.at(day)
        assert standing is not None
        assert any(
            f"Maksu on {words} euroa." in one.versions[0].text for one in standing.walk() if one.versions
        )
