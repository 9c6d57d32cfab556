"""All states of an act in one language, joined: each provision with its chain of wordings.

A wording continues from state to state as long as its words are the same. Where they differ, a new version
begins on the day of that state. A provision that a state no longer has ended on that day.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.messages import Message
from pykala.law.provisions import Event, Provision, ProvisionKind, Version
from pykala.law.validity import Validity

from .blocks import Mark
from .nodes import Node
from .repeals import Ending

#: Steps that a consolidation leaves out: they continue unchanged, unless a later state prints them again.
_PREAMBLE = frozenset({"pbl", "cit", "line", "whereas", "rct", "enacts"})
_LEFT_OUT = (_PREAMBLE, frozenset({"fnp"}), frozenset({"toc"}))
_FOLD = str.maketrans(
    {
        "’": "'", "‘": "'", "‛": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "–": "-", "—": "-",
        "‑": "-", "‐": "-", "−": "-", "―": "-",
    }
)  # fmt: skip
_SPACES = re.compile(r"\s+")
#: What stands around an act as long as any part of it does.
_AROUND = frozenset(
    {
        ProvisionKind.RECITAL,
        ProvisionKind.PREAMBLE,
        ProvisionKind.ENACTING_CLAUSE,
        ProvisionKind.EDITORIAL_NOTE,
    }
)
_EVENTS = {"INSERTED": Event.INSERTED, "REPLACED": Event.AMENDED}


@dataclass(frozen=True, slots=True)
class State:
    """One state of an act in one language, read."""

    day: date | None
    root: Node
    original: bool  # the act as published, rather than a consolidation
    observed_at: date | None = None


@dataclass(slots=True)
class _Placed:
    node: Node
    parent: ProvisionId | None


@dataclass(frozen=True, slots=True)
class History:
    """Facts about an act that are not in its texts."""

    enacted: date | None = None  # the day of the act itself, where its first text is of a later state
    gaps: bool = False  # whether the mirror lacks the texts of states before its first one
    missing: tuple[date, ...] = ()  # the days of all states of which the mirror holds no text
    findings: tuple[Message, ...] = ()  # why the last state may not be the law any more
    ended_by: date | None = None  # the act is known to have ended by this day


@dataclass(slots=True)
class _Chain:
    versions: list[Version] = field(default_factory=list)
    words: tuple[str, str] = ("", "")  # text and heading of the newest state
    present: bool = False


def fold(text: str) -> str:
    """A text without the typography in which editions differ: quotation marks, dashes, spaces."""
    return _SPACES.sub("", text.translate(_FOLD))


def _same(one: tuple[str, str], other: tuple[str, str]) -> bool:
    # Most words of most states are identical to those of the state before.
    return one == other or [*map(fold, one)] == [*map(fold, other)]


def join_states(states: Sequence[State], history: History) -> Provision:
    """One tree of all states, ordered by day, the first first."""
    indexes = [_index(state.root) for state in states]
    chains: dict[ProvisionId, _Chain] = {}
    for number, (state, index) in enumerate(zip(states, indexes, strict=True)):
        told = {step for group in _LEFT_OUT for step in group if not _tells(index, group)}
        _advance(chains, state, index, told, history, first=number == 0)
    return _assemble(states, indexes, chains, history)


def _index(root: Node) -> dict[ProvisionId, _Placed]:
    index: dict[ProvisionId, _Placed] = {}
    stack: list[tuple[Node, ProvisionId | None]] = [(root, None)]
    while stack:
        node, parent = stack.pop()
        assert node.id is not None
        index[node.id] = _Placed(node, parent)
        stack.extend((child, node.id) for child in reversed(node.children))
    return index


def _tells(index: Mapping[ProvisionId, _Placed], group: frozenset[str]) -> bool:
    return any(identity.path and identity.path[0].kind in group for identity in index)


def _advance(
    chains: dict[ProvisionId, _Chain],
    state: State,
    index: Mapping[ProvisionId, _Placed],
    left_out: set[str],
    history: History,
    *,
    first: bool,
) -> None:
    """Continue every chain by one state."""
    for identity, chain in chains.items():
        if (
            chain.present
            and identity not in index
            and not (identity.path and identity.path[0].kind in left_out)
        ):
            chain.versions[-1] = _ended(chain.versions[-1], state.day, history)
            chain.present = False
    for identity, placed in index.items():
        node = placed.node
        words = (node.text, node.heading)
        known = chains.get(identity)
        if known is not None and known.present and _same(known.words, words):
            continue
        version = _version(node, state, history, first=first, known=known)
        if known is None:
            known = chains[identity] = _Chain()
        elif known.present:
            known.versions[-1] = _ended(known.versions[-1], state.day, history)
        known.versions.append(version)
        known.words, known.present = words, True


def _ended(version: Version, day: date | None, history: History) -> Version:
    start = version.validity.start
    if day is not None and start is not None and day < start:
        day = start
    between = [one for one in history.missing if day is not None and (start or date.min) < one < day]
    findings = version.findings
    if between and day is not None:
        first, count = min(between), len(between)
        told = Message.of("finding.states_missing", count=count, first=first, day=day)
        findings = (*findings, told)
    return replace(version, validity=Validity(start, day), findings=findings)


def _version(node: Node, state: State, history: History, *, first: bool, known: _Chain | None) -> Version:
    mark = node.mark
    start, unavailable = state.day, False
    if first and not state.original:
        if mark is None or mark.is_base:
            # ▼B says that these are still the words of the act as enacted.
            start = history.enacted or state.day
            unavailable = mark is None and history.gaps
        else:
            unavailable = history.gaps
    return Version(
        node.text,
        Validity(start),
        node.heading,
        _event(mark, first=first, known=known),
        mark.work if mark is not None and not mark.is_base else None,
        observed_at=state.observed_at,
        authentic=state.original,
        history_unavailable=unavailable,
    )


def _event(mark: Mark | None, *, first: bool, known: _Chain | None) -> Event:
    base = mark is None or mark.is_base
    if mark is not None and mark.is_correction:
        return Event.CORRECTED
    if first:
        return Event.ENACTED if base or mark is None else _EVENTS.get(mark.action, Event.AMENDED)
    if known is None or not known.present:
        return Event.INSERTED
    return Event.AMENDED


def _assemble(
    states: Sequence[State],
    indexes: Sequence[Mapping[ProvisionId, _Placed]],
    chains: Mapping[ProvisionId, _Chain],
    history: History,
) -> Provision:
    newest: dict[ProvisionId, _Placed] = {}
    for index in indexes:
        newest.update(index)
    orders: dict[ProvisionId, list[ProvisionId]] = {}
    for index in reversed(indexes):
        for parent, children in _children(index).items():
            own = [child for child in children if newest[child].parent == parent]
            orders[parent] = _merged(orders[parent], own) if parent in orders else own
    root = states[-1].root.id
    assert root is not None
    return _build(root, newest, orders, chains, history)


def _children(index: Mapping[ProvisionId, _Placed]) -> dict[ProvisionId, list[ProvisionId]]:
    found: dict[ProvisionId, list[ProvisionId]] = {}
    for identity, placed in index.items():
        if placed.parent is not None:
            found.setdefault(placed.parent, []).append(identity)
    return found


def _merged(known: list[ProvisionId], older: Sequence[ProvisionId]) -> list[ProvisionId]:
    """Insert what only older states have before what followed it: Article 99 after a new Article 98a."""
    places = {identity: place for place, identity in enumerate(known)}
    before: dict[int, list[ProvisionId]] = {}
    place = len(known)
    for identity in reversed(older):
        if identity in places:
            place = places[identity]
        else:
            before.setdefault(place, []).append(identity)
    if not before:
        return known
    result: list[ProvisionId] = []
    for number, identity in enumerate(known):
        result.extend(reversed(before.get(number, ())))
        result.append(identity)
    result.extend(reversed(before.get(len(known), ())))
    return result


def _build(
    root: ProvisionId,
    newest: Mapping[ProvisionId, _Placed],
    orders: Mapping[ProvisionId, list[ProvisionId]],
    chains: Mapping[ProvisionId, _Chain],
    history: History,
) -> Provision:
    built: dict[ProvisionId, Provision] = {}
    stack = [root]
    while stack:
        identity = stack[-1]
        waiting = [child for child in orders.get(identity, ()) if child not in built]
        if waiting:
            stack.extend(waiting)
            continue
        stack.pop()
        if identity in built:
            continue
        node = newest[identity].node
        children = tuple(built[child] for child in orders.get(identity, ()))
        versions = tuple(_marked(chains[identity].versions, history))
        if node.container:
            versions = _covering(versions, children) if identity.path or node.heading else ()
        if node.step == "pbl":
            versions = ()
        built[identity] = Provision(identity, node.kind, node.label, versions, children)
    return built[root]


def _marked(versions: list[Version], history: History) -> list[Version]:
    last = versions[-1]
    if not history.findings or last.validity.end is not None:
        return versions
    end = history.ended_by
    if end is not None and last.validity.start is not None and end < last.validity.start:
        end = last.validity.start
    validity = Validity(last.validity.start, end)
    return [*versions[:-1], replace(last, validity=validity, findings=(*last.findings, *history.findings))]


def _covering(versions: tuple[Version, ...], children: Sequence[Provision]) -> tuple[Version, ...]:
    """A title or chapter exists while anything below it does: articles move between them over the years."""
    below = [version.validity for child in children for version in child.versions]
    starts = [one.start for one in below] + [versions[0].validity.start]
    start = None if None in starts else min(day for day in starts if day is not None)
    ends = [one.end for one in below] + [versions[-1].validity.end]
    end = None if None in ends else max(day for day in ends if day is not None)
    edges = [start, *(version.validity.start for version in versions[1:]), end]
    first, *later = (
        replace(version, validity=Validity(edges[place], edges[place + 1]))
        for place, version in enumerate(versions)
    )
    if start != versions[0].validity.start:
        # It stood before the act whose mark it bears: who made it then is not told.
        first = replace(first, event=Event.ENACTED, source_act=None)
    return (first, *later)


def repealed(root: Provision, day: date | None, source: WorkId | None, title: str) -> Provision:
    """The tree of an act that was repealed on a day: only its name remains after that."""
    ended = _ended_below(root, day)
    notice = Version("", Validity(day), title or root.heading, Event.REPEALED, source)
    return replace(ended, versions=(*ended.versions, notice))


def repealed_in_part(root: Provision, ending: Ending) -> Provision:
    """The tree of an act of which another repealed some places, or all but some; the preamble stays."""
    places = _places(root, ending.only or ending.but)
    if ending.only:
        return _without(root, places, ending.day)
    return replace(root, children=tuple(_only(child, places, ending.day) for child in root.children))


def _without(provision: Provision, places: frozenset[ProvisionId], day: date) -> Provision:
    """A tree in which some places end."""
    if provision.id in places:
        return _ended_below(provision, day)
    return replace(provision, children=tuple(_without(child, places, day) for child in provision.children))


def _only(provision: Provision, places: frozenset[ProvisionId], day: date) -> Provision:
    """A tree in which all ends but some places, and what holds them."""
    if provision.id in places or provision.kind in _AROUND:
        return provision
    if not any(node.id in places for node in provision.walk()):
        return _ended_below(provision, day)
    return replace(provision, children=tuple(_only(child, places, day) for child in provision.children))


def _places(root: Provision, names: Sequence[str]) -> frozenset[ProvisionId]:
    """The places that were named: steps from the work down, a range by its ends."""
    order = [node.id for node in root.walk() if len(node.id.path) == 1]
    found: set[ProvisionId] = set()
    for name in names:
        first, _, last = name.partition("..")
        begins, ends = (ProvisionId.parse(f"{root.id.work}/{one}") for one in (first, last or first))
        found |= {begins, ends}
        if begins in order and ends in order:
            within = order[order.index(begins) : order.index(ends)]
            found |= {one for one in within if one.path[0].kind == begins.path[0].kind}
    return frozenset(found)


def _ended_below(provision: Provision, day: date | None) -> Provision:
    versions = tuple(
        _ended(version, day, History()) if version.validity.end is None else version
        for version in provision.versions
    )
    return replace(
        provision, versions=versions, children=tuple(_ended_below(child, day) for child in provision.children)
    )
