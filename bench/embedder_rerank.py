"""How long the bundled reranker takes to put 30 candidates in order, in each language.

    python -m bench.embedder_rerank canada.tar.zst finland-statutes.tar.zst [--questions 60]

Candidates are stretches of about 1,000 characters, as long as a passage gets; a question is eight words of
one of them. Cold: words that were never met, in a process of its own. Warm: the same again. Milliseconds of a
question, median and 95th percentile, by the clock and by the processor.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import time
from pathlib import Path

from bench.embedder import passages

_FOLDERS = {"en": "eng/", "fr": "fra/", "fi": "asd/fi/", "sv": "asd/sv/"}
CANDIDATES = 30
WORDS = 8


def measure(job: tuple[Path, str, int]) -> list[tuple[float, float, float, float]]:
    """Cold and warm: median and 95th percentile of milliseconds by the clock, then by the processor."""
    mirror, folder, count = job
    texts = list(passages(mirror, folder, count * CANDIDATES))
    drawn = random.Random(1)
    from pykala.models import bundled_reranker

    reranker = bundled_reranker()
    reranker.score("to be ready", ["ready to be"])
    asked = []
    for start in range(0, len(texts) - CANDIDATES + 1, CANDIDATES):
        own = texts[start : start + CANDIDATES]
        words = max(own, key=len).split()
        asked.append((" ".join(drawn.sample(words, min(WORDS, len(words)))), own))
    found = []
    for _ in ("cold", "warm"):
        times = []
        for question, own in asked:
            began, used = time.perf_counter(), time.process_time()
            reranker.score(question, own)
            times.append((1000 * (time.perf_counter() - began), 1000 * (time.process_time() - used)))
        clock, processor = (sorted(column) for column in zip(*times, strict=True))
        middle, late = len(times) // 2, int(len(times) * 0.95)
        found.append((clock[middle], clock[late], processor[middle], processor[late]))
    return found


def main() -> None:
    """Print one row a language."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("canada", type=Path)
    parser.add_argument("statutes", type=Path)
    parser.add_argument("--questions", type=int, default=60)
    asked = parser.parse_args()
    print(f"{'':<4}{'cold ms':>14}{'processor':>14}{'warm ms':>14}{'processor':>14}   (median / 95th)")
    for language, folder in _FOLDERS.items():
        mirror = asked.canada if language in ("en", "fr") else asked.statutes
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            rows = pool.apply(measure, ((mirror, folder, asked.questions),))
        cells = "".join(f"{one[at]:>8.0f} /{one[at + 1]:>4.0f}" for one in rows for at in (0, 2))
        print(f"{language:<4}{cells}", flush=True)


if __name__ == "__main__":
    main()
