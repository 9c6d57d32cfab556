"""Which provisions anchor passages: articles, each recital, and an annex by its parts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pykala.law.provisions import Document, Provision, ProvisionKind
from pykala.packs.sections import CONTAINERS

#: Steps that only contain what is below them.
_PLACES = frozenset({"pbl", "head"})


def sections(document: Document) -> Iterator[tuple[tuple[Provision, ...], Provision]]:
    """Each provision that is a section by itself, with its ancestors from the root down."""
    stack: list[tuple[tuple[Provision, ...], Provision]] = [((), document.root)]
    while stack:
        above, provision = stack.pop()
        parts = _parts(provision)
        if not parts:
            yield above, provision
            continue
        apart = {part.id for part in parts}
        own = tuple(child for child in provision.children if child.id not in apart)
        if own or any(version.text for version in provision.versions):
            yield above, replace(provision, children=own)
        stack.extend(((*above, provision), part) for part in reversed(parts))


def _parts(provision: Provision) -> tuple[Provision, ...]:
    """The parts of an annex, chapter or similar place, each an anchor of its own; else none."""
    last = provision.id.last
    if provision.kind is ProvisionKind.ANNEX or (
        last is not None and "anx" in {s.kind for s in provision.id.path}
    ):
        return tuple(
            child
            for child in provision.children
            if child.kind in CONTAINERS or child.kind is ProvisionKind.ARTICLE
        )
    if provision.kind in CONTAINERS or (last is not None and last.kind in _PLACES):
        return provision.children
    return ()
