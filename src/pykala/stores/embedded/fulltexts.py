"""One full-text index per jurisdiction, used as one index.

The weight of a word and the length of a passage are relative to the law of the same place. With one shared
index, loading Finland's law would change the order of Canada's provisions.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from pykala.stores.embedded.discarding import discard, is_in_the_way
from pykala.stores.embedded.facets import FacetFilter, Facets
from pykala.stores.embedded.fulltext import TextIndex, TextIndexDamaged

_NUMBER = re.compile("[0-9]{1,9}")
#: With more deleted passages for each live one, an index is rewritten: they count in the weights of words.
_MOST_DELETED = 0.25


class TextIndexes:
    """A folder of full-text indexes, each in a folder named by the number of its jurisdiction."""

    def __init__(self, folder: Path, opened: dict[int, TextIndex], *, writable: bool) -> None:
        self._folder = folder
        self._opened = opened
        self._writable = writable
        self._writers: set[int] = set()

    @classmethod
    def open(cls, folder: Path, *, writable: bool = False) -> TextIndexes:
        """Open the indexes in `folder`; a writer creates the folder where there is none.

        Raises what `TextIndex.open` raises, and `TextIndexDamaged` where the folder is of an earlier layout.
        """
        if is_in_the_way(folder):
            raise TextIndexDamaged(f"the text index in {folder} is not a folder")
        if writable:
            folder.mkdir(parents=True, exist_ok=True)
        made = cls(folder, {}, writable=writable)
        try:
            made._open_new()
        except BaseException:
            made.close()
            raise
        return made

    @staticmethod
    def discard(folder: Path) -> None:
        """Remove all files, so that `open(writable=True)` starts anew; no writer may be open."""
        discard(folder)

    def _open_new(self) -> None:
        if (self._folder / "meta.json").exists():
            raise TextIndexDamaged(f"the text index in {self._folder} is of an earlier layout")
        for path in sorted(self._folder.iterdir()):
            if _NUMBER.fullmatch(path.name) and int(path.name) not in self._opened:
                self._opened[int(path.name)] = TextIndex.open(path)

    def add(self, passage: int, language: str, facets: Facets, terms: Sequence[str]) -> None:
        """Add one passage to the index of its jurisdiction; it is found after `commit`."""
        self._writer(facets.jurisdiction).add(passage, language, facets, terms)

    def delete_works(self, works: Collection[int]) -> None:
        """Remove the passages of these works; passages added after this call stay."""
        for number, index in list(self._opened.items()):
            here = [work for work in works if number in self._writers or index.holds(work)]
            if here:
                self._writer(number).delete_works(here)

    def _writer(self, number: int) -> TextIndex:
        """The index of a jurisdiction, opened for writing when it is first needed."""
        if number not in self._writers:
            if self._writable and number in self._opened:
                self._opened.pop(number).close()
            self._opened[number] = TextIndex.open(self._folder / str(number), writable=self._writable)
            self._writers.add(number)
        return self._opened[number]

    def holds(self, work: int) -> bool:
        """Whether committed passages of a work are here."""
        return any(index.holds(work) for index in self._opened.values())

    def commit(self) -> None:
        """Make the additions and deletions of each index durable, and see them here."""
        for number in sorted(self._writers):
            self._opened[number].commit()

    @property
    def room_to_commit(self) -> int:
        """Bytes of disk that the next commit takes, at most."""
        return sum(self._opened[number].room_to_commit for number in self._writers)

    def clear(self) -> None:
        """Remove everything and commit."""
        for number in list(self._opened):
            self._writer(number).clear()

    def refresh(self) -> None:
        """Move to the latest commit of each index, and open new indexes."""
        for index in self._opened.values():
            index.refresh()
        self._open_new()

    def close(self) -> None:
        """Release the writers' locks; uncommitted additions are dropped."""
        for index in self._opened.values():
            index.close()
        self._opened, self._writers = {}, set()

    def __enter__(self) -> TextIndexes:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def match(
        self,
        terms_by_language: Mapping[str, Sequence[str]],
        filter: FacetFilter,
        limit: int,
        *,
        weights: Mapping[str, float] | None = None,
    ) -> list[tuple[int, float]]:
        """Rank the passages that pass the filter, each by the statistics of its jurisdiction, best first."""
        anywhere = replace(filter, jurisdictions=None)
        found = [
            index.match(terms_by_language, anywhere, limit, weights=weights)
            for index in self._of(filter.jurisdictions)
        ]
        return sorted((hit for hits in found for hit in hits), key=lambda hit: (-hit[1], hit[0]))[:limit]

    def document_frequency(
        self, term: str, language: str, jurisdictions: Collection[int] | None = None
    ) -> int:
        """Count the passages that hold a term (deleted ones until merged away)."""
        return sum(index.document_frequency(term, language) for index in self._of(jurisdictions))

    def written(self, jurisdictions: Collection[int] | None = None) -> int:
        """Count the passages of some jurisdictions, or of all, by the rule of `document_frequency`.

        A word's weight compares the two: were deleted passages in one of them only, it could be negative.
        """
        chosen = self._opened.keys() if jurisdictions is None else self._opened.keys() & {*jurisdictions}
        return sum(self._opened[number].written(number) for number in chosen)

    def worn(self) -> list[int]:
        """The jurisdictions of which so many passages were deleted that the weights of words have moved."""
        return [
            number
            for number, index in sorted(self._opened.items())
            if index.written(number) - len(index) > _MOST_DELETED * len(index)
        ]

    def begin_anew(self, jurisdiction: int) -> None:
        """Remove a jurisdiction's passages, to add them again; readers see that only after `commit`."""
        self._writer(jurisdiction).begin_anew()

    def __len__(self) -> int:
        return sum(map(len, self._opened.values()))

    def passages(self) -> Iterator[int]:
        """Go through the ids of all live passages, ascending."""
        yield from heapq.merge(*(index.passages() for index in self._opened.values()))

    @property
    def segments(self) -> int:
        """Count the segments of the snapshot: latency grows a little with each."""
        return sum(index.segments for index in self._opened.values())

    def verify(self) -> None:
        """Check every file against its checksum; a flipped bit raises `TextIndexDamaged`."""
        for index in self._opened.values():
            index.verify()

    def _of(self, jurisdictions: Collection[int] | None) -> list[TextIndex]:
        return [
            index
            for number, index in self._opened.items()
            if jurisdictions is None or number in jurisdictions
        ]
