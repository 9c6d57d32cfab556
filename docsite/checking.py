"""What must hold of the built site: every link leads somewhere, and nothing is loaded from elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

from lxml import html

#: Attributes by which a browser loads something on its own; a link that a reader follows is none of them.
_LOADING = (
    ("src", "img|script|iframe|source|video|audio|embed|track|input"),
    ("srcset", "img|source"),
    ("poster", "video"),
    ("data", "object"),
    ("href", "link|image|use"),
)
_NOT_LOADED = frozenset({"canonical", "alternate", "prev", "next", "edit", "author", "license"})
_IN_STYLE = re.compile(r"""(?:url\(\s*["']?|@import\s+["'])\s*((?:https?:)?//[^"')\s]+)""", re.IGNORECASE)


def faults_of(site: Path) -> list[str]:
    """Everything that is wrong with a built site; each names its page."""
    faults: list[str] = []
    for page in sorted(site.rglob("*.html")):
        tree = html.fromstring(page.read_text("utf-8"))
        name = page.relative_to(site).as_posix()
        faults += [f"{name}: loads {address}" for address in _loaded(tree)]
        faults += [f"{name}: {fault}" for fault in _broken(site, page, tree)]
    for style in sorted(site.rglob("*.css")):
        found = _IN_STYLE.findall(style.read_text("utf-8"))
        faults += [f"{style.relative_to(site).as_posix()}: loads {address}" for address in found]
    return faults


def _loaded(tree: html.HtmlElement) -> Iterator[str]:
    """Addresses elsewhere that a browser would load for a page."""
    for attribute, names in _LOADING:
        for element in tree.xpath(" | ".join(f"//{name}[@{attribute}]" for name in names.split("|"))):
            if element.tag == "link" and set((element.get("rel") or "").lower().split()) <= _NOT_LOADED:
                continue
            for address in re.split(r",\s+|\s+", element.get(attribute)):
                if _elsewhere(address):
                    yield address
    for element in tree.xpath("//style | //*[@style]"):
        yield from _IN_STYLE.findall(element.text_content() + (element.get("style") or ""))


def _elsewhere(address: str) -> bool:
    return bool(re.match(r"(?:https?:)?//", address, re.IGNORECASE))


def _broken(site: Path, page: Path, tree: html.HtmlElement) -> Iterator[str]:
    # The page for addresses that there are not is shown at any depth: its links are the theme's own.
    if page.name == "404.html":
        return
    for element in tree.xpath("//a[@href] | //img[@src] | //link[@href] | //script[@src]"):
        address = element.get("href") or element.get("src")
        parts = urlsplit(address)
        if parts.scheme or parts.netloc:
            continue
        target = (page.parent / unquote(parts.path)).resolve() if parts.path else page.resolve()
        if target.is_dir():
            target /= "index.html"
        if site.resolve() not in target.parents or not target.is_file():
            yield f"{address} leads nowhere"
        elif parts.fragment and target.suffix == ".html" and unquote(parts.fragment) not in _anchors(target):
            yield f"{address}: the page has no such place"


@cache
def _anchors(page: Path) -> frozenset[str]:
    tree = html.fromstring(page.read_text("utf-8"))
    return frozenset(tree.xpath("//@id")) | frozenset(tree.xpath("//a/@name"))
