"""National acts that transpose acts of the Union: "Tällä lailla pannaan täytäntöön … direktiivi 92/43/ETY".

A citation of a Union act becomes `transposes` if a word for transposing stands before it in its sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
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
    for reference in references:
        target = reference.target
        if (
            reference.kind is EdgeKind.CITES
            and target is not None
            and target.work.jurisdiction == UNION
            and reference.source.work.jurisdiction != UNION
            and any(
                cue < reference.start and not _sentence_end().search(text, cue, reference.start)
                for cue in cues
            )
        ):
            yield replace(reference, kind=EdgeKind.TRANSPOSES)
