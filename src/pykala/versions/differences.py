"""What differs between two wordings, word by word, and between two states of an act, provision by provision.

Words are aligned by Ratcliff and Obershelp's longest matching runs (J. W. Ratcliff, D. E. Metzener,
"Pattern matching: the gestalt approach", 1988; Python's difflib). A number is one token, however it is
written: what changed from 30 000 to 40 000 is the amount, not its first digit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from difflib import SequenceMatcher
from enum import StrEnum

from pykala.law.forms import Part
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import APPARATUS, Event, Provision, ProvisionKind, Version

_TOKEN = re.compile(
    r"\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?:,\d+)?(?!\d)|\d+(?:[.,:/-]\d+)*\w*"
    r"|[^\W\d_]+(?:['’-][^\W\d_]+)*|[^\s\w]|_"
)
#: In longer texts (in tokens), tokens that occur everywhere ("the", ",") are not used as anchors.
_LONG = 1500
#: Runs this short match by accident; they are shown as changed, together with their neighbours.
_INCIDENTAL = re.compile(r"[^\W\d_]{0,3}|\W", re.UNICODE)


class Mark(StrEnum):
    """Whether a piece of text was kept, removed or added."""

    SAME = "same"
    REMOVED = "removed"
    ADDED = "added"


@dataclass(frozen=True, slots=True, repr=False)
class Piece(Part):
    """A run of words; words in both wordings are given as the second one spells them."""

    mark: Mark
    text: str


class Alteration(StrEnum):
    """How a provision differs between two dates."""

    UNCHANGED = "unchanged"
    CHANGED = "changed"
    ADDED = "added"
    REMOVED = "removed"
    RENUMBERED = "renumbered"
    UNKNOWN = "unknown"  # the source does not hold the wording of the first date


@dataclass(frozen=True, slots=True, repr=False)
class Difference(Part):
    """One provision's own words on two dates."""

    provision: ProvisionId
    kind: ProvisionKind
    label: str
    alteration: Alteration
    pieces: tuple[Piece, ...]
    formerly: ProvisionId | None = None  # its identifier before it was renumbered
    event: Event | None = None
    source_act: WorkId | None = None  # the act that made the wording of the second date
    since: date | None = None


def compare_words(first: str, second: str) -> tuple[Piece, ...]:
    """The pieces of two wordings: SAME and REMOVED make up the first, SAME and ADDED the second.

    White space does not count: wordings that differ only in line breaks are the same.
    """
    if first == second:
        return _unchanged(second)
    if not first or not second:
        return (Piece(Mark.ADDED, second) if second else Piece(Mark.REMOVED, first),)
    old, new = _tokens(first), _tokens(second)
    pieces = []
    for operation, i1, i2, j1, j2 in _operations([t for t, _ in old], [t for t, _ in new]):
        if operation == "equal":
            pieces.append(Piece(Mark.SAME, _slice(second, new, j1, j2)))
            continue
        if i2 > i1:
            pieces.append(Piece(Mark.REMOVED, _slice(first, old, i1, i2)))
        if j2 > j1:
            pieces.append(Piece(Mark.ADDED, _slice(second, new, j1, j2)))
    return tuple(pieces)


def _tokens(text: str) -> list[tuple[str, int]]:
    return [(match[0], match.start()) for match in _TOKEN.finditer(text)]


def _slice(text: str, tokens: Sequence[tuple[str, int]], first: int, last: int) -> str:
    """The text of some tokens, with the white space that follows them."""
    start = tokens[first][1] if first else 0
    return text[start : tokens[last][1] if last < len(tokens) else len(text)]


def _operations(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[str, int, int, int, int]]:
    """The matcher's operations, without accidental matches between two rewritten passages."""
    head = _shared_beginning(old, new)
    tail = _shared_beginning(old[head:][::-1], new[head:][::-1])
    middle_old, middle_new = old[head : len(old) - tail], new[head : len(new) - tail]
    if head:
        yield "equal", 0, head, 0, head
    if set(middle_old).isdisjoint(middle_new):
        if middle_old or middle_new:
            yield "replace", head, head + len(middle_old), head, head + len(middle_new)
    else:
        long = max(len(middle_old), len(middle_new)) > _LONG
        found = SequenceMatcher(None, middle_old, middle_new, autojunk=long).get_opcodes()
        for operation, i1, i2, j1, j2 in _joined(found, middle_old):
            yield operation, i1 + head, i2 + head, j1 + head, j2 + head
    if tail:
        yield "equal", len(old) - tail, len(old), len(new) - tail, len(new)


def _shared_beginning(one: Sequence[str], other: Sequence[str]) -> int:
    count = 0
    for mine, theirs in zip(one, other, strict=False):
        if mine != theirs:
            break
        count += 1
    return count


def _joined(
    found: Sequence[tuple[str, int, int, int, int]], old: Sequence[str]
) -> list[tuple[str, int, int, int, int]]:
    """Join changes with what matches by accident between them; a match is neither first nor last."""
    joined: list[tuple[str, int, int, int, int]] = []
    for operation, i1, i2, j1, j2 in found:
        incidental = i2 - i1 <= 2 and all(_INCIDENTAL.fullmatch(word) for word in old[i1:i2])
        changes = operation != "equal" or incidental
        if changes and joined and joined[-1][0] != "equal":
            _, k1, _, m1, _ = joined[-1]
            joined[-1] = ("replace", k1, i2, m1, j2)
        else:
            joined.append((operation if not changes else "replace", i1, i2, j1, j2))
    return joined


@dataclass(frozen=True, slots=True)
class _Place:
    """One provision in both states: whether it existed in each, and its version there.

    A provision without versions (for example a list without words of its own) can exist without a version.
    """

    node: Provision
    stood: bool
    before: Version | None
    stands: bool
    after: Version | None


def compare_days(chain: Provision, first: date, second: date) -> tuple[Difference, ...]:
    """Every provision of a tree with all its versions, on two dates, in document order.

    Apparatus around the law (history notes, signatures) is left out. If a provision did not exist on a date,
    its parts did not exist either. But if the source only lacks a section's wording on a date, the
    subsections whose wording it has are still compared.
    """
    places = []
    stack = [(chain, True, True)]
    while stack:
        node, was, is_ = stack.pop()
        before = _covering(node, first) if was else None
        after = _covering(node, second) if is_ else None
        bare = not node.versions
        if node is chain or node.kind not in APPARATUS:
            places.append(
                _Place(
                    node,
                    was and (bare or before is not None),
                    before,
                    is_ and (bare or after is not None),
                    after,
                )
            )
        open_ended = bare or node.versions[0].history_unavailable
        was, is_ = was and (open_ended or before is not None), is_ and (open_ended or after is not None)
        if was or is_:
            stack.extend((child, was, is_) for child in reversed(node.children))
    return tuple(_differences(places))


def _covering(node: Provision, day: date) -> Version | None:
    return next((version for version in reversed(node.versions) if version.validity.covers(day)), None)


def _differences(places: Sequence[_Place]) -> Iterator[Difference]:
    moved = dict(_renumbered(places))
    taken = {former.node.id for former in moved.values()}
    for place in places:
        former = moved.get(place.node.id) if moved else None
        if former is not None:
            yield _difference(replace(place, stood=True, before=former.before), former.node.id)
        elif taken and place.node.id in taken:
            if place.stands:  # its former words are at another number now
                yield _difference(replace(place, stood=False, before=None), None)
        elif place.stood or place.stands:
            yield _difference(place, None)


def _renumbered(places: Sequence[_Place]) -> Iterator[tuple[ProvisionId, _Place]]:
    """The new and the former identifier of provisions whose event says that they were renumbered."""
    came = [
        place
        for place in places
        if place.after is not None
        and place.after.event is Event.RENUMBERED
        and _words(place.before) != _words(place.after)
    ]
    if not came:
        return
    former: dict[tuple[ProvisionId, str], list[_Place]] = {}
    for place in places:
        if place.before is not None:
            former.setdefault((place.node.id.parent, _folded(place.before)), []).append(place)
    for place in came:
        assert place.after is not None
        here = former.get((place.node.id.parent, _folded(place.after)), [])
        if here:
            yield place.node.id, here.pop(0)


def _difference(place: _Place, formerly: ProvisionId | None) -> Difference:
    version = place.after
    same = version is place.before and version is not None
    pieces = _unchanged(_words(version)) if same else compare_words(_words(place.before), _words(version))
    return Difference(
        provision=place.node.id,
        kind=place.node.kind,
        label=place.node.label,
        alteration=_alteration(place, formerly, pieces),
        pieces=pieces,
        formerly=formerly,
        event=version.event if version else None,
        source_act=version.source_act if version else None,
        since=version.validity.start if version else None,
    )


def _alteration(place: _Place, formerly: ProvisionId | None, pieces: Sequence[Piece]) -> Alteration:
    before, after = place.before, place.after
    if formerly is not None:
        return Alteration.RENUMBERED
    if not place.stood:
        unavailable = after is not None and after.history_unavailable
        return Alteration.UNKNOWN if unavailable else Alteration.ADDED
    if not place.stands or (_is_repealed(after) and not _is_repealed(before)):
        return Alteration.REMOVED
    same = all(piece.mark is Mark.SAME for piece in pieces)
    return Alteration.UNCHANGED if same else Alteration.CHANGED


def _is_repealed(version: Version | None) -> bool:
    return version is not None and version.event is Event.REPEALED


def _unchanged(text: str) -> tuple[Piece, ...]:
    return (Piece(Mark.SAME, text),) if text else ()


def _words(version: Version | None) -> str:
    """A provision's own words on a date: its heading and its text."""
    if version is None:
        return ""
    if not version.heading or not version.text:
        return version.heading or version.text
    return f"{version.heading}\n{version.text}"


def _folded(version: Version) -> str:
    return " ".join(_words(version).split())
