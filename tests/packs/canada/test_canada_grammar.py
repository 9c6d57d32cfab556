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
        ("a fee fixed under section 5 or 6 stands", [["sec_5"], ["sec_6"]]),
        ("section 5 or 10 days after it", [["sec_5"]]),
        ("paragraph (b) of subsection (3)", [["sec_4/subsec_3/para_b"]]),
        ("paragraph (b) of subsection 5(3)", [["sec_5/subsec_3/para_b"]]),
        ("paragraphs (a) and (b) of section 6", [["sec_6"], ["sec_6"]]),  # which has none: its nearest place
        ("paragraph 5(9)(b)", [["sec_5"]]),
        ("paragraph 9(2)(b)", [["sec_8-12"]]),
        ("sections 8 and 9 thereof", [UNCLEAR, UNCLEAR]),
        ("section 5 of the Insurance Companies Act and section 9 thereof",
         [["ca:act:I-11.8/sec_5"], ["ca:act:I-11.8/sec_9"]]),
        ("paragraph (b) of the definition claim in subsection 2(1) of the Insurance Companies Act",
         [["ca:act:I-11.8/sec_2/subsec_1/def_claim/para_b"]]),
        ("paragraph (b) of the definition Act in section 2", [["sec_2/def_act"]]),
        ("paragraph (b) of the definition Act applies", [["sec_2/def_act"]]),
        ("see SI/2002-71 and SOR/96-332", [["ca:reg:SI-2002-71"], ["ca:reg:SOR-96-332"]]),
        ("see C.R.C., c. 945", [["ca:reg:C.R.C.,_c._945"]]),
        ("[Repealed, SOR/2009-113, s. 2]", []),
        ("section 3 of the Convention", [UNCLEAR]),
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
        ("le paragraphe 5b)", [["sec_5"]]),
        ("l’alinéa b) du paragraphe (3)", [["sec_4/subsec_3/para_b"]]),
        ("voir TR/2002-71 et DORS/96-332", [["ca:reg:SI-2002-71"], ["ca:reg:SOR-96-332"]]),
        ("l’alinéa b) de la définition de sinistre au paragraphe 2(1) de la Loi",
         [["ca:act:A-1/sec_2/subsec_1"]]),
        ("l’article 11 du règlement intitulé Normes", [UNCLEAR]),
        ("l’article 9 de l’Entente Canada — Yukon", [UNCLEAR]),
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


ACT = '<XRefExternal reference-type="act" link="I-11.8">Insurance Companies Act</XRefExternal>'
REGULATIONS = (
    '<XRefExternal reference-type="regulation" link="SOR-96-332">Insurance Regulations</XRefExternal>'
)


def found_at(path: str, body: str) -> list[list[str]]:
    document = read(("eng/acts/B-1.01.xml", statute(body))).documents[0]
    provision = next(each for each in document.root.walk() if str(each.id) == f"{WORK}/{path}")
    return leads(provision.versions[0].text, CitationContext("en", provision.id, document))


def paragraphs(*texts: str) -> str:
    return "".join(
        f"<Paragraph><Label>({'abcd'[place]})</Label><Text>{text}</Text></Paragraph>"
        for place, text in enumerate(texts)
    )


@pytest.mark.parametrize(
    ("opening", "lines", "expected"),
    [
        ("The", (f"{ACT}; and", "section 5 of that Act"), [["ca:act:I-11.8/sec_5"]]),
        (f"Under the {ACT},", ("x", "section 5 of that Act"), [["ca:act:I-11.8/sec_5"]]),
        (f"Under the {REGULATIONS} and the {ACT},", ("x", "section 5 of those Regulations"),
         [["ca:reg:SOR-96-332/sec_5"]]),
        ("The", ("x", "section 5 of that Act"), [UNCLEAR]),
        ("The", ("x", f"the {ACT}, and section 5 of that Act"), [["ca:act:I-11.8/sec_5"]]),
        (f"The following provisions of the {ACT} apply:", ("x", "sections 1 and 9 (oaths), if section 1 applies;"),
         [["ca:act:I-11.8/sec_1"], ["ca:act:I-11.8/sec_9"], ["sec_1"]]),
        (f"The following provisions of the {ACT} apply:", ("x", "any rule, subject to section 1"), [["sec_1"]]),
    ],
)  # fmt: skip
def test_the_lines_above_say_which_act(
    opening: str, lines: tuple[str, ...], expected: list[list[str]]
) -> None:
    assert found_at("sec_1/para_b", section("1", f"<Text>{opening}</Text>{paragraphs(*lines)}")) == expected


@pytest.mark.parametrize(
    ("language", "text"),
    [
        (
            "en",
            "the west half of Section 5, Township 50, Range 25, west of the 4th Meridian; THENCE to Section 4",
        ),
        ("fr", "la moitié ouest de la section 5, canton 50, rang 25, à l’ouest du 4e méridien"),
    ],
)
def test_a_section_of_land_is_no_section_of_law(
    language: str, text: str, contexts: dict[str, CitationContext]
) -> None:
    assert pack.find_citations(text, contexts[language]) == []


def test_another_section_does_not_say_which_act() -> None:
    body = section("1", f"<Text>The {ACT}</Text>") + section("2", "<Text>section 5 of that Act</Text>")
    assert found_at("sec_2", body) == [UNCLEAR]


def test_a_treaty_counts_its_paragraphs_and_articles_its_own_way() -> None:
    def article(number: int, text: str) -> str:
        lines = "".join(
            f"<Provision><Label>{label}</Label><Text>{text if label == 2 else 'x'}</Text></Provision>"
            for label in (1, 2)
        )
        return f"<Heading level='2'><Label>Article {number}</Label></Heading>{lines}"

    text = (
        "paragraph 1, paragraphs 1 and 2 of Article 5, Article 4(1), section 1 and Articles 4 and 9; "
        "paragraph 1(c) of Article 5"
    )
    treaty = (
        "<Schedule><ScheduleFormHeading><Label>SCHEDULE</Label></ScheduleFormHeading><ConventionAgreementTreaty>"
        "<Heading level='1'><Label>CHAPTER I</Label></Heading>" + article(4, text)
        + "<Heading level='1'><Label>CHAPTER II</Label></Heading>" + article(5, "x")
        + "</ConventionAgreementTreaty></Schedule>"
    )  # fmt: skip
    document = read(("eng/acts/B-1.01.xml", statute(section("1", "<Text>x</Text>"), tail=treaty))).documents[
        0
    ]
    provision = next(each for each in document.root.walk() if each.versions[0].text == text)
    above = "sched_1/treaty_1"
    assert leads(text, CitationContext("en", provision.id, document)) == [
        [f"{above}/chp_I/art_4/item_1"],
        [f"{above}/chp_II/art_5/item_1"],
        [f"{above}/chp_II/art_5/item_2"],
        [f"{above}/chp_I/art_4/item_1"],
        NOWHERE,  # a treaty never means the section of the act that it is scheduled to
        [f"{above}/chp_I/art_4"],
        NOWHERE,
        [f"{above}/chp_II/art_5/item_1"],  # which has no (c)
    ]


def test_a_section_that_is_not_here_is_of_the_work_cited_above() -> None:
    opening = f"<Text>For the purposes of section 618 of the {ACT},</Text>"
    body = section("1", opening + paragraphs("subsection 618(2) and section 2", "section 619")) + section(
        "2", "<Text>x</Text>"
    )
    assert found_at("sec_1/para_a", body) == [["ca:act:I-11.8/sec_618/subsec_2"], ["sec_2"]]
    assert found_at("sec_1/para_b", body) == [NOWHERE]


def test_a_schedule_is_shared_by_what_the_body_does_not_have() -> None:
    schedule = (
        "<Schedule><ScheduleFormHeading><Label>SCHEDULE 1</Label></ScheduleFormHeading>"
        + section("3", paragraphs("x", "x")) + section("5", paragraphs("x")) + "</Schedule>"
    )  # fmt: skip
    data = statute(section("3", "<Text>x</Text>"), tail=schedule)
    document = read(("eng/acts/B-1.01.xml", data)).documents[0]
    context = CitationContext("en", ProvisionId.parse(f"{WORK}/sec_3"), document)
    found = leads("paragraphs 3(a) and (b) and paragraph 5(a) of Schedule 1", context)
    assert found == [["sched_1/sec_3/para_a"], ["sched_1/sec_3/para_b"], ["sched_1/sec_5/para_a"]]
    assert leads("section 3 and paragraph 5(a) of Schedule 1", context) == [
        ["sec_3"],
        ["sched_1/sec_5/para_a"],
    ]


def test_a_schedule_that_amends_does_not_mean_its_own_sections() -> None:
    new = "<AmendedText><Section><Label>3</Label><Text>x</Text></Section></AmendedText>"
    schedule = (
        "<Schedule><ScheduleFormHeading><Label>SCHEDULE 1</Label></ScheduleFormHeading>"
        + section("1", f"<Text>Section 3 is replaced by the following:</Text>{new}")
        + section("2", "<Text>section 3 applies</Text>") + section("3", "<Text>x</Text>") + "</Schedule>"
    )  # fmt: skip
    data = statute(section("3", "<Text>x</Text>"), tail=schedule)
    document = read(("eng/acts/B-1.01.xml", data)).documents[0]
    for path, expected in (("sched_1/sec_1", "sec_3"), ("sched_1/sec_2", "sched_1/sec_3")):
        context = CitationContext("en", ProvisionId.parse(f"{WORK}/{path}"), document)
        assert leads("section 3", context) == [[expected]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("section 5 of the former Act", [["ca:act:I-11.8/sec_5"]]),
        ("section 3 of the new Act", [["sec_3"]]),
        ("section 3 of the other Act", [UNCLEAR]),
    ],
)
def test_an_act_by_the_term_that_the_text_gives_it(text: str, expected: list[list[str]]) -> None:
    terms = (
        f"<Text>In this section, <DefinedTermEn>former Act</DefinedTermEn> means the {ACT} and "
        "<DefinedTermEn>new Act</DefinedTermEn> means the Bank Act.</Text>"
    )
    body = section("2", terms) + section("3", "<Text>x</Text>")
    document = read(("eng/acts/B-1.01.xml", statute(body))).documents[0]
    context = CitationContext("en", ProvisionId.parse(f"{WORK}/sec_3"), document)
    assert leads(text, context) == expected


def test_schedules_in_the_singular() -> None:
    schedules = "".join(
        f"<Schedule><ScheduleFormHeading><Label>SCHEDULE {number}</Label></ScheduleFormHeading></Schedule>"
        for number in ("I", "II", "III")
    )
    document = read(
        ("eng/acts/B-1.01.xml", statute(section("1", "<Text>x</Text>"), tail=schedules))
    ).documents[0]
    context = CitationContext("en", ProvisionId.parse(f"{WORK}/sec_1"), document)
    assert leads("included in Schedule I, II or III", context) == [["sched_I"], ["sched_II"], ["sched_III"]]


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
        ("fr", "Loi sur la taxe d'accise, al. 123(1)a)", [["ca:act:E-15/sec_123/subsec_1/para_a"]]),
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
         "to", "à", "and", "et", ",", "of", "the", "Bank Act", "de la", "Loi sur", "this Act", "[a]", "C.01.001", "é",
         "Article", "IV", "of the definition", "de la définition de", "Act", "in", "au", "thereof", "that Act", "cette loi",
         "SOR/2001-7", "a)", "du", "l’"]
    ),
    max_size=25,
).map(" ".join)  # fmt: skip


@given(
    PIECES,
    st.sampled_from(["en", "fr"]),
    st.sampled_from(["", "/sec_4/subsec_1", "/sched_1/treaty_1/art_2/item_1", "/sec_2/def_act"]),
    st.booleans(),
)
def test_any_text_gives_ordered_spans_that_resolve(
    contexts: dict[str, CitationContext], text: str, language: str, path: str, read: bool
) -> None:
    provision = ProvisionId.parse(f"{WORK}{path}") if path else None
    context = CitationContext(language, provision, contexts[language].document if read else None)
    end = 0
    for citation in pack.find_citations(text, context):
        assert end <= citation.start < citation.end
        assert text[citation.start : citation.end] == citation.text
        end = citation.end
        assert pack.resolve(citation, context)
