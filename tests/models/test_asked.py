"""What is known to be asked of sections: the file that ships, and damaged ones."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pykala.models import bundled
from pykala.models.bundled import ASKED_SECTIONS
from pykala.models.bundled.arrays import WeightsDamaged
from pykala.models.bundled.asked import AskedSections, hash_of
from pykala.models.embedder import AskedEmbedder

WRITTEN = Path(__file__).parents[2] / "training" / "questions" / "written-sections.jsonl"
SUBSECTIONS = WRITTEN.with_name("told-subsections.jsonl")

DIVIDED = "xx:act:1/sec_0"
ROWS = {
    DIVIDED: (100, 0, 0, 0),
    "xx:act:1/sec_1": (0, 100, 0, 0),
    "xx:act:1/sec_2": (0, 0, 100, 0),
    f"{DIVIDED}/subsec_1": (60, 80, 0, 0),
    f"{DIVIDED}/subsec_2": (60, 0, 0, 80),
}


def stored(**changed: object) -> dict[str, np.ndarray]:
    """A small file of three sections, one of them with two subsections, changed."""
    rows = {hash_of(name): row for name, row in ROWS.items()}
    names = sorted(rows)
    parts = [names.index(hash_of(f"{DIVIDED}/subsec_{number}")) for number in (1, 2)]
    found: dict[str, object] = {
        "names": np.array(names, dtype=np.uint64),
        "works": np.array([hash_of("xx:act:1")], dtype=np.uint64),
        "part_sections": np.array([hash_of(DIVIDED)] * 2, dtype=np.uint64),
        "part_rows": np.array(parts, dtype=np.uint32),
        "vectors.weight": np.array([rows[name] for name in names], dtype=np.int8),
        "vectors.weight.scales": np.full(len(names), 0.01, dtype=np.float16),
    }
    return {name: np.asarray(array) for name, array in {**found, **changed}.items() if array is not None}


def written(folder: Path, arrays: dict[str, np.ndarray]) -> Path:
    file = io.BytesIO()
    np.savez(file, **arrays)  # type: ignore[arg-type]
    path = folder / "asked.npz"
    path.write_bytes(file.getvalue())
    return path


def test_the_embedder_knows_questions_of_many_sections_and_is_small_enough_to_ship() -> None:
    assert isinstance(bundled(), AskedEmbedder)
    assert len(AskedSections(ASKED_SECTIONS, bundled().dimension)) > 20_000
    assert ASKED_SECTIONS.stat().st_size < 20_000_000


def test_a_question_that_was_written_lies_near_its_section() -> None:
    rows = [json.loads(line) for line in WRITTEN.read_text(encoding="utf-8").splitlines()[::400]]
    known = bundled().asked_of([row["section"] for row in rows])
    rows = [row for row, vector in zip(rows, known, strict=True) if vector.any()]
    known = known[known.any(axis=1)]
    asked = bundled().encode([row["asked"][0][1] for row in rows], "query")
    first = np.argmax(asked @ known.T, axis=1)
    assert np.mean(first == np.arange(len(rows))) > 0.9


def test_sections_without_questions_are_zeros_and_the_others_unit_vectors(tmp_path: Path) -> None:
    asked = AskedSections(written(tmp_path, stored()), 4)
    found = asked.of(["xx:act:1/sec_1", "xx:act:9/sec_1", "xx:act:1/sec_2"])
    assert np.linalg.norm(found, axis=1) == pytest.approx([1.0, 0.0, 1.0])
    assert asked.knows("xx:act:1")
    assert not asked.knows("xx:act:9")
    assert asked.of([]).shape == (0, 4)


def test_what_is_asked_of_a_subsection_is_found_by_its_own_name(tmp_path: Path) -> None:
    asked = AskedSections(written(tmp_path, stored()), 4)
    (found,) = asked.of([f"{DIVIDED}/subsec_2"])
    assert found == pytest.approx([0.6, 0.0, 0.0, 0.8])


def test_a_section_is_as_near_as_the_nearest_of_its_subsections(tmp_path: Path) -> None:
    asked = AskedSections(written(tmp_path, stored()), 4)
    sections = ["xx:act:1/sec_1", DIVIDED, "xx:act:9/sec_1"]
    # Half of it is the section's own vector: (1, 0, 0, 0) and (.6, 0, 0, .8) make (.8, 0, 0, .4).
    own = np.array([0.8, 0.0, 0.0, 0.4]) / np.linalg.norm([0.8, 0.4])
    for question in ((0.0, 0.0, 0.0, 1.0), (1.0, 0.0, 0.0, 0.0)):
        near = asked.nearest_part(np.array(question, dtype=np.float32), sections)
        assert near == pytest.approx([0.0, own @ question, 0.0], abs=1e-3)
    assert asked.nearest_part(np.ones(4, dtype=np.float32), []).shape == (0,)


def test_a_question_told_of_a_subsection_lies_nearer_to_it_than_to_the_others() -> None:
    rows = [json.loads(line) for line in SUBSECTIONS.read_text(encoding="utf-8").splitlines()]
    sections: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        sections.setdefault(row["section"], []).append(row)
    right = []
    for own in [parts for parts in sections.values() if len(parts) > 2][::100]:
        known = bundled().asked_of([f"{row['section']}/{row['part']}" for row in own])
        (question,) = bundled().encode([own[1]["asked"][0][1]], "query")
        right.append(int(np.argmax(known @ question)) == 1)
    assert np.mean(right) > 0.9


@pytest.mark.parametrize(
    "changed",
    [
        {"names": None},
        {"works": None},
        {"part_rows": None},
        {"part_sections": None},
        {"part_rows": np.array([1], dtype=np.uint32)},
        {"part_rows": np.array([1, 5], dtype=np.uint32)},
        {"part_sections": np.array([2, 1], dtype=np.uint64)},
        {"vectors.weight": np.eye(5, 5, dtype=np.int8)},
        {"vectors.weight": np.eye(5, 4, dtype=np.float32)},
        {"names": np.arange(2, dtype=np.uint64)},
        {"names": np.array([5, 4, 3, 2, 1], dtype=np.uint64)},
    ],
)
def test_a_file_that_is_not_whole_is_refused_by_name(tmp_path: Path, changed: dict[str, object]) -> None:
    with pytest.raises(WeightsDamaged, match=r"asked\.npz"):
        AskedSections(written(tmp_path, stored(**changed)), 4)


def test_a_file_that_is_cut_off_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "asked.npz"
    path.write_bytes(ASKED_SECTIONS.read_bytes()[:100_000])
    with pytest.raises(WeightsDamaged, match=r"asked\.npz"):
        AskedSections(path, bundled().dimension)
