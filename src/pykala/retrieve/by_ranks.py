"""Order candidates for models that are not calibrated: by ranks, not by scores.

A cosine of 0.6 or a reranker score of 3 means something different in each model, so weights learned with one
model say nothing about another. Ranks can be compared. Three orders are fused by reciprocal ranks (Cormack,
Clarke and Büttcher, SIGIR 2009): the calibrated order without these models, the order by their cosine, and
the reranker's order. The grades are those of the calibrated part, assigned in the fused order. An
uncalibrated model can prevent an answer, and in another language it can list results as related. It cannot
produce an answer before `pykala calibrate` has measured how often it is right.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pykala.law.grades import ANSWERED_FROM, HIGHEST_LIKELY, LISTED_FROM
from pykala.retrieve.calibration import Case, Least, Weights, calibrated
from pykala.retrieve.features import FEATURES

Floats = NDArray[np.floating]

_MEANING, _RERANKER = FEATURES.index("meaning"), FEATURES.index("reranker")
_WORDS, _CITED = FEATURES.index("words"), FEATURES.index("cited")
_K: Final = 10.0  # small, because about forty candidates are ranked, not thousands
_STANDING: Final = 0.02  # the weight of citation counts: enough to move a candidate by a rank or two
_AGREED: Final = 10  # an answer must be among the first ten of every model
#: Weights for the shortlist, whose candidates are read closely: the first by words and by meaning.
_GLANCE: Final = {"words_place": 1.0, "meaning_place": 1.0, "cited": 0.2, "act_cited": 0.1}


@dataclass(frozen=True, slots=True)
class ByRanks:
    """Weighs candidates like `Weights`, but by ranks where a model is not calibrated."""

    base: Weights | None  # calibrated without the model; None in another language, where words say little
    meaning: bool  # whether the embedder is uncalibrated, so that its cosine counts by rank
    glance: Mapping[str, float] = field(default_factory=lambda: _GLANCE)

    @property
    def near(self) -> float:
        """Always 0: it is not measured for an uncalibrated model."""
        return 0.0

    @property
    def least(self) -> Least:
        """The limits measured without the model."""
        return self.base.least if self.base else Least()

    def ranked(self, table: Floats) -> Floats:
        """The score that orders each candidate."""
        based = _reciprocal(self.base.ranked(_without_reranker(table)) if self.base else table[:, _WORDS])
        if self.meaning:  # a candidate that words did not find gets no rank by words
            based = np.where(table[:, _WORDS] > 0, based, 0.0)
        fused = based + sum(_reciprocal(opinion) for opinion in self._of_models(table))
        return np.asarray(fused + _STANDING * table[:, _CITED])

    def grades(self, table: Floats, order: Floats, known: float) -> Floats:
        """Grades from 0 to 10, dealt out by rank: the first candidate gets the highest."""
        first, most = int(np.argmax(order)), 10.0
        earned = np.zeros(len(table))
        if self.base is None:
            earned[first] = LISTED_FROM
        else:
            plain = _without_reranker(table)
            earned = np.asarray(self.base.grades(plain, self.base.ranked(plain), known))
        agreed = all(_place(one, first) < _AGREED for one in self._of_models(table))
        if earned[first] < ANSWERED_FROM or not agreed:
            most = HIGHEST_LIKELY
        grades = np.empty(len(table))
        grades[np.argsort(-order, kind="stable")] = np.sort(np.minimum(earned, most))[::-1]
        return grades

    def _of_models(self, table: Floats) -> list[Floats]:
        """The scores of each model that took part."""
        columns = ([_MEANING] if self.meaning else []) + [_RERANKER]
        return [table[:, column] for column in columns if table[:, column].any()]


def by_ranks(*, own_embedder: bool) -> Mapping[Case, ByRanks]:
    """Weights for uncalibrated models; with the bundled embedder only the reranker counts by rank."""
    shipped = calibrated()
    if own_embedder:
        return {case: ByRanks(one, meaning=False, glance=one.glance) for case, one in shipped.items()}
    by_words = shipped[Case.WORDS_ONLY]
    return {
        Case.SAME_LANGUAGE: ByRanks(by_words, meaning=True),
        Case.OTHER_LANGUAGE: ByRanks(None, meaning=True),
        Case.WORDS_ONLY: ByRanks(by_words, meaning=False, glance=by_words.glance),
    }


def _reciprocal(scores: Floats) -> Floats:
    """1/k for the highest score, less for each lower rank; equal scores share the better rank."""
    places = np.searchsorted(np.sort(-scores), -scores, side="left")
    return np.asarray(1.0 / (_K + places))


def _place(scores: Floats, row: int) -> int:
    """How many candidates have a higher score."""
    return int((scores > scores[row]).sum())


def _without_reranker(table: Floats) -> Floats:
    plain = table.copy()
    plain[:, _RERANKER] = 0.0
    return plain
