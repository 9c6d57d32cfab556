"""Whose law stands beside an answer: that of its own place, and of the Union for a member state."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from making import graded, simple
from pykala.answer.support import places_beside, support_of
from pykala.graph.walk import Visited
from pykala.law.answers import Outcome, Relation
from pykala.law.identifiers import ProvisionId
from pykala.law.references import Edge, EdgeKind, Method
from pykala.packs.pack import installed
from pykala.retrieve.likeness import AskedWords
from pykala.retrieve.place import Ground, Place
from pykala.retrieve.question import Question, understand
from pykala.stores.embedded.store import EmbeddedStore

DAY = date(2026, 1, 1)
PACKS = installed()
TEXT = "Who pays the cart toll?"
WORKS = ("ca", "eu", "fi", "nyc")
NOWHERE = Place()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[EmbeddedStore]:
    with EmbeddedStore.open(tmp_path, writable=True) as opened:
        for place in WORKS:
            opened.put(
                simple(f"{place}:act:1", "A carter pays the cart toll.", "The cart toll is paid yearly.")
            )
        yield opened


def asked(store: EmbeddedStore, place: Place = NOWHERE) -> Question:
    return replace(understand(TEXT, store, PACKS, as_of=DAY, language="en"), place=place)


def beside(
    store: EmbeddedStore, primary: str, question: Question, outcome: Outcome, *visited: Visited
) -> list[tuple[str, Relation]]:
    found = [one for place in WORKS for one in graded(place, 6.0, 4.0)]
    found = [replace(one, coverage=0.7) for one in found]
    shown = store.provision(ProvisionId.parse(f"{primary}:act:1/sec_1"), as_of=DAY, language="en")
    words = AskedWords(TEXT, "en", store.weigh(TEXT, "en"))
    listed = support_of(question, store, PACKS, [shown], found, words, visited, outcome)
    return [(str(one.cited.provision), one.relation) for one, _ in listed]


@pytest.mark.parametrize(
    ("primary", "place", "places"),
    [
        ("ca", Place((), ("ca",), Ground.LANGUAGE), {"ca"}),
        ("fi", Place((), ("fi",), Ground.LANGUAGE), {"fi", "eu"}),
        ("eu", Place((), ("eu",), Ground.LANGUAGE), {"eu"}),
        ("nyc", Place((), ("ca",), Ground.LANGUAGE), {"nyc"}),
        ("ca", Place(("ca", "nyc"), (), Ground.SIGNS), {"ca", "nyc"}),
    ],
)
def test_what_may_be_the_answer_instead_is_law_of_the_same_place(
    store: EmbeddedStore, primary: str, place: Place, places: set[str]
) -> None:
    question = asked(store, place)
    for outcome in (Outcome.LIKELY, Outcome.ANSWERED):
        found = beside(store, primary, question, outcome)
        assert found
        assert {one.partition(":")[0] for one, _ in found} <= places
    shown = store.provision(ProvisionId.parse(f"{primary}:act:1/sec_1"), as_of=DAY, language="en")
    law = {code for code in places_beside(question, shown, PACKS) if code in WORKS}
    assert law == places


def test_where_nothing_tells_the_place_the_best_of_each_is_told_apart_unless_the_answer_is_sure(
    store: EmbeddedStore,
) -> None:
    likely = beside(store, "ca", asked(store), Outcome.LIKELY)
    elsewhere = [one for one, _ in likely if not one.startswith("ca:")]
    assert elsewhere
    assert len(elsewhere) == len({one.partition(":")[0] for one in elsewhere})
    sure = beside(store, "ca", asked(store), Outcome.ANSWERED)
    assert {one.partition(":")[0] for one, _ in sure} == {"ca"}


def test_beside_an_upload_any_law_is_shown(store: EmbeddedStore) -> None:
    store.put(simple("up:file:0123456789abcdef", "Our carts pay no toll."))
    upload = store.provision(ProvisionId.parse("up:file:0123456789abcdef/sec_1"), as_of=DAY, language="en")
    assert {*WORKS} <= places_beside(asked(store), upload, PACKS)


def reached(source: str, target: str, kind: EdgeKind, visited: str) -> Visited:
    ends = ProvisionId.parse(source), ProvisionId.parse(target)
    edge = Edge(kind, *ends, Method.CITATION)
    seed = ends[0] if visited == target else ends[1]
    return Visited(ProvisionId.parse(visited), 0.5, 1, edge, seed)


UNION, NATIONAL, OWN = "eu:act:1/sec_1", "fi:act:1/sec_2", "eu:act:1/sec_2"


@pytest.mark.parametrize(
    ("visit", "place", "relation"),
    [
        # A rule and its exception are of one legal order.
        (reached(UNION, NATIONAL, EdgeKind.EXCEPTS, NATIONAL), Place(), None),
        (reached(NATIONAL, UNION, EdgeKind.EXCEPTS, NATIONAL), Place(("fi", "eu"), (), Ground.SIGNS), None),
        (reached(UNION, OWN, EdgeKind.EXCEPTS, OWN), Place(), Relation.DEPARTED_FROM),
        # Another place's law that refers to this one is shown to those who ask about that place.
        (reached(NATIONAL, UNION, EdgeKind.CITES, NATIONAL), Place(), None),
        (
            reached(NATIONAL, UNION, EdgeKind.CITES, NATIONAL),
            Place((), ("fi",), Ground.LANGUAGE),
            Relation.CITES,
        ),
        (reached(UNION, NATIONAL, EdgeKind.CITES, NATIONAL), Place(), Relation.CITED),
    ],
)
def test_what_is_reached_in_another_legal_order(
    store: EmbeddedStore, visit: Visited, place: Place, relation: Relation | None
) -> None:
    found = beside(store, "eu", asked(store, place), Outcome.ANSWERED, visit)
    relations = [bears for provision, bears in found if bears is not Relation.ALSO_ABOUT]
    assert relations == ([relation] if relation else [])
