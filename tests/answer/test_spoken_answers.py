"""Who asks in Finnish, Swedish or French is spoken to in that language: notices, caveats, conflicts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from making import bundle, document, section, since
from plain_pack import pack
from pykala.answer import caveats
from pykala.answer.in_words import dates_in_words
from pykala.answer.open_references import of_references
from pykala.answer.record import answer_json
from pykala.answer.replay import ChangeKind
from pykala.draft.context import context_block
from pykala.draft.verify import verify
from pykala.law.answers import Answer, CaveatKind
from pykala.law.filters import Filter
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.messages import Message
from pykala.law.provisions import Event, Version
from pykala.law.references import EdgeKind, Unresolved, UnresolvedReference
from pykala.law.validity import Validity
from pykala.library import Library
from pykala.library.sample import sample_library
from pykala.packs.pack import installed
from pykala.retrieve.rerank import read_closely
from pykala.retrieve.search import search
from pykala.stores.embedded.store import EmbeddedStore
from pykala.text.phrases import LANGUAGES, say, tell

DAY = date(2026, 6, 1)
#: Words that stand in nearly every English notice and in none of the other languages.
ENGLISH = re.compile(r"(?i)\b(?:the|this|is|was|are|not|of|which|that|library|law|wording|says)\b")
KEY_EMPLOYEE = "fi:act:1995/1551/sec_2/subsec_3"  # a place, which no grade can hide
QUESTIONS = [
    ("fi", "Kuinka kauan henkilöä pidetään avainhenkilönä?"),
    ("fi", "Kuinka kauan avainhenkilöä verotetaan lähdeverolla enintään?"),
    ("fi", "Mikä oli arvonlisäveron alennettu verokanta ennen muutosta?"),
    ("fi", "Mitä säädetään tuloverolain 999 §:ssä?"),
    ("fi", "Mikä on koiravero Saksassa?"),
    ("fi", "Milloin tuloverolaki tuli voimaan?"),
    ("fi", "Kuinka kauan avainhenkilön lähdeveroa voidaan soveltaa?"),
    ("sv", "Hur länge anses en person vara nyckelperson?"),
    ("sv", "Vad är hundskatten i Tyskland?"),
    ("sv", "Vilken momssats gäller för livsmedel?"),
    ("sv", "Vilka lagar ändrades 2020?"),
    ("fr", "Qu'est-ce qu'un petit fournisseur ?"),
    ("fr", "Quelle est la taxe sur les chiens en Allemagne ?"),
    ("fr", "Quel est le taux normal de TVA selon la directive 2006/112/CE ?"),
    ("fr", "Quelles lois ont été modifiées en 2012 ?"),
]


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with Library.open(sample_library(tmp_path_factory.mktemp("cache"), installed())) as library:
        yield library


def spoken(answer: Answer) -> list[str]:
    """What the engine says in an answer, without the names of the law."""
    said = [one.message for one in answer.caveats] + [one.message for one in answer.conflicts]
    if answer.primary is None or answer.strategy == "metadata":
        said.append(answer.text)
    shown = [one.cited for one in answer.support] + ([answer.primary] if answer.primary else [])
    names = sorted({one.citation for one in shown}, key=len, reverse=True)
    for name in names:
        said = [one.replace(name, "…") for one in said]
    return said


@pytest.mark.parametrize(("language", "question"), QUESTIONS)
def test_no_notice_is_in_english(sample: Library, language: str, question: str) -> None:
    answer = sample.ask(question, as_of=None if "ennen" in question else DAY)
    assert answer.language == language
    assert CaveatKind.SAMPLE in {one.kind for one in answer.caveats}
    for message in spoken(answer):
        assert not ENGLISH.search(message), message


def test_the_words_that_tell_english_are_in_every_english_notice(sample: Library) -> None:
    answer = sample.ask("What is the dog tax in Germany?", as_of=DAY)
    assert all(ENGLISH.search(message) for message in spoken(answer))


@pytest.mark.parametrize(
    ("language", "explained"),
    [
        ("en", ("says 84 months", "says 48 months", "prevails (higher rank)")),
        ("fi", (": 84 kuukautta", ": 48 kuukautta", "Etusija on ensin mainitulla (ylemmänasteinen)")),
        ("sv", ("anger 84 månader", "anger 48 månader", "har företräde (högre rang)")),
        ("fr", ("indique 84 mois", "indique 48 mois", "l’emporte (rang supérieur)")),
    ],
)
def test_a_conflict_is_explained_in_the_readers_language_and_recorded_for_programs(
    sample: Library, language: str, explained: tuple[str, ...]
) -> None:
    answer = sample.ask(KEY_EMPLOYEE, as_of=DAY, language=language)
    (conflict,) = answer.conflicts
    assert all(words in conflict.message for words in explained), conflict.message
    assert conflict.reason == "higher rank"
    assert "guidance on it" in {one.relation for one in answer.support}


ACT, AMENDING = WorkId("xx:act:1"), WorkId("xx:act:99")
OF_TIME = {
    CaveatKind.REPEALED: Version("Gone.", since(2010), event=Event.REPEALED, source_act=AMENDING),
    CaveatKind.NOT_YET_IN_FORCE: Version("To come.", Validity.pending(), source_act=AMENDING),
    CaveatKind.HISTORY_UNAVAILABLE: Version("Later.", since(2025), history_unavailable=True),
    CaveatKind.APPLICATION: Version(
        "Now.", since(2000), application="Lakia sovelletaan ensimmäisen kerran vuodelta 2030 toimitettavassa"
        " verotuksessa."
    ),
    CaveatKind.SUSPECT: Version("Now.", since(2000), findings=(Message("finding.old_version"),)),
}  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", OF_TIME)
def test_every_caveat_of_time_is_said_in_each_language(
    tmp_path: Path, kind: CaveatKind, language: str
) -> None:
    with EmbeddedStore.open(tmp_path / "library", writable=True) as store:
        held = section(ACT, "1", versions=(OF_TIME[kind],))
        store.put(bundle(ACT, [document(ACT, "fi", [held], "Hevoslaki")]))
        stored = store.provision(ProvisionId.parse("xx:act:1/sec_1"))
        on = date(2020, 1, 1)
        found = list(caveats.of_provision(stored, "fi", on, store, {"xx": pack}, spoken=language))
    assert [one.kind for one in found] == [kind]
    assert bool(ENGLISH.search(found[0].message)) is (language == "en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_references_languages_and_samples_are_said_in_each_language(sample: Library, language: str) -> None:
    place = ProvisionId.parse("fi:act:1992/1535/sec_124")
    open_ones = [
        UnresolvedReference(place, EdgeKind.CITES, f"{number} §", reason)
        for number, reason in enumerate((*Unresolved, *Unresolved), start=1)
    ]
    found = [
        *of_references(open_ones, spoken=language),
        *caveats.of_library({"edition": "sample"}, spoken=language),
    ]
    stored = sample.store.provision(place, language="fi")
    foreign = caveats.of_provision(stored, "xx", DAY, sample.store, sample.packs, spoken=language)
    found += [one for one in foreign if one.kind is CaveatKind.OTHER_LANGUAGE]
    assert {one.kind for one in found} == {
        CaveatKind.UNRESOLVED_REFERENCE,
        CaveatKind.SAMPLE,
        CaveatKind.OTHER_LANGUAGE,
    }
    for one in found:
        assert bool(ENGLISH.search(one.message)) is (language == "en"), one.message


def test_findings_of_a_draft_are_told_to_the_reader_in_the_readers_language(sample: Library) -> None:
    answer = sample.ask("Mikä on pääomatulon vero?", as_of=DAY)
    context = context_block(answer, sample.store, sample.packs)
    draft = (
        "Pääomatulon vero on 77 prosenttia ja se maksetaan 3 kuukauden kuluessa [L1]. Kuu on juustoa [L77]."
    )
    checked = verify(draft, context.evidence, DAY)
    found = [one.message for claim in checked.claims for one in claim.findings]
    assert all(ENGLISH.search(tell("en", one)) for one in found)
    findings = [tell("fi", one) for one in found]
    assert "Viitatussa tekstissä ei ole lukua 77 prosenttia." in findings
    assert "Aineistossa ei ole viitettä L77." in findings
    assert not any(ENGLISH.search(one) for one in findings)


class Broken:
    """A reranker that cannot be reached."""

    name = "afar"

    def score(self, query: str, texts: object) -> object:
        raise ConnectionError


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Mikä on pääomatulon veroprosentti?", "Järjestys on haun oma"),
        ("Hur stor är skatten på kapitalinkomst?", "Ordningen är sökningens egen"),
        ("Quel est le taux de la taxe sur les produits ?", "L’ordre est celui de la recherche"),
        ("What is the tax rate on capital income?", "The order is that of the search"),
    ],
)
def test_a_reranker_that_fails_is_told_of_in_the_questions_language(
    sample: Library, question: str, said: str
) -> None:
    candidates = search("pääomatulon vero", Filter(), sample.store, None, limit=3)
    assert candidates
    found = read_closely(candidates, Broken(), question)  # type: ignore[arg-type]
    assert found.caveat is not None
    assert found.caveat.message.startswith(said)


def in_english(record: dict[str, Any]) -> str:
    """A record as it was made when every notice was in English."""
    winner = "avainhenkilölaki 2 § 3 mom."
    message = (
        f"{winner} says 84 months, Ulkomaisen avainhenkilön lähdevero, luku 1 says 48 months;"
        f" {winner} prevails (higher rank)."
    )
    for conflict in record["conflicts"]:
        conflict["message"] = message
    for caveat in record["caveats"]:
        caveat["message"] = say("en", "caveat.sample") if caveat["kind"] == "SAMPLE" else message
    return json.dumps(record)


def test_a_record_with_english_notices_has_not_changed_because_they_are_said_in_finnish(
    sample: Library,
) -> None:
    record: dict[str, Any] = answer_json(sample.ask(KEY_EMPLOYEE, as_of=DAY, language="fi"))
    old = in_english(record)
    assert "prevails" in old
    assert sample.replay(old).same
    other_figures = old.replace("says 48 months", "says 36 months")
    found = sample.replay(other_figures)
    assert {change.kind for change in found.changes} == {ChangeKind.CONFLICTS, ChangeKind.CAVEATS}


def test_a_text_of_unknown_dates_is_not_said_to_be_in_force() -> None:
    """As the page has it: nobody knows since when, so nobody can say that it is."""
    said = [dates_in_words(Validity(None, None), language) for language in ("en", "fi", "sv", "fr")]
    assert said == ["dates not known", "voimassaolo ei tiedossa", "tider inte kända", "dates inconnues"]
