"""Read the Finnish sources and print, a row each, what came of them: files, provisions, versions, words lost.

    python -m bench.finland_reading ../shared/corpora [--source NAME] [--every 1] [--no-words]

The folder holds the archives, packed (`finland-momentti.tar.zst`) or not (`finland-momentti/`). One core.
A new source is a row in SOURCES: how its files are known, how one is read, and which words it must hold.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from bench.completeness.finland_consolidated import (
    lost_words,
    words_of_consolidated,
    words_of_momentti,
)
from pykala.fetch.mirror import Mirror, open_mirror
from pykala.fetch.refusals import RefusedFile
from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import Document, ProvisionKind, Version
from pykala.packs.finland.consolidated.momentti import MomenttiFiles, read_momentti
from pykala.packs.finland.consolidated.reading import ConsolidatedFiles, read_consolidated
from pykala.packs.pack import Snapshot, read_facts

FACTS = read_facts("pykala.packs.finland")
#: What a file gives: its documents, each with a way to list the pieces of text that it must hold.
Read = Iterable[tuple[Document, Callable[[], Iterable[str]]]]


@dataclass(frozen=True, slots=True)
class Source:
    """One row: an archive, which of its files are meant, and how one of them is read."""

    name: str
    archive: str
    is_meant: Callable[[str], bool]
    read: Callable[[Snapshot], Read]


def consolidated(snapshot: Snapshot) -> Read:
    document, facts = read_consolidated(snapshot, FACTS)
    return [(document, lambda: words_of_consolidated(snapshot.data, snapshot.path, facts, document))]


def momentti(snapshot: Snapshot) -> Read:
    document, _ = read_momentti(snapshot, FACTS)
    return [(document, lambda: words_of_momentti(snapshot.data))]


SOURCES = (
    Source(
        "consolidated JSON-LD",
        "finland-consolidated",
        lambda path: ConsolidatedFiles.act_of(path) is not None,
        consolidated,
    ),
    Source(
        "momentti JSONL",
        "finland-momentti",
        lambda path: MomenttiFiles.act_of(path) is not None,
        momentti,
    ),
)


@dataclass(slots=True)
class Count:
    """The figures of one source, gathered file by file."""

    figures: Counter[str] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)
    works: set[str] = field(default_factory=set)
    examples: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def read(self, source: Source, snapshot: Snapshot, words: bool) -> None:
        started = time.process_time()
        try:
            found = list(source.read(snapshot))
        except RefusedFile as refused:
            self.figures["files refused"] += 1
            self.examples.append(f"refused {refused}")
            return
        finally:
            self.seconds += time.process_time() - started
        self.figures["files read"] += 1
        self.figures["bytes"] += len(snapshot.data)
        for document, pieces in found:
            self._document(document)
            lost = lost_words(pieces(), document) if words else Counter()
            self.lost += lost
            if lost:
                self.examples.append(f"lost in {snapshot.path}: {lost.most_common(5)}")

    def _document(self, document: Document) -> None:
        self.works.add(str(document.work))
        seen: set[ProvisionId] = set()
        self.figures["places named by the source"] += len(document.places)
        for provision in document.root.walk():
            self.figures["provisions"] += 1
            self.figures["identifiers twice"] += provision.id in seen
            self.figures["identifiers that do not round-trip"] += (
                ProvisionId.parse(str(provision.id)) != provision.id
            )
            seen.add(provision.id)
            if provision.kind is ProvisionKind.SECTION:
                self.figures["sections"] += 1
            if provision.kind is ProvisionKind.SUBSECTION:
                self.figures[f"momentti with {len(provision.versions)} versions"] += 1
            for place, version in enumerate(provision.versions):
                self._version(version)
                before = provision.versions[:place]
                self.figures["versions that overlap"] += any(
                    version.validity.overlaps(other.validity) for other in before
                )

    def _version(self, version: Version) -> None:
        self.figures["versions"] += 1
        self.figures[f"versions {version.event}"] += 1
        self.figures["versions since an unknown day"] += version.validity.start is None
        self.figures["versions without their history"] += version.history_unavailable
        self.figures["versions with findings"] += bool(version.findings)

    def print(self, source: Source) -> None:
        print(f"\n## {source.name}\n")
        print(f"{len(self.works):>12,}  works")
        for name, figure in sorted(self.figures.items()):
            print(f"{figure:>12,}  {name}")
        print(f"{sum(self.lost.values()):>12,}  words lost")
        print(f"{self.seconds:>12,.1f}  CPU seconds of reading")
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"{peak:>12,.0f}  MB at most in memory, this source and those before it")
        for example in self.examples[:20]:
            print(example)


def snapshots(mirror: Mirror, source: Source, every: int) -> Iterator[Snapshot]:
    paths = [path for path in mirror.paths() if source.is_meant(path)]
    for path in sorted(paths)[::every]:
        try:
            file = mirror.read(path)
        except RefusedFile as refused:
            print(refused)
            continue
        yield Snapshot(path, file.data, file.sha256)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--source", help="only the source of this name")
    parser.add_argument("--every", type=int, default=1, help="read one file in so many")
    parser.add_argument("--no-words", action="store_true", help="do not look for lost words")
    arguments = parser.parse_args()
    for source in SOURCES:
        if arguments.source not in {None, source.name}:
            continue
        packed = arguments.corpora / f"{source.archive}.tar.zst"
        place = packed if packed.exists() else arguments.corpora / source.archive
        if not place.exists():
            print(f"\n## {source.name}\n\nSkipped: {packed.name} is not in {arguments.corpora}.")
            continue
        count = Count()
        with open_mirror(place) as mirror:
            for snapshot in snapshots(mirror, source, arguments.every):
                count.read(source, snapshot, not arguments.no_words)
        count.print(source)


if __name__ == "__main__":
    main()
