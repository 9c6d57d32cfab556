"""Several mirrors read as one: the sources of one jurisdiction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Self

from .indexed import SourceFile
from .limits import Limits
from .mirror import Mirror, open_mirror
from .refusals import NotInMirror, Refusal, RefusedFile

__all__ = ["JoinedMirror", "open_mirrors"]


class JoinedMirror:
    """The files of several mirrors under their own paths; duplicates are read from the first."""

    def __init__(self, mirrors: Sequence[Mirror]) -> None:
        self._mirrors = tuple(mirrors)
        self._homes: dict[str, int] = {}
        self._twice: set[Refusal] = set()
        self._failed: set[Refusal] = set()
        for number, mirror in enumerate(self._mirrors):
            for path in mirror.paths():
                if (first := self._homes.setdefault(path, number)) != number:
                    home = self._mirrors[first].name
                    reason = f"{home} has the same path; the file in {mirror.name} is not read"
                    self._twice.add(Refusal(path, reason))
        self._homes = dict(sorted(self._homes.items()))

    @property
    def name(self) -> str:
        """The names of all, for reports."""
        return ", ".join(mirror.name for mirror in self._mirrors)

    @property
    def refusals(self) -> tuple[Refusal, ...]:
        """Files not read so far, and why, sorted by path."""
        refused = {refusal for mirror in self._mirrors for refusal in mirror.refusals}
        return tuple(sorted(refused | self._twice | self._failed))

    def paths(self) -> Iterator[str]:
        """The paths of all files that may be read, sorted."""
        return iter(self._homes)

    def files(self) -> Iterator[SourceFile]:
        """All files, sorted by path; one that turns out unreadable becomes a refusal and the rest goes on."""
        for path in self._homes:
            try:
                yield self.read(path)
            except RefusedFile as refused:
                self._failed.add(refused.refusal)

    def read(self, path: str) -> SourceFile:
        """One file, from the first mirror that has it."""
        if path not in self._homes:
            raise NotInMirror(self.name, path)
        return self._mirrors[self._homes[path]].read(path)

    def close(self) -> None:
        """Close every mirror."""
        for mirror in self._mirrors:
            mirror.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_mirrors(
    paths: Sequence[Path], *, limits: Limits | None = None, spool_folder: Path | None = None
) -> Mirror:
    """Open one folder or archive, or several as one mirror. Raises what `open_mirror` raises."""
    if len(paths) == 1:
        return open_mirror(paths[0], limits=limits, spool_folder=spool_folder)
    with ExitStack() as opened:  # if a later archive cannot be opened, the unpacked ones are removed
        mirrors = [
            opened.enter_context(open_mirror(path, limits=limits, spool_folder=spool_folder))
            for path in paths
        ]
        joined = JoinedMirror(mirrors)
        opened.pop_all()
        return joined
