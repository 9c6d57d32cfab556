"""Choose sections of an act from its table of contents (the slim tree).

The text itself is not searched. A section is judged by its title, by the headings of its part and chapter,
and by its first sentence with content (see tree.py). A word counts more if fewer entries of the act contain
it: "municipality" says nothing in the Municipalities Act.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from pykala.caches.cache import Cache, CacheName, NoCache
from pykala.caches.forms import form_of
from pykala.law.forms import Part
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.retrieve.tree import TreeNode, slim_tree
from pykala.stores.store import Store
from pykala.text.analysis import analyse

#: The weights of a section's score, chosen on the Kuntalaki development set (bench/navigation.py).
_TITLE, _SUMMARY, _ABOVE = 0.85, 0.1, 0.05
_TREE = form_of(TreeNode)


@dataclass(frozen=True, slots=True, repr=False)
class Destination(Part):
    """A section that the contents point to, with its score (0–1) and the headings above it."""

    section: ProvisionId
    score: float
    title: str
    under: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Entry:
    """One section of the contents, and its terms."""

    node: TreeNode
    under: tuple[str, ...]
    title: frozenset[str]
    summary: frozenset[str]
    above: frozenset[str]

    @property
    def terms(self) -> frozenset[str]:
        return self.title | self.summary


def act_tree(
    work: WorkId, store: Store, *, as_of: date, language: str, cache: Cache | None = None
) -> TreeNode:
    """The slim tree of an act on a date, cached per state of the library."""

    def make() -> TreeNode:
        return slim_tree(store.provision(ProvisionId(work), as_of=as_of, language=language).provision)

    key = (store.generation(), str(work), as_of, language)
    return (cache or NoCache()).remember(CacheName.TREES, key, make, _TREE)


def navigate(
    terms: Sequence[str] | Mapping[str, float], tree: TreeNode, language: str, *, limit: int = 5
) -> tuple[Destination, ...]:
    """The sections that match the terms of a question, best first; empty where none match.

    `terms` are analysed in the language of the tree; where they have weights, these count beside the tree's.
    """
    entries, rarity = _contents(tree, language)
    given = terms if isinstance(terms, Mapping) else dict.fromkeys(terms, 1.0)
    weights = {term: rarity[term] * max(weight, 0.0) for term, weight in given.items() if term in rarity}
    total = sum(weights.values())
    if not total:
        return ()
    scored = [(_score(entry, weights, rarity, total), entry) for entry in entries]
    best = sorted(((score, entry) for score, entry in scored if score > 0), key=lambda one: -one[0])
    return tuple(
        Destination(entry.node.id, score, entry.node.title, entry.under) for score, entry in best[:limit]
    )


@lru_cache(maxsize=64)
def _contents(tree: TreeNode, language: str) -> tuple[tuple[_Entry, ...], Mapping[str, float]]:
    """The entries of a tree and the rarity of their words, cached."""
    entries = tuple(_entries(tree, (), frozenset(), language))
    return entries, _rarity(entries)


def _entries(
    node: TreeNode, under: tuple[str, ...], above: frozenset[str], language: str
) -> Iterator[_Entry]:
    """The leaves of a tree: sections, articles, schedules."""
    for child in node.children:
        title = frozenset(_words(child.title, language))
        if child.children:
            yield from _entries(
                child, (*under, child.title) if child.title else under, above | title, language
            )
        else:
            yield _Entry(child, under, title, frozenset(_words(child.summary, language)), above)


def _words(text: str, language: str) -> list[str]:
    return [term for term in analyse(text, language) if not term[:1].isdigit()]


def _rarity(entries: Sequence[_Entry]) -> dict[str, float]:
    counts = Counter(term for entry in entries for term in entry.terms | entry.above)
    return {term: math.log(1 + len(entries) / count) for term, count in counts.items()}


def _score(entry: _Entry, weights: Mapping[str, float], rarity: Mapping[str, float], total: float) -> float:
    shared = _sum(weights, entry.title)
    # A title that says more than was asked for is about something narrower, so use the F-measure of both
    # shares.
    beyond = sum(rarity[term] for term in entry.title if term not in weights)
    title = 2 * shared / (total + shared + beyond) if shared else 0.0
    return (
        _TITLE * title
        + _SUMMARY * _sum(weights, entry.summary) / total
        + _ABOVE * _sum(weights, entry.above) / total
    )


def _sum(weights: Mapping[str, float], terms: frozenset[str]) -> float:
    return sum(weight for term, weight in weights.items() if term in terms)
