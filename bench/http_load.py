"""Many readers at once: streamed questions against a real server, as `pykala serve` starts it.

    .venv/bin/python -m bench.http_load                      # 64 readers, the sample
    .venv/bin/python -m bench.http_load --library DIR --readers 64 --rounds 5

Prints how long until the first words, until the evidence stands, and until the end; and every error.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from statistics import quantiles

import httpx

QUESTIONS = (
    {"question": "What is the tax rate on capital income above 30 000 euros in Finland?"},
    {"question": "Sain vuokratuloja 20 000 euroa. Kuinka paljon niistä menee veroa?"},
    {"question": "Hur hög är mervärdesskatten på mat?", "jurisdiction": "fi"},
    {"question": "How long do I have to wait before benefits are paid?", "jurisdiction": "ca"},
    {"question": "Quel est le taux normal de TVA le plus bas qu'un pays peut choisir ?"},
    {"question": "When do I have to tell the city what my rental building earned?", "jurisdiction": "nyc"},
    {"question": "Who may keep a hedgehog on a balcony?"},
    {"question": "TVL 124 §", "as_of": "2013-05-01"},
)


@dataclass(frozen=True, slots=True)
class Heard:
    """When a reader heard what, in milliseconds; the last event, or what went wrong."""

    first: float
    evidence: float
    end: float
    last: str


async def listen(client: httpx.AsyncClient, asked: dict[str, str]) -> Heard:
    started = time.perf_counter()
    first = evidence = 0.0
    last = "nothing"

    def now() -> float:
        return (time.perf_counter() - started) * 1000

    try:
        async with client.stream("POST", "/api/v1/ask?stream=1", json=asked) as response:
            if response.status_code != 200:
                return Heard(0, 0, now(), f"status {response.status_code}")
            async for line in response.aiter_lines():
                if line.startswith("event: "):
                    last = line.removeprefix("event: ")
                    first = first or now()
                    evidence = evidence or (now() if last == "evidence" else 0.0)
    except httpx.HTTPError as error:
        return Heard(first, evidence, now(), type(error).__name__)
    return Heard(first, evidence, now(), last)


async def load(address: str, readers: int, rounds: int) -> tuple[list[Heard], float]:
    limits = httpx.Limits(max_connections=readers, max_keepalive_connections=readers)
    async with httpx.AsyncClient(base_url=address, timeout=120, limits=limits, trust_env=False) as client:
        await asyncio.gather(*(listen(client, QUESTIONS[n % len(QUESTIONS)]) for n in range(readers)))
        started = time.perf_counter()

        async def reader(number: int) -> list[Heard]:
            return [
                await listen(client, QUESTIONS[(number + turn) % len(QUESTIONS)]) for turn in range(rounds)
            ]

        heard = await asyncio.gather(*(reader(number) for number in range(readers)))
        return [one for turns in heard for one in turns], time.perf_counter() - started


def percentiles(values: list[float]) -> str:
    cuts = quantiles(values, n=100)
    return f"{cuts[49]:8.0f} {cuts[94]:8.0f} {max(values):8.0f}"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--library", help="folder of a library; default: the sample")
    parser.add_argument("--readers", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=3)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pykala.interfaces.http", "--port", "0"]
        command += ["--library", chosen.library] if chosen.library else []
        environment = {
            "PYKALA_CACHE": folder,
            "PYKALA_LIBRARY": f"{folder}/own",
            "PYKALA_REQUESTS_PER_MINUTE": "0",
        }
        started = time.perf_counter()
        server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment)
        assert server.stderr is not None
        try:
            found = re.search(r"http://\S+", server.stderr.readline())
            assert found, "the server did not start"
            built = "" if chosen.library else ", the sample built anew"
            print(f"ready after {time.perf_counter() - started:.2f} s{built}")
            heard, seconds = asyncio.run(load(found[0], chosen.readers, chosen.rounds))
        finally:
            server.terminate()
            server.wait()
    good = [one for one in heard if one.last == "done"]
    rate = len(heard) / seconds
    print(f"{chosen.readers} readers, {len(heard)} questions in {seconds:.1f} s: {rate:.0f} a second")
    print(f"{'ms':>12} {'p50':>8} {'p95':>8} {'max':>8}")
    for name in ("first", "evidence", "end"):
        print(f"{name:>12} {percentiles([getattr(one, name) for one in good])}")
    errors = Counter(one.last for one in heard if one.last != "done")
    print(f"errors: {sum(errors.values())} {dict(errors) or ''}")


if __name__ == "__main__":
    main()
