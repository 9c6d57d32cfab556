"""Passages by their words, in PostgreSQL: a GIN index finds those that hold a term, sparse vectors rank them.

The weights in the sparse vectors use an average length that may have changed since. The best passages are
therefore scored again with the present average, from their term counts. No weight is off by more than the
average is, so it is known when no other passage can be among the best.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final

from pykala.stores.database.tables import DIMENSIONS, FACETS, WORDS, facets_of, passing
from pykala.stores.postgres.connection import PostgresConnection, Query
from pykala.stores.served.bm25 import K1, B, rounded_length
from pykala.stores.served.statistics import Lengths
from pykala.stores.served.word_search import SCORE_DIGITS, PlaceSearch, Scored, ServedWords
from pykala.stores.served.word_staging import FIELDS, CountedPassage, StagedPassage, WordsWriter
from pykala.stores.store import StoreError

DRIFT: Final = 0.02  # of the average length, before weights are computed again; more rows are read until then
_BEYOND: Final = 16  # passages beyond the limit that are scored again
_ROUNDED: Final = 1e-3  # the largest error of a sum in float32
_NORM: Final = f"({K1 * (1 - B)} + {K1 * B} * rounded / %s)"
_EXACT: Final = _NORM % "(CAST(? AS double precision[]))[field + 1]"
_BEST: Final = (
    "WITH near AS (SELECT passage, field, rounded, terms, frequencies,"
    " -(words <#> CAST(? AS sparsevec)) AS rough"
    f" FROM {WORDS} WHERE terms && CAST(? AS integer[]) AND {{condition}}"
    " ORDER BY rough DESC LIMIT ?)"
    " SELECT passage, rough, (SELECT sum(wanted.weight * frequency / (frequency +"
    f" {_EXACT})) FROM unnest(terms, frequencies) AS held (term, frequency)"
    " JOIN unnest(CAST(? AS integer[]), CAST(? AS double precision[])) AS wanted (term, weight)"
    " ON wanted.term = held.term) FROM near"
)
_GIVEN: Final = ("passage", *FACETS, "field", "length", "rounded")  # columns of numbers
_INSERT: Final = (
    f"INSERT INTO {WORDS} ({', '.join(_GIVEN)}, terms, frequencies, words)"
    f" SELECT {', '.join(_GIVEN)}, terms::integer[], frequencies::integer[], words::sparsevec FROM unnest("
    + ", ".join(["CAST(? AS bigint[])"] * len(_GIVEN) + ["CAST(? AS text[])"] * 3)
    + f") AS given ({', '.join(_GIVEN)}, terms, frequencies, words)"
)
_WEIGH: Final = (
    f"UPDATE {WORDS} SET words = (SELECT ('{{' || coalesce(string_agg(term || ':' || frequency / (frequency +"
    f" {_NORM % 'CAST(? AS double precision)'}), ','), '') || '}}/{DIMENSIONS}')::sparsevec"
    " FROM unnest(terms, frequencies) AS held (term, frequency)) WHERE jurisdiction = ? AND field = ?"
)


Rows = Sequence[tuple[Any, ...]]


def sparse(weights: Sequence[tuple[int, float]]) -> str:
    """Weights of terms as pgvector reads them."""
    return f"{{{','.join(f'{term}:{weight!r}' for term, weight in weights)}}}/{DIMENSIONS}"


class DatabaseWords(ServedWords):
    """The words of one state."""

    def __init__(self, records: PostgresConnection, *, passages: int) -> None:
        super().__init__(records, passages=passages)
        self._records = records
        self._lengths = self._statistics.lengths()
        self._statistics.passages()  # read both once per state, not with the first question

    def queries(self, searches: Sequence[PlaceSearch]) -> list[Query]:
        """The statement of each search; `found` reads their rows."""
        return [self._query(one, one.limit + _BEYOND) for one in searches]

    def _found(self, searches: Sequence[PlaceSearch]) -> list[Scored]:
        return self.found(searches, self._records.together(self.queries(searches)))

    def found(self, searches: Sequence[PlaceSearch], first: Sequence[Rows]) -> list[Scored]:
        """The results of each search; more rows are requested where the first ones do not decide."""
        fetch = {at: one.limit + _BEYOND for at, one in enumerate(searches)}
        found: list[Scored] = [[] for _ in searches]
        came = first
        while fetch:
            for (at, most), rows in zip(list(fetch.items()), came, strict=True):
                limit = searches[at].limit
                scored = sorted(
                    ((passage, round(score, SCORE_DIGITS)) for passage, _, score in rows),
                    key=lambda hit: (-hit[1], hit[0]),
                )
                unseen = min((rough for _, rough, _ in rows), default=0.0) * self._drift(searches[at])
                if len(rows) < most or unseen + _ROUNDED < scored[limit - 1][1]:
                    found[at] = scored[:limit]
                    del fetch[at]
                else:
                    fetch[at] *= 4
            if fetch:
                came = self._records.together([self._query(searches[at], n) for at, n in fetch.items()])
        return found

    def _query(self, one: PlaceSearch, most: int) -> Query:
        weights = list(one.weights.items())
        terms, vector = [term for term, _ in weights], sparse(weights)
        condition, values = passing(one.filter)
        return _BEST.format(condition=condition), [
            *(vector, terms, *values, most),
            [self._average(one.jurisdiction, field) for field in FIELDS],
            *(terms, [weight for _, weight in weights]),
        ]

    def _average(self, place: int, field: str) -> float:
        """The average length of today."""
        known = self._lengths.get((place, field))
        passages = self._statistics.passages().get(place, 0)
        return max(known.terms / passages, 1e-9) if known and passages else 1.0

    def _drift(self, one: PlaceSearch) -> float:
        """The largest factor by which a passage's present weight may exceed its stored weight."""
        made = ((self._lengths.get((one.jurisdiction, field)), field) for field in FIELDS)
        ratios = (self._average(one.jurisdiction, field) / known.average for known, field in made if known)
        return max((1.0, *ratios))


class DatabaseWordsWriter(WordsWriter):
    """Writes the words of the next state, in the writer's transaction."""

    def __init__(self, records: PostgresConnection) -> None:
        super().__init__(records, drift=DRIFT)
        self._records = records

    def _take_out(self, works: Collection[int] | None) -> None:
        if works is None:
            self._records.execute(f"DELETE FROM {WORDS}")
        else:
            self._records.execute(f"DELETE FROM {WORDS} WHERE work = ANY(?)", (sorted(works),))

    def _of_works(self, works: Collection[int]) -> Iterator[CountedPassage]:
        rows = self._records.execute(
            f"SELECT jurisdiction, field, terms, length FROM {WORDS} WHERE work = ANY(?)", (sorted(works),)
        )
        for place, field, terms, length in rows:
            yield CountedPassage(place, FIELDS[field], terms, length)

    def _write(self, passages: Sequence[StagedPassage]) -> None:
        rows = [_row(one) for one in passages]
        self._records.execute(_INSERT, [list(column) for column in zip(*rows, strict=True)])

    def _weigh(self, jurisdiction: int, field: str, before: Lengths, now: Lengths) -> None:
        self._records.execute(_WEIGH, (now.average, jurisdiction, FIELDS.index(field)))

    def _require(self, passages: int) -> None:
        row = self._records.execute(f"SELECT count(*) FROM {WORDS}").fetchone()
        if row and row[0] != passages:
            raise StoreError(
                f"the index holds {row[0]:,} passages and its statistics {passages:,}; nothing was published."
                " 'pykala reindex' writes both from the records"
            )


def _row(one: StagedPassage) -> tuple[Any, ...]:
    terms = list(one.frequencies.items())
    return (
        *(
            one.passage,
            *facets_of(one.facets),
            FIELDS.index(one.field),
            one.length,
            rounded_length(one.length),
        ),
        f"{{{','.join(str(term) for term, _ in terms)}}}",
        f"{{{','.join(str(frequency) for _, frequency in terms)}}}",
        sparse(list(one.weights().items())),
    )
