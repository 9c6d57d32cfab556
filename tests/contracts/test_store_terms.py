"""The contract of searching by weighed terms, and of what needs no glossary to be translated."""

from __future__ import annotations

from making import simple
from pykala.law.filters import Filter
from pykala.stores.store import WritableStore


def found(store: WritableStore, terms: dict[str, float], language: str, **filter: object) -> list[str]:
    matches = store.match_terms(terms, language, Filter(**filter), 10)  # type: ignore[arg-type]
    return [str(match.section) for match in matches]


WEIGHED: list[tuple[dict[str, float], list[str]]] = [
    ({"hors": 1.0}, ["1"]),
    ({"hors": 1.0, "carriag": 3.0}, ["2", "1"]),
    ({"hors": 3.0, "carriag": 1.0}, ["1", "2"]),
    ({"hors": 0.0, "carriag": 1.0}, ["2"]),
    ({"horses": 1.0}, []),  # a word as it is written is no term
    ({}, []),
]


def test_terms_count_by_their_weights(store: WritableStore) -> None:
    store.put(simple("ca:act:A-1", "Horses pay.", "Carriages pay."))
    for terms, expected in WEIGHED:
        assert found(store, terms, "en") == [f"ca:act:A-1/sec_{number}" for number in expected], terms


def test_terms_are_those_of_one_language_and_the_filter_decides_first(store: WritableStore) -> None:
    store.put(simple("ca:act:A-1", "village"))
    store.put(simple("ca:act:A-2", "village", language="fr"))
    assert found(store, {"villag": 1.0}, "en") == ["ca:act:A-1/sec_1"]
    assert found(store, {"villag": 1.0}, "fr") == ["ca:act:A-2/sec_1"]
    assert found(store, {"villag": 1.0}, "en", languages=frozenset({"fr"})) == []
    assert found(store, {"villag": 1.0}, "en", jurisdictions=frozenset({"nowhere"})) == []


def test_numbers_need_no_glossary_and_a_language_none_into_itself(store: WritableStore) -> None:
    store.put(simple("fi:act:2000/1", "Vero on 25 prosenttia.", language="fi"))
    terms = store.translations("Är skatten 25 procent enligt 124 §?", "sv", "fi")
    assert {"25%", "124§"} <= set(terms)
    assert all(any(mark.isdigit() for mark in term) for term in terms)
    assert store.translations("Onko vero 25 prosenttia?", "fi", "fi") == {}
