"""Read all of EUR-Lex's archive and print what came of it: works, states, articles by layout, words lost.

    python -m bench.eu_reading ../shared/corpora/eu.tar.zst [--only 32006L0112] [--no-words] [--no-states]

For works with several states every article is compared, on the day of every state, with the page that EUR-Lex
printed of it (`bench.eu_official`). One core.
"""

from __future__ import annotations

import argparse
import re
import resource
import time
from collections import Counter
from datetime import date
from itertools import pairwise
from pathlib import Path

from bench.completeness.eu import lost_words
from bench.eu_official import official_articles, our_articles
from pykala.fetch.mirror import open_mirror
from pykala.fetch.xml import RefusedFile
from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import Document
from pykala.packs.eu import pack
from pykala.packs.eu.source_files import understand
from pykala.packs.pack import Reading, Snapshot, SourceItem

_STATE = re.compile(r"/versions/(\d{4}-\d{2}-\d{2})--[^/]+/(en|fr)\.(?:xml|html)$")


class Count:
    """Figures gathered work by work."""

    def __init__(self, words: bool, states: bool) -> None:
        self.words = words
        self.states = states
        self.figures: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.lost: Counter[str] = Counter()
        self.examples: list[str] = []
        self.seconds = 0.0

    def read(self, item: SourceItem, snapshots: list[Snapshot]) -> None:
        started = time.process_time()
        reading = pack.read(item, snapshots)
        self.seconds += time.process_time() - started
        self.figures["items"] += 1
        self.figures["works" if reading.work else "items without a text"] += 1
        self.figures["files"] += len(snapshots)
        self.figures["bytes"] += sum(len(snapshot.data) for snapshot in snapshots)
        for refusal in reading.refusals:
            self.refused[refusal.reason.partition(";")[0].partition(" (")[0]] += 1
        for document in reading.documents:
            self._document(document)
        self._pairs(reading)
        if self.words:
            self._words(snapshots)
        if self.states:
            self._states(item, reading, snapshots)

    def _document(self, document: Document) -> None:
        seen: set[ProvisionId] = set()
        self.figures[f"documents {document.language}"] += 1
        for manifestation in document.manifestations:
            self.figures[f"manifestations, {manifestation.format}"] += 1
        for provision in document.root.walk():
            self.figures["provisions"] += 1
            self.figures["versions"] += len(provision.versions)
            self.figures[f"kind {provision.kind}"] += 1
            self.figures["identifiers twice"] += provision.id in seen
            self.figures["identifiers that do not round-trip"] += (
                ProvisionId.parse(str(provision.id)) != provision.id
            )
            last = provision.id.last
            self.figures["identifiers by repetition (.dup)"] += last is not None and ".dup" in last.number
            seen.add(provision.id)
            self.figures["versions that overlap"] += sum(
                one.validity.overlaps(other.validity) for one, other in pairwise(provision.versions)
            )
            for version in provision.versions:
                self.figures[f"event {version.event}"] += 1
                self.figures["versions with a source act"] += version.source_act is not None
        self.figures["defined terms"] += len(document.terms)
        self.figures["references by marks"] += len(document.references)

    def _pairs(self, reading: Reading) -> None:
        for pairing in reading.pairings:
            self.figures[f"pairs, confidence {pairing.confidence}"] += 1
        if len(reading.documents) == 2:
            one, other = ({p.id for p in document.root.walk()} for document in reading.documents)
            self.figures["provisions in both languages"] += len(one & other)
            self.figures["provisions in one language only"] += len(one ^ other)

    def _words(self, snapshots: list[Snapshot]) -> None:
        for snapshot in snapshots:
            file = understand(snapshot.path)
            if file is None or file.format != "page":
                continue
            try:
                lost = lost_words(snapshot, file.format)
            except RefusedFile:
                continue
            self.lost += lost
            if lost:
                self.examples.append(f"lost in {snapshot.path}: {lost.most_common(5)}")

    def _states(self, item: SourceItem, reading: Reading, snapshots: list[Snapshot]) -> None:
        refused = {refusal.path for refusal in reading.refusals}
        for document in reading.documents:
            for snapshot in snapshots:
                match = _STATE.search(snapshot.path)
                if match is None or match[2] != document.language or snapshot.path in refused:
                    continue
                self._compare(item.name, document, match[1], snapshot)

    def _compare(self, name: str, document: Document, day: str, snapshot: Snapshot) -> None:
        file = understand(snapshot.path)
        layout = next(
            (one.format for one in document.manifestations if one.path == snapshot.path), "eur-lex/none"
        )
        if file is None or file.corrigendum or layout in _NO_WITNESS:
            return
        official = official_articles(snapshot.data.decode("utf-8", "replace"))
        standing = document.root.at(date.fromisoformat(day))
        ours = our_articles(standing) if standing is not None else {}
        self.figures["states compared with the official page"] += 1
        self.figures[f"articles, {layout}"] += len(official)
        for title, words in official.items():
            self.figures["articles compared"] += 1
            if ours.get(title) == words:
                self.figures["articles equal"] += 1
            else:
                self.examples.append(f"{name} {day} {document.language} {title} differs")
        if official.keys() != ours.keys():
            extra = sorted(ours.keys() - official.keys())[:5]
            self.examples.append(f"{name} {day} {document.language}: only in ours {extra}")


#: Pages whose articles have no class of their own: the witness, which is blind to words, cannot find them.
_NO_WITNESS = (
    "eur-lex/TexteOnly",
    "eur-lex/consolidated by styles",
    "eur-lex/notice of repeal",
    "eur-lex/none",
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=Path)
    parser.add_argument("--only", default="", help="read only the works whose CELEX number begins so")
    parser.add_argument("--no-words", action="store_true", help="do not look for lost words")
    parser.add_argument("--no-states", action="store_true", help="do not compare with the official pages")
    arguments = parser.parse_args()
    count = Count(not arguments.no_words, not arguments.no_states)
    with open_mirror(arguments.source) as mirror:
        for item in pack.works(mirror.paths()):
            if item.name.startswith(f"eu:{arguments.only}"):
                files = [mirror.read(path) for path in item.paths]
                count.read(item, [Snapshot(file.path, file.data, file.sha256) for file in files])
    for name, figure in sorted(count.figures.items()):
        print(f"{figure:>12,}  {name}")
    for reason, figure in count.refused.most_common():
        print(f"{figure:>12,}  refused: {reason}")
    print(f"{sum(count.lost.values()):>12,}  words lost")
    print(f"{count.seconds:>12,.1f}  CPU seconds of reading")
    print(f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:>12,.0f}  MB of memory at the most")
    for example in count.examples[:40]:
        print(example)


if __name__ == "__main__":
    main()
