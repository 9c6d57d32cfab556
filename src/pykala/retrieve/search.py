"""Hybrid search: words and, where there is an embedder, meaning; children found, sections returned."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pykala.law.filters import Filter
from pykala.law.identifiers import ProvisionId
from pykala.models.embedder import Embedder
from pykala.retrieve.fuse import reciprocal_ranks
from pykala.stores.store import Match, Store

_DEPTH = 60  # children looked at in each index before they are merged into sections


@dataclass(frozen=True, slots=True)
class Candidate:
    """A section that may answer, with the child of it that matched best."""

    section: ProvisionId
    match: Match
    score: float

    @property
    def key(self) -> tuple[ProvisionId, str]:
        """A section is a candidate once in each language."""
        return self.section, self.match.language


def search(
    query: str, filter: Filter, store: Store, embedder: Embedder | None, *, limit: int
) -> tuple[Candidate, ...]:
    """Sections by fused rank, best first, at most one candidate a section and language."""
    if not re.search(r"[^\W\d_]", query):
        return ()  # a bare number is in half the law and says nothing of what is wanted
    rankings = [store.match_text(query, filter, _DEPTH)]
    if embedder is not None:
        vector = embedder.encode([query], "query")[0]
        rankings.append(store.match_vector(vector, filter, _DEPTH))
    return _by_section(_fused(rankings))[:limit]


def search_in_language(
    query: str, language: str, filter: Filter, store: Store, embedder: Embedder | None, *, limit: int
) -> tuple[tuple[Candidate, ...], bool]:
    """Search the question's own language first; where it gives nothing, all of them, and say so."""
    own = search(query, replace(filter, languages=frozenset({language})), store, embedder, limit=limit)
    if own:
        return own, False
    return search(query, filter, store, embedder, limit=limit), True


def _fused(rankings: Sequence[Sequence[Match]]) -> list[Match]:
    if len(rankings) == 1:
        return list(rankings[0])
    by_passage = {match.passage: match for ranking in reversed(rankings) for match in ranking}
    fused = reciprocal_ranks([[match.passage for match in ranking] for ranking in rankings])
    return [replace(by_passage[passage], score=score) for passage, score in fused]


def _by_section(matches: Sequence[Match]) -> tuple[Candidate, ...]:
    best: dict[tuple[ProvisionId, str], Candidate] = {}
    for match in matches:
        candidate = Candidate(match.section, match, match.score)
        best.setdefault(candidate.key, candidate)
    return tuple(best.values())
