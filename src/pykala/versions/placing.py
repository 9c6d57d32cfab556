"""Find the place that an operation names, and the position of a new place among its siblings."""

from __future__ import annotations

from collections.abc import Sequence

from pykala.law.identifiers import Step, natural_order
from pykala.law.messages import Message
from pykala.law.provisions import ProvisionKind

from .operations import Facet, Operation, Reason
from .tree import PLACES, Node, Tree, order

_BELONGING = {ProvisionKind.TABLE, ProvisionKind.FORMULA, ProvisionKind.FLUSH}


class Refused(Exception):
    """An operation that cannot be applied: the reason, and the place whose text is now uncertain."""

    def __init__(self, reason: Reason, message: Message, place: Node | None = None) -> None:
        super().__init__(message)
        self.reason, self.message, self.place = reason, message, place


#: The names of parts of a place, as keys.
_PARTS = {
    Facet.HEADING: "place.heading",
    Facet.INTRODUCTION: "place.introduction",
    Facet.CROSS_HEADING: "place.cross_heading",
    Facet.TITLE: "place.title",
}


def name_of(operation: Operation) -> str | Message:
    """An operation's target, as findings name it."""
    place = "/".join(map(str, operation.target.path)) or Message("place.whole_act")
    return place if operation.facet is Facet.WHOLE else Message.of(_PARTS[operation.facet], place=place)


def about(key: str, operation: Operation, **values: str | int) -> Message:
    """A message about an operation's place, such as why it cannot be applied there."""
    return Message.of(key, place=name_of(operation), **values)


def target_of(tree: Tree, operation: Operation) -> Node:
    """The node that an operation names; raises Refused where there is none, or more than one."""
    found = tree.find(operation.target.path)
    if len(found) > 1:
        found = [node for node in found if node.stands(operation.day)] or found
    if not found:
        message = about("unplayed.no_such_place", operation)
        raise Refused(Reason.MISSING_TARGET, message, nearest(tree, operation))
    if len(found) > 1:
        message = about("unplayed.several_places", operation, count=len(found))
        raise Refused(Reason.AMBIGUOUS, message, nearest(tree, operation))
    return found[0]


def nearest(tree: Tree, operation: Operation) -> Node | None:
    """The innermost existing place on the path to the target, if it is unique."""
    path = operation.target.path
    while path:
        found = tree.find(path)
        if len(found) == 1:
            return found[0]
        path = path[:-1]
    return None


def only_subsection(section: Node, operation: Operation) -> Node:
    """The subsection meant where the law names only the section: the only one, or the one with a list."""
    below = [child for child in section.children if child.kind is ProvisionKind.SUBSECTION]
    standing = [child for child in below if child.stands(operation.day)] or below
    listed = [child for child in standing if child.children] or standing
    if len(listed) > 1:
        raise Refused(Reason.AMBIGUOUS, about("unplayed.several", operation), section)
    return listed[0] if listed else section


def heading_before(section: Node, operation: Operation) -> Node:
    """The cross-heading of a section: its parent, if the section is first there, or the node before it."""
    parent = section.parent
    assert parent is not None
    before = [
        child for child in parent.children[: parent.children.index(section)] if child.stands(operation.day)
    ]
    if before and before[-1].kind is ProvisionKind.HEADING and not before[-1].children:
        return before[-1]
    if parent.kind is ProvisionKind.HEADING and not before:
        return parent
    raise Refused(Reason.MISSING_TARGET, about("unplayed.no_such_place", operation))


def home_of(tree: Tree, operation: Operation) -> tuple[Node, int]:
    """The parent of a new place, and its position among the parent's children."""
    *above, step = operation.target.path
    if step.kind in {"part", "annex"}:
        return tree.root, place_of(tree.root, step)
    if step.kind in {"sec", "chp"}:
        return _among(tree, operation, above, step)
    parents = tree.find(above)
    if len(parents) > 1:
        parents = [node for node in parents if node.stands(operation.day)] or parents
    if len(parents) != 1:
        reason = Reason.AMBIGUOUS if parents else Reason.MISSING_TARGET
        raise Refused(reason, about("unplayed.no_place", operation), nearest(tree, operation))
    skips = step.kind == "para" and bool(above) and above[-1].kind == "sec"
    parent = only_subsection(parents[0], operation) if skips else parents[0]
    return parent, place_of(parent, step)


def _among(tree: Tree, operation: Operation, above: Sequence[Step], step: Step) -> tuple[Node, int]:
    """The position of a new section or chapter: after the next lower number, in the chapter named."""
    through = tree.numbered_through and step.kind == "sec"
    within = tree.find(above) if above and not through else [tree.root]
    if len(within) != 1 and not tree.chapters_in_ids:
        within = [tree.root]
    if len(within) != 1:
        reason = Reason.AMBIGUOUS if within else Reason.MISSING_TARGET
        raise Refused(reason, about("unplayed.no_chapter", operation), nearest(tree, operation))
    siblings = tree.siblings(step.kind, within[0])
    if through:
        siblings = [node for node in siblings if node.stands(operation.day)]
    elif tree.chapters_in_ids and step.kind == "sec" and not above and siblings:
        raise Refused(Reason.AMBIGUOUS, about("unplayed.sections_restart", operation))
    number = natural_order(step.number)
    before = [node for node in siblings if order(node) < number]
    if before:
        return _after(max(before, key=order))
    if siblings:
        first = min(siblings, key=order)
        assert first.parent is not None
        return first.parent, first.parent.children.index(first)
    return within[0], place_of(within[0], step)


def place_of(parent: Node, step: Step) -> int:
    """The position of a new number among a node's children: after the next lower number."""
    number = natural_order(step.number)
    numbered = [child for child in parent.children if child.step is not None and child.step.kind == step.kind]
    before = [child for child in numbered if order(child) < number]
    if before:
        return _after(max(before, key=order))[1]
    if numbered:
        return parent.children.index(min(numbered, key=order))
    return len(parent.children)


def _after(neighbour: Node) -> tuple[Node, int]:
    """The position after a node and the tables and lines that belong to it."""
    parent = neighbour.parent
    assert parent is not None
    at = parent.children.index(neighbour) + 1
    while at < len(parent.children) and _belongs(parent.children[at]):
        at += 1
    return parent, at


def _belongs(node: Node) -> bool:
    return node.step is not None and node.step.kind not in PLACES and node.kind in _BELONGING
