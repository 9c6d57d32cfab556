"""Caveats of references that lead out of the library."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pykala.law.answers import Caveat, CaveatKind
from pykala.law.identifiers import ProvisionId
from pykala.law.references import Unresolved, UnresolvedReference
from pykala.text.phrases import LANGUAGES, named, say

_SHOWN = 3  # references named in full; further ones are only counted


def of_references(
    unresolved: Sequence[UnresolvedReference], *, spoken: str = LANGUAGES[0]
) -> Iterator[Caveat]:
    """Unresolved references of the primary provision."""
    for reference in unresolved[:_SHOWN]:
        if number := _lacking(reference):
            message = say(spoken, "caveat.unresolved_part", text=reference.text, number=number)
        else:
            reason = named(spoken, "unresolved", reference.reason)
            message = say(spoken, "caveat.unresolved", text=reference.text, reason=reason)
        yield Caveat(CaveatKind.UNRESOLVED_REFERENCE, reference.source, message)
    if len(unresolved) > _SHOWN:
        message = say(spoken, "caveat.more_unresolved", count=len(unresolved) - _SHOWN)
        yield Caveat(CaveatKind.UNRESOLVED_REFERENCE, unresolved[0].source, message)


def _lacking(reference: UnresolvedReference) -> str:
    """The number of the provision that a held work lacks, as in "85a" of "section 85 or 85a"."""
    if reference.reason is not Unresolved.NO_SUCH_PROVISION or not reference.target:
        return ""
    try:
        path = ProvisionId.parse(reference.target).path
    except ValueError:  # a name
        return ""
    number = path[-1].number if path else ""
    spaced = re.sub(r"(?<=\d)(?=[a-z])", r"\\s?", re.escape(number))  # 85a is written "85 a §", too
    found = re.search(rf"(?<!\w){spaced}(?!\w)", reference.text) if number else None
    return found[0] if found else ""
