"""The words of every article as a page of EUR-Lex prints them, without any reader of ours: expressions alone.

A witness for `text_at`: from an article's title to the next title, tags and the editors' marks taken out.
"""

from __future__ import annotations

import html
import re

from pykala.law.composition import compose
from pykala.law.provisions import Provision, ProvisionKind

_TITLE = re.compile(
    r'<p\b[^>]*?class="(?:oj-)?(title-article-norm|ti-art|title-division-1|ti-section-1|title-annex-1'
    r'|doc-ti|footnote|note|signatory)[^"]*"[^>]*>'
)
_NOTES = ("note", "footnote")
_CONTAINER = re.compile(r'id="(?:art|tis|cpt|sct|prt|sbs)_[^"]*"[^>]*>\s*$')
_ARTICLES = ("title-article-norm", "ti-art")
_MODREF = re.compile(r'<p\b[^>]*class="modref".*?</p>', re.DOTALL)
_NOTE = re.compile(r'<p\b[^>]*class="oj-note".*?</p>', re.DOTALL)
_LINK = re.compile(r'<a\b[^>]*href="#[^"]*"[^>]*>.*?</a>', re.DOTALL)
_BLOCK = re.compile(r"</?(?:p|div|td|tr|table|br|li|col|tbody)\b[^>]*>")
_TAG = re.compile(r"<!--.*?-->|<[^>]+>", re.DOTALL)
_ARROW = re.compile(r"[►▼]\s*[A-Z]{1,2}\d*(?:[ ,]+[A-Z]\d+)*")
_FINAL = re.compile(
    r"(?:Done at|Done in|Fait à|Fait au|This (?:Regulation|Decision) shall be binding in its entirety"
    r"|Le présent règlement est obligatoire dans|La présente décision est obligatoire dans) .*",
    re.DOTALL,
)
_WORD = re.compile(r"\w+")


def official_articles(page: str) -> dict[str, list[str]]:
    """The words of each article by its title ("Article 98"); quoted ones stay in what quotes them."""
    marks = _boundaries(page)
    found: dict[str, list[str]] = {}
    for place, mark in enumerate(marks):
        if mark[1] not in _ARTICLES:
            continue
        end = marks[place + 1].start() if place + 1 < len(marks) else len(page)
        segment = page[mark.start() : end]
        title = " ".join(_plain(segment[: segment.find("</p>")]).split())
        found.setdefault(title, _words(segment))
    return found


def _boundaries(page: str) -> list[re.Match[str]]:
    """The titles of the act itself, and what ends its last article."""
    contained = 'id="art_' in page
    marks = [mark for mark in _TITLE.finditer(page) if _is_own(page, mark, contained)]
    last = max((place for place, mark in enumerate(marks) if mark[1] in _ARTICLES), default=0)
    return [mark for place, mark in enumerate(marks) if mark[1] not in _NOTES or place > last]


def _is_own(page: str, mark: re.Match[str], contained: bool) -> bool:
    if mark[1] in _NOTES or mark[1] == "signatory":
        return True
    if _plain(page[mark.end() : mark.end() + 40]).strip()[:1] in tuple("‘“«\"'"):
        return False
    if contained and mark[1] in ("ti-art", "ti-section-1", "title-article-norm"):
        return _CONTAINER.search(page, max(0, mark.start() - 200), mark.start()) is not None
    return True


def _plain(markup: str) -> str:
    return html.unescape(_TAG.sub("", markup))


def _words(segment: str) -> list[str]:
    segment = _LINK.sub(" ", _NOTE.sub(" ", _MODREF.sub(" ", segment)))
    text = _plain(_BLOCK.sub(" ", segment))
    text = " ".join(_ARROW.sub(" ", text).replace("◄", " ").split())
    return _WORD.findall(_FINAL.sub("", text))


def our_articles(root: Provision) -> dict[str, list[str]]:
    """The words of each article of a tree that has one version a node, by its label."""
    found: dict[str, list[str]] = {}
    for provision in root.walk():
        if provision.kind is ProvisionKind.ARTICLE:
            text = compose(_without_notes(provision)).text
            words = " ".join(part for part in (provision.label, provision.heading, text) if part)
            found.setdefault(provision.label, _WORD.findall(words))
    return found


def _without_notes(provision: Provision) -> Provision:
    children = tuple(
        _without_notes(child) for child in provision.children if child.kind is not ProvisionKind.FOOTNOTE
    )
    return Provision(provision.id, provision.kind, provision.label, provision.versions, children)
