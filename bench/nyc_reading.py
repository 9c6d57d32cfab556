"""Read Title 11 of New York City's code and print what came of it.

    python -m bench.nyc_reading ../shared/corpora/nyc.tar.zst

Sections, provisions by kind, edges by kind, unresolved references by reason, words lost, whether levels told
from labels alone (as for the Senate) agree with the publisher's indents, seconds, peak memory. One core.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections import Counter
from pathlib import Path

from bench.completeness.nyc import lost_words
from pykala.fetch.mirror import open_mirror
from pykala.graph.relate import relate
from pykala.law.citations import CitationContext
from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import Document
from pykala.law.references import Unresolved
from pykala.packs.nyc import pack
from pykala.packs.nyc.blocks import BlockKind
from pykala.packs.nyc.naming import is_plain_text
from pykala.packs.nyc.outline import depths
from pykala.packs.nyc.plain_text import read_blocks
from pykala.packs.pack import Reading, Snapshot
from pykala.text.encoding import decode


def levels_agree(text: str) -> tuple[int, int]:
    """(sections whose levels by labels alone are those of the indents, sections with labels)."""
    sections: list[list[tuple[str, int]]] = []
    for block in read_blocks(text):
        if block.kind is BlockKind.SECTION:
            sections.append([])
        elif sections and block.kind is BlockKind.TEXT:
            sections[-1] += [(label, block.depth + place) for place, label in enumerate(block.labels)]
    labelled = [section for section in sections if section]
    return sum(_depths(section) == depths([label for label, _ in section]) for section in labelled), len(
        labelled
    )


def _depths(section: list[tuple[str, int]]) -> list[int]:
    open_indents: list[int] = []
    found = []
    for _, indent in section:
        while open_indents and open_indents[-1] >= indent:
            open_indents.pop()
        open_indents.append(indent)
        found.append(len(open_indents))
    return found


def count(reading: Reading, document: Document) -> Counter[str]:
    """Figures of one document."""
    figures: Counter[str] = Counter()
    figures["files refused"] += len(reading.refusals)
    seen: set[ProvisionId] = set()
    for provision in document.root.walk():
        figures["provisions"] += 1
        figures[f"kind {provision.kind}"] += 1
        figures["identifiers twice"] += provision.id in seen
        figures["identifiers that do not round-trip"] += ProvisionId.parse(str(provision.id)) != provision.id
        seen.add(provision.id)
    figures["defined terms"] = len(document.terms)
    figures["changes told by history notes"] = len(document.references)
    for provision in document.root.walk():
        context = CitationContext("en", provision.id, document)
        figures["citations found"] += sum(
            len(pack.find_citations(version.text, context)) for version in provision.versions
        )
    return figures


def relations(document: Document) -> Counter[str]:
    """Edges by kind, and references that lead nowhere in this library by reason."""
    figures: Counter[str] = Counter()
    facts = pack.facts
    for reference in relate(document, pack, facts.exception_cues, facts.yielding_cues):
        if reference.target is None:
            figures[f"unresolved: {reference.reason}"] += 1
        elif reference.target.work != document.work:
            figures[
                f"unresolved: {Unresolved.NOT_LOADED} ({reference.target.work.value.rpartition(':')[0]})"
            ] += 1
        else:
            figures[f"edges {reference.kind}"] += 1
    return figures


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("source", type=Path)
    arguments = parser.parse_args()
    with open_mirror(arguments.source) as mirror:
        item = next(iter(pack.works(mirror.paths())))
        files = [mirror.read(path) for path in item.paths]
    started = time.perf_counter()
    reading = pack.read(item, [Snapshot(file.path, file.data, file.sha256) for file in files])
    read = time.perf_counter() - started
    document = reading.documents[0]
    started = time.perf_counter()
    edges = relations(document)
    related = time.perf_counter() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    for name, figure in sorted((count(reading, document) + edges).items()):
        print(f"{figure:>12,}  {name}")
    for file in files:
        if is_plain_text(file.path):
            text = decode(file.data).text
            lost = lost_words(text, document)
            same, labelled = levels_agree(text)
            print(f"{sum(lost.values()):>12,}  words lost {dict(lost.most_common(5)) if lost else ''}")
            print(f"{same:>12,}  of {labelled} sections have the same levels by their labels alone")
    print(f"{read:>12.2f}  seconds of reading")
    print(f"{related:>12.2f}  seconds of relating")
    print(f"{peak:>12.0f}  MiB at most")


if __name__ == "__main__":
    main()
