"""Fetch a few files of a source into a folder, under the paths they have in its archive."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from .http import FetchFailed, FetchRefused, PoliteClient
from .live import AT_ONCE, Check, ListedFile, fetching_at_once
from .names import UnsafeName, normal_path
from .refusals import Refusal

__all__ = ["FoundAct", "LaidOut", "lay_out"]


@dataclass(frozen=True, slots=True)
class FoundAct:
    """An act found by a search; `number` is the part of its identifier after the last colon."""

    number: str
    title: str
    date: date | None
    url: str


@dataclass(frozen=True, slots=True)
class LaidOut:
    """The works with at least one file, the number of files, and the refusals."""

    acts: tuple[str, ...]
    pages: int
    refusals: tuple[Refusal, ...]


def lay_out(
    files: Sequence[ListedFile],
    client: PoliteClient,
    folder: Path,
    *,
    check: Check = lambda path, data: "",
    at_once: int = AT_ONCE,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> LaidOut:
    """Fetch files into a folder. A file that does not come, or comes damaged, is a refusal of that file."""
    acts: dict[str, None] = {}
    refusals: list[Refusal] = []
    pages = 0

    def fetch(file: ListedFile) -> bytes | Refusal:
        try:
            data = client.get(file.url).data
        except (FetchFailed, FetchRefused) as fault:
            return Refusal(file.path, f"it could not be fetched ({getattr(fault, 'reason', fault)})")
        damage = check(file.path, data)
        return Refusal(file.path, damage) if damage else data

    with fetching_at_once(at_once) as pool:
        fetched = pool.map(fetch, files)
        for done, (file, came) in enumerate(zip(files, fetched, strict=True), 1):
            refusal = came if isinstance(came, Refusal) else _write(folder, file.path, came)
            if refusal is None:
                pages += 1
                acts.setdefault(file.work)
            else:
                refusals.append(refusal)
            progress(done, len(files))
    return LaidOut(tuple(acts), pages, tuple(refusals))


def _write(folder: Path, path: str, data: bytes) -> Refusal | None:
    try:
        place = folder / normal_path(path)
    except UnsafeName as unsafe:
        return Refusal(path, str(unsafe))
    place.parent.mkdir(parents=True, exist_ok=True)
    beside = place.with_name(f"{place.name}.part")
    beside.write_bytes(data)
    beside.replace(place)
    return None
