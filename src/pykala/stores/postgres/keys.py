"""API keys in the database: hashed, with rights, expiry and time of last use.

    ring = KeyRing("postgresql://…")
    key = ring.add("accounts", {"read", "upload"}, expires_at=None)   # shown once, kept nowhere
    ring.holder(key)                                                  # who that is, or None

A key is 256 random bits, so that its SHA-256 gives nothing away. Every server asks the database, and
remembers what it was told for some seconds: a key that is revoked is refused everywhere by then.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from pykala.stores.postgres.migrations import connect_to_law
from pykala.stores.store import StoreError, StoreForbidden

REMEMBERED: Final = 10.0  # seconds for which a server caches an answer
USER: Final = "user:"  # prefix of the names of users who sign in with their own token
ERASED: Final = "erased:"  # prefix of the pseudonyms of persons who were erased
_NOTED: Final = 60.0  # seconds after which the last use is recorded again
_MARK: Final = "pyk_"  # so that secret scanners recognise a key
_ALIVE: Final = "revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())"
_MOST_REMEMBERED: Final = 10_000


@dataclass(frozen=True, slots=True)
class Holder:
    """The owner of a key, and its rights."""

    number: int
    name: str
    rights: frozenset[str]


@dataclass(frozen=True, slots=True)
class KeyRecord:
    """A key in a list: everything but the key itself."""

    number: int
    name: str
    rights: frozenset[str]
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None
    last_used_at: datetime | None


class KeyRing:
    """The keys of one library."""

    def __init__(self, address: str, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._records = connect_to_law(address)
        self._clock = clock
        self._remembered: dict[bytes, tuple[float, Holder | None]] = {}
        self._noted: dict[int, float] = {}
        self._guarded: tuple[float, bool] | None = None

    def close(self) -> None:
        """Close the connection."""
        self._records.close()

    # for operators of the server

    def add(self, name: str, rights: Collection[str], *, expires_at: datetime | None, caller: str) -> str:
        """Create a key; it is returned once and stored nowhere."""
        if not name.strip() or not rights:
            raise StoreError("a key needs a name and at least one right")
        if name.startswith(USER):  # otherwise its owner could pass for the user of that name
            raise StoreError(f"names that begin with {USER!r} are those of people who sign in; give another")
        if name.startswith(ERASED):
            raise StoreError(f"names that begin with {ERASED!r} are those of erased persons; give another")
        key = f"{_MARK}{secrets.token_urlsafe(32)}"
        self._change(
            "WITH made AS (INSERT INTO api_keys (name, digest, rights, expires_at) VALUES (?, ?, ?, ?)"
            " RETURNING name) INSERT INTO audit_log (caller, action, subject)"
            " SELECT ?, 'key added', name FROM made",
            (name, _digest(key), ",".join(sorted(rights)), expires_at, caller),
        )
        return key

    def rotate(self, name: str, *, grace: timedelta, caller: str) -> str:
        """Create a new key with the same name and rights; the old ones expire after a grace period."""
        alive = [one for one in self.listed() if one.name == name and self._lives(one.number)]
        if not alive:
            raise StoreError(f"no key of the name {name!r} is in use; 'pykala keys list' shows them")
        newest = alive[-1]
        lifetime = newest.expires_at - newest.created_at if newest.expires_at else None
        key = self.add(name, newest.rights, expires_at=_from_now(self._now(), lifetime), caller=caller)
        for one in alive:
            self._change(
                "UPDATE api_keys SET expires_at = least(coalesce(expires_at, 'infinity'),"
                " CAST(? AS timestamptz)) WHERE id = ?",
                (self._now() + grace, one.number),
            )
        return key

    def revoke(self, name: str, *, caller: str) -> int:
        """Revoke every key of a name; return how many."""
        rows = self._change(
            "WITH ended AS (UPDATE api_keys SET revoked_at = now()"
            f" WHERE name = ? AND {_ALIVE} RETURNING name), told AS (INSERT INTO audit_log"
            " (caller, action, subject) SELECT ?, 'key revoked', name FROM ended) SELECT count(*) FROM ended",
            (name, caller),
        )
        if not rows:
            raise StoreError(f"no key of the name {name!r} is in use; 'pykala keys list' shows them")
        return rows

    def listed(self) -> tuple[KeyRecord, ...]:
        """Every key ever created, in order."""
        found = self._records.execute(
            "SELECT id, name, rights, created_at, expires_at, revoked_at, last_used_at FROM api_keys"
            " ORDER BY id"
        )
        return tuple(
            KeyRecord(number, name, frozenset(rights.split(",")), *times)
            for number, name, rights, *times in found
        )

    # The server

    @property
    def is_guarded(self) -> bool:
        """Whether a key was ever created: from then on, requests need one."""
        if self._guarded is None or self._clock() - self._guarded[0] > REMEMBERED:
            row = self._records.execute("SELECT EXISTS (SELECT FROM api_keys)").fetchone()
            self._guarded = self._clock(), bool(row and row[0])
        return self._guarded[1]

    def holder(self, key: str) -> Holder | None:
        """The owner of a key; None where it is unknown, expired or revoked."""
        digest, now = _digest(key), self._clock()
        known = self._remembered.get(digest)
        if known is None or now - known[0] > REMEMBERED:
            if len(self._remembered) >= _MOST_REMEMBERED:
                self._remembered = {}
            known = self._remembered[digest] = now, self._read(digest)
        if known[1] is not None:
            self._note_use(known[1].number, now)
        return known[1]

    def _read(self, digest: bytes) -> Holder | None:
        row = self._records.execute(
            f"SELECT id, name, rights FROM api_keys WHERE digest = ? AND {_ALIVE}", (digest,)
        ).fetchone()
        return Holder(row[0], row[1], frozenset(row[2].split(","))) if row else None

    def _note_use(self, number: int, now: float) -> None:
        if now - self._noted.get(number, -_NOTED) >= _NOTED:
            self._noted[number] = now
            with suppress(StoreForbidden):  # a server with a read-only role
                self._records.execute("UPDATE api_keys SET last_used_at = now() WHERE id = ?", (number,))

    def _lives(self, number: int) -> bool:
        query = f"SELECT 1 FROM api_keys WHERE id = ? AND {_ALIVE}"
        return self._records.execute(query, (number,)).fetchone() is not None

    def _now(self) -> datetime:
        row = self._records.execute("SELECT now()").fetchone()
        assert row is not None
        now: datetime = row[0]
        return now

    def _change(self, statement: str, values: tuple[object, ...]) -> int:
        self._remembered = {}
        self._guarded = None
        row = self._records.execute(statement, values).fetchone()
        return int(row[0]) if row else 0


def _digest(key: str) -> bytes:
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).digest()


def _from_now(now: datetime, lifetime: timedelta | None) -> datetime | None:
    return now + lifetime if lifetime is not None else None
