"""Which files are the code's: the plain text of a title, or answers of Open Legislation for the law ADC."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from pykala.law.identifiers import WorkId
from pykala.packs.pack import SourceItem

TITLE = "11"
WORK = WorkId(f"nyc:adc:{TITLE}")
#: The publisher's export is named after its first part ("New York City Finance Chapter 1.txt"), which is
#: this title; a file of one's own says so: "title-11.txt", "nyc/adc-11.txt".
_PLAIN = re.compile(
    rf"(?:.*/)?(?:[^/]*new york city finance[^/]*|[^/]*\b(?:title|adc)[-_ ]?{TITLE})\.txt", re.IGNORECASE
)
#: The addresses of the service, with or without their own ending.
_SENATE = re.compile(
    rf"(?:.*/)?laws/ADC(?:\.json|/(?:T{TITLE}(?:C\w[\w-]*)?|{TITLE}-[\w.-]+?|index|full)(?:/index)?\.json)",
    re.IGNORECASE,
)


def is_plain_text(path: str) -> bool:
    """Whether a path names the plain text of the title."""
    return _PLAIN.fullmatch(path) is not None


def is_senate(path: str) -> bool:
    """Whether a path names an answer of Open Legislation."""
    return _SENATE.fullmatch(path) is not None


def group_works(paths: Iterable[str]) -> Iterator[SourceItem]:
    """All files of the title as one item; other files are left out."""
    known = sorted({path for path in paths if is_plain_text(path) or is_senate(path)})
    if known:
        yield SourceItem(WORK.value, tuple(known))
