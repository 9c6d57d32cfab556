"""Tells whether two libraries hold the same, row by row, and whether two answers are the same."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

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


def differing(first: Any, second: Any, place: str = "") -> Iterator[str]:
    """Where two answers differ; scores may do so by a thousandth."""
    if is_dataclass(first) and type(first) is type(second):
        for field in fields(first):
            at = f"{place}.{field.name}"
            yield from differing(getattr(first, field.name), getattr(second, field.name), at)
    elif isinstance(first, tuple | list) and isinstance(second, tuple | list) and len(first) == len(second):
        for number, (one, other) in enumerate(zip(first, second, strict=True)):
            yield from differing(one, other, f"{place}[{number}]")
    elif isinstance(first, float) and isinstance(second, float):
        if abs(first - second) > 1e-3:
            yield f"{place}: {first} and {second}"
    elif first != second:
        yield f"{place}: {first!r:.200} and {second!r:.200}"
