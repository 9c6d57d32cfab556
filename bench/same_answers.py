"""The same question in every store: a folder, PostgreSQL with files, PostgreSQL alone, and a cluster.

    python -m bench.same_answers                       # 300 questions on the sample
    python -m bench.same_answers --questions 40

PostgreSQL and three nodes of Qdrant (two replicas, exact search) are started on loopback, as in the tests;
where there is no Qdrant, the cluster is left out, and that is said.
The questions are those of the packs' own sets over the sample, then those over the law itself, which the
sample can answer in part. Printed: how many answers are those of the folder (scores within a thousandth),
the largest difference of a score, the times, and the round trips.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field, fields, is_dataclass
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from bench.beside_folder import ask, told
from pykala.evaluate.sets import GoldQuestion, QuestionSetError, pack_set, read_set
from pykala.library.library import Library
from pykala.library.sample import sample_library
from pykala.models.bundled.lazy import bundled_embedder
from pykala.packs.pack import installed
from pykala.stores.copying import copy_library
from pykala.stores.opening import reindex
from pykala.stores.postgres.store import PostgresStore

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))


@dataclass
class Seen:
    """What one store did."""

    milliseconds: list[float] = field(default_factory=list)
    trips: list[int] = field(default_factory=list)
    same: int = 0
    differences: list[str] = field(default_factory=list)
    largest: float = 0.0


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--questions", type=int, default=300)
    options = parser.parse_args()
    asked = questions(options.questions)
    with ExitStack() as held:
        scratch = Path(held.enter_context(tempfile.TemporaryDirectory(prefix="pykala-same-")))
        libraries = {
            name: held.enter_context(Library.open(place)) for name, place in _made(held, scratch).items()
        }
        seen = {name: Seen() for name in libraries}
        for one in asked:
            _ask_all(libraries, one, seen)
        _tell(seen, len(asked))


def questions(count: int) -> list[GoldQuestion]:
    """Every question over the sample, then some over the law itself, spread over their sets."""
    own: list[GoldQuestion] = []
    others: list[GoldQuestion] = []
    for pack in installed().values():
        try:
            own += read_set(pack_set(pack))
            others += read_set(pack_set(pack, sample=False))
        except QuestionSetError:  # a pack without a set
            continue
    known = {one.question for one in own}
    others = [one for one in others if one.question not in known]
    missing = count - len(own)
    if missing <= 0:
        return own[:: max(1, len(own) // count)][:count]
    return own + others[:: max(1, len(others) // missing)][:missing]


def _made(held: ExitStack, scratch: Path) -> dict[str, Path | str]:
    """Each store with the sample: records copied from the folder, indexes written by each in its own way."""
    import install_qdrant
    from cluster_file import write_cluster_file
    from postgres_server import PostgresServer, missing
    from qdrant_server import QdrantServer

    if reason := missing():
        raise SystemExit(reason)
    folder = sample_library(scratch / "cache", installed())
    postgres = held.enter_context(PostgresServer.started(scratch / "postgres", durable=True))

    def copied(name: str) -> str:
        address = postgres.new_database()
        copy_library(folder, address, index_folder=scratch / name)
        return address

    made: dict[str, Path | str] = {"folder": folder, "PostgreSQL with files": copied("files")}
    made["PostgreSQL alone"] = f"{copied('alone')}?index=database&index_folder={scratch / 'small'}"
    if reason := install_qdrant.missing():
        print(f"{reason}: the cluster is left out\n")
    else:
        nodes = held.enter_context(QdrantServer.started(scratch / "qdrant", nodes=3))
        file = write_cluster_file(
            scratch / "cluster", copied("records"), nodes.addresses, shards=3, replicas=2
        )
        made["cluster"] = f"cluster:{file}"
    for name in made.keys() & {"PostgreSQL alone", "cluster"}:
        reindex(made[name], embedder=bundled_embedder())
    return made


def _ask_all(libraries: dict[str, Library], one: GoldQuestion, seen: dict[str, Seen]) -> None:
    from same_contents import differing

    wanted = None
    for name, library in libraries.items():
        store, mine = library.store, seen[name]
        before = store.records.round_trips if isinstance(store, PostgresStore) else 0
        started = time.perf_counter()
        answer = told(ask(library, one))
        mine.milliseconds.append(1000 * (time.perf_counter() - started))
        if isinstance(store, PostgresStore):
            mine.trips.append(store.records.round_trips - before)
        wanted = wanted or answer
        found = list(differing(wanted, answer))
        mine.same += not found
        mine.differences += [f"{one.question}: {found[0]}"] if found else []
        mine.largest = max([mine.largest, *_score_differences(wanted, answer)])


def _score_differences(first: Any, second: Any) -> Iterator[float]:
    """By how much the numbers of two answers of one shape differ."""
    if is_dataclass(first) and type(first) is type(second):
        for one in fields(first):
            yield from _score_differences(getattr(first, one.name), getattr(second, one.name))
    elif isinstance(first, tuple) and isinstance(second, tuple) and len(first) == len(second):
        for pair in zip(first, second, strict=True):
            yield from _score_differences(*pair)
    elif isinstance(first, float) and isinstance(second, float):
        yield abs(first - second)


def _tell(seen: dict[str, Seen], count: int) -> None:
    print(f"| {count} questions | same answers | largest difference of a number | p50 ms | p95 ms |", end="")
    print(" round trips, median and most |\n|---|---|---|---|---|---|")
    for name, one in seen.items():
        trips = f"{median(one.trips):.0f}, {max(one.trips)}" if one.trips else "–"
        print(
            f"| {name} | {one.same} | {one.largest:.1e} | {median(one.milliseconds):.0f} |"
            f" {quantiles(one.milliseconds, n=20)[-1]:.0f} | {trips} |"
        )
    for name, one in seen.items():
        for line in one.differences[:5]:
            print(f"\n{name}: {line}")


if __name__ == "__main__":
    main()
