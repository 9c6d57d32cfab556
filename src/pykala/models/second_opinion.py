"""A second opinion: what a service that searches the web says of a question, with the pages it names.

It is not law. No part of it goes into an answer, its evidence or its checks; it is shown separately, for a
reader who wants to look further. The reply is untrusted input: it becomes plain text, never markup, without
invisible characters; a page becomes a link only if its address is http or https without a user name; and text
that looks like one of our keys ("[L1]") is changed.
"""

from __future__ import annotations

import math
import re
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Protocol
from urllib.parse import urlsplit

from pykala.law.answers import Cost
from pykala.models.connection import Connection
from pykala.models.failures import MalformedReply, ModelUnavailable
from pykala.models.writer import Usage

MOST_TOKENS: Final = 1_000  # the most tokens of an opinion
_LONGEST_QUESTION: Final = 4_000
_LONGEST_TEXT: Final = 8_000
_LONGEST_TITLE: Final = 200
_LONGEST_ADDRESS: Final = 2_000
_MOST_LINKS: Final = 20
_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_THOUGHT: Final = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL)
#: A reference to one of its pages: "[2]", or "[web:2]" in Perplexity's own form.
_MARK: Final = re.compile(r"\[(?:web:)?(\d{1,3})\]")
_OUR_KEY: Final = re.compile(r"\[\s*([Ll]\s*\d{1,4})\s*\]")
_RULES: Final = (
    "Answer the question about law briefly, in its own language, in plain text, from what the web says today;"
    " name your sources. Where the sources disagree or do not say, say so."
)


@dataclass(frozen=True, slots=True)
class Link:
    """A page that an opinion names: an address that may be opened, and what the page is called."""

    title: str
    url: str


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a service says, as plain text; "[1]" in it is the first of its links."""

    text: str
    links: tuple[Link, ...]
    provider: str
    usage: Usage


@dataclass(frozen=True, slots=True)
class Advice:
    """The opinion as plain text, and its cost; or the `problem`, if there is none."""

    text: str = ""
    links: tuple[Link, ...] = ()
    provider: str = ""
    cost: Cost = field(default_factory=lambda: Cost(currency="USD"))
    problem: str = ""


class SecondOpinion(Protocol):
    """Searches the web for a question. Failures are ModelErrors."""

    @property
    def name(self) -> str:
        """The service and its model, as the price table names it: "perplexity/sonar"."""
        ...

    def ask(self, question: str, deadline: float, *, most_tokens: int = MOST_TOKENS) -> Opinion:
        """An opinion within so many seconds."""
        ...


@dataclass(frozen=True, slots=True)
class Asking:
    """Differences between services with the same protocol."""

    model: str  # as the service calls it
    name: str  # as the price table does
    extra: Mapping[str, object] = field(default_factory=dict)  # sent with every request
    limit_name: str = "max_tokens"


@dataclass(frozen=True, slots=True)
class _Page:
    """A page as a reply names it; `mark` is its number in the text, if it has one."""

    title: object
    url: object
    mark: int | None = None


@dataclass(frozen=True, slots=True)
class _Reply:
    text: str
    pages: tuple[_Page, ...]


class _Service(ABC):
    """One request, one reply; subclasses define the form of both."""

    def __init__(self, connection: Connection, asking: Asking) -> None:
        self._connection, self._asking = connection, asking

    @property
    def name(self) -> str:
        """The service and its model, as the price table names it."""
        return self._asking.name

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r}, {self._connection!r})"

    def ask(self, question: str, deadline: float, *, most_tokens: int = MOST_TOKENS) -> Opinion:
        """An opinion within so many seconds."""
        path, body = self._request(question[:_LONGEST_QUESTION], most_tokens)
        response = self._connection.post(path, {**body, **self._asking.extra}, within=deadline)
        if not isinstance(response, dict):
            raise MalformedReply(f"{self._connection.service} sent a reply that is no object")
        reply = self._read(response)
        links, places = _links(reply.pages)
        text = plain(_marked(_THOUGHT.sub("", reply.text), places))
        if not text:
            raise MalformedReply(f"{self._connection.service} sent a reply without an answer")
        return Opinion(text, links, self.name, _used(response.get("usage"), self.name))

    @abstractmethod
    def _request(self, question: str, most_tokens: int) -> tuple[str, dict[str, object]]:
        """Where a question goes, and how it is put there."""

    @abstractmethod
    def _read(self, reply: Mapping[str, Any]) -> _Reply:
        """The text of a reply and the pages it names."""


class ChatSecondOpinion(_Service):
    """`/chat/completions` of a service that searches: Sonar's form, and OpenAI's annotations.

    Sonar's form has `citations` (addresses) and `search_results` (title, url) beside the choices; the other
    has `annotations` with `url_citation` in the message. Gateways give one or the other: both are read.
    """

    def _request(self, question: str, most_tokens: int) -> tuple[str, dict[str, object]]:
        messages = [{"role": "system", "content": _RULES}, {"role": "user", "content": question}]
        body = {"model": self._asking.model, "messages": messages, self._asking.limit_name: most_tokens}
        return "/chat/completions", body

    def _read(self, reply: Mapping[str, Any]) -> _Reply:
        choice = next(iter(_rows(reply.get("choices"))), {})
        message = choice.get("message")
        text = message.get("content") if isinstance(message, dict) else None
        if not isinstance(text, str):
            raise MalformedReply(f"{self._connection.service} sent a reply without an answer")
        assert isinstance(message, dict)
        return _Reply(text, (*_cited(reply), *_annotated(message.get("annotations"))))


class ResponsesSecondOpinion(_Service):
    """`/responses`, as OpenAI and, since Sonar's chat form ended in September 2026, Perplexity speak it."""

    def _request(self, question: str, most_tokens: int) -> tuple[str, dict[str, object]]:
        body = {"model": self._asking.model, "instructions": _RULES, "input": question}
        return "/responses", {**body, "max_output_tokens": most_tokens}

    def _read(self, reply: Mapping[str, Any]) -> _Reply:
        if reply.get("status") == "failed" or reply.get("error"):
            raise ModelUnavailable(f"{self._connection.service} reported a fault; ask again")
        texts: list[str] = []
        found: list[_Page] = []
        noted: list[_Page] = []
        for item in _rows(reply.get("output")):
            if item.get("type") == "search_results":
                found += _results(item.get("results"))
            elif item.get("type") == "message":
                for part in _rows(item.get("content")):
                    texts += [part["text"]] if isinstance(part.get("text"), str) else []
                    noted += _annotated(part.get("annotations"))
        return _Reply("".join(texts), (*found, *noted))


#: Protocol in `providers.toml` → class.
SECOND_OPINION_PROTOCOLS: Final[Mapping[str, type[_Service]]] = {
    "chat": ChatSecondOpinion,
    "responses": ResponsesSecondOpinion,
}


def plain(text: str) -> str:
    """A text without invisible characters and without our keys; line breaks stay, and it is shortened."""
    spaced = re.sub(r"[^\S\n]", " ", text.replace("\r\n", "\n"))
    seen = "".join(
        character
        for character in spaced
        if character == "\n" or unicodedata.category(character) not in _UNSEEN
    )
    seen = _OUR_KEY.sub(r"(\1)", seen)
    lines = "\n".join(line.rstrip() for line in seen.split("\n")).strip()
    lines = re.sub(r"\n{3,}", "\n\n", lines)
    return lines if len(lines) <= _LONGEST_TEXT else f"{lines[:_LONGEST_TEXT].rstrip()} …"


def web_address(value: object) -> str:
    """An address that may be opened in a browser; "" for any other."""
    if not isinstance(value, str) or len(value) > _LONGEST_ADDRESS:
        return ""
    text = "".join(character for character in value.strip() if unicodedata.category(character) not in _UNSEEN)
    try:
        parts = urlsplit(text)
        parts.port  # noqa: B018 - a port that is none is told by reading it
    except ValueError:
        return ""
    # "https://finlex.fi@elsewhere.example/" leads elsewhere.
    named = parts.scheme in ("http", "https") and parts.hostname and parts.username is None
    return text if named and not re.search(r"[\s\"<>\\^`{|}]", text) else ""


def _links(pages: Iterable[_Page]) -> tuple[tuple[Link, ...], dict[int, int] | None]:
    """The pages that may be shown, each once, and the text's numbers → the new numbers of these pages."""
    links: dict[str, Link] = {}
    places: dict[int, int] = {}
    numbered = False
    for page in pages:
        numbered = numbered or page.mark is not None
        url = web_address(page.url)
        if not url or (url not in links and len(links) >= _MOST_LINKS):
            continue
        title = " ".join(plain(page.title if isinstance(page.title, str) else "").split())[:_LONGEST_TITLE]
        known = links.get(url)
        if known is None or not known.title:
            links[url] = Link(title, url)
        if page.mark is not None:
            places[page.mark] = list(links).index(url) + 1
    named = tuple(
        Link(link.title or urlsplit(link.url).hostname or link.url, link.url) for link in links.values()
    )
    return named, places if numbered else None


def _marked(text: str, places: Mapping[int, int] | None) -> str:
    """A text whose marks use the numbers of the links shown; marks of other pages are removed."""
    if places is None:
        return text
    return _MARK.sub(lambda mark: f"[{places[int(mark[1])]}]" if int(mark[1]) in places else "", text)


def _cited(reply: Mapping[str, Any]) -> Iterator[_Page]:
    """Pages by their number in `citations`; `search_results` adds titles, or numbers if there are none."""
    results = list(_results(reply.get("search_results")))
    titles = {page.url: page.title for page in results if isinstance(page.url, str)}
    citations = reply.get("citations")
    if isinstance(citations, list) and citations:
        for mark, url in enumerate(citations, start=1):
            yield _Page(titles.get(url, "") if isinstance(url, str) else "", url, mark)
    else:
        yield from results


def _results(value: object) -> Iterator[_Page]:
    for place, row in enumerate(_rows(value), start=1):
        own = row.get("id")
        yield _Page(row.get("title"), row.get("url"), own if _is_count(own) else place)


def _annotated(value: object) -> Iterator[_Page]:
    for row in _rows(value):
        inner = row.get("url_citation")
        cited = inner if isinstance(inner, dict) else row
        yield _Page(cited.get("title"), cited.get("url"))


def _rows(value: object) -> Iterator[Mapping[str, Any]]:
    """The objects in a list; other values are ignored."""
    yield from (row for row in (value if isinstance(value, list) else []) if isinstance(row, dict))


def _used(reply: object, name: str) -> Usage:
    """The usage in a reply, with the cost that the service reports."""
    data = reply if isinstance(reply, dict) else {}
    read, written = (
        next((data[key] for key in names if _is_count(data.get(key))), None)
        for names in (("prompt_tokens", "input_tokens"), ("completion_tokens", "output_tokens"))
    )
    if read is None or written is None:
        return Usage(name, 0, 0, estimated=True)
    cost = data.get("cost")
    amount = cost.get("total_cost") if isinstance(cost, dict) else cost
    return Usage(name, read, written, charged=_amount(amount))


def _amount(value: object) -> float | None:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    return float(value) if math.isfinite(value) and value >= 0 else None


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**9
