"""Sections that an act gave as a whole, of which a consolidated text keeps parts from before it.

Semantic Finlex names the act that gave the whole of 95 § of the arvonlisäverolaki, and yet has its first
momentti as it was first enacted. Where that act is held with its number and no later one touched a momentti,
its words replace those that the source calls original, and what it does not have ends on its day.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pykala.law.identifiers import ProvisionId, WorkId, natural_order
from pykala.law.provisions import Document, Event, Provision, ProvisionKind, Version
from pykala.packs.finland.amendments.amending import known_names, operations_of
from pykala.packs.finland.amendments.givings import Givings, nearly_same
from pykala.packs.finland.amendments.named_amendments import lacks_a_list
from pykala.packs.finland.amendments.places import Places, is_a_rule
from pykala.versions.operations import Amend, Facet, Insert, Operation, Repeal, Status
from pykala.versions.play import play


def with_whole_sections(document: Document, acts: Sequence[Document]) -> Document:
    """A document in which each momentti of such a section has the words that its act gave."""
    mixed = {one.id: one for one in document.root.walk() if _is_mixed(one)}
    named = {_act_of(one) for one in mixed.values()}
    held = [act for act in acts if act.work in named and act.language == document.language]
    if not held:
        return document
    givings, places = Givings.of(document, acts, None), Places(document.root)
    names = known_names([(document.title, document.work)], document.language)
    for act in held:
        for operation in operations_of(act, document.work, names).operations:
            section = _section_given(operation, places)
            if section is not None and section.id in mixed and _act_of(section) == act.work:
                document = _played(document, list(_of_momentti(section, operation, givings)))
    return document


def _played(document: Document, operations: Sequence[Operation]) -> Document:
    played = play(document, operations)
    done = all(one.status in {Status.APPLIED, Status.UNCHANGED} for one in played.outcomes)
    return played.document if done else document


def _is_mixed(section: Provision) -> bool:
    """Whether a section is of a later act, and a momentti in it as first enacted."""
    if section.kind is not ProvisionKind.SECTION or _act_of(section) is None:
        return False
    return any(_is_original(child) for child in section.children if child.kind is ProvisionKind.SUBSECTION)


def _act_of(section: Provision) -> WorkId | None:
    now = _present(section)
    return now.source_act if now is not None else None


def _present(provision: Provision) -> Version | None:
    return next((one for one in reversed(provision.versions) if one.validity.end is None), None)


def _standing(provision: Provision) -> Iterator[tuple[Provision, Version]]:
    return ((node, now) for node in provision.walk() if (now := _present(node)) is not None)


def _is_original(momentti: Provision) -> bool:
    """Whether all that stands of a momentti is called original by the source."""
    standing = [now for _, now in _standing(momentti)]
    return bool(standing) and all(
        one.event is Event.ENACTED and one.source_act is None and not one.validity.is_pending
        for one in standing
    )


def _section_given(operation: Operation, places: Places) -> Provision | None:
    """The section that an operation gives whole and for good, without a line that leaves some of it."""
    if not isinstance(operation, Amend | Insert) or operation.facet is not Facet.WHOLE:
        return None
    lasting = operation.validity.end is None and not operation.temporary
    if operation.text is None or operation.validity.is_pending or not (operation.validity.start and lasting):
        return None
    if any(node.kind is ProvisionKind.OMISSION for node in operation.text.walk()):
        return None
    found = places.find(operation.target.path)
    is_section = found is not None and found.kind is ProvisionKind.SECTION
    return found if is_section and operation.target.path[-1].kind == "sec" else None


def _of_momentti(section: Provision, operation: Operation, givings: Givings) -> Iterator[Operation]:
    """What is to be done with each momentti; nothing if the act's own text is not whole."""
    assert isinstance(operation, Amend | Insert)
    assert operation.text is not None
    day = operation.validity.start
    assert day is not None
    given = {
        ProvisionId(section.id.work, (*section.id.path, child.id.path[-1])): child
        for child in operation.text.children
        if child.kind is ProvisionKind.SUBSECTION
    }
    if not given or any(lacks_a_list(one) or not _is_rule(place, one) for place, one in given.items()):
        return
    told = ("source_act", "validity", "in_force", "application")
    shared = {name: getattr(operation, name) for name in told}
    there = {child.id: child for child in section.children if child.kind is ProvisionKind.SUBSECTION}
    for place in sorted({*given, *there}, key=lambda one: natural_order(one.path[-1].number)):
        old, new = there.get(place), given.get(place)
        if (old is not None and not _is_original(old)) or givings.next_change(place, day) is not None:
            continue
        if new is None:
            yield Repeal(target=place, **shared)
        elif old is None:
            yield Insert(target=place, text=new, **shared)
        elif not nearly_same(_words(old), _words(new)):
            yield Amend(target=place, text=new, **shared)


def _is_rule(place: ProvisionId, momentti: Provision) -> bool:
    return is_a_rule(place, _words(momentti))


def _words(momentti: Provision) -> str:
    """All that stands of a momentti, in its order."""
    return " ".join(now.text for _, now in _standing(momentti))
