"""What each element becomes: identifiers, own words, kinds, days in force, links and terms."""
# ruff: noqa: E501 - a case reads better on one line

from __future__ import annotations

import re
from datetime import date

import pytest
from canada_making import place, places, read, read_both, read_english, section, statute, texts
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.completeness.canada import lost_words
from pykala.fetch.xml import parse_xml
from pykala.law.messages import Message
from pykala.law.provisions import Event, ProvisionKind
from pykala.law.references import Unresolved
from pykala.law.validity import ALWAYS, Validity
from pykala.packs.canada import pack
from pykala.packs.canada.identification import read_identification
from pykala.packs.left_out import DESCRIBED, NO_LIST, NO_PICTURE

Kind = ProvisionKind


def test_identifiers_run_down_to_subclauses() -> None:
    document = read_english(
        section(
            "150",
            "<Subsection><Label>(1)</Label><Text>A return</Text><Paragraph><Label>(d)</Label><Text>by a person"
            "</Text><Subparagraph><Label>(ii)</Label><Text>who</Text><Clause><Label>(A)</Label><Text>owes</Text>"
            "<Subclause><Label>(I)</Label><Text>tax</Text></Subclause></Clause></Subparagraph></Paragraph>"
            "<ContinuedSectionSubsection><Text>shall be filed.</Text></ContinuedSectionSubsection></Subsection>",
        )
    )
    assert texts(document) == {
        "sec_150": "",
        "sec_150/subsec_1": "A return",
        "sec_150/subsec_1/para_d": "by a person",
        "sec_150/subsec_1/para_d/subpara_ii": "who",
        "sec_150/subsec_1/para_d/subpara_ii/cl_A": "owes",
        "sec_150/subsec_1/para_d/subpara_ii/cl_A/subcl_I": "tax",
        "sec_150/subsec_1/flush_1": "shall be filed.",
    }
    assert places(document)["sec_150/subsec_1/flush_1"].kind is Kind.FLUSH


def test_headings_hold_sections_whose_identifiers_leave_them_out() -> None:
    document = read_english(
        '<Heading level="1"><Label>PART I</Label><TitleText>Powers</TitleText></Heading>'
        '<Heading level="2"><TitleText>General</TitleText></Heading>'
        + section("1", "<Text>One.</Text>")
        + '<Heading level="1"><Label>PART II</Label><TitleText>Penalties</TitleText></Heading>'
        + section("2", "<Text>Two.</Text>")
    )
    part_one, part_two = document.root.children
    assert [place(part_one), place(part_one.children[0])] == ["part_I", "part_I/head_1"]
    assert [place(child) for child in part_one.children[0].children] == ["sec_1"]
    assert [place(child) for child in part_two.children] == ["sec_2"]
    assert (part_one.kind, part_one.label, part_one.heading) == (Kind.PART, "PART I", "Powers")
    assert part_one.versions[0].validity == ALWAYS
    anchored = [(len(above), place(found)) for above, found in pack.sections(document)]
    assert anchored == [(3, "sec_1"), (2, "sec_2")]


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("the 1<Sup>st</Sup> day", "the 1st day"),
        ("10<Sup>6</Sup> kg of CO<Sub>2</Sub>", "10⁶ kg of CO2"),
        ("section 35(1)<FootnoteRef idref='a'>a</FootnoteRef>, 12", "section 35(1)[a], 12"),
        ("a<LineBreak/>b", "a b"),
        (
            "<Fraction><Numerator>A + B</Numerator><Denominator>C</Denominator></Fraction> × 2",
            "(A + B) / C × 2",
        ),
        ("on the <Leader length='3pc'/> day", "on the … day"),
        ("  spread \n over\tlines ", "spread over lines"),
        ("no<Emphasis style='bold'>thing</Emphasis> glued", "nothing glued"),
        ("10\N{NO-BREAK SPACE}000\N{NARROW NO-BREAK SPACE}$", "10 000 $"),
    ],
)
def test_inline_markup_reads_as_text(markup: str, text: str) -> None:
    assert texts(read_english(section("1", f"<Text>{markup}</Text>")))["sec_1"] == text


def test_definitions_are_named_by_their_english_term_in_both_languages() -> None:
    english = section(
        "2",
        "<Text>In this Act,</Text><Definition><Text><DefinedTermEn>bank</DefinedTermEn> means a bank; "
        "(<DefinedTermFr>banque</DefinedTermFr>)</Text></Definition><Definition><Text><DefinedTermEn>foreign "
        "bank</DefinedTermEn> means</Text><Paragraph><Label>(a)</Label><Text>one abroad. (<DefinedTermFr>banque "
        "étrangère</DefinedTermFr>)</Text></Paragraph></Definition>",
    )
    french = section(
        "2",
        "<Text>Les définitions s’appliquent à la présente loi.</Text><Definition><Text><DefinedTermFr>banque "
        "étrangère</DefinedTermFr></Text><Paragraph><Label>a)</Label><Text>À l’étranger. (<DefinedTermEn>foreign "
        "bank</DefinedTermEn>)</Text></Paragraph></Definition><Definition><Text><DefinedTermFr>banque"
        "</DefinedTermFr> Une banque. (<DefinedTermEn>bank</DefinedTermEn>)</Text></Definition>",
    )
    reading = read_both(english, french)
    en, fr = reading.documents
    assert set(places(en)) == set(places(fr))
    assert texts(fr)["sec_2/def_bank"].startswith("banque Une banque.")
    assert texts(fr)["sec_2/def_foreign-bank/para_a"].startswith("À l’étranger.")
    assert [(term.term, str(term.provision)) for term in fr.terms] == [
        ("banque étrangère", "ca:act:B-1.01/sec_2/def_foreign-bank"),
        ("banque", "ca:act:B-1.01/sec_2/def_bank"),
    ]
    pairs = {(str(pair.first.last), pair.confidence, pair.method) for pair in reading.pairings}
    assert ("def_bank", 1.0, "term") in pairs
    assert ("sec_2", 1.0, "label and place") in pairs


@pytest.mark.parametrize(
    ("opening", "scope"),
    [
        ("In this Act,", ""),
        ("The following definitions apply in this Part.", "/part_I"),
        ("In this section,", "/sec_2"),
        ("Definitions", ""),
    ],
)
def test_a_definition_reaches_as_far_as_its_opening_says(opening: str, scope: str) -> None:
    document = read_english(
        '<Heading level="1"><Label>PART I</Label><TitleText>X</TitleText></Heading>'
        + section(
            "2",
            f"<Text>{opening}</Text><Definition><Text><DefinedTermEn>bank</DefinedTermEn> is one.</Text></Definition>",
        )
    )
    assert [str(term.scope) for term in document.terms] == [f"ca:act:B-1.01{scope}"]


def test_where_labels_differ_order_pairs_and_confidence_falls() -> None:
    english = "".join(section(label, "<Text>word</Text>") for label in ("1", "2.01", "3"))
    french = "".join(section(label, "<Text>mot</Text>") for label in ("1", "2.1", "3"))
    reading = read_both(english, french)
    assert [place(provision) for provision in reading.documents[1].root.children] == [
        "sec_1",
        "sec_2.01",
        "sec_3",
    ]
    assert reading.documents[1].root.children[1].label == "2.1"
    assert [(str(pair.first.last), pair.confidence) for pair in reading.pairings] == [
        ("sec_1", 1.0),
        ("sec_2.01", 0.8),
        ("sec_3", 1.0),
    ]


def test_a_number_that_occurs_twice_gets_a_suffix() -> None:
    document = read_english(section("5", "<Text>a</Text>") + section("5", "<Text>b</Text>"))
    assert texts(document) == {"sec_5": "a", "sec_5.dup2": "b"}


def test_repealed_text_stays_findable() -> None:
    document = read_english(
        section("2 to 23", "<Text><Repealed>[Repealed, 2019, c. 29, s. 377]</Repealed></Text>")
        + section(
            "24",
            "<Text>In this Act,</Text><Definition><Text><DefinedTermEn>chief</DefinedTermEn><Repealed>[Repealed, "
            "2001, c. 9, s. 1]</Repealed></Text></Definition>",
        )
    )
    found = places(document)
    assert texts(document)["sec_2-23"] == "[Repealed, 2019, c. 29, s. 377]"
    assert texts(document)["sec_24/def_chief"] == "chief [Repealed, 2001, c. 9, s. 1]"
    for path in ("sec_2-23", "sec_24/def_chief"):
        version = found[path].versions[0]
        assert (version.event, version.history_unavailable) == (Event.REPEALED, True)


@pytest.mark.parametrize(
    ("attributes", "start", "end", "pending"),
    [
        ('lims:inforce-start-date="2018-08-12"', date(2018, 8, 12), None, False),
        ("", date(2001, 1, 1), None, False),  # from the nearest ancestor that says so
        ('lims:inforce-start-date="2015-01-01" lims:inforce-end-date="2019-09-18"', date(2015, 1, 1), None, False),
        ('in-force="no"', None, None, True),
        ('in-force="9999-01-01" lims:inforce-start-date="2002-12-31"', None, None, True),
        ('in-force="01-01-9999"', None, None, True),
        ('in-force="2015-06-19" lims:inforce-start-date="2014-04-01"', date(2015, 6, 19), None, False),
        ('lims:inforce-start-date="someday"', None, None, False),
    ],
)  # fmt: skip
def test_days_in_force(attributes: str, start: date | None, end: date | None, pending: bool) -> None:
    document = read_english(
        section("1", "<Text>word</Text><Paragraph><Label>(a)</Label><Text>x</Text></Paragraph>", attributes)
    )
    for path in ("sec_1", "sec_1/para_a"):
        validity = places(document)[path].versions[0].validity
        assert validity.is_pending == pending
        if not pending:
            assert (validity.start, validity.end) == (start, end)


def test_words_that_are_newer_than_their_paragraph_begin_on_their_own_day() -> None:
    newer = '<Text lims:inforce-start-date="2026-03-26" lims:fid="1" lims:id="2">four billion dollars</Text>'
    document = read_english(
        section(
            "1",
            f"<Text>Equity of</Text><Paragraph><Label>(a)</Label>{newer}</Paragraph>",
            'lims:inforce-start-date="2023-09-25"',
        )
    )
    found = places(document)
    assert found["sec_1"].versions[0].validity.start == date(2023, 9, 25)
    version = found["sec_1/para_a"].versions[0]
    assert (version.validity.start, version.event, version.history_unavailable) == (
        date(2026, 3, 26),
        Event.AMENDED,
        True,
    )


def _regulation(body: str, year: int) -> bytes:
    whole = (
        statute(body)
        .decode()
        .replace("Statute", "Regulation")
        .replace("<YYYY>1991</YYYY>", f"<YYYY>{year}</YYYY>")
    )
    return (
        whole.replace("<BillHistory><Stages stage='assented-to'>", "<RegistrationDate>")
        .replace("</Stages></BillHistory>", "</RegistrationDate>")
        .encode()
    )


NOTE = "<HistoricalNote><HistoricalNoteSubItem>{}</HistoricalNoteSubItem></HistoricalNote>"


@pytest.mark.parametrize(
    ("year", "attributes", "note", "event", "unavailable"),
    [
        # A regulation's note names what amended it, so one instrument is enough.
        (1990, 'lims:inforce-start-date="2006-03-22"', "SOR/94-145, s. 1", Event.AMENDED, True),
        (2007, 'lims:inforce-start-date="2011-02-10"', "SOR/2011-39, s. 27(F)", Event.AMENDED, True),
        (2003, 'lims:inforce-start-date="2019-03-26" lims:enacted-date="2019-03-26"', "SOR/2019-77, s. 1",
         Event.INSERTED, False),
        # In force with the publisher's record, or on a later day that no note explains: nobody knows.
        (1990, 'lims:inforce-start-date="2006-03-22"', "", Event.ENACTED, True),
        (1990, 'lims:inforce-start-date="2012-01-01"', "", Event.ENACTED, True),
        # Made on record and never amended: it only came into force later.
        (2015, 'lims:inforce-start-date="2016-12-01"', "", Event.ENACTED, False),
        (2015, 'lims:inforce-start-date="2016-12-01" lims:fid="1" lims:id="2"', "", Event.AMENDED, True),
    ],
)  # fmt: skip
def test_what_a_regulation_tells_of_earlier_wordings(
    year: int, attributes: str, note: str, event: Event, unavailable: bool
) -> None:
    inside = "<Text>word</Text><Paragraph><Label>(a)</Label><Text>x</Text></Paragraph>"
    data = _regulation(section("1", inside + (NOTE.format(note) if note else ""), attributes), year)
    document = read(("eng/regulations/SOR-1.xml", data), name="ca:reg:SOR-1").documents[0]
    version = places(document)["sec_1"].versions[0]
    assert (version.event, version.history_unavailable) == (event, unavailable)
    assert places(document)["sec_1/para_a"].versions[0].history_unavailable is unavailable


@pytest.mark.parametrize(
    ("end", "doubtful"), [("2019-09-18", True), ("2015-01-01", True), ("9999-01-01", False), ("", False)]
)
def test_a_text_that_the_publisher_follows_no_more_is_suspect_and_not_repealed(
    end: str, doubtful: bool
) -> None:
    attributes = f'lims:inforce-start-date="2015-01-01" lims:inforce-end-date="{end}"'
    document = read_english(
        section("1", "<Text>word</Text>", attributes) + section("2", "<Text>other</Text>")
    )
    (version,) = places(document)["sec_1"].versions
    assert version.validity.covers(date(2026, 1, 1))
    assert version.findings == (
        (Message.of("finding.record_ends", day=date.fromisoformat(end)),) if doubtful else ()
    )
    assert places(document)["sec_2"].versions[0].findings == ()


@pytest.mark.parametrize(
    ("attributes", "note", "event", "unavailable"),
    [
        ('lims:inforce-start-date="1991-12-13"', "", Event.ENACTED, False),
        ('lims:inforce-start-date="2003-01-01"', "", Event.ENACTED, True),  # older than the record of changes
        ('lims:inforce-start-date="2022-01-01" lims:enacted-date="2021-06-29" lims:fid="1" lims:id="1"', "",
         Event.INSERTED, False),
        ('lims:inforce-start-date="2022-01-01" lims:enacted-date="2021-06-29" lims:fid="1" lims:id="2"', "",
         Event.AMENDED, True),
        ('lims:inforce-start-date="1991-12-13"', "1991, c. 46, s. 1; 2001, c. 9, s. 3", Event.AMENDED, True),
    ],
)  # fmt: skip
def test_what_is_known_of_earlier_wordings(
    attributes: str, note: str, event: Event, unavailable: bool
) -> None:
    history = f"<HistoricalNote><HistoricalNoteSubItem>{note}</HistoricalNoteSubItem></HistoricalNote>"
    document = read_english(section("1", "<Text>word</Text>" + (history if note else ""), attributes))
    version = places(document)["sec_1"].versions[0]
    assert (version.event, version.history_unavailable) == (event, unavailable)
    assert version.observed_at == date(2026, 4, 28)
    if note:
        found = places(document)["sec_1/hist_1"]
        assert (found.kind, found.versions[0].text, found.versions[0].validity) == (
            Kind.HISTORICAL_NOTE, note, ALWAYS,
        )  # fmt: skip


def test_links_have_targets_aliases_or_reasons_and_exact_spans() -> None:
    document = read_english(
        section(
            "1",
            '<Text>See the <XRefExternal reference-type="act" link="I-3.3">Income <Emphasis>Tax</Emphasis> Act'
            '</XRefExternal>, the <XRefExternal reference-type="act">Old Act</XRefExternal>, '
            '<XRefExternal reference-type="standard">CSA B45</XRefExternal> and this '
            '<XRefExternal reference-type="act" link="B-1.01">Bank Act</XRefExternal>.</Text>',
        )
    )
    text = texts(document)["sec_1"]
    found = [(text[ref.start : ref.end], ref.text, ref.target and str(ref.target), ref.alias, ref.reason)
             for ref in document.references]  # fmt: skip
    assert found == [
        ("Income Tax Act", "Income Tax Act", "ca:act:I-3.3", "", None),
        ("Old Act", "Old Act", None, "old act", None),
        ("CSA B45", "CSA B45", None, "", Unresolved.OUTSIDE_CORPUS),
    ]


def test_tables_read_as_markdown_row_by_row_with_links_in_place() -> None:
    document = read_english(
        section(
            "1",
            "<Text>Rates:</Text><TableGroup><table><title>Rates</title><tgroup cols='2'><colspec colname='1'/>"
            "<colspec colname='2'/><thead><row><entry>Item</entry><entry>Rate</entry></row></thead><tbody><row>"
            "<entry morerows='1'>Beer</entry><entry>5% (<XRefExternal reference-type='act' link='E-14'>Excise Act"
            "</XRefExternal>)</entry></row><row><entry>6%</entry></row></tbody></tgroup></table></TableGroup>",
        )
    )
    found = texts(document)
    assert places(document)["sec_1/table_1"].heading == "Rates"
    assert [found[f"sec_1/table_1/row_{row}"] for row in (1, 2, 3)] == [
        "| Item | Rate |\n| --- | --- |",
        "| Beer | 5% (Excise Act) |",
        "| | 6% |",
    ]
    link = document.references[0]
    assert found["sec_1/table_1/row_2"][link.start : link.end] == "Excise Act"


def test_formulas_stay_readable() -> None:
    document = read_english(
        section(
            "1",
            "<Text>The amount is</Text><FormulaGroup><Formula><FormulaText>A × B</FormulaText></Formula>"
            "<FormulaConnector>where</FormulaConnector><FormulaDefinition><FormulaTerm>A</FormulaTerm><Text>is one"
            "</Text></FormulaDefinition></FormulaGroup>",
        )
    )
    assert texts(document)["sec_1/formula_1"] == "A × B where"
    assert places(document)["sec_1/formula_1/term_A"].label == "A"


def test_what_is_not_this_law_in_force_stays_out_of_the_body() -> None:
    related = (
        "<Schedule id='{}'><ScheduleFormHeading type='amending'><TitleText>X</TitleText></ScheduleFormHeading>"
        "<BillPiece><RelatedOrNotInForce><Heading level='5'><TitleText>— 2003, c. 15, s. 1</TitleText></Heading>"
        "<Section><Label>1</Label><Text>Other.</Text></Section></RelatedOrNotInForce></BillPiece></Schedule>"
    )
    document = read_english(
        section("1", "<Text>Own.</Text>"), tail=related.format("RelatedProvs") + related.format("NifProvs")
    )
    found = places(document)
    assert found["sec_1"].versions[0].text == "Own."
    assert found["related_1/rel_1"].kind is Kind.RELATED_PROVISION
    assert found["related_1/rel_1"].heading == "2003, c. 15, s. 1"
    assert found["related_1/rel_1/sec_1"].versions[0].text == "Other."
    assert found["notinforce_1/rel_1/sec_1"].versions[0].validity.is_pending


def test_quoted_sections_are_not_sections_of_the_act() -> None:
    document = read_english(
        section(
            "1",
            "<Text>Section 5 is replaced:</Text><AmendedText>"
            + section("5", "<Text>new</Text>")
            + "</AmendedText>",
        )
    )
    assert places(document)["sec_1/quoted_1/sec_5"].kind is Kind.ITEM


def test_schedules_restart_numbers_under_their_parts_and_hold_treaties() -> None:
    part = "<Heading level='1'><Label>PART {}</Label></Heading>" + section("1", "<Text>{}</Text>")
    document = read_english(
        section("1", "<Text>x</Text>"),
        tail="<Schedule><ScheduleFormHeading><Label>SCHEDULE VI</Label><OriginatingRef>(Section 1)</OriginatingRef>"
        "<TitleText>Lists</TitleText></ScheduleFormHeading><RegulationPiece>"
        + part.format("I", "a") + part.format("III", "b")
        + "</RegulationPiece></Schedule><Schedule><ConventionAgreementTreaty><Heading level='1'><Label>ARTICLE 1"
        "</Label><TitleText>Aim</TitleText></Heading><Provision><Label>1</Label><Text>Peace.</Text></Provision>"
        "</ConventionAgreementTreaty></Schedule>",
    )  # fmt: skip
    found = texts(document)
    assert (found["sched_VI"], found["sched_VI/part_I/sec_1"], found["sched_VI/part_III/sec_1"]) == (
        "(Section 1)", "a", "b",
    )  # fmt: skip
    assert places(document)["sched_2/treaty_1"].kind is Kind.TREATY
    assert places(document)["sched_2/treaty_1/art_1"].kind is Kind.ARTICLE
    assert found["sched_2/treaty_1/art_1/item_1"] == "Peace."


def test_work_facts() -> None:
    reading = read_both(section("1", "<Text>a</Text>"), section("1", "<Text>b</Text>"))
    work = reading.work
    assert work is not None
    assert (str(work.id), work.kind, work.authority, work.issued) == (
        "ca:act:B-1.01",
        "act",
        100,
        date(1991, 12, 13),
    )
    assert work.short_titles == (("en", "Bank Act"), ("fr", "Loi sur les banques"))
    assert "B-1.01" in work.aliases


def test_a_repealed_act_says_so_at_its_root() -> None:
    data = statute(
        "", tail='<Repealed lims:inforce-start-date="2019-08-28">[Repealed, 2019, c. 28, s. 9]</Repealed>'
    )
    reading = read(("eng/acts/B-1.01.xml", data))
    version = reading.documents[0].root.versions[0]
    assert (version.text, version.event) == ("[Repealed, 2019, c. 28, s. 9]", Event.REPEALED)
    assert reading.work is not None
    assert reading.work.validity.end == date(2019, 8, 28)


GOOD = statute(section("1", "<Text>word</Text>"))


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty"),
        (GOOD[:400], "cut short|well-formed"),
        (b"<html/>", "root is <html>"),
        (
            f"<Statute {'xmlns:lims'}='http://justice.gc.ca/lims'><Body/></Statute>".encode(),
            "no Identification",
        ),
        (b"<Statute><Identification/></Statute>", "neither a long nor a short title"),
        (b'<!DOCTYPE x [<!ENTITY a "b">]><Statute>&a;</Statute>', "entit"),
        (b"\0" * 50, "NUL"),
        (b"<Statute>" + b"<a>" * 300 + b"</a>" * 300 + b"</Statute>", "deep|nested"),
    ],
)
def test_a_bad_file_is_refused_by_name_and_the_other_language_is_read(data: bytes, reason: str) -> None:
    alone = read(("eng/acts/B-1.01.xml", data))
    assert (alone.work, alone.documents) == (None, ())
    pair = read(
        ("eng/acts/B-1.01.xml", data), ("fra/lois/B-1.01.xml", statute(section("1", ""), language="fr"))
    )
    assert [document.language for document in pair.documents] == ["fr"]
    assert [refusal.path for refusal in pair.refusals] == ["eng/acts/B-1.01.xml"]
    assert re.search(reason, pair.refusals[0].reason), pair.refusals[0].reason


TAGS = (
    "Section", "Subsection", "Paragraph", "Label", "Text", "Definition", "DefinedTermEn", "Heading", "TitleText",
    "HistoricalNote", "HistoricalNoteSubItem", "TableGroup", "table", "tgroup", "tbody", "row", "entry", "Provision",
    "Schedule", "FormulaGroup", "FormulaDefinition", "FormulaTerm", "XRefExternal", "AmendedText", "List", "Item",
    "MarginalNote", "Repealed", "Unheard", "Footnote", "Group", "GroupHeading", "RelatedOrNotInForce", "Sup",
)  # fmt: skip
WORDS = st.sampled_from(["alpha", "beta", "2", " ", "gamma delta", "«é»"])


def elements() -> st.SearchStrategy[str]:
    leaf = st.builds(lambda tag, word: f"<{tag}>{word}</{tag}>", st.sampled_from(TAGS), WORDS)
    return st.recursive(
        leaf,
        lambda inner: st.builds(
            lambda tag, first, parts, last: f"<{tag}>{first}{'|'.join(parts)}{last}</{tag}>",
            st.sampled_from(TAGS),
            WORDS,
            st.lists(inner, max_size=4),
            WORDS,
        ),
        max_leaves=12,
    )


@settings(max_examples=150, deadline=None)
@given(st.lists(elements(), min_size=1, max_size=4))
def test_any_nesting_is_read_with_unique_identifiers_and_no_exception(parts: list[str]) -> None:
    reading = read(("eng/acts/B-1.01.xml", statute("".join(parts))))
    for document in reading.documents:
        identifiers = [provision.id for provision in document.root.walk()]
        assert len(identifiers) == len(set(identifiers))
    assert reading.documents or reading.refusals


BLOCKS = ("Section", "Subsection", "Paragraph", "Provision", "ContinuedParagraph", "Unheard", "AmendedText")


@settings(max_examples=100, deadline=None)
@given(
    st.recursive(
        WORDS.map(lambda word: f"<Text>{word}</Text>"),
        lambda inner: st.builds(
            lambda tag, parts: f"<{tag}><Label>(a)</Label>{''.join(parts)}</{tag}>",
            st.sampled_from(BLOCKS),
            st.lists(inner, max_size=5),
        ),
        max_leaves=20,
    )
)
def test_no_word_is_lost(body: str) -> None:
    data = statute(f"<Section><Label>1</Label>{body}</Section>")
    document = read(("eng/acts/B-1.01.xml", data)).documents[0]
    assert lost_words(parse_xml(data, "x"), document) == {}


def test_two_subsections_repealed_together_have_one_place_and_a_soft_hyphen_is_no_letter() -> None:
    body = section(
        "4",
        "<Subsection><Label>(1)</Label><Text>A person having sought assist\u00adance.</Text></Subsection>"
        "<Subsection><Label>(4) and (5)</Label><Text><Repealed>[Repealed, 2015, c. 13]</Repealed></Text>"
        "</Subsection>",
    )
    found = texts(read_english(body))
    assert found["sec_4/subsec_1"] == "A person having sought assistance."
    assert "sec_4/subsec_4+5" in found


def test_a_work_of_which_only_tombstones_are_left_has_ended() -> None:
    gone = "<Text><Repealed>[Repealed, SOR/2017-135, s. 1]</Repealed></Text>"
    heading = (
        '<Heading level="1"><TitleText>Short Title</TitleText><Note>[Repealed, SOR/2017-135]</Note></Heading>'
    )
    day = 'lims:inforce-start-date="2017-06-20"'
    body = heading + section("1", gone, day) + section("2", gone, day)
    reading = read(("eng/acts/B-1.01.xml", statute(body)))
    assert reading.work is not None
    assert reading.work.validity == Validity(None, date(2017, 6, 20))
    (document,) = reading.documents
    stones = [
        node for node in document.root.walk() if node.id.path and node.versions and node.versions[0].text
    ]
    assert stones
    assert {node.versions[0].event for node in stones} == {Event.REPEALED}
    standing = read(
        (
            "eng/acts/B-1.01.xml",
            statute(heading + section("1", gone, day) + section("2", "<Text>Stands.</Text>")),
        )
    )
    assert standing.work is not None
    assert standing.work.validity == ALWAYS


@pytest.mark.parametrize(("year", "known"), [("1000", False), ("1867", True), ("1991", True)])
def test_a_day_that_no_act_can_have_is_not_known(year: str, known: bool) -> None:
    whole = statute("<Section><Label>1</Label><Text>Banks.</Text></Section>").replace(
        b"<YYYY>1991", f"<YYYY>{year}".encode()
    )
    head = read_identification(parse_xml(whole, "eng/acts/B-1.01.xml"))
    assert head.issued == (date(int(year), 12, 13) if known else None)


def test_a_picture_is_described_or_marked() -> None:
    described = "<ImageGroup><AlternateText>A triangle.</AlternateText><Image source='a.png'/></ImageGroup>"
    bare = "<ImageGroup><Image source='b.png'/></ImageGroup>"
    formula = f"<FormulaGroup><Formula><FormulaText>{bare}</FormulaText></Formula></FormulaGroup>"
    document = read_english(
        section("1", f"<Text>The symbol is</Text>{described}")
        + section("2", f"<Text>The amount is</Text>{formula}")
        + section("3", "<Text>The rates are as follows:</Text>")
    )
    found = {path: one.versions[-1] for path, one in places(document).items()}
    assert (found["sec_1/image_1"].text, found["sec_1/image_1"].findings) == ("A triangle.", (DESCRIBED,))
    assert (found["sec_2/formula_1"].text, found["sec_2/formula_1"].findings) == ("[…]", (NO_PICTURE,))
    assert found["sec_3"].findings == (NO_LIST,)


def test_a_range_that_was_repealed_is_a_tombstone() -> None:
    gone = "<Text>to (q) <Repealed>[Repealed, SOR/2008-272, s. 16]</Repealed></Text>"
    stands = "<Text>to (q) apply, save (o) <Repealed>[Repealed, SOR/2008-272, s. 16]</Repealed></Text>"
    document = read_english(
        section("1", f"<Paragraph><Label>(n)</Label>{gone}</Paragraph>")
        + section("2", f"<Paragraph><Label>(n)</Label>{stands}</Paragraph>")
    )
    events = {path: one.versions[-1].event for path, one in places(document).items()}
    assert events["sec_1/para_n"] is Event.REPEALED
    assert events["sec_2/para_n"] is Event.ENACTED


@pytest.mark.parametrize(
    "joined", ["or", "<Emphasis style='italic'>or</Emphasis>", " or ", "<Emphasis>ou</Emphasis>"]
)
def test_terms_printed_without_a_space_between_them_stay_apart(joined: str) -> None:
    term = f"<DefinedTermFr>gaz</DefinedTermFr>{joined}<DefinedTermFr>GNC</DefinedTermFr>"
    definition = f"<Definition><Text><DefinedTermEn>gas</DefinedTermEn> burns; ({term})</Text></Definition>"
    document = read_english(section("1", f"<Text>In this Act,</Text>{definition}"))
    word = "ou" if "ou" in joined else "or"
    assert texts(document)["sec_1/def_gas"] == f"gas burns; (gaz {word} GNC)"
    plural = read_english(section("1", "<Text>All <DefinedTermEn>vessel</DefinedTermEn>s and boats.</Text>"))
    assert texts(plural)["sec_1"] == "All vessels and boats."


def test_what_waits_for_a_day_that_it_names_comes_into_force_on_it() -> None:
    """As the Controlled Substances Regulations, which their publisher saw months before their first day."""
    waiting = section("1", "<Text>No person shall sell hats.</Text>", "in-force='no'")
    for day, start in (("October 1, 2026", "2026-10-01"), ("October 1, 2025", "pending")):
        comes = section(
            "2",
            f"<MarginalNote>Coming into force</MarginalNote><Text>This Act comes into force on {day}.</Text>",
        )
        version = places(read_english(waiting + comes))["sec_1"].versions[-1]
        assert (str(version.validity.start) if not version.validity.is_pending else "pending") == start


@pytest.mark.parametrize(
    ("cells", "event"),
    [
        (("367", "<Repealed>[Repealed, SOR/2020-181, s. 1]</Repealed>"), Event.REPEALED),
        (("1496.1", "<Repealed>[Repealed, SOR/99-466, s. 1]</Repealed>", ""), Event.REPEALED),
        (("(2)", "<Repealed>[Repealed, 1996, c. 19, s. 60.1]</Repealed>"), Event.REPEALED),
        (("367", "Port Hood"), Event.ENACTED),
        (("Ontario", "<Repealed>[Repealed, SOR/2020-181, s. 1]</Repealed>"), Event.ENACTED),
        (("367", "<Repealed>[Repealed, SOR/2020-181, s. 1]</Repealed>", "5%"), Event.ENACTED),
    ],
)
def test_a_row_of_which_only_the_number_is_left_was_repealed(cells: tuple[str, ...], event: Event) -> None:
    entries = "".join(f"<entry>{cell}</entry>" for cell in cells)
    columns = "".join(f"<colspec colname='{n}'/>" for n in range(len(cells)))
    table = f"<TableGroup><table><tgroup>{columns}<tbody><row>{entries}</row></tbody></tgroup></table></TableGroup>"
    found = places(read_english(section("1", f"<Text>Harbours:</Text>{table}")))
    assert found["sec_1/table_1/row_1"].versions[-1].event is event


@pytest.mark.parametrize(
    ("label", "start", "note", "event", "lacks"),
    [
        ("10.1", "2018-11-01", "2015, c. 32, s. 10", Event.INSERTED, False),
        ("10.1", "2018-11-01", "2015, c. 32, s. 10; 2018, c. 1, s. 2", Event.AMENDED, True),
        # A whole number may be that of a Part given anew.
        ("10", "2018-11-01", "2015, c. 32, s. 10", Event.ENACTED, True),
        # On the first day of the publisher's record the section may have stood for long.
        ("10.1", "2003-01-01", "1993, c. 32, s. 10", Event.ENACTED, True),
    ],
)
def test_a_section_that_a_later_act_added_had_no_earlier_wording(
    label: str, start: str, note: str, event: Event, lacks: bool
) -> None:
    """PIPEDA, s. 10.1, which a question of 2015 was answered with."""
    body = section(
        label,
        f"<Subsection lims:inforce-start-date='{start}' lims:fid='2' lims:id='2'><Label>(1)</Label>"
        f"<Text>An organization shall report.</Text></Subsection>{NOTE.format(note)}",
        f"lims:inforce-start-date='{start}' lims:fid='1' lims:id='1'",
    )
    version = places(read_english(body))[f"sec_{label}/subsec_1"].versions[-1]
    assert (version.event, version.history_unavailable) == (event, lacks)
