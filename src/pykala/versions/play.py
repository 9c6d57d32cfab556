"""Apply amendments to a document: the result is the document with longer chains of versions.

Operations are applied in order of entry into force. Each gives the provisions that it changes a new version
from its day, node by node, and ends the version before. An operation that cannot be applied is never guessed:
its outcome says why, and the text that should have changed carries a finding from that day on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from pykala.law.identifiers import ProvisionId, Step, natural_order
from pykala.law.messages import Message
from pykala.law.provisions import Document, Event, Provision, ProvisionKind, Version

from .operations import Amend, Facet, Insert, Operation, Outcome, Reason, Renumber, Repeal, Status
from .overlays import same_words, suspect
from .placing import Refused, about, heading_before, home_of, nearest, only_subsection, place_of, target_of
from .tree import Node, Tree
from .writing import end, fresh, interval_at, plant, reword, write

#: Kinds that an act gives as a whole: they can be written even if the document lacks the former text.
_GIVEN_WHOLE = {"sec", "annex"}
_ORDER: dict[type[Operation], int] = {Repeal: 0, Renumber: 1, Amend: 2, Insert: 3}


@dataclass(frozen=True, slots=True)
class Played:
    """The document after its amendments, and the outcome of each, in the order they were applied."""

    document: Document
    outcomes: tuple[Outcome, ...]


def play(document: Document, operations: Iterable[Operation]) -> Played:
    """Apply operations to a document, in order of their entry into force."""
    player = _Player(Tree(document.root))
    outcomes: list[Outcome] = []
    for _, group in groupby(sorted(operations, key=_sequence), key=_sequence):
        outcomes += player.apply_together(list(group))
    return Played(replace(document, root=player.tree.root.frozen()), tuple(outcomes))


def _sequence(operation: Operation) -> tuple[object, ...]:
    """Order by day and act; within an act repeals come first (old numbers) and insertions last (new ones)."""
    return (operation.day, natural_order(operation.source_act.value), _ORDER[type(operation)])


class _Player:
    """Applies operations to one tree."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.through_by: Sequence[Renumber] = ()  # operations that made section numbers consecutive

    def apply_together(self, group: Sequence[Operation]) -> list[Outcome]:
        """Apply the operations of one act, one kind and one day; renumber all places at once."""
        renumbering = [operation for operation in group if isinstance(operation, Renumber)]
        if renumbering:
            return self._renumber(renumbering)
        return [self._attempt(operation) for operation in group]

    def _attempt(self, operation: Operation) -> Outcome:
        operation = self._in_new_numbers(operation)
        try:
            touched = self._apply(operation)
        except Refused as refused:
            return self._doubt(operation, refused)
        if operation.validity.is_pending:
            return _waiting(operation, touched)
        return Outcome(operation, Status.APPLIED if touched else Status.UNCHANGED, touched)

    def _in_new_numbers(self, operation: Operation) -> Operation:
        """Translate an operation that uses old numbers into the numbers in use since."""
        for moved in self.through_by:
            old, path = moved.target.path, operation.target.path
            earlier = natural_order(operation.source_act.value) < natural_order(moved.source_act.value)
            if earlier and path[: len(old)] == old:
                operation = replace(
                    operation, target=ProvisionId(moved.target.work, (moved.to, *path[len(old) :]))
                )
                if isinstance(operation, Amend | Insert) and operation.text is not None and path == old:
                    text = replace(operation.text, label=moved.relabel(operation.text.label, moved.to))
                    return replace(operation, text=text)
                return operation
        return operation

    def _apply(self, operation: Operation) -> tuple[ProvisionId, ...]:
        validity = operation.validity
        if operation.temporary and validity.end is None and not validity.is_pending:
            message = Message("unplayed.temporary")
            raise Refused(Reason.NO_END, message, nearest(self.tree, operation))
        if isinstance(operation, Repeal):
            return self._repeal(operation)
        assert isinstance(operation, Amend | Insert)
        if operation.text is None:
            message = operation.lacking or about("unplayed.not_given", operation)
            raise Refused(Reason.TEXT_MISSING, message, nearest(self.tree, operation))
        if operation.facet is not Facet.WHOLE:
            return self._part(operation, operation.text)
        if isinstance(operation, Insert):
            return self._insert(operation, operation.text)
        if not self.tree.find(operation.target.path) and operation.target.path[-1].kind in _GIVEN_WHOLE:
            return self._make_known(operation, operation.text)
        return write(self.tree, target_of(self.tree, operation), operation.text, operation, Event.AMENDED)

    def _doubt(self, operation: Operation, refused: Refused) -> Outcome:
        """Record a refusal, also on the chain: from that day on the stored text may be out of date."""
        year, _, number = operation.source_act.value.rpartition(":")[2].partition("/")
        finding = Message.of("finding.not_played", act=f"{number}/{year}", reason=refused.message)
        touched: list[ProvisionId] = []
        if refused.place is not None and not operation.validity.is_pending:
            for node in refused.place.walk():
                if node.versions:
                    node.versions = suspect(node.versions, operation.day, finding)
                    touched.append(node.id)
        return Outcome(operation, Status.REFUSED, tuple(touched), refused.reason, finding)

    def _repeal(self, operation: Repeal) -> tuple[ProvisionId, ...]:
        node = target_of(self.tree, operation)
        if operation.facet is Facet.HEADING:
            return reword(node, operation, heading="")
        if operation.facet is Facet.CROSS_HEADING:
            return reword(heading_before(node, operation), operation, heading="")
        if operation.facet is not Facet.WHOLE:
            is_title = operation.facet is Facet.TITLE
            message = Message("unplayed.title_alone" if is_title else "unplayed.introduction_alone")
            raise Refused(Reason.NOT_SUPPORTED, message, node)
        if operation.validity.is_pending:
            return (node.id,)
        return end(node, interval_at(node, operation))

    def _part(self, operation: Amend | Insert, text: Provision) -> tuple[ProvisionId, ...]:
        """A heading, an introduction, a title or a cross-heading."""
        words = text.versions[-1] if text.versions else Version("")
        if operation.facet is Facet.TITLE:
            return reword(self.tree.root, operation, heading=words.heading)
        node = target_of(self.tree, operation)
        if operation.facet is Facet.HEADING:
            return reword(node, operation, heading=words.heading)
        if operation.facet is Facet.INTRODUCTION:
            is_section = node.step is not None and node.step.kind == "sec"
            return reword(
                only_subsection(node, operation) if is_section else node, operation, text=words.text
            )
        if isinstance(operation, Amend):
            return reword(heading_before(node, operation), operation, heading=words.heading)
        return self._insert_heading(operation, node, words.heading)

    def _insert_heading(self, operation: Insert, node: Node, heading: str) -> tuple[ProvisionId, ...]:
        parent = node.parent
        assert parent is not None
        # Put the heading beside its sections. Below it, the sections would not exist before the heading did.
        number = 1
        while (identifier := self.tree.identifier(parent.id, Step("head", str(number)))) in self.tree.by_id:
            number += 1
        new = Provision(identifier, ProvisionKind.HEADING, "", (Version("", heading=heading),))
        self.tree.add(fresh(new, operation), parent, parent.children.index(node))
        return (identifier,)

    def _make_known(self, operation: Amend, text: Provision) -> tuple[ProvisionId, ...]:
        """Add a section that is amended whole but not in the document; its earlier words are unknown."""
        parent, at = home_of(self.tree, operation)
        step = operation.target.path[-1]
        if self.tree.identifier(parent.id, step) in self.tree.by_id:
            message = about("unplayed.no_such_place", operation)
            raise Refused(Reason.MISSING_TARGET, message, nearest(self.tree, operation))
        touched = plant(self.tree, text, step, parent, at, operation)
        for node in (self.tree.by_id[identifier] for identifier in touched):
            node.versions = [
                replace(version, event=Event.AMENDED, history_unavailable=True) for version in node.versions
            ]
        return touched

    def _insert(self, operation: Insert, text: Provision) -> tuple[ProvisionId, ...]:
        found = self.tree.find(operation.target.path)
        standing = [node for node in found if node.stands(operation.day)]
        if standing and not operation.validity.is_pending:
            if _taken(standing, text, operation):
                return ()
            return write(self.tree, standing[0], text, operation, Event.INSERTED)
        step = operation.target.path[-1]
        # If section numbers once restarted in each chapter, the ended section with this number was another
        # one.
        if len(found) == 1 and not (self.tree.numbered_through and step.kind == "sec"):
            return write(self.tree, found[0], text, operation, Event.INSERTED)
        parent, at = home_of(self.tree, operation)
        if (there := self.tree.by_id.get(self.tree.identifier(parent.id, step))) in found:
            assert there is not None
            return write(self.tree, there, text, operation, Event.INSERTED)
        return plant(self.tree, text, step, parent, at, operation)

    def _renumber(self, operations: Sequence[Renumber]) -> list[Outcome]:
        """Move texts to new numbers, all at once: 3 becomes 4 and 4 becomes 5."""
        outcomes: list[Outcome] = []
        ready: list[tuple[Renumber, Node, Provision]] = []
        for operation in operations:
            try:
                node = target_of(self.tree, operation)
                if operation.validity.is_pending:
                    outcomes.append(_waiting(operation, (node.id,)))
                    continue
                held = node.frozen().at(operation.day)
                if held is None:
                    message = about("unplayed.not_in_force", operation)
                    raise Refused(Reason.MISSING_TARGET, message, nearest(self.tree, operation))
                ready.append((operation, node, held))
            except Refused as refused:
                outcomes.append(self._doubt(operation, refused))
        for operation, node, _ in ready:
            end(node, interval_at(node, operation))
        outcomes += [self._arrive(operation, node, held) for operation, node, held in ready]
        if self.tree.chapters_in_ids and any(operation.to.kind == "sec" for operation, _, _ in ready):
            self.tree.numbered_through = not self.tree.restarts(ready[-1][0].day)
            self.through_by = operations if self.tree.numbered_through else ()
        return outcomes

    def _arrive(self, operation: Renumber, node: Node, held: Provision) -> Outcome:
        parent = node.parent
        assert parent is not None
        text = self.tree.rehung(held, self.tree.identifier(parent.id, operation.to))
        text = replace(text, label=operation.relabel(held.label, operation.to))
        there = next((child for child in parent.children if child.step == operation.to), None)
        if there is not None and there.stands(operation.day):
            message = about("unplayed.number_taken", operation, number=str(operation.to))
            return self._doubt(operation, Refused(Reason.PLACE_TAKEN, message, there))
        if there is None:
            bare = replace(text, versions=(), children=())
            there = self.tree.add(bare, parent, place_of(parent, operation.to))
        there.label = text.label
        touched = write(self.tree, there, text, operation, Event.RENUMBERED)
        for new in there.walk():
            new.versions = [_as_renumbered(version, operation) for version in new.versions]
        return Outcome(operation, Status.APPLIED, (node.id, *touched))


def _taken(standing: Sequence[Node], text: Provision, operation: Insert) -> bool:
    """Whether the place has the same words already; raises Refused where it has others.

    If the act itself says that the former words were repealed, or gives a whole section under its number, the
    document only lacks their end date, and the new words replace them.
    """
    node = standing[0]
    held = node.frozen().at(operation.day)
    if held is not None and _same(held, text):
        return True
    whole = operation.target.path[-1].kind in {"sec", "chp", "part", "annex"}
    if len(standing) > 1 or not (operation.instead or whole):
        message = about("unplayed.there_already", operation)
        raise Refused(Reason.PLACE_TAKEN, message, node)
    return False


def _same(held: Provision, text: Provision) -> bool:
    if not held.versions or not text.versions or not same_words(held.versions[-1], text.versions[-1]):
        return False
    theirs = [child for child in text.children if child.kind is not ProvisionKind.OMISSION]
    return len(held.children) == len(theirs) and all(
        _same(one, other) for one, other in zip(held.children, theirs, strict=True)
    )


def _as_renumbered(version: Version, operation: Renumber) -> Version:
    if version.source_act == operation.source_act and version.validity.start == operation.validity.start:
        return replace(version, event=Event.RENUMBERED)
    return version


def _waiting(operation: Operation, touched: tuple[ProvisionId, ...]) -> Outcome:
    message = Message.of("unplayed.day_unknown", act=str(operation.source_act))
    return Outcome(operation, Status.PENDING, touched, Reason.UNKNOWN_DATE, message)
