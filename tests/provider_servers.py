"""Model services on a port of this machine, speaking their providers' protocols: streams, refusals, limits.

Each checks its requests as the provider would, and answers 401 or 400 where they are wrong. `then` says how
the next requests are met; after those, every one is answered.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

KEY = "sk-marker-3f9c1e7a55d04b2e"
USED_IN, USED_OUT, USED_CACHED = 1200, 34, 1000


@dataclass
class Seen:
    """A request as it came."""

    path: str
    headers: dict[str, str]
    body: Any


class Refused(Exception):
    def __init__(self, status: int, reason: str) -> None:
        self.status, self.reason = status, reason
        super().__init__(reason)


Behaviour = Callable[["Service", BaseHTTPRequestHandler, Any], None]


@dataclass
class Service:
    """One provider: what it asks of a request, and how it answers."""

    words: tuple[str, ...] = ("The tax rate ", "on capital income ", "is 34 per cent [L1].")
    key: str = KEY
    seen: list[Seen] = field(default_factory=list)
    ahead: list[Behaviour] = field(default_factory=list)
    address: str = ""
    gone: threading.Event = field(default_factory=threading.Event)  # the reader closed the connection
    over: threading.Event = field(default_factory=threading.Event)  # the test is over

    def then(self, *behaviours: Behaviour) -> None:
        self.ahead.extend(behaviours)

    def check(self, seen: Seen) -> None:
        if self.key and seen.headers.get("authorization") != f"Bearer {self.key}":
            raise Refused(401, f"Incorrect API key provided: {seen.headers.get('authorization', '')}")

    def error(self, status: int, reason: str) -> dict[str, Any]:
        return {"error": {"message": reason, "type": "invalid_request_error", "code": None}}

    def answer(self, handler: BaseHTTPRequestHandler, body: Any) -> None:
        raise NotImplementedError


class ChatCompletions(Service):
    """OpenAI's `/chat/completions`, as DeepSeek and the others speak it."""

    def check(self, seen: Seen) -> None:
        super().check(seen)
        if not seen.path.endswith("/chat/completions"):
            raise Refused(404, "no such path")
        body = seen.body
        if not body.get("stream") or not body["stream_options"]["include_usage"]:
            raise Refused(400, "this server only streams")
        if any(one["role"] not in ("system", "user", "assistant") for one in body["messages"]):
            raise Refused(400, "no such role")
        if body.get("max_tokens", body.get("max_completion_tokens", 0)) <= 0:
            raise Refused(400, "max_tokens is required")

    def events(self, words: tuple[str, ...], reason: str = "stop") -> list[str]:
        def chunk(delta: dict[str, Any], reason: str | None = None) -> str:
            choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}
            return _data({"id": "x", "object": "chat.completion.chunk", "choices": [choice], "usage": None})

        details = {"cached_tokens": USED_CACHED}
        used = {"prompt_tokens": USED_IN, "completion_tokens": USED_OUT, "prompt_tokens_details": details}
        return [
            chunk({"role": "assistant", "content": ""}),
            ": keep-alive\n\n",
            chunk({"content": None, "reasoning_content": "Let me think: 99 per cent?"}),
            *(chunk({"content": word}) for word in words),
            chunk({}, reason),
            _data({"id": "x", "object": "chat.completion.chunk", "choices": [], "usage": used}),
            "data: [DONE]\n\n",
        ]

    def fault(self) -> str:
        return _data({"error": {"message": "upstream failed", "code": 502}})

    def answer(self, handler: BaseHTTPRequestHandler, body: Any) -> None:
        streamed(self.events(self.words))(self, handler, body)


class Messages(ChatCompletions):
    """Anthropic's `/v1/messages`."""

    def check(self, seen: Seen) -> None:
        if self.key and seen.headers.get("x-api-key") != self.key:
            raise Refused(401, f"invalid x-api-key {seen.headers.get('x-api-key', '')}")
        if seen.path != "/v1/messages" or seen.headers.get("anthropic-version") != "2023-06-01":
            raise Refused(400, "anthropic-version: header is required")
        roles = [one["role"] for one in seen.body["messages"]]
        if roles[0] != "user" or set(roles) - {"user", "assistant"} or not seen.body["max_tokens"] > 0:
            raise Refused(400, "messages: roles must be user and assistant")
        if "temperature" in seen.body or "thinking" in seen.body or roles[-1] != "user":
            raise Refused(400, "temperature, disabled thinking and prefill are not supported by this model")

    def error(self, status: int, reason: str) -> dict[str, Any]:
        kinds = {401: "authentication_error", 429: "rate_limit_error", 529: "overloaded_error"}
        return {
            "type": "error",
            "error": {"type": kinds.get(status, "invalid_request_error"), "message": reason},
        }

    def events(self, words: tuple[str, ...], reason: str = "stop") -> list[str]:
        def event(name: str, **data: Any) -> str:
            return f"event: {name}\n{_data({'type': name, **data})}"

        stop = {"stop": "end_turn", "length": "max_tokens"}[reason]
        read = {"input_tokens": USED_IN - USED_CACHED, "cache_read_input_tokens": USED_CACHED}
        opening = {"id": "m", "role": "assistant", "content": [], "usage": {**read, "output_tokens": 1}}
        thought = {"type": "thinking_delta", "thinking": "99 per cent?"}
        return [
            event("message_start", message=opening),
            event("content_block_start", index=0, content_block={"type": "thinking", "thinking": ""}),
            event("content_block_delta", index=0, delta=thought),
            event("content_block_stop", index=0),
            event("content_block_start", index=1, content_block={"type": "text", "text": ""}),
            event("ping"),
            *(
                event("content_block_delta", index=1, delta={"type": "text_delta", "text": word})
                for word in words
            ),
            event("content_block_stop", index=1),
            event("message_delta", delta={"stop_reason": stop}, usage={"output_tokens": USED_OUT}),
            event("message_stop"),
        ]

    def fault(self) -> str:
        error = {"type": "overloaded_error", "message": "Overloaded"}
        return f"event: error\n{_data({'type': 'error', 'error': error})}"


def vector(text: str, role: str, dimension: int) -> list[float]:
    """A vector that depends on every letter and on the role."""
    data = b"".join(sha256(f"{role}:{text}:{n}".encode()).digest() for n in range(1 + dimension // 32))
    return [(byte - 127.5) * 3 for byte in data[:dimension]]


@dataclass
class Embeddings(Service):
    """OpenAI's `/embeddings`; Voyage's with `input_type`."""

    dimension: int = 16
    typed: bool = False
    most: int = 2048

    def check(self, seen: Seen) -> None:
        super().check(seen)
        body = seen.body
        if not seen.path.endswith("/embeddings") or not body["input"] or "" in body["input"]:
            raise Refused(400, "input must be a list of texts that are not empty")
        if len(body["input"]) > self.most:
            raise Refused(400, f"at most {self.most} inputs")
        if self.typed and body.get("input_type") not in ("query", "document"):
            raise Refused(400, "input_type must be query or document")
        if not self.typed and "input_type" in body:
            raise Refused(400, "Unrecognized request argument supplied: input_type")

    def answer(self, handler: BaseHTTPRequestHandler, body: Any) -> None:
        role = body.get("input_type", "")
        rows = [
            {"object": "embedding", "index": n, "embedding": vector(text, role, self.dimension)}
            for n, text in enumerate(body["input"])
        ]
        used = {"total_tokens": 7, "prompt_tokens": 7}
        send(handler, 200, {"object": "list", "data": rows[::-1], "model": body["model"], "usage": used})


class CohereEmbed(Embeddings):
    """Cohere's `/v2/embed`."""

    def check(self, seen: Seen) -> None:
        Service.check(self, seen)
        body = seen.body
        if not seen.path.endswith("/embed") or body["input_type"] not in ("search_query", "search_document"):
            raise Refused(400, "valid input_type must be provided with the provided model")
        if body["embedding_types"] != ["float"] or not 0 < len(body["texts"]) <= 96 or "" in body["texts"]:
            raise Refused(400, "invalid request: total number of texts must be at most 96")

    def error(self, status: int, reason: str) -> dict[str, Any]:
        return {"message": reason}

    def answer(self, handler: BaseHTTPRequestHandler, body: Any) -> None:
        rows = [vector(text, body["input_type"], self.dimension) for text in body["texts"]]
        send(handler, 200, {"id": "x", "embeddings": {"float": rows}, "texts": body["texts"], "meta": {}})


def relevance(query: str, text: str) -> float:
    """The share of the question's words that a text has."""
    words = set(query.casefold().split())
    return len(words & set(text.casefold().split())) / len(words)


class Rerank(Service):
    """`/rerank` as Cohere, Jina and vLLM speak it."""

    def check(self, seen: Seen) -> None:
        super().check(seen)
        if not seen.path.endswith("/rerank") or not seen.body["model"] or not seen.body["documents"]:
            raise Refused(400, "documents must not be empty")

    def answer(self, handler: BaseHTTPRequestHandler, body: Any) -> None:
        scored = [(relevance(body["query"], text), n) for n, text in enumerate(body["documents"])]
        rows = [{"index": n, "relevance_score": score} for score, n in sorted(scored, reverse=True)]
        send(handler, 200, {"id": "x", "results": rows[: body["top_n"]], "meta": {}})


class TextsRerank(Service):
    """`/rerank` as Text Embeddings Inference speaks it: at most 32 texts."""

    def check(self, seen: Seen) -> None:
        super().check(seen)
        if seen.path != "/rerank" or not 0 < len(seen.body["texts"]) <= 32:
            raise Refused(413, "batch size > maximum allowed batch size 32")

    def error(self, status: int, reason: str) -> dict[str, Any]:
        return {"error": reason, "error_type": "Validation"}

    def answer(self, handler: BaseHTTPRequestHandler, body: Any) -> None:
        scored = [(relevance(body["query"], text), n) for n, text in enumerate(body["texts"])]
        send(handler, 200, [{"index": n, "score": score} for score, n in sorted(scored, reverse=True)])


OPINION = "The rate is 34 per cent above 30,000 euros.[1][3]"
PAGES = (
    ("Capital income", "https://www.vero.fi/en/capital-income"),
    ("A bad one", "javascript:alert(1)"),
    ("Tuloverolaki", "https://www.finlex.fi/fi/laki/1992/1535"),
)


@dataclass
class WebChat(Service):
    """`/chat/completions` of a service that searches: Sonar's `citations`, or OpenAI's annotations."""

    annotated: bool = False
    text: str = OPINION
    pages: tuple[tuple[str, str], ...] = PAGES

    def check(self, seen: Seen) -> None:
        super().check(seen)
        if not seen.path.endswith("/chat/completions"):
            raise Refused(404, "no such path")
        roles = [one["role"] for one in seen.body["messages"]]
        if roles != ["system", "user"] or not seen.body["max_tokens"] > 0 or not seen.body["model"]:
            raise Refused(400, "a question, please")

    def reply(self) -> dict[str, Any]:
        message: dict[str, Any] = {"role": "assistant", "content": self.text}
        whole: dict[str, Any] = {"id": "x", "object": "chat.completion"}
        if self.annotated:
            cited = [
                {"url": url, "title": title, "start_index": 0, "end_index": 3} for title, url in self.pages
            ]
            message["annotations"] = [{"type": "url_citation", "url_citation": one} for one in cited]
        else:
            whole["citations"] = [url for _, url in self.pages]
            whole["search_results"] = [
                {"title": title, "url": url, "date": "2026-01-05"} for title, url in self.pages
            ]
        used = {"prompt_tokens": USED_IN, "completion_tokens": USED_OUT, "total_tokens": USED_IN + USED_OUT}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        return {**whole, "choices": [choice], "usage": used}

    def answer(self, handler: BaseHTTPRequestHandler, body: Any) -> None:
        send(handler, 200, self.reply())


class WebResponses(WebChat):
    """`/responses` with a search: what was found as an item of its own, and as annotations."""

    def check(self, seen: Seen) -> None:
        Service.check(self, seen)
        if not seen.path.endswith("/responses"):
            raise Refused(404, "no such path")
        if seen.body["tools"] != [{"type": "web_search"}] or not seen.body["max_output_tokens"] > 0:
            raise Refused(400, "a tool, please")
        if not (isinstance(seen.body["input"], str) and isinstance(seen.body["instructions"], str)):
            raise Refused(400, "a question, please")

    def reply(self) -> dict[str, Any]:
        notes = [{"type": "url_citation", "url": url, "title": title} for title, url in self.pages]
        part = {"type": "output_text", "text": self.text, "annotations": notes if self.annotated else []}
        message = {"type": "message", "role": "assistant", "status": "completed", "content": [part]}
        rows = [
            {"id": place, "title": title, "url": url, "snippet": "…"}
            for place, (title, url) in enumerate(self.pages, start=1)
        ]
        found = {"type": "search_results", "queries": ["rate"], "results": rows}
        cost = {"currency": "USD", "input_cost": 0.0003, "output_cost": 0.0001, "total_cost": 0.0054}
        used = {"input_tokens": USED_IN, "output_tokens": USED_OUT, "cost": cost}
        output = [message] if self.annotated else [found, message]
        return {"id": "x", "object": "response", "status": "completed", "output": output, "usage": used}


def refusing(status: int, reason: str = "", **headers: str) -> Behaviour:
    """Answer with a status, the reason in the provider's own shape, and headers (`Retry_After`)."""

    def meet(service: Service, handler: BaseHTTPRequestHandler, body: Any) -> None:
        send(handler, status, service.error(status, reason), **headers)

    return meet


def streamed(events: list[str], *, ended: bool = True) -> Behaviour:
    """Stream events; not `ended`: the connection breaks off after them."""

    def meet(service: Service, handler: BaseHTTPRequestHandler, body: Any) -> None:
        opened(handler)
        for event in events:
            put(handler, event)
        if ended:
            handler.wfile.write(b"0\r\n\r\n")
        else:
            handler.close_connection = True

    return meet


def falling_silent(events: list[str]) -> Behaviour:
    """Stream events, then nothing more until the test is over."""

    def meet(service: Service, handler: BaseHTTPRequestHandler, body: Any) -> None:
        opened(handler)
        for event in events:
            put(handler, event)
        service.over.wait(30)
        handler.close_connection = True

    return meet


def endless(event: str) -> Behaviour:
    """The same event for ever, until the reader goes away."""

    def meet(service: Service, handler: BaseHTTPRequestHandler, body: Any) -> None:
        opened(handler)
        try:
            while not service.over.is_set():
                put(handler, event)
        except OSError:
            service.gone.set()
        handler.close_connection = True

    return meet


def saying(status: int, data: bytes, kind: str = "application/json") -> Behaviour:
    """Answer with bytes, whatever they are."""

    def meet(service: Service, handler: BaseHTTPRequestHandler, body: Any) -> None:
        handler.send_response(status)
        handler.send_header("content-type", kind)
        handler.send_header("content-length", str(len(data)))
        handler.end_headers()
        handler.wfile.write(data)

    return meet


def hanging_up(service: Service, handler: BaseHTTPRequestHandler, body: Any) -> None:
    """Close the connection without a word."""
    handler.close_connection = True


def opened(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.send_header("content-type", "text/event-stream; charset=utf-8")
    handler.send_header("transfer-encoding", "chunked")
    handler.end_headers()


def put(handler: BaseHTTPRequestHandler, event: str) -> None:
    data = event.encode()
    handler.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
    handler.wfile.flush()


def send(handler: BaseHTTPRequestHandler, status: int, data: Any, **headers: str) -> None:
    body = json.dumps(data).encode()
    handler.send_response(status)
    for name, value in (
        {"content_type": "application/json", "content_length": str(len(body))} | headers
    ).items():
        handler.send_header(name.replace("_", "-"), value)
    handler.end_headers()
    handler.wfile.write(body)


def _data(data: Any) -> str:
    return f"data: {json.dumps(data)}\n\n"


@contextmanager
def served(service: Service) -> Iterator[Service]:
    """A service, listening."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            seen = Seen(self.path, {name.lower(): value for name, value in self.headers.items()}, body)
            service.seen.append(seen)
            if service.ahead:
                service.ahead.pop(0)(service, self, body)
                return
            try:
                service.check(seen)
            except Refused as refused:
                send(self, refused.status, service.error(refused.status, refused.reason))
                return
            service.answer(self, body)

        def log_message(self, format: str, *values: object) -> None:
            pass

    class Quiet(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request: object, client_address: object) -> None:
            pass  # a reader that goes away is part of the tests

    server = Quiet(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    service.address = f"http://127.0.0.1:{server.server_port}"
    try:
        yield service
    finally:
        service.over.set()
        server.shutdown()
        server.server_close()
        thread.join()
