"""Is any word of the law lost? The words of a file against those of the tree made of it."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

from lxml import etree

from pykala.fetch.xml import parse_xml
from pykala.law.identifiers import WorkId
from pykala.packs.eu.blocks import Blocks
from pykala.packs.eu.formats import read_blocks
from pykala.packs.eu.inline import note_key
from pykala.packs.eu.nodes import Node
from pykala.packs.eu.outline import read_outline
from pykala.packs.eu.page_tree import BLOCK_TAGS, page_body
from pykala.packs.pack import Snapshot

_WORD = re.compile(r"\w+")
#: The editors' marks of who amended what; the numbers of footnotes are counted with the notes.
_ARROWS = re.compile(r"[▼►]\s*(?:[A-Z]{1,2}\d+|B\b)(?:[\s,]+[A-Z]{1,2}\d+)*")
_WORK = WorkId("eu:0")


def lost_words(snapshot: Snapshot, form: str) -> Counter[str]:
    """Words of a file that are in no text, heading, label or footnote of its tree, with how often.

    What the publisher says of the page (the head of the Official Journal, the list of amending acts before
    a consolidated text) is no law and does not count.
    """
    blocks = read_blocks(snapshot, form)
    kept = words_of_tree(read_outline(blocks, _WORK)) + _words(" ".join(blocks.apparatus))
    source = _formex_words(snapshot) if form == "formex" else _page_words(snapshot)
    return source - kept


def words_of_tree(root: Node) -> Counter[str]:
    """Every word of a tree."""
    pieces: list[str] = []
    for node in root.walk():
        pieces.extend((node.label, node.heading, node.text))
    return _words("\n".join(pieces))


def words_of_blocks(blocks: Blocks) -> Counter[str]:
    """Every word of the blocks of a file."""
    pieces = [f"{block.label} {block.text}" for block in blocks.blocks]
    pieces += [f"{note.label} {note.text}" for note in blocks.notes.values()]
    return _words("\n".join(pieces))


def _page_words(snapshot: Snapshot) -> Counter[str]:
    body = page_body(snapshot.data, snapshot.path)
    bare = next((one for one in body.iter("div") if one.get("id") == "TexteOnly"), None)
    pieces: list[str] = []
    _gather(body if bare is None else bare, pieces)
    return _words(_ARROWS.sub(" ", "".join(pieces)))


def _gather(element: etree._Element, pieces: list[str]) -> None:
    apart = element.tag in BLOCK_TAGS or element.tag == "br"
    if apart:
        pieces.append("\n")
    if element.text:
        pieces.append(element.text)
    for child in element:
        if isinstance(child.tag, str):
            if child.tag == "a" and note_key(child):
                pieces.append(" ")  # a footnote's number, which its note has as label
            else:
                _gather(child, pieces)
        if child.tail:
            pieces.append(child.tail)
    if apart:
        pieces.append("\n")


def _formex_words(snapshot: Snapshot) -> Counter[str]:
    root = parse_xml(snapshot.data, snapshot.path, max_depth=160)
    pieces: list[str] = []
    for part in root.iter("CONS.DOC", "PREAMBLE", "ENACTING.TERMS", "FINAL", "CONS.ANNEX", "ANNEX"):
        if part.tag != "CONS.DOC":
            pieces.append(" ".join(map(str, part.itertext())))
    return _words("\n".join(pieces))


def _words(text: str) -> Counter[str]:
    return Counter(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))
