"""Which provisions anchor passages, for packs whose sections are identified by their kind alone."""

from __future__ import annotations

from collections.abc import Iterator

from pykala.law.provisions import Document, Provision, ProvisionKind

#: Kinds that only contain other provisions; every other kind anchors its own passages.
CONTAINERS = frozenset(
    {
        ProvisionKind.WORK,
        ProvisionKind.PART,
        ProvisionKind.CHAPTER,
        ProvisionKind.DIVISION,
        ProvisionKind.HEADING,
    }
)


def sections_below_containers(document: Document) -> Iterator[tuple[tuple[Provision, ...], Provision]]:
    """Each topmost provision that is not a container, with its ancestors from the root down."""
    stack: list[tuple[tuple[Provision, ...], Provision]] = [((), document.root)]
    while stack:
        ancestors, provision = stack.pop()
        if provision.kind in CONTAINERS:
            # A container may have words of its own (a heading's note), which must not be lost.
            if any(version.text for version in provision.versions):
                yield ancestors, _own_words(provision)
            stack.extend(((*ancestors, provision), child) for child in reversed(provision.children))
        else:
            yield ancestors, provision


def _own_words(container: Provision) -> Provision:
    return Provision(container.id, container.kind, container.label, container.versions)
