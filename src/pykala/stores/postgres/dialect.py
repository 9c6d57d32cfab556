"""Translate the record statements, written for SQLite, to PostgreSQL.

Both stores read and write with the same statements. Few things differ in PostgreSQL; a statement that these
rules cannot translate is written so that both engines understand it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

#: SQLite's form → PostgreSQL's form.
_PHRASES: Final = (
    ("BEGIN IMMEDIATE", "BEGIN"),
    (
        "json_extract(nullif(versions.facts, ''), '$.source_act')",
        "(nullif(versions.facts, '')::jsonb ->> 'source_act')",
    ),
    ("json_group_array(DISTINCT act)", "json_agg(DISTINCT act)::text"),
    ("SELECT value FROM json_each(:events)", "SELECT json_array_elements_text(CAST(:events AS json))"),
    ("SELECT 1 FROM sqlite_master WHERE name = 'digests'", "SELECT 1"),  # every database has the table
    ("instr(works.key, ':')", "strpos(works.key, ':')"),
    # Indexed rows of the journal are deleted, except for the newest, which numbers the state.
    (
        "SELECT seq FROM sqlite_sequence WHERE name = 'journal'",
        "SELECT seq FROM journal ORDER BY seq DESC LIMIT 1",
    ),
)
_NAMED: Final = re.compile(r"(?<![:\w]):([a-z_]+)")
_RESERVED: Final = re.compile(r'(?<![.\w"])(end|offset)(?![\w"])')  # in small letters: columns, not keywords
_IGNORE: Final = re.compile(r"^INSERT OR IGNORE INTO")
_INSERT: Final = re.compile(
    r"^INSERT INTO (?P<table>\w+)(?: \((?P<columns>[^)]*)\))? VALUES \((?P<values>[?, ]+)\)$"
)
_NUMBERED: Final = frozenset({"names", "works", "documents"})  # tables whose new row number is returned


_LIST: Final = re.compile(r" IN \((\?(?:, \?)*)\)$")
_VALUES: Final = re.compile(r"^(WITH wanted \([^)]*\) AS \()VALUES (\([?, ]+\))(?:, \([?, ]+\))*\)")


def condensed(statement: str, parameters: Sequence[Any]) -> tuple[str, Sequence[Any]]:
    """Replace a list of values by an array, so that the statement is planned once."""
    if listed := _LIST.search(statement):
        if listed[1].count("?") == len(parameters):
            return f"{statement[: listed.start()]} = ANY(?)", [list(parameters)]
    elif table := _VALUES.match(statement):
        width = table[2].count("?")
        if len(parameters) % width == 0:
            columns = [list(parameters[at::width]) for at in range(width)]
            made = f"{table[1]}SELECT * FROM unnest({', '.join('?' * width)}))"
            return made + statement[table.end() :], columns
    return statement, parameters


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement for PostgreSQL; `table` and `columns` are set where it only inserts rows."""

    text: str
    table: str = ""
    columns: tuple[str, ...] = ()
    values: int = 0
    numbered: bool = False  # whether it returns the number of the inserted row


@lru_cache(maxsize=1_024)
def translated(statement: str) -> Statement:
    """Translate a record statement to PostgreSQL."""
    inserted = _INSERT.match(statement)
    text = statement.replace("%", "%%")
    for ours, theirs in _PHRASES:
        text = text.replace(ours, theirs)
    if _IGNORE.match(text):
        text = _IGNORE.sub("INSERT INTO", text) + " ON CONFLICT DO NOTHING"
    text = _NAMED.sub(r"%(\1)s", _RESERVED.sub(r'"\1"', text)).replace("?", "%s")
    if inserted is None:
        return Statement(text)
    columns = tuple(name.strip(' "') for name in (inserted["columns"] or "").split(",") if name.strip())
    numbered = inserted["table"] in _NUMBERED and bool(columns) and columns[0] != "id"
    return Statement(
        f"{text} RETURNING id" if numbered else text,
        inserted["table"],
        columns,
        inserted["values"].count("?"),
        numbered,
    )
