"""How fast a library answers on this machine: the packs' own questions, asked one after another."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from importlib.resources import files
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

from pykala.library import Library
from pykala.packs.pack import installed


@dataclass(frozen=True, slots=True)
class AskedBefore:
    """A question of a pack, with its language and date."""

    question: str
    language: str | None = None
    as_of: date | None = None


@dataclass(frozen=True, slots=True)
class Speed:
    """What was measured, in milliseconds."""

    questions: int
    opening: float
    first: float  # the first answer loads the models
    median: float
    p95: float
    worst: float
    processor: float  # of all cores, for one answer
    memory: int | None  # bytes of the process; None where the system does not say


def questions_held(library: Library) -> tuple[AskedBefore, ...]:
    """The questions of the packs whose law the library holds."""
    held = {name.partition("/")[0] for name in library.stats().works}
    found: list[AskedBefore] = []
    for code, pack in sorted(installed().items()):
        path = files(pack.facts.package).joinpath("questions.jsonl")
        if code in held and path.is_file():
            for line in path.read_text(encoding="utf-8").splitlines():
                record = json.loads(line)
                day = record.get("as_of")
                found.append(
                    AskedBefore(
                        record["question"], record.get("language"), date.fromisoformat(day) if day else None
                    )
                )
    return tuple(found)


def measure(
    open_library: Callable[[], Library],
    questions: Sequence[AskedBefore],
    total: int,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Speed:
    """Open a library and ask it; caches are not used."""
    started = perf_counter()
    with open_library() as opened:
        opening = (perf_counter() - started) * 1000
        library = opened.with_parts(options=replace(opened.options, cache=False))
        chosen = list(islice(cycle(questions), total))
        first = _asked(library, chosen[0])
        worked, times = process_time(), list[float]()
        for number, one in enumerate(chosen, start=1):
            times.append(_asked(library, one))
            progress(number, total)
        processor = (process_time() - worked) * 1000 / len(times)
        times.sort()
        high = times[min(len(times) - 1, int(len(times) * 0.95))]
        return Speed(len(times), opening, first, median(times), high, times[-1], processor, _memory())


def _asked(library: Library, one: AskedBefore) -> float:
    started = perf_counter()
    library.ask(one.question, as_of=one.as_of, language=one.language, draft=False)
    return (perf_counter() - started) * 1000


def _memory() -> int | None:
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError):
        return None
