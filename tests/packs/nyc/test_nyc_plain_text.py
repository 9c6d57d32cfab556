"""The plain text: levels by indents, wrapped lines, tables, notes, repealed and doubled provisions."""

from __future__ import annotations

import time
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.completeness.nyc import lost_words
from nyc_making import PLAIN, places, read, read_plain, texts
from pykala.law.citations import CitationContext
from pykala.law.identifiers import ProvisionId
from pykala.law.messages import Message
from pykala.law.provisions import Event, ProvisionKind
from pykala.packs.nyc import pack
from pykala.packs.nyc.blocks import joined
from pykala.packs.nyc.doubts import EMPTY_COPY

LEVELS = """Chapter 5: City Unincorporated Business Income Tax
§ 11-503 A heading that is so long that it wraps over to a second line, as many
of them do.
Words before the list, on
~~~a.~~~(1)~~~First of all.
~~~~~~(2)~~~Second:
~~~~~~~~~(i)~~~one thing;
~~~~~~~~~~~~(A)~~~a smaller one under section
11-502 of this chapter;
~~~This goes on for the whole of a.
~~~b.~~~Two- or three-family homes, four-
family ones, too.
"""


def test_levels_are_those_of_the_indents() -> None:
    assert texts(read_plain(LEVELS)) == {
        "chp_5": "",
        "sec_11-503": "Words before the list, on",
        "sec_11-503/subd_a": "",
        "sec_11-503/subd_a/para_1": "First of all.",
        "sec_11-503/subd_a/para_2": "Second:",
        "sec_11-503/subd_a/para_2/subpara_i": "one thing;",
        "sec_11-503/subd_a/para_2/subpara_i/cl_A": "a smaller one under section 11-502 of this chapter;",
        "sec_11-503/subd_a/flush_1": "This goes on for the whole of a.",
        "sec_11-503/subd_b": "Two- or three-family homes, four-family ones, too.",
    }
    found = places(read_plain(LEVELS))
    assert found["sec_11-503"].heading == (
        "A heading that is so long that it wraps over to a second line, as many of them do"
    )
    assert found["sec_11-503"].label == "§ 11-503"
    assert found["sec_11-503/subd_a/para_2"].label == "(2)"
    assert found["chp_5"].label == "Chapter 5"


def test_a_heading_goes_on_behind_a_link_that_stands_on_a_line_of_its_own() -> None:
    document = read_plain(
        "Chapter 3: Liens\n§ 11-353 Cancellation of taxes, a surcharge pursuant to section\n"
        "11-332 of this chapter, and interest thereon.\nWhenever the city has become vested with title.\n"
    )
    section = places(document)["sec_11-353"]
    assert section.heading == (
        "Cancellation of taxes, a surcharge pursuant to section 11-332 of this chapter, and interest thereon"
    )
    assert texts(document)["sec_11-353"] == "Whenever the city has become vested with title."


def test_a_number_printed_too_far_out_goes_on_where_its_list_began() -> None:
    document = read_plain(
        "Chapter 2: One\n§ 11-257 S.\nWords.\n~~~a.~~~(1)~~~One.\n~~~~~~(2)~~~Two.\n~~~b.~~~(1)~~~Three.\n"
        "~~~(2)~~~Four.\n~~~c.~~~Five.\n~~~(1)~~~Six, a list of the section itself.\n"
    )
    found = {path: text for path, text in texts(document).items() if text and path != "sec_11-257"}
    assert found == {
        "sec_11-257/subd_a/para_1": "One.",
        "sec_11-257/subd_a/para_2": "Two.",
        "sec_11-257/subd_b/para_1": "Three.",
        "sec_11-257/subd_b/para_2": "Four.",
        "sec_11-257/subd_c": "Five.",
        "sec_11-257/subd_1": "Six, a list of the section itself.",
    }


def test_containers_nest_and_sections_leave_them_out() -> None:
    document = read_plain(
        "§ 11-121 First of all.\nWords.\nChapter 2: One\nSubchapter 1: Two\n§ 11-201 S.\nWords.\n"
        "Subchapter 2: Three\nPart 1: Four\n§ 11-241 T.\nWords.\nChapter 3: Five\n§ 11-301 U.\nWords.\n"
    )
    assert [path for path, one in places(document).items() if one.kind is not ProvisionKind.SECTION] == [
        "chp_2", "chp_2/subchp_1", "chp_2/subchp_2", "chp_2/subchp_2/part_1", "chp_3",
    ]  # fmt: skip
    assert [str(section.id.path[0]) for _, section in pack.sections(document) if section.id.path] == [
        "sec_11-121", "sec_11-201", "sec_11-241", "sec_11-301",
    ]  # fmt: skip
    above = {str(one.id.last): [str(a.id.last) for a in up[1:]] for up, one in pack.sections(document) if up}
    assert above["sec_11-241"] == ["chp_2", "subchp_2", "part_1"]


def test_a_section_outside_chapters_stands_where_its_number_does() -> None:
    document = read_plain("Chapter 2: One\n§ 11-201 S.\nWords.\n")
    late = read_plain("Chapter 3: Late\n§ 11-301 S.\nWords.\nChapter 2: Early\n§ 11-201 T.\nWords.\n")
    assert list(places(document)) == ["chp_2", "sec_11-201"]
    assert list(places(late)) == ["chp_2", "sec_11-201", "chp_3", "sec_11-301"]


def test_repealed_and_doubled_provisions_and_notes() -> None:
    document = read_plain(
        "Chapter 3: Liens\n§ 11-325 City may bid. [Repealed]\n§ 11-343 A title that wraps and wraps until the"
        " line is full of it, and is\n[Repealed]\n§ 11-330 Record.\n~~~(n)*~~~One.\n"
        "* Editor's note: there are two divisions designated (n) in this section.\n~~~(n)*~~~Another.\n"
        "~~~(o)~~~[Repealed.]\n(Am. L.L. 2019/157, 8/23/2019, eff. 11/21/2019; Am. L.L. 2021/080, "
        "7/\n18/2021, eff. 7/18/2021)\n"
        "Editor's note: For related unconsolidated provisions, see Appendix A at\n"
        "L.L. 1986/024,\n"
        "L.L. 2013/052.\n"
    )
    found = places(document)
    for number in ("11-325", "11-343"):
        version = found[f"sec_{number}"].versions[0]
        assert (version.event, version.text, version.history_unavailable) == (
            Event.REPEALED,
            "[Repealed]",
            True,
        )
    assert "[" not in found["sec_11-343"].heading
    assert found["sec_11-330/subd_n"].versions[0].text == "One."
    assert found["sec_11-330/subd_n.dup2"].versions[0].text == "Another."
    assert found["sec_11-330/subd_n/note_1"].kind is ProvisionKind.EDITORIAL_NOTE
    assert found["sec_11-330/note_1"].versions[0].text.endswith("L.L. 1986/024, L.L. 2013/052.")
    assert found["sec_11-330/subd_o"].versions[0].event is Event.REPEALED
    assert found["sec_11-330/hist_1"].kind is ProvisionKind.HISTORICAL_NOTE
    section = found["sec_11-330"].versions[0]
    assert (section.validity.start, section.event) == (date(2021, 7, 18), Event.AMENDED)
    assert (str(section.source_act), section.history_unavailable) == ("nyc:ll:2021/80", True)
    assert [(str(one.target), str(one.kind)) for one in document.references] == [
        ("nyc:ll:2019/157", "amends"),
        ("nyc:ll:2021/80", "amends"),
    ]
    note = found["sec_11-330/hist_1"].versions[0].text
    assert [note[one.start : one.end] for one in document.references] == ["L.L. 2019/157", "L.L. 2021/080"]


def test_a_slip_of_the_publisher_in_the_place_of_a_bracket_is_a_bracket() -> None:
    note = "Am. 2025 N.Y. Laws Ch. 59, 5/9/2025, eff. 8/7/2025)"
    document = read_plain(f"Chapter 3: Liens\n§ 11-330 Record.\nOne.\n{{'{{'}}{note}\n")
    found = places(document)
    assert found["sec_11-330/hist_1"].versions[0].text == f"({note}"
    assert found["sec_11-330"].versions[-1].validity.start == date(2025, 8, 7)


def test_tables_keep_their_rows() -> None:
    document = read_plain(
        "§ 11-245.3 Exemption.\n~~~7.~~~As in the following schedule:\n~\n"
        "Annual Income as of July 1, 2006        Percentage Assessed Valuation Exempt\n"
        "                                        From Taxation\n"
        "More than $26,000 but less than $27,000 45 per centum\n"
        "$27,000 or more but less than $28,000   40 per centum\n~\n~~~8.~~~And on.\n"
    )
    table = places(document)["sec_11-245.3/subd_7/table_1"]
    assert table.kind is ProvisionKind.TABLE
    assert table.versions[0].text.splitlines()[2] == "More than $26,000 but less than $27,000 45 per centum"
    assert texts(document)["sec_11-245.3/subd_8"] == "And on."


def test_what_the_source_has_wrong_is_told_on_the_provision() -> None:
    document = read_plain(
        "§ 11-702 Imposition.\n~~~1.~~~At the rates of the table:\n~\n"
        "When the annual rent is: But not more than: The rate shall be:\n"
        "$4,990                   $2,499             2 1/2% of the rent\n"
        "$2,500 or over           $4,999             5% of the rent\n~\n"
        "§ 11-2704 Filing of returns.\nA return is filed in June.\n"
        "§ 11-2704 Annual notice of charge.\n~\n§ 11-2705 Payment.\nIt is paid.\n"
    )
    found = places(document)
    assert found["sec_11-702/subd_1/table_1"].versions[0].findings == (
        Message.of("finding.bad_row", words="$4,990 $2,499 2 1/2% of the rent"),
    )
    assert found["sec_11-2704.dup2"].versions[0].findings == (EMPTY_COPY,)
    assert found["sec_11-2704"].versions[0].findings == ()


DEFINITIONS = """Chapter 9: Insurers
§ 11-901 Definitions.
Wherever used in this chapter, the following words shall mean:
~~~"Alien insurer." Any insurer of a foreign nation.
§ 11-902 More.
~~~a.~~~For the purposes of this section:
~~~~~~Owner. The term "owner" means:
~~~~~~~~~(1)~~~a natural person.
~~~b.~~~As used in this subdivision, "rent" or "base rent" shall mean money.
~~~c.~~~A "room" includes a closet.
"""


def test_defined_terms_and_their_scope() -> None:
    document = read_plain(DEFINITIONS)
    assert [(term.term, "/".join(map(str, term.provision.path)), "/".join(map(str, term.scope.path)))
            for term in document.terms] == [
        ("Alien insurer", "sec_11-901/def_alien-insurer", "chp_9"),
        ("Owner", "sec_11-902/subd_a/def_owner", "sec_11-902"),
        ("rent", "sec_11-902/subd_b", "sec_11-902/subd_b"),
        ("base rent", "sec_11-902/subd_b", "sec_11-902/subd_b"),
        ("room", "sec_11-902/subd_c", "sec_11-902"),
    ]  # fmt: skip
    assert "sec_11-902/subd_a/def_owner/para_1" in places(document)


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        (["four hundred twenty-", "one-a of"], "four hundred twenty-one-a of"),
        (["two-", "or three-family"], "two- or three-family"),
        (["eff. 7/", "18/2021)"], "eff. 7/18/2021)"),
        (["a dash -", "b"], "a dash - b"),
        (["and/or  more", ""], "and/or more"),
    ],
)
def test_wrapped_lines_are_joined(lines: list[str], text: str) -> None:
    assert joined(lines) == text


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "no section"),
        (b"\x00\x01\x02", "NUL"),
        (b"Dear Sir,\nplease find enclosed.\n", "no section"),
        ("§ 17-176 Tobacco.\nWords.\n".encode(), "not of title 11"),
    ],
)
def test_bad_files_are_refused_by_name(data: bytes, reason: str) -> None:
    reading = read((PLAIN, data))
    assert reading.work is None
    assert [refusal.path for refusal in reading.refusals] == [PLAIN]
    assert reason in reading.refusals[0].reason


_LINES = st.lists(
    st.one_of(
        st.sampled_from(
            ["~~~a.~~~One", "~~~~~~(1)~~~Two", "§ 11-101 Title.", "Chapter 2: More", "~", "  12   13",
             "(Am. L.L. 2019/157, 8/23/2019)", "Editor's note: see", "plain words", "[Repealed]", ""]
        ),
        st.text("ab .(1)~§", max_size=90),
    ),
    max_size=25,
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(_LINES)
def test_no_word_is_lost_and_every_identifier_is_its_own(lines: list[str]) -> None:
    text = "\n".join(["§ 11-100 Start.", *lines]).replace("~", "\N{NO-BREAK SPACE}")
    document = read((PLAIN, text.encode())).documents[0]
    assert lost_words(text, document) == {}
    identifiers = [provision.id for provision in document.root.walk()]
    assert len(identifiers) == len(set(identifiers))
    assert all(ProvisionId.parse(str(one)) == one for one in identifiers)


@pytest.mark.parametrize(
    "text",
    [
        "words go on and on\n" * 60_000,
        "~~~a.~~~(1)~~~" * 20_000,
        "".join(f"{'~' * 3 * depth}(a)~~~x\n" for depth in range(1, 1_500)),
        "(L.L. 2019/1 and)\n" * 20_000,
        "~~~(n)*~~~Twice.\n" * 20_000,
        "local law number one of a " * 20_000,
        "section one of the laws of two " * 10_000,
        "* Editor's note:\n" * 20_000,
    ],
    ids=["prose", "labels", "indents", "history", "copies", "local laws", "laws", "notes"],
)
def test_hostile_files_end_soon(text: str) -> None:
    started = time.process_time()
    document = read_plain(f"§ 11-100 Start.\n{text}")
    for provision in document.root.walk():
        context = CitationContext("en", provision.id, document)
        for version in provision.versions:
            pack.find_citations(version.text, context)
    assert time.process_time() - started < 20
