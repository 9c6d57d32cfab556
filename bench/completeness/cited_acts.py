"""Are the acts that matter most whole? The words of their files against those of their provisions.

    python -m bench.completeness.cited_acts LIBRARY --from ARCHIVE [--from ARCHIVE …] [--acts 100] [--worst 5]

Of each jurisdiction the works that other provisions cite most, and of each of their texts the first and the
last of the files that it was read from (the Union's acts have one for each state). A word of four letters or
more that stands in a file and in no wording, heading, label, title or finding of that text is lost. Only what
a file says of the law counts: of JSON the titles and contents, of XML and HTML what stands outside of heads,
scripts and navigation.
"""

from __future__ import annotations

import argparse
import html
import json
import re
import sqlite3
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pykala.fetch.joined import open_mirrors
from pykala.fetch.mirror import Mirror
from pykala.fetch.refusals import MirrorFault, RefusedFile
from pykala.text.encoding import UndecodableText, decode

_WORD = re.compile(r"[^\W\d_]{4,}")
_HEAD = re.compile(
    r"<(?P<tag>script|style|head|nav|footer|(?:\w+:)?IdentifiointiOsa)\b.*?</(?P=tag)>",
    re.DOTALL | re.IGNORECASE,
)
#: Inside these, markup does not part words: "1<sup>er</sup>", "<i>laki</i>ssa".
_INLINE = re.compile(
    r"</?(?:[a-z0-9]+:)?(?:span|i|b|em|strong|sup|sub|u|a|HT|Emphasis|Sup|Sub|XRef\w+|DefinedTerm\w+|Language"
    r"|DefinitionRef|\w*Teksti|IBR)\b[^<>]*>"
)
_TAG = re.compile(r"<[^<>]*>")
_CONTENT = re.compile(r"^(?:content|title|text|heading|law|chapter|part|section|otsikko)", re.IGNORECASE)
_SOFT = str.maketrans("", "", "\u00ad\u200b\u200d\ufeff")


@dataclass(slots=True)
class Compared:
    """One text of an act: how many of the words of its files are lost, and which."""

    work: str
    language: str
    citations: int
    words: int = 0
    lost: Counter[str] = field(default_factory=Counter)

    @property
    def share(self) -> float:
        """The share of the words of its files that are lost."""
        return self.lost.total() / max(self.words, 1)


def most_cited(records: sqlite3.Connection, acts: int) -> dict[str, list[tuple[str, int]]]:
    """The works of each jurisdiction that are held and that other works cite most."""
    held = {key for (key,) in records.execute("SELECT key FROM works")}
    query = "SELECT target_work, count(*) AS n FROM refs GROUP BY target_work ORDER BY n DESC"
    found: dict[str, list[tuple[str, int]]] = {}
    for key, count in records.execute(query):
        place = found.setdefault(key.partition(":")[0], [])
        if key in held and len(place) < acts:
            place.append((key, count))
    return found


def compared(
    records: sqlite3.Connection, source: Mirror, known: set[str], work: str, cited: int
) -> Iterator[Compared]:
    """The texts of one work that were read from files of the source."""
    query = (
        "SELECT d.id, d.language, d.title, d.short_title, d.manifestations FROM documents d"
        " JOIN works w ON w.id = d.work WHERE w.key = ?"
    )
    for document, language, title, short, manifestations in records.execute(query, (work,)):
        files = dict.fromkeys(
            path
            for path, _, _, _, _, notes in json.loads(manifestations)
            if path in known and not any(note.startswith("not chosen") for note in notes)
        )
        paths = list(dict.fromkeys((*list(files)[:1], *list(files)[-1:])))
        if not paths:
            continue
        told = Compared(work, language, cited)
        held = set(_words(f"{title} {short}"))
        wordings = "SELECT label, heading, text, facts FROM versions WHERE document = ?"
        for row in records.execute(wordings, (document,)):
            held.update(_words(" ".join(filter(None, row))))
        for path in paths:
            counted = Counter(_words(_law_of(source, path)))
            told.words += counted.total()
            told.lost.update({word: count for word, count in counted.items() if word not in held})
        yield told


def _law_of(source: Mirror, path: str) -> str:
    try:
        text = decode(source.read(path).data).text
    except (RefusedFile, MirrorFault, UndecodableText):
        return ""
    if path.endswith((".json", ".jsonld")):
        return "\n".join(_contents(json.loads(text)))
    if path.endswith(".jsonl"):
        return "\n".join(
            one for line in text.splitlines() if line.strip() for one in _contents(json.loads(line))
        )
    return html.unescape(_TAG.sub(" ", _INLINE.sub("", _HEAD.sub(" ", text))))


def _contents(value: object, named: bool = False) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _contents(inner, named=bool(_CONTENT.match(key.rpartition(":")[2])) or key == "@value")
    elif isinstance(value, list):
        for inner in value:
            yield from _contents(inner, named)
    elif isinstance(value, str) and named and not value.startswith(("http", "sfsd:", "sfl:")):
        yield _TAG.sub(" ", _INLINE.sub("", value))


def _words(text: str) -> Iterator[str]:
    folded = unicodedata.normalize("NFKC", text.translate(_SOFT)).casefold()
    return (found[0] for found in _WORD.finditer(folded))


def main() -> None:
    """Print a row for each jurisdiction, and the texts that lose most."""
    parser = argparse.ArgumentParser()
    parser.add_argument("library", type=Path)
    parser.add_argument("--from", dest="sources", type=Path, action="append", required=True)
    parser.add_argument("--acts", type=int, default=100)
    parser.add_argument("--worst", type=int, default=5)
    told = parser.parse_args()
    records = sqlite3.connect(f"{(told.library / 'library.db').resolve().as_uri()}?mode=ro", uri=True)
    with open_mirrors(told.sources) as source:
        known = set(source.paths())
        for place, works in sorted(most_cited(records, told.acts).items()):
            found = [one for work, cited in works for one in compared(records, source, known, work, cited)]
            if not found:
                continue
            words, lost = sum(one.words for one in found), sum(one.lost.total() for one in found)
            over = sum(one.share > 0.01 for one in found)
            acts = len({one.work for one in found})
            print(  # as soon as it is known: a jurisdiction takes minutes
                f"{place}: {acts} of {len(works)} acts, {len(found)} texts, {words} words, "
                f"{lost / max(words, 1):.3%} lost; {over} texts lose more than 1 %"
            )
            for one in sorted(found, key=lambda one: -one.share)[: told.worst]:
                most = ", ".join(f"{word} {count}" for word, count in one.lost.most_common(8))
                print(f"  {one.work} [{one.language}] {one.share:.2%} of {one.words}: {most}")


if __name__ == "__main__":
    main()
