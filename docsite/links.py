"""Links of the documentation: `python -m docsite.links` asks for every address elsewhere whether it is there.

The tests need no network: they check that links within the repository lead to a file and a heading, and that
addresses elsewhere are well formed and of hosts that we mean to name.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote, urlsplit

import httpx
from markdown_it import MarkdownIt

from docsite.pages import PLACES, ROOT
from pykala.packs.pack import installed

#: Hosts that pages may name, beside those of the publishers whose law the packs read.
_NAMED = frozenset({"www.nysenate.gov", "www.finlex.fi", "eur-lex.europa.eu"})
#: Machines of the reader's own, and names that are set aside for examples (RFC 2606).
_OF_READERS = re.compile(r"127\.0\.0\.1|localhost|[a-z0-9-]+|(?:[a-z0-9-]+\.)*example(?:\.com|\.org)?")
_ADDRESS = re.compile(r"https?://[^\s<>\"'`|\\]+")
_LINK = re.compile(r"\]\(([^()\s]*)\)")
_GONE, _UNASKED = 1, 2


def pages() -> list[str]:
    """The pages whose links are checked."""
    return [page for page in PLACES if Path(page).suffix == ".md"]


def addresses(text: str) -> Iterator[str]:
    """The addresses elsewhere in a text, without the signs of the sentence around them."""
    for found in _ADDRESS.findall(text):
        address = found.rstrip(".,;:!?*")
        while address.endswith(")") and address.count("(") < address.count(")"):
            address = address[:-1].rstrip(".,;:")
        if "…" not in address and "{" not in address:
            yield address


def allowed_hosts() -> frozenset[str]:
    """The hosts that the documentation may lead readers to."""
    return _NAMED | {host for pack in installed().values() for host in pack.facts.hosts}


def fault_of(address: str) -> str:
    """What is wrong with an address elsewhere; empty where nothing is."""
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname or "", parts.port
    except ValueError as error:
        return f"{address} is no address: {error}"
    if _OF_READERS.fullmatch(host):
        return ""
    if host not in allowed_hosts():
        return f"{address}: no page may lead to {host}; add it to docsite/links.py if it should"
    if parts.scheme != "https":
        return f"{address} is not encrypted"
    return f"{address} names a user" if parts.username or parts.password else ""


def faults_elsewhere(texts: Mapping[str, str]) -> list[str]:
    """What is wrong with the addresses elsewhere of pages, given as their texts."""
    found = ((page, fault_of(one)) for page, text in texts.items() for one in addresses(text))
    return [f"{page}: {fault}" for page, fault in found if fault]


def faults_inside(page: str, text: str, root: Path = ROOT) -> list[str]:
    """Links of a page in the repository that lead to no file or to no heading of one."""
    faults = []
    for target in _LINK.findall(text):
        path, _, anchor = target.partition("#")
        if re.match(r"[a-z]+:", target) or re.search(r"(?:^|/)reference/", path):
            continue  # generated pages are only in the site, whose build checks them
        file = (root / page).parent / unquote(path) if path else root / page
        if not file.exists():
            faults.append(f"{page}: {target} leads nowhere")
        elif anchor and file.suffix == ".md" and anchor not in headings(file):
            faults.append(f"{page}: {target}: the page has no such heading")
    return faults


@cache
def headings(file: Path) -> frozenset[str]:
    """The anchors of a Markdown file's headings, as GitHub makes them."""
    tokens = MarkdownIt().parse(file.read_text("utf-8"))
    found: list[str] = []
    for token, inline in pairwise(tokens):
        if token.type == "heading_open":
            words = "".join(one.content for one in inline.children or ())
            slug = re.sub(r"[^\w\- ]", "", words.lower()).strip().replace(" ", "-")
            found.append(f"{slug}-{times}" if (times := found.count(slug)) else slug)
    return frozenset(found)


def main() -> int:
    """Ask for every address once, and say which are gone."""
    asked = sorted({one for page in pages() for one in addresses((ROOT / page).read_text("utf-8"))})
    elsewhere = [one for one in asked if not _OF_READERS.fullmatch(urlsplit(one).hostname or "")]
    gone: list[str] = []
    unreached: list[str] = []
    with httpx.Client(follow_redirects=True, timeout=20) as client:
        for address in elsewhere:
            try:
                status = client.get(address).status_code
            except httpx.HTTPError as error:
                unreached.append(f"{address}: {error}")
                continue
            if status in (404, 410):
                gone.append(f"{address}: {status}")
            sys.stdout.write(f"{status}  {address}\n")
    for fault in (*gone, *unreached):
        sys.stderr.write(f"{fault}\n")
    sys.stdout.write(f"{len(elsewhere)} addresses: {len(gone)} gone, {len(unreached)} not reached\n")
    return _GONE if gone else _UNASKED if unreached else 0


if __name__ == "__main__":
    sys.exit(main())
