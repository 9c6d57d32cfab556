"""The age of a guidance page without a day of its own: it is not older than what it cites.

Four of five pages in the archive have lost the label with their day. A page that cites act 876/2023 or the
ruling KHO:2024:12 was written then or later; one whose title says "1.1.2018 alkaen" is valid from that day.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date

from pykala.law.messages import Message
from pykala.packs.finland.commencement import short_date

UNDATED = Message("finding.undated")

_FROM = re.compile(r"(\d{1,2}\.\d{1,2}\.\d{4})\s+(?:alkaen|lähtien|lukien)")
_CITED = (
    re.compile(r"\(\d{1,4}/(?P<year>(?:19|20)\d\d)\)"),
    re.compile(r"\bHE\s\d{1,3}/(?P<year>(?:19|20)\d\d)\b"),
    re.compile(r"\b(?:KHO|KVL|KKO)[:\s](?P<year>(?:19|20)\d\d)[:/]\s?\d"),
    re.compile(r"\b(?:KHO|KVL)\s\d{1,2}\.\d{1,2}\.(?P<year>(?:19|20)\d\d)"),
)


def age_of(title: str, words: Iterable[str]) -> tuple[date | None, Message]:
    """The first possible day of a page, and the finding that names the evidence."""
    named = _FROM.search(title)
    day = short_date(named[1]) if named is not None else None
    if day is not None:
        return day, Message.of("finding.by_its_title", day=day)
    years = [int(found["year"]) for text in words for sign in _CITED for found in sign.finditer(text)]
    if not years:
        return None, UNDATED
    return date(max(years), 1, 1), Message.of("finding.by_what_it_cites", year=str(max(years)))
