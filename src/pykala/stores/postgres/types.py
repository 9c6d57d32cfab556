"""Convert values for PostgreSQL as for SQLite, so that one statement serves both."""

from __future__ import annotations

from typing import Any

import psycopg
from psycopg.adapt import Buffer, Dumper
from psycopg.types.numeric import Int8Dumper
from psycopg.types.string import StrDumper


class _BoolAsNumber(Dumper):
    """Booleans are 0 and 1 in the records."""

    oid = psycopg.adapters.types["int4"].oid

    def dump(self, obj: bool) -> Buffer:
        """As a digit."""
        return b"1" if obj else b"0"


class _Text(StrDumper):
    """Text without NUL, which PostgreSQL cannot store."""

    def dump(self, obj: str) -> Buffer | None:
        """Replace NUL by U+FFFD."""
        return super().dump(obj.replace("\0", "\ufffd") if "\0" in obj else obj)


def prepare(driver: psycopg.Connection[Any]) -> None:
    """Register the converters with a connection."""
    driver.adapters.register_dumper(bool, _BoolAsNumber)
    driver.adapters.register_dumper(int, Int8Dumper)  # one type, so one prepared statement
    driver.adapters.register_dumper(str, _Text)
