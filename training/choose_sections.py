"""Choose the sections that questions are still to be written for: the most cited, over many acts.

    python -m training.choose_sections LIBRARY --jurisdiction ca --kinds act --count 3000 --out chosen.jsonl

A section weighs the logarithm of its citations and of its act's; every section already chosen from the same
act makes the next one of it weigh less. Sections with questions, notes,
headings, amending articles and sections that only name, define or commence an act are passed over.
"""

from __future__ import annotations

import argparse
import heapq
import json
import re
import sqlite3
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from math import log1p
from pathlib import Path
from typing import Final

from pykala.law.provisions import ProvisionKind
from pykala.law.references import EdgeKind
from pykala.passages.header import SEPARATOR
from pykala.stores.embedded.rows import EDGE_NUMBERS
from training.written import name_of, read_written

AS_OF: Final = date(2026, 11, 15)
#: What another section of the same act costs, beside its logarithm.
CROWDING: Final = 1.2
_SHORTEST, _LONGEST = 90, 700  # characters: too little to ask about, and as much as a writer is shown
_CITING = (EdgeKind.CITES, EdgeKind.APPLIES, EdgeKind.INTERPRETS, EdgeKind.EXCEPTS)
_ASKABLE = (
    ProvisionKind.SECTION,
    ProvisionKind.ARTICLE,
    ProvisionKind.SUBSECTION,
    ProvisionKind.ITEM,
    ProvisionKind.HEADING,
    ProvisionKind.REASONS,
    ProvisionKind.HEADNOTE,
    ProvisionKind.FLUSH,
)
_IDLE = re.compile(
    r"\b(?:short title|citation|definitions?|interpretation|coming into force|commencement|repeal(?:ed|s)?"
    r"|amendments?|regulations|transitional|consequential|entry into force|addressees|transposition"
    r"|voimaantulo\w*|siirtymäsäännö\w*|määritelm\w*|soveltamisala|tarkemmat säännökset"
    r"|asetuksenantovaltuus)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Chosen:
    """A section to write for: what a writer sees of it, and how often it is cited."""

    id: str
    language: str
    header: str
    text: str
    cited: int
    free: bool  # whether its text may be trained on


def sections(connection: sqlite3.Connection, place: str, kinds: list[str], language: str) -> Iterator[Chosen]:
    """Sections in force with their citations, in one language."""
    numbers = ",".join(str(EDGE_NUMBERS[kind]) for kind in _CITING)
    cited = {
        unit: (count, works)
        for unit, count, works in connection.execute(
            "SELECT e.target_unit, COUNT(*), COUNT(DISTINCT n.work) FROM edges e"
            f" JOIN nodes n ON n.id = e.source WHERE e.kind IN ({numbers}) GROUP BY e.target_unit"
        )
    }
    names = dict(connection.execute("SELECT value, id FROM names"))
    wanted = ",".join(str(names[kind]) for kind in kinds if kind in names)
    askable = {names[kind.value] for kind in _ASKABLE if kind.value in names}
    day = AS_OF.toordinal()
    rows = connection.execute(
        "SELECT w.key, n.path, p.node, p.header, p.text, d.manifestations, c.kind FROM works w"
        " JOIN documents d ON d.work = w.id JOIN passages p ON p.document = d.id"
        " JOIN nodes n ON n.id = p.node JOIN children c ON c.passage = p.id AND c.start = 0"
        f" WHERE w.jurisdiction = ? AND w.kind IN ({wanted}) AND d.language = ? AND p.ordinal = 0"
        " AND p.valid_from <= ? AND p.valid_to > ?",
        (names[place], language, day, day),
    )
    for key, path, node, header, text, manifestations, kind in rows:
        heading = header.rpartition(SEPARATOR)[2]
        if len(text) < _SHORTEST or kind not in askable or _IDLE.search(heading):
            continue
        count, works = cited.get(node, (0, 0))
        free = "semantic-finlex" not in manifestations and "json-ld" not in manifestations
        yield Chosen(f"{key}/{path}", language, header, text[:_LONGEST], count + works, free)


def choose(found: list[Chosen], count: int, taken: set[str]) -> list[Chosen]:
    """The heaviest, each act in turn."""
    acts: dict[str, list[Chosen]] = {}
    for one in found:
        if name_of(one.text) not in taken:
            acts.setdefault(one.header.partition(SEPARATOR)[0], []).append(one)
    for own in acts.values():
        own.sort(key=lambda one: one.cited)
    known = {act: log1p(sum(one.cited for one in own)) for act, own in acts.items()}
    held: Counter[str] = Counter()
    waiting = [(-log1p(own[-1].cited) - known[act], act) for act, own in acts.items()]
    heapq.heapify(waiting)
    chosen: list[Chosen] = []
    while waiting and len(chosen) < count:
        _, act = heapq.heappop(waiting)
        chosen.append(acts[act].pop())
        held[act] += 1
        if acts[act]:
            heapq.heappush(
                waiting, (CROWDING * log1p(held[act]) - log1p(acts[act][-1].cited) - known[act], act)
            )
    return chosen


def main() -> None:
    """Write the chosen sections, one JSON object a line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("library", type=Path)
    parser.add_argument("--jurisdiction", required=True)
    parser.add_argument("--kinds", nargs="+", required=True)
    parser.add_argument("--language", default="en")
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument(
        "--free", choices=("yes", "no"), help="only texts that may, or may not, be trained on"
    )
    parser.add_argument("--out", type=Path, required=True)
    asked = parser.parse_args()
    taken = {one.section for one in read_written()}
    connection = sqlite3.connect(f"file:{asked.library / 'library.db'}?mode=ro", uri=True)
    found = list(sections(connection, asked.jurisdiction, asked.kinds, asked.language))
    if asked.free:
        found = [one for one in found if one.free == (asked.free == "yes")]
    chosen = choose(found, asked.count, taken)
    with asked.out.open("w", encoding="utf-8") as file:
        for one in chosen:
            row = [one.id, one.language, one.header, one.text, one.cited, one.free]
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
    acts = {one.header.partition(SEPARATOR)[0] for one in chosen}
    print(f"{len(chosen):,} of {len(found):,} sections, from {len(acts):,} acts")


if __name__ == "__main__":
    main()
