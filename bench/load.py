"""Many askers on one library: `python -m bench.load [LIBRARY]` prints Markdown tables (else of the sample).

    python -m bench.load [LIBRARY] [--askers 1 4 16 64] [--questions 400] [--mode shared own processes]
    python -m bench.load [LIBRARY] --soak 10000

Each asker waits for its answer before it asks again. `shared` is one open library that every thread asks,
`own` one library a thread, `processes` one library a process (no more than `--processes`). No answer is taken
from the cache. Every answer is compared with the one that a single asker got: one that differs is an error,
and so is whatever was raised. The soak asks one after another and fits a line to the memory of the process.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from importlib.resources import files
from itertools import chain
from multiprocessing.queues import SimpleQueue
from multiprocessing.synchronize import Barrier
from pathlib import Path
from time import perf_counter, process_time

import numpy as np

import pykala
from pykala.answer.record import answer_json
from pykala.library import Library
from pykala.packs.pack import installed

MODES = ("shared", "own", "processes")
AS_OF = date(2026, 6, 1)
Asked = tuple[str, str | None, str]  # question, language, date
Share = tuple[list[float], list[str], float]  # what one process measured: milliseconds, errors, processor


@dataclass(frozen=True, slots=True)
class Measured:
    """What one number of askers got."""

    mode: str
    askers: int
    answered: int
    seconds: float
    processor: float  # seconds, of all askers together
    milliseconds: tuple[float, ...]
    errors: tuple[str, ...]

    def row(self) -> str:
        half, high, most = np.percentile(self.milliseconds, [50, 95, 100])
        rate, effort = self.answered / self.seconds, self.processor / self.answered * 1000
        cells = [
            self.mode, f"{self.askers}", f"{self.answered:,}", f"{rate:,.1f}", f"{effort:,.1f}",
            f"{half:,.0f}", f"{high:,.0f}", f"{most:,.0f}", f"{len(self.errors)}",
            f"{os.getloadavg()[0]:.1f}",
        ]  # fmt: skip
        return "| " + " | ".join(cells) + " |"


def uncached(library: Library) -> Library:
    """The same library, made to work for every answer: one kept from the last time would cost nothing."""
    return library.with_parts(options=replace(library.options, cache=False))


def questions_of(library: Library) -> tuple[Asked, ...]:
    """The questions that the packs bring along, of the jurisdictions that the library holds."""
    held = {name.partition("/")[0] for name in library.stats().works}
    found: list[Asked] = []
    for code, pack in sorted(installed().items()):
        path = files(pack.facts.package).joinpath("questions.jsonl")
        if code in held and path.is_file():
            for line in path.read_text(encoding="utf-8").splitlines():
                record = json.loads(line)
                found.append(
                    (record["question"], record.get("language"), record.get("as_of", AS_OF.isoformat()))
                )
    if not found:
        raise SystemExit("the library holds nothing that a pack has questions for")
    return tuple(found)


def said(library: Library, asked: Asked) -> str:
    """An answer as it is recorded, less what differs from one time to the next."""
    question, language, day = asked
    record = answer_json(library.ask(question, as_of=date.fromisoformat(day), language=language))
    record.pop("trace", None)
    return json.dumps(record, sort_keys=True, ensure_ascii=False)


class Asker:
    """Asks by number, times each answer and compares it with the one that is expected."""

    def __init__(self, library: Library, questions: Sequence[Asked], expected: Sequence[str]) -> None:
        self._library, self._questions, self._expected = library, questions, expected
        self.milliseconds: list[float] = []
        self.errors: list[str] = []

    def ask(self, number: int) -> None:
        at = number % len(self._questions)
        started = perf_counter()
        try:
            answer = said(self._library, self._questions[at])
        except Exception as error:  # whatever goes wrong under load is what is being looked for
            self.errors.append(f"{self._questions[at][0]}: {error!r}")
            return
        self.milliseconds.append((perf_counter() - started) * 1000)
        if answer != self._expected[at]:
            self.errors.append(f"{self._questions[at][0]}: another answer than one asker alone gets")


def ask_together(
    mode: str,
    libraries: Sequence[Library],
    questions: Sequence[Asked],
    expected: Sequence[str],
    total: int,
) -> Measured:
    """Let threads ask side by side, one a library given (which may be the same one many times)."""
    askers = [Asker(library, questions, expected) for library in libraries]
    numbers = iter(range(total))
    taking, ready = threading.Lock(), threading.Barrier(len(askers) + 1)

    def work(asker: Asker) -> None:
        ready.wait()
        while True:
            with taking:
                number = next(numbers, None)
            if number is None:
                return
            asker.ask(number)

    threads = [threading.Thread(target=work, args=(asker,)) for asker in askers]
    for thread in threads:
        thread.start()
    ready.wait()
    started, worked = perf_counter(), process_time()
    for thread in threads:
        thread.join()
    seconds, processor = perf_counter() - started, process_time() - worked
    times = tuple(chain.from_iterable(asker.milliseconds for asker in askers))
    errors = tuple(chain.from_iterable(asker.errors for asker in askers))
    return Measured(mode, len(askers), len(times), seconds, processor, times, errors)


def ask_in_processes(
    folder: Path, questions: Sequence[Asked], expected: Sequence[str], askers: int, total: int
) -> Measured:
    """Let processes ask side by side, each with the library opened on its own."""
    context = multiprocessing.get_context("spawn")
    ready = context.Barrier(askers + 1)
    results: SimpleQueue[Share] = context.SimpleQueue()
    processes = [
        context.Process(
            target=_ask_share, args=(folder, questions, expected, range(n, total, askers), ready, results)
        )
        for n in range(askers)
    ]
    for process in processes:
        process.start()
    ready.wait()
    started = perf_counter()
    found = [results.get() for _ in processes]
    seconds = perf_counter() - started
    for process in processes:
        process.join()
    times = tuple(chain.from_iterable(one for one, _, _ in found))
    errors = tuple(chain.from_iterable(one for _, one, _ in found))
    processor = sum(one for _, _, one in found)
    return Measured("processes", askers, len(times), seconds, processor, times, errors)


def _ask_share(
    folder: Path,
    questions: Sequence[Asked],
    expected: Sequence[str],
    share: Sequence[int],
    ready: Barrier,
    results: SimpleQueue[Share],
) -> None:
    with uncached(Library.open(folder)) as library:
        said(library, questions[0])
        ready.wait()
        asker, worked = Asker(library, questions, expected), process_time()
        for number in share:
            asker.ask(number)
        processor = process_time() - worked
    results.put((asker.milliseconds, asker.errors, processor))


@dataclass(frozen=True, slots=True)
class Soaked:
    """Memory of the process after so many questions."""

    asked: int
    resident: float  # MiB


def soak(library: Library, questions: Sequence[Asked], total: int, every: int) -> list[Soaked]:
    """Ask one question after another and look at the process's memory on the way."""
    found = []
    for number in range(1, total + 1):
        said(library, questions[number % len(questions)])
        if number % every == 0:
            found.append(Soaked(number, resident()))
    return found


def slope(points: Sequence[Soaked]) -> float:
    """MiB that a further thousand questions cost, by a straight line through the points."""
    asked = np.array([one.asked for one in points]) / 1000
    return float(np.polyfit(asked, [one.resident for one in points], 1)[0])


def resident() -> float:
    """MiB of memory that the process holds now; mapped files that were read count."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def print_soak(library: Library, questions: Sequence[Asked], total: int) -> None:
    started, worked = perf_counter(), process_time()
    points = soak(library, questions, total, max(1, total // 20))
    seconds, processor = perf_counter() - started, process_time() - worked
    print("| questions asked | resident MiB |\n|---|---|")
    for one in points:
        print(f"| {one.asked:,} | {one.resident:,.1f} |")
    second_half = points[len(points) // 2 :]
    print(
        f"\n{total:,} questions in {seconds:,.0f} s ({processor:,.0f} s of processor);"
        f" slope {slope(points):+.3f} MiB per 1,000 questions over all,"
        f" {slope(second_half):+.3f} over the second half; load average {os.getloadavg()[0]:.1f}"
    )


def print_load(
    folder: Path, library: Library, questions: Sequence[Asked], options: argparse.Namespace
) -> int:
    """Print a row for every mode and number of askers; how many errors there were."""
    expected = [said(library, asked) for asked in questions]
    print(
        "| mode | askers | answers | answers/s | ms of processor an answer | p50 ms | p95 ms | worst ms "
        "| errors | load |\n|---|---|---|---|---|---|---|---|---|---|"
    )
    errors = 0
    for mode in options.mode:
        for askers in options.askers:
            if mode == "processes":
                if askers > options.processes:
                    continue
                found = ask_in_processes(folder, questions, expected, askers, options.questions)
            else:
                libraries = [library] * askers
                if mode == "own":
                    libraries = [uncached(Library.open(folder)) for _ in range(askers)]
                found = ask_together(mode, libraries, questions, expected, options.questions)
                if mode == "own":
                    for one in libraries:
                        one.close()
            print(found.row(), flush=True)
            for error in found.errors[:3]:
                print(f"error: {error}", file=sys.stderr)
            errors += len(found.errors)
    return errors


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("library", type=Path, nargs="?")
    parser.add_argument("--askers", type=int, nargs="+", default=[1, 4, 16, 64])
    parser.add_argument("--mode", nargs="+", choices=MODES, default=list(MODES))
    parser.add_argument("--questions", type=int, default=400, help="asked in all, for each row")
    parser.add_argument("--processes", type=int, default=4, help="processes at most: each holds a library")
    parser.add_argument("--soak", type=int, metavar="QUESTIONS", help="ask so many, one after another")
    options = parser.parse_args()
    with uncached(Library.open(options.library) if options.library else pykala.sample()) as library:
        assert library.folder is not None
        questions = questions_of(library)
        print(f"{len(questions)} different questions, {library.stats().children:,} passages\n")
        if options.soak:
            print_soak(library, questions, options.soak)
        elif print_load(library.folder, library, questions, options):
            raise SystemExit("some askers got an error or another answer")


if __name__ == "__main__":
    main()
