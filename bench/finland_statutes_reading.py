"""Read all Finnish statutes in XML and print what came of it: works, provisions, pairs, dates, words lost.

    python -m bench.finland_statutes_reading ../shared/corpora/finland-statutes.tar.zst [--every 1]

A folder that holds `asd/` is read as well as the archive. With `--beside` (a folder or archive of Finlex's
Akoma Ntoso, `2024_426_fin.xml`) only the acts of both are read, and compared by provision. One core.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from bench.completeness.finland_statutes import lost_words
from pykala.fetch.mirror import Mirror, open_mirror
from pykala.fetch.xml import RefusedFile, parse_xml
from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import Document, Work, WorkKind
from pykala.packs.finland import pack
from pykala.packs.finland.statutes.akoma_ntoso import read_statute
from pykala.packs.finland.statutes.statute_xml import StatuteXmlFiles, read_statute_xml
from pykala.packs.finland.survey import acts_by_path
from pykala.packs.pack import Reading, Snapshot

AMENDING = ("muuttamisesta", "kumoamisesta", "ändring av", "upphävande av")


class Count:
    """Figures gathered act by act."""

    def __init__(self, words: bool) -> None:
        self.words = words
        self.figures: Counter[str] = Counter()
        self.lost: Counter[str] = Counter()
        self.examples: list[str] = []
        self.undated: list[str] = []
        self.seconds = 0.0

    def read(self, snapshots: list[Snapshot]) -> Reading:
        started = time.process_time()
        reading = read_statute_xml(snapshots, pack.facts)
        self.seconds += time.process_time() - started
        self.figures["files"] += len(snapshots)
        self.figures["bytes"] += sum(len(snapshot.data) for snapshot in snapshots)
        for refusal in reading.refusals:
            self.figures[f"files refused: {refusal.reason.split(' (')[0]}"] += 1
            self.examples.append(f"refused {refusal.path}: {refusal.reason}")
        if reading.work is not None:
            self._work(reading.work)
        data = {snapshot.path: snapshot.data for snapshot in snapshots}
        for document in reading.documents:
            path = document.manifestations[0].path
            self._document(document, path, data[path])
        for pairing in reading.pairings:
            self.figures[f"pairs fi/sv ({pairing.confidence})"] += 1
        return reading

    def _work(self, work: Work) -> None:
        self.figures["works"] += 1
        self.figures[f"works, kind {work.kind}"] += 1
        self.figures["works with a date of issue"] += work.issued is not None
        amending = work.kind is WorkKind.ACT and any(
            word in title for _, title in work.titles for word in AMENDING
        )
        state = "pending" if work.validity.is_pending else "dated" if work.validity.start else "unknown"
        for sort in ("works", *(["amending acts"] if amending else [])):
            self.figures[f"{sort}, entry into force {state}"] += 1
            self.figures[f"{sort}, with an end"] += work.validity.end is not None
        if state == "unknown":
            self.undated.append(f"{work.id} {work.kind}: {work.title('fi')[:90]}")

    def _document(self, document: Document, path: str, data: bytes) -> None:
        seen: set[ProvisionId] = set()
        for provision in document.root.walk():
            self.figures["provisions"] += 1
            self.figures[f"provisions, kind {provision.kind}"] += 1
            self.figures["identifiers twice"] += provision.id in seen
            self.figures["identifiers that do not round-trip"] += (
                ProvisionId.parse(str(provision.id)) != provision.id
            )
            seen.add(provision.id)
        self.figures["documents that tell their first application"] += bool(
            document.root.versions[0].application
        )
        if self.words:
            lost = lost_words(parse_xml(data, path), document)
            self.lost += lost
            if lost:
                self.examples.append(f"lost in {path}: {lost.most_common(5)}")

    def compare(self, reading: Reading, other: Reading) -> None:
        """What two sources of one act make of it."""
        self.figures["acts in both sources"] += 1
        theirs = {document.language: document for document in other.documents}
        for document in reading.documents:
            if document.language not in theirs:
                continue
            ours = _wordings(document)
            beside = _wordings(theirs[document.language])
            same = sum(beside.get(place) == words for place, words in ours.items())
            self.figures["provisions in either source"] += len(ours.keys() | beside.keys())
            self.figures["provisions in both sources"] += len(ours.keys() & beside.keys())
            self.figures["provisions in both sources, word for word"] += same


def _wordings(document: Document) -> dict[ProvisionId, tuple[str, str]]:
    return {p.id: (p.versions[0].heading, p.versions[0].text) for p in document.root.walk()}


def acts(mirror: Mirror, every: int) -> Iterator[tuple[str, list[Snapshot]]]:
    grouped: dict[str, list[str]] = {}
    for path in mirror.paths():
        if act := StatuteXmlFiles.act_of(path):
            grouped.setdefault(act, []).append(path)
    for place, act in enumerate(sorted(grouped)):
        if place % every == 0:
            yield act, list(snapshots(mirror, grouped[act]))


def snapshots(mirror: Mirror, paths: list[str]) -> Iterator[Snapshot]:
    for path in paths:
        try:
            file = mirror.read(path)
        except RefusedFile as refused:
            print(refused)
            continue
        yield Snapshot(path, file.data, file.sha256)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=Path)
    parser.add_argument("--every", type=int, default=1, help="read one act in so many")
    parser.add_argument("--no-words", action="store_true", help="do not look for lost words")
    parser.add_argument("--undated", action="store_true", help="list acts whose entry into force is unknown")
    parser.add_argument("--beside", type=Path, help="Akoma Ntoso of the same acts")
    arguments = parser.parse_args()
    count = Count(not arguments.no_words)
    with open_mirror(arguments.source) as mirror:
        if arguments.beside is None:
            for _, found in acts(mirror, arguments.every):
                count.read(found)
        else:
            with open_mirror(arguments.beside) as beside:
                items = {item.name: item for item in acts_by_path(beside.paths())}
                for act, found in acts(mirror, arguments.every):
                    item = items.get(f"act:{act}")
                    if item is not None:
                        other = read_statute(item, list(snapshots(beside, list(item.paths))), pack.facts)
                        count.compare(count.read(found), other)
    for name, figure in sorted(count.figures.items()):
        print(f"{figure:>12,}  {name}")
    if count.words:
        print(f"{sum(count.lost.values()):>12,}  words lost")
    print(f"{count.seconds:>12,.1f}  CPU seconds of reading")
    print(f"{count.figures['bytes'] / 1e6 / max(count.seconds, 1e-9):>12,.1f}  MB/s")
    for example in [*count.examples[:20], *(count.undated if arguments.undated else ())]:
        print(example)


if __name__ == "__main__":
    main()
