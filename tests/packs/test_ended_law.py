"""Ended law of the real corpora: labelled cases, drawn by `bench.ended_labels` from the raw files."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from pykala.fetch.joined import open_mirrors
from pykala.fetch.mirror import Mirror
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import APPARATUS, Event, Provision, ProvisionKind, Version
from pykala.packs.eu import pack as union
from pykala.packs.finland.survey import AMENDS, act_of
from pykala.packs.pack import Reading, Snapshot, SourceItem, pack_for

CORPORA = Path(__file__).parents[3] / "shared" / "corpora"
LABELS = Path(__file__).parent
ARCHIVES = {
    "finland": ("finland-statutes.tar.zst", "finland-akn.tar.zst"),
    "canada": ("canada.tar.zst",),
    "eu": ("eu.tar.zst",),
}
Case = dict[str, str]
_ENGLISH = re.compile(r"/(?:meta\.json|en\.(?:xml|html))$")
_NOT_LAW = {*APPARATUS, ProvisionKind.WORK, ProvisionKind.ENTRY_INTO_FORCE}

pytestmark = pytest.mark.corpora


@pytest.fixture(scope="module")
def mirror_of() -> Iterator[Callable[[str], Mirror]]:
    with ExitStack() as stack:

        def opened(name: str) -> Mirror:
            paths = [CORPORA / archive for archive in ARCHIVES[name]]
            if lacking := [path.name for path in paths if not path.exists()]:
                pytest.skip(f"{', '.join(lacking)} not beside the repository (looked in ../shared/corpora)")
            return stack.enter_context(open_mirrors(paths))

        yield opened


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


def test_finnish_acts_end_on_their_day(mirror_of: Callable[[str], Mirror]) -> None:
    mirror = mirror_of("finland")
    wrong = []
    for case in cases("finland"):
        notes: tuple[tuple[str, str], ...] = ()
        if by := case.get("by"):
            notes = ((by, f"{AMENDS} as {act_of(by)}"),)
        item = SourceItem(
            case["work"].removeprefix("fi:"), (case["own"], *(path for path, _ in notes)), notes
        )
        reading = read("fi", mirror, item)
        end = date.fromisoformat(case["end"])
        late = [node for node in law_of(reading) if stands(node, end)]
        if late or reading.work is None or reading.work.validity.end != end:
            wrong.append((case, str(late[0].id) if late else reading.work and reading.work.validity))
    assert wrong == []


def test_canadian_sections_that_are_repealed_have_no_words(mirror_of: Callable[[str], Mirror]) -> None:
    mirror = mirror_of("canada")
    readings: dict[str, dict[ProvisionId, Provision]] = {}
    wrong = []
    for case in cases("canada"):
        if case["own"] not in readings:
            work = WorkId(case["provision"].rpartition("/")[0])
            reading = read("ca", mirror, SourceItem(str(work), (case["own"],)))
            readings[case["own"]] = {node.id: node for node in reading.documents[0].root.walk()}
        node = readings[case["own"]].get(ProvisionId.parse(case["provision"]))
        end = date.fromisoformat(case["end"])
        if node is None or stands(node, end) or node.versions[-1].validity.start != end:
            wrong.append(case)
    assert wrong == []


def _days(version: Version) -> tuple[date | None, ...]:
    """A wording that is put off has an entry into force of its own."""
    return version.validity.start, version.validity.end, version.in_force


def test_law_of_the_union_ends_on_its_day(mirror_of: Callable[[str], Mirror]) -> None:
    """Acts that are repealed, parts that a state no longer prints, and wordings that it replaces."""
    mirror = mirror_of("eu")
    items = {item.name: item for item in union.survey(mirror)}
    readings: dict[str, Reading] = {}
    wrong = []
    for case in cases("eu"):
        place = ProvisionId.parse(case["provision"])
        if str(place.work) not in readings:
            item = items[str(place.work)]
            english = tuple(path for path in item.paths if _ENGLISH.search(path))
            # One language tells for both, and takes half the time; of some acts only French has the words.
            paths = english if place.path else item.paths
            readings[str(place.work)] = read("eu", mirror, replace(item, paths=paths))
        end, reading = date.fromisoformat(case["end"]), readings[str(place.work)]
        nodes = law_of(reading)
        family = [node for node in nodes if node.id.path[: len(place.path)] == place.path]
        if case["what"] == "replaced":
            # Words end on the day, or others are put beside them.
            days = {day for node in family for one in node.versions for day in _days(one)}
            ended = end in days
        else:
            before = any(stands(node, end - timedelta(days=1)) for node in family)
            ended = before and not any(stands(node, end) for node in family)
        if not ended or (not place.path and (reading.work is None or reading.work.validity.end != end)):
            wrong.append(case)
    assert wrong == []
