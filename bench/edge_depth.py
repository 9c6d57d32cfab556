"""How deep a library's edges lead: `python -m bench.edge_depth LIBRARY` prints a Markdown table.

For every kind of edge, how many end at a whole work, at a container (a part, a chapter), at a section or an
article, and below one; and every reference that leads nowhere, by kind and reason.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from pykala.stores.embedded.store import EmbeddedStore

DEPTHS = ("work", "container", "section", "below a section")
SECTIONS = {"sec", "art", "rct", "head", "headnote"}


def depth_of(path: str) -> str:
    """Where a target stands in its work."""
    if not path:
        return "work"
    kinds = [step.partition("_")[0] for step in path.split("/")]
    at = next((place for place, kind in enumerate(kinds) if kind in SECTIONS), None)
    if at is None:
        return "container"
    return "section" if at == len(kinds) - 1 else "below a section"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("library", type=Path)
    options = parser.parse_args()
    found: Counter[tuple[str, str]] = Counter()
    unresolved: Counter[tuple[str, str]] = Counter()
    with EmbeddedStore.open(options.library) as store:
        connection = store._connection
        rows = connection.execute(
            "SELECT refs.kind, nodes.path, count(DISTINCT refs.id) FROM edges"
            " JOIN refs ON refs.id = edges.ref JOIN nodes ON nodes.id = edges.target"
            " WHERE refs.reverse = 0 GROUP BY refs.kind, nodes.path"
        )
        for kind, path, count in rows:
            found[kind, depth_of(path)] += count
        for kind, reason, count in connection.execute(
            "SELECT kind, reason, count(*) FROM refs WHERE id NOT IN (SELECT ref FROM edges)"
            " GROUP BY kind, reason"
        ):
            unresolved[kind, reason or "not yet loaded, or no such provision"] += count
    print("| kind | " + " | ".join(DEPTHS) + " | all |")
    print("|---|" + "--:|" * (len(DEPTHS) + 1))
    for kind in sorted({kind for kind, _ in found}):
        counts = [found[kind, depth] for depth in DEPTHS]
        print(f"| {kind} | " + " | ".join(f"{count:,}" for count in (*counts, sum(counts))) + " |")
    print("\n| unresolved | reason | references |\n|---|---|--:|")
    for (kind, reason), count in unresolved.most_common():
        print(f"| {kind} | {reason} | {count:,} |")


if __name__ == "__main__":
    main()
