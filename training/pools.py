"""The sections of all works that were not trained on, to be searched by questions written for them.

    python -m training.pools --out pool.jsonl.zst [--canada canada.tar.zst]
        [--statutes finland-statutes.tar.zst] [--guidance finland-web.tar.zst]

One line a section and language: provision, language, title of the work, heading, words, split.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator
from dataclasses import astuple, dataclass
from pathlib import Path

import zstandard

from pykala.evaluate.splits import split_of
from pykala.fetch.mirror import open_mirror
from pykala.law.identifiers import WorkId
from pykala.law.provisions import Document, Work
from pykala.packs.finland.pages.guidance import GuidanceFiles, read_guidance
from pykala.packs.finland.statutes.statute_xml import StatuteXmlFiles, read_statute_xml
from pykala.packs.pack import pack_for
from pykala.passages.cut import cut
from training.mirrors import snapshots_of
from training.pairs import is_held_out, sections_of

_RULINGS = re.compile("Keskusverolautakunnan")


@dataclass(frozen=True, slots=True)
class Passage:
    """A section that can be searched for."""

    provision: str
    language: str
    title: str
    heading: str
    text: str
    split: str


def of_canada(mirror_path: Path) -> Iterator[Passage]:
    """Sections of the Canadian works that were not trained on."""
    pack = pack_for("ca")
    with open_mirror(mirror_path) as mirror:
        for item in pack.works(list(mirror.paths())):
            if split_of(WorkId(item.name)) != "train":
                reading = pack.read(item, snapshots_of(mirror, item.paths))
                if reading.work is not None:
                    yield from _passages(reading.work, reading.documents)


def of_statutes(mirror_path: Path) -> Iterator[Passage]:
    """Sections of the Finnish statutes that were not trained on."""
    facts = pack_for("fi").facts
    with open_mirror(mirror_path) as mirror:
        acts: dict[str, list[str]] = {}
        for path in mirror.paths():
            act = StatuteXmlFiles.act_of(path)
            if act is not None and split_of(WorkId(f"fi:act:{act}")) != "train":
                acts.setdefault(act, []).append(path)
        for _, paths in sorted(acts.items()):
            reading = read_statute_xml(snapshots_of(mirror, paths), facts)
            if reading.work is not None:
                yield from _passages(reading.work, reading.documents)


def of_guidance(mirror_path: Path) -> Iterator[Passage]:
    """Passages of the Finnish Tax Administration's guidance, as the product cuts them, of every split."""
    pack = pack_for("fi")
    with open_mirror(mirror_path) as mirror:
        paths = [path for path in mirror.paths() if "/vero/" in path and not _RULINGS.search(path)]
        for item in GuidanceFiles.items(paths):
            reading = read_guidance(item, snapshots_of(mirror, item.paths), pack.facts)
            for document in reading.documents:
                split = split_of(document.work)
                for parent in cut(document, pack.sections(document)):
                    for child in parent.children:
                        words = parent.text[child.start : child.end]
                        place = str(child.provision)
                        yield Passage(place, document.language, document.title, parent.header, words, split)


def _passages(work: Work, documents: tuple[Document, ...]) -> Iterator[Passage]:
    split = split_of(work.id)
    if split == "train" or is_held_out(work):
        return
    for document in documents:
        for provision, section in sections_of(document):
            title = work.name(document.language)
            yield Passage(str(provision), document.language, title, section.heading, section.text, split)


def read_pool(path: Path) -> list[Passage]:
    """The sections of a pool."""
    with path.open("rb") as file:
        data = zstandard.ZstdDecompressor().stream_reader(file).read()
    return [Passage(*json.loads(line)) for line in data.decode("utf-8").splitlines()]


def main() -> None:
    """Write the pool."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--canada", type=Path)
    parser.add_argument("--statutes", type=Path)
    parser.add_argument("--guidance", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    asked = parser.parse_args()
    sources = ((of_canada, asked.canada), (of_statutes, asked.statutes), (of_guidance, asked.guidance))
    passages = [one for read, mirror in sources if mirror for one in read(mirror)]
    lines = "".join(json.dumps(astuple(one), ensure_ascii=False) + "\n" for one in passages)
    asked.out.write_bytes(zstandard.ZstdCompressor(level=6).compress(lines.encode()))
    print(f"{len(passages):,} sections")


if __name__ == "__main__":
    main()
