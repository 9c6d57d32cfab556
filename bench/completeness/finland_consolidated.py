"""Is any word of the law lost? The words of a file against those of the document made of it."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable

from pykala.law.provisions import Document
from pykala.packs.finland.consolidated.nodes import open_statute
from pykala.packs.finland.consolidated.words import folded, take_notes, take_section_label, tombstone_unit
from pykala.packs.finland.spacing import tidy
from pykala.packs.finland.statutes.act_facts import ActFacts
from pykala.text.phrases import tell

_WORD = re.compile(r"\w+")
_PLACE = re.compile(r"(?:^|/)(pykala/[^/]+|liite/[^/]+|luku/[^/]+/valiotsikko/[^/]+|luku/[^/]+$)")


def lost_words(pieces: Iterable[str], document: Document) -> Counter[str]:
    """Words of a source's pieces that are in no text, heading or label of the document, with how often."""
    source: Counter[str] = Counter()
    for piece in pieces:
        source.update(_words(piece))
    return source - words_of_document(document)


def words_of_document(document: Document) -> Counter[str]:
    """Every word of a document: the texts, headings and labels of its provisions in each version."""
    counted: Counter[str] = Counter()
    for provision in document.root.walk():
        for version in provision.versions:
            counted.update(_words(provision.label))
            counted.update(_words(version.heading))
            counted.update(_words(version.text))
            for finding in version.findings:
                counted.update(_words(tell("en", finding)))
    return counted


def words_of_consolidated(data: bytes, path: str, facts: ActFacts, document: Document) -> list[str]:
    """The titles and texts of a Semantic Finlex file, each once for every section that it stands in.

    One text stands twice where two states of a whole share it. An amendment note counts as kept when its act
    is among the facts, with the day on which it was given.
    """
    through = not any({"chp", "sec"} <= {step.kind for step in one.id.path} for one in document.root.walk())
    pieces: dict[tuple[str, str], str] = {}
    for node in open_statute(data, path).root.walk():
        place = _PLACE.search(node.member)
        home = node.member[: place.end()] if place else node.member
        home = place[1] if place and through else home
        title, above = take_notes(node.title)
        content, below = take_notes(node.content)
        _, rest, between = take_section_label(content)
        if {note.act for note in (*above, *below, *between)} <= set(facts.amended_by):
            title, content = tidy(title), tidy(rest)
        else:
            title, content = tidy(node.title), tidy(node.content)
        for words in (title, content if content != title else ""):
            # Two tombstones of one place say the same, one of them in more words.
            key = "tombstone" if tombstone_unit(words) else folded(words)
            pieces[home, key] = max(pieces.get((home, key), ""), words, key=len)
    return list(pieces.values())


def words_of_momentti(data: bytes) -> list[str]:
    """The texts and headings of a momentti file, each heading once."""
    pieces: dict[tuple[str, str], str] = {}
    for line in data.decode("utf-8-sig").splitlines():
        if not line.strip():
            continue
        row = json.loads(line)
        for key in ("law", "part", "part_title", "chapter", "chapter_title", "section_title"):
            place = "" if key in {"law", "part", "part_title"} else row["node_id"].rpartition(":")[0]
            pieces.setdefault((place if key == "section_title" else key, row[key]), row[key])
        pieces[row["node_id"], row["text"]] = row["text"]
    return list(pieces.values())


def _words(text: str) -> list[str]:
    return _WORD.findall(unicodedata.normalize("NFKC", tidy(text)).casefold())
