"""What a source leaves out of a text that looks complete: pictures, and announced tables.

A formula or a table that the publisher prints as a picture has no words. Its place in the text is marked, and
the provision gets a finding. A provision that ends with "as follows:" where nothing follows gets one too.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Final

from pykala.law.messages import Message
from pykala.law.provisions import Provision, ProvisionKind, Version

#: The mark in the words where the source has a picture.
PICTURE: Final = "[…]"
#: The findings, as keys of phrases.
NO_PICTURE: Final = Message("finding.no_picture")
DESCRIBED: Final = Message("finding.described_picture")
NO_LIST: Final = Message("finding.no_list")
REPEATED: Final = Message("finding.repeated")
_ANNOUNCING = frozenset(
    {
        ProvisionKind.SECTION,
        ProvisionKind.ARTICLE,
        ProvisionKind.SUBSECTION,
        ProvisionKind.ITEM,
        ProvisionKind.FLUSH,
        ProvisionKind.DEFINITION,
    }
)
#: After these a sibling of the same kind begins anew; after any other, it is what was announced.
_OWN = frozenset({ProvisionKind.SECTION, ProvisionKind.ARTICLE, ProvisionKind.SUBSECTION})
#: Notes on the words; what an act announces and quotes (an amendment) is more than that.
_BESIDE = frozenset({ProvisionKind.FOOTNOTE, ProvisionKind.HISTORICAL_NOTE, ProvisionKind.EDITORIAL_NOTE})


def with_gaps(provision: Provision) -> Provision:
    """A tree in which every incomplete text has a finding about what its source leaves out."""
    following = _followers(provision)
    children = tuple(
        _told(with_gaps(child), after) for child, after in zip(provision.children, following, strict=True)
    )
    if all(new is old for new, old in zip(children, provision.children, strict=True)):
        return provision
    return replace(provision, children=children)


def _followers(provision: Provision) -> list[Provision | None]:
    law = [child for child in provision.children if child.kind not in _BESIDE]
    after = {id(child): later for child, later in pairwise(law)}
    return [after.get(id(child)) for child in provision.children]


def _told(node: Provision, following: Provision | None) -> Provision:
    lacks = _announces(node) and (
        following is None or (node.kind in _OWN and following.kind in (node.kind, ProvisionKind.HEADING))
    )
    versions = tuple(
        _marked(version, lacks=lacks and at == len(node.versions) - 1)
        for at, version in enumerate(node.versions)
    )
    if all(new is old for new, old in zip(versions, node.versions, strict=True)):
        return node
    return replace(node, versions=versions)


def _announces(node: Provision) -> bool:
    if node.kind not in _ANNOUNCING or not node.versions or node.versions[-1].validity.end is not None:
        return False
    if any(child.kind not in _BESIDE for child in node.children):
        return False
    return node.versions[-1].text.endswith(":")


def _marked(version: Version, *, lacks: bool) -> Version:
    told = [NO_PICTURE] if PICTURE in version.text else []
    told += [NO_LIST] if lacks else []
    new = tuple(one for one in told if one not in version.findings)
    return version.doubted(*new) if new else version
