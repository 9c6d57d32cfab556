"""Ended law of the real corpora: labelled cases, drawn by `bench.ended_labels` from the raw files.

Those of the Union are read with its corpus (eu/test_eu_corpora.py), where its longest act has been read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import date
from pathlib import Path

import pytest

from ended_law import cases, law_of, read, stands
from pykala.fetch.joined import open_mirrors
from pykala.fetch.mirror import Mirror
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Provision
from pykala.packs.finland.survey import AMENDS, act_of
from pykala.packs.pack import SourceItem

CORPORA = Path(__file__).parents[3] / "shared" / "corpora"
ARCHIVES = {
    "finland": ("finland-statutes.tar.zst", "finland-akn.tar.zst"),
    "canada": ("canada.tar.zst",),
}

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


def test_finnish_acts_end_on_their_day(mirror_of: Callable[[str], Mirror]) -> None:
    mirror = mirror_of("finland")
    wrong = []
    for case in cases("finland"):
        # The act that repeals it, and the decree that brings that one into force.
        later = [case[told] for told in ("by", "fixed") if told in case]
        notes = tuple((path, f"{AMENDS} as {act_of(path)}") for path in later)
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
