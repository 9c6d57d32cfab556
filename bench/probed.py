"""How many of the nearest passages the clustered lists find: `python -m bench.probed LIBRARY`.

    python -m bench.probed LIBRARY [--rows 100000 50000 25000] [--questions 60]

Real questions (`training/questions/told.jsonl`), each among the passages in force in its own place and
language. The nearest 150 of all of them are compared with the nearest 150 of as many rows as the lists give.
"""

from __future__ import annotations

import argparse
import json
import random
import sqlite3
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from time import perf_counter

import numpy as np

from pykala.models import bundled
from pykala.stores.embedded.facets import FacetFilter
from pykala.stores.embedded.passing import Passing
from pykala.stores.embedded.vector_files import Snapshot
from pykala.stores.embedded.vector_scan import Query, Scan

TOLD = Path(__file__).parents[1] / "training" / "questions" / "told.jsonl"
NEAREST, DEPTHS = 150, (150, 20, 5)
TODAY = date(2026, 11, 15)


def read_questions(place: str, language: str, most: int) -> list[str]:
    """Some questions of a place in a language, drawn with a fixed seed."""
    rows = map(json.loads, TOLD.read_text(encoding="utf-8").splitlines())
    found = [
        one["question"]
        for one in rows
        if (one["section"].partition(":")[0], one["language"]) == (place, language)
    ]
    random.Random(5).shuffle(found)
    return found[:most]


def compare(
    snapshot: Snapshot, name: str, filter: FacetFilter, questions: Sequence[str], wanted: Sequence[int]
) -> None:
    """Print a row for each number of rows looked at."""
    passing, vectors = Passing(snapshot), bundled().encode(questions, "query")
    mask = passing.mask(filter)
    every = np.arange(snapshot.header.rows) if mask is None else np.flatnonzero(mask)
    scans = [Scan(snapshot, Query.of(vector), NEAREST) for vector in vectors]
    exact = [[passage for passage, _ in scan.among(every)] for scan in scans]
    for rows in wanted:
        begun, shares = perf_counter(), np.zeros(len(DEPTHS))
        for scan, vector, right in zip(scans, vectors, exact, strict=True):
            found = {passage for passage, _ in scan.among(passing.lists(filter).candidates(vector, rows))}
            shares += [len(found.intersection(right[:depth])) / depth for depth in DEPTHS]
        took = (perf_counter() - begun) / len(scans) * 1000
        told = " | ".join(f"{share / len(scans):.3f}" for share in shares)
        print(f"| {name} | {len(every):,} | {rows:,} | {told} | {took:.1f} |")


def main() -> None:
    """Compare for each place and language that has many passages."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("library", type=Path)
    parser.add_argument("--rows", type=int, nargs="+", default=[100_000, 50_000, 25_000])
    parser.add_argument("--questions", type=int, default=60)
    given = parser.parse_args()
    snapshot = Snapshot.newest(given.library / "vectors", verify=False)
    records = sqlite3.connect(f"file:{given.library / 'library.db'}?mode=ro", uri=True)
    names = dict(records.execute("SELECT value, id FROM names"))
    print("| | passages | rows looked at | of 150 | of 20 | of 5 | ms |\n|---|---|---|---|---|---|---|")
    for place, language in (("fi", "fi"), ("ca", "en"), ("ca", "fr")):
        filter = FacetFilter(TODAY.toordinal(), frozenset({names[place]}), frozenset({names[language]}))
        questions = read_questions(place, language, given.questions)
        compare(snapshot, f"{place}, {language}", filter, questions, given.rows)


if __name__ == "__main__":
    main()
