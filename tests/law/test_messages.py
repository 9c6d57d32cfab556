"""Messages: their order does not matter, and libraries get back what they stored."""

from __future__ import annotations

import json
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pykala.law.messages import Message

PLAIN = st.text() | st.integers() | st.dates()
MESSAGES = st.recursive(
    st.builds(Message.in_words, st.text()),
    lambda inner: st.builds(
        lambda key, values: Message.of(key, **values),
        st.text(),
        st.dictionaries(st.text(), PLAIN | inner, max_size=4),
    ),
    max_leaves=6,
)


@given(message=MESSAGES)
def test_what_is_stored_is_the_message_again(message: Message) -> None:
    stored = json.dumps(message.plain(), ensure_ascii=False)
    read = Message.from_plain(json.loads(stored))
    assert read == message
    assert hash(read) == hash(message)
    assert json.dumps(read.plain(), ensure_ascii=False) == stored


def test_a_stored_message_is_compact_and_keeps_the_types_of_its_values() -> None:
    told = Message.of("finding.states_missing", first=date(1997, 1, 1), count=10, day="?")
    assert told.plain() == [
        "finding.states_missing",
        {"count": 10, "day": "?", "first": {"day": "1997-01-01"}},
    ]
    assert Message("finding.no_list").plain() == ["finding.no_list"]
    assert told.value("first") == date(1997, 1, 1)
    assert told.value("last") is None


def test_the_order_in_which_values_are_given_does_not_matter() -> None:
    assert Message.of("a.b", x=1, y="2") == Message.of("a.b", y="2", x=1)


@pytest.mark.parametrize(
    "plain",
    [
        "a sentence",
        [],
        [1],
        ["a.b", []],
        ["a.b", {}, 3],
        None,
        ["a.b", {"x": 1.5}],
        ["a.b", {"x": {"d": ""}}],
    ],
)
def test_other_data_is_no_message(plain: object) -> None:
    with pytest.raises(ValueError, match="no message"):
        Message.from_plain(plain)
