"""Cross-headings: a heading between sections, which sources print beside the sections that it heads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pykala.law.provisions import Provision, ProvisionKind


def group_cross_headings(provisions: list[Provision]) -> Iterator[Provision]:
    """Put the sections that follow a cross-heading below it: in the source it stands beside them."""
    heading: Provision | None = None
    held: list[Provision] = []
    for provision in provisions:
        last = provision.id.last
        if heading is not None and last is not None and last.kind in {"sec", "note", "omission"}:
            held.append(provision)
            continue
        if heading is not None:
            yield replace(heading, children=(*heading.children, *held))
        heading, held = (provision, []) if provision.kind is ProvisionKind.HEADING else (None, [])
        if heading is None:
            yield provision
    if heading is not None:
        yield replace(heading, children=(*heading.children, *held))
