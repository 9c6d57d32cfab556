"""Every fault that a team's or a cluster's library must stand, and what came of it.

    python -m bench.faults
    python -m bench.faults --only primary

Each row is one or more tests that run the real servers on loopback and kill, fill, slow or skew them; here
they are run one after the other, and printed with their outcome and time. That of three nodes of PostgreSQL
under Patroni takes a minute, and is run by this command only.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]


class Fault(NamedTuple):
    """A fault, what must hold, and the tests that prove it."""

    fault: str
    holds: str
    tests: tuple[str, ...]


FAULTS = (
    Fault(
        "primary killed in mid-ingest of two jurisdictions, replica promoted",
        "nothing published is lost, readers see one state, the same commands go on",
        ("tests/test_failover.py",),
    ),
    Fault(
        "a Qdrant node killed in mid-query; back later",
        "no error, same answers; it catches up",
        ("tests/test_cluster_answers.py::test_a_node_killed_in_mid_query_and_back_later_changes_nothing",),
    ),
    Fault(
        "Redis killed",
        "slower, nothing else",
        ("tests/stores/test_redis.py::test_killed_in_the_middle_everything_goes_on_and_comes_back",),
    ),
    Fault(
        "a Dask worker killed; the scheduler killed",
        "items done again; resumed by the same command",
        (
            "tests/test_dask_ingest.py::test_a_worker_that_is_killed_changes_nothing",
            "tests/test_dask_ingest.py::test_the_scheduler_is_killed_and_the_same_command_goes_on",
        ),
    ),
    Fault(
        "S3 killed while a generation is fetched",
        "same bytes",
        (
            "tests/stores/test_remote_generations.py"
            "::test_killed_while_it_is_wanted_it_is_fetched_once_it_is_back",
        ),
    ),
    Fault(
        "a volume server killed while a generation is fetched",
        "same bytes",
        (
            "tests/stores/test_remote_generations.py"
            "::test_a_volume_server_killed_while_a_generation_is_fetched_changes_no_byte",
        ),
    ),
    Fault(
        "disk full: of the database, of a node of Qdrant",
        "one line; the last state stays",
        (
            "tests/stores/test_unsteady_machines.py"
            "::test_a_small_disk_fills_up_and_nothing_published_is_lost",
            "tests/stores/test_unsteady_machines.py"
            "::test_a_full_disk_of_the_database_is_one_line_and_the_last_state_stays",
            "tests/stores/test_cluster_store.py::test_a_full_disk_is_one_line_and_nothing_is_published",
        ),
    ),
    Fault(
        "slow network that cuts connections",
        "slower; a cut writer publishes nothing",
        (
            "tests/stores/test_unsteady_machines.py::test_a_slow_network_that_cuts_connections_changes_no_answer",
            "tests/stores/test_unsteady_machines.py::test_a_writer_that_is_cut_off_publishes_nothing",
            "tests/stores/test_unsteady_machines.py"
            "::test_a_slow_node_of_qdrant_and_one_that_is_cut_change_no_answer",
        ),
    ),
    Fault(
        "clock skew",
        "the same states in the same order",
        ("tests/stores/test_unsteady_machines.py::test_machines_whose_clocks_differ_see_the_same_states",),
    ),
    Fault(
        "the writer killed",
        "the last state stays",
        (
            "tests/stores/test_postgres_store.py::test_a_writer_that_is_killed_leaves_the_last_state",
            "tests/stores/test_database_store.py::test_a_killed_writer_leaves_the_last_state",
            "tests/stores/test_cluster_store.py::test_what_a_killed_writer_left_is_taken_back",
        ),
    ),
    Fault(
        "one of two writers killed as it publishes",
        "the other goes on; the killed one's command, run again, ends it",
        (
            "tests/test_writers_side_by_side.py"
            "::test_one_that_is_killed_as_it_publishes_leaves_the_other_its_turn",
        ),
    ),
)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", default="", help="faults that have these words")
    options = parser.parse_args()
    print("| fault | must hold | outcome | seconds |\n|---|---|---|---|")
    outcomes = [_told(one) for one in FAULTS if options.only in one.fault]
    raise SystemExit(0 if all(outcomes) else 1)


def _told(one: Fault) -> bool:
    started = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:xdist", *one.tests],
        cwd=ROOT,
        env={**os.environ, "PYKALA_FAULTS": "1"},
        capture_output=True,
        text=True,
    )
    summary = (done.stdout.strip().splitlines() or ["nothing was run"])[-1].partition(" in ")[0]
    took = time.perf_counter() - started
    print(f"| {one.fault} | {one.holds} | {summary} | {took:.0f} |", flush=True)
    if done.returncode:
        print(done.stdout[-3000:], file=sys.stderr)
    return done.returncode == 0 and "passed" in summary


if __name__ == "__main__":
    main()
