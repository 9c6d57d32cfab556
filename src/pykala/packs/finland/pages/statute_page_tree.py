"""A page of a statute in the form of Akoma Ntoso: its flat headings and paragraphs, arranged in levels.

Finlex's pages have only headings ("24 § Toimintamuodon muutokset", "2 luku"), paragraphs and lists. This
module restores the momentit and kohdat of each section, and separates the enacting clause and the entry into
force. `statute_tree` makes provisions of them, with the same identifiers as for every other source.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from lxml import etree

from pykala.packs.finland.pages.blocks import Block
from pykala.packs.finland.statutes.statute_xml_tables import line
from pykala.packs.finland.statutes.tree import ENTRY_SECTION
from pykala.packs.finland.statutes.wordings import announced_change, read_repeal

LIST_OF_AMENDMENTS = "Muutossäädösten voimaantulo ja soveltaminen"
_SECTION = re.compile(
    r"^(?P<label>\d{1,4}(?:\s?[a-zåäö])?\s?(?:[-–―—]\s?\d{1,4}(?:\s[a-zåäö])?\s?)?§)\s*(?P<heading>.*)$"
)
_CHAPTER = re.compile(
    r"^(?P<label>(?:\d{1,3}(?:\s?[a-zåäö])?|[IVXLC]{1,7})\.?\s?(?P<level>luku|osa))\b\.?\s*(?P<heading>.*)$",
    re.I,
)
_PART_FIRST = re.compile(r"^(?P<label>(?P<level>OSA)\s[IVXLC\d]{1,7})\b\.?\s*(?P<heading>.*)$")
_AMENDING_ACT = re.compile(r"^\d{1,2}\.\d{1,2}\.\d{4}/\d{1,4}\s*:?$")
_ITEM = re.compile(r"^(\d{1,3}(?:\s?[a-zåäö])?\s?\)|[a-zåäö]{1,2}\s?\))\s+(?=\S)")
_DASHES = re.compile(r"^[\s.]*(?:[-–―—_]\s*){3,}[\s.]*$")
_ENTRY = re.compile(
    r"^Täm(?:ä|än) (?:laki|lain|asetus|asetuksen|päätös|päätöksen) (?:tulee|tuli|voimaantulosta)\b"
)
_CLAUSE_ENDS = re.compile(
    r"(?:seuraavasti|säädetään|nojalla|kuuluvaksi|kuuluviksi|seuraavaa|päättänyt)\s?[:.]$"
)
_SIGNED = re.compile(
    r"^(?:Annettu )?(?:Helsingissä|Naantalissa|Kultarannassa) \d{1,2} päivänä [a-zäö]+kuuta \d{4}\.?$"
)
_ANNEX = re.compile(r"^Liit(?:e|teet)(?:\s+[\dIVXA-Z][\w ,–-]{0,40})?\.?$", re.I)
#: "Valtioneuvoston asetus N:o 1081": the head of a printed page, left between the words of the act.
_RUNNING_HEAD = re.compile(r"(?:Laki|Asetus|Päätös|[A-ZÅÄÖ][\wåäö-]+ (?:laki|asetus|päätös)) N:o \d{1,4}")
_INNER_SPACE = re.compile(r"(?<=\() +|(?<! ) +(?=\))|(?<=[\d)]) +(?=[.,;](?:\s|$))")


def mend(text: str) -> str:
    """A paragraph's words as printed: the source's line breaks leave spaces at links, "( 1535/1992 ) ,"."""
    return _INNER_SPACE.sub("", text)


@dataclass(slots=True)
class _Body:
    """The act while it is built: where the next words belong."""

    act: etree._Element
    amending: bool
    consolidated: bool
    body: etree._Element
    home: list[etree._Element] = field(default_factory=list)  # part and chapter that are open
    section: etree._Element | None = None
    moment: etree._Element | None = None
    container: etree._Element | None = None  # entry into force, signatures or annex: after the sections

    @property
    def outer(self) -> etree._Element:
        return self.home[-1] if self.home else self.body


def as_akoma_ntoso(blocks: Sequence[Block], *, amending: bool, consolidated: bool) -> etree._Element:
    """The act of a page, from the blocks below its title."""
    blocks = [block for block in blocks if not _RUNNING_HEAD.fullmatch(block.text)]
    act = etree.Element("act")
    preamble = etree.SubElement(act, "preamble")
    end = _end_of_clause(blocks)
    formula = etree.SubElement(preamble, "formula", name="enactingClause")
    formula.extend(line("block", mend(block.text)) for block in blocks[:end])
    state = _Body(act, amending, consolidated, etree.SubElement(act, "body"))
    entry = _own_entry(blocks) if amending else -1
    for at, block in enumerate(blocks[end:], end):
        if at == entry:
            _open_container(state, "entryIntoForce")
        _take(state, block)
    return act


def _end_of_clause(blocks: Sequence[Block]) -> int:
    """How many blocks are the enacting clause: up to its closing words, at most to the first heading."""
    heading = next((at for at, block in enumerate(blocks) if block.kind == "heading"), len(blocks))
    entry = next((at for at, block in enumerate(blocks[:heading]) if _ENTRY.match(block.text)), heading)
    closed = [at for at, block in enumerate(blocks[:entry]) if _CLAUSE_ENDS.search(block.text)]
    return closed[-1] + 1 if closed else entry


def _own_entry(blocks: Sequence[Block]) -> int:
    """Where an amending act's own entry into force begins: the last such words, if no section follows."""
    found = [at for at, block in enumerate(blocks) if block.kind == "paragraph" and _ENTRY.match(block.text)]
    if not found or any(
        block.kind == "heading" and _SECTION.match(block.text) for block in blocks[found[-1] :]
    ):
        return -1
    before = next((block for block in reversed(blocks[: found[-1]]) if block.kind == "heading"), None)
    alone = blocks[found[-1] - 1] is before
    # "3 §" with nothing but the entry into force is a section of the act itself.
    return -1 if alone and before is not None and _SECTION.match(before.text) else found[-1]


def _take(state: _Body, block: Block) -> None:
    text = mend(block.text)
    if block.kind == "heading":
        _take_heading(state, block, text)
    elif _DASHES.match(text):
        if not _list_goes_on(state):
            state.moment = None
        place = state.moment if state.moment is not None else _open_place(state)
        place.append(etree.Element("hcontainer", name="omission"))
    elif _SIGNED.match(text):
        _open_container(state, "signatures").append(line("p", text))
    elif block.kind == "paragraph" and _ANNEX.match(text) and _may_end(state):
        _open_container(state, "attachment").append(line("p", text))
    elif block.kind == "table":
        place = state.moment if state.moment is not None else _open_place(state)
        place.append(_table(text))
    elif state.container is not None:
        state.container.append(line("p", text))
    elif state.consolidated and _take_note(state, block, text):
        state.moment = None
    else:
        _take_words(state, block, text)


def _list_goes_on(state: _Body) -> bool:
    """Whether an omission stands for kohdat of the current momentti: its list has begun and not ended."""
    if state.moment is None or state.container is not None:
        return False
    words = "".join(map(str, state.moment.itertext())).rstrip()
    return words.endswith((":", ";", "; ja", "; sekä", "; tai", "; taikka"))


def _may_end(state: _Body) -> bool:
    return state.container is not None or state.section is None or len(state.section) > 1


def _take_heading(state: _Body, block: Block, text: str) -> None:
    listing = state.container is not None and state.container.get("name") == "entryIntoForce"
    if _AMENDING_ACT.match(text):
        _open_container(state, "entryIntoForce").append(line("heading", text))
    elif text == LIST_OF_AMENDMENTS:
        _close(state)
        state.home = []
        state.body.append(line("crossHeading", text))
    elif found := _SECTION.match(text):
        _open_section(state, found["label"], found["heading"])
    elif found := _CHAPTER.match(text) or _PART_FIRST.match(text):
        _open_chapter(state, found)
    elif state.container is not None and not listing:
        state.container.append(line("p", text))
    else:
        _close(state)
        state.outer.append(line("crossHeading", text))


def _close(state: _Body) -> None:
    state.section = state.moment = state.container = None


def _open_section(state: _Body, label: str, heading: str) -> None:
    _close(state)
    state.section = etree.SubElement(state.outer, "section")
    state.section.append(line("num", label))
    if heading:
        state.section.append(line("heading", heading))


def _open_chapter(state: _Body, found: re.Match[str]) -> None:
    _close(state)
    part = found["level"].lower() == "osa"
    state.home = [] if part else [one for one in state.home if one.tag == "part"]
    made = etree.SubElement(state.outer, "part" if part else "chapter")
    made.append(line("num", found["label"]))
    if found["heading"]:
        made.append(line("heading", found["heading"]))
    state.home.append(made)


def _open_container(state: _Body, name: str) -> etree._Element:
    _close(state)
    state.home = []
    state.container = etree.SubElement(state.body, "hcontainer", name=name)
    return state.container


def _open_place(state: _Body) -> etree._Element:
    """Where words without a momentti go: into the section, or into the body before any."""
    if state.container is not None:
        return state.container
    return state.section if state.section is not None else state.outer


def _take_note(state: _Body, block: Block, text: str) -> bool:
    """An editor's note on a consolidated page: a repeal ("2 a § on kumottu L:lla …"), or a later wording."""
    if read_repeal(text) is None and not (announced_change(text) and block.emphasised):
        return False
    if state.section is not None and read_repeal(text) is not None and len(state.section) == 1:
        state.section.append(line("p", text))
        return True
    note = etree.SubElement(_open_place(state), "hcontainer", name="noteAuthorial")
    note.append(line("p", text))
    return True


def _take_words(state: _Body, block: Block, text: str) -> None:
    label = _ITEM.match(text)
    if state.section is None:
        if block.kind == "item" or label:
            state.outer.append(_labelled("paragraph", text))
        else:
            state.outer.append(line("p", text))
        return
    is_item = block.kind == "item" or (label is not None and state.moment is not None)
    if is_item and not _announces_anew(state.moment, text):
        if state.moment is None:
            state.moment = etree.SubElement(state.section, "subsection")
        _take_item(state.moment, text)
        return
    if state.moment is not None and len(state.moment) > 1 and text[:1].islower():
        # "… on velvollinen maksamaan veron." goes on after a list: it is no momentti of its own.
        etree.SubElement(state.moment, "wrapUp").append(line("p", text))
        return
    if _ENTRY.match(text) and len([1 for child in state.section if child.tag == "subsection"]) == 0:
        state.section.set("class", ENTRY_SECTION)
    state.moment = etree.SubElement(state.section, "subsection")
    state.moment.append(line("p", text))


def _announces_anew(moment: etree._Element | None, text: str) -> bool:
    """Whether an item is the next momentti: it opens a list as the momentti does, whose own list is lost.

    "Perintöveroa maksetaan I veroluokassa seuraavan asteikon mukaan:", and below it the same of class II.
    """
    if moment is None or len(moment) != 1 or not text.endswith(":"):
        return False
    opening = "".join(map(str, moment.itertext())).strip()
    return opening.endswith(":") and opening.split()[:2] == text.split()[:2]


def _take_item(moment: etree._Element, text: str) -> None:
    """A kohta, or an alakohta of the kohta before it: "a)" below "1)"."""
    label = _ITEM.match(text)
    last = moment[-1] if len(moment) else None
    above = last.find("num") if last is not None and last.tag == "paragraph" else None
    lettered = label is not None and not label[1][0].isdecimal()
    if lettered and above is not None and last is not None and (above.text or "")[:1].isdecimal():
        last.append(_labelled("subparagraph", text))
    else:
        moment.append(_labelled("paragraph", text))


def _labelled(tag: str, text: str) -> etree._Element:
    made = etree.Element(tag)
    if found := _ITEM.match(text):
        made.append(line("num", found[1]))
        text = text[found.end() :]
    made.append(line("p", text))
    return made


def _table(text: str) -> etree._Element:
    table = etree.Element("table")
    for row in text.split("\n"):
        made = etree.SubElement(table, "tr")
        for cell in row.split(" | "):
            made.append(line("td", cell))
    return table
