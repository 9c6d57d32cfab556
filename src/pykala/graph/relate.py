"""All references of a document, by deterministic passes: anchors, citations, exceptions, definitions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pykala.graph.anchors import anchored, anchors_by_source
from pykala.graph.citations import cited, holds
from pykala.graph.definitions import definition_references
from pykala.graph.exceptions import Cues, with_exceptions
from pykala.graph.transposing import transposing
from pykala.law.citations import CitationContext, CitationGrammar
from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import Document, Provision, ProvisionKind
from pykala.law.references import Reference
from pykala.text.stretches import Stretches


def relate(
    document: Document, grammar: CitationGrammar, exception_cues: Cues, yielding_cues: Cues
) -> tuple[Reference, ...]:
    """Every reference of a document, once each, in document order and then in the order of the text.

    If a wording refers to a place several times, only the first reference counts. References of a provision
    to itself ("this subsection") do not count.
    """
    found = tuple(_distinct(_all(document, grammar, exception_cues, yielding_cues)))
    return (*found, *_distinct(definition_references(document, found)))


def _all(
    document: Document, grammar: CitationGrammar, exception_cues: Cues, yielding_cues: Cues
) -> Iterator[Reference]:
    by_source = anchors_by_source(document)
    known: set[ProvisionId] = set()
    for provision in _own_law(document.root):
        known.add(provision.id)
        if not provision.versions:
            yield from by_source.get(provision.id, ())
            continue
        context = CitationContext(document.language, provision.id, document)
        *shared, elsewhere = anchored(by_source.get(provision.id, ()), provision.versions)
        yield from elsewhere
        for version, anchors in zip(provision.versions, shared, strict=True):
            found = list(cited(version, grammar, context, source=provision.id, anchors=anchors))
            outside = Stretches(found)
            kept = [anchor for anchor in anchors if not _is_held(anchor, outside)]
            references = sorted([*kept, *found], key=lambda reference: (reference.start, reference.end))
            yield from with_exceptions(references, version.text, exception_cues, yielding_cues)
            yield from transposing(references, version.text)
    # Keep links from places that the pack's reader left out of the tree: they belong to the document.
    for source in sorted(by_source.keys() - known):
        yield from by_source[source]


def _is_held(anchor: Reference, found: Stretches[Reference]) -> bool:
    """Whether a citation contains a link of the markup and is longer."""
    return any(holds(outer, anchor) for outer in found.touching(anchor.start, anchor.end))


def _own_law(root: Provision) -> Iterator[Provision]:
    """The provisions of a document without the words that it gives to other acts."""
    stack = [root]
    while stack:
        provision = stack.pop()
        if provision.kind is not ProvisionKind.AMENDMENT:
            yield provision
            stack.extend(reversed(provision.children))


def _distinct(references: Iterable[Reference]) -> Iterator[Reference]:
    seen: set[tuple[object, ...]] = set()
    for reference in references:
        if reference.target == reference.source:
            continue
        # An unresolved reference is identified by its words alone.
        words = "" if reference.target or reference.alias else reference.text
        key = (
            reference.source,
            reference.kind,
            reference.reverse,
            reference.target,
            reference.alias,
            reference.path,
            words,
            reference.language,
            reference.validity,
        )
        if key not in seen:
            seen.add(key)
            yield reference
