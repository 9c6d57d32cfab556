"""Fuzz every target, or those named, for a time each: `python -m fuzz --seconds 60 read-eu cite-fi`.

What breaks a promise is shrunk by Hypothesis, printed, and kept in `fuzz/found/TARGET/`. Once the fault is
mended, its bytes belong into the corpus, where the tests read them. The exit code is 1 where any was found.
"""

from __future__ import annotations

import argparse
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, seed, settings

from fuzz.edits import inputs
from fuzz.targets import Target, close, targets

FOUND = Path(__file__).parent / "found"
SECONDS = 600.0
SLOWEST = 20.0  # seconds of processor for one input
ROUND = 100  # inputs, before the clock is looked at


class TooSlow(AssertionError):
    """An input took more time than any may."""


@contextmanager
def bounded(limit: float) -> Iterator[None]:
    """Raise TooSlow where the block takes more seconds of this process's own time."""

    def stop(*_: object) -> None:
        raise TooSlow(f"more than {limit:g} s")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, limit)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def trial(target: Target, examples: int, number: int, last: list[tuple[str, bytes]]) -> Callable[[], None]:
    """A round of inputs; the last one tried, which after a failure is the smallest, is left in `last`."""

    @seed(number)
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate, Phase.shrink],
        report_multiple_bugs=False,
    )
    @given(inputs(target.seeds))
    def read(one: tuple[str, bytes]) -> None:
        last[:] = [one]
        with bounded(SLOWEST):
            target.read(*one)

    return read


def fuzz(target: Target, seconds: float, first: int) -> tuple[int, bool]:
    """Fuzz one target for a time: how many inputs it was given, and whether all went well."""
    until, number, last = time.monotonic() + seconds, 0, list[tuple[str, bytes]]()
    while time.monotonic() < until:
        try:
            trial(target, ROUND, first + number, last)()
        except Exception:
            name, data = last[0]
            kept = FOUND / target.name / f"{sha256(data).hexdigest()[:12]}-{Path(name).name}"
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_bytes(data)
            print(f"{target.name}: {name}: kept as {kept}\n{traceback.format_exc()}", flush=True)
            return (number + 1) * ROUND, False
        number += 1
    return number * ROUND, True


def main() -> int:
    """Fuzz, and say how it went."""
    every = targets()
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="TARGET", help=f"of: {', '.join(every)}; default: all")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="for each target (default: 600)")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="for the same inputs again")
    chosen = parser.parse_args()
    unknown = sorted({*chosen.names} - every.keys())
    if unknown:
        parser.error(f"no target {', '.join(unknown)}; there are: {', '.join(every)}")
    well = True
    try:
        for name in chosen.names or every:
            count, fine = fuzz(every[name], chosen.seconds, chosen.seed)
            well &= fine
            print(f"{name:24} {count:>9,} inputs  {'fine' if fine else 'FOUND SOMETHING'}", flush=True)
    finally:
        close()
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
