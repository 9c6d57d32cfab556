"""Tells whether two libraries hold the same: every row of every table, with its number."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from pykala.stores.copying import _digest
from pykala.stores.embedded.copied import FolderSide
from pykala.stores.postgres.address import database_address
from pykala.stores.postgres.copied import DatabaseSide
from pykala.stores.record_tables import TABLES


def contents(library: Path | str) -> dict[str, tuple[int, str]]:
    """Table → how many rows it has, and their digest."""
    address = database_address(library)
    side = DatabaseSide(address, None, target=False) if address else FolderSide(Path(library), target=False)
    with closing(side):
        return {table.name: _digest(side, table) for table in TABLES} | {"": (0, side.facts()["content"])}
