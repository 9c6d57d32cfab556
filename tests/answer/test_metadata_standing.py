"""Whether an act stands: a tombstone ends it, and a source in doubt is not quoted as saying that it does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from making import bundle, document, section, since
from plain_pack import PlainPack
from pykala.answer.about_acts.answering import answer_metadata
from pykala.law.answers import Answer, CaveatKind, Outcome
from pykala.law.identifiers import WorkId
from pykala.law.messages import Message
from pykala.law.provisions import Event, Version
from pykala.packs.pack import Pack
from pykala.retrieve.metadata import metadata_question
from pykala.retrieve.question import understand
from pykala.stores.embedded.store import EmbeddedStore

TODAY = date(2026, 1, 1)
PACKS: dict[str, Pack] = {"xx": PlainPack()}
DOUBT = "its publisher says that it has ended, and names no day"
ENDING = WorkId("xx:act:9")
CARTS, MULES, OXEN = (WorkId(f"xx:act:{number}") for number in (1, 2, 3))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[EmbeddedStore]:
    histories = {
        (CARTS, "Carts Act"): (
            Version("", since(1995, 2018), "Carts Act"),
            Version("", since(2018), "Carts Act", event=Event.REPEALED, source_act=ENDING),
        ),
        (MULES, "Mules Act"): (Version("", since(1985), "Mules Act", findings=(Message.in_words(DOUBT),)),),
        (OXEN, "Oxen Act"): (Version("", since(1985), "Oxen Act"),),
    }
    with EmbeddedStore.open(tmp_path, writable=True) as opened:
        for (work, title), versions in histories.items():
            held = document(work, "en", [section(work, "1", "Text.", validity=versions[0].validity)], title)
            opened.put(bundle(work, [replace(held, root=replace(held.root, versions=versions))]))
        yield opened


def asked(text: str, store: EmbeddedStore, as_of: date = TODAY) -> Answer:
    question = understand(text, store, PACKS, as_of=as_of, dated=True)
    found = metadata_question(question, store)
    assert found is not None
    return answer_metadata(found, question, store, PACKS)


def test_a_repealed_act_whose_tombstone_is_held_has_ended(store: EmbeddedStore) -> None:
    answer = asked("Is the Carts Act still in force?", store)
    assert answer.outcome is Outcome.ANSWERED
    assert "was in force until 31 December 2017" in answer.text
    assert answer.support[0].cited.validity.end == date(2018, 1, 1)


def test_before_its_end_it_is_in_force(store: EmbeddedStore) -> None:
    answer = asked("Is the Carts Act still in force?", store, date(2010, 1, 1))
    assert "it ends on 31 December 2017" in answer.text


def test_an_act_in_doubt_is_not_said_to_be_in_force(store: EmbeddedStore) -> None:
    answer = asked("Is the Mules Act still in force?", store)
    assert answer.outcome is Outcome.SILENT
    assert "cannot tell" in answer.text
    assert [caveat.message for caveat in answer.caveats if caveat.kind is CaveatKind.SUSPECT] == [DOUBT]


def test_an_act_without_doubt_is(store: EmbeddedStore) -> None:
    answer = asked("Is the Oxen Act still in force?", store)
    assert (answer.outcome, answer.caveats) == (Outcome.ANSWERED, ())
    assert "is in force on 1 January 2026" in answer.text
