"""Many readers at once: streamed questions against a real server, as `pykala serve` starts it.

    python -m bench.http_load                                # 64 readers, the sample, one process and two
    python -m bench.http_load --library DIR --readers 64 --rounds 5 --processes 1 2 --cores 0,1
    python -m bench.http_load --processes 2 --soak 86400 --rate 2

Each reader waits for its answer before it asks again. The questions are those that the packs bring along, no
two readers the same one at the same time. For each number of processes it prints a row: how long until the
evidence stands and until the end, what an answer costs of the processor, and what the processes hold in
memory (`Pss` counts once what they share). Errors, whatever they are, are counted and named.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles

import httpx
import numpy as np

MOST_WAITING = 8  # questions of a soak that are not answered yet


@dataclass(frozen=True, slots=True)
class Heard:
    """When a reader heard what, in milliseconds; the last event, or what went wrong."""

    evidence: float
    end: float
    last: str


async def listen(client: httpx.AsyncClient, asked: dict[str, str]) -> Heard:
    started = time.perf_counter()
    evidence = 0.0
    last = "nothing"

    def now() -> float:
        return (time.perf_counter() - started) * 1000

    try:
        async with client.stream("POST", "/api/v1/ask?stream=1", json=asked) as response:
            if response.status_code != 200:
                return Heard(0, now(), f"status {response.status_code}")
            async for line in response.aiter_lines():
                if line.startswith("event: "):
                    last = line.removeprefix("event: ")
                    evidence = evidence or (now() if last == "evidence" else 0.0)
    except httpx.HTTPError as error:
        return Heard(evidence, now(), type(error).__name__)
    return Heard(evidence, now(), last)


async def asked_of(client: httpx.AsyncClient) -> list[dict[str, str]]:
    """The questions that the packs bring along, as they are sent."""
    found = (await client.get("/api/v1/examples")).json()["examples"]
    return [{name: value for name, value in one.items() if value} for one in found]


async def load(address: str, readers: int, rounds: int) -> tuple[list[Heard], float]:
    limits = httpx.Limits(max_connections=readers, max_keepalive_connections=readers)
    async with httpx.AsyncClient(base_url=address, timeout=300, limits=limits, trust_env=False) as client:
        questions = await asked_of(client)
        started = time.perf_counter()

        async def reader(number: int) -> list[Heard]:
            return [
                await listen(client, questions[(number + turn * readers) % len(questions)])
                for turn in range(rounds)
            ]

        heard = await asyncio.gather(*(reader(number) for number in range(readers)))
        return [one for turns in heard for one in turns], time.perf_counter() - started


def processes_of(server: int) -> list[int]:
    """A server's process, and those that it has started."""
    children = Path(f"/proc/{server}/task/{server}/children").read_text().split()
    return [server, *map(int, children)]


def processor(server: int) -> float:
    """Seconds of the processor that a server has taken."""
    ticks = 0
    for process in processes_of(server):
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def memory(server: int) -> tuple[float, float]:
    """MiB that the processes of a server hold, each for itself and together."""
    sums = Counter[str]()
    for process in processes_of(server):
        for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()[1:]:
            name, value, *_ = line.split()
            sums[name] += int(value)
    return sums["Rss:"] / 1024, sums["Pss:"] / 1024


@contextmanager
def serving(library: str | None, processes: int, cores: str | None) -> Iterator[tuple[int, str]]:
    """A server over a library, with a cache of its own; its process and its address."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["taskset", "-c", cores] if cores else []
        command += [sys.executable, "-m", "pykala", "serve", "--port", "0"]
        command += ["--processes", str(processes)]
        command += ["--library", library] if library else []
        environment = {
            **os.environ,
            "PYKALA_CACHE": folder,
            "PYKALA_LIBRARY": f"{folder}/own",
            "PYKALA_REQUESTS_PER_MINUTE": "0",
        }
        server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment)
        assert server.stderr is not None
        try:
            found = re.search(r"http://\S+", server.stderr.readline())
            assert found, "the server did not start"
            yield server.pid, found[0]
        finally:
            server.terminate()
            server.wait()


def measured(options: argparse.Namespace, processes: int) -> tuple[str, Counter[str]]:
    """One row of the table, and the errors."""
    with serving(options.library, processes, options.cores) as (server, address):
        asyncio.run(load(address, min(options.readers, 8), 1))  # opens the library in every thread, or most
        before = processor(server)
        heard, seconds = asyncio.run(load(address, options.readers, options.rounds))
        effort = (processor(server) - before) / len(heard) * 1000
        resident, together = memory(server)
    good = [one for one in heard if one.last == "done"]
    (_, evidence), (half, high) = (
        (cuts[49], cuts[94])
        for cuts in (quantiles([getattr(one, name) for one in good], n=100) for name in ("evidence", "end"))
    )
    cells = [
        f"{processes}", f"{options.readers}", f"{len(heard)}", f"{len(heard) / seconds:.1f}", f"{effort:.0f}",
        f"{evidence:,.0f}", f"{half:,.0f}", f"{high:,.0f}", f"{max(one.end for one in good):,.0f}",
        f"{len(heard) - len(good)}", f"{resident:,.0f}", f"{together:,.0f}", f"{os.getloadavg()[0]:.1f}",
    ]  # fmt: skip
    return "| " + " | ".join(cells) + " |", Counter(one.last for one in heard if one.last != "done")


async def soak(address: str, server: int, seconds: float, rate: float) -> None:
    """Ask so often a second, and look at the memory of the processes on the way; print both as a table."""
    points: list[tuple[float, float]] = []
    print("| minutes | questions | Rss MiB | Pss MiB |\n|---|---|---|---|")
    async with httpx.AsyncClient(base_url=address, timeout=300, trust_env=False) as client:
        questions = await asked_of(client)
        started, asked, errors = time.perf_counter(), 0, Counter[str]()
        waiting: set[asyncio.Task[Heard]] = set()
        look = seconds / 20
        while (passed := time.perf_counter() - started) < seconds:
            if passed >= len(points) * look:
                resident, together = memory(server)
                points.append((passed / 3600, together))
                print(f"| {passed / 60:.1f} | {asked} | {resident:,.0f} | {together:,.0f} |", flush=True)
            if len(waiting) < MOST_WAITING:
                waiting.add(asyncio.create_task(listen(client, questions[asked % len(questions)])))
                asked += 1
            done = {one for one in waiting if one.done()}
            errors += Counter(one.result().last for one in done if one.result().last != "done")
            waiting -= done
            await asyncio.sleep(1 / rate)
        await asyncio.gather(*waiting)
    hours, held = zip(*points[len(points) // 2 :], strict=True)
    print(
        f"\n{asked} questions in {seconds / 60:.0f} minutes, errors: {dict(errors) or 0};"
        f" Pss of the second half: slope {np.polyfit(hours, held, 1)[0]:+.1f} MiB an hour"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--library", help="folder of a library; default: the sample")
    parser.add_argument("--readers", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--processes", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--cores", help="only these cores for the server, as taskset takes them")
    parser.add_argument("--soak", type=float, metavar="SECONDS", help="ask slowly for so long instead")
    parser.add_argument("--rate", type=float, default=2.0, help="questions a second of a soak")
    chosen = parser.parse_args()
    if chosen.soak:
        with serving(chosen.library, chosen.processes[-1], chosen.cores) as (server, address):
            asyncio.run(soak(address, server, chosen.soak, chosen.rate))
        return
    print(
        "| processes | readers | answers | answers/s | ms of processor an answer | evidence p95 ms "
        "| end p50 ms | p95 ms | worst ms | errors | Rss MiB | Pss MiB | load |\n" + "|---" * 13 + "|"
    )
    failed = Counter[str]()
    for processes in chosen.processes:
        row, errors = measured(chosen, processes)
        print(row, flush=True)
        failed += errors
    if failed:
        raise SystemExit(f"errors: {dict(failed)}")


if __name__ == "__main__":
    main()
