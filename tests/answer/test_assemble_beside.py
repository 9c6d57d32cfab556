"""What stands beside an answer, or in place of one, is warned of; how sure an answer is follows its way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from making import bundle, cites, document, section, since
from making import graded as made_up
from plain_pack import pack
from pykala.answer.all_caveats import told_together
from pykala.answer.assemble import answered, unanswered
from pykala.answer.in_words import CERTAIN
from pykala.answer.support import SUPPORT, shown_of
from pykala.ask import Engine, ask
from pykala.law.answers import Answer, Caveat, CaveatKind, Outcome
from pykala.law.grades import LIKELY_FROM, LISTED_FROM
from pykala.law.identifiers import WorkId
from pykala.law.messages import Message
from pykala.law.provisions import Event, ProvisionKind, Version, WorkKind
from pykala.law.references import EdgeKind, Method, Reference
from pykala.law.validity import Validity
from pykala.retrieve.grade import Graded, grade
from pykala.retrieve.likeness import AskedWords
from pykala.retrieve.options import AskOptions
from pykala.retrieve.plan import asked_words, looked_at
from pykala.retrieve.question import Question, understand
from pykala.stores.embedded.store import EmbeddedStore

TODAY = date(2026, 1, 1)
WORK = WorkId("xx:act:5")
WORK_SECTION = section(WORK, "1", "").id
DOUBT = "acts that repealed it may be missing"
FINDINGS = (Message.in_words(DOUBT),)


def without_answer(question: Question, engine: Engine, graded: Sequence[Graded], outcome: Outcome) -> Answer:
    asked, _ = asked_words(question, engine)
    return unanswered(question, engine.store, engine.packs, graded, asked, outcome)


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    doubtful = Version("A carter pays the cart toll at the gate.", since(1985), findings=FINDINGS)
    sections = [section(WORK, "1", "", versions=(doubtful,)), section(WORK, "2", "Mules are free.")]
    with EmbeddedStore.open(tmp_path, writable=True) as store:
        store.put(bundle(WORK, [document(WORK, "en", sections, "Carts Act")]))
        yield Engine(store, {"xx": pack})


@pytest.mark.parametrize(
    ("outcome", "elsewhere"), [(Outcome.GUIDANCE, ""), (Outcome.OUTSIDE_CORPUS, "Germany")]
)
def test_provisions_shown_without_an_answer_carry_their_warnings(
    engine: Engine, outcome: Outcome, elsewhere: str
) -> None:
    text = "Who pays the cart toll?"
    question = understand(text, engine.store, engine.packs, as_of=TODAY)
    question = replace(question, elsewhere=elsewhere)
    graded = grade(looked_at(text, engine, as_of=TODAY)[:1])
    answer = unanswered(
        question, engine.store, engine.packs, graded, asked_words(question, engine)[0], outcome
    )
    shown = answer.support[0].cited
    assert shown.provision == WORK_SECTION
    [warned] = [one for one in answer.caveats if one.kind is CaveatKind.SUSPECT]
    assert warned.message == f"{shown.citation}: {DOUBT}"


def test_a_section_that_was_repealed_is_not_listed(tmp_path: Path) -> None:
    act = WorkId("xx:act:1")
    repealed = Version("Section 2 was repealed.", since(2010), event=Event.REPEALED)
    sections = [section(act, "1", "Mules are free."), section(act, "2", versions=(repealed,))]
    with EmbeddedStore.open(tmp_path / "repealed", writable=True) as store:
        store.put(bundle(act, [document(act, "en", sections)]))
        packs = {"xx": pack}
        question = understand("Are mules free?", store, packs, as_of=TODAY)
        listed = [
            str(shown.provision) for shown, _, _ in shown_of(question, store, packs, made_up("xx", 6.0, 6.0))
        ]
    assert listed == ["xx:act:1/sec_1"]


@pytest.mark.parametrize("outcome", [Outcome.SILENT, Outcome.OUTSIDE_CORPUS])
def test_where_nothing_is_near_nothing_is_listed(engine: Engine, outcome: Outcome) -> None:
    text = "Who pays the cart toll?"
    question = understand(text, engine.store, engine.packs, as_of=TODAY)
    graded = grade(looked_at(text, engine, as_of=TODAY)[:1])
    answer = unanswered(
        question, engine.store, engine.packs, graded, asked_words(question, engine)[0], outcome
    )
    assert (answer.support, answer.caveats) == ((), ())
    assert answer.text.count(".") == 1, "one sentence"


def test_what_is_below_the_floor_is_not_listed(engine: Engine) -> None:
    text = "Who pays the cart toll?"
    question = understand(text, engine.store, engine.packs, as_of=TODAY)
    first = grade(looked_at(text, engine, as_of=TODAY)[:1])[0]
    for least, listed in ((LISTED_FROM, 1), (LISTED_FROM - 0.01, 0)):
        graded = [replace(first, grade=least)]
        answer = unanswered(
            question, engine.store, engine.packs, graded, asked_words(question, engine)[0], Outcome.GUIDANCE
        )
        assert len(answer.support) == listed
        assert answer.outcome is (Outcome.GUIDANCE if listed else Outcome.SILENT), "no list is announced"
        assert len(answer.evidence) == 1, "programs see what was considered"


@pytest.mark.parametrize(("day", "open_ones"), [(date(2005, 1, 1), ["the Horse Act"]), (TODAY, [])])
def test_only_what_the_words_that_are_read_refer_to_is_open(
    tmp_path: Path, day: date, open_ones: list[str]
) -> None:
    versions = (
        Version("Who pays the cart toll is laid down in the Horse Act.", since(2000, 2010)),
        Version("A carter pays the cart toll.", since(2010)),
    )
    made = document(WORK, "en", [section(WORK, "1", versions=versions)])
    reference = Reference(
        WORK_SECTION, EdgeKind.CITES, "the Horse Act", "en", Method.CITATION, alias="horse act"
    )
    with EmbeddedStore.open(tmp_path / "open", writable=True) as store:
        store.put(bundle(WORK, [made], references=[reference]))
        engine = Engine(store, {"xx": pack}, options=AskOptions(grading=False))
        answer = ask("Who pays the cart toll?", engine, as_of=day)
    assert [one.text for one in answer.unresolved] == open_ones


@pytest.fixture
def alike(tmp_path: Path) -> Iterator[Engine]:
    """Three sections on the same thing, all in the same doubt."""
    texts = ("A carter pays the cart toll.", "The cart toll is paid yearly.", "The cart toll is 2 euros.")
    sections = [
        section(WORK, str(number), "", versions=(Version(text, since(1985), findings=FINDINGS),))
        for number, text in enumerate(texts, start=1)
    ]
    with EmbeddedStore.open(tmp_path / "alike", writable=True) as store:
        store.put(bundle(WORK, [document(WORK, "en", sections, "Carts Act")]))
        yield Engine(store, {"xx": pack})


def likely_answer(engine: Engine, grades: Sequence[float]) -> Answer:
    text = "Who pays the cart toll?"
    question = understand(text, engine.store, engine.packs, as_of=TODAY)
    asked = AskedWords(text, "en", engine.store.weigh(text, "en"))
    found = grade(looked_at(text, engine, as_of=TODAY)[:1])
    graded = [replace(one, grade=given) for one, given in zip(found, grades, strict=True)]
    primary = engine.store.provision(graded[0].candidate.section, as_of=TODAY, language="en")
    return answered(question, engine.store, engine.packs, primary, graded, (), asked, Outcome.LIKELY)


def test_a_likely_answer_is_quoted_and_names_what_else_it_may_be(alike: Engine) -> None:
    answer = likely_answer(alike, (6.1, 0.9, 2.0))
    assert (answer.outcome, answer.confidence) == (Outcome.LIKELY, 6.1)
    assert answer.primary is not None
    assert answer.claims[0].citations[0].quote in answer.primary.text
    instead = [one.score for one in answer.support if one.relation == "may be the answer instead"]
    assert instead == [2.0, 0.9], "the likeliest first"


@pytest.mark.parametrize(
    ("kind", "begins"),
    [(ProvisionKind.SECTION, "The carter pays"), (ProvisionKind.DEFINITION, "A cart is a vehicle")],
)
def test_a_definition_is_quoted_from_its_beginning(tmp_path: Path, kind: ProvisionKind, begins: str) -> None:
    words = 12 * "A cart is a vehicle that a mule draws on a road of the town. "
    made = replace(section(WORK, "1", f"{words}The carter pays the cart toll."), kind=kind)
    text, packs = "Who pays the cart toll?", {"xx": pack}
    with EmbeddedStore.open(tmp_path / "long", writable=True) as store:
        store.put(bundle(WORK, [document(WORK, "en", [made], "Carts Act")]))
        question = understand(text, store, packs, as_of=TODAY)
        asked = AskedWords(text, "en", store.weigh(text, "en"))
        primary = store.provision(WORK_SECTION, as_of=TODAY, language="en")
        answer = answered(question, store, packs, primary, (), (), asked, Outcome.ANSWERED)
    assert answer.claims[0].text.startswith(begins)


def test_the_same_caveat_is_said_once(alike: Engine) -> None:
    answer = likely_answer(alike, (6.1, 2.0, 0.9))
    assert answer.primary is not None
    others = "; ".join(one.cited.citation for one in answer.support)
    [warned] = [one for one in answer.caveats if one.kind is CaveatKind.SUSPECT]
    assert warned.provision == answer.primary.provision
    assert warned.message == f"{DOUBT}. The same holds for {others}."
    text = "Who pays the cart toll?"
    question = understand(text, alike.store, alike.packs, as_of=TODAY)
    graded = [replace(one, grade=2.0) for one in grade(looked_at(text, alike, as_of=TODAY)[:1])]
    listed = unanswered(
        question, alike.store, alike.packs, graded, asked_words(question, alike)[0], Outcome.GUIDANCE
    )
    [warned] = [one for one in listed.caveats if one.kind is CaveatKind.SUSPECT]
    assert warned.message == f"{'; '.join(one.cited.citation for one in listed.support)}: {DOUBT}"


def test_what_was_cited_is_certain_whatever_the_search_thinks_of_it(engine: Engine) -> None:
    answer = ask(str(WORK_SECTION), engine, as_of=TODAY)
    assert answer.outcome is Outcome.ANSWERED
    assert answer.confidence == CERTAIN


def test_every_provision_that_a_question_cites_is_shown(engine: Engine) -> None:
    answer = ask("§ 1 of act 5 and § 2 of act 5", engine, as_of=TODAY)
    assert answer.primary is not None
    assert [one.cited.provision for one in answer.support if one.relation == "also asked for"] == [
        section(WORK, "2", "").id
    ]


@pytest.mark.parametrize(("day", "warned"), [(date(2011, 6, 1), True), (date(2017, 12, 4), False)])
def test_what_has_no_first_day_and_was_issued_later_says_so(tmp_path: Path, day: date, warned: bool) -> None:
    work = WorkId("xx:act:7")
    held = document(work, "en", [section(work, "1", "The rate is 34.", validity=Validity())], "A decision")
    made = bundle(work, [held])
    with EmbeddedStore.open(tmp_path / "other", writable=True) as store:
        store.put(replace(made, work=replace(made.work, issued=date(2017, 12, 4))))
        answer = ask("xx:act:7/sec_1", Engine(store, {"xx": pack}), as_of=day)
    found = [one.message for one in answer.caveats if one.kind is CaveatKind.HISTORY_UNAVAILABLE]
    assert found == ([f"This was issued on 2017-12-04: it is later than {day}."] if warned else [])


@pytest.mark.parametrize(("cited", "grades"), [(0, 9.5), (3, 9.5), (8, 9.5)])
def test_no_more_than_five_provisions_stand_beside_an_answer(
    tmp_path: Path, cited: int, grades: float
) -> None:
    texts = [f"A carter pays the cart toll at gate {number}." for number in range(1, 12)]
    sections = [section(WORK, str(number), text) for number, text in enumerate(texts, start=1)]
    with EmbeddedStore.open(tmp_path / "many", writable=True) as store:
        store.put(bundle(WORK, [document(WORK, "en", sections, "Carts Act")]))
        engine = Engine(store, {"xx": pack})
        text = "Who pays the cart toll?"
        question = understand(text, store, engine.packs, as_of=TODAY)
        question = replace(question, cited=tuple(one.id for one in sections[1 : cited + 1]))
        found = grade(looked_at(text, engine, as_of=TODAY)[:1])
        graded = [replace(one, grade=grades, coverage=1.0) for one in found]
        assert len(graded) > SUPPORT + 1
        primary = store.provision(sections[0].id, as_of=TODAY, language="en")
        asked = AskedWords(text, "en", store.weigh(text, "en"))
        answer = answered(question, store, engine.packs, primary, graded, (), asked)
    relations = [one.relation for one in answer.support]
    assert len(relations) == SUPPORT
    assert relations.count("also asked for") == min(cited, SUPPORT), "what was cited comes first"
    assert len({one.cited.provision for one in answer.support}) == SUPPORT, "each section once"


def test_what_a_pack_says_ends_as_a_sentence_before_another_and_names_not_itself() -> None:
    own = Caveat(CaveatKind.SUSPECT, WORK_SECTION, "the page has no date")
    beside = [("Carts Act s 1", own), ("Carts Act s 2", own)]
    [told] = told_together([own], beside, "en", "Carts Act s 1")
    assert told.message == "the page has no date. The same holds for Carts Act s 2."
    [alone] = told_together([own], beside[:1], "en", "Carts Act s 1")
    assert alone.message == "the page has no date"


def test_a_listed_section_shows_the_subdivision_that_speaks_to_the_question(tmp_path: Path) -> None:
    words = ("", "This Part applies to gates.", "A carter pays the cart toll at the gate.", "Mules are free.")
    with EmbeddedStore.open(tmp_path, writable=True) as store:
        store.put(bundle(WORK, [document(WORK, "en", [section(WORK, "1", *words)], "Carts Act")]))
        engine = Engine(store, {"xx": pack})
        text = "Who pays the cart toll?"
        question = understand(text, store, engine.packs, as_of=TODAY)
        graded = [replace(one, grade=2.0) for one in grade(looked_at(text, engine, as_of=TODAY)[:1])]
        answer = without_answer(question, engine, graded, Outcome.GUIDANCE)
    [listed] = answer.support
    assert listed.cited.text == words[2]
    assert listed.cited.provision == WORK_SECTION.child("subsec", "2")
    assert listed.score == 2.0, "the grade of its section"


def test_of_a_ruling_one_place_is_listed(tmp_path: Path) -> None:
    case = WorkId("xx:case:9")
    act = section(WORK, "1", "A carter pays the cart toll at the gate.")
    told = [section(case, "1", "The gate asked for toll."), section(case, "2", "The court read the toll.")]
    applied = [cites(one.id, act.id, kind=EdgeKind.APPLIES) for one in told]
    with EmbeddedStore.open(tmp_path, writable=True) as store:
        store.put(bundle(WORK, [document(WORK, "en", [act], "Carts Act")]))
        ruling = document(case, "en", told, "Case 9")
        store.put(bundle(case, [ruling], references=applied, kind=WorkKind.CASE, authority=80))
        engine = Engine(store, {"xx": pack}, options=AskOptions(grading=False))
        answer = ask("What toll does a carter pay at the gate?", engine, as_of=TODAY)
    assert answer.primary is not None
    assert answer.primary.provision == act.id
    assert [one.cited.provision.work for one in answer.support].count(case) == 1


def test_nothing_is_called_likely_under_what_is_only_related(engine: Engine) -> None:
    question = understand("Is it worth paying the cart toll?", engine.store, {"xx": pack}, as_of=TODAY)
    considered = looked_at("Is it worth paying the cart toll?", engine, as_of=TODAY)
    sure = [replace(one, grade=8.2) for one in grade(considered)]
    answer = without_answer(question, engine, sure, Outcome.GUIDANCE)
    assert answer.support
    assert max(answer.confidence, *(one.score for one in answer.support)) < LIKELY_FROM
