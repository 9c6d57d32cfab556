"""What it costs to look for a newer state: `python -m bench.published [LIBRARY]` (else a copy of the sample).

A running server looks before every request. Measured: a look that finds nothing, and a look that finds that
another process has published one more small work, with moving on to it (on a copy of the sample only).
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from time import perf_counter

import numpy as np

from pykala.library import Library
from pykala.library.sample import sample_library
from pykala.packs.pack import installed
from pykala.settings import Settings

_LOOKS, _MOVES = 20_000, 20


def main() -> None:
    """Print the table."""
    print("| look | library | count | µs p50 | µs p95 |\n|---|---|---:|---:|---:|")
    if len(sys.argv) > 1:
        _looks(Path(sys.argv[1]))
        return
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "library"
        shutil.copytree(sample_library(Settings.read().cache, installed()), copy)
        _looks(copy)
        _moves(copy, Path(folder) / "inbox")


def _looks(folder: Path) -> None:
    with Library.open(folder) as library:
        library.refresh()
        taken = []
        for _ in range(_LOOKS):
            began = perf_counter()
            library.refresh()
            taken.append(perf_counter() - began)
        _print("nothing new", f"{sum(library.stats().works.values()):,} works", taken)


def _moves(folder: Path, inbox: Path) -> None:
    inbox.mkdir()
    with Library.open(folder) as library:
        taken = []
        for number in range(_MOVES):
            (inbox / f"{number}.md").write_text(f"# Note {number}\n\nThe fee is {number} euros.\n", "utf-8")
            with Library.open(folder, writable=True) as writer:
                list(writer.inbox(inbox))
            began = perf_counter()
            assert library.refresh()
            taken.append(perf_counter() - began)
        _print("a new state, and moving on", f"{sum(library.stats().works.values()):,} works", taken)


def _print(look: str, library: str, seconds: list[float]) -> None:
    half, high = np.percentile(np.array(seconds) * 1e6, [50, 95])
    print(f"| {look} | {library} | {len(seconds):,} | {half:,.1f} | {high:,.1f} |")


if __name__ == "__main__":
    main()
