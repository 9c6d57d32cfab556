"""Real acts of the Union: when they came into force and from when they apply, held against labels."""

from __future__ import annotations

from collections import defaultdict
from datetime import date
from pathlib import Path

import pytest

from pykala.fetch.mirror import open_mirror
from pykala.law.identifiers import ProvisionId
from pykala.packs.eu import pack
from pykala.packs.eu.source_files import understand
from pykala.packs.pack import Snapshot

ARCHIVE = Path(__file__).resolve().parents[4] / "shared" / "corpora" / "eu.tar.zst"
LABELS = Path(__file__).parent / "labels" / "commencement.txt"

pytestmark = pytest.mark.corpora


def labels() -> dict[str, list[tuple[ProvisionId, tuple[date, ...]]]]:
    """Work → its labelled provisions with the days of adoption, entry into force and application."""
    cases: dict[str, list[tuple[ProvisionId, tuple[date, ...]]]] = defaultdict(list)
    for line in LABELS.read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            place, *days = line.split()
            identifier = ProvisionId.parse(place)
            cases[str(identifier.work)].append((identifier, tuple(map(date.fromisoformat, days))))
    return cases


def test_acts_come_into_force_and_apply_on_the_days_that_they_say() -> None:
    if not ARCHIVE.exists():
        pytest.skip(f"the real corpus is absent: {ARCHIVE.name} is not beside the repository")
    cases, wrong = labels(), []
    assert sum(map(len, cases.values())) >= 100
    with open_mirror(ARCHIVE) as mirror:
        for item in pack.works(mirror.paths()):
            if item.name not in cases:
                continue
            # English says the same as French, and takes half the time; some acts are held in French alone.
            understood = [file for path in item.paths if (file := understand(path))]
            english = any(file.language == "en" for file in understood)
            paths = [file.path for file in understood if not (english and file.language == "fr")]
            files = (mirror.read(path) for path in paths)
            reading = pack.read(item, [Snapshot(file.path, file.data, file.sha256) for file in files])
            assert reading.work is not None
            nodes = {one.id: one for one in reading.documents[0].root.walk()}
            for place, days in cases.pop(item.name):
                first = next(one for one in nodes[place].versions if not one.validity.is_empty)
                start = first.validity.start
                if (reading.work.issued, first.in_force or start, start) != days:
                    wrong.append(f"{place}: {first.in_force}, {start} instead of {days}")
    assert not wrong, "\n".join(wrong)
    assert not cases
