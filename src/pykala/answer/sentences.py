"""The sentences of a composed provision, each with the words that open its list and its tables."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import Final

from pykala.law.composition import Composed, Line
from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import ProvisionKind
from pykala.text.sentences import sentences

#: Editors' notes below a section: they say when the law changed, and cannot answer a question.
BESIDE_THE_LAW: Final = frozenset(
    {ProvisionKind.FOOTNOTE, ProvisionKind.HISTORICAL_NOTE, ProvisionKind.EDITORIAL_NOTE}
)
#: The characters that end a whole sentence or a table.
ENDS: Final = frozenset('.!?…|”»")')
_TABLES: Final = frozenset({ProvisionKind.TABLE, ProvisionKind.FORMULA})
_LONGEST_TABLES: Final = 1_000  # characters of the tables below a sentence that are read with it
_OPENING: Final = 400  # characters of the words above an item that are read with it


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, its place, the list opening above it, and the tables below it."""

    start: int
    end: int
    text: str
    place: ProvisionId  # the provision of the line in which it stands
    above: tuple[str, ...]
    below: str

    @property
    def opening(self) -> str:
        """The opening words above it, the nearest of each level."""
        return " ".join(words[-_OPENING:] for words in self.above)


def sentences_of(composed: Composed) -> list[Sentence]:
    """The sentences of a text with the words that open the lists they stand in."""
    text, starts = composed.text, [line.start for line in composed.lines]
    above = _above(composed)
    found = []
    for start, end in spans_of_the_law(composed):
        at = max(0, bisect_right(starts, start) - 1)
        line = composed.lines[at]
        below = "" if text[start:end].rstrip()[-1:] in ENDS else _below(composed, line)
        found.append(Sentence(start, end, text[start:end], line.provision, above[at], below))
    return found


def _above(composed: Composed) -> list[tuple[str, ...]]:
    """For each line, the preceding lines of the provisions that contain it, in order."""
    passed: dict[ProvisionId, list[Line]] = {}
    found = []
    for line in composed.lines:
        place = line.provision
        outer = (ProvisionId(place.work, place.path[:depth]) for depth in range(len(place.path)))
        lines = sorted((one for place in outer for one in passed.get(place, ())), key=lambda one: one.start)
        found.append(tuple(composed.text[one.start : one.end] for one in lines))
        passed.setdefault(place, []).append(line)
    return found


def _below(composed: Composed, line: Line) -> str:
    """The tables below a sentence's provision: "at the rates shown in the following table"."""
    tables = (
        composed.text[one.start : one.end]
        for one in composed.lines
        if one.kind in _TABLES and one.start > line.start and line.provision.contains(one.provision)
    )
    return "\n".join(tables)[:_LONGEST_TABLES]


def spans_of_the_law(composed: Composed) -> list[tuple[int, int]]:
    """The spans of the sentences outside notes; the whole text where there are none."""
    notes = [(line.start, line.end) for line in composed.lines if line.kind in BESIDE_THE_LAW]
    spans = [
        span for span in sentences(composed.text) if not any(start <= span[0] < end for start, end in notes)
    ]
    return spans or [(0, len(composed.text))]
