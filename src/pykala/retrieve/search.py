"""Hybrid search: words and, where there is an embedder, meaning; children found, sections returned."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from pykala.law.filters import Filter
from pykala.law.identifiers import ProvisionId
from pykala.models.embedder import Embedder, WordEmbedder
from pykala.retrieve.fuse import reciprocal_ranks
from pykala.retrieve.options import DEFAULT_OPTIONS, AskOptions, Fusion, Unit
from pykala.stores.store import Match, Store
from pykala.text.stopwords import stop_words
from pykala.text.tokens import words_of

Found = TypeVar("Found")
_MOST_WORDS = 24  # of a query, translated
_ASKED = 100  # sections looked at by what is asked of them
_DEPTH, _LEAST_DEPTH = 150, 20  # children looked at in each index before they are merged into sections


@dataclass(frozen=True, slots=True)
class Candidate:
    """A section that may answer, with the child of it that matched best."""

    section: ProvisionId
    match: Match
    score: float  # fused
    words: float = 0.0  # the full-text score of its best child
    meaning: float = 0.0  # the cosine of its nearest child, where that was looked up
    asked: float = 0.0  # the cosine of what is known to be asked of it, where it is among the nearest
    otherwise: bool = False  # found by a model's words for the question: read closely, whatever its scores

    @property
    def key(self) -> tuple[ProvisionId, str]:
        """A section is a candidate once in each language."""
        return self.section, self.match.language


def search(
    query: str,
    filter: Filter,
    store: Store,
    embedder: Embedder | None,
    *,
    limit: int,
    options: AskOptions = DEFAULT_OPTIONS,
) -> tuple[Candidate, ...]:
    """Sections by fused score, best first, at most one candidate a section and language."""
    if not re.search(r"[^\W\d_]", query):
        return ()  # a bare number is in half the law and says nothing of what is wanted
    if not options.dated:
        filter = replace(filter, as_of=None)
    depth = _depth(limit)

    def by_words() -> Sequence[Match]:
        return store.match_text(query, filter, depth) if options.text or embedder is None else ()

    return _hybrid(by_words, query, filter, store, embedder, options, depth)[:limit]


def search_translated(
    query: str,
    language: str,
    filter: Filter,
    store: Store,
    embedder: Embedder,
    *,
    limit: int,
    options: AskOptions = DEFAULT_OPTIONS,
) -> tuple[Candidate, ...]:
    """Sections in other languages than the query's: by meaning, and by its words in the other language.

    The words come from the library's own glossary, learned from what it holds in both languages, and from
    the embedder's table where it has one, in which the words of all languages lie side by side.
    """
    if not options.dated:
        filter = replace(filter, as_of=None)
    found: list[Candidate] = []
    for other in sorted(filter.languages - {language}):
        own = replace(filter, languages=frozenset({other}))
        terms = translated_terms(query, language, other, store, embedder) if options.glossary else {}
        by_words = partial(store.match_terms, terms, other, own, _DEPTH) if terms else tuple
        found += _hybrid(by_words, query, own, store, embedder, options, _DEPTH)[:limit]
    return tuple(sorted(found, key=lambda one: -one.score)[:limit])


def translated_terms(
    query: str, language: str, into: str, store: Store, embedder: Embedder
) -> dict[str, float]:
    """The terms of another language that a query's words mean, with weights."""
    terms = dict(store.translations(query, language, into))
    if not isinstance(embedder, WordEmbedder):
        return terms
    idle = stop_words(language)
    words = [word for word in dict.fromkeys(words_of(query)) if word not in idle][:_MOST_WORDS]
    for near in embedder.translated(words, language, into):
        for term, likeness in near.items():
            terms[term] = max(terms.get(term, 0.0), likeness**2)
    return terms


def _depth(limit: int) -> int:
    """How many children are enough for so many sections."""
    return min(max(_DEPTH, limit // 2), max(_LEAST_DEPTH, 4 * limit))


def _hybrid(
    words: Callable[[], Sequence[Match]],
    query: str,
    filter: Filter,
    store: Store,
    embedder: Embedder | None,
    options: AskOptions,
    depth: int,
) -> tuple[Candidate, ...]:
    """What was found by words with what is found by meaning; each compared by both."""
    if embedder is None or not options.vectors:
        return _candidates(words(), (), options)
    vector = embedder.encode([query], "query")[0]
    waiting = _beside.begin(words)
    try:
        by_meaning = store.match_vector(vector, filter, depth)
        by_asked = store.match_asked(vector, filter, min(depth, _ASKED)) if options.asked else ()
    finally:
        by_words = waiting()  # also after an error: it reads a store that may be closed then
    missing = [match.passage for match in (*by_words, *by_asked)]
    known = {match.passage for match in by_meaning}
    nearness = store.nearness(vector, [passage for passage in missing if passage not in known])
    beside = {
        match.passage: replace(match, score=nearness[match.passage])
        for match in (*by_words, *by_asked)
        if match.passage in nearness
    }
    found = _candidates(by_words, (*by_meaning, *beside.values()), options)
    return _with_asked(found, by_asked) if options.unit is Unit.SECTION else found


class _Beside:
    """Searches one index beside the other: each takes milliseconds outside the interpreter.

    One thread serves the process, started once. Where it is at work for somebody else, many ask at the same
    time, every core is busy, and the two searches are made one after the other.
    """

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="pykala-search")
        self._free = threading.Lock()

    def begin(self, search: Callable[[], Found]) -> Callable[[], Found]:
        """Begin a search, or leave it for later; what is returned waits for it, or makes it."""
        if not self._free.acquire(blocking=False):
            return search
        try:
            searching = self._thread.submit(search)
        except BaseException:
            self._free.release()
            raise
        searching.add_done_callback(lambda _: self._free.release())
        return searching.result


_beside = _Beside()


def _with_asked(found: Sequence[Candidate], by_asked: Sequence[Match]) -> tuple[Candidate, ...]:
    """The same candidates, each with how near what is asked of it lies; all of these are among them."""
    nearest: dict[object, float] = {}
    for match in by_asked:
        key = match.section, match.language
        nearest[key] = max(nearest.get(key, 0.0), match.score)
    return tuple(replace(one, asked=nearest[one.key]) if one.key in nearest else one for one in found)


def _candidates(
    by_words: Sequence[Match], by_meaning: Sequence[Match], options: AskOptions
) -> tuple[Candidate, ...]:
    """The two rankings as one, of sections or, where the children themselves are wanted, of these."""
    found = {match.passage: match for match in (*by_words, *by_meaning)}
    fused = _fused(by_words, by_meaning, options)
    words = {match.passage: match.score for match in by_words}
    meaning = {match.passage: match.score for match in by_meaning}
    best: dict[object, Candidate] = {}
    for passage in sorted(found, key=lambda passage: -fused[passage]):
        match, score = found[passage], fused[passage]
        one = Candidate(
            match.section, match, score, words.get(passage, 0.0), max(0.0, meaning.get(passage, 0.0))
        )
        key = passage if options.unit is Unit.PASSAGE else one.key
        first = best.setdefault(key, one)
        if first is not one:  # a section is as near as its nearest child, by words and by meaning
            best[key] = replace(
                first, words=max(first.words, one.words), meaning=max(first.meaning, one.meaning)
            )
    return tuple(best.values())


def _fused(
    by_words: Sequence[Match], by_meaning: Sequence[Match], options: AskOptions
) -> Mapping[int, float]:
    rankings = [ranking for ranking in (by_words, by_meaning) if ranking]
    if len(rankings) > 1 and options.fusion is Fusion.RANKS:
        return dict(reciprocal_ranks([[match.passage for match in ranking] for ranking in rankings]))
    shares = (1 - options.meaning_share, options.meaning_share) if len(rankings) > 1 else (1.0, 1.0)
    scores: dict[int, float] = {}
    for ranking, share in zip(rankings, shares, strict=False):
        best = max(match.score for match in ranking) or 1.0
        for match in ranking:
            scores[match.passage] = scores.get(match.passage, 0.0) + share * max(0.0, match.score) / best
    return scores
