"""How values go to PostgreSQL: as SQLite takes them, so that one statement serves both."""

from __future__ import annotations

from typing import Any

import psycopg
from psycopg.adapt import Buffer, Dumper
from psycopg.types.numeric import Int8Dumper
from psycopg.types.string import StrDumper


class _BoolAsNumber(Dumper):
    """Truth values are 0 and 1 in the records."""

    oid = psycopg.adapters.types["int4"].oid

    def dump(self, obj: bool) -> Buffer:
        """As a digit."""
        return b"1" if obj else b"0"


class _Text(StrDumper):
    """A text; PostgreSQL keeps no NUL, which no law has, and which some uploads do."""

    def dump(self, obj: str) -> Buffer | None:
        """With U+FFFD in the place of NUL."""
        return super().dump(obj.replace("\0", "\ufffd") if "\0" in obj else obj)


def prepare(driver: psycopg.Connection[Any]) -> None:
    """Let a connection take values as the record statements give them."""
    driver.adapters.register_dumper(bool, _BoolAsNumber)
    driver.adapters.register_dumper(int, Int8Dumper)  # one type for all numbers: one prepared statement
    driver.adapters.register_dumper(str, _Text)
