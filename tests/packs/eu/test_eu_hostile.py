"""Bad files are refused by name and reason, never an exception, and the others are read."""
# ruff: noqa: E501 - a case reads better on one line

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eu_making import consolidated, folder, formex, official_journal, read, texts

PATH = f"{folder('2030-01-02')}en.xml"
GOOD = {f"{folder('2031-01-01')}en.xml": consolidated()}
DEEP = b"<html><body>" + b"<div>" * 3_000 + b"x" + b"</div>" * 3_000 + b"</body></html>"
BOMB = b'<?xml version="1.0"?><!DOCTYPE html [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><html><body><p>&b;</p></body></html>'

HOSTILE = {
    "empty": b"",
    "blank": b" \n ",
    "no page": b"%PDF-1.7 not a page",
    "deep": DEEP,
    "entities": BOMB,
    "outside": b'<?xml version="1.0"?><!DOCTYPE html [<!ENTITY x SYSTEM "file:///etc/passwd">]><html><body><p>&x;</p></body></html>',
    "nul": b"<html><body><p>\x00</p></body></html>",
    "portal": b'<html><body><div class="ecl-site-footer">EUR-Lex</div><p>The HTML format is unavailable</p></body></html>',
    "other xml": b"<catalog><book/></catalog>",
    "hollow": b"<html><body></body></html>",
    "only a title": b'<html><body><p class="oj-doc-ti">DIRECTIVE</p></body></html>',
    "czech": '<html><body><div id="TexteOnly"><p>Článek 95</p><p>Rada přijímá opatření.</p></div></body></html>'.encode(),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_bad_file_is_refused_and_the_rest_is_read(case: str) -> None:
    reading = read({**GOOD, PATH: HOSTILE[case]})
    assert [refusal.path for refusal in reading.refusals] == [PATH]
    assert reading.refusals[0].reason
    assert "\n" not in reading.refusals[0].reason
    assert texts(reading.documents[0])["art_2"] == "The rate shall be 5 %:"


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        (b"", True),
        (b"{", True),
        (b"[]", True),
        (b'{"raw": 3, "expressions": {"a": 1}, "document_roles": "x", "valid_from": 7}', False),
    ],
)
def test_a_broken_meta_is_told_where_it_tells_nothing_and_stops_nothing(broken: bytes, told: bool) -> None:
    facts = f"{folder('2030-01-02')}meta.json"
    reading = read({PATH: official_journal(), facts: broken})
    assert [refusal.path for refusal in reading.refusals] == [facts] * told
    assert str(reading.documents[0].root.versions[0].validity.start) == "2030-01-02"


def test_a_work_without_text_is_no_work() -> None:
    reading = read({PATH: HOSTILE["portal"]})
    assert reading.work is None
    assert "portal" in reading.refusals[0].reason


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=400))
def test_any_bytes_end_in_a_reading(data: bytes) -> None:
    reading = read({PATH: data})
    assert reading.work is None or reading.documents


MARKUP = st.sampled_from(
    ["<p>", "</p>", "<table>", "</table>", "<tr><td>", "</td></tr>", "<div class='grid-container grid-list'>", "</div>",
     "<p class='oj-ti-art'>Article 1</p>", "<p class='modref'><a title='32030L0099: DELETED'>▼M1</a></p>", "‘(a) ", "1. ",
     "<p class='oj-doc-ti'>ANNEX</p>", "►M1 ", "◄", "<a href='#x'>1</a>", "<span class='no-parag'>1.</span>", "Whereas:", "text "]
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.lists(MARKUP, max_size=30))
def test_any_page_ends_in_a_reading(pieces: list[str]) -> None:
    reading = read({PATH: f"<html><body>{''.join(pieces)}</body></html>".encode()})
    for document in reading.documents:
        identifiers = [provision.id for provision in document.root.walk()]
        assert len(set(identifiers)) == len(identifiers)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 3000), st.integers(0, 60))
def test_a_formex_file_that_is_cut_or_bitten_ends_in_a_reading(start: int, length: int) -> None:
    data = formex()
    read({PATH: data[:start] + data[start + length :]})
