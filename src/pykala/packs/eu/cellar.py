"""The text of an act from CELLAR, by content negotiation on its CELEX number.

    GET /resource/celex/32019R2144   Accept: application/xhtml+xml, text/html;q=0.9   Accept-Language: en

CELLAR answers 200 with the page. It redirects to the item (by http, although it serves https). It answers 300
with a list of items where the page has several parts, 404 where it does not have the act, and 406 where it
has the act in that language only as PDF.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from urllib.parse import quote, urljoin, urlsplit

import httpx

from pykala.fetch.addresses import redacted
from pykala.fetch.http import Fetched, FetchFailed, PoliteClient
from pykala.fetch.snapshots import Sighting, SnapshotDamaged, Snapshots
from pykala.fetch.xml import RefusedFile, parse_html

CONTENT: Final = "https://publications.europa.eu/resource/celex/"
ACCEPT: Final = "application/xhtml+xml, text/html;q=0.9"
_MOST_TURNS = 6
_MOVED = frozenset({301, 302, 303, 307, 308})
_WHOLE = re.compile(rb"</html>\s*(?:<!--[^>]{0,2000}-->\s*)*\Z", re.IGNORECASE)
_PAGE = re.compile(rb"<(?:html|body|p|div)[\s>]", re.IGNORECASE)


class NotOffered(Exception):
    """CELLAR has no page of an act in a language; `reason` says what it has and what to do."""

    def __init__(self, celex: str, language: str, reason: str) -> None:
        self.celex, self.language, self.reason = celex, language, reason
        super().__init__(f"{celex} ({language}): {reason}")


class Elsewhere(Exception):
    """The response names other addresses: one redirect, or several to choose from."""

    def __init__(self, addresses: tuple[str, ...]) -> None:
        self.addresses = addresses
        super().__init__(", ".join(addresses))


@dataclass(frozen=True, slots=True)
class Page:
    """One text of an act as CELLAR sent it."""

    celex: str
    language: str
    data: bytes
    url: str
    sha256: str
    retrieved_at: datetime
    parts: int = 1  # files of this text at CELLAR; if more than one, this is the first

    @property
    def ending(self) -> str:
        """The file extension, as in the archive: XHTML that declares itself is `xml`."""
        return "xml" if self.data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<?xml") else "html"


class CellarClient(PoliteClient):
    """A polite client that leaves redirects and choices to its caller.

    CELLAR redirects to http addresses, which are requested by https here, and its 300 response has a body to
    choose from. The client stores no snapshots: one address has a text in every language.
    """

    def _taken(self, url: str, response: httpx.Response, deadline: float) -> Fetched:
        if response.status_code == 300:
            raise Elsewhere(_choices(self._body(url, response, deadline), url))
        location = response.headers.get("location", "")
        if response.status_code in _MOVED and location:
            raise Elsewhere((_secured(urljoin(url, location)),))
        return super()._taken(url, response, deadline)


def content_url(celex: str, base: str = CONTENT) -> str:
    """The address of an act: brackets and slashes of a CELEX number are encoded."""
    return base + quote(celex, safe="")


def fetch_page(
    client: CellarClient, celex: str, language: str, snapshots: Snapshots, *, base: str = CONTENT
) -> Page:
    """The text of an act in a language. Raises NotOffered, FetchFailed or FetchRefused."""
    url = content_url(celex, base)
    # The address alone does not tell the languages apart, so the snapshot's name does.
    name = f"{redacted(url)}#{language}"
    known = snapshots.last(name)
    body = _kept(known, snapshots)
    if known is not None and body and client.confirmed_lately(known):
        return Page(celex, language, body, url, known.sha256, known.retrieved_at)
    headers = {"accept": ACCEPT, "accept-language": language}
    if known is not None and body:
        headers |= {"if-none-match": known.etag} if known.etag else {}
        headers |= {"if-modified-since": known.last_modified} if known.last_modified else {}
    try:
        answer, parts = _follow(client, url, headers)
    except FetchFailed as fault:
        if fault.status == 304 and known is not None and body:
            return Page(celex, language, body, url, known.sha256, known.retrieved_at)
        raise _not_offered(celex, language, fault) from fault
    reason = _damage(answer.data)
    if reason:
        raise FetchFailed(url, f"{reason}; try again later", answer.status)
    sha256 = snapshots.put(answer.data)
    # Identical bytes are not a new text: the stored snapshot need not change.
    same = known is not None and known.sha256 == sha256
    came = known.retrieved_at if known is not None and same else answer.retrieved_at
    tags = answer.headers.get("etag", ""), answer.headers.get("last-modified", "")
    snapshots.record(Sighting(name, *tags, sha256, came, answer.checked_at))
    return Page(celex, language, answer.data, url, sha256, came, parts)


def is_recent(
    client: CellarClient, celex: str, language: str, snapshots: Snapshots, base: str = CONTENT
) -> bool:
    """Whether the text is available from recent snapshots, without asking CELLAR."""
    known = snapshots.last(f"{redacted(content_url(celex, base))}#{language}")
    return known is not None and client.confirmed_lately(known)


def _kept(known: Sighting | None, snapshots: Snapshots) -> bytes:
    if known is None:
        return b""
    try:
        return snapshots.get(known.sha256)
    except SnapshotDamaged:
        return b""


def _follow(client: CellarClient, url: str, headers: dict[str, str]) -> tuple[Fetched, int]:
    first, parts = url, 1
    for _ in range(_MOST_TURNS):
        try:
            answer = client.get(url, headers=headers)
        except Elsewhere as elsewhere:
            if not elsewhere.addresses:
                raise FetchFailed(first, "it lists several files and none of them is a page", 300) from None
            url, parts = elsewhere.addresses[0], max(parts, len(elsewhere.addresses))
            continue
        return answer, parts
    raise FetchFailed(first, f"it leads from one address to another more than {_MOST_TURNS} times")


def _choices(data: bytes, url: str) -> tuple[str, ...]:
    """The items that an HTTP 300 response lists, pages first: `<li title="item"><a href="…/DOC_1">`."""
    try:
        root = parse_html(data.decode("utf-8", "replace"), url)
    except RefusedFile:
        return ()
    found = [_secured(urljoin(url, link)) for link in root.xpath('//li[@title="item"]//a/@href')]
    pages = [address for address in dict.fromkeys(found) if urlsplit(address).scheme in ("http", "https")]
    # Items are numbered in the order of the act: its enacting terms come before annexes and images.
    return tuple(sorted(pages, key=lambda address: (not _is_document(address), _item_number(address))))


def _is_document(address: str) -> bool:
    return "/DOC_" in address or address.lower().endswith((".html", ".xhtml"))


def _item_number(address: str) -> int:
    digits = re.search(r"(\d{1,6})(?:\.x?html)?$", address)
    return int(digits[1]) if digits is not None else 0


def _secured(address: str) -> str:
    """The address by https where it is CELLAR's own: its redirects still say http."""
    own = urlsplit(CONTENT)
    return re.sub(rf"^http://{re.escape(own.netloc)}(?=/)", f"https://{own.netloc}", address)


def _damage(data: bytes) -> str:
    if not _PAGE.search(data):
        return "what came is no page"
    return "" if _WHOLE.search(data[-4096:]) else "the page is cut short"


def _not_offered(celex: str, language: str, fault: FetchFailed) -> Exception:
    if fault.status == 406:
        advice = "CELLAR has it in this language only as PDF; open it at EUR-Lex, or read it as an upload"
        return NotOffered(celex, language, advice)
    if fault.status in (404, 410):
        return NotOffered(celex, language, "CELLAR has no such act; check the CELEX number")
    return fault
