"""A file as drafts: read from its tree, or piece by piece where it is large.

A tree needs several times the memory of its file, and long acts (the Income Tax Act, the Criminal Code) have
files of many megabytes. These are read section by section: each section is drafted when it ends and then
cleared, so that only the drafts and one section are in memory.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from lxml import etree

from pykala.fetch.xml import RefusedFile, stream_xml
from pykala.law.provisions import ProvisionKind
from pykala.packs.canada.drafts import Draft
from pykala.packs.canada.ended import BodySection, body_sections, sections_within
from pykala.packs.canada.identification import Identification, publication_item, read_identification
from pykala.packs.canada.reader import TreeReader
from pykala.packs.canada.standing import Standing

STREAMED_FROM = 8 * 1024 * 1024  # bytes


@dataclass(frozen=True, slots=True)
class DraftedTree:
    """The drafts of a file, and what else is known of it."""

    head: Identification
    root: etree._Element
    draft: Draft
    sections: tuple[BodySection, ...]


def refuse_other_roots(root: etree._Element, path: str) -> None:
    """Raise RefusedFile for a file that is not from Justice Laws."""
    if root.tag not in ("Statute", "Regulation"):
        raise RefusedFile(
            path, f"its root is <{root.tag}>; a Justice Laws file has <Statute> or <Regulation>"
        )


def draft_tree(root: etree._Element, path: str, language: str) -> DraftedTree:
    """Draft a file from its tree."""
    drafting = _Drafting(root, path, language)
    drafting.begin()
    drafting.reader.read_children(root, drafting.draft, drafting.standing)
    return DraftedTree(drafting.head, root, drafting.draft, body_sections(root))


def draft_streamed(data: bytes, path: str, language: str) -> DraftedTree:
    """Draft a file while it is parsed."""
    drafting: _Drafting | None = None
    waiting: tuple[etree._Element, int] | None = None  # it has ended; its successor is not known yet
    for event, element, depth in stream_xml(data, path):
        if waiting is not None and drafting is not None:
            drafting.take(*waiting)
            waiting = None
        if event == "start" and depth == 0:
            refuse_other_roots(element, path)
            drafting = _Drafting(element, path, language)
        elif event == "start" and depth == 1 and drafting is not None and element.tag == "Body":
            drafting.open_body(element)
        elif event == "end" and drafting is not None and drafting.is_piece(element, depth):
            waiting = (element, depth)
    if drafting is None or not drafting.begun:
        raise RefusedFile(path, _NO_HEAD)
    return DraftedTree(drafting.head, drafting.root, drafting.draft, tuple(drafting.sections))


_NO_HEAD = "it has no Identification, so that nothing says which law it is"


@dataclass(slots=True)
class _Drafting:
    """What is known while a file is drafted."""

    root: etree._Element
    path: str
    language: str
    reader: TreeReader = field(init=False)
    head: Identification = field(init=False)
    draft: Draft = field(init=False)
    standing: Standing = field(init=False)
    places: list[tuple[int, Draft]] = field(default_factory=list)
    body: etree._Element | None = None
    body_places: list[tuple[int, Draft]] = field(default_factory=list)
    body_standing: Standing = field(init=False)
    sections: list[BodySection] = field(default_factory=list)
    begun: bool = False

    def begin(self) -> None:
        """Read the head of the file, which comes before everything else."""
        identification = self.root.find("Identification")
        if identification is None:
            raise RefusedFile(self.path, _NO_HEAD)
        self.head = read_identification(self.root)
        if not (self.head.title or self.head.short_title):
            raise RefusedFile(self.path, "it has neither a long nor a short title")
        title = self.head.title or self.head.short_title
        self.draft = Draft(ProvisionKind.WORK, "work", heading=title, container=True)
        self.reader = TreeReader(self.language)
        self.standing = Standing(self.head.issued, regulation=self.root.tag == "Regulation").of(self.root)
        publication_item(self.root, self.draft)
        for note in identification:
            if note.tag in ("ReaderNote", "Note"):
                self.reader.read_publication_note(note, self.draft)
        self.places = [(0, self.draft)]
        self.begun = True

    def open_body(self, body: etree._Element) -> None:
        """Enter the body: the elements below it are read piece by piece."""
        if self.begun:
            self.body, self.body_places = body, [self.places[-1]]
            self.body_standing = self.standing.of(body)

    def is_piece(self, element: etree._Element, depth: int) -> bool:
        """Whether an element that has ended is read on its own."""
        return (depth == 1) if element.getparent() is not self.body else (depth == 2)

    def take(self, element: etree._Element, depth: int) -> None:
        """Draft a piece, and free its contents."""
        if element.tag == "Identification":
            self.begin()
            return
        if not self.begun:
            raise RefusedFile(self.path, _NO_HEAD)
        if depth == 2:
            self.reader.read_child(element, self.body_places, self.body_standing)
            self.sections.extend(sections_within(element))
        elif element is self.body:
            self.body = None
        else:
            self.reader.read_child(element, self.places, self.standing)
        if element.tag != "Repealed":
            _empty(element)


def _empty(element: etree._Element) -> None:
    above, before = element.getparent(), element.getprevious()
    element.clear()
    if above is not None and before is not None and before.tag not in _KEPT:
        above.remove(before)


_KEPT = ("Identification", "Repealed")
