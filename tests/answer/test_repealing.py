"""When an act was repealed: with the words that repealed it, and unsure where these fix no day."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from making import bundle, cites, document, section, since
from pykala.law.answers import CaveatKind, Outcome
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.references import EdgeKind
from pykala.library import Library
from pykala.stores.embedded.store import EmbeddedStore

DAY = date(2026, 1, 1)
OLD, NEW = WorkId("ca:act:H-1"), WorkId("ca:act:H-2")


@pytest.fixture
def library(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Library]:
    old = document(
        OLD, "en", [section(OLD, "1", "Horses are taxed.", validity=since(2000, 2020))], "Horses Act"
    )
    [title] = old.root.versions
    old = replace(old, root=replace(old.root, versions=(replace(title, validity=since(2000, 2020)),)))
    new = document(NEW, "en", [section(NEW, "1", request.param, validity=since(2019))], "Stables Act")
    repeal = cites(
        ProvisionId.parse(f"{NEW}/sec_1"), ProvisionId(OLD), text="Horses Act", kind=EdgeKind.REPEALS
    )
    with EmbeddedStore.open(tmp_path, writable=True) as store:
        store.put(bundle(OLD, [old]))
        store.put(bundle(NEW, [new], references=[repeal]))
    with Library.open(tmp_path) as opened:
        yield opened


@pytest.mark.parametrize(
    "library",
    [
        "The Horses Act is repealed.",
        "The Horses Act is repealed with effect from 1 January 2020.",
        "A stable is kept dry. The Horses Act is repealed. Donkeys are horses.",
        "The Horses Act is repealed. This Act applies from the date of its publication.",
    ],
    indirect=True,
)
def test_the_end_of_an_act_comes_with_the_words_that_repealed_it(library: Library) -> None:
    answer = library.ask("When was the Horses Act repealed?", as_of=DAY)
    assert (answer.outcome, answer.confidence) == (Outcome.ANSWERED, 10.0)
    assert answer.text == "Horses Act was in force until 31 December 2019."
    assert answer.claims[0].text.startswith("The Horses Act is repealed")
    assert answer.claims[0].citations[0].provision == ProvisionId.parse(f"{NEW}/sec_1")


@pytest.mark.parametrize(
    "library",
    ["The Horses Act is repealed with effect from the date of application of this Act."],
    indirect=True,
)
def test_a_day_that_the_repealing_words_leave_open_is_not_stated_as_certain(library: Library) -> None:
    answer = library.ask("When was the Horses Act repealed?", as_of=DAY)
    assert answer.outcome is Outcome.LIKELY
    assert answer.confidence < 9
    assert [one.message for one in answer.caveats if one.kind is CaveatKind.SUSPECT] == [
        "The words that repeal it name no day: that it ended on 2020-01-01 is how this library reads them."
    ]


@pytest.mark.parametrize("library", ["The Horses Act is repealed."], indirect=True)
@pytest.mark.parametrize(
    "question", ["When was the Criminal Code repealed?", "What amended the Income Tax Act in 2020?"]
)
def test_what_is_asked_of_an_act_that_is_not_held_is_told_and_not_raised(
    library: Library, question: str
) -> None:
    answer = library.ask(question, as_of=DAY)
    assert answer.outcome is Outcome.OUTSIDE_CORPUS
    assert "is not in this library" in answer.text
