"""Find marginal notes and cross-references by their words.

Neither is indexed as a passage of its own. A note is the heading of its provision and is indexed with it; a
reference is a span of the provision's text. So the provisions are searched first, and each hit is then
checked for matching notes and references.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pykala.law.filters import Filter
from pykala.law.provisions import ProvisionKind
from pykala.law.references import Direction
from pykala.models.embedder import Embedder
from pykala.retrieve.options import DEFAULT_OPTIONS, AskOptions
from pykala.retrieve.search import Candidate, search
from pykala.stores.store import Match, Store
from pykala.text.analysis import analyse

ANNOTATIONS = frozenset({ProvisionKind.MARGINAL_NOTE.value, ProvisionKind.CROSS_REFERENCE.value})
_DEPTH = 60  # provisions looked at


def search_annotations(
    query: str,
    filter: Filter,
    store: Store,
    embedder: Embedder | None,
    *,
    limit: int,
    options: AskOptions = DEFAULT_OPTIONS,
) -> tuple[Candidate, ...]:
    """The notes and references of the kinds in the filter; most matching words first."""
    wanted, kinds = filter.kinds & ANNOTATIONS, filter.kinds - ANNOTATIONS
    plain = replace(filter, kinds=kinds)
    found: list[tuple[float, Candidate]] = []
    for candidate in search(query, plain, store, embedder, limit=_DEPTH, options=options):
        match = candidate.match
        asked = set(analyse(query, match.language))
        shown = [
            *(_note(match, store, filter) if ProvisionKind.MARGINAL_NOTE in wanted else ()),
            *(_references(match, store, filter) if ProvisionKind.CROSS_REFERENCE in wanted else ()),
        ]
        for one in shown:
            terms = set(analyse(one.text, match.language))
            # Sort by the number of query words that match, then by fewest other words: "Parental benefits"
            # comes before a long note.
            share = len(asked & terms) / (len(asked) or 1) + 0.1 * len(asked & terms) / (len(terms) or 1)
            if asked & terms:
                found.append((share, replace(candidate, match=replace(one, score=share), score=share)))
    found.sort(key=lambda pair: -pair[0])  # a stable sort: equals keep the order of the search
    return tuple(candidate for _, candidate in found[:limit])


def _note(match: Match, store: Store, filter: Filter) -> Iterator[Match]:
    """The note of the innermost provision that has one, up to the section."""
    for provision in dict.fromkeys((match.provision, match.section)):
        stored = store.provision(provision, as_of=filter.as_of, language=match.language)
        if heading := stored.version.heading:
            yield replace(match.saying(heading), provision=provision, kind=ProvisionKind.MARGINAL_NOTE)
            return


def _references(match: Match, store: Store, filter: Filter) -> Iterator[Match]:
    here = [match.provision]
    edges = store.edges(here, direction=Direction.OUT, as_of=filter.as_of)
    written = {(edge.source, edge.text) for edge in edges if edge.language == match.language}
    written |= {(one.source, one.text) for one in store.unresolved(here)}
    for source, text in sorted(written):
        if text:
            yield replace(match.saying(text), provision=source, kind=ProvisionKind.CROSS_REFERENCE)
