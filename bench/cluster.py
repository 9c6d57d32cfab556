"""A cluster's store beside a folder: the same ingest and the same questions, in one run.

    python -m bench.cluster                                              # the sample
    python -m bench.cluster --pack nyc --corpus ../shared/corpora/nyc.tar.zst --questions 60
    python -m bench.cluster --pack ca --corpus … --share 0.02 --only ingest     # own pool beside Dask workers
    python -m bench.cluster --readers 64                        # also, two server processes of each store

PostgreSQL, three nodes of Qdrant (two replicas), a Dask scheduler and two workers are started on loopback, as
in the tests. Every question is asked of both stores, one after the other, so that whatever else the machine
does meets both alike. Printed: times, processor, ratios, whether the answers are the same, round trips and
calls, memory and disk.
"""

from __future__ import annotations

import argparse
import tempfile
from contextlib import ExitStack
from pathlib import Path

from bench.beside_folder import (
    ask_both,
    dask_workers,
    disk,
    ingested,
    memory,
    reader_options,
    settled,
    source_of,
    source_options,
    tell_asked,
    tell_ingest,
    tell_readers,
)
from pykala.library.library import Library


def main() -> None:
    options = _options()
    _require_servers(options.only)
    with ExitStack() as held:
        scratch = Path(held.enter_context(tempfile.TemporaryDirectory(prefix="pykala-cluster-")))
        folder, source = str(scratch / "folder"), source_of(options)
        took = {"folder, own pool of two": [ingested(folder, source, workers=2)]}
        if options.only != "ask":
            address, workers = dask_workers(held, scratch)
            by_dask = ingested(str(scratch / "by-dask"), source, scheduler=address, servers=workers)
            took["folder, two Dask workers"] = [by_dask]
        if options.only == "ingest":
            tell_ingest(took)
            return
        cluster, servers = _cluster(held, scratch)
        everyone = [one for some in servers.values() for one in some]
        took["cluster, own pool of two"] = [ingested(cluster, source, workers=2, servers=everyone)]
        tell_ingest(took)
        print(f"asked after {settled(everyone):.0f} s, in which the servers came to rest\n")
        with Library.open(folder) as first, Library.open(cluster) as second:
            libraries = {"folder": first, "cluster": second}
            tell_asked(ask_both(libraries, source.questions(options.questions), servers=everyone))
        _tell_size(scratch, servers)
        if options.readers:
            tell_readers({"folder": folder, "cluster": cluster}, options)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    source_options(parser, questions=60)
    reader_options(parser)
    parser.add_argument("--only", choices=["ask", "ingest"], default="")
    return parser.parse_args()


def _require_servers(only: str) -> None:
    """End before anything is ingested where a server of the run is not installed."""
    import dask_servers
    import install_qdrant
    import postgres_server

    wanted = [] if only == "ask" else [dask_servers.missing()]
    wanted += [] if only == "ingest" else [postgres_server.missing(), install_qdrant.missing()]
    if reason := next(filter(None, wanted), ""):
        raise SystemExit(reason)


def _cluster(held: ExitStack, scratch: Path) -> tuple[str, dict[str, list[int]]]:
    """The library's address, and the processes of each kind of server."""
    from cluster_file import write_cluster_file
    from postgres_server import PostgresServer
    from qdrant_server import QdrantServer

    postgres = held.enter_context(PostgresServer.started(scratch / "postgres", durable=True))
    nodes = held.enter_context(QdrantServer.started(scratch / "qdrant", nodes=3))
    records = postgres.new_database()
    file = write_cluster_file(scratch / "cluster", records, nodes.addresses, shards=3, replicas=2)
    return f"cluster:{file}", {"postgres": [postgres.process], "qdrant": nodes.processes}


def _tell_size(scratch: Path, servers: dict[str, list[int]]) -> None:
    print("| | MB of disk | MiB of memory |\n|---|---|---|")
    print(f"| folder | {disk(scratch / 'folder'):,.0f} | |")
    for name, processes in servers.items():
        print(f"| {name} | {disk(scratch / name):,.0f} | {sum(map(memory, processes)):,.0f} |")


if __name__ == "__main__":
    main()
