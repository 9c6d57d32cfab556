"""Pair English and French, section by section and definition by definition, with a confidence.

A section with the same label at the same place among the sections in both languages has confidence 1.0; at
another place, 0.9; matched by order in spite of different labels, 0.8. A definition that names the same
English term has 1.0; one found by its French term alone, 0.9.
"""

from __future__ import annotations

from collections.abc import Iterator, Set

from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import Document, Pairing, ProvisionKind


def pair_documents(english: Document, french: Document, renamed: Set[ProvisionId]) -> Iterator[Pairing]:
    """Pair two languages; `renamed` are the French provisions matched in spite of different labels."""
    for kind in (ProvisionKind.SECTION, ProvisionKind.DEFINITION):
        there = {provision: place for place, provision in enumerate(_of_kind(french, kind))}
        for place, provision in enumerate(_of_kind(english, kind)):
            other = there.get(provision)
            if other is not None:
                confidence, method = _confidence(kind, provision in renamed, place == other)
                yield Pairing(provision, english.language, provision, french.language, confidence, method)


def _of_kind(document: Document, kind: ProvisionKind) -> Iterator[ProvisionId]:
    return (provision.id for provision in document.root.walk() if provision.kind is kind)


def _confidence(kind: ProvisionKind, renamed: bool, same_place: bool) -> tuple[float, str]:
    if kind is ProvisionKind.DEFINITION:
        return (0.9, "other language's term") if renamed else (1.0, "term")
    if renamed:
        return 0.8, "order"
    return (1.0, "label and place") if same_place else (0.9, "label")
