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
#: A number, or what tells whether it stands in a note such as "[Repealed, SOR/2004-69, s. 2]".
_TOKEN = re.compile(
    rf"(?P<opens>\[)|(?P<closes>\])|(?P<history>(?<!\w)(?:Repealed|Revoked|Abrog|Amended|Modifi|Replaced|Remplac))|{_NUMBER.pattern}"
)


def find_instruments(text: str, own: WorkId) -> Iterator[FoundCitation]:
    """Find instruments by number, save the work at hand.

    The acts that repealed or amended a text belong to its history; they are not its references.
    """
    in_note = of_history = False
    for match in _TOKEN.finditer(text):
        if match["opens"]:
            in_note = True
        elif match["closes"]:
            in_note = of_history = False
        elif match["history"]:
            of_history = of_history or in_note
        elif not of_history and (work := numbered_work(match[0])) is not None and work != own:
            yield FoundCitation(match.start(), match.end(), match[0], match[0])


def numbered_work(name: str) -> WorkId | None:
    """The work that a printed number names, or None for any other name."""
    match = _NUMBER.fullmatch(name)
    if match is None:
        return None
    if match["chapter"]:
        return WorkId(f"ca:reg:C.R.C.,_c._{match['chapter']}")
    return WorkId(f"ca:reg:{english_number(match['series'] + '-' + match['number'])}")
