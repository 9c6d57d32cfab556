"""Write new words into a tree: each node gets a version from the day on, and its last version ends."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from pykala.law.identifiers import ProvisionId, Step
from pykala.law.provisions import Event, Provision, ProvisionKind, Version
from pykala.law.validity import NOT_YET, Validity

from .operations import Operation, Reason
from .overlays import cut, in_force, overlay
from .placing import Refused, about, place_of
from .tree import Node, Tree


def interval_at(node: Node, operation: Operation) -> Validity:
    """The interval of an operation at a node; it ends where the document has a later text of that node."""
    validity, start = operation.validity, operation.day
    if start == NOT_YET:
        return validity
    later = min((day for day in node.known if day > start), default=None)
    ends = [day for day in (validity.end, later, _temporary_end(node, operation)) if day is not None]
    return Validity(start, min(ends, default=None))


def _temporary_end(node: Node, operation: Operation) -> date | None:
    """The end of a place that has only temporary versions: new words without an end do not prolong it."""
    lasting = any(one.event is not Event.TEMPORARY for one in node.versions)
    if lasting or operation.validity.end is not None:
        return None
    covering = (one.validity for one in node.versions if one.validity.covers(operation.day))
    return next((validity.end for validity in covering), None)


def end(node: Node, hole: Validity) -> tuple[ProvisionId, ...]:
    """End a node and all below it for an interval."""
    touched = []
    for below in node.walk():
        left = cut(below.versions, hole)
        if left != below.versions:
            below.versions = left
            touched.append(below.id)
    return tuple(touched)


def stamped(version: Version, node: Node | None, operation: Operation, event: Event) -> Version:
    """A version with the days, the act and the event of an operation."""
    if node is not None and event is Event.AMENDED and not node.stands(operation.day):
        event = Event.INSERTED
    lasting = node is None or _temporary_end(node, operation) is None
    return replace(
        version,
        validity=interval_at(node, operation) if node is not None else operation.validity,
        event=event if lasting and not operation.temporary else Event.TEMPORARY,
        source_act=operation.source_act,
        application=operation.application,
        in_force=operation.in_force,
        history_unavailable=False,
        findings=(),
    )


def fresh(text: Provision, operation: Operation) -> Provision:
    """A new place whose words all begin with the operation."""
    given = (child for child in text.children if child.kind is not ProvisionKind.OMISSION)
    return replace(
        text,
        versions=tuple(stamped(version, None, operation, Event.INSERTED) for version in text.versions[-1:]),
        children=tuple(fresh(child, operation) for child in given),
    )


def write(
    tree: Tree, node: Node, text: Provision, operation: Operation, event: Event
) -> tuple[ProvisionId, ...]:
    """Give a node and everything below it the words of a text; end the parts that the text lacks.

    A line of dashes in the text means: the parts not given stay as they are.
    """
    touched: list[ProvisionId] = []
    if text.versions:
        before, new = node.versions, stamped(text.versions[-1], node, operation, event)
        node.versions = overlay(before, new, though_same=_lacks_its_list(node, text, operation))
        touched += [node.id] if node.versions != before else []
    node.label = node.label or text.label
    theirs = {child.id.last: child for child in text.children if child.kind is not ProvisionKind.OMISSION}
    mine = {child.step: child for child in node.children}
    if len(theirs) == len(text.children) and not operation.validity.is_pending:
        for step, child in mine.items():
            if step not in theirs:
                touched += end(child, interval_at(child, operation))
    after: Node | None = None
    for step, given in theirs.items():
        known = mine.get(step)
        if known is None:
            known = _add(tree, given, node, after, operation)
            touched += [below.id for below in known.walk()]
        else:
            touched += write(tree, known, given, operation, event)
        after = known
    return tuple(touched)


def _lacks_its_list(node: Node, text: Provision, operation: Operation) -> bool:
    """Whether words announce a list or a table that no source has: "seuraavan asteikon mukaan:".

    Two tables announced by the same words are two wordings, even if neither table is held.
    """
    announced = not text.children and text.versions[-1].text.rstrip().endswith(":")
    return announced and not any(child.stands(operation.day) for child in node.children)


def _add(tree: Tree, text: Provision, parent: Node, after: Node | None, operation: Operation) -> Node:
    step = text.id.path[-1]
    identifier = tree.identifier(parent.id, step)
    existing = tree.by_id.get(identifier)
    if existing is not None:
        # A section that was in another chapter until now, in an act with consecutive section numbers.
        write(tree, existing, text, operation, Event.INSERTED)
        return existing
    at = (
        parent.children.index(after) + 1
        if after is not None and after in parent.children
        else place_of(parent, step)
    )
    return tree.add(fresh(tree.rehung(text, identifier), operation), parent, at)


def plant(
    tree: Tree, text: Provision, step: Step, parent: Node, at: int, operation: Operation
) -> tuple[ProvisionId, ...]:
    """Insert a new place; if an ended provision has that number, the words become its next version."""
    identifier = tree.identifier(parent.id, step)
    existing = tree.by_id.get(identifier)
    if existing is not None:
        return write(tree, existing, text, operation, Event.INSERTED)
    node = tree.add(fresh(tree.rehung(text, identifier), operation), parent, at)
    return tuple(below.id for below in node.walk())


def reword(
    node: Node, operation: Operation, *, text: str | None = None, heading: str | None = None
) -> tuple[ProvisionId, ...]:
    """Change a node's own words or its heading, and nothing else of it."""
    held = in_force(node.versions, operation.day)
    if held is None and node.versions and operation.validity.is_pending:
        held = node.versions[-1]
    if held is None:
        raise Refused(Reason.MISSING_TARGET, about("unplayed.not_in_force", operation), node)
    changed = replace(
        held,
        text=held.text if text is None else text,
        heading=held.heading if heading is None else heading,
    )
    before = node.versions
    node.versions = overlay(before, stamped(changed, node, operation, Event.AMENDED))
    return (node.id,) if node.versions != before else ()
