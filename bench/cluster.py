"""A cluster's store beside a folder: the same ingest and the same questions, in one run.

    python -m bench.cluster                                              # the sample
    python -m bench.cluster --pack nyc --corpus ../shared/corpora/nyc.tar.zst --questions 60
    python -m bench.cluster --pack nyc --corpus … --only ingest          # own pool beside Dask workers

PostgreSQL, three nodes of Qdrant (two replicas), a Dask scheduler and two workers are started on loopback, as
in the tests. Every question is asked of both stores, one after the other, so that whatever else the machine
does meets both alike. Printed: times, their ratio, whether the answers are the same, calls, memory and disk.
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from statistics import median, quantiles

from bench.team import _ask, _questions, _told
from pykala.evaluate.sets import GoldQuestion
from pykala.fetch.mirror import open_mirror
from pykala.ingest import ingest
from pykala.library.library import Library
from pykala.library.sample import samples
from pykala.models.bundled.lazy import bundled_embedder
from pykala.packs.pack import installed, pack_for
from pykala.stores.cluster.store import ClusterStore
from pykala.stores.embedded.store import EmbeddedStore
from pykala.stores.store import WritableStore

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))


def main() -> None:
    options = _options()
    with ExitStack() as held:
        scratch = Path(held.enter_context(tempfile.TemporaryDirectory(prefix="pykala-cluster-")))
        folder, embedder = scratch / "folder", bundled_embedder()

        def in_folder(name: str) -> Callable[[], WritableStore]:
            return lambda: EmbeddedStore.open(scratch / name, writable=True, embedder=embedder)

        took = {"folder, own pool of two": _ingested(in_folder("folder"), options, workers=2)}
        if options.only != "ask":
            address = _dask(held, scratch)
            took["folder, two Dask workers"] = _ingested(in_folder("by-dask"), options, scheduler=address)
        if options.only != "ingest":
            file = _cluster(held, scratch)
            written = _ingested(lambda: _writer(file), options, workers=2)
            took["cluster, own pool of two"] = written
        _tell_ingest(took)
        if options.only != "ingest":
            with Library.open(folder) as first, Library.open(f"cluster:{file}") as second:
                _ask_both(first, second, _questions(options))
            _tell_size(scratch)


def _writer(file: Path) -> WritableStore:
    return ClusterStore.open_file(file, writable=True, embedder=bundled_embedder())


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pack", default="", help="the pack of the corpus; none: the sample of every pack")
    parser.add_argument("--corpus", type=Path, help="its archive or folder")
    parser.add_argument("--questions", type=int, default=60)
    parser.add_argument("--nodes", type=int, default=3, help="nodes of Qdrant")
    parser.add_argument("--only", choices=["ask", "ingest"], default="")
    return parser.parse_args()


def _cluster(held: ExitStack, scratch: Path) -> Path:
    import install_qdrant
    from cluster_file import write_cluster_file
    from postgres_server import PostgresServer, missing
    from qdrant_server import QdrantServer

    if reason := missing() or install_qdrant.missing():
        raise SystemExit(reason)
    postgres = held.enter_context(PostgresServer.started(scratch / "postgres", durable=True))
    nodes = held.enter_context(QdrantServer.started(scratch / "qdrant", nodes=3))
    records = postgres.new_database()
    return write_cluster_file(scratch / "cluster", records, nodes.addresses, shards=3, replicas=2)


def _dask(held: ExitStack, scratch: Path) -> str:
    from dask_servers import DaskServers, missing

    if reason := missing():
        raise SystemExit(reason)
    (scratch / "dask").mkdir()
    return held.enter_context(DaskServers.started(scratch / "dask", workers=2)).address


def _ingested(
    opener: Callable[[], WritableStore], options: argparse.Namespace, workers: int = 1, scheduler: str = ""
) -> tuple[float, float]:
    """Seconds by the clock and of this process."""
    clock, processor = time.perf_counter(), time.process_time()
    store = opener()
    try:
        if options.corpus:
            with open_mirror(options.corpus) as mirror:
                ingest(store, pack_for(options.pack), mirror, workers=workers, scheduler=scheduler)
        else:
            for pack, files in samples(installed()):
                with open_mirror(Path(str(files))) as mirror:
                    ingest(store, pack, mirror, whole=False, scheduler=scheduler)
    finally:
        store.close()
    took = time.perf_counter() - clock, time.process_time() - processor
    print(f"ingested in {took[0]:.1f} s", file=sys.stderr, flush=True)  # a run that is cut off has told this
    return took


def _tell_ingest(took: Mapping[str, tuple[float, float]]) -> None:
    first = next(iter(took.values()))[0]
    print("| ingest | seconds | of this process | ratio |\n|---|---|---|---|")
    for name, (clock, processor) in took.items():
        print(f"| {name} | {clock:.1f} | {processor:.1f} | {clock / first:.2f} |")
    print()


def _ask_both(folder: Library, cluster: Library, asked: list[GoldQuestion]) -> None:
    from same_contents import differing

    store = cluster.store
    assert isinstance(store, ClusterStore)
    times: dict[str, list[float]] = {"folder": [], "cluster": []}
    statements, calls, same = [], [], 0
    for one in (*asked[:3], *asked):  # the first ones warm both up, and are not counted
        before = store.records.round_trips, store.records.nodes.calls
        answers = []
        for name, library in (("folder", folder), ("cluster", cluster)):
            started = time.perf_counter()
            answers.append(_ask(library, one))
            times[name].append(1000 * (time.perf_counter() - started))
        statements.append(store.records.round_trips - before[0])
        calls.append(store.records.nodes.calls - before[1])
        same += not any(differing(*map(_told, answers)))
    print(f"| ask, {len(asked)} questions | p50 ms | p95 ms |\n|---|---|---|")
    rows = {name: (median(found[3:]), quantiles(found[3:], n=20)[-1]) for name, found in times.items()}
    for name, (middle, late) in rows.items():
        print(f"| {name} | {middle:.1f} | {late:.1f} |")
    ratios = [rows["cluster"][at] / rows["folder"][at] for at in (0, 1)]
    print(f"| ratio | {ratios[0]:.2f} | {ratios[1]:.2f} |")
    print(
        f"\nStatements to PostgreSQL a question: {median(statements[3:]):.0f} at the median;"
        f" calls to Qdrant: {median(calls[3:]):.0f} at the median, {max(calls[3:])} at most."
    )
    print(f"Same answers, scores within a thousandth: {same - len(asked[:3])} of {len(asked)}.")


def _tell_size(scratch: Path) -> None:
    print("\n| disk | MB |\n|---|---|")
    for name in ("folder", "postgres", "qdrant"):
        files = (scratch / name).rglob("*")
        print(
            f"| {name} | {sum(os.lstat(one).st_blocks * 512 for one in files if one.is_file()) / 1e6:,.0f} |"
        )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"\nPeak memory of this process, both stores open: {peak:,.0f} MiB;", end=" ")
    print(f"of the nodes of Qdrant together: {_memory('qdrant'):,.0f} MiB.")


def _memory(program: str) -> float:
    """Resident memory of all processes of a program that we started, in MiB."""
    total = 0.0
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            lines = dict(line.split(":", 1) for line in status.read_text().splitlines() if ":" in line)
        except OSError:  # it has ended meanwhile
            continue
        if lines["Name"].strip() == program and "VmRSS" in lines:
            total += int(lines["VmRSS"].split()[0]) / 1024
    return total


if __name__ == "__main__":
    main()
