"""Which class of a page's paragraph is a title of what: by its class, or by its style where it has none."""

from __future__ import annotations

import re

from lxml import etree

from .blocks import Role
from .labels import annex, article_number, division
from .page_tree import classes, words_of

_ROLES = {
    "doc-ti": Role.TITLE, "title-doc-first": Role.TITLE, "title-doc-last": Role.TITLE,
    "ti-art": Role.ARTICLE, "title-article-norm": Role.ARTICLE,
    "sti-art": Role.ARTICLE_HEADING, "stitle-article-norm": Role.ARTICLE_HEADING,
    "ti-section-1": Role.DIVISION, "title-division-1": Role.DIVISION,
    "ti-section-2": Role.DIVISION_TITLE, "title-division-2": Role.DIVISION_TITLE,
    "title-annex-1": Role.ANNEX, "title-annex-2": Role.ANNEX_TITLE,
    "ti-annotation": Role.HEADING, "signatory": Role.FINAL,
    "toc-item": Role.CONTENTS, "title-toc": Role.CONTENTS,
    "title-article-quoted": Role.QUOTED_TITLE, "stitle-article-quoted": Role.QUOTED_TITLE,
    "quotation-ti": Role.QUOTED_TITLE,
}  # fmt: skip
_SEQUENCE = re.compile(r"(?:ti-grseq-|title-gr-seq-level-)(\d)")
_CAPTIONS = frozenset({"ti-tbl", "title-table"})
_CAPTION_LEVEL = 9
#: What the publisher says of the page, not the law: dropped, and counted apart.
APPARATUS = frozenset(
    {"hd-date", "hd-lg", "hd-ti", "hd-oj", "hd-coll", "hd-uniq", "reference", "disclaimer", "hd-modifiers"}
)
_REPEALED = re.compile(r"repealed by|abrogée? par", re.IGNORECASE)


def role_of(names: tuple[str, ...]) -> Role | None:
    """The role that a paragraph's classes give it; None for plain text."""
    role = next((_ROLES[name] for name in reversed(names) if name in _ROLES), None)
    if role is None and any(_SEQUENCE.match(name) or name in _CAPTIONS for name in names):
        return Role.HEADING
    return role


def heading_level(names: tuple[str, ...]) -> int:
    """How deep a heading of an annex stands; a table's caption stands deepest."""
    if not _CAPTIONS.isdisjoint(names):
        return _CAPTION_LEVEL
    return next((int(found[1]) for name in names if (found := _SEQUENCE.match(name))), 1)


def role_by_style(text: str, element: etree._Element) -> Role | None:
    """The oldest consolidated pages have no classes: titles are centred lines."""
    style = element.get("style", "")
    if "text-align: center" not in style and "text-align:center" not in style:
        return None
    if article_number(text) and len(text) < 40:
        return Role.ARTICLE
    if annex(text) and len(text) < 30:
        return Role.ANNEX
    if division(text):
        return Role.DIVISION
    return Role.ARTICLE_HEADING if "bold" in style else Role.HEADING


def repealing_act(body: etree._Element) -> str | None:
    """The act that repealed this one, where a state is only the notice of that; None for any other page."""
    if is_consolidated(body):
        return None
    heads = [p for p in body.iter("p") if "hd-modifiers" in classes(p) and _REPEALED.match(words_of(p))]
    if not heads:
        return None
    table = heads[0].getnext()
    anchors = table.iter("a") if table is not None else ()
    return next((anchor.get("title", "") for anchor in anchors if anchor.get("title")), "")


def is_consolidated(body: etree._Element) -> bool:
    """Whether a page is a consolidated text: it marks who amended what."""
    return any("▼" in str(words) for words in body.itertext())
