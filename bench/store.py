"""The embedded store at size: `python -m bench.store [--works 20000]` prints a Markdown table.

Synthetic but shaped like law: 100 provisions a work, 20 sections a work, Zipf-distributed words, topics
that cluster, references that favour a few well-known sections. At the default 20,000 works that is
2M provisions, 2.2M references and 400k passages × 256 dimensions.
"""

from __future__ import annotations

import argparse
import resource
import shutil
import zlib
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from pathlib import Path
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from pykala.graph.walk import WalkOptions, walk
from pykala.law.bundles import Bundle
from pykala.law.filters import Filter
from pykala.law.identifiers import ProvisionId, Step, WorkId
from pykala.law.passages import Child, Passage
from pykala.law.provisions import Document, Provision, ProvisionKind, Version, Work, WorkKind
from pykala.law.references import EdgeKind, Method, Reference
from pykala.law.validity import Validity
from pykala.stores.embedded.store import EmbeddedStore

WORK = Path(__file__).parent / ".work"
SECTIONS, SUBSECTIONS, WORDS, TOPICS, DIMENSION = 20, 4, 60, 4000, 256
LANGUAGES = ("en", "fr", "fi", "sv")
AS_OF = date(2026, 1, 1)


class TopicEmbedder:
    """Vectors around the centre of the topic that a text's first word names; deterministic, no model."""

    name, dimension, fingerprint = "topics", DIMENSION, f"topics-{DIMENSION}-{TOPICS}"

    def __init__(self) -> None:
        self._centres = _unit(np.random.default_rng(1).normal(size=(TOPICS, DIMENSION)))

    def encode(self, texts: Sequence[str], role: str) -> NDArray[np.float32]:
        topics = [zlib.crc32(text.split("\n")[-1].split(" ", 1)[0].encode()) % TOPICS for text in texts]
        noise = np.random.default_rng(zlib.crc32(texts[0].encode())).normal(size=(len(texts), DIMENSION))
        return _unit(self._centres[topics] + 0.8 * noise / np.sqrt(DIMENSION))


def _unit(vectors: NDArray[np.float64]) -> NDArray[np.float32]:
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def bundles(works: int) -> Iterator[Bundle]:
    chance = np.random.default_rng(2)
    vocabulary = np.array([f"word{n}" for n in range(60_000)])
    weights = 1.0 / np.arange(1, len(vocabulary) + 1) ** 0.9
    weights /= weights.sum()
    for number in range(works):
        work = WorkId(f"xx:act:{number}")
        language = LANGUAGES[number % 4]
        words = chance.choice(vocabulary, size=(SECTIONS, WORDS), p=weights)
        targets = (chance.zipf(1.3, size=(SECTIONS, 6)) - 1) % (works * SECTIONS)
        yield _bundle(work, language, words, targets, works)


def _bundle(
    work: WorkId, language: str, words: NDArray[np.str_], targets: NDArray[np.int64], works: int
) -> Bundle:
    sections, passages, references = [], [], []
    for index in range(SECTIONS):
        start = date(1990 + (index * 7) % 35, 1, 1)
        validity = Validity(start, date(start.year + 9, 1, 1) if index % 5 == 0 else None)
        identifier = ProvisionId(work, (Step("sec", str(index + 1)),))
        parts = [" ".join(words[index, n::SUBSECTIONS]) for n in range(SUBSECTIONS)]
        children = tuple(
            Provision(
                identifier.child("subsec", str(n + 1)),
                ProvisionKind.SUBSECTION,
                f"({n + 1})",
                (Version(part, validity),),
            )
            for n, part in enumerate(parts)
        )
        sections.append(
            Provision(identifier, ProvisionKind.SECTION, str(index + 1), (Version("", validity),), children)
        )
        text = "\n".join(parts)
        child = Child(0, len(text), identifier, ProvisionKind.SECTION)
        passages.append(
            Passage(identifier, language, validity, 0, f"Act {work} › {index + 1}", text, 0, (child,))
        )
        # 5.5 references a section: 110 a work, 2.2M in 20,000 works.
        for n, target in enumerate(targets[index][: 6 if index % 2 else 5]):
            to = ProvisionId(
                WorkId(f"xx:act:{target // SECTIONS}"), (Step("sec", str(target % SECTIONS + 1)),)
            )
            kind = EdgeKind.EXCEPTS if n == 0 else EdgeKind.CITES
            references.append(
                Reference(
                    children[n % 4].id, kind, "§", language, Method.CITATION, 0, 1, to, validity=validity
                )
            )
    root = Provision(
        ProvisionId(work), ProvisionKind.WORK, "", (Version("", heading=f"Act {work}"),), tuple(sections)
    )
    document = Document(work, language, f"Act {work}", root, ())
    return Bundle(
        Work(work, WorkKind.ACT, 100, titles=((language, f"Act {work}"),)),
        str(work), "1", (document,), tuple(references), (), tuple(passages),
    )  # fmt: skip


def build(folder: Path, works: int) -> float:
    started = perf_counter()
    with EmbeddedStore.open(folder, writable=True, embedder=TopicEmbedder()) as store:
        waiting = bundles(works)
        done = 0
        while done < works:
            with store.batch():
                for _ in range(min(2000, works - done)):
                    store.put(next(waiting))
                    done += 1
    return perf_counter() - started


def percentiles(action: Callable[[int], object], runs: int) -> tuple[float, float]:
    times = []
    for run in range(runs + 5):
        started = perf_counter()
        action(run)
        times.append((perf_counter() - started) * 1000)
    half, high = np.percentile(times[5:], [50, 95])
    return float(half), float(high)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--works", type=int, default=20_000)
    parser.add_argument(
        "--keep", action="store_true", help="use the library of an earlier run if it is there"
    )
    options = parser.parse_args()
    folder = WORK / f"store-{options.works}"
    seconds = 0.0
    if not (options.keep and folder.exists()):
        shutil.rmtree(folder, ignore_errors=True)
        seconds = build(folder, options.works)
    started = perf_counter()
    store = EmbeddedStore.open(folder, embedder=TopicEmbedder())
    opened = (perf_counter() - started) * 1000
    print_table(store, options.works, seconds, opened)


def print_table(store: EmbeddedStore, works: int, seconds: float, opened: float) -> None:
    chance = np.random.default_rng(3)
    queries = [" ".join(f"word{n}" for n in chance.integers(5, 4000, size=5)) for _ in range(205)]
    vectors = TopicEmbedder().encode([f"word{n} x" for n in range(205)], "query")
    seeds = [[(_some_section(chance, works), 1.0) for _ in range(10)] for _ in range(205)]
    filtered, anything = Filter(as_of=AS_OF, languages=frozenset({"en"})), Filter()
    two_hops, both_hops = WalkOptions(hops=2), WalkOptions(hops=2, nodes=60)
    measured = [
        ("text, five terms OR, language + date", 15, lambda n: store.match_text(queries[n], filtered, 10)),
        ("text, five terms OR, no filter", None, lambda n: store.match_text(queries[n], anything, 10)),
        ("vector, language + date", 10, lambda n: store.match_vector(vectors[n], filtered, 10)),
        ("vector, no filter", 50, lambda n: store.match_vector(vectors[n], anything, 10)),
        (
            "walk, two hops from ten seeds",
            5,
            lambda n: walk(seeds[n], store.edges_of, as_of=AS_OF, options=two_hops),
        ),
        (
            # Ten seeds fill the default ten places in one hop; with sixty the second hop is really taken.
            "walk, two hops from ten seeds, sixty places",
            5,
            lambda n: walk(seeds[n], store.edges_of, as_of=AS_OF, options=both_hops),
        ),
    ]
    rows = [("open", f"{opened:.0f} ms", "", "≤ 500 ms")]
    for name, goal, action in measured:
        rows.append((name, *_cells(action), f"≤ {goal} ms" if goal else ""))
    stats = store.stats()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    edges = sum(stats.edges.values())
    print(f"{stats.provisions:,} provisions, {edges:,} edges, {stats.children:,} passages × {DIMENSION}")
    print(
        f"built in {seconds:.0f} s, {stats.bytes / 1e9:.2f} GB on disk, {memory:,.0f} MiB resident at most\n"
    )
    print("| | p50 | p95 | goal (p50) |\n|---|---|---|---|")
    for row in rows:
        print("| " + " | ".join(row) + " |")


def _some_section(chance: np.random.Generator, works: int) -> ProvisionId:
    return ProvisionId.parse(f"xx:act:{chance.integers(works)}/sec_{chance.integers(SECTIONS) + 1}")


def _cells(action: Callable[[int], object]) -> tuple[str, str]:
    half, high = percentiles(action, 200)
    return f"{half:.1f} ms", f"{high:.1f} ms"


if __name__ == "__main__":
    main()
