"""Write the package's register of topics: `topics.npz`, as `pykala.models.bundled` reads it.

    python -m training.write_topics --out topics.npz

`questions/topics.jsonl` holds a topic a line: the section or the part of it where one looks for it, and
the terms that people type for it, in several languages. Each topic becomes the mean of its terms' vectors, by
the tower that ships.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from pykala.evaluate.matching import section_of
from pykala.law.identifiers import ProvisionId
from pykala.models.bundled import TABLE_WEIGHTS, TOWER_WEIGHTS
from pykala.models.bundled.asked import hash_of
from pykala.models.bundled.embedder import TwoTowers
from pykala.models.bundled.topics import term_of
from training.tower_files import Arrays, quantised, write_arrays

WRITTEN = Path(__file__).parent / "questions" / "topics.jsonl"


def read_topics(path: Path = WRITTEN) -> Iterator[tuple[ProvisionId, list[str]]]:
    """The provision of each topic, and its terms."""
    for row in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
        yield ProvisionId.parse(row["provision"]), row["terms"]


def arrays_of(topics: list[tuple[ProvisionId, list[str]]]) -> Arrays:
    """The unit vector of each topic with its section's name, in the order of these."""
    towers = TwoTowers(TABLE_WEIGHTS, TOWER_WEIGHTS)
    ordered = sorted(topics, key=lambda topic: hash_of(str(section_of(topic[0]))))
    sums = np.stack([towers.encode(terms, "query").sum(axis=0) for _, terms in ordered])
    terms = sorted(
        (term_of(term), at) for at, (_, some) in enumerate(ordered) for term in dict.fromkeys(some)
    )
    vectors, scales = quantised(sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-9))
    return {
        "sections": np.array([hash_of(str(section_of(one))) for one, _ in ordered], dtype=np.uint64),
        "provisions": np.array([hash_of(str(one)) for one, _ in ordered], dtype=np.uint64),
        "places": np.array([one.work.value.partition(":")[0] for one, _ in ordered]),
        "terms": np.array([term for term, _ in terms], dtype=np.uint64),
        "term_topics": np.array([at for _, at in terms], dtype=np.uint32),
        "topics.weight": vectors,
        "topics.weight.scales": scales.astype(np.float16),
    }


def main() -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    topics = list(read_topics())
    write_arrays(arrays_of(topics), given.out)
    sections = len({section_of(one) for one, _ in topics})
    terms = sum(len(terms) for _, terms in topics)
    print(f"{len(topics):,} topics of {sections:,} sections, {terms:,} terms, "
          f"{given.out.stat().st_size / 1e6:.1f} MB")  # fmt: skip


if __name__ == "__main__":
    main()
