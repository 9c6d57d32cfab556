"""Questions that name a date: the law of that date answers, and the trace says why."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from making import bundle, document, section, since
from plain_pack import pack
from pykala.law.answers import Answer, CaveatKind
from pykala.law.identifiers import WorkId
from pykala.law.provisions import Version
from pykala.law.validity import Validity
from pykala.library import Library
from pykala.stores.embedded.store import EmbeddedStore

ACT = WorkId("xx:act:1")
TODAY = date(2026, 7, 1)


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with EmbeddedStore.open(tmp_path / "library", writable=True) as store:
        yield Library(store, packs={"xx": pack}, today=lambda: TODAY)


def put(library: Library, *versions: Version) -> None:
    library.store.put(bundle(ACT, [document(ACT, "en", [section(ACT, "1", versions=versions)], "Horse Act")]))


def tax(euros: int, validity: Validity, application: str = "") -> Version:
    return Version(f"The horse tax is {euros} euros.", validity, application=application)


def reasons(answer: Answer) -> list[str]:
    facts = [dict(stage.facts) for stage in answer.trace]
    return [str(one["as_of_reason"]) for one in facts if "as_of_reason" in one]


CHAIN = (
    tax(5, since(2000, 2015)),
    tax(7, since(2015, 2020)),
    tax(9, since(2020, 2027)),
    tax(11, since(2027)),
)


@pytest.mark.parametrize(
    ("question", "euros", "as_of"),
    [
        ("How much is the horse tax?", 9, TODAY),
        ("How much was the horse tax in 2014?", 5, date(2014, 12, 31)),
        ("How much was the horse tax in tax year 2015?", 7, date(2015, 12, 31)),
        ("How much was the horse tax before 2020?", 7, date(2019, 12, 31)),
        ("How much was the horse tax as of 1 March 2020?", 9, date(2020, 3, 1)),
        ("How much is the horse tax in force from 1 January 2027?", 11, date(2027, 1, 1)),
        ("How much will the horse tax be next year?", 11, date(2027, 12, 31)),
        ("How much was the horse tax before the reform?", 7, date(2019, 12, 31)),
    ],
)
def test_the_law_of_the_date_named_answers(library: Library, question: str, euros: int, as_of: date) -> None:
    put(library, *CHAIN)
    answer = library.ask(question)
    assert f"{euros} euros" in answer.text
    assert answer.as_of == as_of
    assert bool(reasons(answer)) == (as_of != TODAY)
    assert all(as_of.isoformat() in reason for reason in reasons(answer)[-1:])


def test_a_date_that_the_caller_fixed_wins(library: Library) -> None:
    put(library, *CHAIN)
    answer = library.ask("How much was the horse tax in 2014?", as_of=date(2016, 1, 1))
    assert (answer.as_of, "7 euros" in answer.text, reasons(answer)) == (date(2016, 1, 1), True, [])


def test_a_statute_number_is_no_date(library: Library) -> None:
    put(library, *CHAIN)
    assert library.ask("How much is the horse tax of 1535/1992?").as_of == TODAY


def test_before_a_reform_that_the_library_does_not_hold(library: Library) -> None:
    put(library, tax(5, since(2000)))
    answer = library.ask("How much was the horse tax before the reform?")
    assert "5 euros" in answer.text
    assert CaveatKind.HISTORY_UNAVAILABLE in {caveat.kind for caveat in answer.caveats}


def test_a_wording_that_does_not_apply_to_the_tax_year_yet_gives_way(library: Library) -> None:
    note = "Applied for the first time in the taxation for 2020."
    put(
        library,
        tax(5, Validity(date(2000, 1, 1), date(2019, 6, 1))),
        tax(9, Validity(date(2019, 6, 1)), note),
    )
    answer = library.ask("How much was the horse tax in tax year 2019?")
    assert "5 euros" in answer.text
    (caveat,) = answer.caveats
    assert caveat.kind is CaveatKind.APPLICATION
    assert "applies only from tax year 2020 on; the one before it is shown" in caveat.message
    assert note in caveat.message
    assert "9 euros" in library.ask("How much was the horse tax in tax year 2020?").text
    assert "9 euros" in library.ask("How much was the horse tax in 2019?").text


def test_a_wording_that_reaches_back_to_the_tax_year_is_preferred(library: Library) -> None:
    note = "Applied for the first time in tax year 2020."
    put(
        library,
        tax(5, Validity(date(2000, 1, 1), date(2021, 3, 1))),
        tax(9, Validity(date(2021, 3, 1)), note),
    )
    answer = library.ask("How much was the horse tax in tax year 2020?")
    assert "9 euros" in answer.text
    assert [caveat.kind for caveat in answer.caveats] == [CaveatKind.APPLICATION]
    assert "5 euros" in library.ask("How much was the horse tax in tax year 2019?").text


def test_a_first_wording_that_does_not_apply_yet_is_shown_and_says_so(library: Library) -> None:
    put(library, tax(9, since(2019), "Applied for the first time in tax year 2020."))
    answer = library.ask("How much was the horse tax in tax year 2019?")
    assert "9 euros" in answer.text
    assert "the library holds none before it" in answer.caveats[0].message
