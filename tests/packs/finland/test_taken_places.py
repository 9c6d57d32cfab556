"""Every provision of a text has an identifier of its own, however often its number stands there."""

from __future__ import annotations

from pykala.law.identifiers import ProvisionId, WorkId
from pykala.packs.finland.taken_places import TakenPlaces

ACT = ProvisionId(WorkId("fi:act:2000/1"))


def test_a_number_that_is_taken_gets_the_next_copy() -> None:
    taken = TakenPlaces()
    numbers = ("5", "5-3", "5", "5", "5")
    assert [str(taken.claim(ACT, "sec", number)).rpartition("_")[2] for number in numbers] == [
        "5", "5-3", "5-2", "5-4", "5-5",
    ]  # fmt: skip


def test_the_next_free_number_passes_over_what_is_taken_and_what_was_given_back_is_free() -> None:
    taken = TakenPlaces()
    taken.claim(ACT, "note", "2")
    first, third = taken.next_free(ACT, "note"), taken.next_free(ACT, "note")
    assert (first, third) == (ACT.child("note", "1"), ACT.child("note", "3"))
    taken.give_back(ACT, third)
    assert taken.next_free(ACT, "note") == third
