"""Pairs straight from the sources' own files, where no library of them is at hand.

Finnish and Swedish statutes (finland-statutes), articles of European law in English and French (eu), and
tax treaties: Canada's conventions are written after the same model as Finland's, article by article, so
that an English article and a Finnish one with the same title say much the same.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pykala.evaluate.splits import split_of
from pykala.fetch.mirror import Mirror, open_mirror
from pykala.fetch.xml import RefusedFile
from pykala.law.provisions import Document, Work
from pykala.packs.eu import pack as union_pack
from pykala.packs.eu.source_files import understand
from pykala.packs.finland.statutes.statute_xml import StatuteXmlFiles, read_statute_xml
from pykala.packs.finland.treaties.reading import TreatyFiles, read_treaty
from pykala.packs.pack import Snapshot, pack_for
from training.pair_files import SEED, Pair
from training.pairs import of_work, words_of_section
from training.treaty_titles import article_of

_CONVENTION = re.compile(r"\btax (?:convention|agreement|arrangement|treaty)|double taxation", re.IGNORECASE)
MOST_PARTNERS = 6  # Canadian articles paired with one Finnish article


def of_statutes(mirror_path: Path) -> Iterator[Pair]:
    """Sections of Finnish statutes in XML with their Swedish ones, and with their headings."""
    facts = pack_for("fi").facts
    with open_mirror(mirror_path) as mirror:
        acts: dict[str, list[str]] = {}
        for path in mirror.paths():
            act = StatuteXmlFiles.act_of(path)
            if act is not None:
                acts.setdefault(act, []).append(path)
        for _, paths in sorted(acts.items()):
            reading = read_statute_xml(snapshots_of(mirror, paths), facts)
            if reading.work is not None:
                yield from of_work(reading.work, reading.documents)


def of_union(mirror_path: Path) -> Iterator[Pair]:
    """Articles of European law, newest state, in English and French."""
    pack = union_pack
    with open_mirror(mirror_path) as mirror:
        for item in pack.works(list(mirror.paths())):
            files = [file for path in item.paths if (file := understand(path)) and not file.corrigendum]
            newest = max((file.state for file in files if file.language), default="")
            paths = [file.path for file in files if file.state in ("", newest)]
            reading = pack.read(item, snapshots_of(mirror, paths))
            if reading.work is not None:
                yield from of_work(reading.work, reading.documents)


@dataclass(frozen=True, slots=True)
class Article:
    """An article of a tax treaty: what the model calls it, its words, whose it is."""

    model: str
    title: str
    text: str
    language: str
    work: str
    split: str


def of_treaties(canada: Path, finland: Path) -> Iterator[Pair]:
    """Articles of Canada's tax conventions with those of Finland's that have the same title in the model."""
    drawn = random.Random(SEED)
    abroad: dict[tuple[str, str, bool], list[Article]] = {}
    for one in _canadian(canada):
        abroad.setdefault((one.model, one.language, one.split == "train"), []).append(one)
    for own in _finnish(finland):
        yield Pair(f"treatytitle-{own.language}", own.title, own.language, own.text, own.language, own.split)
        for language in ("en", "fr"):
            others = abroad.get((own.model, language, own.split == "train"), [])
            for other in drawn.sample(others, min(MOST_PARTNERS, len(others))):
                yield from _both(other, own)


def _both(other: Article, own: Article) -> Iterator[Pair]:
    code = f"{other.language}-{own.language}"
    yield Pair(f"treaty-{code}", other.text, other.language, own.text, own.language, own.split)
    yield Pair(f"treatycross-{code}", other.title, other.language, own.text, own.language, own.split)
    yield Pair(f"treatycross-{code}", own.title, own.language, other.text, other.language, own.split)


def _canadian(mirror_path: Path) -> Iterator[Article]:
    pack = pack_for("ca")
    with open_mirror(mirror_path) as mirror:
        paths = [path for path in mirror.paths() if "/acts/" in path or "/lois/" in path]
        for item in pack.works(paths):
            snapshots = snapshots_of(mirror, item.paths)
            if not any(_CONVENTION.search(one.data[:8000].decode("utf-8", "replace")) for one in snapshots):
                continue
            reading = pack.read(item, snapshots)
            if reading.work is not None and _CONVENTION.search(reading.work.name("en")):
                for document in reading.documents:
                    yield from _articles(reading.work, document)


def _finnish(mirror_path: Path) -> Iterator[Article]:
    facts = pack_for("fi").facts
    with open_mirror(mirror_path) as mirror:
        for item in TreatyFiles.items(mirror.paths()):
            reading = read_treaty(item, snapshots_of(mirror, item.paths), facts)
            if reading.work is not None:
                for document in reading.documents:
                    yield from _articles(reading.work, document)


def _articles(work: Work, document: Document) -> Iterator[Article]:
    split = split_of(work.id)
    for provision in document.root.walk():
        heading = provision.heading
        model = article_of(heading, document.language) if heading else None
        text = words_of_section(provision) if model else ""
        if model is not None and len(text) >= 80:
            yield Article(model, heading, text, document.language, str(work.id), split)


def snapshots_of(mirror: Mirror, paths: Sequence[str]) -> list[Snapshot]:
    """Those files of a mirror that can be read."""
    found = []
    for path in paths:
        try:
            file = mirror.read(path)
        except RefusedFile:
            continue
        found.append(Snapshot(path, file.data, ""))
    return found
