"""An act that governs a question and is not held is named, from what refers to it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from making import bundle, cites, document, section
from pykala.law.answers import Outcome
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.library import Library
from pykala.packs.pack import installed
from pykala.stores.embedded.store import EmbeddedStore

DAY = date(2026, 1, 1)
TAX, CRIMES = WorkId("ca:act:E-15"), WorkId("ca:act:C-46")
RULES = WorkId("ca:act:Z-1")

#: What the law that is held says: on stabling, mostly about the Excise Tax Act; on racing, of many acts.
STABLING = [
    f"A rebate for stabling in case {number} is made as the Excise Tax Act provides." for number in range(12)
]
RACING = [f"A licence for racing in case {number} follows the act named here." for number in range(12)]
FRENCH = [
    f"Le remboursement pour l'étable {number} suit la Loi sur la taxe d'accise." for number in range(12)
]
OWN = ["A farrier must keep a register of every horse that is shod for seven years."]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder: Path = tmp_path_factory.mktemp("governing")
    with EmbeddedStore.open(folder, writable=True) as store:
        english = [section(RULES, str(n), text) for n, text in enumerate([*STABLING, *RACING, *OWN], start=1)]
        french = [section(RULES, str(n), text) for n, text in enumerate(FRENCH, start=1)]
        store.put(
            bundle(
                RULES,
                [
                    document(RULES, "en", english, "Stables Act"),
                    document(RULES, "fr", french, "Loi sur les étables"),
                ],
                references=[*_to_the_tax_act(), *_to_many_acts(), *_elsewhere()],
            )
        )
    with EmbeddedStore.open(folder) as store:
        yield Library(store)


def _at(number: int) -> ProvisionId:
    return ProvisionId.parse(f"{RULES}/sec_{number}")


def _to_the_tax_act():  # type: ignore[no-untyped-def]
    for number in range(1, 13):
        yield cites(_at(number), ProvisionId(TAX), text="Excise Tax Act")
        yield cites(_at(number), ProvisionId(TAX), text="Loi sur la taxe d'accise", language="fr")


def _to_many_acts():  # type: ignore[no-untyped-def]
    for number in range(13, 25):
        yield cites(_at(number), ProvisionId.parse(f"ca:act:R-{number}"), text="Racing Act")


def _elsewhere():  # type: ignore[no-untyped-def]
    """References that make the acts of racing well known, too."""
    for number in range(13, 25):
        for _ in range(25):
            yield cites(_at(25), ProvisionId.parse(f"ca:act:R-{number}"), text="Racing Act")


SAYS = (
    "What speaks of this refers to the Excise Tax Act, which is not in this library (24 references lead to"
    ' it): the answer may stand there. To look for it at its publisher: pykala fetch ca "Excise Tax Act"'
)


def test_what_speaks_of_the_subject_leads_to_the_act_that_governs_it(library: Library) -> None:
    answer = library.ask("Which excise does somebody pay who lets a barn for stabling?", as_of=DAY)
    assert answer.outcome in (Outcome.GUIDANCE, Outcome.OUTSIDE_CORPUS)
    assert answer.text.startswith(SAYS)


def test_it_is_said_in_the_language_of_the_question(library: Library) -> None:
    answer = library.ask("Quelle taxe paie une étable ?", as_of=DAY, language="fr")
    assert "Loi sur la taxe d’accise" in answer.text.replace("'", "’")
    assert "ne se trouve pas dans cette bibliothèque" in answer.text


@pytest.mark.parametrize(
    "question",
    [
        "What does somebody pay who opens a track for racing?",  # what speaks of it refers to many acts
        "What does a farrier pay?",  # what speaks of it refers to none
        "Who won the world cup?",  # nothing speaks of it
        "What is paid for stabling in Finland?",  # of a place where the act is no law
    ],
)
def test_nothing_is_said_where_nothing_leads_to_one_act(library: Library, question: str) -> None:
    answer = library.ask(question, as_of=DAY)
    said = (answer.text, *(caveat.message for caveat in answer.caveats))
    assert not any("the answer may stand there" in one for one in said)


def test_nothing_is_said_beside_words_that_are_quoted(library: Library) -> None:
    answer = library.ask("What rebate for stabling is made in case 3?", as_of=DAY)
    assert answer.outcome.quotes
    assert "stabling" in answer.text
    assert not [one for one in answer.caveats if "the answer may stand there" in one.message]


def test_an_act_that_is_named_and_not_held_comes_with_what_leads_to_it(library: Library) -> None:
    answer = library.ask("What does the Excise Tax Act say of barns?", as_of=DAY)
    assert answer.outcome is Outcome.OUTSIDE_CORPUS
    assert answer.text.startswith(
        "The Excise Tax Act is not in this library. 24 references in this library lead to it."
    )


def test_an_act_to_which_nothing_leads_is_named_without_a_count(library: Library) -> None:
    answer = library.ask("What is theft under the Criminal Code?", as_of=DAY)
    assert answer.text.startswith("The Criminal Code is not in this library. To look for it")
    assert str(CRIMES) in installed()["ca"].facts.titles


@pytest.mark.parametrize(
    ("question", "says"),
    [
        (
            "How high may the rent of a flat be in Ontario?",
            "Ontario makes law of its own, which is not in this library: the answer may stand there.",
        ),
        (
            "Que paie une étable au Québec ?",
            "Québec : cette partie du pays a ses propres lois, qui ne sont pas dans cette bibliothèque",
        ),
    ],
)
def test_a_province_is_told_first_where_the_law_of_the_country_is_not_quoted(
    library: Library, question: str, says: str
) -> None:
    answer = library.ask(question, as_of=DAY)
    assert not answer.outcome.quotes
    assert answer.text.startswith(says)
    assert not [one for one in answer.caveats if "Ontario" in one.message or "Québec" in one.message]
