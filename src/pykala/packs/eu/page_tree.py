"""A page of EUR-Lex as a tree of plain lower-case elements, or the reason why it holds no law."""

from __future__ import annotations

import re

from lxml import etree

from pykala.fetch.xml import RefusedFile, parse_html, parse_xml, require_whole_page
from pykala.text.encoding import UndecodableText, decode

#: No real page is nested so deeply (the deepest has 60 levels), and the reader is recursive.
DEEPEST = 160
_PORTAL = re.compile(rb"ecl-site-(?:header|footer)|id=\"MainContent\"|eurlexModal")
#: Signs that only the text of an act has: a class, the container of plain text, a mark of amendment.
_LAW = re.compile(
    rb"class=.(?:oj-)?(?:ti-art|normal|doc-ti|modref|norm)\b|title-article-norm|id=.TexteOnly|\xe2\x96\xbc"
    rb"|class=.hd-modifiers"
)
BLOCK_TAGS = frozenset(
    {
        "p", "div", "table", "tbody", "thead", "tfoot", "tr", "td", "th", "ul", "ol", "li", "h1", "h2", "h3",
        "h4", "h5", "h6", "figure", "dl", "dt", "dd", "hr", "txt_te", "body", "section", "blockquote",
        "center",
    }
)  # fmt: skip
_SILENT = frozenset({"script", "style", "head", "noscript", "svg", "col", "colgroup"})


def page_body(data: bytes, name: str) -> etree._Element:
    """The body of a page. Raises RefusedFile for a page of the portal that shows no act, and for no page."""
    if _PORTAL.search(data) and not _LAW.search(data):
        raise RefusedFile(
            name,
            "it is a page of the EUR-Lex portal without the text of the act (the portal has no HTML of this"
            " state in this language); fetch the PDF or the Formex file instead",
        )
    if not _LAW.search(data):
        raise RefusedFile(
            name, "it shows no sign of a text of EUR-Lex: no class, container or mark that these have"
        )
    root = _parse(data, name)
    for element in list(root.iter()):
        if isinstance(element.tag, str):
            element.tag = element.tag.rpartition("}")[2].lower()
    for element in list(root.iter(*_SILENT)):
        _drop(element)
    body: etree._Element | None = root.find("body")
    if root.tag != "html" or body is None:
        raise RefusedFile(name, f"its root is <{root.tag}>; a page of EUR-Lex has <html> with a <body>")
    return body


def _parse(data: bytes, name: str) -> etree._Element:
    start = data[:400].lstrip(b"\xef\xbb\xbf \t\r\n")
    if start.startswith(b"<?xml") or b"http://www.w3.org/1999/xhtml" in data[:1500]:
        try:
            return parse_xml(data, name, max_depth=DEEPEST)
        except RefusedFile as refused:
            if "nested" in refused.reason or "larger" in refused.reason or "entit" in refused.reason:
                raise
    try:
        text = decode(data).text
    except UndecodableText as fault:
        raise RefusedFile(name, str(fault)) from None
    page: etree._Element = parse_html(text, name, max_depth=DEEPEST)
    require_whole_page(text, name)
    return page


def _drop(element: etree._Element) -> None:
    parent = element.getparent()
    if parent is None:
        return
    if element.tail:
        before = element.getprevious()
        if before is not None:
            before.tail = (before.tail or "") + element.tail
        else:
            parent.text = (parent.text or "") + element.tail
    parent.remove(element)


def is_block(element: etree._Element) -> bool:
    """Whether an element begins a line of its own: by its name, or as it holds one that does."""
    if element.tag in BLOCK_TAGS:
        return True
    return next(element.iter(*BLOCK_TAGS), None) is not None


def classes(element: etree._Element) -> tuple[str, ...]:
    """The classes of an element, without the prefix that the Official Journal's pages have since 2019."""
    return tuple(name.removeprefix("oj-") for name in element.get("class", "").split())


def words_of(element: etree._Element) -> str:
    """All words below an element, those of different lines and cells apart."""
    pieces: list[str] = []
    for event, one in etree.iterwalk(element, events=("start", "end")):
        if isinstance(one.tag, str):
            apart = one.tag in BLOCK_TAGS or one.tag == "br"
            pieces.append((" " if apart else "") + ((one.text if event == "start" else one.tail) or ""))
        elif event == "end":
            pieces.append(one.tail or "")
    return " ".join("".join(pieces).split())
