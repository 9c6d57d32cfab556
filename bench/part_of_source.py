"""A part of a source, drawn by work: what a smaller library, with the same kinds of works, is made from."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import TracebackType
from typing import Self

from pykala.fetch.indexed import SourceFile
from pykala.fetch.mirror import Mirror
from pykala.fetch.refusals import NotInMirror, Refusal
from pykala.packs.pack import Pack, SurveyingPack


class PartOfSource:
    """A mirror that shows some of another's files."""

    def __init__(self, mirror: Mirror, paths: Iterable[str]) -> None:
        self._mirror = mirror
        self._paths = dict.fromkeys(sorted(paths))

    @property
    def name(self) -> str:
        return self._mirror.name

    @property
    def refusals(self) -> tuple[Refusal, ...]:
        return tuple(one for one in self._mirror.refusals if one.path in self._paths)

    def paths(self) -> Iterator[str]:
        return iter(self._paths)

    def files(self) -> Iterator[SourceFile]:
        return (self._mirror.read(path) for path in self._paths)

    def read(self, path: str) -> SourceFile:
        if path not in self._paths:
            raise NotInMirror(self.name, path)
        return self._mirror.read(path)

    def close(self) -> None:
        """Whoever opened the whole closes it."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def items_of(pack: Pack, mirror: Mirror, workers: int = 1) -> dict[str, tuple[str, ...]]:
    """The files of each work, as the pack groups them."""
    grouped = pack.survey(mirror, workers) if isinstance(pack, SurveyingPack) else pack.works(mirror.paths())
    return {item.name: tuple(item.paths) for item in grouped}


def part(mirror: Mirror, items: Mapping[str, tuple[str, ...]], wanted: Callable[[str], bool]) -> PartOfSource:
    """The files of the works that are wanted, by the name of their item."""
    held = set(mirror.paths())
    chosen = {path for name, paths in items.items() if wanted(name) for path in paths}
    return PartOfSource(mirror, chosen & held)


def drawn(name: str, share: float) -> bool:
    """Whether a work falls into a share of all; one that falls into 1 % is among the 10 %, too."""
    return int(hashlib.sha256(name.encode()).hexdigest()[:8], 16) < share * 16**8
