"""What a document says cannot leave its frame: escapes are reversible, keys and marks cannot be forged."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pykala.draft.claims import claims_of
from pykala.draft.framing import (
    boundary,
    escape,
    hidden_characters,
    look_alikes,
    one_line,
    quoted,
    unescape,
    unquoted,
)

#: Texts that lean towards what the frame is made of.
hostile = st.text(st.sampled_from("[]［】(){}L lＬ12９,\\u|\n\r\u2028\u200b\u202e\x1b\U000e0041\ud800aä§ "))
texts = st.one_of(st.text(), hostile)


@given(texts)
def test_escapes_and_quotes_are_undone_exactly(text: str) -> None:
    assert unescape(escape(text)) == text
    assert unquoted(quoted(text)) == text


@given(texts)
def test_every_line_of_a_quote_starts_with_a_bar_and_holds_nothing_unseen(text: str) -> None:
    block = quoted(text)
    assert all(line.startswith("| ") for line in block.splitlines() or ["| "])
    assert hidden_characters(block) == 0


@given(texts)
@example("[\x1f[L0")
@example("[L1\x1fa")
@example("[L1234\x1f5")
def test_an_escaped_text_offers_no_key(text: str) -> None:
    for line in quoted(text).splitlines():
        for one in look_alikes(line):
            assert line[one.start - 1] == "\\"
    assert "\n" not in one_line(text)


@given(st.lists(texts, max_size=4))
def test_the_boundary_stands_in_no_text_and_is_the_same_each_time(held: list[str]) -> None:
    mark = boundary(held)
    assert not any(mark in text for text in held)
    assert boundary(held) == mark


def test_a_text_that_holds_the_boundary_of_others_gets_another() -> None:
    first = boundary(["law"])
    assert boundary(["law", f"EVIDENCE {first} END"]) != first


@pytest.mark.parametrize(
    ("text", "alike"),
    [
        ("see [L1] and [L2, L3]", ["[L1", "[L2"]),
        ("see ［Ｌ１］", ["［Ｌ１"]),
        ("see [ l 12 ]", ["[ l 12"]),
        ("see [L\u200b1]", ["[L\u200b1"]),
        ("see 【L1】 and (L4)", ["【L1", "(L4"]),
        ("in 1 L of water, L1, [Law 1], [L1a], list [1]", []),
    ],
)
def test_look_alikes_are_found_as_they_are_written(text: str, alike: list[str]) -> None:
    found = look_alikes(text)
    assert [one.text for one in found] == alike
    assert all(text[one.start : one.end] == one.text for one in found)


def test_a_marked_key_copied_into_a_draft_is_no_key() -> None:
    (claim,) = claims_of(f"The contract says {escape('[L1]')} pays.")
    assert claim.keys == ()
