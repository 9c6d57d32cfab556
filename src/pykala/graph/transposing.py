"""National acts that carry out acts of the Union: "Tällä lailla pannaan täytäntöön … direktiivi 92/43/ETY".

A citation of a Union act becomes `transposes` where a word of carrying out stands before it in its sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from pykala.law.references import EdgeKind, Reference

UNION = "eu"
_CARRIES_OUT = re.compile(
    r"pannaan (?:\w+ )?täytäntöön|saatetaan (?:\w+ )?voimaan|osaksi kansallista"
    r"|genomför(?:s|as|a)\b|sätts i kraft|införlivas"
    r"|implement(?:s|ing)\b|transpos(?:es|ing|ition)\b|giv(?:es|ing) effect to"
    r"|transpose(?:nt)?\b|met(?:tent)? en œuvre|mise en œuvre",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.;!?]\s+(?=[A-ZÅÄÖÉ])")


def transposing(references: Iterable[Reference], text: str) -> Iterator[Reference]:
    """Those of one text's references that say that it carries out an act of the Union, as such."""
    cues = [match.start() for match in _CARRIES_OUT.finditer(text)]
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
                cue < reference.start and not _SENTENCE_END.search(text, cue, reference.start) for cue in cues
            )
        ):
            yield replace(reference, kind=EdgeKind.TRANSPOSES)
