"""Thousands of provisions with the same words ("Katso 3 §.") are read in one pass."""

from __future__ import annotations

from bench.linearity import seconds
from making import document, section
from pykala.graph.relate import relate
from pykala.law.identifiers import WorkId
from pykala.packs.finland import pack

RULING = WorkId("fi:kho:2020/1")
MOST, FLOOR, TRIES = 8.0, 0.05, 4


def relate_all(count: str) -> None:
    parts = [section(RULING, str(number), "Katso 3 §.") for number in range(int(count))]
    relate(document(RULING, "fi", parts), pack, pack.facts.exception_cues, pack.facts.yielding_cues)


def test_provisions_of_the_same_words_are_related_in_one_pass() -> None:
    relate_all("3")
    for _ in range(TRIES):
        short, long = seconds(relate_all, "600"), seconds(relate_all, "2400")
        if long <= MOST * max(short, FLOOR):
            break
    assert long <= MOST * max(short, FLOOR), (short, long)
