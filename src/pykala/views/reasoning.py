"""The provisions that mattered to an answer as a small graph, in order of appearance."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date

from pykala.answer.cite import citation
from pykala.law.answers import Answer, PathStep
from pykala.law.forms import Part, Result
from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import WorkKind
from pykala.law.references import Direction, Edge, EdgeKind, Method
from pykala.packs.pack import Pack
from pykala.stores.store import NotInForce, Store, StoredProvision, UnknownProvision

MOST_NODES = 10
PRIMARY, SUPPORT = "primary", "support"


@dataclass(frozen=True, slots=True, repr=False)
class Node(Part):
    """A provision of the graph; its role is the kind of the edge that led to it."""

    provision: ProvisionId
    citation: str
    heading: str
    label: str
    kind: WorkKind
    role: str
    authority: int
    url: str


@dataclass(frozen=True, slots=True, repr=False)
class Reasoning(Result):
    """Nodes and edges, in order of appearance."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]

    def __repr__(self) -> str:
        return f"<Reasoning: {len(self.nodes)} provisions, {len(self.edges)} edges>"


def reasoning(answer: Answer, store: Store, packs: Mapping[str, Pack]) -> Reasoning:
    """The graph of an answer: the primary provision, the walk, and other support."""
    if answer.primary is None:
        return Reasoning((), ())
    roles: dict[ProvisionId, str] = {answer.primary.provision: PRIMARY}
    edges: list[Edge] = []
    steps = [*answer.path]
    while steps:  # take a step that touches a drawn node, so that the graph stays connected
        step = next(
            (one for one in steps if _known(one.source, roles) or _known(one.target, roles)), steps[0]
        )
        steps.remove(step)
        ends = _known(step.source, roles) or step.source, _known(step.target, roles) or step.target
        new = [end for end in ends if end not in roles]
        if len(roles) + len(new) > MOST_NODES or ends[0] == ends[1]:
            continue
        roles |= dict.fromkeys(new, step.kind.value)
        edges.append(replace(_edge(step, store, answer.as_of), source=ends[0], target=ends[1]))
    for support in answer.support:
        if len(roles) < MOST_NODES and not _known(support.cited.provision, roles):
            roles[support.cited.provision] = SUPPORT
    nodes = (
        node(provision, role, store, packs, as_of=answer.as_of, language=answer.language)
        for provision, role in roles.items()
    )
    return Reasoning(tuple(nodes), (*edges, *_translations(answer, store)))


def _translations(answer: Answer, store: Store) -> Iterator[Edge]:
    """Edges that say the text shown is a translation, and of which language.

    All languages of a provision share its identifier, so this edge leads from the provision to itself. Its
    `language` is that of the translation, and its words name both languages.
    """
    if answer.primary is None:
        return
    place, language = answer.primary.provision, answer.primary.language
    shown = on_date(place, store, answer.as_of, language)
    if not shown.translation:
        return
    for other in shown.languages:
        if other != language and not on_date(place, store, answer.as_of, other).translation:
            words = f"{language} → {other}"
            yield Edge(EdgeKind.TRANSLATION_OF, place, place, Method.STRUCTURE, words, language)


def node(
    provision: ProvisionId,
    role: str,
    store: Store,
    packs: Mapping[str, Pack],
    *,
    as_of: date,
    language: str | None,
) -> Node:
    """A provision as the graph shows it."""
    stored = on_date(provision, store, as_of, language)
    work, pack = stored.work, packs.get(provision.work.jurisdiction)
    heading = stored.provision.heading or next(
        (one.heading for one in reversed(stored.ancestors) if one.heading), ""
    )
    return Node(
        provision=provision,
        citation=citation(provision, work, stored.language, packs),
        heading=heading,
        label=stored.provision.label,
        kind=work.kind,
        role=role,
        authority=work.authority,
        url=pack.url(provision, work, stored.language, as_of) if pack else "",
    )


def on_date(provision: ProvisionId, store: Store, as_of: date, language: str | None) -> StoredProvision:
    """A provision on a date, or its newest wording where none is in force then."""
    try:
        return store.provision(provision, as_of=as_of, language=language)
    except NotInForce:
        return store.provision(provision, language=language)


def _known(provision: ProvisionId, nodes: Iterable[ProvisionId]) -> ProvisionId | None:
    """The drawn node that contains a provision: a ruling on a section applies to the subsection shown."""
    return next((one for one in nodes if one == provision), None) or next(
        (one for one in nodes if provision.path and (one.contains(provision) or provision.contains(one))),
        None,
    )


def _edge(step: PathStep, store: Store, as_of: date) -> Edge:
    """The edge of a step, with its words."""
    return next(iter(_edges(step, store, as_of)))


def _edges(step: PathStep, store: Store, as_of: date) -> Iterator[Edge]:
    try:
        found = store.edges([step.source], kinds=[step.kind], direction=Direction.OUT, as_of=as_of)
    except UnknownProvision:
        found = ()
    exact = [one for one in found if one.source == step.source and one.target == step.target]
    yield from exact
    yield from (one for one in found if step.target.contains(one.target) or one.target.contains(step.target))
    yield Edge(step.kind, step.source, step.target, Method.STRUCTURE)
