"""Read the passages that an index found."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any

from pykala.law.provisions import ProvisionKind
from pykala.law.standing import UNKNOWN, Standing
from pykala.stores.embedded import rows
from pykala.stores.embedded.reading import select_in
from pykala.stores.embedded.standing import Standings
from pykala.stores.store import Match


def read_matches(
    connection: sqlite3.Connection,
    scored: Sequence[tuple[int, float]],
    standings: Standings,
) -> tuple[Match, ...]:
    """Passages by number, in the given order; those that a newer state removed are left out."""
    query = (
        "SELECT children.id, works.key, inner_node.path, section_node.path, names.value, documents.language,"
        " header, substr(passages.text, children.start + 1, children.end - children.start), passages.text,"
        " passages.offset + children.start, passages.valid_from, passages.valid_to, works.authority,"
        " passages.node, works.id"
        " FROM children JOIN passages ON passages.id = children.passage"
        " JOIN documents ON documents.id = passages.document JOIN works ON works.id = documents.work"
        " JOIN nodes AS inner_node ON inner_node.id = children.node"
        " JOIN nodes AS section_node ON section_node.id = passages.node"
        " JOIN names ON names.id = children.kind WHERE children.id IN"
    )
    found = {row[0]: row for row in select_in(connection, query, [number for number, _ in scored])}
    stands = standings.of(list({row[-2:] for row in found.values()}))
    spoken = _languages(connection, {row[-1] for row in found.values()})
    matches = []
    for number, score in scored:
        if number in found:
            row = found[number]
            matches.append(match_from(row[:-2], score, stands.get(row[-2:], UNKNOWN), spoken[row[-1]]))
    return tuple(matches)


def _languages(connection: sqlite3.Connection, works: set[int]) -> dict[int, tuple[str, ...]]:
    """The languages that works are held in."""
    held: dict[int, list[str]] = {}
    for work, language in select_in(connection, "SELECT work, language FROM documents WHERE work IN", works):
        held.setdefault(work, []).append(language)
    return {work: tuple(sorted(languages)) for work, languages in held.items()}


def match_from(row: tuple[Any, ...], score: float, standing: Standing, languages: tuple[str, ...]) -> Match:
    """A match from the columns of its passage, its parent and its work."""
    number, work, inner, section, kind, language, header, text, parent, start, since, until, rank = row
    return Match(
        passage=number,
        score=score,
        provision=rows.provision_id(work, inner),
        section=rows.provision_id(work, section),
        kind=ProvisionKind(kind),
        work=rows.work_id(work),
        language=language,
        header=header,
        text=text,
        parent_text=parent,
        start=start,
        validity=rows.interval(since, until),
        authority=rank,
        standing=standing,
        languages=languages,
    )
