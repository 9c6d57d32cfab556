"""Draw provisions that stand on a day, of each jurisdiction, to be read by a person.

    python -m bench.standing_draw LIBRARY [--as-of 2026-11-16] [--draw 200] [--seed 17]

One line a provision: where it is, its title, its days, what the library doubts, and how its words begin. What
stands around the law (notes, headings, recitals, clauses), words that an amending act gave to another and
words under 25 characters are not drawn.
"""

from __future__ import annotations

import argparse
import json
import random
import sqlite3
from collections.abc import Iterator
from datetime import date
from pathlib import Path

from pykala.law.messages import Message
from pykala.law.provisions import APPARATUS, ProvisionKind
from pykala.text.phrases import tell

_AROUND = {
    *APPARATUS,
    ProvisionKind.WORK,
    ProvisionKind.PART,
    ProvisionKind.CHAPTER,
    ProvisionKind.DIVISION,
    ProvisionKind.HEADING,
    ProvisionKind.RECITAL,
    ProvisionKind.FOOTNOTE,
}
_SHORTEST = 25
_TRIES = 100  # for each provision wanted, before a jurisdiction is taken to have no more


def spans(records: sqlite3.Connection) -> dict[str, list[tuple[int, int]]]:
    """The ranges of versions of each jurisdiction."""
    found: dict[str, list[tuple[int, int]]] = {}
    query = (
        "SELECT w.key, min(v.id), max(v.id) FROM versions v JOIN documents d ON d.id = v.document"
        " JOIN works w ON w.id = d.work GROUP BY v.document ORDER BY v.document"
    )
    for work, first, last in records.execute(query):
        found.setdefault(work.partition(":")[0], []).append((first, last))
    return found


def drawn(
    records: sqlite3.Connection, ranges: list[tuple[int, int]], day: date, wanted: int, seed: int
) -> Iterator[str]:
    """Lines of provisions that stand on a day."""
    chance = random.Random(seed)
    weights = [last - first + 1 for first, last in ranges]
    query = (
        "SELECT w.key, n.path, d.language, d.title, v.kind, v.text, v.valid_from, v.valid_to, v.event,"
        " v.facts, v.document, v.parent"
        " FROM versions v JOIN documents d ON d.id = v.document JOIN works w ON w.id = d.work"
        " JOIN nodes n ON n.id = v.node WHERE v.id = ?"
    )
    left = wanted
    for _ in range(wanted * _TRIES):
        first, last = chance.choices(ranges, weights)[0]
        row = records.execute(query, (chance.randint(first, last),)).fetchone()
        if row is None:
            continue
        work, path, language, title, kind, text, start, end, event, facts, document, parent = row
        if (
            kind in _AROUND
            or event == "repealed"
            or len(text) < _SHORTEST
            or not start <= day.toordinal() < end
            or _is_record(records, document, parent)
        ):
            continue
        findings = json.loads(facts).get("findings", ()) if facts else ()
        doubts = "; ".join(tell("en", Message.from_plain(one)) for one in findings)
        since = date.fromordinal(start).isoformat() if start > 1 else "?"
        yield f"{work}/{path} [{language}] {title[:60]} | {since} | {doubts} | {' '.join(text.split())[:170]}"
        left -= 1
        if not left:
            return


def _is_record(records: sqlite3.Connection, document: int, parent: int) -> bool:
    """Whether a provision lies in words that an amending act gave: they are law in the act it changed."""
    while parent:
        query = "SELECT kind, parent FROM versions WHERE document = ? AND position = ?"
        kind, parent = records.execute(query, (document, parent)).fetchone()
        if kind in APPARATUS:
            return True
    return False


def main() -> None:
    """Print the lines of each jurisdiction."""
    parser = argparse.ArgumentParser()
    parser.add_argument("library", type=Path)
    parser.add_argument("--as-of", type=date.fromisoformat, default=date(2026, 11, 16))
    parser.add_argument("--draw", type=int, default=200)
    parser.add_argument("--seed", type=int, default=17)
    told = parser.parse_args()
    records = sqlite3.connect(f"{(told.library / 'library.db').resolve().as_uri()}?mode=ro", uri=True)
    for jurisdiction, ranges in spans(records).items():
        for number, line in enumerate(drawn(records, ranges, told.as_of, told.draw, told.seed)):
            print(jurisdiction, number, line)


if __name__ == "__main__":
    main()
