"""Subjects that one act governs which is not held, and parts of a place with law of their own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date

import pytest

from making import bundle, document, section
from plain_pack import PlainPack
from pykala.ask import Engine, ask
from pykala.law.answers import Answer, CaveatKind, Outcome
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.packs.pack import Pack, installed, read_facts
from pykala.retrieve.cites import NotHeld, title_of
from pykala.retrieve.governed import Governed, governed_by
from pykala.retrieve.place import means_the_whole, names_the_part
from pykala.stores.embedded.store import EmbeddedStore

DAY = date(2026, 1, 1)
HELD, LACKING, OTHER = WorkId("xx:act:1"), WorkId("xx:act:9"), WorkId("xx:act:8")


class HarbourPack(PlainPack):
    facts = replace(
        PlainPack.facts,
        titles={str(LACKING): {"en": "Harbour Act"}, str(OTHER): {"en": "Ferries Act"}},
        governs={str(LACKING): ("harbour due*",), str(OTHER): ("ferry ticket*",)},
        own_law=("Northland*",),
        of_whole=("pilot*",),
    )


PACKS: dict[str, Pack] = {"xx": HarbourPack()}
SAYS = {
    "1": "The invoice of a bridge toll must be kept for seven years.",
    "2": "The invoice of a harbour due must be paid within ten days.",
    "3": "A baker in Northland may sell rye bread on a Sunday.",
    "4": "A baker may sell wheat bread on a Saturday.",
    "5": "A pilot may be on watch for nine hours.",
}


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    folder = tmp_path_factory.mktemp("governed")
    with EmbeddedStore.open(folder, writable=True) as store:
        store.put(
            bundle(HELD, [document(HELD, "en", [section(HELD, *one) for one in SAYS.items()], "Act 1")])
        )
    with EmbeddedStore.open(folder) as store:
        yield Engine(store, PACKS)


def asked(text: str, engine: Engine) -> Answer:
    return ask(text, engine, as_of=DAY, jurisdiction="xx")


def test_another_act_answers_less_surely_what_an_act_governs_that_is_not_held(engine: Engine) -> None:
    toll = asked("How long must the invoice of a bridge toll be kept?", engine)
    assert (toll.outcome, toll.caveats) == (Outcome.ANSWERED, ())
    text = "How long must the invoice of a bridge toll, and harbour dues, be kept?"
    assert asked(text, replace(engine, packs={"xx": PlainPack()})).outcome is Outcome.LIKELY
    kept = asked(text, engine)
    assert kept.outcome is Outcome.GUIDANCE
    assert kept.text.startswith("The Harbour Act governs this, and is not in this library.")
    assert asked("Who may collect harbour dues from foreign yachts in winter?", engine).text.startswith(
        "The Harbour Act governs this, and is not in this library."
    )


def test_what_speaks_of_the_subject_itself_answers_as_surely_as_ever(engine: Engine) -> None:
    paid = asked("Within how many days must the invoice of a harbour due be paid?", engine)
    assert paid.outcome is Outcome.ANSWERED
    assert paid.text.startswith("The invoice of a harbour due must be paid within ten days.")
    (said,) = (one.message for one in paid.caveats if one.kind is CaveatKind.UNRESOLVED_REFERENCE)
    assert said.startswith("The Harbour Act is not in this library.")


def test_nothing_is_said_of_an_act_that_is_held_or_of_another_place(engine: Engine, tmp_path) -> None:  # type: ignore[no-untyped-def]
    text = "Who collects harbour dues?"
    found = governed_by(text, ["xx"], "en", engine.store, PACKS)
    assert found is not None
    assert (found.act.work, found.act.name) == (LACKING, "Harbour Act")
    assert governed_by(text, ["yy"], "en", engine.store, PACKS) is None
    assert governed_by("Who collects tolls?", ["xx"], "en", engine.store, PACKS) is None
    with EmbeddedStore.open(tmp_path, writable=True) as store:
        store.put(
            bundle(OTHER, [document(OTHER, "en", [section(OTHER, "1", "A ferry is a ship.")], "Act 8")])
        )
        both = "Are harbour dues in the price of a ferry ticket?"
        assert governed_by(both, ["xx"], "en", store, PACKS) is None
        assert governed_by("A ferry ticket?", ["xx"], "en", store, PACKS) is None


@pytest.mark.parametrize(
    ("work", "language", "title"),
    [
        (LACKING, "en", "Harbour Act"),
        (LACKING, "sv", "Harbour Act"),  # in the place's own language where it has no other
        (WorkId("fi:act:1993/1501"), "fi", "AVL"),
        (WorkId("fi:act:1900/1"), "fi", ""),
    ],
)
def test_an_act_that_is_not_held_has_its_title_or_its_abbreviation(
    work: WorkId, language: str, title: str
) -> None:
    packs = {**installed(), **PACKS}
    assert title_of(work, language, packs[work.jurisdiction]) == title


def test_to_cite_an_act_is_not_to_speak_of_its_subject() -> None:
    income = Governed(NotHeld("Income Tax Act", "Income Tax Act"), ("income tax*",), ("Income Tax Act",))
    assert income.speaks_of_it("the income tax of a hatter")
    assert not income.speaks_of_it("a return under Part I of the INCOME TAX Act")
    french = Governed(NotHeld("", ""), ("impôt sur le revenu",), ("Loi de l'impôt sur le revenu",))
    assert not french.speaks_of_it("au sens de la Loi de l’impôt sur le revenu")


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("May a baker sell wheat bread on a Saturday?", Outcome.ANSWERED),
        ("In Northland, may a baker sell wheat bread on a Saturday?", Outcome.GUIDANCE),
        # The section names the part itself.
        ("In Northland, may a baker sell rye bread on a Sunday?", Outcome.LIKELY),
        # The question says that it means the law of the whole.
        ("In Northland, for how many hours may a pilot be on watch?", Outcome.LIKELY),
    ],
)
def test_a_part_with_law_of_its_own_is_answered_by_what_speaks_of_it(
    engine: Engine, text: str, outcome: Outcome
) -> None:
    answer = asked(text, engine)
    assert answer.outcome is outcome
    assert ("Northland makes law of its own" in answer.text) is (outcome is Outcome.GUIDANCE)


@pytest.mark.parametrize(
    ("text", "places", "whole"),
    [
        ("I work for a bank in Alberta", ("ca",), True),
        ("une banque au Québec", (), True),
        ("the GST on bread in Alberta", ("ca",), True),  # a subject that one of its acts governs
        ("a bakery in Alberta", ("ca",), False),
        ("an embankment in Alberta", ("ca",), False),
        ("I work for a bank in Turku", ("fi",), False),
    ],
)
def test_words_by_which_the_law_of_the_whole_is_meant(
    text: str, places: tuple[str, ...], *, whole: bool
) -> None:
    assert means_the_whole(text, places, installed()) is whole


def test_a_part_is_named_in_any_of_its_forms() -> None:
    assert names_the_part("veroa Ahvenanmaan maakunnassa", "Ahvenanmaalla", installed())
    assert not names_the_part("a court in Ontario", "Alberta", installed())


@pytest.mark.parametrize("code", sorted(installed()))
def test_acts_that_govern_a_subject_have_a_title_and_words_that_can_be_found(code: str) -> None:
    facts = read_facts(installed()[code].facts.package)
    for work, words in facts.governs.items():
        assert ProvisionId.parse(work).work.jurisdiction == code
        assert facts.titles.get(work), work
        assert len({*words}) == len(words), work
    every = [*facts.of_whole, *(word for words in facts.governs.values() for word in words)]
    assert [word for word in every if "*" in word[:-1]] == [], "a star may only stand at the end"
