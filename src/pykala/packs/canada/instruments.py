"""Instruments cited by their number: "SOR/2001-227", "TR/92-47", "C.R.C., c. 945"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pykala.law.citations import FoundCitation
from pykala.law.identifiers import WorkId
from pykala.packs.canada.naming import english_number

_NUMBER = re.compile(
    r"(?<![\w/])(?:(?P<series>SOR|SI|DORS|TR)/(?P<number>\d{2,4}-\d{1,4})|C\.R\.C\.,\s+ch?\.\s+(?P<chapter>\d{1,4}))(?!\w)"
)
#: The acts that repealed or amended a text belong to its history; they are not its references.
_TOMBSTONE = re.compile(r"\[(?:[^\]]*\W)?(?:Repealed|Revoked|Abrog|Amended|Modifi|Replaced|Remplac)[^\]]*$")


def find_instruments(text: str, own: WorkId) -> Iterator[FoundCitation]:
    """Find instruments by number, save the work at hand."""
    for match in _NUMBER.finditer(text):
        work = numbered_work(match[0])
        if work is not None and work != own and not _TOMBSTONE.search(text, 0, match.start()):
            yield FoundCitation(match.start(), match.end(), match[0], match[0])


def numbered_work(name: str) -> WorkId | None:
    """The work that a printed number names, or None for any other name."""
    match = _NUMBER.fullmatch(name)
    if match is None:
        return None
    if match["chapter"]:
        return WorkId(f"ca:reg:C.R.C.,_c._{match['chapter']}")
    return WorkId(f"ca:reg:{english_number(match['series'] + '-' + match['number'])}")
