"""Questions that were written, not made by rule, and the sections that answer them.

`questions/written.jsonl` holds, for each section, questions in four languages as people ask them: in
everyday words, each from another side. A section is named by a hash of its letters, for its text is not
ours to keep; the passages that `training.passages` wrote hold it, and `places_of_names` finds it in a
library.

`questions/written-sections.jsonl` holds the newer ones, by the provision's identifier, with what a second
reader said of them, and `questions/told-sections.jsonl` situations that people tell in their own words;
`questions/told-subsections.jsonl` tells more of them, each with the subsection that decides it. Of these
whole acts are held out, never sections: `held_out`.
"""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import APPARATUS
from training.asked import Section

QUESTIONS = Path(__file__).parent / "questions" / "written.jsonl"
OF_SECTIONS = QUESTIONS.with_name("written-sections.jsonl")
TOLD_OF_SECTIONS = QUESTIONS.with_name("told-sections.jsonl")
TOLD_OF_SUBSECTIONS = QUESTIONS.with_name("told-subsections.jsonl")
REFUSED = "other"  # what a second reader said of a question: another section answers it
GISTS = QUESTIONS.with_name("gists.jsonl")
HELD_OUT = 5  # one section in so many is held out: the engine is calibrated on these
_HELD_OUT_ACTS = 12  # of a hundred
_LETTERS = 150  # of a section, that its name is made of
_SHORTEST, _LONGEST = 40, 900  # characters of a section that has a name, as `training.passages` cut them
_VERSIONS = (
    "SELECT v.document, w.key, n.unit, v.node, v.kind, v.text FROM versions v JOIN nodes n ON n.id = v.node"
    " JOIN documents d ON d.id = v.document JOIN works w ON w.id = d.work"
    " ORDER BY v.document, v.position, v.valid_from"
)


@dataclass(frozen=True, slots=True)
class Written:
    """A section's name and language, and what was asked of it: (language, text) pairs."""

    section: str
    language: str
    asked: tuple[tuple[str, str], ...]

    @property
    def split(self) -> str:
        """Whether it is trained on."""
        return "development" if int(self.section, 16) % HELD_OUT == 0 else "train"


def name_of(text: str) -> str:
    """A section's name: a hash of its first letters, however it is spaced and punctuated."""
    letters = re.sub(r"\W+", "", text.lower())[:_LETTERS]
    return hashlib.blake2b(letters.encode(), digest_size=8).hexdigest()


def read_written(path: Path = QUESTIONS) -> list[Written]:
    """All questions, by section."""
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [
        Written(row["section"], row["language"], tuple((code, text) for code, text in row["asked"]))
        for row in rows
    ]


def by_name(passages: Sequence[Section]) -> dict[str, list[Section]]:
    """The pieces of each section, in order, by the section's name."""
    sections: dict[tuple[int, str, str], list[Section]] = {}
    for one in passages:
        sections.setdefault((one.section, one.place, one.heading), []).append(one)
    return {name_of(" ".join(one.body for one in pieces)): pieces for pieces in sections.values()}


def held_out(work: str) -> bool:
    """Whether an act's questions are kept from the towers, to choose and calibrate by."""
    drawn = int(hashlib.sha256(f"towers:{work}".encode()).hexdigest()[:8], 16)
    return drawn % 100 < _HELD_OUT_ACTS


def everyday_sections(folder: Path = QUESTIONS.parent) -> frozenset[str]:
    """The sections that the everyday question sets are about."""
    return frozenset(
        json.loads(line)["gold"]
        for path in sorted(folder.glob("everyday-*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
    )


def read_of_sections(
    paths: Sequence[Path] = (OF_SECTIONS, TOLD_OF_SECTIONS, TOLD_OF_SUBSECTIONS),
) -> list[tuple[ProvisionId, list[tuple[str, str]]]]:
    """What was asked of each provision, (language, text) pairs, but for what a second reader refused."""
    asked: dict[str, list[tuple[str, str]]] = {}
    for path in paths:
        for row in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
            if row["read"] != REFUSED:
                asked.setdefault(row["section"], []).extend((code, text) for code, text in row["asked"])
    return [(ProvisionId.parse(section), questions) for section, questions in asked.items()]


def read_of_subsections(path: Path = TOLD_OF_SUBSECTIONS) -> dict[tuple[str, str], list[str]]:
    """What was asked of subsections, by the identifiers of section and subsection."""
    asked: dict[tuple[str, str], list[str]] = {}
    for row in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
        own = asked.setdefault((row["section"], f"{row['section']}/{row['part']}"), [])
        own.extend(text for _, text in row["asked"])
    return asked


def refused(path: Path = OF_SECTIONS) -> frozenset[str]:
    """Sections whose question a second reader was sure belonged to another."""
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return frozenset(row["section"] for row in rows if row["read"] == REFUSED)


def read_gists(path: Path = GISTS) -> dict[tuple[str, str], tuple[str, str]]:
    """What we wrote of sections whose own text may not be trained on: heading and gist, by work and path."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    places = (ProvisionId.parse(row["section"]) for row in rows)
    return {
        (str(place.work), "/".join(map(str, place.path))): (row["heading"], row["gist"])
        for place, row in zip(places, rows, strict=True)
    }


def places_of_names(library: Path, names: Iterable[str]) -> dict[str, tuple[str, str]]:
    """The work and the path in it of each named section that a library holds."""
    wanted = set(names)
    found: dict[str, tuple[str, int]] = {}
    records = sqlite3.connect(f"file:{library / 'library.db'}?mode=ro", uri=True)
    for _, versions in groupby(records.execute(_VERSIONS), key=lambda row: row[0]):
        for work, unit, text in _newest_words(versions):
            name = name_of(text) if len(text) >= _SHORTEST else ""
            if name in wanted:
                found.setdefault(name, (work, unit))
    paths: dict[int, str] = dict(records.execute("SELECT id, path FROM nodes"))
    return {name: (work, paths[unit]) for name, (work, unit) in found.items()}


def _newest_words(versions: Iterable[tuple[int, str, int, int, str, str]]) -> Iterator[tuple[str, int, str]]:
    """Work, section and newest words of each section of a document."""
    newest = {node: (work, unit, kind, text) for _, work, unit, node, kind, text in versions}
    notes = {kind.value for kind in APPARATUS}
    sections: dict[tuple[str, int], list[str]] = {}
    for work, unit, kind, text in newest.values():
        if kind not in notes:
            sections.setdefault((work, unit), []).append(text)
    for (work, unit), texts in sections.items():
        yield work, unit, re.sub(r"\s+", " ", " ".join(texts)).strip()[:_LONGEST]
