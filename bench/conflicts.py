"""Processor time of finding conflicts among the sections that questions find.

python -m bench.conflicts LIBRARY QUESTIONS.jsonl [QUESTIONS.jsonl …]

Each question's best section is held against the next five, every second one as if a reference led to it.
"""

from __future__ import annotations

import json
import sys
from datetime import date
from pathlib import Path
from time import process_time

from pykala.answer.cite import cited
from pykala.answer.conflicts import find_conflicts
from pykala.law.answers import Support
from pykala.library import Library
from pykala.views.reasoning import on_date

MOST_QUESTIONS = 50  # of each file
SECTIONS = 6
DAY = date(2026, 1, 1)


def main(folder: Path, files: list[Path]) -> None:
    """Print p50, p95 and the longest, in milliseconds, and how much text was held together."""
    times, sizes = [], []
    with Library.open(folder) as library:
        for file in files:
            for line in file.read_text(encoding="utf-8").splitlines()[:MOST_QUESTIONS]:
                found = library.search(json.loads(line)["question"], as_of=DAY, limit=SECTIONS)
                shown = [
                    cited(
                        on_date(one.match.section, library.store, DAY, one.match.language), library.packs, DAY
                    )
                    for one in found
                ]
                if not shown:
                    continue
                beside = [Support(one, "also about this", place % 2) for place, one in enumerate(shown[1:])]
                began = process_time()
                find_conflicts(shown[0], {shown[0].language: shown[0].text}, beside)
                times.append((process_time() - began) * 1000)
                sizes.append(sum(len(one.text) for one in shown))
    times.sort(), sizes.sort()
    for name, values in (("ms", times), ("characters", sizes)):
        middle, high = values[len(values) // 2], values[int(len(values) * 0.95)]
        print(f"{name}: p50 {middle:,.2f}, p95 {high:,.2f}, longest {values[-1]:,.2f} of {len(values)}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), [Path(name) for name in sys.argv[2:]])
