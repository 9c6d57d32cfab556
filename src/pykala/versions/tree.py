"""A document's tree while it is being changed: nodes that can be found by the steps a law names them by.

A law says "chapter 5, section 3", "section 3" or "section 3, item 2"; a node's address is every step above
it, chapters included, and a path finds the nodes whose address holds its steps in order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from pykala.law.identifiers import ProvisionId, Step, natural_order
from pykala.law.provisions import Provision, ProvisionKind, Version

from .overlays import in_force

#: Kinds with a number of their own; others (cross-headings, tables) have only a position.
PLACES = ("part", "chp", "sec", "subsec", "para", "subpara", "annex")
_CONTAINERS = {"part", "chp"}
_OTHER_TEXTS = {
    ProvisionKind.ANNEX,
    ProvisionKind.SCHEDULE,
    ProvisionKind.TREATY,
    ProvisionKind.ENACTING_CLAUSE,
}


@dataclass(slots=True, eq=False)
class Node:
    """A provision that can be changed."""

    id: ProvisionId
    kind: ProvisionKind
    label: str
    versions: list[Version]
    children: list[Node] = field(default_factory=list)
    parent: Node | None = None
    known: tuple[date, ...] = ()  # days from which the document itself holds a text

    @property
    def step(self) -> Step | None:
        """The node's own step."""
        return self.id.last

    def walk(self) -> Iterator[Node]:
        """This node and all below it, in document order."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))

    def stands(self, day: date) -> bool:
        """Whether any part of it is in force on a day."""
        if self.versions:
            return in_force(self.versions, day) is not None
        return any(child.stands(day) for child in self.children)

    def frozen(self) -> Provision:
        """The node as a provision."""
        return Provision(
            self.id,
            self.kind,
            self.label,
            tuple(self.versions),
            tuple(child.frozen() for child in self.children),
        )


class Tree:
    """A document's nodes and their addresses."""

    def __init__(self, root: Provision) -> None:
        self.root = _thawed(root, None)
        self.by_id = {node.id: node for node in self.root.walk()}
        self._places: dict[Step | None, list[Node]] = {}
        for node in self.root.walk():
            self._register(node)
        self.chapters_in_ids = self._names_above("sec", "chp")
        self.parts_in_ids = self._names_above("chp", "part")
        #: Whether the act's section numbers once restarted in each chapter and are consecutive now.
        self.numbered_through = False

    def _names_above(self, kind: str, above: str) -> bool:
        nodes = (node for node in self.root.walk() if node.step is not None and node.step.kind == kind)
        return any(node.id.step(above) is not None for node in nodes)

    def _register(self, node: Node) -> None:
        if not in_other_text(node):
            self._places.setdefault(node.step, []).append(node)

    def add(self, provision: Provision, parent: Node, at: int) -> Node:
        """Insert a subtree below a parent at a position among its children."""
        node = _thawed(provision, parent)
        parent.children.insert(at, node)
        for new in node.walk():
            new.known = ()
            self.by_id[new.id] = new
            self._register(new)
        return node

    def identifier(self, parent: ProvisionId, step: Step) -> ProvisionId:
        """The identifier of a place; places numbered through the whole act come directly below the work."""
        through = (step.kind == "sec" and not self.chapters_in_ids) or (
            step.kind == "chp" and not self.parts_in_ids
        )
        if through or step.kind == "part":
            return ProvisionId(parent.work, (step,))
        while parent.last is not None and parent.last.kind == "head":
            parent = parent.parent
        return ProvisionId(parent.work, (*parent.path, step))

    def rehung(self, provision: Provision, identifier: ProvisionId) -> Provision:
        """The same tree under another identifier, with its parts renamed as in this document."""
        return replace(
            provision,
            id=identifier,
            children=tuple(
                self.rehung(child, self.identifier(identifier, child.id.path[-1]))
                for child in provision.children
            ),
        )

    def find(self, path: Sequence[Step]) -> list[Node]:
        """The nodes that a path may refer to."""
        if not path:
            return [self.root]
        if path[0].kind == "entry":
            entries = [node for node in self.root.walk() if node.kind is ProvisionKind.ENTRY_INTO_FORCE]
            return [node for entry in entries for node in self._below(entry, path[1:])]
        if self.numbered_through and any(step.kind == "sec" for step in path):
            path = [step for step in path if step.kind not in _CONTAINERS]
        found = [node for node in self._places.get(path[-1], ()) if _in_order(path, address(node))]
        if not found and path[0].kind in _CONTAINERS and not self.chapters_in_ids:
            # Sections are numbered through the act: the chapter in the path is only a help, and may be
            # outdated.
            within = [step for step in path if step.kind not in _CONTAINERS]
            return self.find(within) if within else []
        return found

    def restarts(self, day: date) -> bool:
        """Whether section numbers restart in each chapter on a day; a later act may make them consecutive."""
        if not self.chapters_in_ids:
            return False
        standing = [node.step for node in self.siblings("sec", self.root) if node.stands(day)]
        return len(set(standing)) < len(standing)

    @staticmethod
    def _below(node: Node, path: Sequence[Step]) -> list[Node]:
        if not path:
            return [node]
        return [below for below in node.walk() if below.id.path[len(node.id.path) :] == tuple(path)]

    def siblings(self, step_kind: str, within: Node) -> list[Node]:
        """The nodes of one level in a place: the sections of a chapter, also below its cross-headings."""
        return [
            node
            for node in within.walk()
            if node.step is not None and node.step.kind == step_kind and not in_other_text(node)
        ]


def address(node: Node) -> tuple[Step, ...]:
    """Every step that leads to a node, chapters and parts included."""
    steps: list[Step] = []
    at: Node | None = node
    while at is not None:
        if at.step is not None and at.step.kind in PLACES:
            steps.append(at.step)
        at = at.parent
    return tuple(reversed(steps))


def in_other_text(node: Node) -> bool:
    """Whether a node lies in an annex or an enacting clause, whose numbers are not the act's."""
    at = node.parent
    while at is not None:
        if at.kind in _OTHER_TEXTS:
            return True
        at = at.parent
    return False


def order(node: Node) -> tuple[tuple[int, int, str], ...]:
    """The natural order of a node's own number."""
    return natural_order(node.step.number) if node.step is not None else ()


def _in_order(path: Sequence[Step], whole: Sequence[Step]) -> bool:
    steps = iter(whole)
    return all(any(step == wanted for step in steps) for wanted in path)


def _thawed(provision: Provision, parent: Node | None) -> Node:
    starts = tuple(
        version.validity.start
        for version in provision.versions
        if version.validity.start is not None and not version.validity.is_pending
    )
    node = Node(provision.id, provision.kind, provision.label, list(provision.versions), [], parent, starts)
    node.children = [_thawed(child, node) for child in provision.children]
    return node
