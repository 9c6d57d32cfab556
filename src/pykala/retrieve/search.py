"""Hybrid search by words and, with an embedder, by meaning; passages match, sections are returned."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from pykala.law.filters import Filter
from pykala.law.identifiers import ProvisionId
from pykala.models.embedder import AskedEmbedder, Embedder, WordEmbedder, encode_passages
from pykala.retrieve.fuse import reciprocal_ranks
from pykala.retrieve.options import DEFAULT_OPTIONS, AskOptions, Fusion, Unit
from pykala.stores.store import Hits, Match, Search, Store
from pykala.text.stopwords import stop_words
from pykala.text.tokens import words_of

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

_MOST_WORDS = 24  # the most words of a query that are translated
_ITSELF = 0.99  # the least cosine of the known questions of a section to themselves, as they are stored
_ASKED = 100  # sections searched by the questions known for them
_DEPTH, _LEAST_DEPTH = 150, 20  # passages fetched from each index before they are merged into sections

Scores = Mapping[int, float]  # passage → score, in the order of a ranking


class Later(StrEnum):
    """Why a candidate's words begin only after the day asked about."""

    LOST = "the source holds no wording of that day, though there was one"
    NEW = "it was not law on that day"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A section that may answer, and its best matching passage."""

    section: ProvisionId
    match: Match
    score: float  # fused
    words: float = 0.0  # the full-text score of its best child
    meaning: float = 0.0  # the cosine of its nearest child, where that was computed
    asked: float = 0.0  # the cosine of its known questions, where it is among the nearest
    otherwise: bool = False  # found by a model's rewording: read closely, whatever its scores
    beside: tuple[Match, ...] = ()  # its other matching passages, best first
    later: Later | None = None  # where its words begin after the day asked about, as far as that is known

    @property
    def key(self) -> tuple[ProvisionId, str]:
        """The section and language: a section is a candidate once per language."""
        return self.section, self.match.language


def search(
    query: str,
    filter: Filter,
    store: Store,
    embedder: Embedder | None,
    *,
    limit: int,
    options: AskOptions = DEFAULT_OPTIONS,
    meaning: str = "",
) -> tuple[Candidate, ...]:
    """Sections by fused score, best first, one candidate per section and language."""
    return search_all(query, [(filter, limit)], store, embedder, options=options, meaning=meaning)[0]


def search_all(
    query: str,
    wanted: Sequence[tuple[Filter, int]],
    store: Store,
    embedder: Embedder | None,
    *,
    options: AskOptions = DEFAULT_OPTIONS,
    meaning: str = "",
) -> tuple[tuple[Candidate, ...], ...]:
    """The same search under several filters, each with its number of sections, in one call.

    The query's words go to the full-text index. `meaning` is what the embedder reads, where that is longer.
    """
    if not wanted or not re.search(r"[^\W\d_]", query):
        return ((),) * len(wanted)  # a bare number occurs in half the law and does not say what is wanted
    by_meaning = embedder is not None and options.vectors
    words = query if options.text or embedder is None else ""
    vector = None
    if embedder is not None and by_meaning:
        vector = embedder.encode([meaning or query], "query")[0]
    searches = [
        Search(_dated(filter, options), _depth(limit), words, None, vector, _asked_of(_depth(limit), options))
        for filter, limit in wanted
    ]
    limits = [limit for _, limit in wanted]
    return tuple(_found(query, searches, limits, vector, store, embedder, options))


def search_translated(
    query: str,
    language: str,
    filter: Filter,
    store: Store,
    embedder: Embedder,
    *,
    limit: int,
    options: AskOptions = DEFAULT_OPTIONS,
    meaning: str = "",
) -> tuple[Candidate, ...]:
    """Sections in other languages: by meaning, and by the query's translated words.

    The translations come from the library's own glossary, which it learns from law held in both languages,
    and from the embedder's table where it has one: there, words of all languages share one vector space.
    """
    others = sorted(filter.languages - {language})
    if not others:
        return ()
    filter = _dated(filter, options)
    terms = translated_terms(query, language, others, store, embedder) if options.glossary else {}
    vector = embedder.encode([meaning or query], "query")[0] if options.vectors else None
    asked = _asked_of(_DEPTH, options)
    searches = [
        Search(replace(filter, languages=frozenset({other})), _DEPTH, "", terms.get(other), vector, asked)
        for other in others
    ]
    each = _found(query, searches, [limit] * len(searches), vector, store, embedder, options)
    found = [one for some in each for one in some]
    return tuple(sorted(found, key=lambda one: -one.score)[:limit])


def _found(
    query: str,
    searches: Sequence[Search],
    limits: Sequence[int],
    vector: NDArray[float32] | None,
    store: Store,
    embedder: Embedder | None,
    options: AskOptions,
) -> list[tuple[Candidate, ...]]:
    """The candidates of each search, in one call to the store."""
    by_section = options.asked and options.unit is Unit.SECTION
    if vector is None or not isinstance(embedder, AskedEmbedder) or not by_section:
        hits = store.search(searches)
        return [_merged(one, options)[:limit] for one, limit in zip(hits, limits, strict=True)]
    asking = _Asking(query, vector, embedder)
    topics = [asking.topics(one.filter) for one in searches]
    hits = store.search([*searches, *(one for some in topics for one in some)])
    beside = iter(hits[len(searches) :])
    return [
        asking.known(_merged(own, options)[:limit], [next(beside) for _ in some])
        for own, limit, some in zip(hits, limits, topics, strict=False)
    ]


def _dated(filter: Filter, options: AskOptions) -> Filter:
    return filter if options.dated else replace(filter, as_of=None)


def _asked_of(depth: int, options: AskOptions) -> int:
    """How many sections to search by known questions."""
    return min(depth, _ASKED) if options.asked else 0


def translated_terms(
    query: str, language: str, into: Sequence[str], store: Store, embedder: Embedder
) -> dict[str, dict[str, float]]:
    """Translations of a query's words into each other language, with weights."""
    known = store.translations_into(query, language, into)
    terms = {other: dict(known[other]) for other in into}
    if not isinstance(embedder, WordEmbedder):
        return terms
    idle = stop_words(language)
    words = [word for word in dict.fromkeys(words_of(query)) if word not in idle][:_MOST_WORDS]
    for other in into:
        for near in embedder.translated(words, language, other):
            for term, likeness in near.items():
                terms[other][term] = max(terms[other].get(term, 0.0), likeness**2)
    return terms


def _depth(limit: int) -> int:
    """How many passages to fetch for a number of sections."""
    return min(max(_DEPTH, limit // 2), max(_LEAST_DEPTH, 4 * limit))


def _merged(hits: Hits, options: AskOptions) -> tuple[Candidate, ...]:
    """Full-text and vector search in parallel; every hit is scored by both."""
    beside = (*hits.by_words, *hits.by_asked)
    words = {match.passage: match.score for match in hits.by_words}
    meaning = {match.passage: match.score for match in hits.by_meaning}
    for match in beside:
        if match.passage in hits.nearness:
            meaning[match.passage] = hits.nearness[match.passage]
    scored = {match.passage: match for match in (*beside, *hits.by_meaning)}
    asked = _nearest_asked(hits.by_asked) if options.unit is Unit.SECTION else {}
    return _candidates(scored, words, meaning, asked, options)


def _nearest_asked(by_asked: Sequence[Match]) -> dict[object, float]:
    """The nearness to the questions known for each section, by the keys of candidates."""
    nearest: dict[object, float] = {}
    for match in by_asked:
        key = match.section, match.language
        nearest[key] = max(nearest.get(key, 0.0), match.score)
    return nearest


@dataclass(frozen=True, slots=True)
class _Asking:
    """A question as people ask it, compared with what is known to be asked of sections."""

    typed: str
    vector: NDArray[float32]
    embedder: AskedEmbedder

    def topics(self, filter: Filter) -> list[Search]:
        """Searches for the sections of near topics, by the questions that are known of them."""
        wanted = self.embedder.asked_by_topic(self.vector, self.typed, filter.jurisdictions)
        return [Search(filter, 0, vector=sought, asked=1) for sought in wanted]

    def known(self, found: tuple[Candidate, ...], by_topic: Sequence[Hits]) -> tuple[Candidate, ...]:
        """Raise a section's known-question score to that of its nearest subsection or topic.

        A section that has no score of its own is raised only if its subsection or topic is nearer than the
        farthest scored section; otherwise it keeps none.
        """
        least = min((one.asked for one in found if one.asked), default=0.0)
        found = (*found, *self._beside(found, by_topic))
        sections = [str(one.section) for one in found]
        near = self.embedder.nearest_part(self.vector, sections, self.typed).tolist()
        return tuple(
            replace(one, asked=part) if part > max(one.asked, least) else one
            for one, part in zip(found, near, strict=True)
        )

    def _beside(self, found: Sequence[Candidate], by_topic: Sequence[Hits]) -> list[Candidate]:
        """Sections of near topics that neither their words nor their known questions have found."""
        matches = [match for hits in by_topic for match in hits.by_asked if match.score >= _ITSELF]
        if not matches:
            return []
        held = {one.section for one in found}
        missing = [match for match in matches if match.section not in held]
        if not missing:
            return []
        passages = encode_passages(
            self.embedder, [one.header for one in missing], [one.text for one in missing]
        )
        near = (passages @ self.vector).tolist()
        return [
            Candidate(match.section, match, 0.0, meaning=max(0.0, meaning))
            for match, meaning in zip(missing, near, strict=True)
        ]


def _candidates(
    matches: Mapping[int, Match],
    words: Scores,
    meaning: Scores,
    asked: Mapping[object, float],
    options: AskOptions,
) -> tuple[Candidate, ...]:
    """Fuse both rankings into sections, or passages where these are wanted."""
    fused = _fused(words, meaning, options)
    # A section is as near as its nearest child, by words and by meaning; its best child stands for it.
    leading: dict[object, int] = {}
    highest: dict[int, list[float]] = {}  # by the leading passage: words, meaning
    near: dict[int, float] = {}  # by the leading passage: to the questions known for its section
    beside: dict[int, list[Match]] = {}
    for passage in sorted(fused, key=lambda passage: -fused[passage]):
        match = matches[passage]
        key = passage if options.unit is Unit.PASSAGE else (match.section, match.language)
        scores = [words.get(passage, 0.0), max(0.0, meaning.get(passage, 0.0))]
        first = leading.setdefault(key, passage)
        if first == passage:
            highest[first] = scores
            near[first] = asked.get(key, 0.0)
        else:
            known = highest[first]
            known[:] = map(max, known, scores)
            beside.setdefault(first, []).append(match)
    return tuple(
        Candidate(
            matches[passage].section,
            matches[passage],
            fused[passage],
            words=by_words,
            meaning=by_meaning,
            asked=near[passage],
            beside=tuple(beside.get(passage, ())),
        )
        for passage, (by_words, by_meaning) in highest.items()
    )


def _fused(words: Scores, meaning: Scores, options: AskOptions) -> Mapping[int, float]:
    rankings = [ranking for ranking in (words, meaning) if ranking]
    if len(rankings) > 1 and options.fusion is Fusion.RANKS:
        return dict(reciprocal_ranks([list(ranking) for ranking in rankings]))
    shares = (1 - options.meaning_share, options.meaning_share) if len(rankings) > 1 else (1.0, 1.0)
    scores: dict[int, float] = {}
    for ranking, share in zip(rankings, shares, strict=False):
        best = max(ranking.values()) or 1.0
        for passage, score in ranking.items():
            scores[passage] = scores.get(passage, 0.0) + share * max(0.0, score) / best
    return scores
