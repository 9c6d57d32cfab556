"""What every second opinion does, over a real server that speaks its service's protocol."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from loopback import StillClock
from provider_servers import (
    KEY,
    OPINION,
    USED_IN,
    USED_OUT,
    Behaviour,
    WebChat,
    WebResponses,
    falling_silent,
    hanging_up,
    refusing,
    saying,
    served,
)
from pykala.models.configure import default_second_opinion, second_opinion_from
from pykala.models.connection import Patience
from pykala.models.failures import (
    KeyRefused,
    MalformedReply,
    MissingKey,
    ModelError,
    ModelMisconfigured,
    ModelUnavailable,
    OutOfCredit,
    RateLimited,
    RequestRefused,
)
from pykala.models.second_opinion import Link, SecondOpinion, plain, web_address

QUESTION = "What is the tax rate on capital income? ❄ \u2028"
QUICK = Patience(attempts=3, first_wait=1.0, longest_wait=30.0, connect=10.0, silence=20.0, longest_call=60.0)
#: Each service in each of the forms that it answers in: the model, and the server that plays it.
SERVICES: dict[str, tuple[str, type[WebChat], bool]] = {
    "perplexity": ("perplexity/sonar", WebResponses, False),
    "openai": ("openai/some-model", WebResponses, True),
    "openrouter": ("openrouter/maker/some-model", WebChat, True),
    "sonar's form": ("custom/sonar", WebChat, False),
    "annotations": ("custom/maker/search", WebChat, True),
}
SHOWN = (
    Link("Capital income", "https://www.vero.fi/en/capital-income"),
    Link("Tuloverolaki", "https://www.finlex.fi/fi/laki/1992/1535"),
)


@dataclass
class Case:
    model: str
    service: WebChat
    source: SecondOpinion
    clock: StillClock = field(default_factory=StillClock)

    def fails(self, kind: type[ModelError], *behaviours: Behaviour) -> ModelError:
        self.service.then(*behaviours)
        with pytest.raises(kind) as caught:
            self.source.ask(QUESTION, 30.0)
        assert KEY not in str(caught.value)
        assert "\n" not in str(caught.value)
        return caught.value


@pytest.fixture(params=SERVICES)
def case(request: pytest.FixtureRequest) -> Iterator[Case]:
    model, kind, annotated = SERVICES[request.param]
    clock = StillClock()
    with served(kind(annotated=annotated)) as service:
        assert isinstance(service, WebChat)
        source = second_opinion_from(model, key=KEY, address=service.address, patience=QUICK, clock=clock)
        yield Case(model, service, source, clock)


def test_an_opinion_has_its_text_its_pages_and_what_it_used(case: Case) -> None:
    found = case.source.ask(QUESTION, 30.0)
    assert found.provider == case.source.name == case.model
    assert found.links == SHOWN
    # What the text calls [3] is the second of the links that are shown; annotations number nothing.
    numbered = not case.service.annotated
    assert found.text == ("The rate is 34 per cent above 30,000 euros.[1][2]" if numbered else OPINION)
    assert (found.usage.tokens_in, found.usage.tokens_out) == (USED_IN, USED_OUT)
    assert not found.usage.estimated
    assert found.usage.charged == (0.0054 if isinstance(case.service, WebResponses) else None)


def test_the_question_is_sent_and_nothing_else_of_ours(case: Case) -> None:
    case.source.ask(QUESTION, 30.0)
    (seen,) = case.service.seen
    body = json.dumps(seen.body, ensure_ascii=False)
    assert QUESTION.rstrip("\u2028") in body
    assert KEY not in body
    wanted = case.model.partition("/")[2]
    assert seen.body["model"] == (
        "perplexity/sonar" if wanted == "sonar" and "plex" in case.model else wanted
    )


@pytest.mark.parametrize("model", ["perplexity/sonar", "openai/some-model", "openrouter/maker/some"])
def test_without_a_key_nothing_is_sent_and_the_variable_is_named(model: str) -> None:
    with served(WebChat()) as service:
        source = second_opinion_from(model, address=service.address)
        with pytest.raises(MissingKey, match="PYKALA_SECOND_OPINION_KEY"):
            source.ask(QUESTION, 30.0)
        assert service.seen == []


def test_a_key_alone_names_the_default_and_what_is_no_service_is_said() -> None:
    assert second_opinion_from(key=KEY).name == default_second_opinion() == "perplexity/sonar"
    assert KEY not in repr(second_opinion_from(key=KEY))
    with pytest.raises(ModelMisconfigured, match=r"second opinion.*perplexity"):
        second_opinion_from("nobody/knows", key=KEY)
    with pytest.raises(ModelMisconfigured, match="address"):
        second_opinion_from("custom/some", key=KEY)


def test_a_wrong_key_is_refused_and_not_repeated(case: Case) -> None:
    wrong = "sk-wrong-8d7f6a5c"
    source = second_opinion_from(case.model, key=wrong, address=case.service.address)
    with pytest.raises(KeyRefused) as caught:
        source.ask(QUESTION, 30.0)
    assert wrong not in str(caught.value)
    assert len(case.service.seen) == 1


@pytest.mark.parametrize(
    ("status", "reason", "kind"),
    [
        (401, "no", KeyRefused),
        (402, "Insufficient Balance", OutOfCredit),
        (404, "no such model", RequestRefused),
        (422, "max_steps: extra inputs are not permitted", RequestRefused),
        (301, "", RequestRefused),
    ],
)
def test_a_refusal_that_will_not_pass_is_told_at_once(
    case: Case, status: int, reason: str, kind: type[ModelError]
) -> None:
    error = case.fails(kind, refusing(status, reason, location="http://127.0.0.1:9/elsewhere"))
    assert str(status) in str(error)
    assert case.clock.slept == []
    assert len(case.service.seen) == 1


@pytest.mark.parametrize("status", [429, 503])
def test_a_busy_service_is_asked_again_after_the_time_it_names(case: Case, status: int) -> None:
    case.service.then(refusing(status, "busy", Retry_After="7"), hanging_up)
    assert case.source.ask(QUESTION, 30.0).links == SHOWN
    assert case.clock.slept == [7.0, 2.0]


def test_a_wait_beyond_the_deadline_is_not_waited(case: Case) -> None:
    error = case.fails(
        RateLimited, refusing(429, "busy", Retry_After="29.9"), refusing(429, "", Retry_After="5")
    )
    assert case.clock.slept == [29.9]
    assert "fallback" not in str(error)  # there is none to set


def test_a_service_that_says_nothing_is_left_by_the_deadline(case: Case) -> None:
    source = second_opinion_from(case.model, key=KEY, address=case.service.address, patience=QUICK)
    case.service.then(*[falling_silent([])] * 3)
    started = time.monotonic()
    with pytest.raises(ModelUnavailable):
        source.ask(QUESTION, 1.0)
    assert time.monotonic() - started < 60


@pytest.mark.parametrize(
    "data",
    [
        b"{not json", b"[1]", b"7", b"{}", b"null", b'{"choices": [], "output": []}', b'{"choices": 7}',
        b'{"choices": [{"message": {"content": 7}}],'
        b' "output": [{"type": "message", "content": [{"text": 7}]}]}',
        b'{"choices": [{"message": {"content": " \\u200b "}}],'
        b' "output": [{"type": "message", "content": [{"text": "\\u0007"}]}]}',
        b"[" * 100_000, b"<html>Welcome to the proxy</html>",
    ],
)  # fmt: skip
def test_what_is_no_reply_of_the_protocol_is_refused(case: Case, data: bytes) -> None:
    case.fails(MalformedReply, saying(200, data))


def test_a_fault_that_a_reply_reports_is_an_outage() -> None:
    with served(WebResponses()) as service:
        source = second_opinion_from("perplexity/sonar", key=KEY, address=service.address)
        service.then(saying(200, b'{"status": "failed", "output": [], "error": {"message": "x"}}'))
        with pytest.raises(ModelUnavailable, match="fault"):
            source.ask(QUESTION, 30.0)


HOSTILE = (
    "\x1b]8;;http://evil.example\x07click\x1b[31m <script>alert(1)</script> [bold]TVL 124 §[/bold] [L1]"
    " [ l 2 ] \u202etxet\u202c \u200b\U000e0041 <think>they must believe it</think> \ud83d fine"
    " [99] [web:1]\n\n\n\nend"
)


def test_hostile_text_is_plain_text(case: Case) -> None:
    case.service.text = HOSTILE
    case.service.pages = (
        ("\x1b[31mred\u202e\n\nline", "https://a.example/\x07page"),
        ("no", "javascript:alert(1)"), ("no", "file:///etc/passwd"), ("no", "data:text/html,x"),
        ("no", "https://finlex.fi@evil.example/"), ("no", "//evil.example"), ("no", "https://"),
        ("no", "https://evil.example/ x"), ("no", 'https://evil.example/"onclick='), ("no", "http://[::1"),
        ("again", "https://a.example/page"), ("", "http://b.example:8080/x?y=1#z"),
    )  # fmt: skip
    found = case.source.ask(QUESTION, 30.0)
    assert found.links == (
        Link("[31mred line", "https://a.example/page"),
        Link("b.example", "http://b.example:8080/x?y=1#z"),
    )
    for unseen in "\x1b\x07\u202e\u200b\U000e0041\ud83d":
        assert unseen not in found.text
    assert "[L1]" not in found.text
    assert "[ l 2 ]" not in found.text
    assert "(L1)" in found.text
    assert "must believe" not in found.text
    assert "<script>alert(1)</script>" in found.text  # words, which whoever shows them shows as words
    assert found.text.endswith("\n\nend")
    if not case.service.annotated:
        assert "[99]" not in found.text
        assert "[1]" in found.text


def test_much_is_cut(case: Case) -> None:
    case.service.text = "word " * 50_000
    case.service.pages = tuple((f"title {n}" * 100, f"https://a.example/{n}") for n in range(200))
    found = case.source.ask(QUESTION, 30.0)
    assert len(found.text) < 8_100
    assert len(found.links) == 20
    assert all(len(link.title) <= 200 for link in found.links)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "choices",
                    "message",
                    "content",
                    "citations",
                    "search_results",
                    "annotations",
                    "url_citation",
                    "output",
                    "type",
                    "results",
                    "text",
                    "url",
                    "title",
                    "id",
                    "usage",
                    "cost",
                    "total_cost",
                ]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=20,
)


@pytest.fixture(scope="module")
def anything() -> Iterator[tuple[WebChat, list[SecondOpinion]]]:
    with served(WebChat()) as service:
        models = ("custom/x", "openai/x")
        assert isinstance(service, WebChat)
        yield service, [second_opinion_from(one, key=KEY, address=service.address) for one in models]


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(told=st.dictionaries(st.sampled_from(["choices", "output", "usage", "citations"]), JSON))
def test_whatever_comes_back_is_an_opinion_or_a_model_s_error(
    anything: tuple[WebChat, list[SecondOpinion]], told: dict[str, Any]
) -> None:
    service, sources = anything
    for source in sources:
        service.then(saying(200, json.dumps(told).encode()))
        try:
            found = source.ask(QUESTION, 30.0)
        except ModelError:
            continue
        assert found.text == plain(found.text)
        assert all(web_address(link.url) == link.url for link in found.links)
        assert found.usage.tokens_in >= 0


@given(st.text())
def test_plain_text_stays_plain(text: str) -> None:
    once = plain(text)
    assert plain(once) == once
    once.encode()
    assert all(one == "\n" or one.isprintable() for one in once)
