"""Questions that ask since when law applies are answered by what the law says of its entry into force."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from making import bundle, document, section
from plain_pack import pack
from pykala.ask import Engine, ask
from pykala.law.grades import LIKELY_FROM, shown_grade
from pykala.law.identifiers import WorkId
from pykala.retrieve.question_forms import asks_from_when
from pykala.stores.embedded.store import EmbeddedStore

FROM_WHEN = [
    "From when do the AI Act's rules on high-risk AI systems apply?",
    "high-risk AI obligations start date",
    "When do the rules on bridges begin to apply?",
    "When do the provisions on tolls apply?",
    "When will the new rules come into force?",
    "Mistä päivästä alkaen GDPR:ää sovelletaan?",
    "Milloin tekoälysäädöstä aletaan soveltaa?",
    "Milloin uudet säännökset tulevat voimaan?",
    "Från och med när gäller förordningen?",
    "När börjar AI-förordningen tillämpas?",
    "När träder bestämmelserna i kraft?",
    "À partir de quand le RGPD est-il applicable ?",
    "Quand les nouvelles règles entrent-elles en vigueur ?",
    "date d’application du règlement",
]
OTHERWISE = [
    "When does the right of withdrawal apply?",
    "When can a municipal office holder be suspended from duty?",
    "Milloin työntekijän voi irtisanoa?",
    "milloin yhtiökokouskutsu on toimitettava",
    "När får hyresvärden häva avtalet?",
    "Quand puis-je résilier mon bail ?",
]


@pytest.mark.parametrize("text", FROM_WHEN)
def test_since_when_law_applies_is_asked_in_four_languages(text: str) -> None:
    assert asks_from_when(text)


@pytest.mark.parametrize("text", OTHERWISE)
def test_when_something_may_be_done_is_another_question(text: str) -> None:
    assert not asks_from_when(text)


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("From when do the rules on bridge tolls apply?", True),
        ("Who pays bridge tolls under the rules?", False),
    ],
)
def test_only_such_a_question_is_answered_by_an_entry_into_force(
    tmp_path: Path, text: str, quoted: bool
) -> None:
    work = WorkId("xx:act:1")
    sections = [
        section(work, "1", "The rules on bridge tolls apply from 2 August 2020.", heading="Entry into force"),
        section(work, "2", "Bees are kept behind a fence.", heading="Bees"),
    ]
    with EmbeddedStore.open(tmp_path, writable=True) as store:
        store.put(bundle(work, [document(work, "en", sections, "Roads Act")]))
        found = ask(text, Engine(store, {"xx": pack}), as_of=date(2026, 1, 1), jurisdiction="xx")
    assert str(found.evidence[0].provision) == "xx:act:1/sec_1"
    assert (found.evidence[0].score >= LIKELY_FROM) == quoted


@pytest.mark.parametrize(("grade", "shown"), [(4.97, "4.9"), (4.999, "4.9"), (5.0, "5.0"), (8.99, "8.9")])
def test_what_is_below_a_line_does_not_read_as_on_it(grade: float, shown: str) -> None:
    assert shown_grade(grade) == shown
