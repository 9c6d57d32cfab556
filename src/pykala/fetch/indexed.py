"""Shared by all mirrors: a listing within limits, and files read by their position."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Generic, Self, TypeVar

from .limits import Limits
from .names import UnsafeName, normal_path
from .refusals import NotInMirror, Refusal, RefusedFile, printable

Place = TypeVar("Place")


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file of a source: its path in the mirror, its bytes and their hash."""

    path: str
    size: int
    sha256: str
    data: bytes
    retrieved_at: date | None = None  # where the mirror itself fetched it; an archive does not tell


class Listing(Generic[Place]):
    """Collects the entries of a mirror within its limits, each name once."""

    def __init__(self, name: str, limits: Limits, packed: int = sys.maxsize) -> None:
        self.name, self.limits, self.packed = name, limits, packed
        self.places: dict[str, Place] = {}
        self.refusals: set[Refusal] = set()
        self._seen = self._total = 0

    def add(self, raw: str, size: int, place: Place, refused: str = "") -> bool:
        """Add one entry, or note why not; False when the mirror is full and the rest is left out."""
        self._seen += 1
        self._total += 0 if refused else size
        if self._seen > self.limits.max_files:
            return self._full(f"it holds more than {self.limits.max_files} files; the rest is not read")
        excess = self.limits.excess(self._total, self.packed)
        if excess:
            return self._full(f"{excess}; the rest is not read")
        try:
            path = normal_path(raw)
        except UnsafeName as unsafe:
            self.refuse(raw, str(unsafe))
            return True
        if refused:
            self.refuse(path, refused)
        elif size > self.limits.max_file:
            self.refuse(path, f"it is larger than {self.limits.max_file} bytes")
        elif path in self.places:
            self.refuse(path, "the name occurs twice; the first is read")
        else:
            self.places[path] = place
        return True

    def _full(self, reason: str) -> bool:
        self.refuse(self.name, reason)
        return False

    def refuse(self, path: str, reason: str) -> None:
        """Note that `path` is not read, and why."""
        self.refusals.add(Refusal(printable(path), printable(reason)))


class IndexedMirror(Generic[Place]):
    """The base of all mirrors, once the position of each file is known."""

    def __init__(self, name: str, limits: Limits, listing: Listing[Place]) -> None:
        self._name, self._limits = name, limits
        self._places = dict(sorted(listing.places.items()))
        self._refusals = set(listing.refusals)

    @property
    def name(self) -> str:
        """The folder's or archive's own name."""
        return self._name

    @property
    def refusals(self) -> tuple[Refusal, ...]:
        """Files not read so far, sorted."""
        return tuple(sorted(self._refusals))

    def paths(self) -> Iterator[str]:
        """The paths of all files that may be read, sorted."""
        return iter(self._places)

    def files(self) -> Iterator[SourceFile]:
        """All files in that order; an unreadable one becomes a refusal."""
        for path in self._places:
            try:
                yield self.read(path)
            except RefusedFile as refused:
                self._refusals.add(refused.refusal)

    def read(self, path: str) -> SourceFile:
        """One file, with its hash."""
        if path not in self._places:
            raise NotInMirror(self._name, path)
        data = self._bytes(path, self._places[path])
        digest = hashlib.sha256(data).hexdigest()
        return SourceFile(path, len(data), digest, data, self._retrieved_at(path))

    def _retrieved_at(self, path: str) -> date | None:
        """The day on which a file was fetched; None where the mirror does not know."""
        return None

    def _bytes(self, path: str, place: Place) -> bytes:
        raise NotImplementedError

    def close(self) -> None:
        """Nothing to remove unless a subclass has something."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
