"""What is said of an act, a decision or a place's law that the library does not hold."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from making import simple
from pykala.answer.lacking import law_not_held, not_held
from pykala.law.answers import Outcome
from pykala.law.provisions import Work
from pykala.library import Library
from pykala.packs.pack import installed
from pykala.retrieve.cites import NotHeld
from pykala.stores.embedded.store import EmbeddedStore
from pykala.stores.forwarding import ForwardingStore
from pykala.stores.store import Store

DAY = date(2026, 1, 1)
GET_FINLAND = "This library holds no law of Finland. To get it: pykala get fi"


@pytest.mark.parametrize(
    ("lacking", "words"),
    [
        (NotHeld("the Horse Act", "horse act"), "The Horse Act is not in this library."),
        (NotHeld("GDPR art. 5", "gdpr"), "GDPR is not in this library."),
        (NotHeld("art. 5", "horse charter"), "The horse charter is not in this library."),
        (
            NotHeld("the Horse Act", "horse act", fetch="pykala fetch horse"),
            "The Horse Act is not in this library. To look for it at its publisher: pykala fetch horse",
        ),
        (
            NotHeld("XYZA s. 30", "xyza", unknown=True),
            "The abbreviation XYZA is not known here: spell it out.",
        ),
        (
            NotHeld("2019 SCC 5", "2019 SCC 5", case=True, fetch="never said"),
            "This library holds no decisions of the court that gave 2019 SCC 5.",
        ),
    ],
)
def test_what_is_lacking_is_named_with_the_command_that_fetches_it(lacking: NotHeld, words: str) -> None:
    assert not_held(lacking, "en") == words


@pytest.mark.parametrize(
    ("places", "language", "words"),
    [
        (("fi",), "en", GET_FINLAND),
        (
            ("fi",),
            "fi",
            "Tässä kirjastossa ei ole kysytyn paikan lainsäädäntöä (Suomi)."
            " Sen voi hakea komennolla pykala get fi",
        ),
        (("fi",), "sv", "Detta bibliotek har ingen lag från Finland. Den kan hämtas med pykala get fi"),
        (
            ("fi",),
            "fr",
            "Cette bibliothèque ne contient pas le droit du lieu demandé (Finlande)."
            " Pour l’obtenir : pykala get fi",
        ),
        (("eu",), "en", "This library holds no law of the European Union. To get it: pykala get eu"),
        (("ca", "fi"), "en", "This library holds no law of Canada and Finland. To get it: pykala get ca fi"),
        (
            ("ca", "fi", "nyc"),
            "en",
            "This library holds no law of Canada, Finland and New York City. To get it: pykala get ca fi nyc",
        ),
        (("zz",), "en", "This library holds no law of zz. To get it: pykala get zz --from FOLDER"),
    ],
)
def test_a_place_whose_law_is_lacking_is_named_with_the_command_that_gets_it(
    places: tuple[str, ...], language: str, words: str
) -> None:
    assert law_not_held(places, language, installed()) == words


class Listening(ForwardingStore):
    """Counts how often the works of a library are listed."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self.listed = 0

    def works(self) -> Iterator[Work]:
        self.listed += 1
        return super().works()


@pytest.fixture
def canada(tmp_path: Path) -> Iterator[Listening]:
    with EmbeddedStore.open(tmp_path, writable=True) as store:
        store.put(simple("ca:act:H-1", "The tax on horses is two per cent a year.", language="en"))
    with EmbeddedStore.open(tmp_path) as store:
        yield Listening(store)


@pytest.mark.parametrize(
    ("question", "more", "says"),
    [
        ("What is the VAT rate in Finland?", {}, GET_FINLAND),
        ("What is the tax on horses?", {"jurisdiction": "fi"}, GET_FINLAND),
        ("What is the tax on horses?", {"home": "fi"}, GET_FINLAND),
        ("What does Kela pay for horses?", {}, GET_FINLAND),  # a sign of Finland, not its name
        ("What does capital income mean in Finland?", {}, GET_FINLAND),
        ("Mikä on Suomen arvonlisäverokanta?", {}, "Sen voi hakea komennolla pykala get fi"),
        ("Vad är momssatsen i Finland?", {}, "Den kan hämtas med pykala get fi"),
        ("Quel est le taux de TVA en Finlande ?", {}, "Pour l’obtenir : pykala get fi"),
        ("What is the VAT rate in Finland and in New York City?", {}, "pykala get fi nyc"),
    ],
)
def test_a_question_about_a_place_that_is_not_held_says_so(
    canada: Listening, question: str, more: dict[str, str], says: str
) -> None:
    answer = Library(canada).ask(question, as_of=DAY, **more)  # type: ignore[arg-type]
    assert (answer.outcome, says in answer.text, answer.support) == (Outcome.OUTSIDE_CORPUS, True, ()), answer


@pytest.mark.parametrize(
    ("question", "listed"),
    [
        ("What is the tax on horses in Canada?", 0),
        ("How are camels and horses fed in Canada?", 0),
        ("What is the tax on horses?", 0),
        ("Wie hoch ist die Hundesteuer in Canada?", 1),  # nothing tells but the list of works
        ("What is the tax rate in Germany?", 0),  # no pack has its law
    ],
)
def test_law_that_is_held_is_not_said_to_be_lacking(canada: Listening, question: str, listed: int) -> None:
    answer = Library(canada).ask(question, as_of=DAY)
    assert ("To get it" in answer.text, canada.listed) == (False, listed), answer


def test_of_several_places_only_the_lacking_are_named(canada: Listening) -> None:
    answer = Library(canada).ask("Who feeds camels?", as_of=DAY, jurisdiction=("ca", "fi"))
    rest = "This library has nothing on most of what the question speaks of."
    assert (answer.outcome, answer.text) == (Outcome.OUTSIDE_CORPUS, f"{GET_FINLAND}\n\n{rest}")
