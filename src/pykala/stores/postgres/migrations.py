"""Create and migrate the tables of a library in PostgreSQL by numbered files, in one transaction."""

from __future__ import annotations

import re
from contextlib import suppress
from importlib.resources import files
from typing import Final

from pykala.stores import old_findings
from pykala.stores.embedded import digests
from pykala.stores.postgres.address import shown, split_index_folder, with_matter
from pykala.stores.postgres.connection import PostgresConnection
from pykala.stores.postgres.locking import leave_library, take_library
from pykala.stores.store import StoreError, StoreForbidden, StoreIncompatible, StoreLocked

_FILE: Final = re.compile(r"(\d{4})_(\w+)\.sql")
_FINDINGS: Final = "findings"  # the migration that rewrites what versions hold
_SEEN: Final = (
    "SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = ?),"
    " EXISTS (SELECT FROM pg_tables WHERE schemaname = ? AND tablename = 'migrations'),"
    " EXISTS (SELECT FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE nspname = ?)"
)


def migrations() -> list[tuple[int, str, str]]:
    """Number, name and statements of every migration, in order."""
    return _read("sql")


def matter_migrations() -> list[tuple[int, str, str]]:
    """The migrations of a matter's tables: those of the law, and row security."""
    return [migrations()[0], *_read("sql/matter")]


def _read(folder: str) -> list[tuple[int, str, str]]:
    found = []
    for file in files(__package__).joinpath(folder).iterdir():
        if named := _FILE.fullmatch(file.name):
            found.append((int(named[1]), named[2], file.read_text(encoding="utf-8")))
    return sorted(found)


def _known(connection: PostgresConnection) -> list[tuple[int, str, str]]:
    return matter_migrations() if connection.matter else migrations()


def version_of(connection: PostgresConnection) -> int:
    """The number of the last applied migration; 0 where there is no library."""
    made, known, filled = connection.execute(_SEEN, (connection.schema,) * 3).fetchone() or (False,) * 3
    if made and filled and not known:
        raise StoreIncompatible(
            f"the schema '{connection.schema}' in {shown(connection.address)} holds tables of another"
            " program; name another database in the address"
        )
    if not known:
        return 0
    query = f"SELECT coalesce(max(number), 0) FROM {connection.schema}.migrations"
    row = connection.execute(query).fetchone()
    return int(row[0]) if row else 0


def require_current(connection: PostgresConnection) -> None:
    """Refuse a database without a library, or with tables of another version."""
    found, newest = version_of(connection), _known(connection)[-1][0]
    place = shown(connection.address)
    if found == 0 and connection.matter:
        raise StoreError(
            f"there is no matter {connection.matter!r} in {place}; 'pykala matters list' shows those that are"
        )
    if found == 0:
        raise StoreError(
            f"there is no library in {place}; make one with 'pykala ingest PACK --library ADDRESS',"
            " or 'pykala copy FOLDER ADDRESS'"
        )
    if found > newest:
        raise _too_new(place, found, newest)
    if found < newest:
        raise StoreIncompatible(
            f"the library in {place} has tables of version {found}, this version of pykala reads {newest};"
            " 'pykala stats --library ADDRESS' brings them up to date for whoever may write there"
        )


def connect_to_law(address: str) -> PostgresConnection:
    """Connect to the tables of the law, whatever matter the address names; refuse other versions of them."""
    connection = PostgresConnection(split_index_folder(with_matter(address, ""))[0], writable=False)
    try:
        require_current(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def migrate_matters(address: str) -> None:
    """Apply all missing migrations to the matters of a library, as far as this user may and nobody writes."""
    law = connect_to_law(address)
    try:
        made = law.execute("SELECT to_regclass(?)", (f"{law.schema}.matters",)).fetchone()
        names = law.execute("SELECT name FROM matters ORDER BY name").fetchall() if made and made[0] else []
    finally:
        law.close()
    for (name,) in names:
        own = PostgresConnection(split_index_folder(with_matter(address, name))[0], writable=True)
        try:
            with suppress(StoreForbidden, StoreLocked):
                bring_up_to_date(own)
        finally:
            own.close()


def bring_up_to_date(connection: PostgresConnection) -> None:
    """Apply all missing migrations to a library or a matter that is there."""
    if not is_older(connection):
        return
    take_library(connection)
    connection.execute("BEGIN")
    migrate(connection)
    connection.execute("COMMIT")
    leave_library(connection)


def is_older(connection: PostgresConnection) -> bool:
    """Whether a database holds a library with older tables."""
    return 0 < version_of(connection) < _known(connection)[-1][0]


def migrate(connection: PostgresConnection) -> int:
    """Apply all missing migrations in the open transaction; return how many."""
    found, known = version_of(connection), _known(connection)
    if found > known[-1][0]:
        raise _too_new(shown(connection.address), found, known[-1][0])
    if found == 0:
        connection.run_script(
            f"CREATE SCHEMA IF NOT EXISTS {connection.schema};"
            " CREATE TABLE migrations (number integer PRIMARY KEY, name text NOT NULL,"
            " applied_at timestamptz NOT NULL DEFAULT now())"
        )
    missed = [one for one in known if one[0] > found]
    for number, name, statements in missed:
        connection.run_script(statements)
        if found and name == _FINDINGS:
            digests.rewrite_facts(connection, old_findings.MARK, old_findings.rewritten)
        connection.execute("INSERT INTO migrations (number, name) VALUES (?, ?)", (number, name))
    return len(missed)


def _too_new(place: str, found: int, newest: int) -> StoreIncompatible:
    return StoreIncompatible(
        f"the library in {place} has tables of version {found}, this version of pykala knows {newest};"
        " install a newer pykala ('pip install -U pykala')"
    )
