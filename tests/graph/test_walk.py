from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pykala.graph.walk import FOLLOW, FOLLOW_STRUCTURE, Follow, Visited, WalkOptions, section_of, walk
from pykala.law.identifiers import ProvisionId
from pykala.law.references import Direction, Edge, EdgeKind, EdgesWanted, Method

ROOT = ProvisionId.parse("ca:act:X-1")
DAY = date(2020, 1, 1)


def sec(number: int | str) -> ProvisionId:
    return ROOT.child("sec", str(number))


def edge(kind: EdgeKind, source: ProvisionId, target: ProvisionId, start: int = 0) -> Edge:
    return Edge(kind, source, target, Method.CITATION, start=start)


class Graph:
    """A store's `edges_of` over a list, counting how often it is asked."""

    def __init__(self, edges: Sequence[Edge]) -> None:
        self.edges = edges
        self.calls: list[set[date | None]] = []

    def __call__(self, wanted: Sequence[EdgesWanted]) -> list[list[Edge]]:
        self.calls.append({one.as_of for one in wanted})
        return [self._edges(one) for one in wanted]

    def _edges(self, wanted: EdgesWanted) -> list[Edge]:
        def near(place: ProvisionId) -> bool:
            return any(provision.contains(place) for provision in wanted.provisions)

        return [
            edge
            for edge in self.edges
            if (wanted.kinds is None or edge.kind in wanted.kinds)
            and (
                (wanted.direction is not Direction.IN and near(edge.source))
                or (wanted.direction is not Direction.OUT and near(edge.target))
            )
        ]


def numbers(visited: Sequence[Visited]) -> list[str]:
    return [str(found.provision).partition("sec_")[2] for found in visited]


def test_exceptions_come_before_references_before_definitions() -> None:
    graph = Graph(
        [
            edge(EdgeKind.DEFINED_IN, sec(1), sec(2)),
            edge(EdgeKind.CITES, sec(1), sec(3)),
            edge(EdgeKind.INTERPRETS, sec(4), sec(1)),
            edge(EdgeKind.EXCEPTS, sec(5), sec(1)),
        ]
    )
    visited = walk([(sec(1), 0.8)], graph, as_of=DAY)
    assert numbers(visited) == ["5", "4", "3", "2"]
    assert {found.score for found in visited} == {0.75}
    assert {found.seed for found in visited} == {sec(1)}
    assert visited[0].via.kind is EdgeKind.EXCEPTS


def test_one_call_a_hop_whatever_the_number_of_seeds() -> None:
    graph = Graph([edge(EdgeKind.CITES, sec(n), sec(n + 100)) for n in range(8)])
    walk([(sec(n), 0.5) for n in range(8)], graph, as_of=DAY, options=WalkOptions(hops=2))
    assert graph.calls == [{DAY}] * 2


def test_two_hops_cost_twice_and_lead_back_nowhere() -> None:
    graph = Graph([edge(EdgeKind.CITES, sec(a), sec(b)) for a, b in [(1, 2), (2, 3), (3, 4), (3, 1), (2, 1)]])
    visited = walk([(sec(1), 0.5)], graph, as_of=None, options=WalkOptions(hops=2))
    assert [(n, found.hops) for n, found in zip(numbers(visited), visited, strict=True)] == [
        ("2", 1),
        ("3", 2),
    ]
    assert [found.score for found in visited] == pytest.approx([0.45, 0.40])
    assert all(found.seed == sec(1) for found in visited)


def test_edges_below_a_seed_count_as_its_own_and_its_own_section_is_not_added() -> None:
    here = sec(1).child("subsec", "2")
    graph = Graph(
        [
            edge(EdgeKind.CITES, here, sec(1).child("subsec", "3")),
            edge(EdgeKind.CITES, here.child("para", "a"), sec(2).child("subsec", "1")),
        ]
    )
    for seed in (sec(1), here):
        assert numbers(walk([(seed, 0.5)], graph, as_of=DAY)) == ["2/subsec_1"]


def test_an_exception_beside_the_part_that_is_quoted_is_added_and_nothing_else_of_its_section() -> None:
    first, second, third = (sec(1).child("subsec", number) for number in "123")
    graph = Graph(
        [
            edge(EdgeKind.EXCEPTS, third, second),  # "Subject to subsection (3)"
            edge(EdgeKind.EXCEPTS, second, first),
            edge(EdgeKind.CITES, second, first),
            edge(EdgeKind.EXCEPTS, second.child("para", "a"), second),  # it is quoted with its own words
        ]
    )
    assert numbers(walk([(second, 0.8)], graph, as_of=DAY)) == ["1/subsec_3"]
    assert numbers(walk([(sec(1), 0.8)], graph, as_of=DAY)) == []


@pytest.mark.parametrize(
    ("kind", "direction", "limit"),
    [
        (EdgeKind.INTERPRETS, Direction.IN, 30),
        (EdgeKind.CITES, Direction.OUT, 15),
        (EdgeKind.PARENT_OF, Direction.IN, 50),
    ],
)
def test_a_hub_is_not_expanded_through(kind: EdgeKind, direction: Direction, limit: int) -> None:
    options = WalkOptions(follow=FOLLOW + FOLLOW_STRUCTURE)
    for degree, added in ((limit, 5), (limit + 1, 0)):
        ends = [(sec(1), sec(n + 2)) for n in range(degree)]
        if direction is Direction.IN:
            ends = [(there, here) for here, there in ends]
        graph = Graph([edge(kind, *pair) for pair in ends] * 2)  # a repeated edge is no second neighbour
        assert len(walk([(sec(1), 0.5)], graph, as_of=DAY, options=options)) == added


def test_what_the_text_names_first_is_taken_first() -> None:
    graph = Graph([edge(EdgeKind.CITES, sec(1), sec(n), start=100 - n) for n in range(2, 12)])
    assert numbers(walk([(sec(1), 0.5)], graph, as_of=DAY)) == ["11", "10", "9", "8", "7"]


@pytest.mark.parametrize(
    ("provision", "section"),
    [
        ("ca:act:X-1/part_1/sec_7/subsec_1", "ca:act:X-1/part_1/sec_7"),
        ("eu:32006L0112/art_98/para_2", "eu:32006L0112/art_98"),
        ("ca:act:X-1/sched_1/part_2", "ca:act:X-1/sched_1/part_2"),
        ("ca:act:X-1", "ca:act:X-1"),
    ],
)
def test_the_section_of_a_provision(provision: str, section: str) -> None:
    assert section_of(ProvisionId.parse(provision)) == ProvisionId.parse(section)


@pytest.mark.parametrize("hops", [-1, 3])
def test_more_than_two_hops_are_refused(hops: int) -> None:
    with pytest.raises(ValueError, match="hops"):
        WalkOptions(hops=hops)


def test_both_ways_are_two_rules() -> None:
    with pytest.raises(ValueError, match="list it twice"):
        WalkOptions(follow=(Follow(EdgeKind.CITES, Direction.BOTH),))


PLACES = st.builds(
    lambda n, m: sec(n).child("subsec", str(m)) if m else sec(n), st.integers(1, 9), st.integers(0, 2)
)
KINDS = st.sampled_from(sorted({rule.kind for rule in FOLLOW} | {EdgeKind.AMENDS}))
EDGES = st.lists(st.builds(edge, KINDS, PLACES, PLACES, st.integers(0, 3)), max_size=60)
SEEDS = st.lists(st.tuples(PLACES, st.sampled_from([0.3, 0.5, 0.9])), max_size=4)
OPTIONS = st.builds(
    WalkOptions,
    follow=st.just(tuple(Follow(rule.kind, rule.direction, cap=2, hub=4) for rule in FOLLOW)),
    hops=st.integers(0, 2),
    nodes=st.integers(0, 6),
)


@given(SEEDS, EDGES, OPTIONS)
def test_every_bound_holds(
    seeds: list[tuple[ProvisionId, float]], edges: list[Edge], options: WalkOptions
) -> None:
    visited = walk(seeds, Graph(edges), as_of=DAY, options=options)
    assert len(visited) <= options.nodes
    assert len({found.provision for found in visited}) == len(visited)
    assert [found.hops for found in visited] == sorted(found.hops for found in visited)
    scores = dict(sorted(seeds, key=lambda seed: seed[1]))
    known = dict(scores)
    steps: Counter[tuple[ProvisionId, EdgeKind, bool]] = Counter()
    for found in visited:
        assert 1 <= found.hops <= options.hops
        assert found.score == pytest.approx(scores[found.seed] - options.cost * found.hops)
        if any(section_of(seed).contains(found.provision) for seed in scores):
            assert found.via.kind is EdgeKind.EXCEPTS
            assert found.via.source == found.provision
            assert found.provision not in scores
        outwards = found.via.target == found.provision
        here = found.via.source if outwards else found.via.target
        assert found.provision in (found.via.source, found.via.target)
        # What bears on a section bears on each of its subsections, so an edge's end may hold the seed.
        near = [place for place in known if place.contains(here) or here.contains(place)]
        origins = [place for place in near if found.score < known[place]]
        assert origins
        steps.update((origin, found.via.kind, outwards) for origin in origins if len(origins) == 1)
        known[found.provision] = found.score
    assert all(count <= 2 for count in steps.values())


@given(SEEDS, EDGES, OPTIONS, st.randoms(use_true_random=False))
def test_the_order_of_edges_and_seeds_does_not_matter(
    seeds: list[tuple[ProvisionId, float]], edges: list[Edge], options: WalkOptions, chance: random.Random
) -> None:
    expected = walk(seeds, Graph(edges), as_of=DAY, options=options)
    chance.shuffle(edges)
    chance.shuffle(seeds)
    assert walk(seeds, Graph(edges), as_of=DAY, options=options) == expected


def test_what_bears_on_a_section_bears_on_its_subsections() -> None:
    ruling, section = ProvisionId.parse("fi:kho:2025/46"), ProvisionId.parse("fi:act:1993/1501/sec_18e")
    edge = Edge(EdgeKind.APPLIES, ruling, section, Method.CITATION)

    def neighbours(wanted: Sequence[EdgesWanted]) -> list[list[Edge]]:
        return [[edge] if one.direction is Direction.IN else [] for one in wanted]

    found = walk([(section.child("subsec", "1"), 1.0)], neighbours, as_of=None)
    assert [one.provision for one in found] == [ruling]


def test_a_chapter_leads_where_its_sections_lead() -> None:
    chapter = ProvisionId.parse("fi:act:1995/1551/chp_1")
    guidance, section = ProvisionId.parse("fi:vero:x/sec_1"), ProvisionId.parse("fi:act:1995/1551/sec_2")
    edge = Edge(EdgeKind.INTERPRETS, guidance, section, Method.CITATION)

    def neighbours(wanted: Sequence[EdgesWanted]) -> list[list[Edge]]:
        return [[edge] if one.direction is Direction.IN else [] for one in wanted]

    found = walk([(chapter, 1.0)], neighbours, as_of=None)
    assert [one.provision for one in found] == [guidance]
