"""National acts that transpose acts of the Union: "Tällä lailla pannaan täytäntöön … direktiivi 92/43/ETY".

A citation of a Union act becomes `transposes` if a word for transposing stands before it in its sentence.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from pykala.law.references import EdgeKind, Reference
from pykala.text.languages.known import alternatives, derived, letters

UNION = "eu"


@derived
def _sentence_end() -> re.Pattern[str]:
    return re.compile(rf"[.;!?]\s+(?=[{letters().upper()}])")


@derived
def _carries_out() -> re.Pattern[str]:
    return re.compile(alternatives("law.carries_out"), re.IGNORECASE)


def transposing(references: Iterable[Reference], text: str) -> Iterator[Reference]:
    """Mark the references of a text that say that it transposes an act of the Union."""
    cues = [match.start() for match in _carries_out().finditer(text)]
    if not cues:
        return
    ended = [(match.end(), match.start()) for match in _sentence_end().finditer(text)]
    for reference in references:
        target = reference.target
        if (
            reference.kind is EdgeKind.CITES
            and target is not None
            and target.work.jurisdiction == UNION
            and reference.source.work.jurisdiction != UNION
            and _in_one_sentence(cues, ended, reference.start)
        ):
            yield replace(reference, kind=EdgeKind.TRANSPOSES)


def _in_one_sentence(cues: Sequence[int], ended: Sequence[tuple[int, int]], place: int) -> bool:
    """Whether a cue stands before a place, and no sentence ends between the two: the last cue decides."""
    before = bisect_left(cues, place)
    last_end = bisect_left(ended, (place, 0))
    return before > 0 and (last_end == 0 or ended[last_end - 1][1] < cues[before - 1])
