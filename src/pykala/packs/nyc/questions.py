"""Citations in a question: sections of the code, told by their hyphen, "§ 11-503(a)(1)"."""

from __future__ import annotations

import re

from pykala.law.citations import FoundCitation
from pykala.law.identifiers import Step
from pykala.packs.nyc.phrases import BRACKET
from pykala.packs.nyc.tree import LEVELS

#: "NYC Admin. Code § 11-503(a)(1)", "section 11-208.1", "Admin Code 11-503". A bare "11-503" may be anything.
_SECTION = re.compile(
    r"(?:(?:(?:N\.?Y\.?C\.?|New York City)\s+)?Admin(?:istrative|\.)?\s+Code,?\s+)?"
    r"(?:§+\s?|\b(?:sections?|secs?\.)\s+|(?<=Code )|(?<=Code, ))"
    r"(?P<number>11-\d{3,4}(?:\.\d+)?(?:-[a-z]\b)?)(?P<marks>(?:\s?\([0-9A-Za-z]{1,5}(?:-\w{1,2})?\))*)",
    re.IGNORECASE,
)


def find_in_question(text: str) -> list[FoundCitation]:
    """Find the sections of the code that a question names."""
    found = []
    for match in _SECTION.finditer(text):
        marks = BRACKET.findall(match["marks"])
        below = [Step(level, mark) for level, mark in zip(LEVELS, marks, strict=False)]
        steps = (Step("sec", match["number"].lower()), *below)
        found.append(FoundCitation(match.start(), match.end(), match[0], "", steps))
    return found
