"""What the benchmarks of a team's and of a cluster's store share: each is measured beside a folder.

An ingest runs in a process of its own, whose models are loaded before its clock starts. Counted are the
clock, the processor of that process and of its workers, and the processor of the servers that it writes to;
the last two are what other work on the machine does not lengthen.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import resource
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median, quantiles

from bench import http_load
from bench.load import uncached
from bench.part_of_source import drawn, items_of, part
from pykala.evaluate.sets import GoldQuestion, pack_set, read_set
from pykala.fetch.mirror import Mirror, open_mirror
from pykala.ingest import ingest
from pykala.law.answers import Answer, Cost
from pykala.library.library import Library
from pykala.library.sample import samples
from pykala.models.bundled.lazy import bundled_embedder
from pykala.models.embedder import encode_passages
from pykala.packs.pack import installed, pack_for
from pykala.stores.opening import open_writer
from pykala.stores.postgres.store import PostgresStore
from pykala.stores.store import WritableStore

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))  # the servers of the tests

PROCESSES = 2  # of a server that many readers ask
_OF_READERS = (
    *("readers", "answers", "answers/s", "ms of processor an answer", "evidence p95 ms", "end p50 ms"),
    *("p95 ms", "worst ms", "errors", "Rss MiB", "Pss MiB", "load"),
)
_LOOK, _AT_REST = 3.0, 0.1  # seconds between two looks, and the processors that servers at rest take
WARMING = 3  # questions that are asked first, and not counted


@dataclass(frozen=True, slots=True)
class Source:
    """What is ingested: a share of the works of a corpus, or the sample of every pack."""

    pack: str = ""
    corpus: Path | None = None
    share: float = 1.0

    @contextmanager
    def opened(self) -> Iterator[Mirror]:
        """The files of the share."""
        assert self.corpus is not None
        with open_mirror(self.corpus) as mirror:
            if self.share >= 1:
                yield mirror
                return
            items = items_of(pack_for(self.pack), mirror, os.cpu_count() or 1)
            yield part(mirror, items, lambda name: drawn(name, self.share))

    def questions(self, count: int) -> list[GoldQuestion]:
        """Questions of the packs' own sets, spread over them."""
        asked: list[GoldQuestion] = []
        for pack in [pack_for(self.pack)] if self.pack else list(installed().values()):
            try:
                asked += read_set(pack_set(pack, sample=self.corpus is None))
            except ValueError:
                continue  # a pack without a set
        return asked[:: max(1, len(asked) // count)][:count]


def source_options(parser: argparse.ArgumentParser, questions: int) -> None:
    """The options that say what is ingested and asked."""
    parser.add_argument("--pack", default="", help="the pack of the corpus; none: the sample of every pack")
    parser.add_argument("--corpus", type=Path, help="its archive or folder")
    parser.add_argument(
        "--share", type=float, default=1.0, help="this share of its works, drawn by their names"
    )
    parser.add_argument("--questions", type=int, default=questions)


def reader_options(parser: argparse.ArgumentParser) -> None:
    """The options that say how many readers ask servers over the stores."""
    parser.add_argument("--readers", type=int, default=0, help="readers at once of two server processes")
    parser.add_argument("--turns", type=int, default=3, help="questions that each of the readers asks")


def source_of(options: argparse.Namespace) -> Source:
    """What the options name."""
    return Source(options.pack, options.corpus, options.share)


@dataclass(frozen=True, slots=True)
class Took:
    """What an ingest took: seconds by the clock and of processors, and memory at its peak."""

    seconds: float
    own: float  # of the processor: the command and its workers
    servers: float  # of the processor: the servers, while it ran
    memory: float  # MiB: the command, or one of its workers

    @property
    def processor(self) -> float:
        return self.own + self.servers


def ingested(
    place: str, source: Source, *, workers: int = 1, scheduler: str = "", servers: Sequence[int] = ()
) -> Took:
    """Ingest into a library, in a process of its own; `servers` are the processes that do its work, too."""
    before = sum(map(processor, servers))
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=spawn) as apart:
        seconds, own, memory = apart.submit(_ingest, place, source, workers, scheduler).result()
    took = Took(seconds, own, sum(map(processor, servers)) - before, memory)
    print(f"{place.partition(':')[0][:20]}: {took}", file=sys.stderr, flush=True)  # for a run that is cut off
    return took


def _ingest(place: str, source: Source, workers: int, scheduler: str) -> tuple[float, float, float]:
    encode_passages(bundled_embedder(), ["law"], ["law"])
    if source.corpus is None:
        seconds, own = _timed(lambda: _ingest_samples(place, scheduler))
    else:
        with source.opened() as mirror:
            pack = pack_for(source.pack)

            def all_of_it() -> None:
                with _writer(place) as store:
                    ingest(store, pack, mirror, workers=workers, scheduler=scheduler)

            seconds, own = _timed(all_of_it)
    peaks = (resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return seconds, own, max(peaks) / 1024


def _ingest_samples(place: str, scheduler: str) -> None:
    with _writer(place) as store:
        for pack, files in samples(installed()):
            with open_mirror(Path(str(files))) as mirror:
                ingest(store, pack, mirror, whole=False, scheduler=scheduler)


@contextmanager
def _writer(place: str) -> Iterator[WritableStore]:
    store = open_writer(place, embedder=bundled_embedder())
    try:
        yield store
    finally:
        store.close()


def _timed(action: Callable[[], None]) -> tuple[float, float]:
    started, worked = time.perf_counter(), sum(os.times()[:4])
    action()
    return time.perf_counter() - started, sum(os.times()[:4]) - worked


def dask_workers(held: ExitStack, scratch: Path) -> tuple[str, list[int]]:
    """The address of a new scheduler with two workers, and all their processes."""
    from dask_servers import DaskServers, missing

    if reason := missing():
        raise SystemExit(reason)
    (scratch / "dask").mkdir()
    servers = held.enter_context(DaskServers.started(scratch / "dask", workers=2))
    return servers.address, servers.processes


def processor(process: int) -> float:
    """Seconds of the processor that a process has taken, with those that it started."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        started = children(process)
    except (FileNotFoundError, ProcessLookupError):  # it has ended: the one that started it counts it now
        return 0.0
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK") + sum(map(processor, started))


def children(process: int) -> list[int]:
    """The processes that a process has started and that run."""
    return [int(one) for one in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def memory(process: int) -> float:
    """MiB that a process and those that it started hold together; what they share counts once."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
        started = children(process)
    except (FileNotFoundError, ProcessLookupError):  # it has ended, as connections of PostgreSQL do
        return 0.0
    own = next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0) / 1024
    return own + sum(map(memory, started))


def disk(folder: Path) -> float:
    """MB that the files of a folder take."""
    return sum(os.lstat(one).st_blocks * 512 for one in folder.rglob("*") if one.is_file()) / 1e6


def tell_ingest(took: Mapping[str, Sequence[Took]]) -> None:
    """Print each way's runs, and the ratio of their medians to the first way's."""
    first = next(iter(took.values()))
    heads = ("seconds", "ratio", "of processor: command", "servers", "together", "ratio", "peak MiB")
    print(f"| ingest | {' | '.join(heads)} |\n{'|---' * (len(heads) + 1)}|")
    for name, runs in took.items():
        seconds, own, servers, together = (
            [getattr(one, part) for one in runs] for part in ("seconds", "own", "servers", "processor")
        )
        ratios = (
            median(mine) / median(getattr(one, part) for one in first)
            for mine, part in ((seconds, "seconds"), (together, "processor"))
        )
        by_clock, of_processor = ratios
        peak = max(one.memory for one in runs)
        print(
            f"| {name} | {_listed(seconds)} | {by_clock:.2f} | {_listed(own)} | {_listed(servers)} |"
            f" {_listed(together)} | {of_processor:.2f} | {peak:,.0f} |"
        )
    print(f"\nload average {os.getloadavg()[0]:.1f}\n", flush=True)


def _listed(values: Sequence[float]) -> str:
    return ", ".join(f"{one:.1f}" for one in values)


@dataclass(slots=True)
class Asked:
    """What the questions took in one store."""

    milliseconds: list[float] = field(default_factory=list)
    worked: list[float] = field(default_factory=list)  # of the processor: this process and the servers
    trips: list[int] = field(default_factory=list)
    calls: list[int] = field(default_factory=list)
    same: int = 0


def ask_both(
    libraries: Mapping[str, Library],
    asked: Sequence[GoldQuestion],
    *,
    rounds: int = 1,
    servers: Sequence[int] = (),
) -> dict[str, Asked]:
    """Ask every question of every store, in one order and then in the other; nothing comes from a cache."""
    from same_contents import differing

    seen = {name: Asked() for name in libraries}
    ways = {name: uncached(library) for name, library in libraries.items()}
    for turn, one in enumerate([*asked[:WARMING], *[one for _ in range(rounds) for one in asked]]):
        answers = {}
        for name in list(ways)[:: -1 if turn % 2 else 1]:
            answers[name] = _ask_counted(ways[name], one, seen[name], servers)
        wanted = next(iter(answers[name] for name in ways))
        for name, answer in answers.items():
            seen[name].same += turn >= WARMING and not any(differing(told(wanted), told(answer)))
    return seen


def settled(servers: Sequence[int], most: float = 120.0) -> float:
    """Wait until servers have done what an ingest left them to do (indexes, merges); return the seconds."""
    began = time.perf_counter()
    at_rest = False
    while not at_rest and time.perf_counter() - began < most:
        before = sum(map(processor, servers))
        time.sleep(_LOOK)
        at_rest = sum(map(processor, servers)) - before < _AT_REST * _LOOK
    return time.perf_counter() - began


def _ask_counted(library: Library, one: GoldQuestion, seen: Asked, servers: Sequence[int]) -> Answer:
    trips, calls = _counters(library)
    worked = time.process_time() + sum(map(processor, servers))
    started = time.perf_counter()
    answer = ask(library, one)
    seen.milliseconds.append(1000 * (time.perf_counter() - started))
    seen.worked.append(1000 * (time.process_time() + sum(map(processor, servers)) - worked))
    after = _counters(library)
    seen.trips.append(after[0] - trips)
    seen.calls.append(after[1] - calls)
    return answer


def _counters(library: Library) -> tuple[int, int]:
    """Round trips to PostgreSQL and calls to Qdrant so far."""
    store = library.store
    if not isinstance(store, PostgresStore):
        return 0, 0
    nodes = getattr(store.records, "nodes", None)
    return store.records.round_trips, nodes.calls if nodes else 0


def tell_asked(seen: Mapping[str, Asked]) -> None:
    """Print the times of each store, their ratios to the first one's, and what travelled."""
    first = next(iter(seen.values()))
    count = len(first.milliseconds) - WARMING
    heads = ("p50 ms", "p95 ms", "ratio", "ms of processor, mean", "ratio", "round trips p50, most")
    print(f"| ask, {count} questions | {' | '.join([*heads, 'calls to Qdrant', 'same answers'])} |")
    print("|---" * (len(heads) + 3) + "|")
    base_half, base_late, base_worked = _figures(first)
    for name, one in seen.items():
        half, late, worked = _figures(one)
        trips, calls = one.trips[WARMING:], one.calls[WARMING:]
        cells = [
            f"{half:.0f}", f"{late:.0f}", f"{half / base_half:.2f}, {late / base_late:.2f}", f"{worked:.0f}",
            f"{worked / base_worked:.2f}", f"{median(trips):.0f}, {max(trips)}",
            f"{median(calls):.0f}, {max(calls)}", f"{one.same} of {count}",
        ]  # fmt: skip
        print(f"| {name} | {' | '.join(cells)} |")
    print(f"\nload average {os.getloadavg()[0]:.1f}\n", flush=True)


def tell_readers(libraries: Mapping[str, str], options: argparse.Namespace) -> None:
    """Readers of two server processes over each store; once more the other way round."""
    chosen = argparse.Namespace(readers=options.readers, rounds=options.turns, cores=None)
    failed = 0
    print(f"| {PROCESSES} server processes over | {' | '.join(_OF_READERS)} |")
    print("|---" * (len(_OF_READERS) + 1) + "|")
    for name in [*libraries, *list(libraries)[::-1]]:
        chosen.library = libraries[name]
        row, errors = http_load.measured(chosen, PROCESSES)
        print(f"| {name} {row.removeprefix(f'| {PROCESSES} ')}", flush=True)
        failed += errors.total()
    if failed:
        raise SystemExit(f"{failed} readers got an error")


def _figures(one: Asked) -> tuple[float, float, float]:
    times, worked = one.milliseconds[WARMING:], one.worked[WARMING:]
    return median(times), quantiles(times, n=20)[-1], sum(worked) / len(worked)


def ask(library: Library, one: GoldQuestion) -> Answer:
    """Ask a question of a set, as its set says."""
    return library.ask(one.question, as_of=one.as_of, language=one.language, jurisdiction=one.jurisdiction)


def told(answer: Answer) -> Answer:
    """An answer without what differs from one asking to the next: its name, times and costs."""
    stages = tuple(replace(stage, milliseconds=0.0) for stage in answer.trace)
    return replace(answer, id="", trace=stages, cost=Cost(), parts=tuple(map(told, answer.parts)))
