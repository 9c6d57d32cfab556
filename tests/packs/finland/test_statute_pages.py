"""Statutes from pages without a number: sections and momentit, clause, entry into force, lists, notes."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Document, Event, ProvisionKind, WorkKind
from pykala.law.validity import Validity
from pykala.packs.finland import pack
from pykala.packs.finland.pages.page_facts import PageFacts, page_facts
from pykala.packs.finland.pages.page_matching import Match
from pykala.packs.finland.pages.statute_pages import (
    NUMBER_UNKNOWN,
    note_of,
    read_statute_page,
    unnumbered_works,
)
from pykala.packs.pack import Reading, Snapshot

LAW = "data/finlex/Laki/Kalaverolaki.html"
DECREE = "data/finlex/Asetus/Kalaveroasetus.html"
WORK = WorkId("fi:act:2019/77")


def read(body: str, title: str = "Kalaverolaki", path: str = LAW, work: WorkId = WORK) -> Reading:
    page = f'<!DOCTYPE html>\n<html lang="fi">\n<body>\n<h1>{title}</h1>\n{body}\n</body>\n</html>'
    return read_statute_page(Snapshot(path, page.encode(), "0"), pack.facts, work, "a note")


def outline(document: Document) -> list[tuple[str, str, str, str]]:
    start = len(str(document.work)) + 1
    return [
        (str(p.id)[start:], p.label, p.heading, p.versions[-1].text)
        for p in document.root.walk()
        if p.id.path
    ]


AMENDING = """
<p>Eduskunnan päätöksen mukaisesti</p>
<p>
<i>muutetaan</i>
      kalaverolain (
      <a href="https://www.finlex.fi/akn/fi/act/statute/2001/12">12/2001</a>
      ) 2 §:n 1 momentti ja 5 §:n 2 kohta, sellaisena kuin niistä on 5 §:n 2 kohta
      laissa 99/2010, seuraavasti:
</p>
<h3>2 § Verovelvollinen</h3>
<p>Vero on maksettava hauesta.</p>
<p>— — — — — — —</p>
<h3>5 § Verosta vapaat</h3>
<p>Vapaita ovat:</p>
<p>— — — — — — —</p>
<p>2) muikku:</p>
<ul><li>a) tuore; sekä</li><li>b) savustettu,</li></ul>
<p>jos se on pyydetty itse.</p>
<p>Tämä laki tulee voimaan 1 päivänä tammikuuta 2020.</p>
<p>Lakia sovelletaan ensimmäisen kerran vuodelta 2020 toimitettavassa verotuksessa.</p>
<p>Helsingissä 20 päivänä joulukuuta 2019</p>
"""


def test_an_amending_act_has_all_that_playing_it_forward_needs() -> None:
    reading = read(AMENDING, "Laki kalaverolain 2 ja 5 §:n muuttamisesta")
    (document,) = reading.documents
    clause = (
        "Eduskunnan päätöksen mukaisesti\nmuutetaan kalaverolain (12/2001) 2 §:n 1 momentti ja 5 §:n 2 kohta,"
        " sellaisena kuin niistä on 5 §:n 2 kohta laissa 99/2010, seuraavasti:"
    )
    dashes = "— — — — — — — — — — — — — —"
    entry = (
        "Tämä laki tulee voimaan 1 päivänä tammikuuta 2020.\n"
        "Lakia sovelletaan ensimmäisen kerran vuodelta 2020 toimitettavassa verotuksessa."
    )
    assert outline(document) == [
        ("enacting_1", "", "", clause),
        ("sec_2", "2 §", "Verovelvollinen", ""),
        ("sec_2/subsec_1", "", "", "Vero on maksettava hauesta."),
        ("sec_2/omission_1", "", "", dashes),
        ("sec_5", "5 §", "Verosta vapaat", ""),
        ("sec_5/subsec_1", "", "", "Vapaita ovat:"),
        ("sec_5/subsec_1/omission_1", "", "", dashes),
        ("sec_5/subsec_1/para_2", "2)", "", "muikku:"),
        ("sec_5/subsec_1/para_2/subpara_a", "a)", "", "tuore; sekä"),
        ("sec_5/subsec_1/para_2/subpara_b", "b)", "", "savustettu,"),
        ("sec_5/subsec_1/flush_1", "", "", "jos se on pyydetty itse."),
        ("entry_1", "", "", entry),
        ("signature_1", "", "", "Helsingissä 20 päivänä joulukuuta 2019"),
    ]
    kinds = {str(p.id.last): p.kind for p in document.root.children}
    assert kinds["enacting_1"] is ProvisionKind.ENACTING_CLAUSE
    assert kinds["entry_1"] is ProvisionKind.ENTRY_INTO_FORCE
    assert reading.work is not None
    assert (reading.work.issued, reading.work.validity) == (date(2019, 12, 20), Validity(date(2020, 1, 1)))
    assert document.root.children[1].versions[0].authentic


@pytest.mark.parametrize(
    ("items", "places"),
    [
        # The tables are lost; the next announcement is the next momentti, and not an item of the first.
        (("Veroa maksetaan toisessa luokassa:",), ["subsec_1", "subsec_2"]),
        (("Veroa maksetaan toisessa luokassa.",), ["subsec_1", "subsec_1/para_1"]),  # it announces nothing
        (("muikusta:",), ["subsec_1", "subsec_1/para_1"]),  # it opens otherwise
        (("x;", "Veroa maksetaan toisessa luokassa:"), ["subsec_1", "subsec_1/para_1", "subsec_1/para_2"]),
    ],
)
def test_an_item_that_announces_a_table_as_its_momentti_does_is_the_next_one(
    items: tuple[str, ...], places: list[str]
) -> None:
    listed = "".join(f"<li>{one}</li>" for one in items)
    body = f"<p>Säädetään:</p><h3>1 §</h3><p>Veroa maksetaan ensimmäisessä luokassa:</p><ul>{listed}</ul>"
    found = [one[0] for one in outline(read(body).documents[0])]
    assert found[2:] == [f"sec_1/{place}" for place in places]


def test_the_momentti_of_an_unlabelled_list_follows_the_printed_order() -> None:
    document = read(
        "<p>Säädetään:</p><h3>1 §</h3><p>A:</p><ul><li>x;</li><li>y.</li></ul><p>B.</p>"
    ).documents[0]
    assert [one[0] for one in outline(document)][2:] == [
        "sec_1/subsec_1",
        "sec_1/subsec_1/para_1",
        "sec_1/subsec_1/para_2",
        "sec_1/subsec_2",
    ]


@pytest.mark.parametrize("head", ["Valtioneuvoston asetus N:o 1081", "Asetus N:o 102", "Laki N:o 7"])
def test_the_head_of_a_printed_page_is_no_part_of_the_act(head: str) -> None:
    body = (
        "<h3>1 § Hauki</h3><p>Hauesta maksetaan vero.</p>"
        f"<p>\n   {head}\n  </p><p>Siitä säädetään Valtioneuvoston asetus N:o 1081 huomioon ottaen.</p>"
    )
    (document,) = read(body).documents
    words = [text for _, _, _, text in outline(document) if text]
    assert words == [
        "Hauesta maksetaan vero.",
        "Siitä säädetään Valtioneuvoston asetus N:o 1081 huomioon ottaen.",
    ]


def test_chapters_stand_in_identifiers_where_sections_start_again() -> None:
    body = (
        "<p>Eduskunnan päätöksen mukaisesti säädetään:</p>"
        "<h2>1 luku Yleistä</h2><h3>1 §</h3><p>A.</p><h2>2 luku Muuta</h2><h3>1 § B</h3><p>C.</p>"
        "<h3>2 § Voimaantulo</h3><p>Tämä laki tulee voimaan 1 päivänä maaliskuuta 1999.</p>"
    )
    document = read(body).documents[0]
    assert [one[0] for one in outline(document)] == [
        "enacting_1",
        "chp_1",
        "chp_1/sec_1",
        "chp_1/sec_1/subsec_1",
        "chp_2",
        "chp_2/sec_1",
        "chp_2/sec_1/subsec_1",
        "chp_2/sec_2",
        "chp_2/sec_2/subsec_1",
    ]
    last = document.root.children[-1].children[-1]
    assert last.kind is ProvisionKind.ENTRY_INTO_FORCE
    assert last.versions[0].validity == Validity(date(1999, 3, 1))


def test_a_changed_entry_into_force_is_not_the_acts_own() -> None:
    body = (
        "<p>Eduskunnan päätöksen mukaisesti muutetaan lain (5/2018) voimaantulosäännös seuraavasti:</p>"
        "<p>Tämä laki tulee voimaan 1 päivänä tammikuuta 2018 ja on voimassa 31 päivään joulukuuta 2025.</p>"
        "<p>Tämä laki tulee voimaan 15 päivänä joulukuuta 2020.</p>"
    )
    reading = read(body, "Laki kalaverolain muuttamisesta annetun lain voimaantulosäännöksen muuttamisesta")
    assert reading.work is not None
    assert reading.work.validity == Validity(date(2020, 12, 15))


CONSOLIDATED = """
<p>Eduskunnan päätöksen mukaisesti säädetään:</p>
<h3>1 §</h3><p>Vero on kolme prosenttia.</p>
<h3>2 §</h3>
<p><i>2 § on kumottu L:lla
   <a href="https://www.finlex.fi/fi/lainsaadanto/2001/12#entryIntoForce_20100099">27.5.2010/99</a>
   .</i></p>
<h3>3 § Voimaantulo</h3><p>Tämä laki tulee voimaan 1 päivänä maaliskuuta 2001.</p>
<h2>Muutossäädösten voimaantulo ja soveltaminen</h2>
<h4>27.5.2010/99:</h4>
<p>Tämä laki tulee voimaan 1 päivänä kesäkuuta 2010.</p>
<p>HE 12/2010, VaVM 3/2010</p>
"""


def test_a_consolidated_page_keeps_its_list_and_its_tombstones() -> None:
    reading = read(CONSOLIDATED)
    (document,) = reading.documents
    assert document.manifestations[0].format == "html/statute-consolidated"
    found = {str(p.id)[len(str(WORK)) + 1 :]: p for p in document.root.walk()}
    gone = found["sec_2"].versions[0]
    assert (gone.event, gone.source_act) == (Event.REPEALED, WorkId("fi:act:2010/99"))
    assert gone.validity == Validity(date(2010, 6, 1))
    assert found["sec_1"].versions[0].validity == Validity(date(2001, 3, 1))
    listed = found["entry_1"]
    assert listed.heading == "27.5.2010/99:"
    assert "HE 12/2010" in listed.versions[0].text
    assert not listed.versions[0].authentic
    assert listed.versions[0].source_act == WorkId("fi:act:2010/99")
    assert listed.versions[0].validity == Validity(date(2010, 6, 1))
    assert gone.text == "2 § on kumottu L:lla 27.5.2010/99."


def test_the_number_comes_from_the_match_and_is_on_record() -> None:
    match = Match(WORK, 0.97, ("amended act", "entry-into-force text"))
    reading = read(AMENDING)
    assert reading.work is not None
    assert "77/2019" in reading.work.aliases
    assert reading.documents[0].root.label == "77/2019"
    assert reading.documents[0].manifestations[0].notes == ("a note",)
    assert note_of(match) == (
        "number fi:act:2019/77 found with confidence 0.97 by: amended act, entry-into-force text"
    )
    assert note_of(None) == NUMBER_UNKNOWN


def test_a_page_without_a_number_is_a_work_of_its_own() -> None:
    reading = read(AMENDING, path=DECREE, work=WorkId("fi:statute:kalaveroasetus"))
    assert reading.work is not None
    assert (reading.work.kind, reading.work.authority) == (WorkKind.DECREE, 95)
    assert str(reading.work.id) == "fi:statute:kalaveroasetus"
    assert not any("/" in alias for alias in reading.work.aliases)
    assert reading.documents[0].root.label == ""


def test_works_without_numbers_are_told_apart_and_copies_are_one() -> None:
    pages = [
        PageFacts("data/finlex/Laki/Laki A_1.html", "Laki A", b"1"),
        PageFacts("data/finlex/Laki/Laki  A-1.html", "Laki A", b"2"),
        PageFacts("data/finlex/Laki (säädöskokoelma)/Laki A_1.html", "Laki A", b"1"),
        PageFacts("data/finlex/Asetus/§.html", "", b""),
    ]
    works = {path.rpartition("finlex/")[2]: str(work) for path, work in unnumbered_works(pages).items()}
    assert works == {
        "Laki/Laki  A-1.html": "fi:statute:laki-a-1",
        "Laki/Laki A_1.html": "fi:statute:laki-a-1-no-2",
        "Laki (säädöskokoelma)/Laki A_1.html": "fi:statute:laki-a-1-no-2",
        "Asetus/§.html": "fi:statute:untitled",
    }
    assert all(ProvisionId.parse(work) == ProvisionId(WorkId(work)) for work in works.values())


@pytest.mark.parametrize("page", ["", "<p>ilman otsikkoa</p>", "\x00\x01" * 40, "<html><body></body></html>"])
def test_what_is_no_statute_page_is_refused(page: str) -> None:
    reading = read_statute_page(Snapshot(LAW, page.encode(), "0"), pack.facts, WORK)
    assert reading.work is None
    assert reading.refusals[0].path == LAW


_FRAGMENTS = st.sampled_from(
    [
        "<h3>1 §</h3>",
        "<h3>",
        "</p>",
        "<p>1) a",
        "<li>b)",
        "<p>— — —",
        "<h4>1.1.2000/1:</h4>",
        "<h2>1 luku</h2>",
        "<p>Tämä laki tulee voimaan",
        "<table><tr><td>x",
        "<ul>",
        "<p>Liite",
        "<p>muutetaan (1/1999) 2 §",
        "&#0;",
    ]
)


@given(st.lists(_FRAGMENTS, max_size=25))
@settings(max_examples=60, deadline=None)
def test_any_page_is_read_or_refused_with_each_identifier_once(fragments: list[str]) -> None:
    reading = read("".join(fragments))
    for document in reading.documents:
        identifiers = [provision.id for provision in document.root.walk()]
        assert len(set(identifiers)) == len(identifiers)
    page_facts(LAW, "".join(fragments).encode())
