"""How long a library takes to open: `python -m bench.opening [LIBRARY …]` prints a Markdown table.

    python -m bench.opening [LIBRARY …] [--times 50]

Each library (else the sample) is opened as readers open it, its cheap checks included: rights, the manifest
of the indexes with their checksums up to a size, the state of the journal. Milliseconds of processor stand
beside those of the clock, for a machine that does other work.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

import pykala
from pykala.library import Library
from pykala.stores.embedded.store import EmbeddedStore


def timed(open_one: Callable[[], EmbeddedStore | Library], times: int) -> tuple[float, float, float]:
    """Median and least milliseconds by the clock, and the median of the processor's."""
    clock, processor = [], []
    open_one().close()  # the first brings the files into memory
    for _ in range(times):
        started, worked = perf_counter(), process_time()
        opened = open_one()
        clock.append((perf_counter() - started) * 1000)
        processor.append((process_time() - worked) * 1000)
        opened.close()
    return median(clock), min(clock), median(processor)


def row(name: str, what: str, size: int, measured: tuple[float, float, float]) -> str:
    cells = [name, what, f"{size / 1e6:,.1f}", *(f"{one:.1f}" for one in measured)]
    return "| " + " | ".join(cells) + " |"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("libraries", nargs="*", type=Path, metavar="LIBRARY")
    parser.add_argument("--times", type=int, default=50)
    chosen = parser.parse_args()
    folders: list[Path] = chosen.libraries
    if not folders:
        with pykala.sample() as sample:
            assert sample.folder is not None
            folders = [sample.folder]
    print("| library | opened | MB | median ms | least ms | ms of processor |\n|---|---|---|---|---|---|")
    for folder in folders:
        size = sum(one.stat().st_size for one in folder.rglob("*") if one.is_file())
        for what, open_one in (
            ("records and indexes", lambda folder=folder: EmbeddedStore.open(folder)),
            ("with the models", lambda folder=folder: Library.open(folder)),
        ):
            print(row(folder.name, what, size, timed(open_one, chosen.times)), flush=True)


if __name__ == "__main__":
    main()
