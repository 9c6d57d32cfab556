"""A whole source into a library: `python -m bench.whole_pack ca ARCHIVE…` prints a Markdown table.

Reads, relates, cuts and indexes everything without vectors, on all cores; then again, unchanged; then
asks a few words of it. Memory is the largest resident size of the storing process and of a worker.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
from datetime import date
from pathlib import Path
from time import perf_counter

import numpy as np

from pykala.fetch.joined import open_mirrors
from pykala.law.filters import Filter
from pykala.library import Library

WORK = Path(__file__).parent / ".work"
QUERIES = (
    "insurable employment hours to qualify for benefits",
    "prohibited grounds of discrimination",
    "directors of a bank conflict of interest",
    "licence to export goods",
    "penalty for late filing of a return",
    "definition of foreign national",
    "delai de prescription",
    "pouvoir du ministre de prendre des reglements",
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pack")
    parser.add_argument("source", type=Path, nargs="+")
    options = parser.parse_args()
    folder = WORK / f"whole-{options.pack}"
    shutil.rmtree(folder, ignore_errors=True)
    first, report = _ingest(folder, options.pack, options.source)
    memory = [
        resource.getrusage(who).ru_maxrss / 1024 for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    ]
    second, again = _ingest(folder, options.pack, options.source)
    started = perf_counter()
    with Library.open(folder) as library:
        opened = (perf_counter() - started) * 1000
        stats = library.stats()
        text = _median(lambda n: library.store.match_text(QUERIES[n % 8], Filter(as_of=date(2026, 7, 1)), 10))
        asked = _median(lambda n: library.ask(QUERIES[n % 8], as_of=date(2026, 7, 1)))
    rows = {
        "items read / refused files": f"{report.read:,} / {len(report.refusals):,}",
        "documents": ", ".join(f"{count:,} {language}" for language, count in stats.documents.items()),
        "provisions / versions": f"{stats.provisions:,} / {stats.versions:,}",
        "passages / children": f"{stats.passages:,} / {stats.children:,}",
        "pairs / defined terms": f"{stats.pairings:,} / {stats.terms:,}",
        "edges": ", ".join(f"{count:,} {kind}" for kind, count in stats.edges.items()),
        "unresolved references": ", ".join(
            f"{count:,} {reason}" for reason, count in stats.unresolved.items()
        ),
        "time, first run": f"{first:,.0f} s on {os.cpu_count()} cores",
        "time, unchanged": f"{second:,.1f} s ({again.unchanged:,} unchanged, {again.read:,} read)",
        "memory, storing process / worker": f"{memory[0]:,.0f} / {memory[1]:,.0f} MiB",
        "on disk": f"{stats.bytes / 1e6:,.0f} MB",
        "open": f"{opened:,.0f} ms",
        "text search, p50": f"{text:,.1f} ms",
        "ask, p50": f"{asked:,.1f} ms",
    }
    print("| | |\n|---|---|")
    for name, value in rows.items():
        print(f"| {name} | {value} |")


def _ingest(folder: Path, pack: str, source: list[Path]):  # type: ignore[no-untyped-def]
    started = perf_counter()
    with open_mirrors(source) as mirror, Library.open(folder, writable=True, create=True) as library:
        report = library.ingest(pack, mirror, workers=os.cpu_count() or 1)
    return perf_counter() - started, report


def _median(action) -> float:  # type: ignore[no-untyped-def]
    times = []
    for number in range(48):
        started = perf_counter()
        action(number)
        times.append((perf_counter() - started) * 1000)
    return float(np.median(times[8:]))


if __name__ == "__main__":
    main()
