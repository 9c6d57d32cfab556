"""Guidance that a later page replaces, by the later page's own words.

"Ohje korvaa 13.1.2017 annetun ohjeen Apteekkivero (Dnro A168/200/2016)", "Päätöksellä kumotaan Verohallinnon
päätös korkoajan laskemisesta (3/2021)": the archive still contains the older page. If several pages have one
title, the one written last replaces the others. Guidance that is replaced only in part ("siltä osin kuin",
"luvut 10 ja 11.4") stays in force.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from pykala.packs.finland.addresses import slug
from pykala.packs.finland.commencement import short_date
from pykala.packs.finland.pages.guidance_age import age_of

ENDED_ON = "superseded on "  # a note to the reader, with the day where it is known
#: In the raw bytes of a page that may replace another.
SIGNS = (b"korvaa", b"korvataan", b"kumotaan", b"kumoaa")

_REPLACES = re.compile(
    r"\b(?:ohje|kannanotto|päätös|ohjeella|kannanotolla|päätöksellä) (?:myös )?"
    r"(?:korvaa|korvataan|kumotaan|kumoaa)(?: myös)? (?P<what>\S[^\n]{2,400})",
    re.IGNORECASE,
)
_SENTENCE_ENDS = re.compile(r"\.(?:\s+(?=[A-ZÅÄÖ])|$)")
_IN_PART = re.compile(
    r"\bosin\b|osalta|osilta|siltä osin|\bluvu[nt]|\bluku\b|\bluvut\b|\bkohda[nt]|momentti|, jossa",
    re.IGNORECASE,
)
_SAME_NAME = re.compile(r"\bsaman ?nimisen\b", re.IGNORECASE)
_GIVEN = re.compile(r"(\d{1,2}\.\d{1,2}\.\d{4}) (?:annetun|antaman|julkaistun|päivätyn)")
_DECISION = re.compile(
    r"\b(?P<title>Verohalli(?:nnon|tuksen) päätös [^(]{5,200}?)(?= \(|,? joka| ja Verohal|\.?$)"
)
_TITLED = re.compile(
    r"\b(?:ohjeen|kannanoton|ohje|kannanotto) (?!VH/|A?\d+/)(?P<title>[A-ZÅÄÖ0-9][^(]{3,160}?)"
    r"(?= \(|,? jo(?:ka|ta)\b|,? dnro| (?:VH|A\d+)/| \d+/\d+/\d{4}| sekä |\.?$)"
)
_NAMED = re.compile(r"(?P<title>[A-ZÅÄÖ][^.(]{3,160}?) -nimisen (?:ohjeen|kannanoton)")


@dataclass(frozen=True, slots=True)
class PageSigns:
    """A page's own statements of its age and of the pages that it replaces as a whole."""

    title: str
    day: date | None  # it was written then or later
    since: date | None  # it holds from then, by its own label or its own words
    replaces: frozenset[str] = frozenset()  # slugs of the titles of the replaced pages


def replaced_titles(title: str, words: Iterable[str]) -> Iterator[str]:
    """The titles of the pages that a page replaces whole; its own title for an older edition of itself."""
    for text in words:
        for found in _REPLACES.finditer(text):
            what = _SENTENCE_ENDS.split(found["what"], maxsplit=1)[0]
            if _IN_PART.search(what):
                continue
            if _SAME_NAME.search(what):
                yield title
            for pattern in (_DECISION, _TITLED, _NAMED):
                yield from (named["title"].strip(" ”\"'") for named in pattern.finditer(what))


def signs_of(title: str, since: date | None, words: Iterable[str]) -> PageSigns:
    """The signs of one page; `since` is the day that a label or the page's own words give it."""
    texts = list(words)
    given = [short_date(day) for text in texts if _REPLACES.search(text) for day in _GIVEN.findall(text)]
    days = [since, age_of(title, texts)[0], *given]
    replaces = frozenset(slug(one) for one in replaced_titles(title, texts))
    return PageSigns(title, max((day for day in days if day), default=None), since, replaces)


def superseded(signs: Mapping[str, PageSigns], slugs: Mapping[str, str]) -> dict[str, PageSigns]:
    """The paths of replaced pages, with the data of the page that replaces each.

    `signs` has the pages that may replace others, and every page that shares its title; `slugs` has the slug
    of the title of every page by its path.
    """
    by_slug: dict[str, list[str]] = {}
    for path, name in slugs.items():
        by_slug.setdefault(name, []).append(path)
    found: dict[str, PageSigns] = {}
    for path, page in signs.items():
        for name in page.replaces - {slugs[path]}:
            found |= dict.fromkeys(by_slug.get(name, ()), page)
    for paths in by_slug.values():
        editions = [signs[path] for path in paths if path in signs and signs[path].day]
        if len(paths) < 2 or len(editions) < len(paths):
            continue
        newest = max(editions, key=lambda page: page.day or date.min)
        found |= {path: newest for path in paths if signs[path].day != newest.day}
    return found
