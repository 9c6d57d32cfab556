"""Read all of Canada and print what came of it: files, sections, pairs, identifiers, words lost, speed.

    python -m bench.canada_reading ../shared/corpora/canada.tar.zst [--every 1] [--no-words]

A folder that holds `eng/` and `fra/` is read as well as the archive. One core.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from lxml import etree

from bench.completeness.canada import lost_words
from pykala.fetch.mirror import Mirror, open_mirror
from pykala.fetch.xml import RefusedFile, parse_xml
from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import Document, ProvisionKind
from pykala.packs.canada import pack
from pykala.packs.pack import Reading, Snapshot, SourceItem

SECTIONS = "count(//Section[not(ancestor::AmendedText or ancestor::ReadAsText or ancestor::QuotedText)])"


class Count:
    """Figures gathered file by file."""

    def __init__(self, words: bool) -> None:
        self.words = words
        self.figures: Counter[str] = Counter()
        self.lost: Counter[str] = Counter()
        self.examples: list[str] = []
        self.seconds = 0.0

    def read(self, item: SourceItem, snapshots: list[Snapshot]) -> None:
        started = time.process_time()
        reading = pack.read(item, snapshots)
        self.seconds += time.process_time() - started
        self.figures["works"] += 1
        self.figures["files"] += len(snapshots)
        self.figures["bytes"] += sum(len(snapshot.data) for snapshot in snapshots)
        self.figures["files refused"] += len(reading.refusals)
        self.examples += [f"refused {refusal.path}: {refusal.reason}" for refusal in reading.refusals]
        self._pairs(reading)
        data = {snapshot.path: snapshot.data for snapshot in snapshots}
        for document in reading.documents:
            path = document.manifestations[0].path
            self._document(document, parse_xml(data[path], path), path)

    def _pairs(self, reading: Reading) -> None:
        for pairing in reading.pairings:
            self.figures[f"pairs, by {pairing.method} ({pairing.confidence})"] += 1
        if len(reading.documents) == 2:
            one, other = ({p.id for p in document.root.walk()} for document in reading.documents)
            self.figures["provisions in both languages"] += len(one & other)
            self.figures["provisions in one language only"] += len(one ^ other)

    def _document(self, document: Document, root: etree._Element, path: str) -> None:
        seen: set[ProvisionId] = set()
        for provision in document.root.walk():
            self.figures["provisions"] += 1
            self.figures[f"kind {provision.kind}"] += 1
            if provision.id in seen:
                self.figures["identifiers twice"] += 1
            seen.add(provision.id)
            if ProvisionId.parse(str(provision.id)) != provision.id:
                self.figures["identifiers that do not round-trip"] += 1
            if provision.kind is ProvisionKind.SECTION:
                self.figures[f"sections {document.language}"] += 1
        self.figures[f"sections {document.language} in the XML"] += int(root.xpath(SECTIONS))
        self.figures["references by link"] += len(document.references)
        self.figures["defined terms"] += len(document.terms)
        if self.words:
            lost = lost_words(root, document)
            self.lost += lost
            if lost:
                self.examples.append(f"lost in {path}: {lost.most_common(5)}")


def items(mirror: Mirror, every: int) -> Iterator[tuple[SourceItem, list[Snapshot]]]:
    for place, item in enumerate(pack.works(mirror.paths())):
        if place % every:
            continue
        snapshots = []
        for path in item.paths:
            try:
                file = mirror.read(path)
            except RefusedFile as refused:
                print(refused)
                continue
            snapshots.append(Snapshot(path, file.data, file.sha256))
        yield item, snapshots


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=Path)
    parser.add_argument("--every", type=int, default=1, help="read one work in so many")
    parser.add_argument("--no-words", action="store_true", help="do not look for lost words")
    arguments = parser.parse_args()
    count = Count(not arguments.no_words)
    with open_mirror(arguments.source) as mirror:
        for item, snapshots in items(mirror, arguments.every):
            count.read(item, snapshots)
    for name, figure in sorted(count.figures.items()):
        print(f"{figure:>12,}  {name}")
    print(f"{sum(count.lost.values()):>12,}  words lost")
    print(f"{count.seconds:>12,.1f}  CPU seconds of reading")
    print(f"{count.figures['bytes'] / 1e6 / max(count.seconds, 1e-9):>12,.1f}  MB/s")
    for example in count.examples[:20]:
        print(example)


if __name__ == "__main__":
    main()
