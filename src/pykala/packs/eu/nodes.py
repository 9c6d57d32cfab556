"""The tree of one file: one state of one act in one language, before it is joined with the others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from pykala.law.identifiers import InvalidIdentifier, ProvisionId, Step, WorkId
from pykala.law.provisions import ProvisionKind

from .blocks import Mark, Note


@dataclass(slots=True)
class Node:
    """A place in one state. `id` is set when the tree is complete."""

    kind: ProvisionKind
    step: str
    number: str
    label: str = ""
    heading: str = ""
    text: str = ""
    mark: Mark | None = None
    children: list[Node] = field(default_factory=list)
    container: bool = False  # only contains places; their identifiers do not include it
    id: ProvisionId | None = None
    notes: list[str] = field(default_factory=list)  # keys of its footnotes, until these are put below it
    _counts: dict[str, int] = field(default_factory=dict)  # step → its children so far
    open: bool = True  # may still receive words of its own

    def walk(self) -> Iterator[Node]:
        """This node and all below it, in document order."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))

    def add(self, child: Node) -> Node:
        """Put a node below this one, after what is there."""
        self._append(child)
        self.open = False
        return child

    def add_note(self, note: Note) -> None:
        """Put a footnote below this node."""
        number = str(self.count("fn") + 1)
        self._append(Node(ProvisionKind.FOOTNOTE, "fn", number, note.label, text=note.text, mark=self.mark))

    def count(self, step: str) -> int:
        """How many children of a step there are."""
        return self._counts.get(step, 0)

    def _append(self, child: Node) -> None:
        self.children.append(child)
        self._counts[child.step] = self._counts.get(child.step, 0) + 1


def identify(root: Node, work: WorkId) -> None:
    """Give every node its identifier; a number that is taken already gets `.dup2`, `.dup3`."""
    taken: dict[ProvisionId, int] = {}
    place = ProvisionId(work)
    root.id = place
    stack = [(child, place, place) for child in reversed(root.children)]
    while stack:
        node, contents, containers = stack.pop()
        above = containers if node.container else contents
        identity = _claim(above, node, taken)
        node.id = identity
        below = (contents, identity) if node.container else (identity, identity)
        stack.extend((child, *below) for child in reversed(node.children))


def _claim(above: ProvisionId, node: Node, taken: dict[ProvisionId, int]) -> ProvisionId:
    try:
        identity = ProvisionId(above.work, (*above.path, Step(node.step, node.number)))
    except InvalidIdentifier:
        identity = ProvisionId(above.work, (*above.path, Step(node.step, str(len(taken)))))
    count = taken.get(identity, 0) + 1
    taken[identity] = count
    return identity if count == 1 else above.child(node.step, f"{node.number}.dup{count}")
