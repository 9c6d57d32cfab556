"""Hits by words and by meaning become candidates: one a section, with the best of each score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from asked_embedder import AskedHashingEmbedder
from pykala.law.filters import Filter
from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import ProvisionKind
from pykala.law.validity import ALWAYS
from pykala.retrieve.conversing import words_before
from pykala.retrieve.options import AskOptions, Fusion, Unit
from pykala.retrieve.search import _Asking, _merged
from pykala.stores.store import Hits, Match
from pykala.stores.values import PassageWords

BY_SCORE = AskOptions(fusion=Fusion.WEIGHTED, meaning_share=0.25)


def hit(passage: int, score: float, section: int) -> Match:
    place = ProvisionId.parse(f"fi:act:1992/1535/sec_{section}")
    return Match(
        passage,
        score,
        place,
        place,
        ProvisionKind.SECTION,
        place.work,
        "en",
        PassageWords.of("", "", ""),
        0,
        ALWAYS,
        100,
    )


HITS = Hits((hit(1, 10.0, 1), hit(2, 4.0, 1), hit(3, 5.0, 2)), (hit(2, 0.8, 1), hit(3, 0.4, 2)))


def test_a_section_is_as_near_as_its_nearest_passage() -> None:
    first, second = _merged(HITS, BY_SCORE)
    assert (str(first.section.path[0]), first.words, first.meaning) == ("sec_1", 10.0, 0.8)
    assert (str(second.section.path[0]), second.words, second.meaning) == ("sec_2", 5.0, 0.4)


def test_scores_are_shares_of_the_best_of_each_kind() -> None:
    first, second = _merged(HITS, BY_SCORE)
    assert first.score == pytest.approx(0.75)
    assert second.score == pytest.approx(0.75 * 0.5 + 0.25 * 0.5)


def test_passages_stand_for_themselves_where_they_are_wanted() -> None:
    options = AskOptions(fusion=Fusion.WEIGHTED, meaning_share=0.25, unit=Unit.PASSAGE)
    found = {one.match.passage: (one.words, one.meaning) for one in _merged(HITS, options)}
    assert found == {1: (10.0, 0.0), 2: (4.0, 0.8), 3: (5.0, 0.4)}


def test_a_question_before_is_one_question_and_not_its_letters() -> None:
    assert words_before("How is it taxed?") == ("How is it taxed?",)
    assert words_before(["First?", "Second?"]) == ("First?", "Second?")


class PartsEmbedder(AskedHashingEmbedder):
    """Knows what is asked of a subsection of sections 1, 2 and 3."""

    def nearest_part(
        self, question: NDArray[np.float32], sections: Sequence[str], typed: str = ""
    ) -> NDArray[np.float32]:
        near = {"sec_1": 0.95, "sec_2": 0.6, "sec_3": 0.8}
        return np.array([near[section.rpartition("/")[2]] for section in sections], dtype=np.float32)


def test_a_section_is_raised_to_what_is_asked_of_its_nearest_subsection() -> None:
    found = tuple(replace(one, asked=0.9) if one.words > 5 else one for one in _merged(HITS, BY_SCORE))
    asking = _Asking("tax", np.ones(8, dtype=np.float32), PartsEmbedder(8))
    assert asking.topics(Filter()) == [], "where no topic is near, the store is not asked for more"
    raised = {str(one.section.path[0]): one.asked for one in asking.known(found, [])}
    # The second is not among the nearest, and none of its subsections is as near as these.
    assert raised == {"sec_1": pytest.approx(0.95), "sec_2": 0.0}


def test_a_hit_by_words_counts_by_its_nearness_and_what_is_asked_of_its_section() -> None:
    words, meaning, asked = (hit(1, 10.0, 1),), (hit(2, 0.8, 2),), (hit(3, 0.9, 1), hit(4, 0.7, 3))
    found = _merged(Hits(words, meaning, asked, {1: 0.6, 4: 0.2}), BY_SCORE)
    said = {str(one.section.path[0]): (one.words, one.meaning, one.asked) for one in found}
    # What was found by known questions alone is a candidate where its nearness is known.
    assert said == {"sec_1": (10.0, 0.6, 0.9), "sec_2": (0.0, 0.8, 0.0), "sec_3": (0.0, 0.2, 0.7)}
