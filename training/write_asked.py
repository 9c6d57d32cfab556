"""Write the package's file of what is asked of sections: `asked.npz`, as `pykala.models.bundled` reads it.

    python -m training.write_asked --sections questions.xz --sums FOLDER/sums.npz --out asked.npz
    python -m training.write_asked --onto asked.npz --out asked.npz

The sums are what `training.tune_tower` wrote with the tower that ships. Questions that were written since
are read by these towers here; with `--onto` they are all that is read, and what the file holds is kept. What
is asked of subsections is always read here.
Sections whose question a second reader refused are left out. Those of the development sets are not: people
ask for them, too, and the writers of questions did not see the sets.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Container
from pathlib import Path

import numpy as np

from pykala.law.identifiers import ProvisionId
from pykala.models.bundled import TABLE_WEIGHTS, TOWER_WEIGHTS
from pykala.models.bundled.asked import hash_of
from pykala.models.bundled.embedder import TwoTowers
from training.tower_files import Arrays, quantised, unpack, write_arrays
from training.tower_questions import TOLD
from training.written import (
    TOLD_OF_SECTIONS,
    TOLD_OF_SUBSECTIONS,
    read_of_sections,
    read_of_subsections,
    refused,
)


def sums_of(sections: Path, path: Path) -> dict[str, np.ndarray]:
    """The sum of the vectors of each section's questions."""
    names = bytes(unpack(sections)["names"]).decode().split("\n")
    with np.load(path) as stored:
        numbers, sums = stored["numbers"].astype(np.int64), stored["sums"] * stored["scales"][:, None]
    return {names[number]: row for number, row in zip(numbers, sums, strict=True)}


def add_told_since(sums: dict[str, np.ndarray], sections: Path) -> int:
    """Read the situations of sections that the packed file has questions of, but no situation."""
    arrays = unpack(sections)
    names = bytes(arrays["names"]).decode().split("\n")
    questions = arrays["questions"]
    tells = (questions[:, 3] != TOLD) & (questions[:, 4] == 1)
    known = {names[number] for number in np.unique(questions[tells, 1]).tolist()}
    towers, added = TwoTowers(TABLE_WEIGHTS, TOWER_WEIGHTS), 0
    for provision, asked in read_of_sections([TOLD_OF_SECTIONS, TOLD_OF_SUBSECTIONS]):
        section = str(provision)
        if section in sums and section not in known:
            sums[section] = sums[section] + towers.encode([text for _, text in asked], "query").sum(axis=0)
            added += 1
    return added


def add_new(sums: dict[str, np.ndarray], known: Container[int] = frozenset()) -> int:
    """Read the questions of sections that have no sum yet and are not known by name."""
    towers, added = TwoTowers(TABLE_WEIGHTS, TOWER_WEIGHTS), 0
    for provision, asked in read_of_sections():
        if str(provision) not in sums and hash_of(str(provision)) not in known:
            sums[str(provision)] = towers.encode([text for _, text in asked], "query").sum(axis=0)
            added += 1
    return added


def held(path: Path) -> tuple[dict[int, np.ndarray], set[int]]:
    """What a file holds of sections: vectors by their names, and the names of works."""
    with np.load(path) as stored:
        vectors = stored["vectors.weight"] * stored["vectors.weight.scales"].astype(np.float32)[:, None]
        parts = set(stored["part_rows"].tolist())
        whole = {name: vectors[row] for row, name in enumerate(stored["names"].tolist()) if row not in parts}
        return whole, set(stored["works"].tolist())


def of_subsections() -> dict[tuple[str, str], np.ndarray]:
    """The sum of the vectors of each subsection's questions, by section and subsection; of several only."""
    asked, towers = read_of_subsections(), TwoTowers(TABLE_WEIGHTS, TOWER_WEIGHTS)
    divided = Counter(section for section, _ in asked)
    return {
        place: towers.encode(texts, "query").sum(axis=0)
        for place, texts in asked.items()
        if divided[place[0]] > 1
    }


def arrays_of(
    sums: dict[str, np.ndarray],
    kept: dict[int, np.ndarray],
    works: set[int],
    of_parts: dict[tuple[str, str], np.ndarray],
) -> Arrays:
    """Names in order with their unit vectors, and the works that they are of, beside what is kept."""
    taken_out = refused()
    for section in taken_out:
        kept.pop(hash_of(section), None)
    for section, total in sums.items():
        if section not in taken_out:
            kept[hash_of(section)] = total / max(float(np.linalg.norm(total)), 1e-9)
            works.add(hash_of(str(ProvisionId.parse(section).work)))
    sections = {}
    for (section, part), total in of_parts.items():
        if section not in taken_out:
            kept[hash_of(part)] = total / max(float(np.linalg.norm(total)), 1e-9)
            sections[hash_of(part)] = hash_of(section)
    names = sorted(kept)
    rows = {name: row for row, name in enumerate(names)}
    parts = sorted((section, rows[part]) for part, section in sections.items())
    vectors, scales = quantised(np.stack([kept[name] for name in names]))
    return {
        "names": np.array(names, dtype=np.uint64),
        "works": np.array(sorted(works), dtype=np.uint64),
        "part_sections": np.array([section for section, _ in parts], dtype=np.uint64),
        "part_rows": np.array([row for _, row in parts], dtype=np.uint32),
        "vectors.weight": vectors,
        "vectors.weight.scales": scales.astype(np.float16),
    }


def main() -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sections", type=Path, help="the packed sections that the sums are of")
    parser.add_argument("--sums", type=Path)
    parser.add_argument("--onto", type=Path, help="an earlier file, which is kept and added to")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    if (given.sums is None) == (given.onto is None):
        parser.error("give either --sections with --sums, or --onto")
    sums = sums_of(given.sections, given.sums) if given.sums else {}
    kept, works = held(given.onto) if given.onto else ({}, set())
    if given.sums:
        print(f"{add_told_since(sums, given.sections):,} sections told of since")
    print(f"{add_new(sums, kept):,} sections read here")
    arrays = arrays_of(sums, kept, works, of_subsections())
    write_arrays(arrays, given.out)
    parts = len(arrays["part_rows"])
    counts = f"{len(arrays['names']) - parts:,} sections, {parts:,} subsections"
    print(f"{counts}, {given.out.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
