"""Time, measured: `python -m bench.time [LIBRARY]` prints a Markdown table (without one: the sample library).

`text_at` of sections picked by chance on days picked by chance, the history of a section, the whole largest
acts on two dates, what changed in a year; and how many chains there are, with the faults found in them.
Times of the clock; for whole acts also the processor's, which others on the machine do not lengthen.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

import pykala
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import ProvisionKind
from pykala.library import Library
from pykala.stores.store import NotInForce
from pykala.versions.chains import check_chains

SECTIONS = (ProvisionKind.SECTION, ProvisionKind.ARTICLE)
WORKS = 60  # looked at for sections to ask for
ACTS = 3  # the largest of them, compared whole
RUNS = 400


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("library", type=Path, nargs="?")
    options = parser.parse_args()
    with Library.open(options.library) if options.library else pykala.sample() as library:
        print("| | p50 or once | p95 | goal |\n|---|---|---|---|")
        for row in _measured(library, random.Random(7)):
            print("| " + " | ".join(row) + " |")


def _measured(library: Library, chance: random.Random) -> list[tuple[str, str, str, str]]:
    works = sorted((work.id for work in library.store.works()), key=str)
    chosen = works if len(works) <= WORKS else chance.sample(works, WORKS)
    sizes, sections, faults = _look(library, chosen)
    places = [chance.choice(sections) for _ in range(RUNS)]
    days = [date(1995, 1, 1) + timedelta(days=chance.randrange(11_500)) for _ in range(RUNS)]
    rows = [
        ("`text_at`, a section", *_times(lambda n: _text_at(library, places[n], days[n])), "≤ 1 ms"),
        ("`history`, a section", *_times(lambda n: library.history(places[n])), ""),
        ("`diff`, a section", *_times(lambda n: _diff(library, places[n])), ""),
        ("`show`, a section with its caveats", *_times(lambda n: _shown(library, places[n], days[n])), ""),
    ]
    for work in sorted(sizes, key=lambda one: -sizes[one])[:ACTS]:
        started, worked = perf_counter(), process_time()
        found = library.diff(str(work), date(2010, 1, 1), date(2026, 1, 1))
        seconds, processor = perf_counter() - started, process_time() - worked
        name = f"`diff`, the whole of {work}: {len(found.changed):,} of {len(found.differences):,} differ"
        rows.append(
            (name, f"{seconds * 1000:,.0f} ms", f"{processor * 1000:,.0f} ms of processor", "≤ 1,000 ms")
        )
    started = perf_counter()
    changed = library.changes(date(2023, 1, 1), date(2023, 12, 31))
    seconds = perf_counter() - started
    count = sum(len(one.changes) for one in changed)
    rows.append(
        (f"`changes` of 2023: {len(changed):,} works, {count:,} changes", f"{seconds * 1000:,.0f} ms", "", "")
    )
    told = ", ".join(f"{number:,} {kind}" for kind, number in faults.items()) or "no faults"
    rows.append((f"chains of {len(chosen):,} works: {sum(sizes.values()):,}", "", told, ""))
    return rows


def _look(library: Library, works: list[WorkId]) -> tuple[dict[WorkId, int], list[str], Counter[str]]:
    """How many chains each work has, the sections there are, and what is wrong with the chains."""
    sizes, sections, faults = {}, [], Counter[str]()
    for work in works:
        root = library.store.chain(ProvisionId(work))
        nodes = list(root.walk())
        sizes[work] = len(nodes)
        sections += [str(node.id) for node in nodes if node.kind in SECTIONS]
        faults.update(one.kind.value for one in check_chains(root))
    return sizes, sections, faults


def _times(action: Callable[[int], object]) -> tuple[str, str]:
    times = []
    for number in range(RUNS):
        started = perf_counter()
        action(number)
        times.append((perf_counter() - started) * 1000)
    return f"{median(times):.2f} ms", f"{sorted(times)[int(RUNS * 0.95)]:.2f} ms"


def _text_at(library: Library, provision: str, day: date) -> str:
    try:
        return library.text_at(provision, day)
    except NotInForce:
        return ""


def _shown(library: Library, provision: str, day: date) -> object:
    try:
        return library.show(provision, as_of=day)
    except NotInForce:
        return None


def _diff(library: Library, provision: str) -> object:
    try:
        return library.diff(provision, date(2010, 1, 1), date(2026, 1, 1))
    except NotInForce:
        return None


if __name__ == "__main__":
    main()
