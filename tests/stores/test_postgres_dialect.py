"""Statements written for SQLite, as PostgreSQL takes them: a table of cases."""

from __future__ import annotations

import pytest

from pykala.stores.postgres.dialect import condensed, translated


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("SELECT id FROM works WHERE key = ?", "SELECT id FROM works WHERE key = %s"),
        ("SELECT 1 WHERE x = :work", "SELECT 1 WHERE x = %(work)s"),
        ("SELECT a::text FROM b", "SELECT a::text FROM b"),
        ("SELECT start, end FROM refs", 'SELECT start, "end" FROM refs'),
        ("SELECT children.end, CASE WHEN 1 THEN 2 END", "SELECT children.end, CASE WHEN 1 THEN 2 END"),
        ("SELECT k LIKE 'a%'", "SELECT k LIKE 'a%%'"),
        ("INSERT OR IGNORE INTO places VALUES (?)", "INSERT INTO places VALUES (%s) ON CONFLICT DO NOTHING"),
        ("BEGIN IMMEDIATE", "BEGIN"),
    ],
)
def test_a_statement(ours: str, theirs: str) -> None:
    assert translated(ours).text == theirs


def test_rows_that_are_only_inserted_can_be_copied() -> None:
    plain = translated("INSERT INTO nodes VALUES (?, ?, ?)")
    assert (plain.table, plain.columns, plain.values) == ("nodes", (), 3)
    named = translated('INSERT INTO refs (work, "end") VALUES (?, ?)')
    assert (named.table, named.columns) == ("refs", ("work", "end"))
    assert translated("INSERT INTO names (value) VALUES (?)").text.endswith("RETURNING id")
    assert not translated("INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO NOTHING").table


@pytest.mark.parametrize(
    ("ours", "values", "theirs", "given"),
    [
        ("SELECT 1 WHERE a IN (?, ?)", [1, 2], "SELECT 1 WHERE a = ANY(?)", [[1, 2]]),
        ("SELECT 1 WHERE b = ? AND a IN (?)", [1, 2], "SELECT 1 WHERE b = ? AND a IN (?)", [1, 2]),
        (
            "WITH wanted (a, b) AS (VALUES (?, ?), (?, ?)) SELECT 1",
            [1, "x", 2, "y"],
            "WITH wanted (a, b) AS (SELECT * FROM unnest(?, ?)) SELECT 1",
            [[1, 2], ["x", "y"]],
        ),
    ],
)
def test_lists_become_arrays(ours: str, values: list[object], theirs: str, given: list[object]) -> None:
    assert condensed(ours, values) == (theirs, given)
