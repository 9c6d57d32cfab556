"""The words with which an act says when it enters into force."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from making import bundle, document, section, since
from pykala.answer.commencing import Commencement, commencing
from pykala.law.composition import compose
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Provision, ProvisionKind, Version
from pykala.stores.embedded.store import EmbeddedStore

ACT = WorkId("xx:act:1")
FIRST, SECOND = date(2015, 5, 1), date(2020, 1, 1)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[EmbeddedStore]:
    with EmbeddedStore.open(tmp_path / "library", writable=True) as opened:
        yield opened


def put(store: EmbeddedStore, *provisions: Provision) -> None:
    store.put(bundle(ACT, [document(ACT, "en", provisions, "Horse Act")]))


def words(found: Commencement | None) -> str:
    assert found is not None
    return compose(found.stored.provision).text[found.start : found.end].strip()


def test_the_sentence_that_names_the_day_is_taken(store: EmbeddedStore) -> None:
    put(
        store,
        section(ACT, "1", "A horse tax is paid. This Act comes into force on 1 January 2020."),
        section(ACT, "2", "Carts are free. This Act comes into force on 1 May 2015. It is short."),
        section(ACT, "3", "This section comes into force on 1 July 2021."),
    )
    found = commencing(ACT, [FIRST], "en", store)
    assert words(found) == "This Act comes into force on 1 May 2015."
    assert found is not None
    assert (found.day, str(found.stored.provision.id)) == (FIRST, "xx:act:1/sec_2")
    other = commencing(ACT, [date(2016, 1, 1)], "en", store)
    assert words(other) == "This section comes into force on 1 July 2021.", "else the last that says so"


def test_a_sentence_without_a_day_has_none(store: EmbeddedStore) -> None:
    put(store, section(ACT, "1", "This Act comes into force on a day that a decree names."))
    found = commencing(ACT, [FIRST], "en", store)
    assert found is not None
    assert found.day is None


def test_the_first_of_the_days_on_which_the_act_says_it_counts(store: EmbeddedStore) -> None:
    said = Version("This Act comes into force on 1 January 2020.", since(2018))
    put(store, section(ACT, "1", versions=[Version("A tax.", since(2010, 2018)), said]))
    found = commencing(ACT, [FIRST, SECOND], "en", store)
    assert found is not None
    assert found.day == SECOND
    assert commencing(ACT, [FIRST], "en", store) is None, "on that day it did not say so"


@pytest.mark.parametrize(
    "provision",
    [
        section(ACT, "1", "A horse tax is paid from 1 May 2015."),
        section(ACT, "1", "The Cart Act comes into force on 1 May 2015."),  # of another act
        section(ACT, "1", "A horse is free three years after the day on which this Act comes into force."),
        Provision(
            ProvisionId.parse("xx:act:1/sec_1"),
            ProvisionKind.AMENDMENT,
            "",
            (Version("This Act comes into force on 1 May 2015."),),
        ),  # words for another act
    ],
)
def test_nothing_is_taken_for_it_that_is_not(store: EmbeddedStore, provision: Provision) -> None:
    put(store, provision)
    assert commencing(ACT, [FIRST], "en", store) is None


def test_an_act_that_is_not_held_says_nothing(store: EmbeddedStore) -> None:
    assert commencing(ACT, [FIRST], "en", store) is None
