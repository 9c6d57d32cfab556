"""The words of one paragraph: what is raised, what is a note's mark, what is the law's."""

from __future__ import annotations

import pytest

from pykala.fetch.xml import parse_xml
from pykala.packs.eu.inline import Run

RAISED = '<span class="superscript">{}</span>'


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (f"more than 10{RAISED.format('25')} operations", "more than 10²⁵ operations"),
        (f"10 {RAISED.format('6')} units", "10 6 units"),
        (f"an area of 5 m{RAISED.format('2')}", "an area of 5 m²"),
        (f"la 1{RAISED.format('ère')} directive", "la 1ère directive"),
        (f"in 2010{RAISED.format('1')}", "in 20101"),  # perhaps a note's mark: left as the page has it
        (f"of 110{RAISED.format('2')}", "of 1102"),
        (f"the form{RAISED.format('2')}", "the form2"),
        (f"10<a href='#n1'>({RAISED.format('3')})</a> rules", "10 rules"),
    ],
)
def test_a_power_is_not_a_longer_figure(words: str, expected: str) -> None:
    run = Run()
    run.add(parse_xml(f"<p>{words}</p>".encode(), "test"))
    assert run.text() == expected
