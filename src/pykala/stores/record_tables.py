"""The tables of the records, for every engine with tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Table:
    """A table: its columns, and its key columns."""

    name: str
    columns: tuple[str, ...]
    key: tuple[str, ...] = ("id",)


TABLES: Final = (
    Table("names", ("id", "value")),
    Table("items", ("item", "fingerprint", "work", "refusals", "paths"), ("item",)),
    Table("works", ("id", "key", "jurisdiction", "kind", "authority", "record")),
    Table("aliases", ("alias", "work"), ("alias", "work")),
    Table("places", ("alias", "node", "work"), ("alias", "node")),
    Table("documents", ("id", "work", "language", "title", "short_title", "translation", "manifestations")),
    Table("nodes", ("id", "work", "path", "unit", "container")),
    Table(
        "versions",
        (
            *("id", "document", "position", "last", "parent", "node", "kind", "label", "heading", "text"),
            *("valid_from", "valid_to", "event", "facts"),
        ),
    ),
    Table("terms", ("term", "language", "written", "node", "scope", "work", "rowid"), ("rowid",)),
    Table(
        "pairings",
        (
            *("work", "first", "first_language", "second", "second_language", "confidence", "method"),
            "rowid",
        ),
        ("rowid",),
    ),
    Table(
        "refs",
        (
            *("id", "work", "source", "kind", "target_work", "target_path", "alias", "text", "language"),
            *("method", "start", "end", "valid_from", "valid_to", "reverse", "reason"),
        ),
    ),
    Table(
        "edges",
        ("source_unit", "kind", "target_unit", "source", "target", "ref", "valid_from", "valid_to"),
        ("source_unit", "kind", "target_unit", "source", "target", "ref"),
    ),
    Table(
        "passages",
        ("id", "document", "node", "ordinal", "offset", "valid_from", "valid_to", "header", "text"),
    ),
    Table("children", ("id", "passage", "start", "end", "node", "kind")),
)
#: The content hashes of works; a folder of an older version has no such table.
HASHES: Final = Table("digests", ("work", "versions", "passages", "rest"), ("work",))
#: Tables whose numbers are never reused, and the journal, which numbers the states.
NUMBERED: Final = ("names", "works", "documents", "nodes", "versions", "refs", "passages", "children")
