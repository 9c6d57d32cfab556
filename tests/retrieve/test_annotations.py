"""Marginal notes and cross-references are found by their own words."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from making import bundle, cites, document, section
from pykala.law.filters import Filter
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Provision, Version
from pykala.law.references import Unresolved
from pykala.retrieve.annotations import search_annotations
from pykala.stores.embedded.store import EmbeddedStore

WORK = WorkId("xx:act:1")


def noted(number: str, heading: str, text: str) -> Provision:
    return section(WORK, number, versions=[Version(text, heading=heading)])


@pytest.fixture
def store(tmp_path: Path) -> Iterator[EmbeddedStore]:
    sections = [
        noted("1", "Parental benefits", "They are payable for weeks of care, see section 3 of the Bank Act."),
        noted("2", "Refund of duty", "Parental benefits count. Subject to section 1, duty is refunded."),
        noted("3", "Interest", "Interest runs on refunds."),
    ]

    def at(number: str) -> ProvisionId:
        return ProvisionId.parse(f"{WORK}/sec_{number}")

    references = [
        cites(at("2"), at("1"), text="section 1"),
        cites(at("1"), None, text="section 3 of the Bank Act", reason=Unresolved.NOT_LOADED),
    ]
    with EmbeddedStore.open(tmp_path / "library", writable=True) as opened:
        opened.put(bundle(WORK, [document(WORK, "en", sections)], references=references))
        yield opened


@pytest.mark.parametrize(
    ("kind", "query", "found"),
    [
        ("marginal-note", "parental benefits", [("sec_1", "Parental benefits")]),
        ("marginal-note", "refunds", [("sec_2", "Refund of duty")]),
        ("marginal-note", "weeks", []),  # in the words, not in the note
        ("cross-reference", "bank act", [("sec_1", "section 3 of the Bank Act")]),
        ("cross-reference", "section", [("sec_2", "section 1"), ("sec_1", "section 3 of the Bank Act")]),
        ("cross-reference", "interest", []),
    ],
)
def test_only_what_stands_there_is_found(
    store: EmbeddedStore, kind: str, query: str, found: list[tuple[str, str]]
) -> None:
    matches = search_annotations(query, Filter(kinds=frozenset({kind})), store, None, limit=5)
    assert [("/".join(map(str, one.match.provision.path)), one.match.text) for one in matches] == found
    assert all(one.match.kind == kind for one in matches)


def test_other_kinds_still_narrow_the_search(store: EmbeddedStore) -> None:
    kinds = frozenset({"marginal-note", "guidance"})
    assert search_annotations("parental benefits", Filter(kinds=kinds), store, None, limit=5) == ()
