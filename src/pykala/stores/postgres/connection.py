"""A connection to the records in PostgreSQL, used like one to SQLite.

Errors are raised as errors of the store: what happened, what to do, and no password. Bulk inserts use `COPY`.
A reader keeps one transaction open, and with it one state. If its connection is lost, it reconnects, and
continues only if the state is still the same.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final, TypeVar

from pykala.stores.exchanges import Exchanges
from pykala.stores.postgres.address import shown, split_matter
from pykala.stores.postgres.dialect import Statement, condensed, translated
from pykala.stores.postgres.facts import PUBLISHED
from pykala.stores.postgres.failures import MISSING_EXTRA, told
from pykala.stores.store import StoreError, StoreIncompatible

if TYPE_CHECKING:
    import psycopg

    Driver = psycopg.Connection[tuple[Any, ...]]

SCHEMA_NAME: Final = "pykala"
OLDEST: Final = 15  # the oldest version of PostgreSQL that serves
_CONNECT_SECONDS: Final = 10
_SNAPSHOT: Final = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
_STATE: Final = f"SELECT value FROM meta WHERE key = '{PUBLISHED}'"
_BATCH: Final = 1_000
#: How long a reader of a matter may rest in its transaction. The database then ends the connection, which the
#: reader makes anew when it is needed: else a server that once read a matter would keep it from being erased.
RESTING: Final = 120
#: A writer rests between its turns for as long as reading takes, and holds its jurisdiction all the while.
#: Where its machine is gone, the database notices within two minutes and lets others in.
_KEPT_ALIVE: Final = (
    " -c idle_session_timeout=0 -c tcp_keepalives_idle=60 -c tcp_keepalives_interval=10"
    " -c tcp_keepalives_count=5"
)

Result = TypeVar("Result")
Query = tuple[str, Sequence[Any]]  # a statement and its values


class Rows:
    """The result of a statement."""

    def __init__(self, cursor: psycopg.Cursor[tuple[Any, ...]], *, numbered: bool = False) -> None:
        self._cursor = cursor
        self.rowcount = cursor.rowcount
        row = cursor.fetchone() if numbered else None
        self.lastrowid: int | None = row[0] if row else None

    def fetchone(self) -> tuple[Any, ...] | None:
        """The next row."""
        return self._cursor.fetchone() if self._cursor.description else None

    def fetchall(self) -> list[tuple[Any, ...]]:
        """All rows that are left."""
        return self._cursor.fetchall() if self._cursor.description else []

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return iter(self.fetchall())


class RowsRead(Rows):
    """The result of a statement that was sent with others."""

    def __init__(self, rows: list[tuple[Any, ...]]) -> None:
        self.rowcount, self.lastrowid = len(rows), None
        self._left = iter(rows)

    def fetchone(self) -> tuple[Any, ...] | None:
        """The next row."""
        return next(self._left, None)

    def fetchall(self) -> list[tuple[Any, ...]]:
        """All rows that are left."""
        return list(self._left)


class PostgresConnection:
    """A connection to one library; a `writable` one never reconnects, as unpublished work is lost."""

    def __init__(self, address: str, *, writable: bool) -> None:
        self.address, self.matter = split_matter(address)
        self.schema = schema_of(self.matter)
        self.writable = writable
        self.round_trips = 0  # counted for the benchmarks
        self.state: str | None = None  # the published state that a reader is on
        self._columns: dict[str, tuple[str, ...]] = {}
        self._connecting = threading.Lock()
        self._sending = (
            threading.RLock()
        )  # other threads' statements must not come between those sent together
        self.exchanges = Exchanges(lambda queries: self._tried(lambda: self._run_together(queries)))
        self._driver = self._connected()

    # used by the record modules

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open, even a failed one."""
        from psycopg.pq import TransactionStatus

        return self._driver.info.transaction_status not in (
            TransactionStatus.IDLE,
            TransactionStatus.UNKNOWN,
        )

    @property
    def is_closed(self) -> bool:
        """Whether the connection was closed, or is known to be lost."""
        return self._driver.closed

    def execute(self, statement: str, parameters: Sequence[Any] | Mapping[str, Any] = ()) -> Rows:
        """Run one statement."""
        if not isinstance(parameters, Mapping):
            statement, parameters = condensed(statement, parameters)
        wanted = translated(statement)
        if self.exchanges.inside:
            (rows,) = self.exchanges.rows_of([(wanted.text.encode(), parameters)])
            return RowsRead(rows)
        return self._tried(lambda: Rows(self._run(wanted, parameters), numbered=wanted.numbered))

    def together(self, queries: Sequence[Query]) -> list[list[tuple[Any, ...]]]:
        """Send several queries together, in one round trip; return their rows."""
        return self.exchanges.rows_of(
            [(translated(statement).text.encode(), values) for statement, values in queries]
        )

    def at_once(self, reads: Sequence[Callable[[], Result]]) -> list[Result]:
        """Run reads that need nothing of each other; what each needs next is sent together."""
        return [read() for read in reads] if self.writable else self.exchanges.run(reads)

    def executemany(self, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run a statement for many rows; plain inserts are copied."""
        wanted = translated(statement)
        rows = list(rows)  # the iterator may query the database, which is impossible during a COPY
        if not rows:
            return
        with self._failures():
            if wanted.table and "ON CONFLICT" not in wanted.text:
                self._copy(wanted.table, self._columns_of(wanted), rows)
                return
            self.round_trips += 1
            with self._driver.cursor() as cursor:
                cursor.executemany(wanted.text.encode(), rows)

    def reserve(self, table: str, count: int) -> int:
        """Reserve numbers for new rows of a table from its sequence; return the first."""
        row = self.execute(
            "SELECT setval(name, nextval(name) + ? - 1) - ? + 1"
            " FROM (SELECT CAST(pg_get_serial_sequence(?, 'id') AS regclass) AS name) AS sequence",
            (max(count, 1), max(count, 1), table),
        ).fetchone()
        assert row is not None
        return int(row[0])

    def run_script(self, statements: str) -> None:
        """Run several statements, such as those of a migration."""
        self.round_trips += 1
        with self._failures():
            self._driver.execute(statements.encode())

    def close(self) -> None:
        """Close the connection; the server rolls back an open transaction."""
        self._driver.close()

    # States

    def take_snapshot(self) -> str | None:
        """Start reading the newest state, in one round trip; return its number or None."""
        before, self.state = self.state, None  # a lost connection is made anew, whatever was read before
        try:
            self.state = self._tried(self._take_snapshot)
        except BaseException:
            self.state = before
            raise
        return self.state

    def _take_snapshot(self) -> str | None:
        self.round_trips += 1
        with self._driver.cursor() as cursor:
            cursor.execute(f"ROLLBACK; {_SNAPSHOT}; {_STATE}".encode())
            while cursor.nextset():
                pass
            row = cursor.fetchone()
        return row[0] if row else None

    def stream(self, query: str) -> Iterator[tuple[Any, ...]]:
        """The rows of a query in batches, so that large tables need little memory."""
        with self._failures(), self._driver.cursor(name="pykala_stream") as cursor:
            cursor.itersize = _BATCH
            yield from cursor.execute(query.encode())

    # How

    def _run(
        self, wanted: Statement, parameters: Sequence[Any] | Mapping[str, Any]
    ) -> psycopg.Cursor[tuple[Any, ...]]:
        self.round_trips += 1
        with self._sending:
            return self._driver.execute(wanted.text.encode(), parameters)

    def _run_together(self, wanted: Sequence[tuple[bytes, Any]]) -> list[list[tuple[Any, ...]]]:
        import psycopg

        with self._sending:
            if len(wanted) > 1 and psycopg.Pipeline.is_supported():
                self.round_trips += 1
                with self._driver.pipeline():
                    cursors = [self._driver.execute(*one) for one in wanted]
            else:  # one query, or a libpq older than 14
                self.round_trips += len(wanted)
                cursors = [self._driver.execute(*one) for one in wanted]
        return [cursor.fetchall() if cursor.description else [] for cursor in cursors]

    def _copy(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
        self.round_trips += 1
        names = ", ".join(f'"{name}"' for name in columns)
        if self.matter:  # COPY does not work under row security
            values = ", ".join(["%s"] * len(columns))
            with self._driver.cursor() as cursor:
                cursor.executemany(f"INSERT INTO {table} ({names}) VALUES ({values})".encode(), rows)
            return
        statement = f"COPY {table} ({names}) FROM STDIN"
        with self._driver.cursor() as cursor, cursor.copy(statement.encode()) as copy:
            for row in rows:
                copy.write_row(row)

    def _columns_of(self, wanted: Statement) -> tuple[str, ...]:
        if wanted.columns:
            return wanted.columns
        if wanted.table not in self._columns:
            found = self._driver.execute(
                "SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0"
                " AND NOT attisdropped ORDER BY attnum",
                (wanted.table,),
            ).fetchall()
            self._columns[wanted.table] = tuple(name for (name,) in found)
        return self._columns[wanted.table][: wanted.values]

    def _tried(self, run: Callable[[], Result]) -> Result:
        """Run; where a reader's connection was lost, reconnect and run again."""
        import psycopg

        driver = self._driver
        try:
            return run()
        except psycopg.Error as error:
            if self.writable or not driver.broken:
                raise told(self.address, error) from None
        with self._failures():
            with self._connecting:
                if self._driver is driver:  # no other thread has done so
                    self._connect_anew()
            return run()

    def _connect_anew(self) -> None:
        before = self.state
        self._driver.close()
        self._driver = self._connected()
        if before is None:
            return
        now = self._take_snapshot()
        if now != before:
            with suppress(Exception):
                self._driver.rollback()
            raise StoreError(
                "the connection to the database was lost, and the library has moved on meanwhile; ask again"
            )

    def _connected(self) -> Driver:
        if self.writable:
            return connect_driver(self.address, self.schema, options=_KEPT_ALIVE)
        return connect_driver(self.address, self.schema, resting=RESTING if self.matter else 0)

    @contextmanager
    def _failures(self) -> Iterator[None]:
        import psycopg

        try:
            yield
        except psycopg.Error as error:
            raise told(self.address, error) from None


def schema_of(matter: str) -> str:
    """The schema of the law or of a matter; it does not reveal the matter's name."""
    if not matter:
        return SCHEMA_NAME
    return f"{SCHEMA_NAME}_matter_{blake2b(matter.encode(), digest_size=10).hexdigest()}"


def connect_driver(address: str, schema: str = SCHEMA_NAME, *, resting: int = 0, options: str = "") -> Driver:
    """Connect to a database. Raises StoreError, which says what to do, without the password.

    `resting` is how many seconds it may rest in a transaction before the database ends it; 0 for ever.
    `options` are further settings of the connection.
    """
    try:
        import psycopg
    except ImportError as error:
        raise StoreError(MISSING_EXTRA) from error
    from pykala.stores.postgres.types import prepare

    try:
        driver = psycopg.connect(
            address,
            autocommit=True,  # statements begin transactions, as with SQLite
            connect_timeout=_CONNECT_SECONDS,
            application_name="pykala",
            # The owner setting opens the rows of a matter (`sql/matter`). It is fixed for the whole
            # connection, so that no statement can run without it. JIT compilation would take longer than any
            # statement.
            options=f"-c search_path={schema} -c pykala.owner={schema}"
            f" -c idle_in_transaction_session_timeout={1000 * resting} -c jit=off{options}",
            client_encoding="utf8",
        )
    except psycopg.Error as error:
        raise told(address, error) from None
    version = driver.info.server_version // 10_000
    if version < OLDEST:
        driver.close()
        raise StoreIncompatible(
            f"the PostgreSQL at {shown(address)} is of version {version}; a library needs {OLDEST} or newer:"
            " upgrade the server, or name another one"
        )
    prepare(driver)
    return driver
