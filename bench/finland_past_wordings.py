"""Past wordings of consolidated Finnish acts, from the acts that gave them: how many, and whether right.

    python -m bench.finland_past_wordings --from ../shared/corpora/finland-consolidated.tar.zst \
        --from ../shared/corpora/finland-statutes.tar.zst --from ../shared/corpora/finland-akn.tar.zst \
        --from ../shared/corpora/finland-web.tar.zst [--every 4] [--drawn 20]

The witness: where the source itself has a wording and names its act, and that act is held, the act's words on
that day must be the source's. The survey takes four minutes on one core, all acts eight more.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from collections.abc import Collection, Sequence
from pathlib import Path
from unittest.mock import patch

from pykala.fetch.joined import open_mirrors
from pykala.fetch.mirror import Mirror
from pykala.law.identifiers import WorkId
from pykala.law.provisions import Document, Provision
from pykala.packs.finland import bringing_forward, pack
from pykala.packs.finland.amendments.givings import Givings, nearly_same, same_words
from pykala.packs.finland.consolidated.reading import ConsolidatedFiles
from pykala.packs.pack import Snapshot, SourceItem
from pykala.text.phrases import tell


class Measured:
    """Compares each document before and after its past wordings are placed."""

    def __init__(self) -> None:
        self.figures: Counter[str] = Counter()
        self.replaced: list[tuple[Provision, Provision]] = []
        self.placed: list[Provision] = []
        self.seconds = 0.0
        self._of_its_time = bringing_forward.of_its_time

    def of_its_time(
        self,
        document: Document,
        amending: Sequence[Document],
        printed: Document | None,
        named: Collection[WorkId],
    ) -> Document:
        """Do what the reader does, and count."""
        started = time.process_time()
        after = self._of_its_time(document, amending, printed, named)
        self.seconds += time.process_time() - started
        self._witness(document, Givings.of(document, amending, printed))
        before = {node.id: node for node in document.root.walk()}
        for node in after.root.walk():
            self.figures["provisions"] += 1
            self._compare(before.get(node.id), node)
        return after

    def _compare(self, old: Provision | None, new: Provision) -> None:
        if old is None:
            self.figures["provisions that only a held act has"] += 1
        elif old.versions != new.versions:
            self.figures["provisions with another history"] += 1
            self.figures["wordings placed"] += max(0, len(new.versions) - len(old.versions))
            now, then = (
                [one.text for one in node.versions if one.validity.end is None] for node in (old, new)
            )
            if now != then:
                self.figures["present words replaced"] += 1
                self.replaced.append((old, new))
            else:
                self.placed.append(new)

    def _witness(self, document: Document, givings: Givings) -> None:
        for node in document.root.walk():
            for version in node.versions:
                for giving in givings.of_place(node.id):
                    is_own = giving.act == version.source_act and giving.day == version.validity.start
                    if giving.act is not None and is_own and version.text:
                        words = giving.words[node.id].text
                        self.figures["witness: compared"] += 1
                        self.figures["witness: the same words"] += same_words(words, version.text)
                        self.figures["witness: nearly the same"] += nearly_same(words, version.text)


def main() -> None:
    """Print the figures, and some places to read."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--from", dest="sources", type=Path, action="append", required=True)
    parser.add_argument("--every", type=int, default=1, help="read one act in so many")
    parser.add_argument("--drawn", type=int, default=0, help="how many changed places to print")
    options = parser.parse_args()
    measured = Measured()
    with (
        open_mirrors(options.sources) as mirror,
        patch.object(bringing_forward, "of_its_time", measured.of_its_time),
    ):
        items = [item for item in pack.survey(mirror) if any(map(ConsolidatedFiles.act_of, item.paths))]
        started = time.process_time()
        for item in items[:: options.every]:
            pack.read(item, _snapshots(mirror, item))
        spent = time.process_time() - started
    measured.figures["acts"] = len(items[:: options.every])
    for name, count in sorted(measured.figures.items()):
        print(f"{name:40}{count:>10,}")
    print(f"{measured.seconds:.0f} of {spent:.0f} seconds of reading")
    _print_drawn(measured, options.drawn)


def _snapshots(mirror: Mirror, item: SourceItem) -> list[Snapshot]:
    files = [mirror.read(path) for path in item.paths]
    return [Snapshot(file.path, file.data, file.sha256) for file in files]


def _print_drawn(measured: Measured, count: int) -> None:
    draw = random.Random(7)
    for old, new in draw.sample(measured.replaced, min(count, len(measured.replaced))):
        print(f"\n{new.id}: replaced {old.versions[-1].text[:120]!r}")
        _print_chain(new)
    for new in draw.sample(measured.placed, min(count, len(measured.placed))):
        print(f"\n{new.id}")
        _print_chain(new)


def _print_chain(provision: Provision) -> None:
    for one in provision.versions:
        start, end = one.validity.start, one.validity.end or "…"
        doubts = "; ".join(tell("en", found) for found in one.findings)
        print(f"  {start} – {end} {one.source_act or ''} {one.text[:120]!r} {doubts}")


if __name__ == "__main__":
    main()
