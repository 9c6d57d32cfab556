"""Words that leave something to regulations lead to the regulation, or say that it is not held."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from making import bundle, cites, document, section, simple
from pykala.answer.left_open import laid_down, words_that_leave_open
from pykala.law.answers import CaveatKind, Outcome, Relation
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import WorkKind
from pykala.library import Library
from pykala.retrieve.likeness import AskedWords
from pykala.retrieve.question import understand
from pykala.stores.embedded.store import EmbeddedStore

DAY = date(2026, 1, 1)
ACT, RULES, OTHER = WorkId("ca:act:H-1"), WorkId("ca:reg:SOR-1"), WorkId("ca:reg:SOR-2")
FEE = "A stable shall pay any fee of not more than $25 that may be prescribed by regulation."
OPEN = "A farrier shall pay the prescribed fee for a licence to shoe horses."
RULE = "The fee that a stable shall pay is $5 a year."
ELSEWHERE = "The fee that a stable for camels shall pay is $70 a year."


@pytest.mark.parametrize(
    ("language", "text", "words"),
    [
        ("en", FEE, "prescribed"),
        ("en", "The rate shall be set by regulations made under section 5.", "by regulations made"),
        ("en", "The rules are laid down by government decree.", "by government decree"),
        ("en", "The fine is fixed by order of the Minister.", "by order of the Minister"),
        (
            "en",
            "It shall, by means of implementing acts, fix the form.",
            "by means of implementing acts",
        ),
        ("en", "An offence as prescribed in this section is punished by a fine.", ""),
        ("en", "The tax is two per cent.", ""),
        (
            "fi",
            "Maksun suuruudesta säädetään valtioneuvoston asetuksella.",
            "säädetään valtioneuvoston asetuksella",
        ),
        ("fi", "Menettelystä säädetään erikseen.", "säädetään erikseen"),
        ("fi", "Tarkempia säännöksiä tiedoista annetaan asetuksella.", ""),
        ("fi", "Vero on kaksi prosenttia.", ""),
        ("sv", "Närmare bestämmelser utfärdas genom förordning av statsrådet.", "utfärdas genom förordning"),
        ("sv", "Om avgiften föreskrivs särskilt.", "föreskrivs särskilt"),
        ("sv", "Skatten är två procent.", ""),
        ("fr", "Le droit est celui prévu par règlement.", "prévu par règlement"),
        ("fr", "Il paie les droits réglementaires.", "réglementaires"),
        ("fr", "La taxe est de deux pour cent.", ""),
    ],
)
def test_words_that_leave_something_open_are_found(language: str, text: str, words: str) -> None:
    assert words_that_leave_open(text, language) == words


def _library(folder: Path, *, held: bool) -> Library:
    with EmbeddedStore.open(folder, writable=True) as store:
        sections = [section(ACT, "1", FEE, heading="Fee"), section(ACT, "2", OPEN, heading="Licence")]
        store.put(bundle(ACT, [document(ACT, "en", sections, "Horses Act")]))
        store.put(simple("ca:act:A-1", *[f"An animal of kind {n} is kept dry." for n in range(8)]))
        if held:
            own = document(RULES, "en", [section(RULES, "1", RULE, heading="Fee")], "Horses Regulations")
            under = cites(ProvisionId.parse(f"{RULES}/sec_1"), ProvisionId.parse(f"{ACT}/sec_1"))
            store.put(bundle(RULES, [own], references=[under], kind=WorkKind.REGULATION, authority=95))
        camels = document(OTHER, "en", [section(OTHER, "1", ELSEWHERE, heading="Fee")], "Camels Regulations")
        store.put(bundle(OTHER, [camels], kind=WorkKind.REGULATION, authority=95))
    return Library.open(folder)


@pytest.fixture(scope="module")
def with_rules(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with _library(tmp_path_factory.mktemp("held"), held=True) as library:
        yield library


@pytest.fixture(scope="module")
def without_rules(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with _library(tmp_path_factory.mktemp("lacking"), held=False) as library:
        yield library


def test_the_regulation_that_lays_it_down_stands_first_beside_the_act(with_rules: Library) -> None:
    answer = with_rules.ask("What fee shall a stable pay?", as_of=DAY)
    assert answer.primary is not None
    assert answer.primary.provision.work == ACT
    first = answer.support[0]
    assert (first.relation, first.cited.provision.work) == (Relation.LAID_DOWN, RULES)
    assert first.cited.text == RULE
    # Five dollars are what the act allows, no contradiction of it.
    assert not [one for one in answer.caveats if one.kind is CaveatKind.OUTRANKED]
    assert not _left_open(answer.caveats)


@pytest.mark.parametrize(
    ("text", "language", "found"),
    [
        ("What fee shall a stable pay?", "en", True),  # its own words; the act's heading is another
        ("Which licence does a farrier need?", "en", False),
        (
            "Combien paie une écurie par an ?",
            "fr",
            False,
        ),  # words of another language: the heading's are taken
    ],
)
def test_a_regulation_is_searched_with_the_words_of_the_question(
    with_rules: Library, text: str, language: str, found: bool
) -> None:
    store, packs = with_rules.store, with_rules.packs
    question = understand(text, store, packs, as_of=DAY, language=language)
    asked = AskedWords(text, language, store.weigh(text, language))
    leaving = store.provision(ProvisionId.parse(f"{ACT}/sec_2"), as_of=DAY, language="en")
    laid = laid_down(question, leaving, (), asked, store, packs)
    assert (laid is not None and laid[1].work.id == RULES) == found


def test_where_no_regulation_under_the_act_is_held_the_answer_says_so(without_rules: Library) -> None:
    answer = without_rules.ask("Which fee of not more than $25 shall a stable pay?", as_of=DAY)
    assert _left_open(answer.caveats) == [
        "These words leave something to regulations (“prescribed”), and none that lays it down was found in"
        " this library."
    ]
    # A regulation that does not refer to the act lays down nothing for it.
    assert Relation.LAID_DOWN not in {one.relation for one in answer.support}


def test_an_amount_that_is_left_to_regulations_is_likely_at_most(without_rules: Library) -> None:
    answer = without_rules.ask("How much must a farrier pay for a licence to shoe horses?", as_of=DAY)
    assert answer.outcome is not Outcome.ANSWERED
    assert answer.confidence < 9


def _left_open(caveats) -> list[str]:  # type: ignore[no-untyped-def]
    return [one.message for one in caveats if "leave something to regulations" in one.message]
