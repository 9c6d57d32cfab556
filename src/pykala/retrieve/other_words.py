"""Search with a model's rewording of the question; grade by the question's own words.

A model may reword a question in the law's terms, or write a passage that would answer it. What the search
finds with these words only becomes a candidate. Its nearness, its shared words and its grade come from the
user's question. If a model invents something, the candidates it finds get a low grade.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pykala.law.filters import Filter
from pykala.models.embedder import Embedder
from pykala.retrieve.options import AskOptions
from pykala.retrieve.question import Question
from pykala.retrieve.search import Candidate, search
from pykala.stores.store import Store

_OF_EACH = 10  # sections that are read closely for each wording
_WITHIN = 300  # sections of the acts found, looked at by the question's own words


def found_with_other_words(
    question: Question,
    filter: Filter,
    store: Store,
    embedder: Embedder | None,
    options: AskOptions,
    found: Sequence[Candidate],
) -> tuple[Candidate, ...]:
    """All candidates: found by the question's words, or only by other words.

    Date, place and language come from the filter, whatever the other words say. Each candidate is scored by
    the question's own words.
    """
    new: dict[object, Candidate] = {}
    for words in question.other_words:
        for one in search(words, filter, store, embedder, limit=_OF_EACH, options=options):
            new.setdefault(one.key, one)
    known = {one.key for one in found}
    marked = [replace(one, otherwise=True) if one.key in new else one for one in found]
    missing = [one for key, one in new.items() if key not in known]
    return (*marked, *_scored(missing, question, filter, store, embedder, options))


def _scored(
    missing: Sequence[Candidate],
    question: Question,
    filter: Filter,
    store: Store,
    embedder: Embedder | None,
    options: AskOptions,
) -> list[Candidate]:
    """Score candidates by the question's own words; by nearness alone where these do not find them."""
    if not missing:
        return []
    within = replace(filter, works=frozenset(one.match.work for one in missing))
    words, meaning = question.search_text, question.meaning_text
    own = search(words, within, store, embedder, limit=_WITHIN, options=options, meaning=meaning)
    by_own = {one.key: one for one in own}
    near: dict[int, float] = {}
    if embedder is not None and options.vectors:
        vector = embedder.encode([meaning], "query")[0]
        near = dict(store.nearness(vector, [one.match.passage for one in missing if one.key not in by_own]))
    return [
        replace(
            by_own.get(one.key)
            or replace(
                one, score=0.0, words=0.0, asked=0.0, meaning=max(0.0, near.get(one.match.passage, 0.0))
            ),
            otherwise=True,
        )
        for one in missing
    ]
