"""Files of uploads as they came, by their hash: what every place that keeps them can do.

A folder keeps each as `ab/cdef….zst`; a database keeps the same bytes in a table.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Protocol

_NAME: Final = re.compile("[0-9a-f]{62}")
_FOLDER: Final = re.compile("[0-9a-f]{2}")


class Originals(Protocol):
    """Stores the files of uploads."""

    def put(self, data: bytes) -> str:
        """Store a file and return its hash."""
        ...

    def holds(self, sha256: str) -> bool:
        """Whether a file of that hash is stored."""
        ...

    def remove(self, sha256: str) -> None:
        """Delete a file, if it is stored."""
        ...


class PackedOriginals(Protocol):
    """The stored files as packed bytes, for copies."""

    def hashes(self) -> list[str]:
        """The hash of every file, sorted."""
        ...

    def packed(self, sha256: str) -> bytes:
        """The packed bytes of a file."""
        ...

    def keep(self, sha256: str, packed: bytes) -> None:
        """Store packed bytes under the hash of their file."""
        ...


class FolderOriginals:
    """The packed originals in the folder of a library."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def hashes(self) -> list[str]:
        """The hash of every file, sorted."""
        return sorted(path.parent.name + path.stem for path in self._paths())

    def packed(self, sha256: str) -> bytes:
        """The packed bytes of a file."""
        return self.path(sha256).read_bytes()

    def keep(self, sha256: str, packed: bytes) -> None:
        """Store packed bytes under the hash of their file."""
        path = self.path(sha256)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(packed)

    def path(self, sha256: str) -> Path:
        """Where a file is stored."""
        return self.folder / sha256[:2] / f"{sha256[2:]}.zst"

    def _paths(self) -> Iterator[Path]:
        for path in self.folder.glob("??/*.zst"):
            if _FOLDER.fullmatch(path.parent.name) and _NAME.fullmatch(path.stem):
                yield path
