"""The read path: what answers must hold, whatever the question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import pykala
from making import bundle, document, section, since
from plain_pack import pack
from pykala.answer.in_words import law_in_words
from pykala.answer.part_chance import chance_of_part
from pykala.ask import Engine, ask
from pykala.law.answers import CaveatKind, Outcome, Relation
from pykala.law.composition import compose
from pykala.law.grades import ANSWERED_FROM, LIKELY_FROM
from pykala.law.identifiers import InvalidIdentifier, ProvisionId, WorkId
from pykala.law.messages import Message
from pykala.law.provisions import DefinedTerm, Event, Provision, ProvisionKind, Version, WorkKind
from pykala.law.validity import Validity
from pykala.library import Library
from pykala.library.sample import sample_library
from pykala.packs.pack import installed
from pykala.retrieve import plan
from pykala.retrieve.candidates import in_other_languages
from pykala.retrieve.options import AskOptions
from pykala.retrieve.question import understand
from pykala.stores.embedded.store import EmbeddedStore


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with Library.open(sample_library(tmp_path_factory.mktemp("cache"), installed())) as library:
        yield library


#: (question, section that answers, words it answers with): everyday words over the sample.
KEY_EMPLOYEES = "How many months can a person be regarded as a key employee in Finland?"
QUESTIONS = [
    (
        "What is the tax rate on capital income above 30 000 euros in Finland?",
        "fi:act:1992/1535/sec_124",
        "34 per cent",
    ),
    (
        "Paljonko pääomatuloista maksetaan veroa, kun niitä on yli 30 000 euroa?",
        "fi:act:1992/1535/sec_124",
        "veroprosentti on 34",
    ),
    ("What is the general VAT rate in Finland?", "fi:act:1993/1501/sec_84", "25.5 per cent"),
    (KEY_EMPLOYEES, "fi:act:1995/1551/sec_2", "84 months"),
    ("Quel est le taux de la TPS ?", "ca:act:E-15/sec_165", "5 %"),
    ("Who is a small supplier?", "ca:act:E-15/sec_148", "30,000"),
    ("How many hours do I need to qualify for employment insurance?", "ca:act:E-5.6/sec_7", "hours of"),
]


@pytest.mark.parametrize(("question", "section_id", "words"), QUESTIONS)
def test_everyday_questions_over_the_sample(
    sample: Library, question: str, section_id: str, words: str
) -> None:
    answer = sample.ask(question, as_of=date(2026, 6, 1))
    assert answer.outcome.quotes
    assert answer.primary is not None
    assert ProvisionId.parse(section_id).contains(answer.primary.provision)
    assert words in answer.primary.text


@pytest.mark.parametrize(
    "question",
    [
        "What is the tax rate in Germany?",
        "What is the capital gains tax in the United States?",
        "Mikä on perintöveron määrä?",
        "What is the penalty for theft?",
        "Quel est le salaire minimum ?",
        "How old must I be to drive a car?",
        "2",
    ],
)
def test_what_the_sample_does_not_say_is_not_answered(sample: Library, question: str) -> None:
    answer = sample.ask(question, as_of=date(2026, 6, 1))
    assert answer.outcome in (Outcome.SILENT, Outcome.OUTSIDE_CORPUS, Outcome.GUIDANCE)
    assert answer.primary is None
    assert not answer.claims


@pytest.mark.parametrize(
    "question",
    [
        "What is the inheritance tax in Finland?",
        "What is the minimum wage in Canada?",
        "What is the property tax rate in Finland?",
    ],
)
def test_what_comes_close_in_the_sample_is_at_most_likely(sample: Library, question: str) -> None:
    answer = sample.ask(question, as_of=date(2026, 6, 1))
    assert answer.outcome is not Outcome.ANSWERED


def test_subsections_that_answer_as_well_are_quoted_together(sample: Library) -> None:
    answer = sample.ask("Is beer taxed at the same low rate as food?", as_of=date(2026, 6, 1))
    assert answer.primary is not None
    assert str(answer.primary.provision) == "fi:act:1993/1501/sec_85"
    instead = [str(one.cited.provision) for one in answer.support if one.relation is Relation.INSTEAD]
    assert not any(one.startswith("fi:act:1993/1501/sec_85") for one in instead)


@pytest.mark.parametrize(("further", "parts"), [("", 0), (" It is " + "very " * 200 + "old.", 2)])
def test_which_part_of_a_long_section_is_meant_is_likely_at_most(
    tmp_path: Path, further: str, parts: int
) -> None:
    work, animals = WorkId("xx:act:1"), ("horse", "mule", "cow")
    rules = [f"A {animal} on a bridge pays a toll of 5 euros.{further}" for animal in animals]
    with EmbeddedStore.open(tmp_path, writable=True) as store:
        store.put(bundle(work, [document(work, "en", [section(work, "2", "", *rules)])]))
        engine = Engine(store, {"xx": pack}, options=AskOptions(grading=False))  # the section is sure
        answer = ask("What toll does an animal pay on a bridge?", engine, as_of=date(2026, 1, 1))
    instead = [one for one in answer.support if one.relation is Relation.INSTEAD]
    assert len(instead) == parts
    assert answer.primary is not None
    assert len(answer.primary.provision.path) == (2 if parts else 1)
    assert answer.outcome is (Outcome.LIKELY if parts else Outcome.ANSWERED)
    if parts:
        grade = chance_of_part(0.0) * answer.evidence[0].score
        assert answer.confidence == pytest.approx(max(LIKELY_FROM, grade))


@pytest.mark.parametrize(
    "question",
    ["What is the small supplier threshold?", "What is the tax rate on capital income in Finland?"],
)
def test_a_part_is_less_sure_than_its_section(sample: Library, question: str) -> None:
    answer = sample.ask(question, as_of=date(2026, 6, 1))
    assert answer.primary is not None
    assert len(answer.primary.provision.path) > 1, "a part is shown"
    assert answer.outcome is Outcome.ANSWERED
    assert ANSWERED_FROM <= answer.confidence < answer.evidence[0].score


@pytest.mark.parametrize(
    ("entered", "day", "outcome"),
    [
        (date(2024, 1, 1), date(2026, 12, 31), Outcome.LIKELY),
        (date(2024, 1, 1), date(2027, 1, 1), Outcome.ANSWERED),
        (None, date(2026, 12, 31), Outcome.ANSWERED),  # nothing that is law on the day is left out
    ],
)
@pytest.mark.parametrize("animals", [("horse",), ("horse", "mule")])
def test_what_is_left_of_a_section_whose_other_parts_apply_later_is_likely_at_most(
    tmp_path: Path, animals: Sequence[str], entered: date | None, day: date, outcome: Outcome
) -> None:
    work, further = WorkId("xx:act:1"), " It is " + "very " * 200 + "old."
    rules = [f"A {animal} on a bridge pays a toll of 5 euros.{further}" for animal in animals]
    whole = section(work, "2", "", *rules, "", heading="Toll of an animal on a bridge")
    later = Version("A report is made of every flood.", since(2027), in_force=entered)
    parts = *whole.children[:-1], replace(whole.children[-1], versions=(later,))
    sections = [replace(whole, children=parts), section(work, "3", "The owner of a barn lists its doors.")]
    with EmbeddedStore.open(tmp_path, writable=True) as store:
        store.put(bundle(work, [document(work, "en", sections, "Bridge Act")]))
        engine = Engine(store, {"xx": pack})
        answer = ask("How much toll does an animal pay on a bridge?", engine, as_of=day)
        cited = ask("§ 2 of act 1", engine, as_of=day)
        asked = ask("How much toll does an animal pay under § 2 of act 1?", engine, as_of=day)
    assert answer.primary is not None
    assert len(answer.primary.provision.path) == 2
    assert asked.outcome is outcome
    assert (asked.confidence < ANSWERED_FROM) == (outcome is Outcome.LIKELY)
    assert answer.outcome is (outcome if len(animals) == 1 else Outcome.LIKELY)
    assert (answer.confidence < ANSWERED_FROM) == (answer.outcome is Outcome.LIKELY)
    assert (cited.outcome, cited.confidence) == (Outcome.ANSWERED, 10.0)
    told = "1 part applies only from 2027-01-01, and is left out: Bridge Act, § 2."
    for one in (answer, cited):
        found = [it.message for it in one.caveats if it.kind is CaveatKind.NOT_YET_APPLICABLE]
        assert found == ([told] if outcome is Outcome.LIKELY else [])


def test_of_later_words_the_earliest_are_shown_and_said_to_be_later(tmp_path: Path) -> None:
    work = WorkId("xx:act:1")
    rules = "A horse on a bridge pays a toll of 4 euros.", "A horse on a bridge pays a toll of 6 euros."
    versions = tuple(
        Version(rule, validity, history_unavailable=True)
        for rule, validity in zip(rules, (since(2017, 2020), since(2020)), strict=True)
    )
    made = section(work, "2", versions=versions)
    with EmbeddedStore.open(tmp_path, writable=True) as store:
        store.put(bundle(work, [document(work, "en", [made])]))
        engine = Engine(store, {"xx": pack}, options=AskOptions(grading=False))
        answer = ask("What toll does a horse pay on a bridge?", engine, as_of=date(2016, 5, 1))
    assert answer.primary is not None
    assert (answer.primary.text, answer.is_later) == (rules[0], True)
    assert "2017-01-01" in law_in_words(answer, "en", "shown")
    assert "in force on" not in law_in_words(answer, "en", "shown")


@pytest.mark.parametrize(
    ("found", "told"),
    [
        (Outcome.ANSWERED, Outcome.LIKELY),
        (Outcome.LIKELY, Outcome.GUIDANCE),
        (Outcome.GUIDANCE, Outcome.GUIDANCE),
        (Outcome.SILENT, Outcome.OUTSIDE_CORPUS),
    ],
)
def test_another_act_than_the_one_named_answers_less_surely(
    sample: Library, monkeypatch: pytest.MonkeyPatch, found: Outcome, told: Outcome
) -> None:
    monkeypatch.setattr(plan, "outcome", lambda graded, known: found)
    engine = sample.engine()
    for named, expected in (("the Criminal Code", told), ("the law", found)):
        text = f"May a person who was convicted of theft under {named} own a firearm?"
        question = understand(text, engine.store, engine.packs, as_of=date(2026, 1, 1), jurisdiction="ca")
        assert plan._outcome(question, (), 1.0, engine) is expected


def test_a_number_that_is_cited_is_found_whatever_its_kind(sample: Library) -> None:
    # The article has points and no paragraphs; people write both alike. What is not held stays as cited.
    assert str(sample.locate("GDPR Article 4(1)")) == "eu:32016R0679/art_4/point_1"
    assert str(sample.locate("GDPR Article 33(1)")) == "eu:32016R0679/art_33/para_1"
    assert str(sample.locate("GDPR Article 4(12)")) == "eu:32016R0679/art_4/para_12", (
        "not held: said as cited"
    )


def test_words_that_announce_what_the_source_lacks_are_never_quoted_as_an_answer(tmp_path: Path) -> None:
    work = WorkId("xx:act:1")
    rules = {"1": "The toll on a bridge is paid by this scale:", "2": "The toll on a ferry is 5 euros."}
    with EmbeddedStore.open(tmp_path, writable=True) as store:
        store.put(bundle(work, [document(work, "en", [section(work, *rule) for rule in rules.items()])]))
        engine = Engine(store, {"xx": pack}, options=AskOptions(grading=False))
        bridge, ferry = (
            ask(f"What is the toll on a {place}?", engine, as_of=date(2026, 1, 1))
            for place in ("bridge", "ferry")
        )
    assert (bridge.outcome, bridge.primary) == (Outcome.GUIDANCE, None)
    assert ferry.outcome is Outcome.ANSWERED


def test_other_definitions_of_a_term_are_named_beside_the_one_quoted(tmp_path: Path) -> None:
    with EmbeddedStore.open(tmp_path, writable=True) as store:
        for number in "12":
            work = WorkId(f"xx:act:{number}")
            place = ProvisionId.parse(f"xx:act:{number}/sec_2")
            made = document(work, "en", [section(work, "2", f"hatter means a maker of hats, {number}.")])
            term = DefinedTerm("hatter", "en", place, ProvisionId(work))
            store.put(bundle(work, [replace(made, terms=(term,))]))
        answer = ask("What is a hatter?", Engine(store, {"xx": pack}), as_of=date(2026, 1, 1))
    assert answer.outcome is Outcome.LIKELY
    assert LIKELY_FROM <= answer.confidence < ANSWERED_FROM
    assert answer.text.startswith("hatter means a maker of hats, 1.")
    instead = [str(one.cited.provision) for one in answer.support if one.relation is Relation.INSTEAD]
    assert instead == ["xx:act:2/sec_2"]


def test_a_definition_is_quoted_from_its_beginning_and_of_no_other_term(tmp_path: Path) -> None:
    more = " ".join(f"Whether felt of sort {number} is a hat, the guild decides." for number in range(20))
    work, place = WorkId("xx:act:1"), ProvisionId.parse("xx:act:1/sec_2")
    made = document(work, "en", [section(work, "2", f"hatter: a maker of hats. {more} What a hatter is.")])
    term = DefinedTerm("hatter", "en", place, ProvisionId(work))
    with EmbeddedStore.open(tmp_path, writable=True) as store:
        store.put(bundle(work, [replace(made, terms=(term,))]))
        answer = ask("What is a hatter?", Engine(store, {"xx": pack}), as_of=date(2026, 1, 1))
    assert answer.text.startswith("hatter: a maker of hats.")

    here = ProvisionId.parse("xx:act:2/sec_2/def_felt-hat")
    other = WorkId("xx:act:2")
    defined = Provision(here, ProvisionKind.DEFINITION, "", (Version("felt hat means a hat of felt."),))
    opening = Provision(here.parent, ProvisionKind.SECTION, "2", (Version("In this Act,"),), (defined,))
    with EmbeddedStore.open(tmp_path / "other", writable=True) as store:
        store.put(bundle(other, [document(other, "en", [opening])]))
        engine = Engine(store, {"xx": pack}, options=AskOptions(grading=False))
        felt, straw = (
            ask(f"What does 'felt {hat}' mean?", engine, as_of=date(2026, 1, 1))
            for hat in ("hat", "straw hat")
        )
    assert (felt.outcome, felt.text) == (Outcome.ANSWERED, "felt hat means a hat of felt. [L1]")
    assert (straw.outcome, straw.primary) == (Outcome.GUIDANCE, None)


def test_a_province_has_law_of_its_own_that_may_differ(sample: Library) -> None:
    whole = sample.ask("What is the small supplier threshold?", as_of=date(2026, 6, 1))
    province = sample.ask("What is the small supplier threshold in Alberta?", as_of=date(2026, 6, 1))
    assert whole.outcome is Outcome.ANSWERED
    assert province.outcome is Outcome.LIKELY
    assert "Alberta" in next(one.message for one in province.caveats if one.kind is CaveatKind.PLACE)


@pytest.mark.parametrize(
    "question", ["Who won the world cup?", "kuinka kuumassa uunissa karjalanpiirakat paistetaan"]
)
def test_what_is_about_no_law_gets_an_empty_hand_and_a_sentence(sample: Library, question: str) -> None:
    answer = sample.ask(question, as_of=date(2026, 6, 1))
    assert answer.outcome in (Outcome.SILENT, Outcome.OUTSIDE_CORPUS)
    assert (answer.primary, answer.support) == (None, ())
    assert answer.text.count(".") == 1


@pytest.mark.parametrize("citation", ["TVL 999 §", "fi:act:1992/1535/sec_999", "TVL 124 § 9 mom."])
def test_a_place_that_is_cited_and_not_held_is_not_answered_by_another(
    sample: Library, citation: str
) -> None:
    answer = sample.ask(citation, as_of=date(2026, 6, 1))
    assert answer.outcome is Outcome.OUTSIDE_CORPUS
    assert answer.primary is None
    assert "Tässä kirjastossa ei ole" in answer.text  # a citation of Finnish law is answered in Finnish


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("What does chapter IV of the GDPR say about how fast a breach must be notified?", "art_33"),
        ("What does chapter VIII of the GDPR say about how fast a breach must be notified?", "art_83"),
        ("Mikä on pääomatulon veroprosentti tuloverolain VI osan mukaan?", "sec_124"),
        ("Under Part IX of the Excise Tax Act, who is a small supplier?", "sec_148"),
    ],
)
def test_a_chapter_that_is_named_says_where_to_look_and_one_of_its_sections_answers(
    sample: Library, question: str, first: str
) -> None:
    answer = sample.ask(question, as_of=date(2026, 6, 1))
    assert str(answer.evidence[0].provision.path[0]) == first
    if first == "art_83":  # nothing in that chapter says how fast
        assert answer.outcome is not Outcome.ANSWERED
    assert answer.primary is None or not str(answer.primary.provision.path[0]).startswith(("cpt", "part"))


def test_a_chapter_that_is_only_cited_is_shown(sample: Library) -> None:
    answer = sample.ask("GDPR chapter IV", as_of=date(2026, 6, 1))
    assert answer.primary is not None
    assert str(answer.primary.provision) == "eu:32016R0679/cpt_IV"


def test_a_bare_citation_speaks_the_language_of_its_law(sample: Library) -> None:
    answer = sample.ask("TVL 124 §", as_of=date(2026, 6, 1))
    assert answer.primary is not None
    assert answer.primary.language == "fi"


@pytest.mark.parametrize("text", ["KHO:2025:46", "KHO 2025:46"])
def test_a_ruling_that_is_only_cited_is_shown_from_its_beginning(sample: Library, text: str) -> None:
    answer = sample.ask(text, as_of=date(2026, 6, 1))
    assert answer.outcome is Outcome.ANSWERED
    assert answer.primary is not None
    assert str(answer.primary.provision) == "fi:kho:2025/46"
    assert answer.claims[0].citations[0].start == 0


def test_an_act_by_its_name_alone_is_told_of_and_not_searched_for(sample: Library) -> None:
    answer = sample.ask("GDPR", as_of=date(2026, 6, 1))
    assert (answer.outcome, answer.primary) == (Outcome.ANSWERED, None)
    assert "6 articles" in answer.text
    assert str(answer.support[0].cited.provision) == "eu:32016R0679"


def test_an_abbreviation_is_no_more_than_the_citation_it_stands_in(sample: Library) -> None:
    def cites_only(text: str) -> bool:
        return understand(text, sample.store, sample.packs, as_of=date(2026, 6, 1)).is_citation

    assert cites_only("GDPR Article 4")
    assert not cites_only("GDPR Article 4: is the address of a customer personal data?")


@pytest.mark.parametrize(
    ("text", "place", "abroad"),
    [
        ("My father lived in Sweden and left me a flat. What tax do I pay?", "fi", True),
        ("My father left me a flat. What tax do I pay?", "fi", False),
        ("I sell from a webshop in Germany. What tax do I charge?", "eu", False),  # one of the Union's own
        ("I sell from a webshop in Germany. What tax do I charge?", "ca", True),
    ],
)
def test_a_country_abroad_is_one_that_is_not_of_the_place(
    sample: Library, text: str, place: str, abroad: bool
) -> None:
    asked = understand(text, sample.store, sample.packs, as_of=date(2026, 6, 1), jurisdiction=place)
    assert asked.abroad is abroad


def test_a_statute_prevails_over_older_guidance_that_disagrees(sample: Library) -> None:
    answer = sample.ask(
        "How many months can a person be regarded as a key employee in Finland?",
        as_of=date(2026, 6, 1),
    )
    assert [(str(one.winner.work), one.loser.work.jurisdiction, one.reason) for one in answer.conflicts] == [
        ("fi:act:1995/1551", "fi", "higher rank")
    ]
    assert CaveatKind.OUTRANKED in {caveat.kind for caveat in answer.caveats}


def test_a_ruling_and_guidance_stand_beside_the_statute_they_apply(sample: Library) -> None:
    statute = sample.store.edges([ProvisionId.parse("fi:kho:2025/46")])
    targets = {str(edge.target.work) for edge in statute}
    assert "fi:act:1993/1501" in targets
    related = sample.related("fi:kho:2025/46", as_of=date(2026, 6, 1), hops=2)
    assert {str(one.provision.work) for one in related.visited} >= {"fi:act:1993/1501"}


DAYS = st.dates(date(1993, 1, 1), date(2030, 1, 1))
WORDS = st.lists(
    st.sampled_from(
        [
            "tax",
            "rate",
            "capital",
            "income",
            "VAT",
            "employee",
            "months",
            "hours",
            "insurance",
            "supplier",
            "groceries",
            "vero",
            "prosentti",
            "pääomatulo",
            "arvonlisävero",
            "taux",
            "taxe",
            "heures",
            "repealed",
            "definition",
            "section",
            "124",
            "30",
            "000",
            "euros",
        ]
    ),
    min_size=1,
    max_size=8,
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(words=WORDS, day=DAYS)
def test_every_quote_is_verbatim_in_a_version_in_force(sample: Library, words: list[str], day: date) -> None:
    answer = sample.ask(" ".join(words), as_of=day)
    excused = {caveat.provision for caveat in answer.caveats if caveat.kind in _NOT_ON_THE_DAY}
    shown = [answer.primary] if answer.primary else []
    for cited in [*shown, *(support.cited for support in answer.support)]:
        assert cited.validity.covers(day) or cited.provision in excused
        if cited.provision not in excused:
            stored = sample.store.provision(cited.provision, as_of=day, language=cited.language)
            assert compose(stored.provision).text == cited.text
    for claim in answer.claims:
        for citation in claim.citations:
            assert answer.primary is not None
            assert answer.primary.text[citation.start : citation.end] == citation.quote
    if not answer.outcome.quotes:
        assert answer.primary is None
        assert answer.claims == ()


_NOT_ON_THE_DAY = {CaveatKind.HISTORY_UNAVAILABLE, CaveatKind.NOT_YET_IN_FORCE}


WORK = WorkId("xx:act:1")


def engine(folder: Path, *versions: Version) -> Engine:
    store = EmbeddedStore.open(folder / "library", writable=True)
    store.put(bundle(WORK, [document(WORK, "en", [section(WORK, "1", versions=versions)], "Horse Act")]))
    return Engine(store, {"xx": pack})


def kinds(engine: Engine, day: date, text: str = "horse tax") -> set[CaveatKind]:
    return {caveat.kind for caveat in ask(text, engine, as_of=day).caveats}


def test_a_repealed_provision_says_so(tmp_path: Path) -> None:
    made = engine(
        tmp_path,
        Version("The horse tax is 5 euros.", since(2000, 2010)),
        Version("[Repealed] horse tax", since(2010), event=Event.REPEALED),
    )
    assert CaveatKind.REPEALED in kinds(made, date(2015, 1, 1))
    assert kinds(made, date(2005, 1, 1)) == set()
    made.store.close()


def test_where_the_source_keeps_no_history_a_later_wording_says_so(tmp_path: Path) -> None:
    made = engine(tmp_path, Version("The horse tax is 9 euros.", since(2010), history_unavailable=True))
    assert kinds(made, date(2005, 1, 1)) == {CaveatKind.HISTORY_UNAVAILABLE}
    assert kinds(made, date(2010, 1, 1)) == set()
    made.store.close()


def test_a_later_wording_stands_before_what_is_beside_the_point_and_is_never_sure(tmp_path: Path) -> None:
    sections = [
        section(
            WORK,
            "1",
            versions=[Version("The horse tax is 9 euros a year.", since(2010), history_unavailable=True)],
        ),
        section(WORK, "2", versions=[Version("A horse may be led on the road at night.", since(2000))]),
    ]
    with EmbeddedStore.open(tmp_path / "library", writable=True) as store:
        store.put(bundle(WORK, [document(WORK, "en", sections, "Horse Act")]))
        made = Engine(store, {"xx": pack})
        for day in (date(2005, 1, 1), date(2012, 1, 1)):
            answer = ask("How much is the horse tax?", made, as_of=day, jurisdiction="xx")
            assert str(answer.evidence[0].provision) == "xx:act:1/sec_1"
        then = ask("How much is the horse tax?", made, as_of=date(2005, 1, 1), jurisdiction="xx")
        assert then.outcome is not Outcome.ANSWERED
        assert then.confidence < ANSWERED_FROM


def test_what_was_not_law_yet_does_not_answer(tmp_path: Path) -> None:
    made = engine(tmp_path, Version("The horse tax is 9 euros.", since(2010)))
    answer = ask("horse tax", made, as_of=date(2010, 1, 1) - timedelta(days=1))
    assert not answer.outcome.quotes
    assert ask("horse tax", made, as_of=date(2010, 1, 1)).outcome.quotes
    cited = ask("§ 1 of act 1", made, as_of=date(2009, 1, 1))
    assert {caveat.kind for caveat in cited.caveats} == {CaveatKind.NOT_YET_IN_FORCE}
    made.store.close()


def test_a_cited_text_that_has_ended_says_so(tmp_path: Path) -> None:
    made = engine(tmp_path, Version("The horse tax is 5 euros.", since(2000, 2010)))
    for text in ("§ 1 of act 1", "xx:act:1/sec_1"):
        assert kinds(made, date(2010, 1, 1), text) == {CaveatKind.REPEALED}
        assert kinds(made, date(2009, 12, 31), text) == set()
    made.store.close()


def test_guidance_is_not_quoted_as_if_it_were_law(tmp_path: Path) -> None:
    guide = WorkId("xx:guide:1")
    issued = Version("The horse tax is 5 euros.", since(2000))
    text = document(guide, "en", [section(guide, "1", versions=[issued])])
    with EmbeddedStore.open(tmp_path / "library", writable=True) as store:
        store.put(bundle(guide, [text], kind=WorkKind.GUIDANCE, authority=60))
        assert kinds(Engine(store, {"xx": pack}), date(2020, 1, 1)) == {CaveatKind.GUIDANCE}


def test_guidance_that_nobody_dated_is_no_answer_for_a_day(tmp_path: Path) -> None:
    guide = WorkId("xx:guide:1")
    undated = Version("The horse tax is 5 euros.", Validity(None, None))
    text = document(guide, "en", [section(guide, "1", versions=[undated])])
    with EmbeddedStore.open(tmp_path / "library", writable=True) as store:
        store.put(bundle(guide, [text], kind=WorkKind.GUIDANCE, authority=60))
        made = Engine(store, {"xx": pack})
        assert ask("How much is the horse tax?", made, as_of=date(2011, 1, 1)).outcome is Outcome.GUIDANCE


def test_a_section_is_in_force_since_its_youngest_part(sample: Library) -> None:
    shown = sample.show("fi:act:1992/1535/sec_124", as_of=date(2026, 6, 1), language="fi").cited
    part = sample.show("fi:act:1992/1535/sec_124/subsec_2", as_of=date(2026, 6, 1), language="fi").cited
    assert "34" in part.text
    assert part.text in shown.text
    assert part.validity.start == date(2016, 1, 1)
    assert (shown.validity.start or date.min) >= date(2016, 1, 1)


def test_the_languages_that_a_work_is_held_in_are_told_rightly(sample: Library) -> None:
    shown = sample.show("fi:act:1992/1535/sec_124", as_of=date(2026, 6, 1), language="fr")
    message = next(one.message for one in shown.caveats if one.kind is CaveatKind.OTHER_LANGUAGE)
    assert "ne contient pas l’acte en français" in message


def test_works_held_in_the_reader_s_language_are_graded_beside_those_that_are_not(sample: Library) -> None:
    engine = sample.engine()
    question = understand(
        "Vem beslutar om kommunens budget och skatten på kapitalinkomst?",
        engine.store, engine.packs, as_of=date(2026, 6, 1), language="sv", jurisdiction="fi",
    )  # fmt: skip
    alone = in_other_languages(question, engine)
    beside = in_other_languages(question, engine, with_rivals=True)
    assert alone
    assert {one.key for one in alone} < {one.key for one in beside}
    answer = sample.ask(question.text, as_of=date(2026, 6, 1), language="sv", jurisdiction="fi")
    shown = [one.provision for one in answer.evidence]
    assert len(shown) == len({*shown}), "no section is listed in two languages"


def test_a_provision_is_not_deleted_with_its_whole_act(tmp_path: Path) -> None:
    made = engine(tmp_path, Version("The horse tax is 5 euros."))
    library = Library(made.store, packs={"xx": pack})
    with pytest.raises(InvalidIdentifier, match="works are removed whole, as xx:act:1"):
        library.delete("xx:act:1/sec_1")
    assert [work.id for work in made.store.works()] == [WORK]
    made.store.close()


def test_suspect_text_says_why(tmp_path: Path) -> None:
    made = engine(
        tmp_path,
        Version(
            "The horse tax is 9 euros.",
            since(2010),
            findings=(Message.in_words("an amendment did not apply"),),
        ),
    )
    assert kinds(made, date(2020, 1, 1)) == {CaveatKind.SUSPECT}
    made.store.close()


def test_the_public_names_are_these() -> None:
    assert sorted(pykala.__all__) == [
        "ActChanges", "Answer", "Caveat", "CaveatKind", "Citation", "CitedProvision", "Claim", "Comparison",
        "Conflict", "ContextBlock", "Cost", "Day", "Found", "History", "InvalidDay", "InvalidIdentifier",
        "Library", "MirrorFault", "NotInForce", "OneOrMany", "Outcome", "ProvisionHandle", "ProvisionId",
        "Related", "Report", "Settings", "SettingsUnreadable", "Shown", "Stage", "Stats", "StoreError",
        "Support", "UnknownPack", "UnknownProvision", "Validity", "Version", "Work", "WorkId", "WorkKind",
        "Written", "__version__", "open", "sample",
    ]  # fmt: skip
    assert all(hasattr(pykala, name) for name in pykala.__all__)
