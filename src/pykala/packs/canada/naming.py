"""How Justice Laws names files and works: one work, two languages, two numbers.

`eng/regulations/SOR-2001-227.xml` and `fra/reglements/DORS-2001-227.xml` are one regulation; its work is
named after the English number in both languages, `ca:reg:SOR-2001-227`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from pykala.law.identifiers import InvalidIdentifier, WorkId
from pykala.packs.pack import SourceItem

_FILE = re.compile(
    r"(?:^|/)(?:eng/(?P<eng>acts|regulations)|fra/(?P<fra>lois|reglements))/(?P<number>[^/\s]+)\.xml$"
)
_FRENCH_PREFIXES = (("DORS-", "SOR-"), ("TR-", "SI-"))
_FRENCH_CHAPTER, _ENGLISH_CHAPTER = ",_ch._", ",_c._"
_ACT_LINK = re.compile(r"[A-Z]+-\d+(?:\.\d+)*")
_REGULATION_LINK = re.compile(r"(?:SOR|SI)-\d+-\d+[a-z]?|C\.R\.C\.,_c\._\d+[a-z]?")


def english_number(number: str) -> str:
    """The English number of an instrument: "DORS-2001-227" is "SOR-2001-227"."""
    for french, english in _FRENCH_PREFIXES:
        if number.startswith(french):
            return english + number[len(french) :]
    return number.replace(_FRENCH_CHAPTER, _ENGLISH_CHAPTER)


def french_number(number: str) -> str:
    """The French number of an instrument: "SOR-2001-227" is "DORS-2001-227"."""
    for french, english in _FRENCH_PREFIXES:
        if number.startswith(english):
            return french + number[len(english) :]
    return number.replace(_ENGLISH_CHAPTER, _FRENCH_CHAPTER)


def printed_number(number: str) -> str:
    """The number as people write it: "SOR/2001-227", "C.R.C., c. 945"."""
    if number.startswith(("SOR-", "SI-", "DORS-", "TR-")):
        return number.replace("-", "/", 1)
    return number.replace("_", " ")


def item_name(path: str) -> str | None:
    """The work's name of a file, whatever folder the mirror is in; None for other files."""
    match = _FILE.search(path)
    if match is None:
        return None
    act = match["eng"] == "acts" or match["fra"] == "lois"
    name = f"ca:act:{match['number']}" if act else f"ca:reg:{english_number(match['number'])}"
    try:
        return WorkId(name).value
    except InvalidIdentifier:
        return None


def language_of(path: str) -> str:
    """The language that a path stands for."""
    match = _FILE.search(path)
    return "fr" if match is not None and match["fra"] else "en"


def group_works(paths: Iterable[str]) -> Iterator[SourceItem]:
    """Group paths into works, the English file first, ordered by name."""
    grouped: dict[str, list[str]] = {}
    for path in paths:
        name = item_name(path)
        if name is not None:
            grouped.setdefault(name, []).append(path)
    for name in sorted(grouped):
        yield SourceItem(name, tuple(sorted(grouped[name], key=lambda path: (language_of(path), path))))


@lru_cache(maxsize=16_384)
def linked_work(reference_type: str, link: str) -> WorkId | None:
    """The work that an `XRefExternal` link names, or None where the link is of another form ("const")."""
    if reference_type == "act" and _ACT_LINK.fullmatch(link):
        return WorkId(f"ca:act:{link}")
    number = english_number(link)
    if reference_type == "regulation" and _REGULATION_LINK.fullmatch(number):
        return WorkId(f"ca:reg:{number}")
    return None
