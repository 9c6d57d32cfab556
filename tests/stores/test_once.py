"""A store that reads everything once gives what the other gives, and asks it once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.store_calls import CountingStore
from making import bundle, cites, document, section, simple
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.references import Direction, EdgeKind, EdgesWanted
from pykala.stores.embedded.store import EmbeddedStore
from pykala.stores.once import ReadOnce, read_once
from pykala.stores.store import UnknownProvision, Wording

BANK, OTHER, LACKING = WorkId("ca:act:B-1.01"), WorkId("ca:act:X-9"), WorkId("ca:act:Z-1")
FIRST, SECOND = ProvisionId.parse("ca:act:B-1.01/sec_1"), ProvisionId.parse("ca:act:B-1.01/sec_2")


@pytest.fixture
def counting(tmp_path: Path) -> Iterator[CountingStore]:
    with EmbeddedStore.open(tmp_path / "library", writable=True) as store:
        sections = [section(BANK, "1", "Banks."), section(BANK, "2", "Loans.", "one")]
        store.put(bundle(BANK, [document(BANK, "en", sections, "Bank Act")]))
        reference = cites(ProvisionId.parse("ca:act:X-9/sec_1"), SECOND)
        text = document(OTHER, "en", [section(OTHER, "1", "See the Bank Act.")])
        store.put(bundle(OTHER, [text], references=[reference]))
        yield CountingStore(store)


def test_what_was_read_with_others_is_not_read_again(counting: CountingStore) -> None:
    once = read_once(counting)
    once.provisions([Wording(FIRST), Wording(SECOND), Wording(ProvisionId(LACKING))])
    assert once.provision(FIRST).provision.id == FIRST
    assert once.provision(SECOND).provision.id == SECOND
    with pytest.raises(UnknownProvision):
        once.provision(ProvisionId(LACKING))
    assert once.work(BANK).id == BANK  # it came with its provisions
    assert counting.calls == {"provisions": 1}


def test_what_is_not_held_is_asked_for_once(counting: CountingStore) -> None:
    once = read_once(counting)
    for _ in range(2):
        assert once.works_of([BANK, LACKING]).keys() == {BANK}
        assert once.languages_of([BANK, LACKING]) == {BANK: ("en",), LACKING: ()}
        assert once.resolve("Bank Act") == (BANK,)
        assert once.resolve("no such act") == ()
        assert once.definitions(["bank", "loan"], "en") == ()
        assert once.facts() == counting.facts()
        counting.calls.subtract(["state"])
    assert {name: count for name, count in counting.calls.items() if count} == {
        "works_of": 1,
        "languages_of": 1,
        "named": 2,
        "definitions_of": 1,
        "state": 1,
    }


def test_references_are_read_once_with_those_that_lead_nowhere(counting: CountingStore) -> None:
    once = read_once(counting)
    wanted = [EdgesWanted.of([one], [EdgeKind.CITES], Direction.IN) for one in (FIRST, SECOND)]
    found = once.references(wanted, [FIRST])
    assert found == counting.references(wanted, [FIRST])
    assert [len(edges) for edges in found.edges] == [0, 1]
    assert once.edges([SECOND], kinds=[EdgeKind.CITES], direction=Direction.IN) == found.edges[1]
    assert once.unresolved([FIRST]) == ()
    assert counting.calls == {"references": 2}  # of which one is this test's own


def test_weights_are_read_for_the_places_that_are_missing(counting: CountingStore) -> None:
    once = read_once(counting)
    everywhere, canada = once.weights("banks", "en", [frozenset(), frozenset({"ca"})])
    assert once.weigh("banks", "en") == everywhere
    assert once.weigh("banks", "en", frozenset({"ca"})) == canada
    assert counting.calls == {"weights": 1}


def test_what_one_part_of_a_question_read_the_next_part_knows(counting: CountingStore) -> None:
    first = ReadOnce(counting)
    assert first.provision(FIRST).provision.id == FIRST
    second = first.over(counting)
    assert second is not first
    assert second.provision(FIRST).provision.id == FIRST
    assert second.provision(SECOND).provision.id == SECOND
    assert first.provision(SECOND).provision.id == SECOND
    assert counting.calls == {"provisions": 2}


def test_one_that_reads_once_stays_as_it_is(counting: CountingStore) -> None:
    once = read_once(counting, counting.state())
    assert isinstance(once, ReadOnce)
    assert read_once(once) is once
    assert once.writer is None
    counting.calls.clear()
    assert once.languages() == ("en",)
    assert not counting.calls


def test_the_next_question_sees_what_has_come(tmp_path: Path) -> None:
    with EmbeddedStore.open(tmp_path / "library", writable=True) as store:
        assert not read_once(store).works_of([OTHER])
        store.put(simple(str(OTHER), "A tax on horses."))
        assert read_once(store).works_of([OTHER]).keys() == {OTHER}
