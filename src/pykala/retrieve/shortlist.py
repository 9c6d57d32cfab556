"""Shortlist a few of some hundred candidates, by what is known without reading them.

Words, meaning and known questions each find different candidates, and the right section is seldom first in
all three. How often a section and its act are cited separates the general rule from a narrow rule that uses
the same words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pykala.retrieve.search import Candidate
from pykala.stores.store import Match

Floats = NDArray[np.float32]

#: The columns, in order.
GLANCES: Final = (
    "words",  # full-text score as a share of the best candidate's
    "words_place",  # 1 for the first by words, falling to 0
    "meaning",  # cosine of the question and the passage
    "meaning_place",
    "asked",  # cosine of the question and the questions known for the section
    "asked_place",
    "cited",  # how often the section is cited, within its jurisdiction
    "act_cited",
    "recent",  # whether it was worded or cited within ten years
    "authority",
    "act_by_words",  # this act's share of the full-text scores of all candidates
    "act_by_meaning",
)
_HALF: Final = 10.0  # the rank at which `_places` gives one half
_RECENT: Final = 3652  # days
_HIGHEST: Final = 100  # the rank of a statute
#: For words typed alone: the weight of their full-text score, the nearness of a known question at which that
#: weight is zero, and the distance below it over which the weight rises to its full value. Measured on words
#: drawn from sections and on search phrases that were written for sections (`python -m bench.bare_words`).
_BARE_WORDS: Final = 12.0
_NEAR_QUESTION: Final = 0.7
_NEARING: Final = 0.2
_WORDS, _ASKED = GLANCES.index("words"), GLANCES.index("asked")


def glance(candidates: Sequence[Candidate], as_of: date) -> Floats:
    """The features of each candidate, one row each."""
    table = np.zeros((len(candidates), len(GLANCES)), dtype=np.float32)
    if not candidates:
        return table
    words = np.array([one.words for one in candidates], dtype=np.float32)
    meaning = np.array([one.meaning for one in candidates], dtype=np.float32)
    works = [one.match.work.value for one in candidates]
    by_words = shares(works, [one.words for one in candidates])
    by_meaning = shares(works, [one.meaning for one in candidates])
    table[:, 0], table[:, 1] = words / (words.max() or 1.0), _places(words)
    asked = np.array([one.asked for one in candidates], dtype=np.float32)
    table[:, 2], table[:, 3] = meaning, _places(meaning)
    table[:, 4], table[:, 5] = asked, _places(asked)
    matches = [one.match for one in candidates]
    table[:, 6] = [match.standing.weight for match in matches]
    table[:, 7] = [match.standing.act_weight for match in matches]
    since = as_of.toordinal() - _RECENT
    table[:, 8] = [_newest(match) > since for match in matches]
    table[:, 9] = [match.authority / _HIGHEST for match in matches]
    table[:, 10] = [by_words.get(work, 0.0) for work in works]
    table[:, 11] = [by_meaning.get(work, 0.0) for work in works]
    return table


def shortlisted(
    candidates: Sequence[Candidate],
    weights: Mapping[str, float],
    as_of: date,
    count: int,
    *,
    bare: bool = False,
) -> tuple[Candidate, ...]:
    """The best candidates, in order; `bare` where words alone were typed, and not a question."""
    table = glance(candidates, as_of)
    column = np.array([weights.get(name, 0.0) for name in GLANCES], dtype=np.float32)
    with np.errstate(invalid="ignore", over="ignore"):  # BLAS sets this flag falsely; see likeness.py
        worth = table @ column
    if bare:
        worth = worth + by_words(table[:, _WORDS], table[:, _ASKED])
    order = np.argsort(-worth, kind="stable")
    return tuple(candidates[place] for place in order[:count])


def by_words(words: Floats, asked: Floats) -> Floats:
    """The additional weight of a section's words where words alone were typed, and no question.

    The learned weights come from questions. People who type a section's own words want that section, although
    many others have the same meaning. Where a known question is near, people ask in these words, and meaning
    decides.
    """
    nearest = float(asked.max(initial=0.0))
    if nearest <= 0.0:  # no questions are known
        return np.zeros(len(words), dtype=np.float32)
    far = min(1.0, max(0.0, (_NEAR_QUESTION - nearest) / _NEARING))
    return np.asarray(_BARE_WORDS * far * words, dtype=np.float32)


def _newest(match: Match) -> int:
    """The day on which its wording, or a reference to it, began last."""
    start = match.validity.start
    return max(start.toordinal() if start else 0, match.standing.last_cited)


def shares(works: Sequence[str], scores: Sequence[float]) -> dict[str, float]:
    """Each act's share of all candidates' scores."""
    sums: dict[str, float] = {}
    for work, score in zip(works, scores, strict=True):
        sums[work] = sums.get(work, 0.0) + max(0.0, score)
    total = sum(sums.values())
    return {work: value / total for work, value in sums.items()} if total else {}


def _places(scores: Floats) -> Floats:
    """A value by rank: 1 for the highest score, 1/2 for the eleventh; 0 for no score."""
    places = np.searchsorted(np.sort(-scores), -scores)
    return np.where(scores > 0, _HALF / (_HALF + places), 0.0).astype(np.float32)
