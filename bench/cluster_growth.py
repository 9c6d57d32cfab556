"""A cluster's library as it grows, of law made by rule, beside a folder that grows with it.

    python -m bench.cluster_growth --passages 10000 100000 1000000 10000000 --minutes 600

PostgreSQL and nodes of Qdrant are started on loopback, as in the tests. Acts are stored in both libraries
until each size is reached; then both are asked. A row is printed as soon as it is measured, and no size is
begun when the minutes are over. Seconds of processor are of this process, of PostgreSQL and of Qdrant; other
work on the machine does not lengthen them. Where Qdrant runs in an emulator, its disk is its own, and its
times and memory are the emulator's, too.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from statistics import median, quantiles

from bench.beside_folder import disk, memory, processor
from bench.load import uncached
from bench.scale import AS_OF
from bench.synthetic_law import SyntheticLaw
from pykala.law.bundles import Bundle
from pykala.library.library import Library
from pykala.models.bundled.lazy import bundled_embedder
from pykala.stores.opening import open_writer
from pykala.stores.postgres.store import PostgresStore

AN_ACT = 40  # passages of an act made by rule; there are some more
AT_ONCE = 100  # acts published together
HEADS = (
    *("passages", "store", "seconds of processor, more: this process", "PostgreSQL", "Qdrant"),
    *("MB: PostgreSQL or folder", "Qdrant", "MiB: PostgreSQL", "Qdrant", "ask p50 / p95 ms"),
    *("round trips p50, most", "load"),
)


@dataclass(slots=True)
class Servers:
    """The servers of the cluster, and where they keep their files."""

    postgres: int
    qdrant: list[int]
    records: Path
    points: Path

    def worked(self) -> tuple[float, float, float]:
        """Seconds of processor so far: of this process, of PostgreSQL, of Qdrant."""
        return time.process_time(), processor(self.postgres), sum(map(processor, self.qdrant))


def main() -> None:
    options = _options()
    law = SyntheticLaw(max(options.passages) // AN_ACT + 1)
    began = time.perf_counter()
    with ExitStack() as held:
        scratch = Path(held.enter_context(tempfile.TemporaryDirectory(prefix="pykala-growth-")))
        servers, cluster = _cluster(held, scratch, options)
        folder = str(scratch / "folder")
        print(f"| {' | '.join(HEADS)} |\n{'|---' * len(HEADS)}|", flush=True)
        made = {place: law.bundles() for place in (folder, cluster)}
        for size in sorted(options.passages):
            if time.perf_counter() - began > options.minutes * 60:
                print(f"\n{size:,} passages were not begun: the minutes are over")
                break
            for place, bundles in made.items():
                _grow_and_tell(place, bundles, size, servers, law, options)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--passages", type=int, nargs="+", default=[10_000, 100_000, 1_000_000, 10_000_000])
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--nodes", type=int, default=3, help="nodes of Qdrant")
    parser.add_argument("--replicas", type=int, default=2)
    parser.add_argument("--questions", type=int, default=50)
    return parser.parse_args()


def _cluster(held: ExitStack, scratch: Path, options: argparse.Namespace) -> tuple[Servers, str]:
    import install_qdrant
    from cluster_file import write_cluster_file
    from postgres_server import PostgresServer, missing
    from qdrant_server import QdrantServer

    if reason := missing() or install_qdrant.missing():
        raise SystemExit(reason)
    postgres = held.enter_context(PostgresServer.started(scratch / "postgres", durable=True))
    nodes = held.enter_context(QdrantServer.started(scratch / "qdrant", nodes=options.nodes))
    how = {"shards": options.nodes, "replicas": options.replicas, "length_drift": 0.001}
    file = write_cluster_file(scratch / "cluster", postgres.new_database(), nodes.addresses, **how)
    servers = Servers(postgres.process, nodes.processes, scratch / "postgres", scratch / "qdrant")
    return servers, f"cluster:{file}"


def _grow_and_tell(
    place: str,
    bundles: Iterator[Bundle],
    size: int,
    servers: Servers,
    law: SyntheticLaw,
    options: argparse.Namespace,
) -> None:
    before = servers.worked()
    _grow(place, bundles, size)
    worked = [after - then for after, then in zip(servers.worked(), before, strict=True)]
    with uncached(Library.open(place)) as library:
        passages = library.stats().children
        times, trips = _asked(library, law.questions(options.questions))
    served = isinstance(library.store, PostgresStore)
    sizes = [disk(servers.records), disk(servers.points)] if served else [disk(Path(place)), 0.0]
    held = [memory(servers.postgres), sum(map(memory, servers.qdrant))] if served else [0.0, 0.0]
    cells = [
        f"{passages:,}",
        "cluster" if served else "folder",
        *(f"{one:,.0f}" for one in (*worked, *sizes, *held)),
        f"{median(times):,.0f} / {quantiles(times, n=20)[-1]:,.0f}",
        f"{median(trips):.0f}, {max(trips)}",
        f"{os.getloadavg()[0]:.1f}",
    ]
    print(f"| {' | '.join(cells)} |", flush=True)


def _grow(place: str, bundles: Iterator[Bundle], size: int) -> None:
    """Store acts until the library has so many passages."""
    with open_writer(place, embedder=bundled_embedder()) as store:
        held = store.stats().children
        while held < size and (some := list(islice(bundles, AT_ONCE))):
            with store.batch():
                for bundle in some:
                    store.put(bundle)
            held += sum(len(passage.children) for one in some for passage in one.passages)


def _asked(library: Library, questions: list[str]) -> tuple[list[float], list[int]]:
    """Milliseconds by the clock and round trips to PostgreSQL of every question."""
    store = library.store
    trips: Callable[[], int] = (
        (lambda: store.records.round_trips) if isinstance(store, PostgresStore) else lambda: 0
    )
    times, travelled = [], []
    for question in questions:
        started, before = time.perf_counter(), trips()
        library.ask(question, as_of=AS_OF, language="en")
        times.append(1000 * (time.perf_counter() - started))
        travelled.append(trips() - before)
    return times, travelled


if __name__ == "__main__":
    main()
