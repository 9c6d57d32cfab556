"""Addresses, keys and streams: what is sent where, and what is read however it is cut."""

from __future__ import annotations

import logging
import pickle
from datetime import UTC, datetime
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provider_servers import KEY, ChatCompletions, saying, served
from pykala.fetch.retries import seconds_asked
from pykala.models.configure import writer_from
from pykala.models.connection import Connection
from pykala.models.events import ServerEvent, server_events
from pykala.models.failures import Key, MalformedReply, ModelMisconfigured, ModelUnavailable, shortened
from pykala.models.writer import Message

ADDRESSES = [
    ("https://api.example/v1", True, True),
    ("http://127.0.0.1:8080", True, True),
    ("http://localhost:11434/v1", True, True),
    ("http://192.168.1.5:8000/v1", True, True),
    ("http://gpu-box:8000/v1", True, True),
    ("http://[::1]:8000/v1", True, True),
    ("http://api.example/v1", False, True),
    ("http://api.example/v1", True, False),
    ("http://8.8.8.8/v1", True, False),
    ("https://user:secret@api.example/v1", False, False),
    ("https://api.example/v1?key=secret", False, False),
    ("file:///etc/passwd", False, False),
    ("api.example/v1", False, False),
    ("https://", False, False),
    ("https://[broken", False, False),
    ("", False, False),
]


@pytest.mark.parametrize(("address", "keyed", "allowed"), ADDRESSES)
def test_a_key_goes_only_where_nobody_can_read_it_on_the_way(
    address: str, keyed: bool, allowed: bool
) -> None:
    key = Key(KEY if keyed else "")
    if allowed:
        assert KEY not in repr(Connection("a service", address, key=key))
        return
    with pytest.raises(ModelMisconfigured) as caught:
        Connection("a service", address, key=key)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("key", ["with space", "new\nline", "ключ", "a\x00b"])
def test_what_cannot_be_a_key_is_not_sent(key: str) -> None:
    with pytest.raises(ModelMisconfigured) as caught:
        Connection("a service", "https://api.example", key=Key(key), key_variable="PYKALA_MODEL_KEY")
    assert key not in str(caught.value)


def test_a_key_says_nothing_of_itself() -> None:
    key = Key(f"  {KEY} ")
    assert key.reveal() == KEY
    assert bool(key)
    assert not Key()
    for shown in (repr(key), str(key), f"{key}", f"{key!r}", f"{[key]}"):
        assert KEY not in shown
    with pytest.raises(TypeError):
        pickle.dumps(key)
    assert KEY not in shortened(f"your key {KEY} is wrong", key)


def test_the_log_of_every_level_holds_no_key_and_no_question(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with served(ChatCompletions()) as service:
        writer = writer_from("deepseek/deepseek-flash", key=KEY, address=service.address)
        list(writer.write([Message("user", "a question of mine")], most_tokens=10))
        service.then(saying(401, f'{{"error": {{"message": "bad {KEY}"}}}}'.encode()))
        with pytest.raises(Exception, match="401"):
            list(writer.write([Message("user", "a question of mine")], most_tokens=10))
    assert KEY not in caplog.text
    assert "a question of mine" not in caplog.text


WAITS = [
    ("7", 7.0),
    (" 0.5 ", 0.5),
    ("0", 0.0),
    ("Wed, 01 Jul 2026 12:00:30 GMT", 30.0),
    ("Wed, 01 Jul 2026 11:00:00 GMT", 0.0),
    ("", -1.0),
    ("soon", -1.0),
    ("-5", -1.0),
    ("9" * 50, -1.0),
]


@pytest.mark.parametrize(("value", "seconds"), WAITS)
def test_how_long_a_service_asks_to_wait(value: str, seconds: float) -> None:
    assert seconds_asked(value, datetime(2026, 7, 1, 12, tzinfo=UTC)) == seconds


EVENTS = [
    ("data: one\n\n", [("message", "one")]),
    ("data:one\r\n\r\n", [("message", "one")]),
    ("data: one\r\rdata: two\r\r", [("message", "one"), ("message", "two")]),
    ("event: ping\ndata: {}\n\n", [("ping", "{}")]),
    ("data: a\ndata: b\n\n", [("message", "a\nb")]),
    (": keep-alive\n\n: keep-alive\n\ndata: x\n\n", [("message", "x")]),
    ("event: lonely\n\ndata: x\n\n", [("message", "x")]),
    ("\ufeffdata: x\n\n", [("message", "x")]),
    ("id: 7\nretry: 10\nunknown: y\ndata: x\n\n", [("message", "x")]),
    ("data: not ended\n", []),
    ("data: ääkkösiä ❄ 𝄞\n\n", [("message", "ääkkösiä ❄ 𝄞")]),
    ("data:  two spaces\n\n", [("message", " two spaces")]),
]


@pytest.mark.parametrize(("stream", "events"), EVENTS)
@given(cuts=st.lists(st.integers(0, 80), max_size=12))
def test_events_are_the_same_however_the_bytes_are_cut(
    stream: str, events: list[tuple[str, str]], cuts: list[int]
) -> None:
    data = stream.encode()
    places = sorted({0, len(data), *(cut for cut in cuts if cut < len(data))})
    chunks = [data[start:end] for start, end in pairwise(places)]
    assert list(server_events(chunks)) == [ServerEvent(*one) for one in events]


@given(st.lists(st.binary(max_size=40), max_size=20))
def test_any_bytes_at_all_are_read_to_their_end(chunks: list[bytes]) -> None:
    assert all(isinstance(event, ServerEvent) for event in server_events(chunks))


def test_a_line_without_an_end_is_not_kept_for_ever() -> None:
    endless = (b"data: " + b"x" * 100_000 for _ in range(1000))
    with pytest.raises(MalformedReply):
        list(server_events(endless))
    many = (b"data: " + b"x" * 100_000 + b"\n" for _ in range(1000))
    with pytest.raises(MalformedReply):
        list(server_events(many))


def test_a_closed_connection_can_be_used_again() -> None:
    with served(ChatCompletions()) as service:
        connection = Connection("a service", service.address)
        service.then(saying(200, b"[1]"), saying(200, b"[2]"))
        assert connection.post("/x", {}) == [1]
        connection.close()
        assert connection.post("/x", {}) == [2]
        connection.close()
    with pytest.raises(ModelUnavailable):
        Connection("a service", "http://127.0.0.1:9", clock=_NoWait()).post("/x", {})


class _NoWait:
    def now(self) -> datetime:
        return datetime(2026, 7, 1, tzinfo=UTC)

    def monotonic(self) -> float:
        return 0.0

    def sleep(self, seconds: float) -> None:
        pass
