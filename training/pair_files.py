"""Pairs on disk: one compressed file a task, one line a pair. Needs nothing of the package."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import zstandard

SEED = 20261115


@dataclass(frozen=True, slots=True)
class Pair:
    """Two texts, their languages, and the work that decides their split."""

    task: str
    first: str
    first_language: str
    second: str
    second_language: str
    split: str


def write(pairs: Iterable[Pair], out: Path) -> Counter[tuple[str, str]]:
    """One compressed file a task; pairs that say the same twice are written once."""
    out.mkdir(parents=True, exist_ok=True)
    counts: Counter[tuple[str, str]] = Counter()
    seen: set[bytes] = set()
    lines: dict[str, list[bytes]] = {}
    for pair in pairs:
        if not pair.first or not pair.second:
            continue
        key = hashlib.blake2b(f"{pair.task}\0{pair.first}\0{pair.second}".encode(), digest_size=10).digest()
        if key in seen:
            continue
        seen.add(key)
        row = [pair.first, pair.first_language, pair.second, pair.second_language, pair.split]
        lines.setdefault(pair.task, []).append(json.dumps(row, ensure_ascii=False).encode() + b"\n")
        counts[pair.task, pair.split] += 1
    for task, found in lines.items():
        data = zstandard.ZstdCompressor(level=6).compress(b"".join(found))
        (out / f"{task}.jsonl.zst").write_bytes(data)
    return counts


def read(path: Path) -> Iterator[list[str]]:
    """The rows of one task's file: first, its language, second, its language, split."""
    with path.open("rb") as file:
        data = zstandard.ZstdDecompressor().stream_reader(file).read()
    for line in data.decode("utf-8").splitlines():
        yield json.loads(line)
