"""What the tests of ended law share: labelled cases, and what stands in a reading on a day."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

from pykala.fetch.mirror import Mirror
from pykala.law.provisions import APPARATUS, Event, Provision, ProvisionKind
from pykala.packs.pack import Reading, Snapshot, SourceItem, pack_for

LABELS = Path(__file__).parent / "packs"
Case = dict[str, str]
_NOT_LAW = {*APPARATUS, ProvisionKind.WORK, ProvisionKind.ENTRY_INTO_FORCE}


def cases(name: str) -> list[Case]:
    lines = (LABELS / name / "labels" / "ended.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def read(code: str, mirror: Mirror, item: SourceItem) -> Reading:
    files = [mirror.read(path) for path in item.paths]
    return pack_for(code).read(item, [Snapshot(one.path, one.data, one.sha256) for one in files])


def stands(node: Provision, day: date) -> bool:
    return any(
        one.text and one.event is not Event.REPEALED and one.validity.covers(day) for one in node.versions
    )


def law_of(reading: Reading) -> list[Provision]:
    return [node for node in reading.documents[0].root.walk() if node.kind not in _NOT_LAW]
