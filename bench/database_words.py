"""BM25 in PostgreSQL in two ways: GIN with sparse vectors, as a library has it, and a table of postings.

    python -m bench.database_words --library LIBRARY --place ca --most 30000

The passages of a place are read from a library's folder and written in both ways; then the packs' questions
are searched in both, in turn, with the filters of a real question (place, day). Printed: milliseconds, bytes,
and whether both give the same first sixty.
"""

from __future__ import annotations

import argparse
import sqlite3
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from datetime import date
from pathlib import Path
from statistics import median
from typing import Any, cast

from pykala.evaluate.sets import pack_set, read_set
from pykala.packs.pack import pack_for
from pykala.stores.database.store import DatabaseStore
from pykala.stores.database.tables import WORDS, make_tables, passing
from pykala.stores.database.words import DatabaseWords, DatabaseWordsWriter
from pykala.stores.embedded.facets import FacetFilter, Facets
from pykala.stores.postgres.connection import PostgresConnection
from pykala.stores.served.bm25 import K1, B
from pykala.stores.served.word_search import PlaceSearch, WordSearch
from pykala.stores.served.word_staging import FIELDS
from pykala.text.analysis import analyse

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

_LIMIT = 60
_DAY = date(2026, 1, 1).toordinal()
_POSTINGS = f"""
CREATE TABLE postings AS SELECT held.term, passage, held.frequency FROM {WORDS},
  unnest(terms, frequencies) AS held (term, frequency);
ALTER TABLE postings ADD PRIMARY KEY (term, passage);
ANALYZE postings, {WORDS};
"""
_BY_POSTINGS = (
    "SELECT * FROM (SELECT passage, sum(wanted.weight * frequency / (frequency +"
    f" {K1 * (1 - B)} + {K1 * B} * rounded / (CAST(? AS double precision[]))[field + 1])) AS score"
    " FROM unnest(CAST(? AS integer[]), CAST(? AS double precision[])) AS wanted (term, weight)"
    f" JOIN postings USING (term) JOIN {WORDS} USING (passage) WHERE {{condition}}"
    " GROUP BY passage) AS scored ORDER BY round(score * 10000) DESC, passage LIMIT ?"
)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--library", type=Path, required=True, help="a folder; it is only read")
    parser.add_argument("--place", default="ca")
    parser.add_argument("--most", type=int, default=30_000)
    options = parser.parse_args()
    from postgres_server import PostgresServer, missing

    if reason := missing():
        raise SystemExit(reason)
    with (
        tempfile.TemporaryDirectory(prefix="pykala-words-") as scratch,
        PostgresServer.started(Path(scratch) / "postgres") as server,
    ):
        small = Path(scratch) / "small"
        records = DatabaseStore.open_at(server.new_database(), writable=True, index_folder=small).records
        make_tables(records, 0)
        place, count = _load(records, options)
        records.run_script(_POSTINGS)
        records.run_script(f"SELECT gin_clean_pending_list('{WORDS}_by_term'); ANALYZE {WORDS}")
        words = DatabaseWords(records, passages=count)
        _compare(records, words, place, options.place)
        records.close()  # what was written is not published


def _load(records: PostgresConnection, options: argparse.Namespace) -> tuple[int, int]:
    writer, count = DatabaseWordsWriter(records), 0
    address = f"file:{options.library / 'library.db'}?mode=ro"
    with closing(sqlite3.connect(address, uri=True)) as library:
        (place,) = library.execute("SELECT id FROM names WHERE value = ?", (options.place,)).fetchone()
        rows = library.execute(
            "SELECT children.id, documents.language, header, substr(passages.text, children.start + 1,"
            " children.end - children.start), works.id, works.jurisdiction, names.id, works.kind,"
            " children.kind, passages.valid_from, passages.valid_to FROM works"
            " JOIN documents ON documents.work = works.id JOIN passages ON passages.document = documents.id"
            " JOIN children ON children.passage = passages.id JOIN names ON names.value = documents.language"
            " WHERE works.jurisdiction = ? LIMIT ?",
            (place, options.most),
        )
        for number, language, header, text, *facets in rows:
            writer.add(number, language, Facets(*facets), analyse(f"{header} {text}", language))
            count += 1
    writer.commit()
    return place, count


def _compare(records: PostgresConnection, words: DatabaseWords, place: int, code: str) -> None:
    filter = FacetFilter(day=_DAY, jurisdictions=frozenset({place}))
    times: dict[str, list[float]] = {"GIN and sparsevec": [], "table of postings": []}
    same = 0
    asked = read_set(pack_set(pack_for(code), sample=False))[:60]
    for one in asked:
        terms = {language: analyse(one.question, language) for language in ("en", "fr")}
        (search,) = [found for _, found in words.placed([WordSearch(terms, filter, _LIMIT, {})])] or (None,)
        if search is None:
            continue
        started = time.perf_counter()
        first = words._found([search])[0]
        times["GIN and sparsevec"].append(1000 * (time.perf_counter() - started))
        started = time.perf_counter()
        second = _by_postings(records, words, search)
        times["table of postings"].append(1000 * (time.perf_counter() - started))
        same += [number for number, _ in first] == [number for number, _ in second]
    sizes = {"GIN and sparsevec": f"{WORDS}", "table of postings": "postings"}
    print(f"| {len(words):,} passages, {len(asked)} questions | p50 ms | MB |\n|---|---|---|")
    for name, took in times.items():
        row = records.execute("SELECT pg_total_relation_size(CAST(? AS regclass))", (sizes[name],)).fetchone()
        print(f"| {name} | {median(took):.1f} | {cast(Any, row)[0] / 1e6:,.0f} |")
    print(f"\nThe same first {_LIMIT} in the same order: {same} of {len(times['GIN and sparsevec'])}.")


def _by_postings(
    records: PostgresConnection, words: DatabaseWords, one: PlaceSearch
) -> Sequence[tuple[int, float]]:
    condition, values = passing(one.filter)
    averages = [words._average(one.jurisdiction, field) for field in FIELDS]
    given = [averages, list(one.weights), list(one.weights.values()), *values, one.limit]
    (rows,) = records.together([(_BY_POSTINGS.format(condition=condition), given)])
    return cast(Sequence[tuple[int, float]], rows)


if __name__ == "__main__":
    main()
