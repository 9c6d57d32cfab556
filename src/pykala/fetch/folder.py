"""A folder as a mirror: links that lead out of it, devices and pipes are not read."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from .descriptors import CLOSE_ON_EXEC, NO_WAIT
from .indexed import IndexedMirror, Listing
from .limits import Limits
from .refusals import RefusedFile


class FolderMirror(IndexedMirror[str]):
    """A folder as a mirror; a place is the file's path as the file system spells it."""

    def __init__(self, folder: Path, limits: Limits) -> None:
        self._root = folder.resolve()
        listing = Listing[str](folder.name or str(folder), limits)
        for raw, size, refused in self._entries():
            if not listing.add(raw, size, raw, refused):
                break
        super().__init__(listing.name, limits, listing)

    def _entries(self) -> Iterator[tuple[str, int, str]]:
        waiting = [""]
        while waiting:
            folder = waiting.pop()
            try:
                with os.scandir(self._root / folder) as entries:
                    listed = sorted(entries, key=lambda entry: entry.name)
            except OSError as fault:
                yield folder or ".", 0, f"the folder cannot be listed ({fault.strerror})"
                continue
            for entry in listed:
                raw = f"{folder}/{entry.name}" if folder else entry.name
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(raw)
                else:
                    yield raw, *self._weigh(entry)

    def _weigh(self, entry: os.DirEntry[str]) -> tuple[int, str]:
        try:
            if entry.is_symlink() and not self._within(entry.path):
                return 0, "the link leads out of the folder"
            facts = entry.stat()
        except (OSError, RuntimeError):  # Path.resolve gives RuntimeError for a link to itself
            return 0, "the link leads nowhere"
        if stat.S_ISDIR(facts.st_mode):
            return 0, "it is a link to a folder"
        return facts.st_size, "" if stat.S_ISREG(facts.st_mode) else "it is a device or a pipe"

    def _within(self, path: str) -> bool:
        return Path(path).resolve(strict=True).is_relative_to(self._root)

    def _bytes(self, path: str, place: str) -> bytes:
        full = str(self._root / place)
        try:
            # The folder may have changed since it was listed: look again at what is really opened.
            if not self._within(full):
                raise RefusedFile(path, "the link leads out of the folder")
            with open(os.open(full, os.O_RDONLY | NO_WAIT | CLOSE_ON_EXEC), "rb") as file:  # noqa: PTH123
                facts = os.fstat(file.fileno())
                if not stat.S_ISREG(facts.st_mode):
                    raise RefusedFile(path, "it is a device or a pipe")
                if facts.st_size > self._limits.max_file:
                    raise RefusedFile(path, f"it is larger than {self._limits.max_file} bytes")
                return file.read(facts.st_size)
        except (OSError, RuntimeError) as fault:
            reason = getattr(fault, "strerror", None) or str(fault)
            raise RefusedFile(path, f"it cannot be read ({reason})") from fault
