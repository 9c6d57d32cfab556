"""Matters: documents, answers and an index of their own, for their members only.

    matters = Matters("postgresql://…")
    matters.add("acme/merger", embedder=embedder, roles=["law_server"], caller="jane")
    matters.join("acme/merger", "accounts", caller="jane")   # a key's name; "acme": all its matters
    matters.admits("acme/merger", "accounts")

A matter has tables of its own, which row security opens for no connection but those that name the matter, and
index files of its own: statistics of words that several shared would tell one what another wrote. It is read
beside the law under the address `postgresql://…?matter=acme/merger`. On a cluster its index is in PostgreSQL,
in its own tables: a matter is small, and what row security guards need not be guarded in Qdrant too.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from pykala.models.embedder import Embedder
from pykala.stores.cluster.configuration import records_address
from pykala.stores.opening import make_matter
from pykala.stores.postgres.address import split_index_folder, with_matter
from pykala.stores.postgres.connection import RESTING, PostgresConnection, Query, schema_of
from pykala.stores.postgres.generations import Generations
from pykala.stores.postgres.locking import take_library
from pykala.stores.postgres.migrations import require_current, version_of
from pykala.stores.postgres.remote_generations import generations_at
from pykala.stores.store import StoreError, StoreForbidden

REMEMBERED: Final = 10.0  # seconds that a server caches the members of a matter
_MOST_REMEMBERED: Final = 10_000
_LEAST_WAIT: Final = 30  # seconds that an erasure waits for work under way
_PART: Final = "[a-z0-9][a-z0-9._-]{0,62}"
_NAME: Final = re.compile(rf"{_PART}/{_PART}")
_ORGANISATION: Final = re.compile(_PART)
_ROLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_$]{0,62}")


@dataclass(frozen=True, slots=True)
class Matter:
    """A matter in a list."""

    name: str
    created_at: datetime
    closed_at: datetime | None
    kept_days: int | None
    members: tuple[str, ...]


class Matters:
    """The matters of one library."""

    def __init__(self, address: str, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._library = with_matter(address, "")
        self._address = str(records_address(self._library))
        self._records = PostgresConnection(split_index_folder(self._address)[0], writable=False)
        self._clock = clock
        self._admitted: dict[tuple[str, str], tuple[float, bool]] = {}
        try:
            require_current(self._records)
        except BaseException:
            self._records.close()
            raise

    def close(self) -> None:
        """Close the connection."""
        self._records.close()

    # for operators of the server

    def add(self, name: str, *, embedder: Embedder | None, roles: Sequence[str], caller: str) -> None:
        """Create a matter; the database `roles` may read and write it on behalf of its members."""
        if not _NAME.fullmatch(name):
            raise StoreError(
                f"{name!r} is no name of a matter; give organisation/matter in small letters, digits, . _ -"
            )
        if wrong := [role for role in roles if not _ROLE.fullmatch(role)]:
            raise StoreError(f"{wrong[0]!r} is no name of a role of the database")
        if self._row("SELECT 1 FROM matters WHERE name = ?", name):
            raise StoreError(f"there is a matter {name!r} already")
        for role in roles:
            if not self._row("SELECT 1 FROM pg_roles WHERE rolname = ?", role):
                raise StoreError(f"the database has no role {role!r}; make it with CREATE ROLE, then again")
        make_matter(self._library, name, embedder=embedder)
        self._grant(schema_of(name), roles)
        change = "INSERT INTO matters (name, tables) VALUES (?, ?)", (name, schema_of(name))
        self._note([change], "matter added", name, caller, matter=name)

    def _grant(self, schema: str, roles: Sequence[str]) -> None:
        for role in roles:
            self._records.run_script(
                f'GRANT USAGE ON SCHEMA {schema} TO "{role}";'
                f' GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA {schema} TO "{role}";'
                f' GRANT USAGE, SELECT, UPDATE ON ALL SEQUENCES IN SCHEMA {schema} TO "{role}";'
                f" ALTER DEFAULT PRIVILEGES IN SCHEMA {schema} GRANT SELECT, INSERT, UPDATE, DELETE"
                f' ON TABLES TO "{role}"; ALTER DEFAULT PRIVILEGES IN SCHEMA {schema}'
                f' GRANT USAGE, SELECT, UPDATE ON SEQUENCES TO "{role}"'
            )

    def join(self, place: str, holder: str, *, caller: str) -> None:
        """Add the owner of a key to a matter, or to every matter of an organisation."""
        if not self._row("SELECT 1 FROM matters WHERE name = ? OR starts_with(name, ? || '/')", place, place):
            raise StoreError(f"there is no matter {place!r}; 'pykala matters list' shows those that are")
        change = "INSERT INTO members (place, holder) VALUES (?, ?) ON CONFLICT DO NOTHING", (place, holder)
        self._note([change], "member joined", f"{holder} in {place}", caller, matter=place)

    def leave(self, place: str, holder: str, *, caller: str) -> None:
        """Remove a member; servers notice within seconds."""
        if not self._row("SELECT 1 FROM members WHERE place = ? AND holder = ?", place, holder):
            raise StoreError(f"{holder!r} does not belong to {place!r}; 'pykala matters list' shows who does")
        change = "DELETE FROM members WHERE place = ? AND holder = ?", (place, holder)
        self._note([change], "member left", f"{holder} in {place}", caller, matter=place)

    def listed(self) -> tuple[Matter, ...]:
        """Every matter, and its members."""
        found = self._records.execute(
            "SELECT name, created_at, closed_at, kept_days, (SELECT coalesce(array_agg(DISTINCT holder"
            " ORDER BY holder), '{}') FROM members WHERE place IN (name, split_part(name, '/', 1)))"
            " FROM matters ORDER BY name"
        )
        return tuple(
            Matter(name, made, closed, days, tuple(held)) for name, made, closed, days, held in found
        )

    def end(self, name: str, *, kept_days: int | None, caller: str) -> None:
        """Close a matter: nobody can read it; `retained` says how long it is still stored."""
        self._require(name)
        statement = "UPDATE matters SET closed_at = coalesce(closed_at, now()), kept_days = ? WHERE name = ?"
        self._note([(statement, (kept_days, name))], "matter closed", name, caller, matter=name)

    def erase(self, name: str, *, caller: str) -> None:
        """Erase a matter for good: rows, index files, originals, answers, and logged questions.

        The log keeps who did what and when, under a name that reveals nothing. It waits for servers that read
        the matter: two minutes at most, but for work that is under way. It is refused while somebody writes
        there. Other machines remove their copies of the index when they next look for a newer state
        (`postgres.copies`).
        """
        self._require(name)
        schema = schema_of(name)
        own = PostgresConnection(split_index_folder(with_matter(self._address, name))[0], writable=True)
        with closing(own):
            take_library(own, seconds=_LEAST_WAIT)  # who writes to it would leave files behind
            self._erase_index(name, own)
            # Nobody is let in any more, and who reads it is let go by the database (`connection.RESTING`).
            wait = f"SET LOCAL lock_timeout = '{RESTING + _LEAST_WAIT}s'"
            self._records.run_script(f"{wait}; DROP SCHEMA IF EXISTS {schema} CASCADE")
        anonymise = "UPDATE audit_log SET matter = ?, question = '', subject = '' WHERE matter = ?"
        changes = [
            ("DELETE FROM matters WHERE name = ?", (name,)),
            ("DELETE FROM members WHERE place = ?", (name,)),
            (anonymise, (schema, name)),
        ]
        self._note(changes, "matter erased", schema, caller, matter=schema)

    def _erase_index(self, name: str, own: PostgresConnection) -> None:
        for library, generations in self._generations(own).items():
            self._records.execute(
                "WITH closed AS (UPDATE matters SET closed_at = coalesce(closed_at, now()) WHERE name = ?)"
                " INSERT INTO erased_indexes (library) VALUES (?) ON CONFLICT DO NOTHING",
                (name, library),
            )
            generations.remove()

    def _generations(self, own: PostgresConnection) -> dict[str, Generations]:
        """The index of a matter, by the random name of its folder; none after an erasure that was cut off."""
        if version_of(own) == 0:  # an interrupted erasure has already dropped the tables
            return {}
        facts = dict(own.execute("SELECT key, value FROM meta").fetchall())
        named = split_index_folder(self._address)[1]
        if "library" not in facts:
            return {}
        library = facts["library"]
        return {library: generations_at(named or Path(facts["index_folder"]), library)}

    def retained(self) -> tuple[str, ...]:
        """Matters whose retention period is over."""
        found = self._records.execute(
            "SELECT name FROM matters WHERE closed_at + make_interval(days => kept_days) <= now()"
            " ORDER BY name"
        )
        return tuple(name for (name,) in found)

    # The server

    def admits(self, name: str, holder: str) -> bool:
        """Whether an owner of a key is a member of an open matter."""
        key, now = (name, holder), self._clock()
        known = self._admitted.get(key)
        if known is None or now - known[0] > REMEMBERED:
            if len(self._admitted) >= _MOST_REMEMBERED:
                self._admitted = {}
            known = self._admitted[key] = now, self._reads(name, holder)
        return known[1]

    def _reads(self, name: str, holder: str) -> bool:
        found = self._row(
            "SELECT 1 FROM matters JOIN members ON place IN (name, split_part(name, '/', 1))"
            " WHERE name = ? AND holder = ? AND closed_at IS NULL",
            name,
            holder,
        )
        if found:
            self._require_policies_to_hold()
        return found

    def _require_policies_to_hold(self) -> None:
        if self._row("SELECT 1 FROM pg_roles WHERE rolname = current_user AND (rolsuper OR rolbypassrls)"):
            raise StoreForbidden(
                "row security does not bind this user of the database (a superuser, or BYPASSRLS); serve"
                " matters as another one, made with CREATE ROLE"
            )

    def _require(self, name: str) -> None:
        if not self._row("SELECT 1 FROM matters WHERE name = ?", name):
            raise StoreError(f"there is no matter {name!r}; 'pykala matters list' shows those that are")

    def _row(self, statement: str, *values: object) -> bool:
        return self._records.execute(statement, values).fetchone() is not None

    def _note(self, changes: Sequence[Query], action: str, subject: str, caller: str, *, matter: str) -> None:
        """Make changes and log who made them, in one statement: both or neither."""
        self._admitted = {}
        parts = ", ".join(f"change_{at} AS ({change})" for at, (change, _) in enumerate(changes))
        self._records.execute(
            f"WITH {parts} INSERT INTO audit_log (caller, action, subject, matter) SELECT ?, ?, ?, ?",
            (*(value for _, values in changes for value in values), caller, action, subject, matter),
        )
