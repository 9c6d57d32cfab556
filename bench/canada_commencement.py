"""How well the days are read on which Canadian instruments begin and end by their own words.

    python -m bench.canada_commencement ../shared/corpora/canada.tar.zst

The labels (`tests/packs/canada/labels/commencement.jsonl`: identifiers and days) were made by reading the
sections on coming into force, with the notes beside them, of works drawn at random, and those of all
instruments that say when they cease. Those "held out" were drawn
and labelled after the reader was written. `null`: the words name an event whose day the file does not tell.
"""

from __future__ import annotations

import argparse
import json
from datetime import date
from pathlib import Path

from pykala.fetch.mirror import Mirror, open_mirror
from pykala.packs.pack import Snapshot, SourceItem, pack_for

LABELS = Path(__file__).parents[1] / "tests" / "packs" / "canada" / "labels" / "commencement.jsonl"


def read_days(mirror: Mirror, work: str) -> tuple[date | None, date | None]:
    """The first and the last day of a work, as the pack reads its English file."""
    kind, name = work.split(":")[1:]
    path = f"eng/{'acts' if kind == 'act' else 'regulations'}/{name}.xml"
    file = mirror.read(path)
    reading = pack_for("ca").read(SourceItem(work, (path,)), [Snapshot(path, file.data, file.sha256)])
    if reading.work is None:
        raise ValueError(f"{work}: {reading.refusals}")
    return reading.work.validity.start, reading.work.validity.end


def score(mirror: Mirror) -> dict[str, list[tuple[str, str | None, str | None]]]:
    """Every label with what was read: (work, label, read), for beginnings and ends."""
    told: dict[str, list[tuple[str, str | None, str | None]]] = {
        "comes": [],
        "comes, held out": [],
        "ceases": [],
    }
    for line in LABELS.read_text("utf-8").splitlines():
        label = json.loads(line)
        start, end = read_days(mirror, label["work"])
        kind, day = ("comes", start) if "comes" in label else ("ceases", end)
        name = f"{kind}, held out" if label.get("held_out") else kind
        told[name].append((label["work"], label[kind], day.isoformat() if day else None))
    return told


def main() -> None:
    """Print precision and recall, and what was read otherwise."""
    parser = argparse.ArgumentParser()
    parser.add_argument("archive", type=Path)
    with open_mirror(parser.parse_args().archive) as mirror:
        for kind, cases in score(mirror).items():
            right = sum(label == read for _, label, read in cases if label)
            read_at_all = sum(read is not None for *_, read in cases)
            labelled = sum(label is not None for _, label, _ in cases)
            print(f"{kind}: precision {right}/{read_at_all}, recall {right}/{labelled}, labels {len(cases)}")
            for work, label, read in cases:
                if label != read:
                    print(f"  {work}: {label} read as {read}")


if __name__ == "__main__":
    main()
