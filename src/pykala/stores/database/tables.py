"""The tables of the index: passages with their words and vectors, and the filters over them.

They change in the writer's transaction, so that a reader's snapshot has the records and index of one state.
Never truncate, drop or alter these tables: a reader keeps its transaction open, and would block the writer.
"""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

from pykala.stores.embedded.facets import FacetFilter, Facets
from pykala.stores.postgres.address import shown
from pykala.stores.postgres.connection import PostgresConnection
from pykala.stores.store import StoreError, StoreIncompatible

if TYPE_CHECKING:
    from pykala.stores.postgres.connection import Driver

WORDS: Final = "index_words"
MEANING: Final = "index_meaning"
ASKED: Final = "index_asked"
FACETS: Final = (
    *("work", "jurisdiction", "language", "work_kind", "provision_kind", "valid_from", "valid_to"),
)
DIMENSIONS: Final = 1_000_000_000  # of sparse word vectors: an upper bound on the number of terms
_LEAST: Final = (0, 7)  # the least version of pgvector, with sparse and float16 vectors
_IN_ROW: Final = 3_500  # dimensions of a vector that fits into its row

_COLUMNS: Final = (
    "passage bigint PRIMARY KEY, work bigint NOT NULL, jurisdiction bigint NOT NULL,"
    " language bigint NOT NULL, work_kind bigint NOT NULL, provision_kind bigint NOT NULL,"
    " valid_from integer NOT NULL, valid_to integer NOT NULL"
)
#: `rounded` is the length that BM25 uses; `words` are the weights, computed with the average length at that
#: time.
_WORDS_TABLE: Final = f"""
CREATE TABLE {WORDS} ({_COLUMNS}, field smallint NOT NULL, length integer NOT NULL, rounded integer NOT NULL,
  terms integer[] NOT NULL, frequencies integer[] NOT NULL, words sparsevec NOT NULL);
CREATE INDEX {WORDS}_by_work ON {WORDS} (work);
CREATE INDEX {WORDS}_by_field ON {WORDS} (jurisdiction, field);
CREATE INDEX {WORDS}_by_term ON {WORDS} USING gin (terms);
"""
EXTENSION = "vector"
#: The schema of the extension. It is not that of the law's tables: a matter's search path includes it, and
#: must find no table there.
_OWN_SPACE: Final = "pykala_vector"
_SPACE: Final = (
    "SELECT nspname, extversion FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace"
    " WHERE extname = ?"
)


class DatabaseConnection(PostgresConnection):
    """A connection that knows the types of pgvector, wherever in the database it was installed."""

    def _connected(self) -> Driver:
        driver = super()._connected()
        row = driver.execute(_SPACE.replace("?", "%s").encode(), (EXTENSION,)).fetchone()
        if row and row[0] != self.schema:
            driver.execute(f'SET search_path = {self.schema}, "{row[0]}"'.encode())
        return driver


def make_tables(records: PostgresConnection, dimension: int) -> None:
    """Create missing tables and the extension; both need a right that a server's role may lack."""
    missing = [name for name in (WORDS, MEANING, ASKED) if not _exists(records, name)]
    require_vectors(records)  # also for a writer that connected before another one installed it
    if WORDS in missing:
        records.run_script(_WORDS_TABLE)
    for name in missing:
        if name != WORDS:
            records.run_script(
                f"CREATE TABLE {name} ({_COLUMNS}, meaning halfvec NOT NULL);"
                f" CREATE INDEX {name}_by_work ON {name} (work)"
            )
            if dimension <= _IN_ROW:
                records.run_script(f"ALTER TABLE {name} ALTER COLUMN meaning SET STORAGE PLAIN")


def secure_tables(records: PostgresConnection) -> None:
    """Close the new tables of a matter to every connection but its own."""
    if records.matter:
        policies = files("pykala.stores.postgres").joinpath("sql/matter/0003_row_security.sql")
        records.run_script(policies.read_text(encoding="utf-8"))


def require_vectors(records: PostgresConnection) -> None:
    """Require pgvector, or say how to install it."""
    place = shown(records.address)
    if records.execute(_SPACE, (EXTENSION,)).fetchone() is None:
        known = records.execute(
            "SELECT 1 FROM pg_available_extensions WHERE name = ?", (EXTENSION,)
        ).fetchone()
        if known is None:
            raise StoreError(
                f"the server of {place} has no pgvector; install it there (https://github.com/pgvector/pgvector),"
                " or keep the index in files: leave 'index=database' out of the address"
            )
        records.run_script(
            f"CREATE SCHEMA IF NOT EXISTS {_OWN_SPACE}; GRANT USAGE ON SCHEMA {_OWN_SPACE} TO PUBLIC;"
            f" CREATE EXTENSION {EXTENSION} SCHEMA {_OWN_SPACE}"
        )
    space, version = records.execute(_SPACE, (EXTENSION,)).fetchone() or ("", "0")
    if tuple(int(part) for part in version.split(".")[:2]) < _LEAST:
        raise StoreIncompatible(
            f"pgvector in {place} is of version {version}, and 0.7 is needed; install it and run"
            " 'ALTER EXTENSION vector UPDATE'"
        )
    if space != records.schema:
        records.run_script(f'SET search_path = {records.schema}, "{space}"')


def _exists(records: PostgresConnection, table: str) -> bool:
    row = records.execute("SELECT to_regclass(?) IS NOT NULL", (f"{records.schema}.{table}",)).fetchone()
    return bool(row and row[0])


def facets_of(facets: Facets) -> tuple[int, ...]:
    """The columns of a passage, in the order of `FACETS`."""
    return tuple(getattr(facets, name) for name in FACETS)


def passing(filter: FacetFilter) -> tuple[str, list[Any]]:
    """A filter as a condition over the columns, with its values."""
    conditions: list[str] = []
    values: list[Any] = []

    def must(condition: str, *given: Any) -> None:
        conditions.append(condition)
        values.extend(given)

    for name, wanted in filter.chosen():
        must(f"{name} = ANY(CAST(? AS bigint[]))", sorted(wanted))
    if filter.kinds is not None:
        kinds = sorted(filter.kinds)
        must(
            "(work_kind = ANY(CAST(? AS bigint[])) OR provision_kind = ANY(CAST(? AS bigint[])))",
            kinds,
            kinds,
        )
    if filter.day is not None:
        must("valid_from <= ? AND valid_to > ?", filter.day, filter.day)
    if filter.without:
        must("NOT provision_kind = ANY(CAST(? AS bigint[]))", sorted(filter.without))
    return " AND ".join(conditions) or "true", values
