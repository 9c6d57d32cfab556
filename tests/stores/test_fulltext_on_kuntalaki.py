"""Real questions over a real act: analysis and index together must find the right section."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path
from typing import Any

import pytest
import zstandard

from pykala.stores.embedded.facets import FacetFilter, Facets
from pykala.stores.embedded.fulltext import TextIndex
from pykala.text.analysis import analyse

SHARED = Path(__file__).parents[2] / ".." / "shared"
ARCHIVE = SHARED / "corpora" / "finland-momentti.tar.zst"
QUESTIONS = SHARED / "questions" / "kuntalaki.json"


def subsections() -> list[dict[str, Any]]:
    with ARCHIVE.open("rb") as file:
        stream = zstandard.ZstdDecompressor(max_window_size=2**27).stream_reader(file)
        with tarfile.open(fileobj=stream, mode="r|") as members:
            for member in members:
                content = members.extractfile(member) if "kuntalaki" in member.name else None
                if content is not None:
                    return [json.loads(line) for line in content.read().splitlines()]
    raise AssertionError(f"no Kuntalaki in {ARCHIVE}")


@pytest.mark.corpora
def test_finnish_questions_find_their_subsection(tmp_path: Path) -> None:
    if not (ARCHIVE.exists() and QUESTIONS.exists()):
        pytest.skip(f"the real corpora are absent: {ARCHIVE}")
    places = []
    with TextIndex.open(tmp_path, writable=True) as index:
        for number, row in enumerate(subsections()):
            places.append((row["section_id"], row["moment"]))
            text = f"{row['section_title'] or ''}\n{row['text']}"
            index.add(number, "fi", Facets(1, 1, 1, 1, 1), analyse(text, "fi"))
        index.commit()
        reciprocal = 0.0
        questions = json.loads(QUESTIONS.read_text(encoding="utf-8"))
        for question in questions:
            # A gold entry without a subsection accepts any of its section.
            gold = {(place["section"], place["moment"]) for place in question["expected_any"]}
            ranked = index.match({"fi": analyse(question["query"], "fi")}, FacetFilter(), 1_000)
            for rank, (passage, _) in enumerate(ranked, 1):
                section, subsection = places[passage]
                if (section, subsection) in gold or (section, "") in gold:
                    reciprocal += 1 / rank
                    break
    # Snowball's Finnish stems alone reach 0.61 here.
    assert reciprocal / len(questions) >= 0.68
