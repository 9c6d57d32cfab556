"""A page's blocks as provisions: headings are sections with paragraphs below, and links are references."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date

from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Provision, ProvisionKind, Version
from pykala.law.references import EdgeKind, Method, Reference, normalise_alias
from pykala.law.validity import ALWAYS, Validity
from pykala.packs.finland.addresses import Destination, destination, slug
from pykala.packs.finland.commencement import day_after, interval, short_date
from pykala.packs.finland.pages.blocks import Block
from pykala.packs.finland.spacing import tidy
from pykala.packs.finland.taken_places import TakenPlaces

_NUMBERED = re.compile(r"^(?P<label>(?P<number>\d{1,2}(?:\.\d{1,2}){0,5}[a-z]?)\.?)\s+(?P<words>\S.*)$")
_LABEL = re.compile(
    r"^(?P<label>antopäivä|diaarinumero|voimassaolo|valtuutussäännös|korvaa(?:\s+(?:ohjeen|kannanoton|päätöksen))?"
    r"|taltio(?:numero)?|tapausvuosi|asiasanat|ecli-tunnus"
    r"|utfärdad|diarienummer|giltighet|ersätter\s+anvisningen)\s*:?(?:\s+(?P<value>.+))?$",
    re.IGNORECASE | re.DOTALL,
)
_VERO_PAGE = re.compile(
    r"vero\.fi/syventavat-vero-ohjeet/(?:ohje-hakusivu|kannanotot|paatokset)/\d+(?:/(?P<name>[^/?#]+))?"
)
_SITE = re.compile(r"\s*-\s*vero\.fi\s*$")
#: "tästä", "ohje", "Lue lisää": words that are no title.
_SHORTEST_TITLE = 12
_DATES = re.compile(r"(\d{1,2}\.\d{1,2}\.\d{4})?\s{0,40}[-–—]\s{0,40}(\d{1,2}\.\d{1,2}\.\d{4}|\w+)?")


@dataclass(frozen=True, slots=True)
class PageDetails:
    """The labelled lines of a page: date of issue, diary number, how long it holds, what it replaces."""

    issued: date | None = None
    diary_number: str = ""
    record: str = ""  # the number of a judgment in the court's register ("taltio")
    validity: Validity = ALWAYS
    replaces: str = ""
    ecli: str = ""


def split_details(blocks: Sequence[Block]) -> tuple[PageDetails, tuple[Block, ...], tuple[Block, ...]]:
    """Take the labelled lines out of a page: what they say, themselves, and all other blocks."""
    values: dict[str, str] = {}
    labelled: list[Block] = []
    others: list[Block] = []
    open_label = ""
    for block in blocks:
        found = _LABEL.match(block.text) if block.kind in {"paragraph", "item"} else None
        if found:
            label = found["label"].lower().split()[0]
            values.setdefault(label, (found["value"] or "").strip())
            open_label = "" if found["value"] else label
            labelled.append(block)
        elif open_label and block.kind in {"paragraph", "item"}:
            # The value of a label may stand in a block of its own.
            values[open_label], open_label = block.text, ""
            labelled.append(block)
        else:
            open_label = ""
            others.append(block)
    return _details(values), tuple(labelled), tuple(others)


def _details(values: dict[str, str]) -> PageDetails:
    lasting = values.get("voimassaolo", "") or values.get("giltighet", "")
    issued = short_date(values.get("antopäivä", "") or values.get("utfärdad", ""))
    return PageDetails(
        issued,
        values.get("diaarinumero", "") or values.get("diarienummer", ""),
        values.get("taltio", "") or values.get("taltionumero", ""),
        _lasting(lasting, issued),
        values.get("korvaa", "") or values.get("ersätter", ""),
        values.get("ecli-tunnus", ""),
    )


def _lasting(text: str, issued: date | None) -> Validity:
    """Read "12.1.2023 - Toistaiseksi" (open-ended) or "12.1.2023 - 19.6.2024", both days included."""
    found = _DATES.search(text)
    start = short_date(found[1] or "") if found else short_date(text)
    last = short_date(found[2] or "") if found else None
    return interval(start or issued, day_after(last) if last else None)


def _destination(address: str, words: str) -> Destination | None:
    """The target of a link; Vero truncates names in addresses, so the link's words, a title, come first."""
    if not (page := _VERO_PAGE.search(address)):
        return destination(address, words)
    title = normalise_alias(_SITE.sub("", tidy(words)))
    if len(title) > _SHORTEST_TITLE and "://" not in title:
        return Destination(alias=title)
    name = slug((page["name"] or "").rstrip("0123456789"))
    return Destination(ProvisionId(WorkId(f"fi:vero:{name}"))) if name else None


@dataclass(slots=True)
class _Draft:
    """A section while it is being filled."""

    id: ProvisionId
    kind: ProvisionKind
    level: int
    label: str = ""
    heading: str = ""
    children: list[_Draft | Provision] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)

    def next(self, kind: str) -> ProvisionId:
        self.counts[kind] = self.counts.get(kind, 0) + 1
        return self.id.child(kind, str(self.counts[kind]))


@dataclass(slots=True)
class PageTree:
    """Builds the provisions of one page; every block is in exactly one of them."""

    root: ProvisionId
    language: str
    validity: Validity
    observed_at: date | None
    kind: EdgeKind
    section_kind: ProvisionKind = ProvisionKind.SECTION
    references: list[Reference] = field(default_factory=list)
    taken: TakenPlaces = field(default_factory=TakenPlaces)

    def build(
        self, title: str, label: str, groups: Iterable[Provision], blocks: Sequence[Block]
    ) -> Provision:
        """The whole page: provisions made before, then the sections that its headings open."""
        top = _Draft(self.root, ProvisionKind.WORK, 0, label, title, list(groups))
        stack = [top]
        for block in blocks:
            if block.kind == "heading":
                while len(stack) > 1 and stack[-1].level >= block.level:
                    stack.pop()
                section = self._section(block, stack[-1])
                stack[-1].children.append(section)
                stack.append(section)
            else:
                self._place(block, stack[-1])
        return self._frozen(top)

    def group(self, step: str, kind: ProvisionKind, blocks: Sequence[Block]) -> Provision:
        """Blocks that stand together without a heading: a headnote, an introduction, the labelled lines."""
        draft = _Draft(self.root.child(step, "1"), kind, 0)
        for block in blocks:
            self._place(block, draft)
        return self._frozen(draft)

    def _section(self, block: Block, parent: _Draft) -> _Draft:
        numbered = _NUMBERED.match(block.text)
        if numbered is None:
            return _Draft(parent.next("head"), self.section_kind, block.level, "", block.text)
        # Printed numbers already say where a section stands: 2.1 needs no 2 before it.
        identifier = self.taken.claim(self.root, "sec", numbered["number"])
        return _Draft(identifier, self.section_kind, block.level, numbered["label"], numbered["words"])

    def _place(self, block: Block, section: _Draft) -> None:
        if block.kind == "item" and section.children:
            last = section.children[-1]
            if isinstance(last, _Draft) and last.kind is ProvisionKind.SUBSECTION:
                last.children.append(self._leaf(block, last.next("item"), ProvisionKind.ITEM))
                return
        if block.kind == "paragraph":
            identifier = section.next("para")
            paragraph = _Draft(identifier, ProvisionKind.SUBSECTION, 9, heading="")
            paragraph.children.append(self._leaf(block, identifier, ProvisionKind.SUBSECTION))
            section.children.append(paragraph)
            return
        step, kind = ("table", ProvisionKind.TABLE) if block.kind == "table" else ("item", ProvisionKind.ITEM)
        section.children.append(self._leaf(block, section.next(step), kind))

    def _leaf(self, block: Block, identifier: ProvisionId, kind: ProvisionKind) -> Provision:
        for link in block.links:
            words = block.text[link.start : link.end]
            found = _destination(link.address, words)
            if found is not None:
                self.references.append(
                    Reference(
                        identifier,
                        self.kind,
                        words,
                        self.language,
                        Method.ANCHOR,
                        link.start,
                        link.end,
                        found.target,
                        found.alias,
                    )
                )
        return Provision(identifier, kind, "", (self._version(block.text, ""),))

    def _version(self, text: str, heading: str) -> Version:
        return Version(text, self.validity, heading, observed_at=self.observed_at)

    def _frozen(self, draft: _Draft) -> Provision:
        children = [self._frozen(child) if isinstance(child, _Draft) else child for child in draft.children]
        if draft.level == 9 and children[0].id == draft.id:
            # A paragraph with its list: its own words first, the items below.
            own, *items = children
            return Provision(own.id, own.kind, "", own.versions, tuple(items))
        version = self._version("", draft.heading)
        return Provision(draft.id, draft.kind, draft.label, (version,), tuple(children))
