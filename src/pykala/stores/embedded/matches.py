"""Read the passages that an index found: their places at once, the words of each when they are asked for.

A question finds a thousand passages and reads two dozen. Reading the words of all of them took more time than
finding them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any, TypeAlias

from pykala.law.provisions import ProvisionKind
from pykala.law.standing import UNKNOWN, Standing
from pykala.stores.connection import Connection
from pykala.stores.embedded import rows
from pykala.stores.embedded.reading import select_in
from pykala.stores.embedded.standing import Standings
from pykala.stores.store import Match
from pykala.stores.values import PassageWords, Words

Scored: TypeAlias = Sequence[tuple[int, float]]  # children by number, best first
#: From a child's number to the header and text of its parent.
ReadWords: TypeAlias = Callable[[int], tuple[str, str]]

#: What a match is made of (`_match_at`).
PLACE = (
    "children.id, works.key, inner_node.path, section_node.path, names.value, documents.language,"
    " children.start, children.end, passages.offset, passages.valid_from, passages.valid_to,"
    " works.authority, passages.node, works.id"
)
#: These are the last columns of their table: what stands before them is read without them.
WORDS = "header, passages.text"
_PLACE_COLUMNS = len(PLACE.split(","))
#: The numbers of its section and work.
_NUMBERS = slice(_PLACE_COLUMNS - 2, _PLACE_COLUMNS)
JOINED = (
    "JOIN passages ON passages.id = children.passage"
    " JOIN documents ON documents.id = passages.document JOIN works ON works.id = documents.work"
    " JOIN nodes AS inner_node ON inner_node.id = children.node"
    " JOIN nodes AS section_node ON section_node.id = passages.node JOIN names ON names.id = children.kind"
)
_KINDS = {kind.value: kind for kind in ProvisionKind}


class Passages:
    """The passages that several searches found, read at once."""

    def __init__(
        self,
        standings: Standings,
        found: Sequence[tuple[Any, ...]],
        languages: Mapping[int, tuple[str, ...]],
        read: ReadWords,
    ) -> None:
        """Take rows of `PLACE`; `languages` are those that each work is held in."""
        self._rows: dict[int, tuple[Any, ...]] = {row[0]: row for row in found}
        self._stands = standings.of(list({row[_NUMBERS] for row in found}))
        self._languages, self._read = languages, read

    def of(self, scored: Scored) -> tuple[Match, ...]:
        """Passages in the given order and with the given scores; removed ones are left out."""
        return tuple(self._match(number, score) for number, score in scored if number in self._rows)

    def _match(self, number: int, score: float) -> Match:
        row = self._rows[number]
        stands = self._stands.get(row[_NUMBERS], UNKNOWN)
        return _match_at(row, score, stands, self._languages[row[_PLACE_COLUMNS - 1]], self._read)


def read_passages(
    connection: Connection,
    standings: Standings,
    scored: Iterable[Scored],
    read_later: ReadWords | None = None,
) -> Passages:
    """Read what some searches found, each passage once.

    `read_later` is asked for the words of those that are read; without it, all words are read here.
    """
    query = f"SELECT {PLACE} FROM children {JOINED} WHERE children.id IN"
    numbers = {number for number, _ in chain.from_iterable(scored)}
    found = list(select_in(connection, query, numbers))
    read = read_later or dict(_words_of_all(connection, numbers)).__getitem__
    return Passages(standings, found, _languages(connection, {row[-1] for row in found}), read)


def read_words(connection: Connection, number: int) -> tuple[str, str]:
    """The header and text of a child's parent."""
    return dict(_words_of_all(connection, [number]))[number]


def _words_of_all(connection: Connection, numbers: Iterable[int]) -> Iterator[tuple[int, tuple[str, str]]]:
    query = (
        f"SELECT children.id, {WORDS} FROM children JOIN passages ON passages.id = children.passage"
        " WHERE children.id IN"
    )
    return ((number, (header, parent)) for number, header, parent in select_in(connection, query, numbers))


def _languages(connection: Connection, works: set[int]) -> dict[int, tuple[str, ...]]:
    """The languages that works are held in."""
    held: dict[int, list[str]] = {}
    for work, language in select_in(connection, "SELECT work, language FROM documents WHERE work IN", works):
        held.setdefault(work, []).append(language)
    return {work: tuple(sorted(languages)) for work, languages in held.items()}


def _match_at(
    row: tuple[Any, ...], score: float, standing: Standing, languages: tuple[str, ...], read: ReadWords
) -> Match:
    number, work, inner, section, kind, language, start, end, offset, since, until, rank, _, _ = row
    return Match(
        passage=number,
        score=score,
        provision=rows.provision_id(work, inner),
        section=rows.provision_id(work, section),
        kind=_KINDS[kind],
        work=rows.work_id(work),
        language=language,
        words=PassageWords(partial(_words_of, number, start, end, read), some=end > start),
        start=offset + start,
        validity=rows.interval(since, until),
        authority=rank,
        standing=standing,
        languages=languages,
    )


def _words_of(number: int, start: int, end: int, read: ReadWords) -> Words:
    header, parent = read(number)
    return Words(header, parent[start:end], parent)
