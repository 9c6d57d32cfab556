"""Erase a person: all that belongs to the owner of a key, or to a user who signs in.

    with closing(Persons("postgresql://…")) as persons:
        persons.erase("jane", caller="admin")

What is gone: answers in every matter, matters that nobody else belongs to (with uploads, index and
originals), memberships, keys, and what was asked. In the log, one random pseudonym takes the place of the
name in every line, so that lines, their order, and which of them are of one person stay as they were.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from pykala.stores.cluster.configuration import records_address
from pykala.stores.matters import Matters
from pykala.stores.postgres.address import split_index_folder, with_matter
from pykala.stores.postgres.connection import PostgresConnection
from pykala.stores.postgres.keys import ERASED
from pykala.stores.postgres.migrations import connect_to_law
from pykala.stores.store import StoreError

#: Keys stay as rows without a name or hash: a server whose last key went would admit everybody.
_KEYS: Final = (
    "UPDATE api_keys SET name = ?, digest = sha256(uuid_send(gen_random_uuid())),"
    " revoked_at = coalesce(revoked_at, now()) WHERE name = ? RETURNING 1"
)
_LOG: Final = (
    "UPDATE audit_log SET caller = CASE WHEN caller = ? THEN ? ELSE caller END,"
    " question = CASE WHEN caller = ? THEN '' ELSE question END,"
    " subject = CASE WHEN starts_with(action, 'key ') AND subject = ? THEN ?"
    " WHEN starts_with(action, 'member ') AND starts_with(subject, ? || ' in ')"
    " THEN ? || substr(subject, length(?) + 1) ELSE subject END"
    " WHERE caller = ? OR (starts_with(action, 'key ') AND subject = ?)"
    " OR (starts_with(action, 'member ') AND starts_with(subject, ? || ' in ')) RETURNING 1"
)


@dataclass(frozen=True, slots=True)
class Belongings:
    """What a person has: counts, and the matters that nobody else belongs to."""

    keys: int
    memberships: int
    log_lines: int
    answers: int
    own_matters: tuple[str, ...]

    @property
    def is_empty(self) -> bool:
        """Whether nothing is known of the person."""
        return not (self.keys or self.memberships or self.log_lines or self.answers)


class Persons:
    """The persons of one library, by the names of keys (`jane`) and of users (`user:jane`)."""

    def __init__(self, library: str) -> None:
        self._address = str(records_address(with_matter(library, "")))
        self._records = connect_to_law(self._address)
        try:
            self._matters = Matters(library)
        except BaseException:
            self._records.close()
            raise

    def close(self) -> None:
        """Close the connections."""
        self._matters.close()
        self._records.close()

    def belongings(self, name: str) -> Belongings:
        """The counts of what `erase` would remove."""
        row = self._records.execute(
            "SELECT (SELECT count(*) FROM api_keys WHERE name = ?), (SELECT count(*) FROM members"
            " WHERE holder = ?), (SELECT count(*) FROM audit_log WHERE caller = ?)",
            (name, name, name),
        ).fetchone()
        listed = self._matters.listed()
        answers = sum(
            self._in_matter(one.name, "SELECT count(*) FROM answer_records WHERE caller = ?", name)
            for one in listed
        )
        own = tuple(one.name for one in listed if one.members == (name,))
        keys, memberships, lines = row or (0, 0, 0)
        return Belongings(keys, memberships, lines, answers, own)

    def erase(self, name: str, *, keep_matters: bool = False, caller: str) -> Belongings:
        """Erase a person for good; return what was removed. An interrupted erasure is run again.

        `keep_matters` keeps matters that nobody else belongs to; answers in them are erased all the same.
        """
        found = self.belongings(name)
        if not name.strip() or name.startswith(ERASED) or found.is_empty:
            raise StoreError(
                f"nothing here belongs to {name!r}; 'pykala keys list' and 'pykala matters list' show names,"
                " and those of people who sign in begin with 'user:'"
            )
        for own in () if keep_matters else found.own_matters:
            self._matters.erase(own, caller=caller)
        for one in self._matters.listed():
            self._in_matter(
                one.name,
                "WITH gone AS (DELETE FROM answer_records WHERE caller = ? RETURNING 1)"
                " SELECT count(*) FROM gone",
                name,
            )
        self._forget(name, caller)
        return found

    def _forget(self, name: str, caller: str) -> None:
        """Take the name out of keys, memberships and log, in one statement: all or nothing."""
        pseudonym = f"{ERASED}{secrets.token_hex(8)}"
        told = pseudonym if caller == name else caller
        self._records.execute(
            f"WITH keys AS ({_KEYS}), places AS (DELETE FROM members WHERE holder = ? RETURNING 1),"
            f" lines AS ({_LOG})"
            " INSERT INTO audit_log (caller, action, subject) SELECT ?, 'person erased', ?",
            (
                *(pseudonym, name, name),
                *(name, pseudonym, name, name, pseudonym, name, pseudonym, name, name, name, name),
                *(told, pseudonym),
            ),
        )

    def ended(self, *, longer_than: timedelta) -> tuple[str, ...]:
        """Owners of keys of which every one ended, the last of them longer ago than that."""
        found = self._records.execute(
            "SELECT name FROM api_keys WHERE NOT starts_with(name, ?) GROUP BY name"
            " HAVING max(least(coalesce(revoked_at, 'infinity'), coalesce(expires_at, 'infinity')))"
            " <= now() - CAST(? AS interval) ORDER BY name",
            (ERASED, longer_than),
        )
        return tuple(name for (name,) in found)

    def _in_matter(self, matter: str, statement: str, name: str) -> int:
        """Run a statement that counts, on a connection of the matter: row security hides its rows else."""
        records = PostgresConnection(
            split_index_folder(with_matter(self._address, matter))[0], writable=False
        )
        try:
            row = records.execute(statement, (name,)).fetchone()
        finally:
            records.close()
        return int(row[0]) if row else 0
