"""Words that stand under two numbers of one section at once, because they moved from the one to the other.

Semantic Finlex dates a momentti that was moved by the act that first gave its words, under the new number. If
the old number has them too, until the day on which others took their place, they stood there until then, and
stand under the new one since.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import permutations

from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.messages import Message
from pykala.law.provisions import Document, Event, Provision, ProvisionKind, Version
from pykala.law.validity import Validity
from pykala.packs.finland.act_numbers import printed_number
from pykala.packs.finland.amendments.givings import Givings, Move, same_words
from pykala.packs.left_out import REPEATED

_FEWEST_WORDS = 6  # shorter momentti may be alike by chance, and so may the words that open a list


@dataclass(frozen=True, slots=True)
class _Moved:
    """One momentti's move: it stood at `old` before the day, and stands elsewhere since."""

    old: Provision
    day: date
    act: WorkId | None  # the act that gave the old number other words on that day


def without_stale_doubles(document: Document, givings: Givings) -> Document:
    """A document without words that an act moved to the next number, and that the source keeps under both.

    77 § of the tuloverolaki: an act added a second momentti, so that the others became 3 to 5; the source has
    the old fourth one as the fourth and the fifth. What is the fourth now is not known.
    """
    nodes = {node.id: node for node in document.root.walk()}
    changed: dict[ProvisionId, Provision] = {}
    for move in givings.moves:
        old, new = nodes.get(move.old), nodes.get(move.new)
        if old is None or new is None or not _is_stale(old, new, move, givings):
            continue
        changed[old.id] = _left(old, move)
        changed.setdefault(new.id, _unmarked(new))
        for other in givings.moves:
            before = nodes.get(other.old)
            came = other.new == move.old and (other.day, other.act) == (move.day, move.act)
            if came and before is not None and other.old not in changed and _stood(before, move):
                told = Message.of("finding.perhaps_next", act=printed_number(move.act))
                changed[other.old] = before.doubted(told)
    return replace(document, root=_rebuilt(document.root, changed)) if changed else document


def _is_stale(old: Provision, new: Provision, move: Move, givings: Givings) -> bool:
    """Whether both numbers have the words of the old one, which had them before the move."""
    if {old.kind, new.kind} != {ProvisionKind.SUBSECTION} or old.children or new.children:
        return False
    if not (_stood(old, move) and new.versions) or givings.next_change(old.id, move.day) is not None:
        return False
    words, there = old.versions[-1].text, new.versions[-1]
    if len(words.split()) < _FEWEST_WORDS or words.endswith(":") or there.validity.end is not None:
        return False
    since = [one for one in givings.of_place(old.id) if one.day >= move.day]
    return same_words(words, there.text) and not since


def _stood(provision: Provision, move: Move) -> bool:
    """Whether the words that a number has now are from before a move."""
    if not provision.versions or not provision.versions[-1].text:
        return False
    now = provision.versions[-1]
    start, is_open = now.validity.start, now.validity.end is None and not now.validity.is_pending
    return is_open and now.event is Event.ENACTED and (start is None or start < move.day)


def _left(old: Provision, move: Move) -> Provision:
    """A number whose words ended with a move; those that came are lost."""
    last = _unmarked(old).versions[-1]
    ended = replace(last, validity=Validity(last.validity.start, move.day))
    lost = Version(
        "", Validity(move.day), event=Event.RENUMBERED, source_act=move.act,
        findings=(Message.of("finding.moved_here", act=printed_number(move.act)),),
    )  # fmt: skip
    return replace(old, versions=(*old.versions[:-1], ended, lost))


def _unmarked(provision: Provision) -> Provision:
    """Without the mark that another momentti has the same words: it is known now why."""
    versions = tuple(
        replace(one, findings=tuple(found for found in one.findings if found != REPEATED))
        for one in provision.versions
    )
    return replace(provision, versions=versions)


def _rebuilt(provision: Provision, changed: Mapping[ProvisionId, Provision]) -> Provision:
    own = changed.get(provision.id, provision)
    return replace(own, children=tuple(_rebuilt(child, changed) for child in own.children))


def without_doubles(provision: Provision) -> Provision:
    """A tree in which words that moved to another number of their section begin there on that day."""
    if provision.kind is not ProvisionKind.SECTION:
        children = tuple(map(without_doubles, provision.children))
        return replace(provision, children=children)
    moves: dict[ProvisionId, _Moved] = {}
    for one, other in permutations(provision.children, 2):
        if other.id not in moves and (moved := _move(one, other)) is not None:
            moves[other.id] = moved
    if not moves:
        return provision
    children = tuple(
        _arrived(child, moves[child.id].old, moves[child.id]) if child.id in moves else child
        for child in provision.children
    )
    return replace(provision, children=children)


def _move(one: Provision, other: Provision) -> _Moved | None:
    """The move from one momentti to another, if the first ends before the second and both had the words."""
    if {one.kind, other.kind} != {ProvisionKind.SUBSECTION}:
        return None
    for at, version in enumerate(one.versions):
        day = version.validity.end
        if day is None or len(version.text.split()) < _FEWEST_WORDS or version.text.endswith(":"):
            continue
        if any(_is_double(version, day, theirs) for theirs in other.versions):
            following = one.versions[at + 1] if at + 1 < len(one.versions) else None
            is_next = following is not None and following.validity.start == day
            return _Moved(one, day, following.source_act if following is not None and is_next else None)
    return None


def _is_double(version: Version, day: date, other: Version) -> bool:
    start, end = other.validity.start, other.validity.end
    goes_on = (start is None or start < day) and (end is None or end > day)
    return goes_on and not other.validity.is_pending and same_words(version.text, other.text)


def _arrived(provision: Provision, old: Provision, moved: _Moved) -> Provision:
    """A momentti, or a part of it, whose words begin on the day of the move."""
    before = {child.id.last: child for child in old.children}
    return replace(
        provision,
        versions=_begun(provision.versions, old, moved),
        children=tuple(
            _arrived(child, before[child.id.last], moved) if child.id.last in before else child
            for child in provision.children
        ),
    )


def _begun(versions: Sequence[Version], old: Provision, moved: _Moved) -> tuple[Version, ...]:
    found = next(
        (
            at
            for at, one in enumerate(versions)
            if any(
                theirs.validity.end == moved.day and _is_double(theirs, moved.day, one)
                for theirs in old.versions
            )
        ),
        None,
    )
    if found is None:
        return tuple(versions)
    one = versions[found]
    begun = replace(one, validity=Validity(moved.day, one.validity.end), history_unavailable=not found)
    if moved.act is not None:
        begun = replace(begun, event=Event.RENUMBERED, source_act=moved.act, application="", in_force=None)
    # What stood under this number went on until the day of the move.
    earlier = [
        replace(each, validity=Validity(each.validity.start, moved.day))
        if each.validity.end is not None and each.validity.end == one.validity.start
        else each
        for each in versions[:found]
    ]
    return (*earlier, begun, *versions[found + 1 :])
