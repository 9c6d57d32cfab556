"""A record asked again: the same library gives the same answer, and every change is named with its reason."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from making import bundle, document, section, simple, since
from plain_pack import pack
from pykala.answer.record import answer_json
from pykala.answer.replay import (
    ChangeKind,
    RecordUnreadable,
    library_fingerprint,
    read_record,
    replay_json,
)
from pykala.law.bundles import Bundle
from pykala.law.identifiers import WorkId
from pykala.law.provisions import Event, Version
from pykala.library import Library
from pykala.library.sample import sample_library
from pykala.packs.pack import installed
from pykala.stores.embedded.store import EmbeddedStore

DAY = date(2026, 6, 1)
FERRY, HARBOUR = WorkId("xx:act:1"), WorkId("xx:act:2")
QUESTION = "What does the licence of a ferry cost?"
FEE = "The licence of a ferry costs {} euros."


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with Library.open(sample_library(tmp_path_factory.mktemp("cache"), installed())) as library:
        yield library


@pytest.fixture
def ferry(tmp_path: Path) -> Iterator[Library]:
    """A library of two acts that can be changed under a record."""
    with EmbeddedStore.open(tmp_path / "library", writable=True) as store:
        store.put(simple(str(FERRY), FEE.format(40), "A ferry carries lifebelts."))
        store.put(simple(str(HARBOUR), "A harbour is open by day."))
        yield Library(store, packs={"xx": pack})


def recorded(library: Library, question: str = QUESTION) -> str:
    answer = library.ask(question, as_of=DAY)
    return json.dumps(answer_json(answer, library=library_fingerprint(library.store)))


def kinds(library: Library, record: str) -> list[ChangeKind]:
    return [change.kind for change in library.replay(record).changes]


@pytest.mark.parametrize(
    "question",
    [
        "What is the tax rate on capital income above 30 000 euros in Finland?",
        "Kuinka monta kuukautta avainhenkilön palkkaa verotetaan lähdeverolla?",
        "Quel est le taux de la TPS ?",
        "TVL 124 § 2 mom",
        "What is the inheritance tax in Finland?",
        "What is the tax rate in Germany?",
        "What was the general VAT rate in Finland in 2020?",
        "What was the general VAT rate in Finland before the reform?",
    ],
)
def test_on_the_same_library_nothing_changes(sample: Library, question: str) -> None:
    found = sample.replay(json.dumps(answer_json(sample.ask(question))))
    assert (found.changes, found.notes) == ((), ())


def test_another_wording_is_named_with_its_day_and_act(ferry: Library) -> None:
    record = recorded(ferry)
    amended = [
        Version(FEE.format(40), since(2000, 2020)),
        Version(FEE.format(60), since(2020), event=Event.AMENDED, source_act=HARBOUR),
    ]
    ferry.store.put(_with(section(FERRY, "1", versions=amended)))
    found = ferry.replay(record)
    assert not found.same
    change = next(one for one in found.changes if one.kind is ChangeKind.WORDING)
    assert (FEE.format(40), FEE.format(60)) == (change.before, change.after)
    assert "2020-01-01" in change.message
    assert "amended by xx:act:2" in change.message
    assert [note.kind for note in found.notes] == [ChangeKind.LIBRARY]


def test_a_wording_that_ended_is_not_in_force(ferry: Library) -> None:
    record = recorded(ferry)
    ended = [Version(FEE.format(30), since(2000, 2020))]
    ferry.store.put(_with(section(FERRY, "1", versions=ended)))
    assert ChangeKind.NOT_IN_FORCE in kinds(ferry, record)
    assert ChangeKind.OUTCOME in kinds(ferry, record)


def test_a_work_that_is_gone_takes_its_provisions_along(ferry: Library) -> None:
    record = recorded(ferry)
    ferry.store.delete(FERRY)
    found = ferry.replay(record)
    assert {ChangeKind.GONE, ChangeKind.OUTCOME, ChangeKind.PRIMARY} <= {one.kind for one in found.changes}
    gone = next(one for one in found.changes if one.kind is ChangeKind.GONE)
    assert gone.provision == "xx:act:1/sec_1"


def test_a_new_provision_that_ranks_first_is_named_with_the_old_ones_rank(ferry: Library) -> None:
    record = recorded(ferry)
    work = WorkId("xx:act:3")
    better = section(
        work, "9", "The licence of a ferry costs 55 euros.", heading="What the licence of a ferry costs"
    )
    ferry.store.put(bundle(work, [document(work, "en", [better], "Ferry licence cost act")], authority=100))
    found = ferry.replay(record)
    first = next(one for one in found.changes if one.kind is ChangeKind.PRIMARY)
    assert first.provision == "xx:act:3/sec_9"
    assert "which now ranks 2 of" in first.message


def test_a_library_that_changed_elsewhere_is_a_note_and_no_change(ferry: Library) -> None:
    record = recorded(ferry)
    ferry.store.put(simple("xx:act:4", "Bicycles have bells."))
    found = ferry.replay(record)
    assert (found.same, [note.kind for note in found.notes]) == (True, [ChangeKind.LIBRARY])
    assert "what the library holds" in found.notes[0].message


def test_another_analysis_is_noted(ferry: Library) -> None:
    data = json.loads(recorded(ferry))
    data["library"]["analysis"] = "another"
    notes = ferry.replay(json.dumps(data)).notes
    assert [(note.before, "analysis" in note.message) for note in notes] == [("another", True)]


def test_json_of_a_replay(ferry: Library) -> None:
    data = replay_json(ferry.replay(recorded(ferry)))
    assert (data["same"], data["changes"], data["as_of"]) == (True, [], DAY.isoformat())
    json.dumps(data)


GOOD: dict[str, Any] = {"question": "q", "as_of": "2026-01-01", "language": "en", "outcome": "SILENT"}


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ([], "no answer record"),
        ({}, "no question"),
        (GOOD | {"question": " "}, "no question"),
        (GOOD | {"as_of": "soon"}, "no date"),
        (GOOD | {"outcome": 1}, "no outcome"),
        (GOOD | {"library": "x"}, "library"),
        (GOOD | {"jurisdiction": 1}, "jurisdiction"),
        (GOOD | {"primary": "x"}, "primary"),
        (GOOD | {"support": {}}, "support"),
        (GOOD | {"support": [1]}, "support"),
        (GOOD | {"primary": {"provision": "fi:act:1/sec_1"}}, "no citation"),
        (
            GOOD | {"primary": {"provision": "no such", "citation": "", "text": "", "language": "en"}},
            "no such",
        ),
        (GOOD | {"caveats": [1]}, "caveats"),
        (GOOD | {"conflicts": {}}, "conflicts"),
        (GOOD | {"question": "half a \ud800"}, r"U\+D800"),
    ],
)
def test_what_is_no_record_is_refused_with_what_it_lacks(data: object, says: str) -> None:
    with pytest.raises(RecordUnreadable, match=says):
        read_record(json.dumps(data))


names = st.sampled_from(["question", "as_of", "language", "outcome", "primary", "support", "library"])
nested = st.recursive(st.none() | st.text(), lambda inner: st.dictionaries(names, inner))


@given(st.text() | nested.map(json.dumps))
def test_anything_else_is_refused_and_nothing_worse(text: str) -> None:
    with pytest.raises(RecordUnreadable):
        read_record(text)


def test_deep_nesting_is_refused() -> None:
    with pytest.raises(RecordUnreadable):
        read_record("[" * 200_000)


def _with(first: Any) -> Bundle:
    made = bundle(FERRY, [document(FERRY, "en", [first, section(FERRY, "2", "A ferry carries lifebelts.")])])
    return replace(made, fingerprint=made.fingerprint + "2")
