"""References as the code writes them, spelled out, in lists and ranges, and where they lead."""
# ruff: noqa: E501 - a case reads better on one line

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nyc_making import read_plain
from pykala.graph.relate import relate
from pykala.law.citations import CitationContext
from pykala.law.identifiers import ProvisionId
from pykala.law.references import EdgeKind
from pykala.packs.nyc import pack
from pykala.packs.nyc.numerals import spelled, value_of

CODE = """Chapter 5: Business
§ 11-501 Terms.
~~~(a)~~~First.
§ 11-503 Tax.
~~~(a)~~~General: (i) one; (ii) two.
~~~(b)~~~Credit.
~~~~~~(1)~~~One.
~~~~~~~~~(A)~~~Big.
~~~~~~(2)~~~Two.
~~~~~~(3)~~~Three.
~~~~~~~~~(A)~~~Of three.
~~~~~~~~~(B)~~~More of three.
~~~(c)~~~Third.
~~~(c-1)~~~After the third.
§ 11-504 Years.
Words.
§ 11-505 More.
~~~d.~~~Fourth.
~~~~~~4.~~~Of the fourth.
Chapter 6: Corporations
Subchapter 1: General
§ 11-601 Words.
Words.
Subchapter 3-A: Corporate Tax
Part 4: Banks
§ 11-651 More words.
Words.
"""
DOCUMENT = read_plain(CODE)
HERE = "sec_11-503/subd_b/para_3/subpara_A"
OUT, NONE, UNCLEAR = "outside the corpus", "no such provision in the loaded text", "not understood"

CASES = [
    # text, where it leads from sec_11-503/subd_b/para_3/subpara_A
    ("section 11-504 of this chapter", ["sec_11-504"]),
    ("sections 11-501 and 11-504 of this title", ["sec_11-501", "sec_11-504"]),
    ("sections 11-501 through 11-505 of this title", ["sec_11-501", "sec_11-503", "sec_11-504", "sec_11-505"]),
    ("section 11-503(b)(1) of this chapter", ["sec_11-503/subd_b/para_1"]),
    ("subdivision a of section 11-501 or subdivision d of section 11-505", ["sec_11-501/subd_a", "sec_11-505/subd_d"]),
    ("paragraph four of subdivision d of section 11-505 of this chapter", ["sec_11-505/subd_d/para_4"]),
    ("paragraph one of subdivision (b) of this section", ["sec_11-503/subd_b/para_1"]),
    ("paragraph two of this subdivision", ["sec_11-503/subd_b/para_2"]),
    ("subparagraph (B) of this paragraph", ["sec_11-503/subd_b/para_3/subpara_B"]),
    ("subparagraph (B)", ["sec_11-503/subd_b/para_3/subpara_B"]),
    ("paragraph two", ["sec_11-503/subd_b/para_2"]),
    ("subdivision (c-1) hereof", ["sec_11-503/subd_c-1"]),
    ("paragraphs (1) and (2) of subdivision (b) of this section", ["sec_11-503/subd_b/para_1", "sec_11-503/subd_b/para_2"]),
    ("paragraph one, two or three of this subdivision", [f"sec_11-503/subd_b/para_{n}" for n in (1, 2, 3)]),
    ("paragraphs one through three of this subdivision", [f"sec_11-503/subd_b/para_{n}" for n in (1, 2, 3)]),
    ("subdivision (a) of sections 11-501 and 11-503 of this chapter", ["sec_11-501/subd_a", "sec_11-503/subd_a"]),
    ("subdivision (c) or paragraph one of subdivision (b) of section 11-503", ["sec_11-503/subd_c", "sec_11-503/subd_b/para_1"]),
    ("section 11-505 and subdivision d of such section", ["sec_11-505", "sec_11-505/subd_d"]),
    ("subdivision d of section 11-505, or under such subdivision d", ["sec_11-505/subd_d", "sec_11-505/subd_d"]),
    ("clause (ii) of subdivision (a) of this section", ["sec_11-503/subd_a"]),  # the list runs on in the sentence
    ("subdivision (a)(ii) of this section", ["sec_11-503/subd_a"]),
    ("chapter five of this title", ["chp_5"]),
    ("chapters 5 and 6 of this title", ["chp_5", "chp_6"]),
    ("subchapter three-A of chapter six of this title", ["chp_6/subchp_3-A"]),
    ("part four of subchapter three-A of chapter six of this title", ["chp_6/subchp_3-A/part_4"]),
    ("imposed by this chapter", ["chp_5"]),
    ("title twenty-six of the code", ["nyc:adc:26"]),
    ("chapter four of title twenty-six of this code", ["nyc:adc:26/chp_4"]),
    ("section 17-176.1", ["nyc:adc:17/sec_17-176.1"]),
    ("section 11-319 of the administrative code", ["sec_11-319"]),
    ("local law number fifty-seven for the year nineteen hundred ninety-three, may", ["nyc:ll:1993/57"]),
    ("see Appendix A at L.L. 2013/052.", ["nyc:ll:2013/52"]),
    ("section eleven hundred five of the tax law", [OUT]),
    ("paragraph (a) of subdivision two of section eighty-seven of the public officers law", [OUT]),
    ("section 6621 of the internal revenue code, and section 1247 of such code", [OUT, OUT]),
    ("articles three, five, five-a, and six of the banking law", [OUT] * 4),
    ("section four hundred twenty-one-a of the real property tax law", [OUT]),
    ("section two hundred eighty F of the internal revenue code", [OUT]),
    ("section one hundred sixty-eight of the charter", [OUT]),
    ("section 17-0105 of the environmental conservation law", [OUT]),
    ("chapter nine hundred forty-nine of the laws of nineteen hundred sixty-two, as amended", [OUT]),
    ("a qualified subchapter S subsidiary", [OUT]),
    ("subdivision nine of this section", [NONE]),
    ("subchapter two of chapter five of this title", [NONE]),
    ("item (A) of such clause", [UNCLEAR]),
    ("the whole or any part of this section, in paragraphs of such title", []),
    ("in part a gift, items of income, a section of land, the title to property", []),
    ("subdivision (a), a taxpayer and two partners", ["sec_11-503/subd_a"]),
    ("section 11-504 and two copies of it", ["sec_11-504"]),
]  # fmt: skip


def leads(text: str, here: str = HERE) -> list[str]:
    context = CitationContext("en", ProvisionId.parse(f"nyc:adc:11/{here}"), DOCUMENT)
    found = pack.find_citations(text, context)
    assert [one.text for one in found] == [text[one.start : one.end] for one in found]
    return [
        lead.reason.value if lead.reason else str(lead.target).removeprefix("nyc:adc:11/")
        for citation in found
        for lead in pack.resolve(citation, context)
    ]


@pytest.mark.parametrize(("text", "targets"), CASES)
def test_a_reference_leads_where_a_lawyer_would_look(text: str, targets: list[str]) -> None:
    assert leads(text) == targets
    assert leads(f"Subject to the foregoing, {text}") == targets


def test_history_notes_are_not_read_for_citations() -> None:
    assert leads("(Am. L.L. 2019/157, section 11-503)", "sec_11-503/hist_1") == []


@pytest.mark.parametrize(
    ("question", "path"),
    [
        ("What does NYC Admin. Code § 11-503(a)(1) say?", "sec_11-503/subd_a/para_1"),
        ("Explain section 11-208.1", "sec_11-208.1"),
        ("Administrative Code 11-245.1-b", "sec_11-245.1-b"),
        ("Is § 11-224.1 in force?", "sec_11-224.1"),
    ],
)
def test_a_question_names_a_section(question: str, path: str) -> None:
    context = CitationContext("en")
    (citation,) = pack.find_citations(question, context)
    (lead,) = pack.resolve(citation, context)
    assert str(lead.target) == f"nyc:adc:11/{path}"


@pytest.mark.parametrize(
    "question", ["Call 11-503 now", "section 124 of the income tax act", "the years 11-12"]
)
def test_a_question_without_a_section_of_the_code(question: str) -> None:
    assert pack.find_citations(question, CitationContext("en")) == []


@pytest.mark.parametrize(
    ("text", "kind", "reverse"),
    [
        ("Notwithstanding paragraph one of this subdivision, 5 dollars are due.", EdgeKind.EXCEPTS, False),
        (
            "Except as provided in paragraph one of this subdivision, 5 dollars are due.",
            EdgeKind.EXCEPTS,
            True,
        ),
        ("Subject to paragraph one of this subdivision, 5 dollars are due.", EdgeKind.EXCEPTS, True),
        (
            "A person subject to tax under paragraph one of this subdivision, 5 dollars.",
            EdgeKind.CITES,
            False,
        ),
    ],
)
def test_exceptions_run_the_right_way(text: str, kind: EdgeKind, reverse: bool) -> None:
    document = read_plain(CODE.replace("Of three.", text, 1))
    facts = pack.facts
    (one,) = [
        reference
        for reference in relate(document, pack, facts.exception_cues, facts.yielding_cues)
        if str(reference.source).endswith(HERE)
    ]
    assert (one.kind, one.reverse, str(one.target)) == (kind, reverse, "nyc:adc:11/sec_11-503/subd_b/para_1")


@pytest.mark.parametrize(
    ("identifier", "citation", "address"),
    [
        ("nyc:adc:11/sec_11-503/subd_a/para_1", "NYC Admin. Code § 11-503(a)(1)", "ADC/11-503"),
        ("nyc:adc:11/sec_11-245.1-b", "NYC Admin. Code § 11-245.1-b", "ADC/11-245.1-B"),
        ("nyc:adc:11/sec_11-641/subd_n.dup2", "NYC Admin. Code § 11-641(n)", "ADC/11-641"),
        ("nyc:adc:11/sec_11-901/def_alien-insurer", "NYC Admin. Code § 11-901, definition “alien insurer”", "ADC/11-901"),
        ("nyc:adc:11/chp_6/subchp_3-A", "NYC Admin. Code, Title 11, ch. 6, subch. 3-A", "ADC/T11C6SC3-A"),
        ("nyc:adc:11", "NYC Admin. Code, Title 11", "ADC/T11"),
    ],
)  # fmt: skip
def test_how_it_is_cited_and_where_it_is(identifier: str, citation: str, address: str) -> None:
    provision = ProvisionId.parse(identifier)
    work = pack.read(next(iter(pack.works(["title-11.txt"]))), []).work
    assert work is None  # citing needs no work
    assert pack.cite(provision, None, "en") == citation  # type: ignore[arg-type]
    assert pack.url(provision, None, "en").endswith(address)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "figures"),
    [
        ("four of", "4"), ("eleven hundred five of", "1105"), ("four hundred twenty-one-a of", "421-a"),
        ("nine thousand one hundred five", "9105"), ("six-B of title", "6-B"), ("fourteen hundred L of", "1400-L"),
        ("one hundred sixty-eight", "168"), ("twenty-three-A", "23-A"), ("four hundred and two", "402"),
    ],
)  # fmt: skip
def test_spelled_numbers(text: str, figures: str) -> None:
    found = spelled(text, 0)
    assert found is not None
    assert found[0] == figures


@pytest.mark.parametrize("text", ["fourteenth day", "four-family", "hundred", "of four", "ones"])
def test_words_that_are_no_number(text: str) -> None:
    assert spelled(text, 0) is None


_ONES = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
         "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"]  # fmt: skip
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def in_words(number: int) -> str:
    parts = []
    if number >= 1000:
        parts.append(f"{in_words(number // 1000)} thousand")
    if number % 1000 >= 100:
        parts.append(f"{_ONES[number % 1000 // 100 - 1]} hundred")
    rest = number % 100
    if rest >= 20:
        parts.append(_TENS[rest // 10 - 2] + (f"-{_ONES[rest % 10 - 1]}" if rest % 10 else ""))
    elif rest:
        parts.append(_ONES[rest - 1])
    return " ".join(parts)


@given(st.integers(1, 99_999))
def test_every_number_reads_back(number: int) -> None:
    words = in_words(number)
    assert value_of(words) == number
    assert spelled(f"{words} of the tax law", 0) == (str(number), len(words))


@given(
    st.lists(
        st.sampled_from(
            [
                "section",
                "11-503",
                "paragraphs",
                "(a)",
                "and",
                "of",
                "this",
                "such",
                "one",
                ",",
                "the tax law",
                "through",
                "subdivision",
                "§",
                "or",
            ]
        ),
        max_size=14,
    )
)
def test_spans_follow_one_another_in_any_text(words: list[str]) -> None:
    text = " ".join(words)
    context = CitationContext("en", ProvisionId.parse(f"nyc:adc:11/{HERE}"), DOCUMENT)
    found = pack.find_citations(text, context)
    assert all(one.end <= other.start for one, other in pairwise(found))
    assert all(one.start < one.end and pack.resolve(one, context) for one in found)
