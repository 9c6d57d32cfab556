"""States joined: a wording goes on while its words stay, and on each state's day its words are the law."""
# ruff: noqa: E501 - a case reads better on one line

from __future__ import annotations

from datetime import date
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eu_making import (
    B,
    chain,
    consolidated,
    facts,
    folder,
    formex,
    modref,
    official_journal,
    page,
    place,
    read,
    read_pages,
    texts,
)
from pykala.law.composition import compose
from pykala.law.identifiers import WorkId
from pykala.law.messages import Message
from pykala.law.provisions import Document, Event, Provision, ProvisionKind
from pykala.law.references import EdgeKind
from pykala.law.validity import Validity
from pykala.packs.eu.work_facts import treaty_began, treaty_ended

Articles = dict[str, tuple[str, str]]  # number → mark, text


def act(articles: Articles, *, chapters: dict[str, str] | None = None) -> bytes:
    """A consolidated page with articles of one line each, in chapters where they are given."""
    body = B
    chapter = ""
    for number, (mark, text) in articles.items():
        above = (chapters or {}).get(number, "")
        if above != chapter:
            body += f'<p class="title-division-1">CHAPTER {above}</p>'
            chapter = above
        body += mark + f'<p class="title-article-norm">Article {number}</p><p class="norm">{text}</p>' + B
    return page(body)


def at(document: Document, day: str) -> dict[str, str]:
    standing = document.root.at(date.fromisoformat(day))
    assert standing is not None
    return {place(one): compose(one).text for one in standing.walk() if one.kind is ProvisionKind.ARTICLE}


def test_replaced_inserted_and_deleted() -> None:
    m1 = "32030L0099"
    document = read_pages(
        ("2031-01-01", act({"1": ("", "Same."), "2": ("", "Old."), "3": ("", "Goes.")})),
        (
            "2032-01-01",
            act(
                {
                    "1": ("", "Same."),
                    "2": (modref("M1", m1, "REPLACED"), "New."),
                    "2a": (modref("M1", m1, "INSERTED"), "Added."),
                }
            ),
        ),
    )
    assert chain(document, "art_1") == [("Same.", "2031-01-01", "", "enacted")]
    assert chain(document, "art_2") == [
        ("Old.", "2031-01-01", "2032-01-01", "enacted"),
        ("New.", "2032-01-01", "", "amended"),
    ]
    assert chain(document, "art_2a") == [("Added.", "2032-01-01", "", "inserted")]
    assert chain(document, "art_3") == [("Goes.", "2031-01-01", "2032-01-01", "enacted")]
    assert [place(one) for one in document.root.children] == ["art_1", "art_2", "art_2a", "art_3"]
    kinds = {(place_of(reference.source), reference.kind) for reference in document.references}
    assert kinds == {("art_2", EdgeKind.AMENDS), ("art_2a", EdgeKind.INSERTS)}
    assert all(reference.reverse and str(reference.target) == f"eu:{m1}" for reference in document.references)


def place_of(identifier: object) -> str:
    return str(identifier).partition("/")[2]


def test_the_day_before_is_the_old_wording_and_the_day_itself_the_new() -> None:
    document = read_pages(("2031-01-01", act({"1": ("", "Old.")})), ("2032-01-01", act({"1": ("", "New.")})))
    assert at(document, "2031-12-31") == {"art_1": "Old."}
    assert at(document, "2032-01-01") == {"art_1": "New."}


def test_a_corrigendum_corrects() -> None:
    mark = modref("C1", "32030L0007R(01)", "REPLACED")
    document = read_pages(
        ("2031-01-01", act({"1": ("", "Wrogn.")})), ("2031-06-01", act({"1": (mark, "Wrong.")}))
    )
    assert chain(document, "art_1")[1] == ("Wrong.", "2031-06-01", "", "corrected")


def test_what_editions_print_differently_is_no_amendment() -> None:
    document = read_pages(
        ("2031-01-01", act({"1": ("", "The ‘hat’ — of 1 000 g.")})),
        ("2032-01-01", act({"1": ("", "The 'hat' - of 1000 g.")})),
    )
    assert len(chain(document, "art_1")) == 1


def test_an_article_that_moves_to_another_chapter_stands_all_the_time() -> None:
    document = read_pages(
        ("2031-01-01", act({"1": ("", "One."), "2": ("", "Two.")}, chapters={"1": "1", "2": "1"})),
        ("2032-01-01", act({"1": ("", "One."), "2": ("", "Two.")}, chapters={"1": "1", "2": "2"})),
    )
    assert at(document, "2031-06-01") == {"art_1": "One.", "art_2": "Two."}
    assert at(document, "2032-06-01") == {"art_1": "One.", "art_2": "Two."}


def test_recitals_go_on_though_consolidations_leave_them_out() -> None:
    document = read_pages(("2030-01-02", official_journal()), ("2031-02-01", consolidated()))
    assert chain(document, "rct_2") == [("Prices of hats differ.", "2030-01-02", "", "enacted")]
    assert chain(document, "fnp_1")[0][2] == ""
    assert chain(document, "art_2") == [("The rate shall be 5 %:", "2030-01-02", "", "enacted")]
    original = next(one for one in document.root.walk() if place(one) == "art_2")
    assert original.versions[0].authentic


def test_a_first_text_of_a_later_state_says_what_it_knows() -> None:
    """▼B is the act as enacted; what an amendment made had other words before, and nobody has them."""
    day, enacted = folder("2032-01-01"), folder("2030-01-02")
    mark = modref("M1", "32030L0099", "REPLACED")
    reading = read(
        {
            f"{enacted}meta.json": facts("2030-01-02", until="2031-12-31"),
            f"{day}meta.json": facts("2032-01-01", celex="02030L0007-20320101", roles=["consolidated"]),
            f"{day}en.xml": act({"1": ("", "Same."), "2": (mark, "New.")}),
        }
    )
    found = {place(one): one.versions[0] for one in reading.documents[0].root.walk() if one.versions}
    assert found["art_1"].validity.start == date(2030, 1, 2)
    assert not found["art_1"].history_unavailable
    assert found["art_2"].validity.start == date(2032, 1, 1)
    assert found["art_2"].history_unavailable
    assert found["art_2"].source_act == WorkId("eu:32030L0099")


def test_a_wording_before_a_state_without_text_is_suspect() -> None:
    files = {f"{folder(day)}meta.json": facts(day) for day in ("2030-01-02", "2031-01-01", "2032-01-01")}
    files[f"{folder('2030-01-02')}en.xml"] = act({"1": ("", "Old."), "2": ("", "Same.")})
    files[f"{folder('2032-01-01')}en.xml"] = act({"1": ("", "New."), "2": ("", "Same.")})
    found = {place(one): one.versions for one in read(files).documents[0].root.walk()}
    (told,) = found["art_1"][0].findings
    assert (told.value("count"), told.value("first")) == (1, date(2031, 1, 1))
    assert found["art_1"][1].findings == ()
    assert found["art_2"][0].findings == ()


def repeal_notice() -> bytes:
    return page(
        '<p class="reference">02030L0007</p><table><tr><td><p class="modref"><a title="32030L0007">►B</a></p></td></tr></table>'
        '<p class="hd-modifiers">Repealed by:</p><table><tr><td><p><a title="32035R0001">Regulation (EU) 2035/1</a></p></td></tr></table>'
    )


def test_a_notice_of_repeal_ends_the_act_and_keeps_its_name() -> None:
    files = {f"{folder(day)}meta.json": facts(day) for day in ("2030-01-02", "2035-01-01")}
    files[f"{folder('2030-01-02')}en.xml"] = act({"1": ("", "Old.")})
    files[f"{folder('2035-01-01')}en.xml"] = repeal_notice()
    reading = read(files)
    assert reading.refusals == ()
    (document,) = reading.documents
    assert chain(document, "art_1") == [("Old.", "2030-01-02", "2035-01-01", "enacted")]
    last = document.root.versions[-1]
    assert (last.event, str(last.source_act)) == (Event.REPEALED, "eu:32035R0001")
    assert reading.work is not None
    assert reading.work.validity == Validity(date(2030, 1, 2), date(2035, 1, 1))
    assert [reference.kind for reference in document.references] == [EdgeKind.REPEALS]


def test_the_last_words_of_a_repealed_act_come_from_formex() -> None:
    days = ("2030-01-02", "2033-01-01", "2035-01-01")
    files = {f"{folder(day)}meta.json": facts(day) for day in days}
    files[f"{folder('2035-01-01')}en.xml"] = repeal_notice()
    files[f"{folder('2035-01-01')}en.fmx4/CL2030L0007EN0030010.0001.xml"] = formex(end="REPEALED")
    (document,) = read(files).documents
    assert chain(document, "art_1/para_1")[0][2] == "2035-01-01"
    assert at(document, "2034-12-31")["art_2"] == "The rate shall be 5 %:\n— for all hats."
    assert at(document, "2035-01-01") == {}


def test_only_a_notice_of_repeal_is_still_a_work() -> None:
    path = folder("2035-01-01")
    reading = read({f"{path}meta.json": facts("2035-01-01"), f"{path}en.xml": repeal_notice()})
    assert reading.work is not None
    assert reading.work.validity == Validity(None, date(2035, 1, 1))
    assert reading.documents[0].title.startswith("Council Directive (EU) 2030/7")


def test_the_publisher_says_no_longer_in_force_without_a_day() -> None:
    path = folder("2030-01-02")
    reading = read(
        {f"{path}meta.json": facts("2030-01-02", status="0"), f"{path}en.xml": act({"1": ("", "Old.")})}
    )
    (version,) = reading.documents[0].root.children[0].versions
    assert version.findings == (Message.of("finding.ended_by_union", day=date(2031, 5, 1)),)
    # The files of this state were fetched on 1 May 2031: the act had ended by then.
    assert version.validity == Validity(date(2030, 1, 2), date(2031, 5, 1))
    assert reading.work is not None
    assert reading.work.validity.end == date(2031, 5, 1)


@pytest.mark.parametrize(
    ("celex", "day"),
    [
        ("11997E083", date(2003, 2, 1)),
        ("12002E047", date(2009, 12, 1)),
        ("12006E095", date(2009, 12, 1)),
        ("12012E062", None),
        ("12016E016", None),
        ("32006L0112", None),
    ],
)
def test_editions_of_the_community_treaty_ended_with_the_treaty_that_followed(
    celex: str, day: date | None
) -> None:
    ended = treaty_ended(WorkId(f"eu:{celex}"))
    assert (ended.day if ended else None) == day


def test_corrigenda_attach_to_the_act_they_correct() -> None:
    correction = page(
        '<div class="eli-main-title"><p class="oj-doc-ti">Corrigendum to Council Directive (EU) 2030/7</p></div>'
        '<p class="oj-normal">On page 1: for: ‘hat’, read: ‘hats’.</p>'
    )
    path = "32030l0007r(01)/versions/2031-03-01--bbbbbbbbbbbbbbbb/en.xml"
    reading = read({f"{folder('2030-01-02')}en.xml": official_journal(), path: correction})
    (document,) = reading.documents
    note = document.root.children[-1]
    assert str(note.id) == "eu:32030L0007/corrigendum_01"
    assert note.kind is ProvisionKind.EDITORIAL_NOTE
    assert note.versions[0].validity == Validity(date(2031, 3, 1))
    assert "read: ‘hats’" in note.versions[0].text
    assert "corrigendum 01" in document.manifestations[-1].notes


def test_a_corrigendum_alone_is_refused_with_the_reason() -> None:
    path = "32030l0007r(01)/versions/2031-03-01--bbbbbbbbbbbbbbbb/en.xml"
    reading = read({path: official_journal()})
    assert reading.work is None
    assert "corrects eu:32030L0007" in reading.refusals[0].reason


@pytest.mark.parametrize(
    ("text", "application"),
    [
        ("It shall apply from 25 May 2018.", "It shall apply from 25 May 2018"),
        ("Articles 3 and 4 shall apply from 1 July 2031.", "Articles 3 and 4 shall apply from 1 July 2031"),
        ("It shall apply to hats.", ""),
    ],
)
def test_the_day_of_application_is_noted(text: str, application: str) -> None:
    document = read_pages(("2031-01-01", act({"9": ("", text)})))
    assert document.root.children[-1].versions[0].application == application


NUMBERS = [str(number) for number in range(1, 8)]
state_of = st.dictionaries(st.sampled_from(NUMBERS), st.sampled_from(["Red.", "Green.", "Blue."]), min_size=1)


@settings(max_examples=60, deadline=None)
@given(st.lists(state_of, min_size=1, max_size=5))
def test_on_every_states_day_the_law_is_that_state(states: list[dict[str, str]]) -> None:
    days = [f"20{31 + number}-01-01" for number in range(len(states))]
    pages = [act({number: ("", state[number]) for number in NUMBERS if number in state}) for state in states]
    document = read_pages(*zip(days, pages, strict=True))
    for day, state in zip(days, states, strict=True):
        assert at(document, day) == {f"art_{number}": text for number, text in sorted(state.items())}
    for provision in document.root.walk():
        never_overlap(provision)


def never_overlap(provision: Provision) -> None:
    for one, other in pairwise(provision.versions):
        assert not one.validity.overlaps(other.validity)
        assert one.validity.end is not None
        assert other.validity.start is not None
        assert one.validity.end <= other.validity.start


def test_texts_name_the_newest_words() -> None:
    document = read_pages(("2031-01-01", act({"1": ("", "Old.")})), ("2032-01-01", act({"1": ("", "New.")})))
    assert texts(document)["art_1"] == "New."


@pytest.mark.parametrize(
    ("celex", "day"),
    [
        ("11997E083", date(1999, 5, 1)),
        ("12002E137", date(2003, 2, 1)),
        ("12012E/TXT", date(2009, 12, 1)),
        ("12012M/TXT", date(2009, 12, 1)),
        ("12016E108", date(2009, 12, 1)),
        ("12012JN03", None),
        ("32006L0112", None),
    ],
)
def test_editions_of_a_treaty_are_law_since_it_entered_into_force(celex: str, day: date | None) -> None:
    assert treaty_began(WorkId(f"eu:{celex}")) == day
