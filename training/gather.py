"""Gather the pairs that the models learn from; each task is one file.

    python -m training.gather --out FOLDER [--library DIR ...] [--parallel parallel.tar.zst]
        [--statutes finland-statutes.tar.zst] [--union eu.tar.zst]
        [--treaties canada.tar.zst finland-web.tar.zst]

Folders serve as well as archives. Several runs into several folders are as good as one: the next step
(`training.encode`) takes any number of folders.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

from training.mirrors import of_statutes, of_treaties, of_union
from training.pair_files import Pair, write
from training.pairs import of_library, of_parallel


def main() -> None:
    """Write the pairs and print how many of each task and split there are."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--library", type=Path, action="append", default=[])
    parser.add_argument("--parallel", type=Path)
    parser.add_argument("--statutes", type=Path)
    parser.add_argument("--union", type=Path)
    parser.add_argument("--treaties", type=Path, nargs=2)
    parser.add_argument("--out", type=Path, required=True)
    asked = parser.parse_args()
    started = time.perf_counter()
    counts = write(everything(asked), asked.out)
    tasks = sorted({task for task, _ in counts})
    print(f"{'task':<32}{'train':>12}{'development':>12}{'test':>12}")
    for task in tasks:
        found = "".join(f"{counts[task, split]:>12,}" for split in ("train", "development", "test"))
        print(f"{task:<32}{found}")
    print(f"{sum(counts.values()):,} pairs in {time.perf_counter() - started:.0f} s")


def everything(asked: argparse.Namespace) -> Iterator[Pair]:
    """The pairs of all sources asked for."""
    for folder in asked.library:
        yield from of_library(folder)
    if asked.parallel:
        yield from of_parallel(asked.parallel)
    if asked.statutes:
        yield from of_statutes(asked.statutes)
    if asked.union:
        yield from of_union(asked.union)
    if asked.treaties:
        yield from of_treaties(*asked.treaties)


if __name__ == "__main__":
    main()
