"""Measure the vector index on clustered synthetic data: `python bench/vectors.py --rows 400000 2500000`.

Topics are gaussians on the sphere, their sizes uneven; queries lie near rows, as a question lies near
the provision that answers it. The peer is NumPy's float32 matrix product over all rows in memory, timed
in the same run (filter applied to the scores), which is also the reference for recall@10. `--latent 32`
makes topics that overlap in 32 dimensions instead, which is harder for clustered lists than law is.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pykala.stores.embedded.facets import FacetFilter, Facets
from pykala.stores.embedded.vectors import VectorIndex

BATCH = 10_000
LANGUAGES, DAY = 4, 738_000
FILTERS = {
    "none": FacetFilter(),
    "language + date": FacetFilter(day=DAY, languages=frozenset({1})),
    "one work": FacetFilter(works=frozenset({7})),
}


class Corpus:
    """Rows of clustered vectors, made batch by batch so that a large set needs no memory."""

    def __init__(self, rows: int, dimension: int, topics: int, spread: float, latent: int = 0) -> None:
        self.rows, self.dimension = rows, dimension
        random = np.random.default_rng(2)
        self._projection = None
        if latent:
            self._projection = random.standard_normal((latent, dimension), dtype=np.float32) / np.sqrt(
                dimension
            )
            self._topics = random.standard_normal((topics, latent), dtype=np.float32)
        else:
            areas = random.standard_normal((200, dimension))  # branches of law, which topics share
            own = random.standard_normal((topics, dimension))
            self._topics = _unit(areas[random.integers(0, len(areas), topics)] + own)
        weights = 1 / np.arange(1, topics + 1) ** 0.3
        self._weights = np.cumsum(weights / weights.sum())
        self._spread = spread

    def batch(self, number: int) -> tuple[range, list[Facets], NDArray[np.float32]]:
        random = np.random.default_rng((2, number))
        passages = range(number * BATCH, min((number + 1) * BATCH, self.rows))
        vectors = self._near(random, len(passages))
        starts = random.integers(DAY - 9000, DAY + 500, len(passages))
        ends = np.where(
            random.random(len(passages)) < 0.8, 4_000_000, starts + random.integers(1, 4000, len(passages))
        )
        language = random.integers(0, LANGUAGES, len(passages))
        facets = [
            Facets(passage // 60, passage % 4, int(spoken), 1, 2, int(start), int(end))
            for passage, spoken, start, end in zip(passages, language, starts, ends, strict=True)
        ]
        return passages, facets, vectors

    def queries(self, count: int) -> NDArray[np.float32]:
        return self._near(np.random.default_rng(3), count)

    def _near(self, random: np.random.Generator, count: int) -> NDArray[np.float32]:
        topics = np.searchsorted(self._weights, random.random(count)).clip(max=len(self._topics) - 1)
        noise = random.standard_normal((count, self.dimension), dtype=np.float32) / np.sqrt(self.dimension)
        if self._projection is None:
            return _unit(self._topics[topics] + noise * self._spread)
        inner = random.standard_normal((count, len(self._projection)), dtype=np.float32) * self._spread
        latent = (self._topics[topics] + inner) @ self._projection
        return _unit(latent + noise * 0.25 * np.sqrt(len(self._projection)))


def _unit(rows: NDArray[Any]) -> NDArray[np.float32]:
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


def build(folder: Path, corpus: Corpus) -> dict[str, float]:
    index = VectorIndex.open(folder, dimension=corpus.dimension, writable=True)
    appending, commits = 0.0, []
    for number in range(-(-corpus.rows // BATCH)):
        passages, facets, vectors = corpus.batch(number)
        start = time.perf_counter()
        index.append(passages, facets, vectors)
        if number % 10 == 9 or passages.stop == corpus.rows:
            index.commit()
        commits.append(time.perf_counter() - start)
        appending += commits[-1]
    index.close()
    return {
        "rate": corpus.rows / appending,
        "append_s": statistics.median(commits),
        "longest_s": max(commits),
    }


def search(folder: Path, corpus: Corpus, queries: int, kernel: str) -> dict[str, Any]:
    before = _resident()
    start = time.perf_counter()
    index = VectorIndex.open(folder, dimension=corpus.dimension, kernel=kernel)
    opening = time.perf_counter() - start
    asked = corpus.queries(queries)
    found: dict[str, Any] = {"open_s": opening, "filters": {}}
    for name, filter in FILTERS.items():
        index.match(asked[0], filter, 10)
        used = time.process_time()
        times, results = _timed(lambda query, filter=filter: index.match(query, filter, 10), asked)
        used = (time.process_time() - used) / len(asked) * 1000
        found["filters"][name] = {
            "times": times,
            "processor": used,
            "results": [[passage for passage, _ in result] for result in results],
        }
    found["resident_mib"] = (_resident() - before) / 2**20
    found["peak_mib"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return found


def peer(corpus: Corpus, queries: int) -> dict[str, Any]:
    """NumPy float32 over all rows: the reference and the time to compare with."""
    matrix = np.empty((corpus.rows, corpus.dimension), dtype=np.float32)
    masks = {name: np.empty(corpus.rows, dtype=np.bool_) for name in FILTERS}
    for number in range(-(-corpus.rows // BATCH)):
        passages, facets, vectors = corpus.batch(number)
        matrix[passages.start : passages.stop] = vectors
        for name, filter in FILTERS.items():
            masks[name][passages.start : passages.stop] = [filter.passes(facet) for facet in facets]
    found: dict[str, Any] = {}
    for name, mask in masks.items():

        def exact(query: NDArray[np.float32], mask: NDArray[np.bool_] = mask) -> list[int]:
            scores = np.where(mask, matrix @ query, -np.inf)
            best = np.argpartition(-scores, 10)[:10]
            best = best[np.argsort(-scores[best], kind="stable")]
            return [int(row) for row in best if scores[row] > -np.inf]

        times, results = _timed(exact, corpus.queries(queries))
        found[name] = {"times": times, "results": results, "share": float(mask.mean())}
    return found


def _timed(match: Callable[..., Any], queries: NDArray[np.float32]) -> tuple[list[float], list[Any]]:
    times, results = [], []
    for query in queries:
        start = time.perf_counter()
        results.append(match(query))
        times.append((time.perf_counter() - start) * 1000)
    return times, results


def _resident() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def _recall(found: list[list[int]], wanted: list[list[int]]) -> float:
    return statistics.mean(len(set(a) & set(b)) / max(len(b), 1) for a, b in zip(found, wanted, strict=True))


def _apart(step: str, folder: Path, rows: int, options: argparse.Namespace) -> Any:
    """Run one step in a process of its own, so that its memory is its own."""
    command = [sys.executable, __file__, "--step", step, "--folder", str(folder), "--rows", str(rows)]
    for name in ("dimension", "topics", "spread", "latent", "queries", "kernel"):
        command += [f"--{name}", str(getattr(options, name))]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def _step(options: argparse.Namespace) -> Any:
    corpus = Corpus(options.rows[0], options.dimension, options.topics, options.spread, options.latent)
    if options.step == "build":
        return build(options.folder, corpus)
    if options.step == "peer":
        return peer(corpus, options.queries)
    return search(options.folder, corpus, options.queries, options.kernel)


def _report(rows: int, folder: Path, options: argparse.Namespace) -> None:
    built = _apart("build", folder, rows, options)
    reference = _apart("peer", folder, rows, options)
    found = _apart("search", folder, rows, options)
    for name, measured in found["filters"].items():
        exact = reference[name]
        p50 = statistics.median(measured["times"])
        p95 = statistics.quantiles(measured["times"], n=20)[-1]
        best = min(measured["times"])
        peer_p50 = statistics.median(exact["times"])
        recall = _recall(measured["results"], exact["results"])
        print(
            f"| {rows:,} | {name} | {exact['share']:.3f} | {p50:.1f} | {p95:.1f} | {best:.1f} "
            f"| {measured['processor']:.1f} "
            f"| {recall:.3f} | {peer_p50:.1f} | {peer_p50 / p50:.1f}× |"
        )
    print(
        f"\n{rows:,} rows: built at {built['rate']:,.0f} rows/s; an append of {BATCH:,} rows "
        f"{built['append_s']:.2f} s (longest, with training if any, {built['longest_s']:.1f} s); "
        f"opened in {found['open_s'] * 1000:.0f} ms; "
        f"resident {found['resident_mib']:,.0f} MiB for the index, "
        f"{found['peak_mib']:,.0f} MiB peak of the process\n"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, nargs="+", default=[400_000])
    parser.add_argument("--dimension", type=int, default=256)
    parser.add_argument("--topics", type=int, default=20_000)
    parser.add_argument("--spread", type=float, default=0.8, help="noise of a row against its topic's length")
    parser.add_argument("--latent", type=int, default=0, help="dimensions in which topics overlap; 0: all")
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument("--kernel", default="numkong")
    parser.add_argument("--folder", type=Path, help="keep the index here")
    parser.add_argument("--step", choices=["build", "search", "peer"], help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.step:
        json.dump(_step(options), sys.stdout)
        return
    print(
        "| rows | filter | share | p50 ms | p95 ms | best ms | processor ms "
        "| recall@10 | NumPy float32 p50 ms | faster |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|")
    for rows in options.rows:
        folder = (options.folder or Path(tempfile.mkdtemp())) / f"vectors-{rows}"
        try:
            _report(rows, folder, options)
        finally:
            if options.folder is None:
                shutil.rmtree(folder.parent)


if __name__ == "__main__":
    main()
