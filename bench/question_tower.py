"""How long the question tower takes by each of its kernels: `taskset -c 1 python -m bench.question_tower`.

Each kernel has a process of its own, so that its load and memory are its own as well. Milliseconds are of the
processor, so that other work on the machine counts less. Prints the rows of a table in docs/models.md.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from statistics import median
from time import process_time

QUESTION = (
    "What is the tax rate on capital income above thirty thousand euros for a person who lives abroad but has"
    " rent from a flat in Helsinki or Turku?"
)
RUNS = 200


def milliseconds(call: Callable[[], object]) -> float:
    """The processor's time of a call."""
    started = process_time()
    call()
    return 1000 * (process_time() - started)


def measure(kernel: str) -> None:
    """Print the row of one kernel."""
    from pykala.models.bundled import TABLE_WEIGHTS, TOWER_WEIGHTS
    from pykala.models.bundled.embedder import DocumentTable
    from pykala.models.bundled.tower import KERNELS, QuestionTower

    started = process_time()
    table = DocumentTable(TABLE_WEIGHTS)
    tower = QuestionTower(TOWER_WEIGHTS, next(one for one in KERNELS if one == kernel))
    load = process_time() - started
    known = partial(table.known_vectors, language="en")
    tokens = len(tower.read(QUESTION, known))
    taken = sorted(milliseconds(lambda: tower.vector(tower.read(QUESTION, known))) for _ in range(RUNS))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"| {kernel} | {tokens} | {median(taken):.1f} | {taken[0]:.1f} | {load:.2f} s | {memory} MiB |")


def main() -> None:
    """Measure one kernel here, or each in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kernels", nargs="*", default=["onnxruntime", "numkong", "numpy"])
    parser.add_argument("--here", action="store_true", help="measure the first kernel in this process")
    given = parser.parse_args()
    if given.here:
        measure(given.kernels[0])
        return
    print("| kernel | tokens | p50 ms | fastest ms | load | memory |\n|---|---|---|---|---|---|", flush=True)
    for kernel in given.kernels:
        subprocess.run([sys.executable, "-m", "bench.question_tower", "--here", kernel], check=True)


if __name__ == "__main__":
    main()
