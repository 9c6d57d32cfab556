"""What a library costs as it grows: `python -m bench.scale PART …` prints Markdown tables and a fit.

    python -m bench.scale real --source ca=canada.tar.zst --source fi=finland-consolidated.tar.zst … \\
        [--shares 0.01 0.1 1] [--grouped fi=LIBRARY] [--keep FOLDER] [--out runs.jsonl]
    python -m bench.scale synthetic [--provisions 20000 200000 2000000] [--vectors]
    python -m bench.scale query LIBRARY …
    python -m bench.scale fit runs.jsonl

`real` makes one library of a share of every source's works; the same works are in every larger share.
Finding which files are of one work means reading all of Finland first: `--grouped` takes it from a library
that holds it already. `query` asks libraries that are there; `fit` takes what runs left with `--out`.

Each size is measured in a process of its own; memory is the most it, or one of its workers, has held. Times
are of the clock and of processors, and the fit (cost = a · size^b, by least squares of the logarithms) is of
processor time. No answer is taken from the cache.
"""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import os
import resource
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from datetime import date
from functools import partial
from multiprocessing.queues import SimpleQueue
from pathlib import Path
from time import perf_counter, process_time

import numpy as np

from bench.load import questions_of, uncached
from bench.part_of_source import drawn, items_of, part
from bench.synthetic_law import AN_ACT, SyntheticLaw
from pykala.fetch.joined import open_mirrors
from pykala.graph.walk import walk
from pykala.library import Library
from pykala.models import bundled
from pykala.models.embedder import Embedder
from pykala.packs.pack import pack_for

AS_OF = date(2026, 6, 1)
ASKED, WARMING = 200, 5
_AT_ONCE = 400  # acts published together
Sources = Mapping[str, Sequence[Path]]


@dataclass(frozen=True, slots=True)
class Latency:
    """Milliseconds: half of the calls take no more processor time, half and 95 % no more by the clock."""

    processor: float
    half: float
    high: float


@dataclass(frozen=True, slots=True)
class Cost:
    """What making a library of one size took, and what it holds and costs to ask."""

    name: str
    provisions: int
    versions: int
    passages: int
    edges: int
    seconds: float  # 0 where the library was there already
    processor: float
    memory: float  # MiB
    megabytes: float
    latencies: Mapping[str, Latency]
    load: float


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("part", choices=("real", "synthetic", "query", "fit"))
    parser.add_argument("library", type=Path, nargs="*")
    parser.add_argument("--source", action="append", default=[], metavar="PACK=FOLDER_OR_ARCHIVE")
    parser.add_argument("--grouped", action="append", default=[], metavar="PACK=LIBRARY")
    parser.add_argument("--shares", type=float, nargs="+", default=[0.01, 0.1, 1.0])
    parser.add_argument("--provisions", type=int, nargs="+", default=[20_000, 200_000, 2_000_000])
    parser.add_argument("--vectors", action="store_true", help="with the bundled embedder")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="leave the largest `real` library there")
    parser.add_argument("--out", type=Path, help="append what was measured, one JSON object a line")
    options = parser.parse_args()
    measured = read_runs(options.library) if options.part == "fit" else []
    for measure, arguments in _sizes(options):
        measured.append(_apart(measure, arguments))
        if options.out:
            with options.out.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(measured[-1])) + "\n")
    print(table(measured))
    if len(measured) > 1 and options.part != "query":
        print(f"\n{fits(measured)}")


def read_runs(paths: Sequence[Path]) -> list[Cost]:
    """What earlier runs measured, by size."""
    records = [json.loads(line) for path in paths for line in path.read_text(encoding="utf-8").splitlines()]
    costs = [
        Cost(**{**one, "latencies": {verb: Latency(**took) for verb, took in one["latencies"].items()}})
        for one in records
    ]
    return sorted(costs, key=lambda one: one.provisions)


def _sizes(options: argparse.Namespace) -> list[tuple[Callable[..., Cost], tuple[object, ...]]]:
    if options.part == "fit":
        return []
    if options.part == "query":
        return [(measure_queries, (folder,)) for folder in options.library]
    if options.part == "synthetic":
        return [(measure_synthetic, (size, options.vectors)) for size in options.provisions]
    sources: dict[str, list[Path]] = {}
    for given in options.source:
        code, _, path = given.partition("=")
        sources.setdefault(code, []).append(Path(path))
    grouped = {code: Path(path) for code, _, path in (one.partition("=") for one in options.grouped)}
    kept = {max(options.shares): options.keep}
    return [
        (measure_share, (share, sources, grouped, options.workers, kept.get(share)))
        for share in options.shares
    ]


def _apart(measure: Callable[..., Cost], arguments: tuple[object, ...]) -> Cost:
    """In a process of its own, so that one size's memory is not another's."""
    context = multiprocessing.get_context("spawn")
    answers: SimpleQueue[Cost] = context.SimpleQueue()
    process = context.Process(target=_answer, args=(answers, measure, arguments))
    process.start()
    process.join()
    if process.exitcode:
        raise SystemExit(f"the measurement of {arguments[0]} ended with {process.exitcode}")
    return answers.get()


def _answer(answers: SimpleQueue[Cost], measure: Callable[..., Cost], arguments: tuple[object, ...]) -> None:
    answers.put(measure(*arguments))


def measure_share(
    share: float, sources: Sources, grouped: Mapping[str, Path], workers: int, keep: Path | None = None
) -> Cost:
    """One library of a share of every source, made in `keep` where it is to stay."""
    with tempfile.TemporaryDirectory(prefix="scale-") as work:
        folder, seconds, processor = keep or Path(work), 0.0, 0.0
        for code, paths in sources.items():
            with ExitStack() as opened:
                mirror = opened.enter_context(open_mirrors(paths))
                if share < 1:
                    items = _items(code, grouped) or items_of(pack_for(code), mirror, workers)
                    mirror = part(mirror, items, lambda name: drawn(name, share))
                library = opened.enter_context(Library.open(folder, writable=True, create=True))
                started, worked = perf_counter(), _processor()
                library.ingest(code, mirror, workers=workers)
                seconds += perf_counter() - started
                processor += _processor() - worked
        return _cost(f"{share:.3g} of the works", folder, seconds, processor)


def _items(code: str, grouped: Mapping[str, Path]) -> Mapping[str, tuple[str, ...]]:
    if code not in grouped:
        return {}
    with Library.open(grouped[code]) as library:
        return library.store.sources()


def measure_synthetic(provisions: int, vectors: bool, asked: int = ASKED) -> Cost:
    """One library of law made by rule."""
    law = SyntheticLaw(max(1, provisions // AN_ACT))
    with tempfile.TemporaryDirectory(prefix="scale-") as work:
        folder = Path(work)
        embedder = bundled() if vectors else None
        started, worked = perf_counter(), _processor()
        made = law.bundles()
        with Library.open(folder, writable=True, create=True, embedder=embedder) as library:
            while waiting := [one for _, one in zip(range(_AT_ONCE), made, strict=False)]:
                with library.store.batch():
                    for bundle in waiting:
                        library.store.put(bundle)
        seconds, processor = perf_counter() - started, _processor() - worked
        latencies = partial(_synthetic_latencies, law=law, asked=asked)
        return _cost(f"synthetic, {law.acts:,} acts", folder, seconds, processor, latencies, embedder)


def measure_queries(folder: Path) -> Cost:
    """A library that is there already."""
    return _cost(folder.name, folder, 0.0, 0.0)


def _cost(
    name: str,
    folder: Path,
    seconds: float,
    processor: float,
    latencies_of: Callable[[Library], dict[str, Latency]] | None = None,
    embedder: Embedder | None = None,
) -> Cost:
    Library.open(folder, embedder=embedder).close()  # what is loaded once a process is not the library's cost
    started, worked = perf_counter(), process_time()
    with uncached(Library.open(folder, embedder=embedder)) as library:
        opened = (perf_counter() - started) * 1000
        latencies = {"open": Latency((process_time() - worked) * 1000, opened, opened)}
        latencies |= (latencies_of or _latencies)(library)
        stats = library.stats()
    return Cost(
        name=name,
        provisions=stats.provisions,
        versions=stats.versions,
        passages=stats.children,
        edges=sum(stats.edges.values()),
        seconds=seconds,
        processor=processor,
        memory=_memory(),
        megabytes=stats.bytes / 1e6,
        latencies=latencies,
        load=os.getloadavg()[0],
    )


def _latencies(library: Library) -> dict[str, Latency]:
    asked = questions_of(library)
    places = [
        place
        for question, language, _ in asked
        for place in [library.search(question, as_of=AS_OF, languages=[language or "en"], limit=1)]
        if place
    ]
    sections = [one[0].match.section for one in places]

    def day(number: int) -> date:
        return date.fromisoformat(asked[number % len(asked)][2])

    return {
        "search": _times(lambda n: library.search(asked[n % len(asked)][0], as_of=AS_OF)),
        "ask": _times(
            lambda n: library.ask(asked[n % len(asked)][0], as_of=day(n), language=asked[n % len(asked)][1])
        ),
        "provision": _times(lambda n: library.store.provision(sections[n % len(sections)])),
        "walk": _times(
            lambda n: walk([(sections[n % len(sections)], 1.0)], library.store.edges_of, as_of=AS_OF)
        ),
    }


def _synthetic_latencies(library: Library, law: SyntheticLaw, asked: int) -> dict[str, Latency]:
    texts, sections = law.questions(asked + WARMING), law.sections(asked + WARMING)
    actions: dict[str, Callable[[int], object]] = {
        "search": lambda n: library.search(texts[n], as_of=AS_OF, languages=["en"]),
        "ask": lambda n: library.ask(texts[n], as_of=AS_OF, language="en"),
        "provision": lambda n: library.store.provision(sections[n]),
        "walk": lambda n: walk([(sections[n], 1.0)], library.store.edges_of, as_of=AS_OF),
    }
    return {verb: _times(action, asked) for verb, action in actions.items()}


def _times(action: Callable[[int], object], asked: int = ASKED) -> Latency:
    times, worked = [], []
    for number in range(asked + WARMING):
        started, begun = perf_counter(), process_time()
        action(number)
        times.append((perf_counter() - started) * 1000)
        worked.append((process_time() - begun) * 1000)
    half, high = np.percentile(times[WARMING:], [50, 95])
    return Latency(float(np.median(worked[WARMING:])), float(half), float(high))


def _processor() -> float:
    """Seconds of processor that this process and its workers that have ended took."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def _memory() -> float:
    """The most that this process or one worker has held, in MiB."""
    return (
        max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
        / 1024
    )


def table(costs: Sequence[Cost]) -> str:
    """All sizes, one a row."""
    verbs = list(costs[0].latencies)
    heads = ["", "provisions", "versions", "passages", "edges", "seconds", "of processor", "peak MiB", "MB"]
    heads += [f"{verb}: processor p50, clock p50 / p95 ms" for verb in verbs] + ["load"]
    lines = ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
    for one in costs:
        times = [
            f"{took.processor:,.1f}, {took.half:,.1f} / {took.high:,.1f}"
            for took in (one.latencies[verb] for verb in verbs)
        ]
        made = [f"{one.seconds:,.0f}", f"{one.processor:,.0f}"] if one.processor else ["–", "–"]
        counts = [f"{n:,}" for n in (one.provisions, one.versions, one.passages, one.edges)]
        cells = [one.name, *counts, *made, f"{one.memory:,.0f}", f"{one.megabytes:,.0f}", *times]
        lines.append("| " + " | ".join([*cells, f"{one.load:.1f}"]) + " |")
    return "\n".join(lines)


def exponent(sizes: Sequence[float], costs: Sequence[float]) -> tuple[float, float]:
    """b and a of cost = a · size^b, by least squares of the logarithms."""
    b, a = np.polyfit(np.log(sizes), np.log(costs), 1)
    return float(b), math.exp(a)


def fits(costs: Sequence[Cost]) -> str:
    """How each cost grows with the provisions, and what that makes at ten times the largest size."""
    sizes = [float(one.provisions) for one in costs]
    larger = 10 * sizes[-1]
    columns: dict[str, list[float]] = {
        "processor seconds": [one.processor for one in costs],
        "MB on disk": [one.megabytes for one in costs],
        "peak MiB": [one.memory for one in costs],
    }
    for verb in costs[0].latencies:
        columns[f"{verb} p50, ms of processor"] = [one.latencies[verb].processor for one in costs]
    lines = [f"| cost | grows as size to the power | at {larger:,.0f} provisions |", "|---|---|---|"]
    for name, values in columns.items():
        b, a = exponent(sizes, values)
        lines.append(f"| {name} | {b:.2f} | {a * larger**b:,.0f} |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
