"""Search with a learned order: sections found by words and by meaning, ranked by their features."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date

from pykala.law.filters import Filter
from pykala.models.embedder import Embedder
from pykala.retrieve.calibration import Case, Weighing, calibrated
from pykala.retrieve.grade import BINDS_NOBODY
from pykala.retrieve.hits import worth_showing
from pykala.retrieve.options import AskOptions
from pykala.retrieve.search import Candidate, search
from pykala.retrieve.shortlist import shortlisted
from pykala.retrieve.wording import is_bare
from pykala.stores.store import Store
from pykala.text.languages.known import codes

_DEPTH = 300  # sections placed
_NO_LAW = frozenset(kind.value for kind in BINDS_NOBODY)


def search_ranked(
    query: str,
    filter: Filter,
    store: Store,
    embedder: Embedder | None,
    calibration: Mapping[Case, Weighing] | None,
    *,
    limit: int,
    options: AskOptions,
) -> tuple[Candidate, ...]:
    """Binding sections, likeliest first."""
    binding = replace(filter, without=_NO_LAW)
    found = search(query, binding, store, embedder, limit=max(limit, _DEPTH), options=options)
    weights = (calibration or calibrated())[Case.SAME_LANGUAGE].glance
    shown = worth_showing([one for one in found if one.match.words], query)
    bare = is_bare(query, filter.languages or codes())
    return shortlisted(shown, weights, filter.as_of or date.max, limit, bare=bare)
