"""Errors of PostgreSQL in one line with the next step; addresses are shown without passwords."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pykala.stores.postgres.address import HIDDEN, redacted, secrets_of, shown
from pykala.stores.store import StoreError, StoreForbidden, StoreFull, StoreIncompatible, StoreLocked

if TYPE_CHECKING:
    import psycopg

MISSING_EXTRA: Final = "a library in PostgreSQL needs the extra 'postgres': pip install 'pykala[postgres]'"


def told(address: str, error: psycopg.Error) -> StoreError:
    """Convert an error of the driver to one of the store."""
    place, said = shown(address), redacted(" ".join(str(error).split()))
    for secret in secrets_of(address):  # the driver may quote an address that it could not parse
        said = said.replace(secret, HIDDEN)
    code = error.sqlstate or ""
    if code in ("28P01", "28000") or "password authentication failed" in said:
        return StoreForbidden(f"{place} refused the user or the password; check both in the address")
    if code == "3D000" or ("database" in said and "does not exist" in said):
        return StoreError(
            f"there is no such database: {place}; make it with 'createdb', then run the command again"
        )
    if code == "42501":
        return StoreForbidden(
            f"this user may not do that in {place} ({said}); its owner can GRANT CREATE ON DATABASE to a"
            " writer, and GRANT USAGE ON SCHEMA pykala and SELECT ON ALL TABLES IN SCHEMA pykala to a reader"
        )
    if code in ("53100",):
        return StoreFull(
            f"the disk of {place} is full; what was published before is safe."
            " Free some space and run the command again: it goes on where it stopped"
        )
    if code == "25006":
        return StoreForbidden(f"{place} takes no writes now (a replica, or read-only); write to its primary")
    if code == "55P03":
        return StoreLocked(f"what this changes is still being read in {place}; run the command again later")
    if code in ("42P01", "42703"):
        return StoreIncompatible(
            f"the tables in {place} are not those of a library of this version ({said});"
            " restore them from a backup, or copy the library into a new database ('pykala copy')"
        )
    if not code or code[:2] in ("08", "57"):
        return StoreError(
            f"the database at {place} could not be reached or ended the connection ({said});"
            " check the address and that the server runs, then run the command again"
        )
    return StoreError(f"the database at {place} could not do that: {said}")
