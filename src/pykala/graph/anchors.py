"""Assign the links of the source's markup (anchors) to the wordings that contain them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import Document, Version
from pykala.law.references import Reference
from pykala.law.validity import ALWAYS


def anchors_by_source(document: Document) -> Mapping[ProvisionId, Sequence[Reference]]:
    """The document's markup references by the provision that they stand in."""
    by_source: dict[ProvisionId, list[Reference]] = defaultdict(list)
    for reference in document.references:
        by_source[reference.source].append(reference)
    return by_source


def anchored(anchors: Iterable[Reference], versions: Sequence[Version]) -> list[list[Reference]]:
    """Assign the anchors of one provision to its versions; anchors of no version come last.

    An anchor belongs to the version whose validity it names. Without a validity, it belongs to each version
    that has the quoted words at its position. An anchor without a span ("amended by 2012, c. 19") belongs to
    none.
    """
    shared: list[list[Reference]] = [[] for _ in range(len(versions) + 1)]
    for anchor in anchors:
        homes = [number for number, version in enumerate(versions) if _stands_in(anchor, version)]
        for number in homes:
            # A pack's reader need not repeat the dates of a wording on every link in it.
            dated = (
                anchor if anchor.validity != ALWAYS else replace(anchor, validity=versions[number].validity)
            )
            shared[number].append(dated)
        if not homes:
            shared[-1].append(anchor)
    return shared


def _stands_in(anchor: Reference, version: Version) -> bool:
    return (
        anchor.start < anchor.end <= len(version.text)
        and version.text[anchor.start : anchor.end] == anchor.text
        and anchor.validity in (ALWAYS, version.validity)
    )
