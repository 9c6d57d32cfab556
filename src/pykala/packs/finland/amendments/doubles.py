"""Words that stand under two numbers of one section at once, because they moved from the one to the other.

Semantic Finlex dates a momentti that was moved by the act that first gave its words, under the new number. If
the old number has them too, until the day on which others took their place, they stood there until then, and
stand under the new one since.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import permutations

from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Event, Provision, ProvisionKind, Version
from pykala.law.validity import Validity
from pykala.packs.finland.amendments.givings import same_words

_FEWEST_WORDS = 6  # shorter momentti may be alike by chance, and so may the words that open a list


@dataclass(frozen=True, slots=True)
class _Moved:
    """One momentti's move: it stood at `old` before the day, and stands elsewhere since."""

    old: Provision
    day: date
    act: WorkId | None  # the act that gave the old number other words on that day


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
