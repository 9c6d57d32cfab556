"""The points of the published state: compared with the records, put back where they are missing.

Each passage's point is asked for by its number, which shows those that are missing or have wrong columns.
Where Qdrant holds more points than those, all are read to find the strays.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field
from itertools import islice
from typing import Any, Final, TypeVar

from pykala.models.embedder import AskedEmbedder, Embedder, encode_passages
from pykala.stores.cluster import meanings, points, words
from pykala.stores.cluster.nodes import Point
from pykala.stores.cluster.points import ASKED, MEANING, WORDS
from pykala.stores.cluster.store import EDITION, ClusterConnection
from pykala.stores.embedded.children import Child, analysed, children_numbered, known_questions
from pykala.stores.embedded.fulltext import body_field
from pykala.stores.postgres.facts import GENERATION, LIBRARY
from pykala.stores.served.passages import Row, some_passages
from pykala.stores.served.statistics import Lengths, WordStatistics
from pykala.stores.served.word_staging import FIELDS, StagedPassage

_AT_ONCE: Final = 1_000
_UNWEIGHTED: Final = Lengths(0, 1.0, 0)

_Item = TypeVar("_Item")


@dataclass(slots=True)
class Differences:
    """Where the points of a collection are not those of the records."""

    checked: int = 0
    missing: list[int] = field(default_factory=list)  # passages without a point, or with a wrong one
    strays: list[int] = field(default_factory=list)  # numbers of points that belong to no passage

    def told(self) -> Iterator[str]:
        """The difference, in words."""
        if self.missing:
            yield f"{len(self.missing):,} of {self.checked:,} points in Qdrant are missing or altered"
        if self.strays:
            yield f"{len(self.strays):,} points in Qdrant belong to no passage of the records"


class PublishedPoints:
    """The points of the state that the records name."""

    def __init__(self, records: ClusterConnection, facts: Mapping[str, str]) -> None:
        self.records, self.nodes = records, records.nodes
        self.epoch = int(facts[GENERATION])
        self.has_vectors = bool(int(facts.get("dimension", "0")))
        self.parts = (WORDS, MEANING) if self.has_vectors else (WORDS,)
        self.statistics = WordStatistics(records)
        self.lengths = self.statistics.lengths()
        #: By jurisdiction and field: passages and terms, counted from the points.
        self.counted: Counter[tuple[int, str, str]] = Counter()
        self._facts = facts
        self._names: dict[int, str] = dict(records.execute("SELECT id, value FROM names").fetchall())

    def collection(self, part: str) -> str:
        """The name of a part's collection."""
        return points.collection_name(self._facts[LIBRARY], self._facts[EDITION], part)

    def known_questions(self, embedder: Embedder | None) -> Iterator[tuple[list[Row], list[Point]]]:
        """The rows and points of known questions, work by work."""
        if not isinstance(embedder, AskedEmbedder):
            return
        for work, key in self.records.execute("SELECT id, key FROM works ORDER BY id").fetchall():
            known = known_questions(self.records, embedder, work, key)
            if known is not None:
                rows = [
                    (number, *astuple(facets))
                    for number, facets in zip(known.numbers, known.facets, strict=True)
                ]
                yield rows, meanings.points_of(known.numbers, known.facets, known.vectors, self.epoch)

    def differences(self, part: str, expected: Iterable[Row]) -> Differences:
        """Compare the points of a part with rows of the records."""
        differing, collection = Differences(), self.collection(part)
        for rows in _batches(expected):
            wanted = {self._number_of(part, row): row for row in rows}
            held = {int(one["id"]): one for one in self.nodes.retrieve(collection, wanted, vectors=False)}
            for number, row in wanted.items():
                if not self._is_sound(part, row, held.get(number)):
                    differing.missing.append(row[0])
                elif part == WORDS:
                    self._count(row, held[number]["payload"])
            differing.checked += len(rows)
        sound = differing.checked - len(differing.missing)
        if self.nodes.count(collection, {"must": points.seen_by(self.epoch)}) > sound:
            differing.strays = self._strays(part, set(differing.missing))
        return differing

    def _number_of(self, part: str, row: Row) -> int:
        if part != WORDS:
            return row[0]
        return words.number_of(row[0], self.made_with(row[2], self._field_of(row)).weighting)

    def made_with(self, jurisdiction: int, field: str) -> Lengths:
        """The lengths behind the weights of a field."""
        return self.lengths.get((jurisdiction, field), _UNWEIGHTED)

    def _field_of(self, row: Row) -> str:
        return body_field(self._names.get(row[3], ""))

    def _count(self, row: Row, said: Mapping[str, Any]) -> None:
        place, field = row[2], self._field_of(row)
        self.counted[place, "", "passages"] += 1
        self.counted[place, field, "terms"] += int(said.get("length", 0))

    def _is_sound(self, part: str, row: Row, held: Point | None) -> bool:
        said = held["payload"] if held is not None else {}
        if [said.get(name) for name in points.COLUMNS[:7]] != list(row[1:]):
            return False
        if part == WORDS and said.get("field") != FIELDS.index(self._field_of(row)):
            return False
        return bool(said.get("since", points.NO_END) <= self.epoch < said.get("until", 0))

    def _strays(self, part: str, missing: Collection[int]) -> list[int]:
        """The numbers of points that readers see and that no passage has."""
        strays: list[int] = []
        seen = self.nodes.scroll(self.collection(part), {"must": points.seen_by(self.epoch)}, vectors=False)
        for numbers in _batches(int(point["id"]) for point in seen):
            rows = some_passages(self.records, [number & points.PASSAGE for number in numbers])
            wanted = {self._number_of(part, row) for row in rows}
            strays += [number for number in numbers if number not in wanted]
        return strays

    # Mending

    def mend(self, part: str, differing: Differences, embedder: Embedder | None) -> None:
        """Write the points of missing passages, and remove stray ones."""
        collection = self.collection(part)
        for strays in _batches(differing.strays):
            self.nodes.remove(collection, {"must": [{"has_id": strays}]})
        if part == ASKED:
            missing = set(differing.missing)
            for _, made in self.known_questions(embedder):
                self.nodes.upsert(collection, [point for point in made if point["id"] in missing])
            return
        for numbers in _batches(differing.missing):
            self.nodes.upsert(collection, self._points_of(part, numbers, embedder))

    def _points_of(self, part: str, numbers: Sequence[int], embedder: Embedder | None) -> list[Point]:
        children = children_numbered(self.records, numbers)
        if part == WORDS:
            return [words.point_of(one, self.epoch) for one in self.staged(children)]
        if embedder is None:
            return []
        vectors = encode_passages(embedder, [one.header for one in children], [one.text for one in children])
        facets = [one.facets for one in children]
        return meanings.points_of([one.number for one in children], facets, vectors, self.epoch)

    def staged(self, children: Sequence[Child]) -> Iterator[StagedPassage]:
        """The passages with their terms counted; terms that the statistics do not know are left out."""
        with_terms = [(child, Counter(terms)) for child, terms in analysed(children)]
        known = self.statistics.frequencies(
            (body_field(child.language), term) for child, terms in with_terms for term in terms
        )
        for child, terms in with_terms:
            field = body_field(child.language)
            frequencies = {
                known[field, term].number: times for term, times in terms.items() if (field, term) in known
            }
            made_with = self.made_with(child.facets.jurisdiction, field)
            yield StagedPassage(child.number, field, child.facets, frequencies, terms.total(), made_with)


def _batches(items: Iterable[_Item]) -> Iterator[list[_Item]]:
    left = iter(items)
    while some := list(islice(left, _AT_ONCE)):
        yield some
