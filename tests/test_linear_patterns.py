"""Patterns deep inside readers, each on what it would be slowest on: to 200,000 characters, in one pass.

`test_linear_reading.py` reads whole texts, where an earlier step may cut what a pattern would choke on.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bench.linearity import run_of, seconds
from pykala.law.identifiers import WorkId
from pykala.library import audit
from pykala.packs.canada.commencement import _RANGE
from pykala.packs.canada.instruments import find_instruments
from pykala.packs.eu.formex import _ATTRIBUTE
from pykala.packs.eu.inline import _LOOSE
from pykala.packs.eu.labels import _SUFFIX
from pykala.packs.finland.pages.page_tree import _DATES
from pykala.packs.finland.pages.statute_page_tree import mend
from pykala.packs.nyc.senate import interval
from pykala.packs.uploads.markdown import _TABLE_RULE
from pykala.retrieve.holding import _items
from pykala.retrieve.rerank import _item

SIZES = (50_000, 200_000)
MOST, FLOOR, TRIES = 6.0, 0.05, 4
OWN = WorkId("ca:act:A-1")
#: A reader, and the runs on which its pattern was not linear, or could be.
PATTERNS: dict[str, tuple[Callable[[str], object], tuple[str, ...]]] = {
    "instruments": (lambda text: list(find_instruments(text, OWN)), ("[a SOR/2004-69 ", "[Repealed ", "[")),
    "loose spaces": (lambda text: _LOOSE.sub("", text), ("\u2028", "\x85", " ", " ,")),
    "intervals": (interval, ("until ", "effective ", "until and May 1, ")),
    "suffixes": (lambda text: _SUFFIX.sub("", text), (" ", "-", " -")),
    "attributes": (_ATTRIBUTE.findall, ("a", "a.", 'a="')),
    "ranges": (_RANGE.findall, ("1", "1.", "1 to ")),
    "dates of a page": (_DATES.search, (" ", "1", "1.1.2020")),
    "spaces inside": (mend, (" ", "( ")),
    "items": (_item().findall, ("\n", " \n", "a)\n", " ")),
    "items of a list": (_items().findall, ("\n", " ")),
    "rules of a table": (_TABLE_RULE.fullmatch, (" ", "- ", "|- ", "\t")),
    "words of a source": (
        audit.without_markup,
        ("<script ", "<a ", '<a id="ntc ', "< ", '<p class="hd-'),
    ),
}


@pytest.mark.parametrize("name", PATTERNS)
def test_a_pattern_reads_in_one_pass(name: str) -> None:
    read, units = PATTERNS[name]
    for unit in units:
        short, long = (run_of(unit, size) for size in SIZES)
        for _ in range(TRIES):
            times = seconds(read, short), seconds(read, long)
            if times[1] <= MOST * max(times[0], FLOOR):
                break
        assert times[1] <= MOST * max(times[0], FLOOR), (unit, times)


def test_what_is_no_word_of_a_source_is_taken_out() -> None:
    page = '<head><title>x</title></head><p class="hd-date">2020</p><p>Law<a id="ntc1">1</a> stands</p>'
    assert audit.without_markup(page).split() == ["Law", "stands"]
    assert audit.without_markup("<script>if (a < b) {}</script>Law<script>cut off").split() == [
        "Law",
        "cut",
        "off",
    ]
