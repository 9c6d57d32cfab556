"""The register of topics: the file that ships, damaged ones, and what it says of sections."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pykala.evaluate.matching import section_of
from pykala.models import bundled
from pykala.models.bundled import ASKED_SECTIONS, TABLE_WEIGHTS, TOPICS, TOWER_WEIGHTS
from pykala.models.bundled.arrays import WeightsDamaged
from pykala.models.bundled.asked import hash_of
from pykala.models.bundled.embedder import TwoTowers
from pykala.models.bundled.topics import SAME_TERM, TopicRegister, term_of
from training.write_topics import read_topics

TWICE, ONCE = "xx:act:1/sec_1", "xx:act:1/sec_2"
PART = f"{TWICE}/subsec_2"
ROWS = ((TWICE, TWICE, (100, 0, 0, 0)), (TWICE, PART, (0, 100, 0, 0)), (ONCE, ONCE, (60, 0, 80, 0)))


def stored(**changed: object) -> dict[str, np.ndarray]:
    """A small register of two sections, one of them with two topics, changed."""
    rows = sorted((hash_of(section), hash_of(provision), row) for section, provision, row in ROWS)
    found: dict[str, object] = {
        "sections": np.array([section for section, *_ in rows], dtype=np.uint64),
        "provisions": np.array([provision for _, provision, _ in rows], dtype=np.uint64),
        "places": np.array(["xx"] * len(rows)),
        "terms": np.array(sorted([term_of("boat rent"), term_of("harbour fee")]), dtype=np.uint64),
        "term_topics": np.array([0, 1], dtype=np.uint32),
        "topics.weight": np.array([row for *_, row in rows], dtype=np.int8),
        "topics.weight.scales": np.full(len(rows), 0.01, dtype=np.float16),
    }
    return {name: np.asarray(array) for name, array in {**found, **changed}.items() if array is not None}


def written(folder: Path, arrays: dict[str, np.ndarray]) -> Path:
    path = folder / "topics.npz"
    np.savez(path, **arrays)  # type: ignore[arg-type]
    return path


def test_a_section_is_as_near_as_the_nearest_of_its_topics(tmp_path: Path) -> None:
    register = TopicRegister(written(tmp_path, stored()), 4)
    sections = [ONCE, "xx:act:9/sec_1", TWICE]
    for question, near in (
        ((0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 1.0)),
        ((1.0, 0.0, 0.0, 0.0), (0.6, 0.0, 1.0)),
        ((0.0, 0.0, 1.0, 0.0), (0.8, 0.0, 0.0)),
    ):
        found = register.nearest(np.array(question, dtype=np.float32), sections)
        assert found == pytest.approx(near, abs=1e-3)
    assert register.nearest(np.ones(4, dtype=np.float32), []).shape == (0,)


@pytest.mark.parametrize(
    ("typed", "same"),
    [("boat rent", True), ("Rent: BOAT?", True), ("boat rents", False), ("boat", False), ("", False)],
)
def test_a_term_is_known_by_its_words_whatever_its_vector(tmp_path: Path, typed: str, same: bool) -> None:
    at = sorted([term_of("boat rent"), term_of("harbour fee")]).index(term_of("boat rent"))
    register = TopicRegister(written(tmp_path, stored()), 4)
    far = np.array((0.0, 0.0, 0.0, 1.0), dtype=np.float32)
    of_the_term = sorted((hash_of(section), hash_of(provision)) for section, provision, _ in ROWS)[at][0]
    near = register.nearest(far, [ONCE, TWICE], typed)
    assert near.tolist() == [
        pytest.approx(SAME_TERM if same and hash_of(one) == of_the_term else 0.0) for one in (ONCE, TWICE)
    ]
    assert register.near(far, typed, ()).tolist() == ([of_the_term] if same else [])


def test_sections_of_near_topics_come_nearest_first(tmp_path: Path) -> None:
    register = TopicRegister(written(tmp_path, stored()), 4)
    question = np.array((0.8, 0.0, 0.6, 0.0), dtype=np.float32)
    both = [hash_of(ONCE), hash_of(TWICE)]
    for places, expected in (((), both), (("xx",), both), (("fi",), [])):
        assert register.near(question, "", places).tolist() == expected, places


def test_a_topic_of_a_part_is_of_that_part_alone(tmp_path: Path) -> None:
    register = TopicRegister(written(tmp_path, stored()), 4)
    provisions = [f"{TWICE}/subsec_1", PART, TWICE, ONCE]
    for question, near in (
        ((0.0, 1.0, 0.0, 0.0), (0.0, 1.0, 0.0, 0.0)),
        ((1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.6)),
    ):
        found = register.nearest_own(np.array(question, dtype=np.float32), provisions)
        assert found == pytest.approx(near, abs=1e-3)


@pytest.mark.parametrize(
    "changed",
    [
        {"sections": None},
        {"places": None},
        {"places": np.array(["xx"])},
        {"terms": None},
        {"terms": np.array([2, 1], dtype=np.uint64)},
        {"term_topics": np.array([0], dtype=np.uint32)},
        {"term_topics": np.array([0, 3], dtype=np.uint32)},
        {"provisions": None},
        {"provisions": np.arange(2, dtype=np.uint64)},
        {"topics.weight": None},
        {"topics.weight": np.eye(3, 5, dtype=np.int8)},
        {"topics.weight": np.eye(3, 4, dtype=np.float32)},
        {"sections": np.arange(2, dtype=np.uint64)},
        {"sections": np.array([3, 2, 1], dtype=np.uint64)},
    ],
)
def test_a_register_that_is_not_whole_is_refused_by_name(tmp_path: Path, changed: dict[str, object]) -> None:
    with pytest.raises(WeightsDamaged, match=r"topics\.npz"):
        TopicRegister(written(tmp_path, stored(**changed)), 4)


def test_a_register_that_is_cut_off_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "topics.npz"
    path.write_bytes(TOPICS.read_bytes()[:-200])
    with pytest.raises(WeightsDamaged, match=r"topics\.npz"):
        TopicRegister(path, bundled().dimension)


def test_the_register_that_ships_is_the_one_that_is_written() -> None:
    topics = list(read_topics())
    register = TopicRegister(TOPICS, bundled().dimension)
    assert len(register) == len(topics)
    assert TOPICS.stat().st_size < 8_000_000
    for provision, terms in topics[:: max(1, len(topics) // 40)]:
        assert 2 <= len(terms) <= 14, provision
        (question,) = bundled().encode([terms[0]], "query")
        section = str(section_of(provision))
        assert register.nearest(question, [section])[0] > 0.4, (provision, terms)
        assert register.nearest(question, [section], terms[0])[0] >= SAME_TERM - 1e-6, (provision, terms)


def test_no_library_needs_a_new_index_for_a_new_register() -> None:
    with_topics = TwoTowers(TABLE_WEIGHTS, TOWER_WEIGHTS, ASKED_SECTIONS, TOPICS)
    assert with_topics.fingerprint == TwoTowers(TABLE_WEIGHTS, TOWER_WEIGHTS, ASKED_SECTIONS).fingerprint


def test_what_people_type_leads_to_its_section_also_where_the_law_has_other_words() -> None:
    (question,) = bundled().encode(["yhteisövero"], "query")
    income_tax = "fi:act:1992/1535"
    near = bundled().nearest_part(question, [f"{income_tax}/sec_124", f"{income_tax}/sec_1"])
    assert near[0] > 0.6 > near[1]
