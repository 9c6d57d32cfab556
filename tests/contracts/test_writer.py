"""What every writer does, over a real server that speaks its provider's protocol."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from email.utils import format_datetime

import pytest

from loopback import StillClock
from provider_servers import (
    KEY,
    USED_CACHED,
    USED_IN,
    USED_OUT,
    Behaviour,
    ChatCompletions,
    Messages,
    endless,
    falling_silent,
    hanging_up,
    refusing,
    saying,
    served,
    streamed,
)
from pykala.models.configure import writer_from
from pykala.models.connection import Patience
from pykala.models.failures import (
    ContextTooLong,
    CutReply,
    KeyRefused,
    MalformedReply,
    MissingKey,
    ModelError,
    ModelUnavailable,
    OutOfCredit,
    RateLimited,
    RequestRefused,
)
from pykala.models.fallback import WriterWithFallback
from pykala.models.writer import FellBack, Message, Piece, Structured, Usage, Writer
from scripted_writer import ScriptedWriter

ASKED = (Message("system", "Answer from the evidence."), Message("user", "What is the rate? ❄ \u2028"))
QUICK = Patience(attempts=3, first_wait=1.0, longest_wait=30.0, connect=10.0, silence=20.0, longest_call=60.0)
MODELS = {
    "deepseek": "deepseek/deepseek-flash",
    "openai": "openai/some-model",
    "openrouter": "openrouter/maker/some-model",
    "featherless": "featherless/maker/some-model",
    "ollama": "ollama/some-model:8b",
    "llamacpp": "llamacpp/some-model",
    "vllm": "vllm/maker/some-model",
    "custom": "custom/some-model",
    "anthropic": "anthropic/claude-sonnet-5-5",
}


@dataclass
class Case:
    writer: Writer
    service: ChatCompletions
    clock: StillClock
    model: str
    pieces: list[Piece] = field(default_factory=list)

    def write(self, **options: Structured) -> str:
        self.pieces = list(self.writer.write(ASKED, most_tokens=300, **options))
        return "".join(piece for piece in self.pieces if isinstance(piece, str))

    def fails(self, kind: type[ModelError], *behaviours: Behaviour) -> ModelError:
        self.service.then(*behaviours)
        with pytest.raises(ModelError) as caught:
            self.write()
        assert type(caught.value) is kind, caught.value
        assert KEY not in str(caught.value)
        return caught.value


def _case(name: str) -> Iterator[Case]:
    model, clock = MODELS[name], StillClock()
    service = Messages() if name == "anthropic" else ChatCompletions()
    with served(service):
        writer = writer_from(model, key=KEY, address=service.address, patience=QUICK, clock=clock)
        yield Case(writer, service, clock, model)


@pytest.fixture(params=MODELS)
def each(request: pytest.FixtureRequest) -> Iterator[Case]:
    """Every service that is known by name."""
    yield from _case(request.param)


@pytest.fixture(params=["deepseek", "anthropic"])
def case(request: pytest.FixtureRequest) -> Iterator[Case]:
    """Every implementation: services that differ in data only fail alike."""
    yield from _case(request.param)


def test_text_comes_in_pieces_and_then_what_was_used(each: Case) -> None:
    assert each.write() == "The tax rate on capital income is 34 per cent [L1]."
    assert [piece for piece in each.pieces if isinstance(piece, str)] == list(each.service.words)
    assert each.pieces[-1] == Usage(each.model, USED_IN, USED_OUT, USED_CACHED)
    assert each.writer.name == each.model


def test_the_request_holds_what_was_said_and_no_more_than_is_allowed(each: Case) -> None:
    each.write()
    (seen,) = each.service.seen
    assert seen.body["model"] == each.model.partition("/")[2]
    assert max(seen.body.get("max_tokens", 0), seen.body.get("max_completion_tokens", 0)) == 300
    told = [one["content"] for one in seen.body["messages"]] + [seen.body.get("system")]
    assert ASKED[0].text in told
    assert ASKED[1].text in told
    assert KEY not in str(seen.body)


def test_a_structured_reply_is_asked_for_where_the_service_can(each: Case) -> None:
    each.write(structured=True)
    wanted = each.service.seen[0].body.get("response_format")
    cannot = each.model.startswith(("anthropic", "featherless"))
    assert wanted == (None if cannot else {"type": "json_object"})


def test_a_reply_is_held_to_a_schema_where_the_service_can(each: Case) -> None:
    schema = {"type": "object", "properties": {"grade": {"type": "integer"}}, "required": ["grade"]}
    each.write(structured=schema)
    wanted = each.service.seen[0].body.get("response_format") or {}
    if each.model.startswith(("openai", "ollama", "llamacpp", "vllm")):
        assert wanted["json_schema"]["schema"] == schema
    else:
        assert wanted.get("type") in (None, "json_object")


def test_what_a_model_thinks_is_not_its_text(case: Case) -> None:
    assert "99 per cent" not in case.write()


def test_a_reply_that_was_stopped_short_says_so(case: Case) -> None:
    case.service.then(streamed(case.service.events(("The law",), "length")))
    case.write()
    usage = case.pieces[-1]
    assert isinstance(usage, Usage)
    assert usage.stopped_short


@pytest.mark.parametrize("name", ["deepseek", "openai", "openrouter", "featherless", "anthropic"])
def test_without_a_key_nothing_is_sent_and_the_variable_is_named(name: str) -> None:
    with served(ChatCompletions()) as service:
        writer = writer_from(MODELS[name], address=service.address)
        with pytest.raises(MissingKey, match="PYKALA_MODEL_KEY"):
            list(writer.write(ASKED, most_tokens=10))
        assert service.seen == []


def test_a_wrong_key_is_refused_and_not_repeated() -> None:
    for name in ("deepseek", "anthropic"):
        with served(Messages() if name == "anthropic" else ChatCompletions()) as service:
            wrong = "sk-wrong-8d7f6a5c"
            writer = writer_from(MODELS[name], key=wrong, address=service.address)
            with pytest.raises(KeyRefused, match="PYKALA_MODEL_KEY") as caught:
                list(writer.write(ASKED, most_tokens=10))
            assert wrong not in str(caught.value)
            assert len(service.seen) == 1


REFUSALS = [
    (402, "Insufficient Balance", OutOfCredit),
    (429, "You exceeded your current quota (insufficient_quota)", OutOfCredit),
    (400, "This model's maximum context length is 65536 tokens", ContextTooLong),
    (400, "prompt is too long: 250000 tokens > 200000 maximum", ContextTooLong),
    (413, "Request exceeds the maximum size", ContextTooLong),
    (404, "The model does not exist", RequestRefused),
    (422, "temperature: extra inputs are not permitted", RequestRefused),
    (301, "", RequestRefused),
]


@pytest.mark.parametrize(("status", "reason", "kind"), REFUSALS)
def test_a_refusal_that_will_not_pass_is_told_at_once(
    case: Case, status: int, reason: str, kind: type[ModelError]
) -> None:
    error = case.fails(kind, refusing(status, reason, location="http://127.0.0.1:9/elsewhere"))
    assert str(status) in str(error)
    assert case.clock.slept == []
    assert len(case.service.seen) == 1


def test_a_refusal_is_repeated_shortly_and_without_the_key(case: Case) -> None:
    error = case.fails(RequestRefused, refusing(400, f"no such thing {KEY} \x1b[31m" + "x" * 5000))
    assert len(str(error)) < 500
    assert "\x1b" not in str(error)


@pytest.mark.parametrize("status", [429, 500, 502, 503, 529])
def test_a_busy_service_is_asked_again_after_the_time_it_names(case: Case, status: int) -> None:
    case.service.then(refusing(status, "busy", Retry_After="7"), refusing(status, "busy"))
    assert case.write().endswith("[L1].")
    assert case.clock.slept == [7.0, 2.0]


def test_a_service_may_name_the_time_by_the_clock(case: Case) -> None:
    at = format_datetime(datetime(2026, 7, 1, 12, 0, 9, tzinfo=UTC), usegmt=True)
    case.service.then(refusing(429, "busy", Retry_After=at))
    case.write()
    assert case.clock.slept == [9.0]


def test_a_service_that_stays_busy_is_given_up_with_the_next_step(case: Case) -> None:
    error = case.fails(RateLimited, *[refusing(429, "busy")] * 3)
    assert "3 times over" in str(error)
    assert "fallback" in str(error)
    case.service.ahead.clear()
    case.fails(ModelUnavailable, *[refusing(503, "overloaded")] * 3)


def test_a_wait_longer_than_allowed_is_not_waited(case: Case) -> None:
    error = case.fails(RateLimited, refusing(429, "busy", Retry_After="3600"))
    assert isinstance(error, RateLimited)
    assert error.wait == 3600
    assert case.clock.slept == []


def test_a_connection_that_breaks_before_the_reply_is_made_again(case: Case) -> None:
    case.service.then(hanging_up, streamed([], ended=False))
    assert case.write().endswith("[L1].")
    assert len(case.service.seen) == 3


def test_nobody_there_is_an_outage(case: Case) -> None:
    writer = writer_from(case.model, key=KEY, address="http://127.0.0.1:9", patience=QUICK, clock=case.clock)
    with pytest.raises(ModelUnavailable, match="3 times over"):
        list(writer.write(ASKED, most_tokens=10))


def test_a_reply_that_breaks_off_is_never_taken_for_whole(case: Case) -> None:
    events = case.service.events(case.service.words)
    opening = next(place for place, event in enumerate(events) if "The tax rate" in event) + 1
    case.fails(CutReply, streamed(events[:opening], ended=False))
    case.fails(CutReply, streamed(events[:opening]))
    assert len(case.service.seen) == 2  # what was used already is not asked for again


def test_a_service_that_falls_silent_is_left(case: Case) -> None:
    hurried = replace(QUICK, silence=1.0)
    case.writer = writer_from(case.model, key=KEY, address=case.service.address, patience=hurried)
    events = case.service.events(case.service.words)
    started = time.monotonic()
    case.fails(CutReply, falling_silent(events[:-3]))
    assert time.monotonic() - started < 60


def test_a_service_that_drips_for_ever_is_left_when_the_time_is_spent(case: Case) -> None:
    case.service.then(endless(next(e for e in case.service.events(("drip ",)) if "drip" in e)))
    pieces = case.writer.write(ASKED, most_tokens=300)
    next(pieces)
    case.clock.seconds += 1000
    with pytest.raises(CutReply, match="longer than"):
        list(pieces)


@pytest.mark.parametrize(
    "data",
    [
        b"data: {not json\n\n",
        b"data: [1]\n\n",
        b'data: {"choices": [{"delta": {"content": 7}}], "type": "content_block_delta", "delta": {}}\n\n'
        b'data: {"choices": 7, "type": "content_block_delta", "delta": {"type": "text_delta"}}\n\n',
        b"data: " + b"[" * 100_000 + b"\n\n",
    ],
)
def test_what_is_no_event_of_the_protocol_is_refused(case: Case, data: bytes) -> None:
    case.fails(MalformedReply, saying(200, data, "text/event-stream"))


def test_a_page_instead_of_a_stream_is_no_reply(case: Case) -> None:
    case.fails(CutReply, saying(200, b"<html>Welcome to the proxy</html>", "text/html"))


def test_a_fault_in_the_middle_of_a_reply_is_told(case: Case) -> None:
    events = case.service.events(case.service.words)
    case.fails(ModelUnavailable, streamed([*events[:5], case.service.fault()]))


def test_closing_the_iterator_closes_the_connection(case: Case) -> None:
    case.service.then(endless(next(e for e in case.service.events(("more ",)) if "more" in e)))
    pieces = case.writer.write(ASKED, most_tokens=300)
    assert next(pieces) == "more "
    pieces.close()
    assert case.service.gone.wait(300)


def test_nothing_is_sent_before_the_first_piece_is_asked_for(case: Case) -> None:
    case.writer.write(ASKED, most_tokens=300).close()
    assert case.service.seen == []


def test_a_writer_does_not_show_its_key(case: Case) -> None:
    assert KEY not in repr(case.writer)
    assert KEY not in repr(vars(case.writer))


# A first model and a fallback are a writer too.


@pytest.fixture
def pair() -> Iterator[tuple[WriterWithFallback, ChatCompletions, Messages, StillClock]]:
    clock = StillClock()
    with served(ChatCompletions()) as first, served(Messages(words=("From the second [L1].",))) as second:
        writer = writer_from(
            MODELS["deepseek"],
            key=KEY,
            address=first.address,
            fallback=MODELS["anthropic"],
            fallback_key=KEY,
            fallback_address=second.address,
            patience=QUICK,
            clock=clock,
        )
        assert isinstance(writer, WriterWithFallback)
        assert isinstance(second, Messages)
        assert isinstance(first, ChatCompletions)
        yield writer, first, second, clock


def test_where_the_first_model_answers_the_second_is_not_asked(
    pair: tuple[WriterWithFallback, ChatCompletions, Messages, StillClock],
) -> None:
    writer, _, second, _ = pair
    pieces = list(writer.write(ASKED, most_tokens=300))
    assert pieces[-1] == Usage(MODELS["deepseek"], USED_IN, USED_OUT, USED_CACHED)
    assert second.seen == []


FAILURES: list[list[Behaviour]] = [
    [refusing(401, "no")],
    [refusing(503, "busy")] * 3,
    [hanging_up] * 3,
    [saying(200, b"data: {\n\n", "text/event-stream")],
    [streamed(ChatCompletions().events(("half an ans",))[:4], ended=False)],
    [streamed(ChatCompletions().events(()))],
]


@pytest.mark.parametrize("behaviours", FAILURES)
def test_where_the_first_fails_the_second_writes_from_the_start_and_it_is_said(
    pair: tuple[WriterWithFallback, ChatCompletions, Messages, StillClock], behaviours: list[Behaviour]
) -> None:
    writer, first, _, _ = pair
    first.then(*behaviours)
    pieces = list(writer.write(ASKED, most_tokens=300))
    place, change = next((n, one) for n, one in enumerate(pieces) if isinstance(one, FellBack))
    assert change.model == MODELS["anthropic"]
    assert change.reason
    assert KEY not in change.reason
    assert pieces[place + 1 :] == [
        "From the second [L1].",
        Usage(MODELS["anthropic"], USED_IN, USED_OUT, USED_CACHED),
    ]


def test_where_both_fail_the_second_s_reason_is_told(
    pair: tuple[WriterWithFallback, ChatCompletions, Messages, StillClock],
) -> None:
    writer, first, second, _ = pair
    first.then(refusing(401, "no"))
    second.then(refusing(404, "no such model"))
    with pytest.raises(RequestRefused, match="404"):
        list(writer.write(ASKED, most_tokens=300))


def test_the_writer_of_the_tests_keeps_the_contract() -> None:
    writer = ScriptedWriter("The law [L1].")
    pieces = list(writer.write(ASKED, most_tokens=300))
    assert "".join(one for one in pieces if isinstance(one, str)) == "The law [L1]."
    assert isinstance(pieces[-1], Usage)
    started = writer.write(ASKED, most_tokens=300)
    next(started)
    started.close()
    assert writer.closed == 2
