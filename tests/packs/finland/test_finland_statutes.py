"""Akoma Ntoso acts: identifiers, wordings in time, repeals, entry into force, and files that are refused."""

from __future__ import annotations

from datetime import date
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pykala.law.identifiers import ProvisionId, Step, WorkId
from pykala.law.provisions import Event, Provision, ProvisionKind, WorkKind
from pykala.law.validity import Validity
from pykala.packs.finland import pack
from pykala.packs.finland.citations.law_names import base_name, names_of_title
from pykala.packs.finland.commencement import read_commencement
from pykala.packs.finland.spacing import number_of, relabelled, tidy
from pykala.packs.pack import Reading, Snapshot, SourceItem

NAMESPACES = 'xmlns="http://docs.oasis-open.org/legaldocml/ns/akn/3.0" xmlns:finlex="http://data.finlex.fi/schema/finlex"'
FORM = "statute"


def act(
    body: str, *, form: str = FORM, language: str = "fin", kind: str = "act", proprietary: str = ""
) -> str:
    return f"""<akomaNtoso {NAMESPACES}><act name="main"><meta><identification>
    <FRBRWork><FRBRuri value="/akn/fi/act/{form}/2001/10"/>
    <FRBRdate date="2001-02-03" name="dateIssued"/></FRBRWork>
    <FRBRExpression><FRBRlanguage language="{language}"/></FRBRExpression></identification>
    <proprietary><finlex:typeStatute refersTo="#{kind}"/>{proprietary}</proprietary></meta>
    <preface><p><docNumber>10/2001</docNumber><docTitle>Koelaki</docTitle></p></preface>
    <body>{body}</body></act></akomaNtoso>"""


def section(number: str, *moments: str, heading: str = "") -> str:
    subsections = "".join(f"<subsection><content><p>{text}</p></content></subsection>" for text in moments)
    title = f"<heading>{heading}</heading>" if heading else ""
    return f"<section><num>{number} §</num>{title}{subsections}</section>"


def note(text: str) -> str:
    return f'<hcontainer name="noteAuthorial"><content><p>{text}</p></content></hcontainer>'


def read(*sources: str) -> Reading:
    paths = tuple(f"2001_10_{code}.xml" for code in ("fin", "swe", "eng")[: len(sources)])
    snapshots = [Snapshot(path, text.encode(), "0") for path, text in zip(paths, sources, strict=True)]
    return pack.read(SourceItem("act:2001/10", paths), snapshots)


def tree(source: str) -> dict[str, Provision]:
    reading = read(source)
    assert not reading.refusals
    return {str(p.id).removeprefix("fi:act:2001/10").lstrip("/"): p for p in reading.documents[0].root.walk()}


def test_sections_name_no_chapter_where_numbers_run_through() -> None:
    found = tree(
        act(
            f"<chapter><num>1 luku</num>"
            f"<heading>Yksi</heading>{section('1', 'A.')}{section('33 a', 'B.')}</chapter>"
            f"<chapter><num>2 a luku</num><heading>Kaksi</heading>{section('34', 'C.', 'D.')}</chapter>"
        )
    )
    assert list(found) == [
        "", "chp_1", "sec_1", "sec_1/subsec_1", "sec_33a", "sec_33a/subsec_1", "chp_2a", "sec_34",
        "sec_34/subsec_1",
        "sec_34/subsec_2",
    ]  # fmt: skip
    assert [child.label for child in found["chp_1"].children] == ["1 §", "33 a §"]
    assert found["sec_34/subsec_1"].label == ""


def test_sections_name_their_chapter_where_numbers_start_again() -> None:
    found = tree(
        act(
            f"<chapter><num>1 luku</num>{section('1', 'A.')}</chapter><chapter><num>2"
            f" luku</num>{section('1', 'B.')}</chapter>"
        )
    )
    assert found["chp_1/sec_1/subsec_1"].versions[0].text == "A."
    assert found["chp_2/sec_1/subsec_1"].versions[0].text == "B."


def test_items_intro_and_what_follows_a_list_each_keep_their_own_words() -> None:
    found = tree(
        act(
            "<section><num>1 §</num><subsection><intro><p>Jos:</p></intro>"
            "<paragraph><num>1)</num><intro><p>joko:</p></intro><subparagraph><num>a)</num><content>"
            "<p>x; tai</p></content>"
            "</subparagraph></paragraph><paragraph><num>2 a)</num><content><p>y,</p></content></paragraph>"
            "<wrapUp><p>on maksettava.</p></wrapUp></subsection></section>"
        )
    )
    words = {path: p.versions[0].text for path, p in found.items() if path.startswith("sec_1/subsec_1")}
    assert words == {
        "sec_1/subsec_1": "Jos:",
        "sec_1/subsec_1/para_1": "joko:",
        "sec_1/subsec_1/para_1/subpara_a": "x; tai",
        "sec_1/subsec_1/para_2a": "y,",
        "sec_1/subsec_1/flush_1": "on maksettava.",
    }
    assert found["sec_1/subsec_1/flush_1"].kind is ProvisionKind.FLUSH


def test_tables_formulas_annexes_and_signatures_are_nodes_of_their_own() -> None:
    found = tree(
        act(
            "<section><num>1 §</num><subsection><content><p>Taulukko:</p><table><tr><td><p>a</p></td>"
            "<td><p>1</p></td></tr>"
            "<tr><td><p>b</p></td><td><p>2</p></td></tr></table><p>Loppu.</p></content></subsection></section>"
            '<hcontainer name="conclusions"><hcontainer name="preliminaryWork"><content><p>HE'
            " 1/2001</p></content></hcontainer>"
            '<hcontainer name="signatures"><content><p>Helsingissä<signature><role>Presidentti</role>'
            "<person>N. N.</person>"
            "</signature></p></content></hcontainer></hcontainer>"
            '<hcontainer name="attachments"><hcontainer name="attachment"><content><p>Liite</p>'
            "</content></hcontainer></hcontainer>"
        )
    )
    assert found["sec_1/subsec_1/table_1"].versions[0].text == "a | 1\nb | 2"
    assert found["sec_1/subsec_1/flush_1"].versions[0].text == "Loppu."
    assert found["preliminary_1"].versions[0].text == "HE 1/2001"
    assert found["signature_1"].kind is ProvisionKind.SIGNATURE_BLOCK
    assert "Presidentti N. N." in found["signature_1"].versions[0].text
    assert found["annex_1"].kind is ProvisionKind.ANNEX


def test_cross_headings_hold_the_sections_that_follow_them() -> None:
    found = tree(
        act(
            f"<chapter><num>1 luku</num>"
            f"<crossHeading>Eka</crossHeading>{section('1', 'A.')}{section('2', 'B.')}"
            f"<crossHeading>Toka</crossHeading>{section('3', 'C.')}</chapter>"
        )
    )
    headings = [child for child in found["chp_1"].children if child.kind is ProvisionKind.HEADING]
    assert [h.heading for h in headings] == ["Eka", "Toka"]
    assert [[c.label for c in h.children] for h in headings] == [["1 §", "2 §"], ["3 §"]]


CONSOLIDATED = '<finlex:inForce><finlex:dateEntryIntoForce date="2001-03-01"/></finlex:inForce>'


def consolidated(body: str) -> dict[str, Provision]:
    return tree(act(body, form="statute-consolidated", proprietary=CONSOLIDATED))


def test_an_announced_change_gives_two_wordings() -> None:
    found = consolidated(
        "<section><num>1 §</num><subsection><content><p>Ensin.</p></content></subsection>"
        '<subsection finlex:originalVersionLabel="17.4.2026/269"><intro><p>Uusi:</p></intro>'
        "<paragraph><num>1)</num><content><p>sama;</p></content></paragraph>"
        "<paragraph><num>2)</num><content><p>lisä.</p></content></paragraph></subsection>"
        + note("L:lla 269/2026 muutettu 2 momentti tulee voimaan 1.6.2026. Aiempi sanamuoto kuuluu:")
        + "<subsection><intro><p>Vanha:</p></intro><paragraph><num>1)</num><content><p>sama;</p>"
        "</content></paragraph>"
        "</subsection><subsection><content><p>Lopuksi.</p></content></subsection></section>"
    )
    old, new = found["sec_1/subsec_2"].versions
    assert (old.text, old.validity) == ("Vanha:", Validity(date(2001, 3, 1), date(2026, 6, 1)))
    assert (new.text, new.validity) == ("Uusi:", Validity(date(2026, 6, 1)))
    assert (new.event, new.source_act) == (Event.AMENDED, WorkId("fi:act:2026/269"))
    assert not new.history_unavailable
    (same,) = found["sec_1/subsec_2/para_1"].versions
    assert same.validity == Validity(date(2001, 3, 1))
    assert found["sec_1/subsec_2/para_2"].versions[0].validity == Validity(date(2026, 6, 1))
    assert found["sec_1/subsec_3"].versions[0].text == "Lopuksi."


def test_an_amended_section_starts_when_its_amending_act_did() -> None:
    found = consolidated(
        '<section finlex:originalVersionLabel="5.5.2010/300"><num>1 §</num><subsection><content>'
        "<p>Nyt.</p></content>"
        '</subsection></section><hcontainer name="entryIntoForce"><content><p>5.5.2010/300:</p>'
        "<p>Tämä laki tulee voimaan 1 päivänä kesäkuuta 2010.</p></content></hcontainer>"
    )
    version = found["sec_1/subsec_1"].versions[0]
    assert (version.event, version.source_act) == (Event.AMENDED, WorkId("fi:act:2010/300"))
    assert version.validity == Validity(date(2010, 6, 1))
    assert version.history_unavailable
    assert not version.authentic


@pytest.mark.parametrize(
    ("body", "path", "act_id", "since"),
    [
        (
            f"<section><num>2 a §</num>{note('2 a § on kumottu L:lla 24.6.2010/650.')}</section>",
            "sec_2a",
            "fi:act:2010/650",
            None,
        ),
        (note("2 a § on kumottu L:lla 24.6.2010/650."), "sec_2a", "fi:act:2010/650", None),
        (
            "<section><num>5 §</num>"
            + note("2 momentti on kumottu L:lla 22.12.2025/1281, joka tuli voimaan 1.1.2026.")
            + "</section>",
            "sec_5/subsec_2",
            "fi:act:2025/1281",
            date(2026, 1, 1),
        ),
    ],
)
def test_a_tombstone_is_a_repealed_version(body: str, path: str, act_id: str, since: date | None) -> None:
    version = consolidated(body)[path].versions[-1]
    assert (version.event, version.source_act, version.validity.start) == (
        Event.REPEALED,
        WorkId(act_id),
        since,
    )
    assert "kumottu" in version.text


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("fi", "Tämä laki tulee voimaan 1 päivänä toukokuuta 2015.", Validity(date(2015, 5, 1))),
        ("fi", "Tämä laki tulee voimaan1 päivänä joulukuuta 2024.", Validity(date(2024, 12, 1))),
        ("fi", "Tämä laki tulee voimaan päivänä 1 tammikuuta 2016.", Validity(date(2016, 1, 1))),
        ("fi", "Tämä asetus tulee voimaan 15.3.2024.", Validity(date(2024, 3, 15))),
        (
            "fi",
            "Tämä laki tulee voimaan 1 päivänä tammikuuta 2021 ja on voimassa 31 päivään joulukuuta 2022.",
            Validity(date(2021, 1, 1), date(2023, 1, 1)),
        ),
        ("fi", "Tämän lain voimaantulosta säädetään valtioneuvoston asetuksella.", Validity.pending()),
        ("fi", "Tämä laki tulee voimaan samana päivänä kuin toinen laki (754/2010).", Validity.pending()),
        ("fi", "Laista ei sanota mitään.", None),
        (
            "fi",
            "Tämä laki tulee voimaan 1 päivänä tammikuuta 2016 ja on voimassa 31 päivään joulukuuta 9999.",
            Validity(date(2016, 1, 1)),
        ),
        ("fi", "Tämä laki tulee voimaan 31 päivänä helmikuuta 2015.", None),
        ("sv", "Denna lag träder i kraft den 1 maj 2015.", Validity(date(2015, 5, 1))),
        (
            "sv",
            "Denna lag träder i kraft den 1 januari 2021 och gäller till och med den 31 december 2022.",
            Validity(date(2021, 1, 1), date(2023, 1, 1)),
        ),
        (
            "sv",
            "Om ikraftträdandet av denna lag föreskrivs genom förordning av statsrådet.",
            Validity.pending(),
        ),
        ("en", "This Act enters into force on 1 May 2015.", Validity(date(2015, 5, 1))),
    ],
)
def test_entry_into_force_is_read_from_prose(language: str, text: str, expected: Validity | None) -> None:
    assert read_commencement(text, language).validity == expected


def test_the_first_tax_year_is_not_the_day_of_entry_into_force() -> None:
    found = tree(
        act(
            section("1", "Vero on 30 prosenttia.")
            + '<hcontainer name="entryIntoForce"><content><p>Tämä laki tulee voimaan 1 päivänä'
            " tammikuuta 2016.</p>"
            "<p>Lakia sovelletaan ensimmäisen kerran vuodelta 2017 toimitettavassa verotuksessa.</p>"
            "</content></hcontainer>"
        )
    )
    version = found["sec_1/subsec_1"].versions[0]
    assert version.validity == Validity(date(2016, 1, 1))
    assert (
        version.application
        == "Lakia sovelletaan ensimmäisen kerran vuodelta 2017 toimitettavassa verotuksessa."
    )
    assert version.authentic
    assert found["entry_1"].kind is ProvisionKind.ENTRY_INTO_FORCE


def test_languages_are_one_work_paired_by_identifier() -> None:
    reading = read(
        act(section("1", "Eka.")), act(section("1", "Ett."), language="swe"),
        act(section("1", "One."), form="statute-translated", language="eng"),
    )  # fmt: skip
    assert [(d.language, d.translation) for d in reading.documents] == [
        ("fi", False),
        ("sv", False),
        ("en", True),
    ]
    assert {(p.first_language, p.second_language) for p in reading.pairings} == {
        ("fi", "sv"),
        ("fi", "en"),
        ("sv", "en"),
    }
    assert all(p.first == p.second and p.confidence == 1.0 for p in reading.pairings)


@pytest.mark.parametrize(
    ("kind", "expected", "rank"),
    [("act", WorkKind.ACT, 100), ("decree", WorkKind.DECREE, 95), ("government-decree", WorkKind.DECREE, 95)],
)
def test_the_type_of_a_statute_gives_its_kind_and_rank(kind: str, expected: WorkKind, rank: int) -> None:
    work = read(act(section("1", "A."), kind=kind)).work
    assert work is not None
    assert (work.kind, work.authority, work.id) == (expected, rank, WorkId("fi:act:2001/10"))


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty"),
        (b"<akomaNtoso", "well-formed"),
        (b"<AknXmlList><Results/></AknXmlList>", "a list instead of an act"),
        (b"<html/>", "root is not akomaNtoso"),
        (act("<section>" * 150 + "</section>" * 150).encode(), "deep"),
        (f"<akomaNtoso {NAMESPACES}/>".encode(), "no act with a body"),
        (act("").replace("/2001/10", "/2001/11").encode(), "which its path does not"),
        (act("").replace('"fin"', '"deu"').encode(), "none of the languages"),
        (b'<!DOCTYPE a [<!ENTITY b "c">]><akomaNtoso>&b;</akomaNtoso>', "entit"),
    ],
)
def test_a_bad_file_is_refused_with_its_reason_and_the_rest_is_read(data: bytes, reason: str) -> None:
    good = Snapshot("2001_10_swe.xml", act(section("1", "Ett."), language="swe").encode(), "0")
    item = SourceItem("act:2001/10", ("2001_10_fin.xml", "2001_10_swe.xml"))
    reading = pack.read(item, [Snapshot("2001_10_fin.xml", data, "0"), good])
    assert [document.language for document in reading.documents] == ["sv"]
    assert [refusal.path for refusal in reading.refusals] == ["2001_10_fin.xml"]
    assert reason in reading.refusals[0].reason


def test_paths_group_by_act_in_order_and_unknown_ones_are_left_out() -> None:
    paths = ["x/2015_10_swe.xml", "x/2015_9_fin.xml", "x/2015_10_fin.xml", "notes.txt", "1889_39-001_fin.xml"]
    paths += ["akn/fi/act/statute-consolidated/1992/1535/fin@latest/main.xml"]
    paths += ["akn/fi/act/statute-translated/1992/1535/eng@/main.xml", "akn/fi/act/x/1992/1/fin@/main.xml"]
    assert [(item.name, len(item.paths)) for item in pack.works(paths)] == [
        ("act:1889/39-001", 1), ("act:1992/1535", 2), ("act:2015/9", 1), ("act:2015/10", 2),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("label", "number"),
    [("33 a §", "33a"), ("1 luku", "1"), ("2 a kap.", "2a"), ("II OSA", "2"), ("AVDELNING XIV", "14"),
     ("b)", "b"),
     ("3 a)", "3a"), ("007 §", "7"), ("", ""), ("Luku 5", "5")],
)  # fmt: skip
def test_labels_give_numbers(label: str, number: str) -> None:
    assert number_of(label) == number


@pytest.mark.parametrize(
    ("label", "number", "expected"),
    [
        ("1 §", "3", "3 §"),
        ("12 a §", "14b", "14 b §"),
        ("3 §", "3a", "3 a §"),
        ("2 luku", "3", "2 luku"),
        ("", "4", ""),
    ],
)
def test_a_label_takes_the_number_that_an_act_gives_it(label: str, number: str, expected: str) -> None:
    assert relabelled(label, Step("sec", number)) == expected


@pytest.mark.parametrize(
    ("name", "language", "base"),
    [
        ("tuloverolain", "fi", "tuloverolaki"),
        ("Tuloverolaissa", "fi", "tuloverolaki"),
        ("ennakkoperinnästä annetun lain", "fi", "ennakkoperinnästä annettu laki"),
        ("arvonlisäveroasetuksen", "fi", "arvonlisäveroasetus"),
        ("inkomstskattelagens", "sv", "inkomstskattelag"),
        ("lagen om källskatt", "sv", "lag om källskatt"),
        ("the Income Tax Act (1535/1992)", "en", "income tax act"),
    ],
)
def test_law_names_have_a_base_form(name: str, language: str, base: str) -> None:
    assert base_name(name, language) == base


def test_a_long_title_answers_to_the_name_it_is_cited_by() -> None:
    assert "x-verosta annettu laki" in names_of_title("Laki x-verosta", "fi")


_inline = st.text("ab §1)\n", min_size=1, max_size=8)


@st.composite
def _bodies(draw: st.DrawFn) -> str:
    words = _inline.map(lambda text: f"<p>{text}</p>")
    item = st.builds(
        lambda n, w: f"<paragraph><num>{n})</num><content>{w}</content></paragraph>", st.integers(1, 3), words
    )
    moment = st.builds(
        lambda w, items, end: f"<subsection><intro>{w}</intro>{''.join(items)}<wrapUp>{end}</wrapUp>"
        f"</subsection>",
        words, st.lists(item, max_size=3), words,
    )  # fmt: skip
    one = st.builds(
        lambda n, inner: f"<section><num>{n} §</num><heading>h</heading>{''.join(inner)}</section>",
        st.integers(1, 3), st.lists(moment, max_size=3),
    )  # fmt: skip
    chapter = st.builds(
        lambda n, inner: f"<chapter><num>{n} luku</num>{''.join(inner)}</chapter>",
        st.integers(1, 2),
        st.lists(one, max_size=3),
    )
    return "".join(draw(st.lists(st.one_of(one, chapter, words), max_size=4)))


#: A list without opening words, whose item another momentti has too: a printed statute may hold both.
_SAME_ITEM_TWICE = (
    "<section><num>1 §</num><heading>h</heading><subsection><intro><p>1</p></intro></subsection>"
    "<subsection><paragraph><num>1)</num><content><p>1</p></content></paragraph></subsection></section>"
)


@settings(max_examples=60, deadline=None)
@example(_SAME_ITEM_TWICE)
@given(_bodies())
def test_no_word_is_lost_and_identifiers_are_unique(body: str) -> None:
    reading = read(act(body))
    (document,) = reading.documents
    provisions = list(document.root.walk())
    identifiers = [p.id for p in provisions]
    assert len(set(identifiers)) == len(identifiers)
    assert all(ProvisionId.parse(str(identifier)) == identifier for identifier in identifiers)
    found = "".join(p.label + p.heading + p.versions[0].text for p in provisions[1:])
    source = act(body).partition("<body>")[2].partition("</body>")[0]
    words = "".join(piece.partition(">")[2] for piece in source.split("<"))
    assert sorted("".join(tidy(found).split())) == sorted("".join(words.split()))


SAMPLE = Path(str(files("pykala.packs.finland").joinpath("sample")))
SAMPLES = sorted(str(path.relative_to(SAMPLE)) for path in SAMPLE.rglob("*") if path.is_file())


@settings(max_examples=80, deadline=None)
@given(
    st.sampled_from(SAMPLES),
    st.integers(0, 20_000),
    st.integers(0, 400),
    st.integers(0, 20_000),
    st.text(max_size=20),
)
def test_a_damaged_file_is_read_or_refused(path: str, at: int, length: int, to: int, added: str) -> None:
    data = (SAMPLE / path).read_bytes()
    at, to = at % len(data), to % len(data)
    piece, rest = data[at : at + length], data[:at] + data[at + length :]
    damaged = rest[:to] + piece + added.encode("utf-8", "replace") + rest[to:]
    (item,) = pack.works([path])
    reading = pack.read(item, [Snapshot(path, damaged, "0")])
    assert (reading.work is None) == (not reading.documents)
    assert reading.documents or reading.refusals
    for document in reading.documents:
        identifiers = [provision.id for provision in document.root.walk()]
        assert len(set(identifiers)) == len(identifiers)


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    for name, path in (
        ("act:2001/10", "2001_10_fin.xml"),
        ("kho:KHO_1.html", "KHO_1.html"),
        ("vero:o", "o.html"),
    ):
        reading = pack.read(SourceItem(name, (path,)), [Snapshot(path, data, "0")])
        assert reading.work is not None or reading.refusals
