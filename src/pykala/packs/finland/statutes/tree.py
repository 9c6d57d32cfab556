"""The body of an Akoma Ntoso act as a tree of provisions: parts, chapters, sections, momentit, kohdat.

Section numbers run through the whole act, so identifiers name no chapter (`fi:act:1992/1535/sec_124`); if an
act restarts from 1 § in each chapter, they do.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from datetime import date

from lxml import etree

from pykala.law.identifiers import ProvisionId, Step
from pykala.law.provisions import Event, Provision, ProvisionKind, Version
from pykala.law.validity import Validity
from pykala.packs.finland.commencement import interval
from pykala.packs.finland.spacing import number_of, tidy
from pykala.packs.finland.statutes.act_text import ActText
from pykala.packs.finland.statutes.cross_headings import group_cross_headings
from pykala.packs.finland.statutes.inline import inline_text, local_name, table_text
from pykala.packs.finland.statutes.item_lists import is_point_of, with_stray_item
from pykala.packs.finland.statutes.wordings import (
    Change,
    RepealNote,
    amending_act,
    announced_change,
    join_wordings,
    read_repeal,
    renumbered,
    since,
    takes_effect,
)
from pykala.packs.finland.taken_places import TakenPlaces

__all__ = ["ENTRY_SECTION", "OMITTED", "group_cross_headings", "label_of", "read_tree", "restarts"]

FINLEX = "{http://data.finlex.fi/schema/finlex}"
_TRANSPARENT_ELEMENTS = {"content", "intro", "wrapUp", "blockContainer", "body", "blockList", "list"}
_TRANSPARENT_CONTAINERS = {"statuteProvisionsWrapper", "statuteTextWrapper", "conclusions", "attachments"}
_LINES = {"p", "block", "item", "blockquote", "longTitle"}
_NO_WORDS = {"horizontalRule", "entryIntoForceStart"}
#: The printed line with which an amending act leaves words unchanged; sources mark it without words.
OMITTED = "— — — — — — — — — — — — — —"
#: The class of a numbered section that its source itself marks as the one on entry into force.
ENTRY_SECTION = "entryIntoForce"
_ENTRY_HEADING = re.compile(r"^(?:voimaantulo|ikraftträdande|entry into force)", re.IGNORECASE)
_ENTRY_WORDS = re.compile(
    r"tämä (?:laki|asetus|päätös) tulee voimaan|tämän (?:lain|asetuksen|päätöksen) voimaantulosta säädetään"
    r"|(?:denna (?:lag|förordning)|detta beslut) träder i kraft|(?:bestämmelser )?om ikraftträdandet av denna"
    r"|this (?:act|decree) enters into force",
    re.IGNORECASE,
)
_INSERTED = re.compile(r"lisätty|fogats|tillagd|added|inserted", re.IGNORECASE)
_EID_STEP = re.compile(r"(?:^|__)(?P<kind>[a-z]+)_(?P<number>[0-9a-zåäö]+?)(?:v\d{8})?$")

_STEPS = {"part": "part", "chapter": "chp", "section": "sec", "subsection": "subsec"}
_STEPS |= {"paragraph": "para", "subparagraph": "subpara", "point": "subpara"}
_KINDS = {
    "part": ProvisionKind.PART,
    "chapter": ProvisionKind.CHAPTER,
    "section": ProvisionKind.SECTION,
    "subsection": ProvisionKind.SUBSECTION,
}
_CONTAINER_STEPS = {
    "entryIntoForce": ("entry", ProvisionKind.ENTRY_INTO_FORCE),
    "preliminaryWork": ("preliminary", ProvisionKind.HISTORICAL_NOTE),
    "signatures": ("signature", ProvisionKind.SIGNATURE_BLOCK),
    "attachment": ("annex", ProvisionKind.ANNEX),
    "noteAuthorial": ("note", ProvisionKind.EDITORIAL_NOTE),
    "publicationNote": ("note", ProvisionKind.EDITORIAL_NOTE),
}


def read_tree(act: etree._Element, title: str, number: str, text: ActText) -> Provision:
    """The whole act: enacting clause and body, below the work."""
    root = ProvisionId(text.work)
    children: list[Provision] = []
    for name in ("preface", "preamble", "body", "conclusions", "attachments"):
        for element in act.findall(f"{{*}}{name}"):
            if name == "preface":
                children += _preface_notes(element, root, text)
            elif name == "preamble":
                children += _preamble(element, root, text)
            else:
                own, below = _gather(element, root, text, "")
                if own:
                    children.append(
                        _leaf(text.taken.next_free(root, "text"), ProvisionKind.SECTION, own, text)
                    )
                children += below
    return Provision(
        root, ProvisionKind.WORK, number, (text.version("", title),), tuple(group_cross_headings(children))
    )


def restarts(act: etree._Element, inner: str, outer: str) -> bool:
    """Whether the numbers of `inner` elements start again in each `outer` one."""
    homes: dict[str, set[etree._Element]] = {}
    for element in act.iter(f"{{*}}{inner}"):
        home = next(element.iterancestors(f"{{*}}{outer}"), None)
        if home is not None:
            homes.setdefault(number_of(label_of(element)), set()).add(home)
    return any(len(found) > 1 for number, found in homes.items() if number)


def label_of(element: etree._Element) -> str:
    """The printed number of an element: "124 §"."""
    number = element.find("{*}num")
    return tidy("".join(map(str, number.itertext()))) if number is not None else ""


def _preface_notes(element: etree._Element, root: ProvisionId, text: ActText) -> list[Provision]:
    # Number and title are the work's own; anything else in the preface is kept as a note.
    lines = []
    for line in element.iter("{*}p"):
        names = {local_name(child) for child in line}
        if not names & {"docNumber", "docTitle"} and (words := inline_text(line, text.indented)):
            lines.append(words)
    if not lines:
        return []
    return [_leaf(text.taken.next_free(root, "note"), ProvisionKind.EDITORIAL_NOTE, "\n".join(lines), text)]


def _preamble(element: etree._Element, root: ProvisionId, text: ActText) -> list[Provision]:
    found = []
    for part in element:
        if not isinstance(part.tag, str):
            continue
        own, below = _gather(part, root, text, "")
        if local_name(part) in _LINES and not own:
            own = inline_text(part, text.indented)
        kind = (
            ProvisionKind.ENACTING_CLAUSE if part.get("name") == "enactingClause" else ProvisionKind.PREAMBLE
        )
        step = "enacting" if kind is ProvisionKind.ENACTING_CLAUSE else "preamble"
        if own or below:
            identifier = text.taken.next_free(root, step)
            found.append(Provision(identifier, kind, "", (text.version(own),), tuple(below)))
    return found


def _leaf(
    identifier: ProvisionId, kind: ProvisionKind, words: str, text: ActText, origin: str = ""
) -> Provision:
    return Provision(identifier, kind, "", (text.version(words, "", origin),))


@dataclass(slots=True)
class _Siblings:
    """Words and provisions of one parent, in order; words after the first child become its flush text."""

    parent: ProvisionId
    text: ActText
    origin: str
    own: list[str] = field(default_factory=list)
    below: list[Provision] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    until: Change | None = None  # an earlier wording follows, which was in force until this change
    flushing: bool = False

    def words(self, line: str) -> None:
        if not line:
            return
        if not self.below:
            self.own.append(line)
            return
        last = self.below[-1]
        if self.flushing and last.kind is ProvisionKind.FLUSH:
            version = last.versions[0]
            self.below[-1] = replace(last, versions=(replace(version, text=f"{version.text}\n{line}"),))
        else:
            identifier = self.text.taken.next_free(self.parent, "flush")
            self.below.append(_leaf(identifier, ProvisionKind.FLUSH, line, self.text, self.origin))
            self.flushing = True

    def add(self, provision: Provision) -> None:
        self.flushing = False
        change, self.until = self.until, None
        if change is not None and self.follows(provision.id.last):
            newer = self.below[-1]
            self.below[-1] = join_wordings(newer, renumbered(provision, newer.id), change)
        else:
            self.below.append(provision)

    def follows(self, step: Step | None) -> bool:
        """Whether the provision before is of the same kind, so that an earlier wording may belong to it."""
        last = self.below[-1].id.last if self.below else None
        return last is not None and step is not None and last.kind == step.kind


def _gather(
    element: etree._Element, parent: ProvisionId, text: ActText, origin: str
) -> tuple[str, list[Provision]]:
    siblings = _Siblings(parent, text, origin)
    _gather_into(siblings, element)
    return "\n".join(siblings.own), siblings.below


def _gather_into(siblings: _Siblings, element: etree._Element) -> None:
    siblings.words(tidy(element.text or ""))
    for child in element:
        if isinstance(child.tag, str):
            _take(siblings, child)
        siblings.words(tidy(child.tail or ""))


def _take(siblings: _Siblings, child: etree._Element) -> None:
    name, text = local_name(child), siblings.text
    if name in {"num", "heading", "subheading"}:
        return
    if name in _TRANSPARENT_ELEMENTS or child.get("name") in _TRANSPARENT_CONTAINERS:
        _gather_into(siblings, child)
    elif name in _LINES:
        siblings.words(inline_text(child, text.indented))
    elif name in _STEPS:
        _take_numbered(siblings, child, name)
    elif name == "table":
        identifier = text.taken.next_free(siblings.parent, "table")
        siblings.add(
            _leaf(identifier, ProvisionKind.TABLE, table_text(child, text.indented), text, siblings.origin)
        )
    elif name == "foreign":
        identifier = text.taken.next_free(siblings.parent, "formula")
        words = inline_text(child, text.indented)
        siblings.add(_leaf(identifier, ProvisionKind.FORMULA, words, text, siblings.origin))
    elif name in {"crossHeading", "level"}:
        _take_heading(siblings, child)
    elif child.get("name") == "omission":
        identifier = text.taken.next_free(siblings.parent, "omission")
        siblings.add(_leaf(identifier, ProvisionKind.OMISSION, OMITTED, text))
    elif child.get("name") == "noteAuthorial" or name == "authorialNote":
        _take_note(siblings, child)
    elif child.get("name") not in _NO_WORDS:
        _take_container(siblings, child)


def _take_heading(siblings: _Siblings, child: etree._Element) -> None:
    text = siblings.text
    heading = child.find("{*}heading")
    words = inline_text(heading if heading is not None else child, text.indented)
    identifier = text.taken.next_free(siblings.parent, "head")
    own, below = _gather(child, identifier, text, siblings.origin) if heading is not None else ("", [])
    siblings.add(Provision(identifier, ProvisionKind.HEADING, "", (text.version(own, words),), tuple(below)))


def _take_container(siblings: _Siblings, child: etree._Element) -> None:
    text = siblings.text
    step, kind = _CONTAINER_STEPS.get(child.get("name", ""), ("text", ProvisionKind.SECTION))
    identifier = text.taken.next_free(siblings.parent, step)
    own, below = _gather(child, identifier, text, siblings.origin)
    heading = _heading_of(child, text)
    if own or below or heading:
        siblings.add(
            Provision(identifier, kind, label_of(child), (text.version(own, heading),), tuple(below))
        )
    else:
        text.taken.give_back(siblings.parent, identifier)


def _take_note(siblings: _Siblings, child: etree._Element) -> None:
    """An editor's note: it announces an earlier wording, states a repeal, or is kept as it is."""
    text = siblings.text
    note = tidy(" ".join(map(str, child.itertext())))
    repeal = read_repeal(note)
    if repeal is not None:
        _take_repeal(siblings, note, repeal)
        siblings.until = announced_change(note)
        return
    change = announced_change(note)
    if change is not None and siblings.below:
        siblings.until = change  # its words are kept with the later wording
        return
    day = takes_effect(note)
    if day is not None and siblings.below and siblings.below[-1].versions:
        siblings.below[-1] = _taking_effect(siblings.below[-1], note, day)
        return
    identifier = text.taken.next_free(siblings.parent, "note")
    siblings.add(_leaf(identifier, ProvisionKind.EDITORIAL_NOTE, note, text))


def _taking_effect(provision: Provision, note: str, day: date) -> Provision:
    """The wording before a note "9 kohta tulee voimaan 1.1.2017", where the source has no earlier wording."""
    first, *later = provision.versions
    inserted = _INSERTED.search(note) is not None
    dated = replace(
        first,
        validity=interval(day, first.validity.end),
        event=Event.INSERTED if inserted else Event.AMENDED,
        source_act=first.source_act or amending_act(note),
        application=" ".join(part for part in (first.application, note) if part),
        history_unavailable=not inserted,
    )
    return replace(
        provision,
        versions=(dated, *later),
        children=tuple(since(child, day) for child in provision.children),
    )


def _take_repeal(siblings: _Siblings, note: str, repeal: RepealNote) -> None:
    text = siblings.text
    here = siblings.parent.last
    version = _tombstone(note, repeal, text)
    if repeal.unit == "sec" and here is not None and here.kind == "sec":
        siblings.own.append(note)  # the section itself is gone; its version is marked by `_numbered`
        return
    kinds = {"sec": ProvisionKind.SECTION, "subsec": ProvisionKind.SUBSECTION, "para": ProvisionKind.ITEM}
    parent = ProvisionId(text.work) if repeal.unit == "sec" and not text.chapters_in_ids else siblings.parent
    identifier = text.taken.claim(parent, repeal.unit, repeal.number)
    label = f"{note.split(' §')[0]} §" if repeal.unit == "sec" and " §" in note else ""
    siblings.add(Provision(identifier, kinds[repeal.unit], label, (version,)))
    if repeal.unit == "subsec":
        siblings.counts["subsection"] = siblings.counts.get("subsection", 0) + 1


def _tombstone(note: str, repeal: RepealNote, text: ActText) -> Version:
    since = repeal.since or (text.commencements.get(repeal.source_act) if repeal.source_act else None)
    return replace(
        text.version(note),
        validity=Validity(since),
        event=Event.REPEALED,
        source_act=repeal.source_act,
        history_unavailable=True,
    )


def _take_numbered(siblings: _Siblings, child: etree._Element, name: str) -> None:
    text = siblings.text
    if siblings.below and _goes_on(siblings, siblings.below[-1], child, name):
        return
    if siblings.until is not None and siblings.follows(Step(_STEPS[name], "1")):
        # An earlier wording takes its identifiers anew: they are those of the later one.
        siblings.add(_numbered(child, name, siblings, replace(text, taken=TakenPlaces())))
        return
    siblings.counts[name] = siblings.counts.get(name, 0) + 1
    siblings.add(_numbered(child, name, siblings, text))


def _goes_on(siblings: _Siblings, last: Provision, child: etree._Element, name: str) -> bool:
    """Whether an element belongs to the provision before it; if so, it has been moved there."""
    if name == "paragraph" and is_point_of(last, label_of(child)):
        inner = _Siblings(last.id, siblings.text, siblings.origin, below=list(last.children))
        _take_numbered(inner, child, "subparagraph")
        siblings.below[-1] = replace(last, children=tuple(inner.below))
        return True
    plain = child.find(".//{*}paragraph") is None and child.find(".//{*}table") is None
    if name == "subsection" and siblings.text.authentic and plain:
        words = tidy(" ".join(map(str, child.itertext())))
        longer = with_stray_item(last, words, siblings.text)
        if longer is not None:
            siblings.below[-1] = longer
            return True
    return False


def _numbered(child: etree._Element, name: str, siblings: _Siblings, text: ActText) -> Provision:
    label = label_of(child)
    identifier = text.taken.claim(
        _home(name, siblings.parent, text), _STEPS[name], _number(child, label, name, siblings)
    )
    origin = child.get(f"{FINLEX}originalVersionLabel") or siblings.origin
    own, below = _gather(child, identifier, text, origin)
    heading = _heading_of(child, text)
    kind = _KINDS.get(name, ProvisionKind.ITEM)
    if name == "section" and _is_on_entry(child, heading, below):
        kind = ProvisionKind.ENTRY_INTO_FORCE
    version = text.version(own, heading, origin if name not in {"part", "chapter"} else "")
    repeal = read_repeal(own) if name == "section" and not below else None
    if repeal is not None and not text.authentic:
        version = _tombstone(own, repeal, text)
    if name in {"part", "chapter"}:
        below = list(group_cross_headings(below))
    return Provision(identifier, kind, label, (version,), tuple(below))


def _is_on_entry(section: etree._Element, heading: str, below: list[Provision]) -> bool:
    """Whether a section is on entry into force: marked so, headed so, or unheaded and beginning so."""
    if section.get("class") == ENTRY_SECTION or heading:
        return section.get("class") == ENTRY_SECTION or _ENTRY_HEADING.match(heading) is not None
    first = below[0].versions[0].text if below and below[0].versions else ""
    return _ENTRY_WORDS.match(first) is not None


def _home(name: str, parent: ProvisionId, text: ActText) -> ProvisionId:
    """The parent of an identifier: the tree's parent, or the work for consecutive section numbers."""
    if (name == "section" and not text.chapters_in_ids) or (name == "chapter" and not text.parts_in_ids):
        return ProvisionId(text.work)
    if parent.last is not None and parent.last.kind == "head":
        return parent.parent
    return parent


def _number(child: etree._Element, label: str, name: str, siblings: _Siblings) -> str:
    if number := number_of(label):
        return number
    # A consolidated momentti names its place in its eId; an original's is its place in print.
    found = _EID_STEP.search(child.get("eId", "")) if not siblings.text.authentic else None
    if found is not None and found["kind"] == _STEPS[name]:
        return found["number"]
    return str(max(siblings.counts.get(name, 1), 1))


def _heading_of(element: etree._Element, text: ActText) -> str:
    headings = (inline_text(child, text.indented) for child in element if _is_heading(child))
    return " – ".join(words for words in headings if words)


def _is_heading(child: etree._Element) -> bool:
    return isinstance(child.tag, str) and local_name(child) in {"heading", "subheading"}
