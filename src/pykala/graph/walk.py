"""The bounded walk: from the provisions found to those that bear on them, as a lawyer reads on.

Breadth-first search (E. F. Moore, "The shortest path through a maze", 1959) with four bounds. Hops: one by
default, two at most. Caps: a limited number of neighbours of a kind from one provision. Hubs: a provision
that cites half the statute book, or that thirty rulings interpret, is not expanded, because so many
neighbours say nothing about one question. Nodes: ten are added in all. Each hop lowers the score by 0.05.
Exceptions are taken before references, and references before definitions: an answer without its exception is
wrong, and without its definition only poorer.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Protocol

from pykala.law.forms import Part
from pykala.law.identifiers import ProvisionId
from pykala.law.references import Direction, Edge, EdgeKind, EdgesWanted

MOST_HOPS = 2
#: Steps that begin a section whatever the jurisdiction; deeper steps are places within it.
SECTION_STEPS = frozenset({"sec", "art", "rec"})


class Neighbours(Protocol):
    """The store's `edges_of`: those that touch the provisions of each request or anything below them."""

    def __call__(self, wanted: Sequence[EdgesWanted]) -> Sequence[Sequence[Edge]]:
        """Give the edges in any order; those of a section with more of a kind than `caps` may be left out."""
        ...


@dataclass(frozen=True, slots=True)
class Follow:
    """One kind of edge followed one way: at most `cap` from a provision, none from a hub beyond `hub`."""

    kind: EdgeKind
    direction: Direction  # OUT or IN
    cap: int = 5
    hub: int = 100  # for every kind, so that a rule with a thousand exceptions does not stop the walk


#: In order of importance. From a rule to what excepts it is IN: the exception points at its rule.
FOLLOW = (
    Follow(EdgeKind.EXCEPTS, Direction.IN),
    Follow(EdgeKind.EXCEPTS, Direction.OUT),
    Follow(EdgeKind.INTERPRETS, Direction.OUT),
    Follow(EdgeKind.INTERPRETS, Direction.IN, hub=30),
    Follow(EdgeKind.APPLIES, Direction.OUT),
    Follow(EdgeKind.APPLIES, Direction.IN, hub=30),
    Follow(EdgeKind.TRANSPOSES, Direction.OUT),  # before the plain reference that it also is
    Follow(EdgeKind.CITES, Direction.OUT, hub=15),
    Follow(EdgeKind.DEFINED_IN, Direction.OUT),
)
#: For browsing around a provision: every kind, both ways, at most twenty of each.
FOLLOW_EVERYTHING = tuple(
    Follow(kind, direction, cap=20, hub=1000)
    for kind in (
        EdgeKind.EXCEPTS,
        EdgeKind.INTERPRETS,
        EdgeKind.APPLIES,
        EdgeKind.CITES,
        EdgeKind.DEFINED_IN,
        EdgeKind.DEFINES,
        EdgeKind.AMENDS,
        EdgeKind.INSERTS,
        EdgeKind.REPEALS,
        EdgeKind.SUPERSEDES,
        EdgeKind.APPEALS,
        EdgeKind.TRANSPOSES,
        EdgeKind.TRANSLATION_OF,
    )
    for direction in (Direction.OUT, Direction.IN)
)
#: For questions about structure. More than fifty neighbours on one side are a whole code, not a context.
FOLLOW_STRUCTURE = (
    Follow(EdgeKind.PARENT_OF, Direction.IN, hub=50),
    Follow(EdgeKind.PARENT_OF, Direction.OUT, hub=50),
)


@dataclass(frozen=True, slots=True)
class WalkOptions:
    """The bounds of a walk; `follow` is in order of importance."""

    follow: tuple[Follow, ...] = FOLLOW
    hops: int = 1
    nodes: int = 10
    cost: float = 0.05

    def __post_init__(self) -> None:
        if not 0 <= self.hops <= MOST_HOPS:
            raise ValueError(f"a walk takes 0 to {MOST_HOPS} hops, not {self.hops}")
        if any(follow.direction is Direction.BOTH for follow in self.follow):
            raise ValueError("each kind is followed OUT or IN; to follow it both ways, list it twice")


@dataclass(frozen=True, slots=True, repr=False)
class Visited(Part):
    """A provision that the walk added: its score, its distance, and the edge and seed that led to it."""

    provision: ProvisionId
    score: float
    hops: int
    via: Edge
    seed: ProvisionId


@dataclass(frozen=True, slots=True)
class _Standing:
    """A provision that the walk has reached, its score, and the seed that led there."""

    provision: ProvisionId
    score: float
    seed: ProvisionId


@dataclass(frozen=True, slots=True)
class _Step:
    """A possible step: its start, its edge and its end.

    `merit` orders all steps of a hop without ties, so that the order in which a store returns its edges does
    not matter: the more important kind first, then the better origin, then what the text names first.
    """

    merit: tuple[int, float, int, str, str]
    origin: _Standing
    edge: Edge
    target: ProvisionId


def section_of(provision: ProvisionId) -> ProvisionId:
    """The section or article that a provision lies in; itself where it lies in none."""
    for depth, step in enumerate(provision.path, start=1):
        if step.kind in SECTION_STEPS:
            return ProvisionId(provision.work, provision.path[:depth])
    return provision


def walk(
    seeds: Sequence[tuple[ProvisionId, float]],
    neighbours: Neighbours,
    *,
    as_of: date | None,
    options: WalkOptions | None = None,
    section: Callable[[ProvisionId], ProvisionId] = section_of,
) -> tuple[Visited, ...]:
    """Walk from scored seeds; return the provisions added, in order.

    `neighbours` is called once per hop, whatever the number of seeds, with a request for each direction: a
    joint request would fetch thousands of references to a well-known section only to drop them. Nothing is
    visited twice. Provisions in the section of a seed are not added, because the reader already has them,
    except for exceptions to the seed itself: "Subject to subsection (3)" is quoted without subsection (3).
    """
    options = options or WalkOptions()
    frontier = _frontier(seeds)
    homes = {section(provision) for provision in frontier}
    visited = set(frontier)
    added: list[Visited] = []
    for hop in range(1, options.hops + 1):
        room = options.nodes - len(added)
        if not frontier or room <= 0:
            break
        taken: dict[ProvisionId, _Step] = {}
        for step in sorted(_steps(frontier, neighbours, as_of, options), key=lambda step: step.merit):
            if len(taken) == room:
                break
            at_home = not homes.isdisjoint(_with_ancestors(step.target))
            if step.target not in visited and (not at_home or _departs(step, section)):
                taken.setdefault(step.target, step)
        frontier = {
            target: _Standing(target, step.origin.score - options.cost, step.origin.seed)
            for target, step in taken.items()
        }
        visited |= taken.keys()
        added += [
            Visited(target, frontier[target].score, hop, step.edge, step.origin.seed)
            for target, step in taken.items()
        ]
    return tuple(added)


def _departs(step: _Step, section: Callable[[ProvisionId], ProvisionId]) -> bool:
    """Whether a step leads to an exception in the same section as the rule that it departs from."""
    begun, target = step.origin.provision, step.target
    beside = section(begun) == section(target) and not (begun.contains(target) or target.contains(begun))
    return step.edge.kind is EdgeKind.EXCEPTS and step.edge.source == target and beside


def _frontier(seeds: Iterable[tuple[ProvisionId, float]]) -> dict[ProvisionId, _Standing]:
    best: dict[ProvisionId, float] = {}
    for provision, score in seeds:
        best[provision] = max(score, best.get(provision, score))
    return {provision: _Standing(provision, score, provision) for provision, score in best.items()}


def _steps(
    frontier: Mapping[ProvisionId, _Standing],
    neighbours: Neighbours,
    as_of: date | None,
    options: WalkOptions,
) -> Iterator[_Step]:
    """Every step from the frontier that caps and hubs allow."""
    provisions = tuple(sorted(frontier, key=str))
    wanted, ruled = list[EdgesWanted](), list[dict[EdgeKind, tuple[int, Follow]]]()
    for direction in (Direction.OUT, Direction.IN):
        rules = {rule.kind: (n, rule) for n, rule in enumerate(options.follow) if rule.direction is direction}
        if rules:
            # Hubs are skipped below in any case; the cap spares the store from fetching their many edges.
            caps = {(kind, direction): rule.hub for kind, (_, rule) in rules.items()}
            wanted.append(EdgesWanted.of(provisions, rules, direction, as_of, caps))
            ruled.append(rules)
    for asked, rules, edges in zip(wanted, ruled, neighbours(wanted), strict=True):
        for (origin, kind), ways in _ways(edges, asked.direction, frontier).items():
            importance, rule = rules[kind]
            if len(ways) > rule.hub:
                continue
            standing = frontier[origin]
            steps = []
            for target, edge in ways.items():
                merit = (importance, -standing.score, edge.start, str(target), str(origin))
                steps.append(_Step(merit, standing, edge, target))
            yield from sorted(steps, key=lambda step: step.merit)[: rule.cap]


def _ways(
    edges: Sequence[Edge], direction: Direction, frontier: Mapping[ProvisionId, _Standing]
) -> Mapping[tuple[ProvisionId, EdgeKind], Mapping[ProvisionId, Edge]]:
    """The distinct provisions that each frontier provision leads to by each kind, with one edge to each."""
    ways: dict[tuple[ProvisionId, EdgeKind], dict[ProvisionId, Edge]] = defaultdict(dict)
    holders: dict[ProvisionId, list[ProvisionId]] = {}
    for edge in edges:
        here, there = edge.source, edge.target
        if direction is Direction.IN:
            here, there = there, here
        if here not in holders:
            holders[here] = _origins(here, frontier)
        for origin in holders[here]:
            if not origin.contains(there):
                known = ways[origin, edge.kind].setdefault(there, edge)
                if known is not edge and _edge_order(edge) < _edge_order(known):
                    ways[origin, edge.kind][there] = edge
    return ways


def _origins(here: ProvisionId, frontier: Iterable[ProvisionId]) -> list[ProvisionId]:
    """The frontier provisions that an end of an edge belongs to.

    These are the provisions that contain it, and those that it contains, since a ruling on a section bears on
    each of its subsections. Otherwise, the chapters and works among them: the identifier of a section need
    not name its chapter.
    """
    near = [
        origin for origin in frontier if origin.contains(here) or (bool(here.path) and here.contains(origin))
    ]
    return near or [origin for origin in frontier if origin.work == here.work and not _in_section(origin)]


def _in_section(provision: ProvisionId) -> bool:
    return any(step.kind in SECTION_STEPS for step in provision.path)


def _edge_order(edge: Edge) -> tuple[object, ...]:
    since, until = edge.validity.start or date.min, edge.validity.end or date.max
    return (edge.start, edge.end, str(edge.source), str(edge.target), edge.language, edge.text, since, until)


def _with_ancestors(provision: ProvisionId) -> Iterator[ProvisionId]:
    for depth in range(len(provision.path), -1, -1):
        yield ProvisionId(provision.work, provision.path[:depth])
