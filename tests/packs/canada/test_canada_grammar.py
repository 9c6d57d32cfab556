"""Citations as tables of cases: what is found, where it leads, in both languages."""
# ruff: noqa: E501 - a case reads better on one line

from __future__ import annotations

import pytest
from canada_making import read, read_both, section, statute
from hypothesis import given
from hypothesis import strategies as st

from pykala.law.citations import CitationContext
from pykala.law.identifiers import ProvisionId
from pykala.law.references import Unresolved
from pykala.packs.canada import pack

WORK = "ca:act:B-1.01"


def _levels(label: str, close: str) -> str:
    def marks(names: str) -> str:
        return "".join(
            f"<Paragraph><Label>{'(' if close == '()' else ''}{name})</Label><Text>x</Text></Paragraph>"
            for name in names
        )

    subsections = "".join(
        f"<Subsection><Label>({number})</Label><Text>x</Text>{marks('abc')}</Subsection>"
        for number in range(1, 6)
    )
    return section(label, subsections)


def _body(close: str, part: str, named: str, defined: str) -> str:
    return (
        f"<Heading level='1'><Label>{part} I</Label></Heading>"
        + section("2", f"<Definition><Text><DefinedTermEn>Act</DefinedTermEn> <XRefExternal reference-type='act' "
                       f"link='A-1'>{defined}</XRefExternal></Text></Definition>")
        + "".join(_levels(str(number), close) for number in (4, 5, 6))
        + f"<Heading level='1'><Label>{part} II</Label></Heading>"
        + section("7", f"<Text>{named}</Text>")
        + section("8 to 12", "<Text><Repealed>[Repealed, 2001, c. 9, s. 1]</Repealed></Text>")
        + _levels("12.1", close)
    )  # fmt: skip


@pytest.fixture(scope="module")
def contexts() -> dict[str, CitationContext]:
    link = '<XRefExternal reference-type="act" link="I-11.8">{}</XRefExternal>'
    english = _body("()", "PART", "section 5 of the " + link.format("Insurance Companies Act") + " and section 9 of "
                    "that Act", "Access Act")  # fmt: skip
    french = _body(")", "PARTIE", "l’article 5 de la " + link.format("Loi sur les sociétés d’assurances")
                   + " et l’article 9 de cette loi", "Loi d’accès")  # fmt: skip
    reading = read_both(english, french)
    return {
        document.language: CitationContext(
            document.language, ProvisionId.parse(f"{WORK}/sec_4/subsec_2/para_a"), document
        )
        for document in reading.documents
    }


def leads(text: str, context: CitationContext) -> list[list[str]]:
    """For each citation found, where it leads."""
    return [
        [
            str(found.target).removeprefix(f"{WORK}/") if found.target
            else f"{found.alias}:{'/'.join(map(str, found.path))}" if found.alias
            else f"!{found.reason}"
            for found in pack.resolve(citation, context)
        ]
        for citation in pack.find_citations(text, context)
    ]  # fmt: skip


NOWHERE = [f"!{Unresolved.NO_SUCH_PROVISION}"]
UNCLEAR = [f"!{Unresolved.NOT_UNDERSTOOD}"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("under section 5", [["sec_5"]]),
        ("section 12.1 of this Act", [["sec_12.1"]]),
        ("sections 4 to 6", [["sec_4", "sec_5", "sec_6"]]),
        ("sections 4, 5 and 6", [["sec_4"], ["sec_5"], ["sec_6"]]),
        ("section 5 or 6, as the case may be", [["sec_5"], ["sec_6"]]),
        ("section 5 and 10 days later", [["sec_5"]]),
        ("subsection 4(2)", [["sec_4/subsec_2"]]),
        ("subsections 4(2) to (5)", [["sec_4/subsec_2", "sec_4/subsec_3", "sec_4/subsec_4", "sec_4/subsec_5"]]),
        ("subsections 4(2) and 5(1)", [["sec_4/subsec_2"], ["sec_5/subsec_1"]]),
        ("subsection (3)", [["sec_4/subsec_3"]]),
        ("Subject to subsection (5), a bank", [["sec_4/subsec_5"]]),
        ("paragraph (b)", [["sec_4/subsec_2/para_b"]]),
        ("paragraphs (a) to (c)", [["sec_4/subsec_2/para_a", "sec_4/subsec_2/para_b", "sec_4/subsec_2/para_c"]]),
        ("paragraph (1)(c)", [["sec_4/subsec_1/para_c"]]),
        ("paragraph 5(2)(b)", [["sec_5/subsec_2/para_b"]]),
        ("paragraphs 5(2)(a) and (b)", [["sec_5/subsec_2/para_a"], ["sec_5/subsec_2/para_b"]]),
        ("section 5(2)(b)", [["sec_5/subsec_2/para_b"]]),
        ("section 9", [["sec_8-12"]]),
        ("section 99", [NOWHERE]),
        ("Part II", [["part_II"]]),
        ("Parts I and II", [["part_I"], ["part_II"]]),
        ("section 5 of the Insurance Companies Act", [["ca:act:I-11.8/sec_5"]]),
        ("section 3 of the Unheard Of Act", [["unheard of act:sec_3"]]),
        ("section 3 of the Act", [["ca:act:A-1/sec_3"]]),
        ("subsections 3(1) and 4(2) and section 5 of the Insurance Companies Act",
         [["ca:act:I-11.8/sec_3/subsec_1"], ["ca:act:I-11.8/sec_4/subsec_2"], ["ca:act:I-11.8/sec_5"]]),
        ("section 5 of this Act and section 6 of the Insurance Companies Act", [["sec_5"], ["ca:act:I-11.8/sec_6"]]),
        ("section 6 of that Act", [UNCLEAR]),
        ("section 6 of the by-law", [UNCLEAR]),
        ("section 5 of the Bank Act", [["sec_5"]]),
        ("the Canada Gazette, Part I", []),
        ("intersection 5 and subparts", []),
        ("nothing at all", []),
    ],
)  # fmt: skip
def test_english(text: str, expected: list[list[str]], contexts: dict[str, CitationContext]) -> None:
    assert leads(text, contexts["en"]) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("l’article 5", [["sec_5"]]),
        ("l'article 12.1 de la présente loi", [["sec_12.1"]]),
        ("les articles 4 à 6", [["sec_4", "sec_5", "sec_6"]]),
        ("aux articles 4, 5 et 6", [["sec_4"], ["sec_5"], ["sec_6"]]),
        ("le paragraphe (3)", [["sec_4/subsec_3"]]),
        ("au paragraphe 4(2)", [["sec_4/subsec_2"]]),
        ("des paragraphes 4(2) à (5)",
         [["sec_4/subsec_2", "sec_4/subsec_3", "sec_4/subsec_4", "sec_4/subsec_5"]]),
        ("l’alinéa b)", [["sec_4/subsec_2/para_b"]]),
        ("l’alinéa 5(2)a)", [["sec_5/subsec_2/para_a"]]),
        ("aux alinéas (1)a) ou b)", [["sec_4/subsec_1/para_a"], ["sec_4/subsec_1/para_b"]]),
        ("la partie II", [["part_II"]]),
        ("Sous réserve des paragraphes (1) et (3)", [["sec_4/subsec_1"], ["sec_4/subsec_3"]]),
        ("l’article 5 de la Loi sur les banques", [["sec_5"]]),
        ("l’article 3 de la Loi", [["ca:act:A-1/sec_3"]]),
        ("l’article 3 de cette loi", [UNCLEAR]),
        ("l’article 11 du règlement intitulé Normes", [UNCLEAR]),
        ("un article de journal", []),
    ],
)  # fmt: skip
def test_french(text: str, expected: list[list[str]], contexts: dict[str, CitationContext]) -> None:
    assert leads(text, contexts["fr"]) == expected


@pytest.mark.parametrize("language", ["en", "fr"])
def test_that_act_is_the_one_named_before(language: str, contexts: dict[str, CitationContext]) -> None:
    document = contexts[language].document
    assert document is not None
    text = next(p for p in document.root.walk() if str(p.id) == f"{WORK}/sec_7").versions[0].text
    context = CitationContext(language, ProvisionId.parse(f"{WORK}/sec_7"), document)
    assert leads(text, context) == [["ca:act:I-11.8/sec_5"], ["ca:act:I-11.8/sec_9"]]


def test_spans_are_exact_and_in_order(contexts: dict[str, CitationContext]) -> None:
    text = "Subject to subsections (1) and (3), sections 4 to 6 and Part II apply."
    found = pack.find_citations(text, contexts["en"])
    assert [citation.text for citation in found] == ["subsections (1)", "(3)", "sections 4 to 6", "Part II"]
    assert all(text[citation.start : citation.end] == citation.text for citation in found)


def test_the_enabling_act_is_the_act_of_a_regulation() -> None:
    data = (
        statute(section("1", "<Text>x</Text>")).decode()
        .replace("<Statute", "<Regulation").replace("</Statute>", "</Regulation>")
        .replace("<LongTitle>", "<InstrumentNumber>SOR/2001-1</InstrumentNumber><EnablingAuthority><XRefExternal "
                 "reference-type='act' link='A-12'>Waters Act</XRefExternal></EnablingAuthority><LongTitle>")
    )  # fmt: skip
    reading = read(("eng/regulations/SOR-2001-1.xml", data.encode()), name="ca:reg:SOR-2001-1")
    context = CitationContext("en", ProvisionId.parse("ca:reg:SOR-2001-1/sec_1"), reading.documents[0])
    assert leads("section 12 of the Act", context) == [["ca:act:A-12/sec_12"]]


def test_historical_notes_and_related_provisions_do_not_cite_this_work(
    contexts: dict[str, CitationContext],
) -> None:
    document = contexts["en"].document
    for path in ("sec_4/hist_1", "related_1/rel_1/sec_9"):
        context = CitationContext("en", ProvisionId.parse(f"{WORK}/{path}"), document)
        assert leads("section 5", context) == []
        assert leads("section 5 of the Insurance Companies Act", context) == [["ca:act:I-11.8/sec_5"]]


@pytest.mark.parametrize(
    ("language", "question", "expected"),
    [
        ("en", "Employment Insurance Act, s. 7(2)", [["employment insurance act:sec_7/subsec_2"]]),
        ("en", "What does section 5 of the Bank Act say?", [["bank act:sec_5"]]),
        ("en", "EI Act section 7", [["ca:act:E-5.6/sec_7"]]),
        ("en", "under ITA s. 150(1)(d)(ii)", [["ca:act:I-3.3/sec_150/subsec_1/para_d/subpara_ii"]]),
        ("en", "does the employment insurance act cover illness?", [["employment insurance act:"]]),
        ("en", "Excise Act, 2001, s. 5", [["excise act, 2001:sec_5"]]),
        ("en", "Under the Canada Labour Code section 206", [["canada labour code:sec_206"]]),
        ("en", "what is section 7?", []),
        ("en", "Is an act of violence punished?", []),
        ("fr", "Que dit l'article 7 de la Loi sur l'assurance-emploi ?", [["loi sur l'assurance-emploi:sec_7"]]),
        ("fr", "Loi sur l’assurance-emploi, par. 7(2)", [["loi sur l'assurance-emploi:sec_7/subsec_2"]]),
        ("fr", "Loi sur la taxe d'accise, al. 123(1)a)", [["loi sur la taxe d'accise:sec_123/subsec_1/para_a"]]),
        ("fr", "Quel est le taux de la TPS ?", []),
        ("fi", "Mitä sanoo 5 §?", []),
    ],
)  # fmt: skip
def test_a_question_must_name_the_work(language: str, question: str, expected: list[list[str]]) -> None:
    assert leads(question, CitationContext(language)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("subsections 4(2) to (4)", [["sec_4/subsec_2", "sec_4/subsec_3", "sec_4/subsec_4"]]),
        ("paragraph (b)", [["sec_9/subsec_1/para_b"]]),
        ("subsection (3)", [["sec_9/subsec_3"]]),
    ],
)
def test_without_a_document_levels_decide(text: str, expected: list[list[str]]) -> None:
    context = CitationContext("en", ProvisionId.parse(f"{WORK}/sec_9/subsec_1/para_a/subpara_ii"))
    assert leads(text, context) == expected


PIECES = st.lists(
    st.sampled_from(
        ["section", "sections", "subsection", "paragraph", "article", "alinéa", "Part", "annexe", "5", "(2)", "(a)", "b)",
         "to", "à", "and", "et", ",", "of", "the", "Bank Act", "de la", "Loi sur", "this Act", "[a]", "C.01.001", "é"]
    ),
    max_size=25,
).map(" ".join)  # fmt: skip


@given(PIECES, st.sampled_from(["en", "fr"]), st.booleans())
def test_any_text_gives_ordered_spans_that_resolve(text: str, language: str, question: bool) -> None:
    context = CitationContext(language, None if question else ProvisionId.parse(f"{WORK}/sec_4/subsec_1"))
    end = 0
    for citation in pack.find_citations(text, context):
        assert end <= citation.start < citation.end
        assert text[citation.start : citation.end] == citation.text
        end = citation.end
        assert pack.resolve(citation, context)
