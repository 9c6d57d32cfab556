"""Citations in any text: what each means, whether it is held, and how to get what is not."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import pytest

from making import bundle, document, section
from plain_pack import pack
from pykala.answer.citations_in import COURT_NOT_HELD, CitedTarget, citations_in
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.packs.pack import installed
from pykala.stores.embedded.store import EmbeddedStore

DAY = date(2026, 1, 1)
PACKS = {**installed(), "xx": pack}
GAZETTE = "https://gazette.example"
HORSES, INCOME = WorkId("xx:act:1"), WorkId("fi:act:1992/1535")
TOWNS = WorkId("fi:act:2015/410")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedStore]:
    with EmbeddedStore.open(tmp_path_factory.mktemp("library"), writable=True) as opened:
        opened.put(bundle(HORSES, [document(HORSES, "en", [section(HORSES, "1", "Pay.")], "Horse Act")]))
        opened.put(bundle(INCOME, [document(INCOME, "fi", [section(INCOME, "1", "Vero.")], "Tuloverolaki")]))
        both = [document(TOWNS, "fi", [section(TOWNS, "1", "Kunta.")], "Kuntalaki")]
        both.append(document(TOWNS, "sv", [section(TOWNS, "1", "Kommun.")], "Kommunallag"))
        opened.put(bundle(TOWNS, both))
        yield opened


def target(place: str, citation: str, url: str = "", *, held: bool = False) -> CitedTarget:
    return CitedTarget(ProvisionId.parse(place), citation, url, held)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("§ 1 of act 1", target("xx:act:1/sec_1", "Horse Act, § 1", f"{GAZETTE}/xx:act:1#1", held=True)),
        ("§ 9 of act 1", target("xx:act:1/sec_9", "Horse Act, § 9")),
        ("§ 1 of act 2", target("xx:act:2/sec_1", "xx:act:2/sec_1")),
    ],
)
def test_what_a_citation_means_and_whether_it_is_held(
    store: EmbeddedStore, text: str, meant: CitedTarget
) -> None:
    (found,) = citations_in(f"See {text}.", store, PACKS, as_of=DAY)
    assert (found.start, found.end, found.text, found.jurisdiction) == (4, 16, text, "xx")
    assert (found.targets, found.held, found.fetch) == ((meant,), meant.held, "")


def test_a_section_that_an_act_lacks_is_cited_in_a_language_that_the_act_has(store: EmbeddedStore) -> None:
    text = "1 § och 7 § i inkomstskattelagen (1535/1992) och 999 § i kommunallagen (410/2015)"
    cited = [
        one.citation
        for found in citations_in(text, store, PACKS, as_of=DAY, language="sv")
        for one in found.targets
    ]
    assert cited == [
        "Tuloverolaki (1535/1992) 1 §",
        "Tuloverolaki (1535/1992) 7 §",
        "999 § kommunallagen (410/2015)",
    ]


def test_an_act_that_is_not_held_names_the_command_that_fetches_it(store: EmbeddedStore) -> None:
    (found,) = citations_in("section 5 of the Bank Act", store, PACKS, as_of=DAY, language="en")
    assert (found.targets, found.reason, found.fetch) == ((), "not yet loaded", 'pykala fetch ca "Bank Act"')
    (number,) = citations_in("lain (1501/1993) 7 §", store, PACKS, as_of=DAY, language="fi")
    assert (number.held, number.fetch) == (0, 'pykala fetch fi "AVL"')


def test_citations_come_in_the_order_of_the_text_and_never_overlap(store: EmbeddedStore) -> None:
    text = "2016 SCC 27; § 1 of act 1; Article 7 of Directive 2099/12/EU; § 9 of act 1."
    found = citations_in(text, store, PACKS, as_of=DAY, language="en")
    assert [one.text for one in found] == text.rstrip(".").split("; ")
    assert [one.reason for one in found] == [COURT_NOT_HELD, "", "", ""]


def test_only_the_jurisdiction_that_is_asked_for_is_read(store: EmbeddedStore) -> None:
    text = "See 2016 SCC 27, § 1 of act 1 and Article 7 of Directive 2099/12/EU."
    found = citations_in(text, store, PACKS, as_of=DAY, language="en", jurisdiction="xx")
    assert [one.text for one in found] == ["2016 SCC 27", "§ 1 of act 1"]
