"""The surroundings of a provision: its ancestors, its neighbours, its citation in each language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from pykala.answer.cite import citation
from pykala.law.forms import Result, shortened
from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import APPARATUS, Provision, ProvisionKind, Work
from pykala.packs.pack import Pack
from pykala.packs.sections import CONTAINERS
from pykala.stores.store import NotInForce, Store, StoredProvision

#: Kinds that are skipped when a reader moves to the next or previous section.
PASSED_OVER = APPARATUS | {ProvisionKind.FOOTNOTE, ProvisionKind.RELATED_PROVISION}


@dataclass(frozen=True, slots=True)
class Place:
    """A link to a provision."""

    provision: ProvisionId
    label: str
    heading: str
    citation: str


@dataclass(frozen=True, slots=True, repr=False)
class Surroundings(Result):
    """Navigation around a provision: up, back, on, and to other languages."""

    work: Work
    title: str
    work_citation: str
    work_url: str
    label: str
    breadcrumbs: tuple[Place, ...]  # the work first, the nearest level last
    previous: Place | None
    next: Place | None
    citations: Mapping[str, str]  # language → human form
    urls: Mapping[str, str]

    def __repr__(self) -> str:
        called = next(iter(self.citations.values()), self.work_citation)
        return f"<Surroundings of {shortened(called)}>"


def surroundings(
    stored: StoredProvision, store: Store, packs: Mapping[str, Pack], as_of: date
) -> Surroundings:
    """The surroundings of a provision as it stands on a date."""
    provision, work = stored.provision.id, stored.work
    pack, language = packs.get(work.id.jurisdiction), stored.language

    def url(of: ProvisionId, spoken: str) -> str:
        return pack.url(of, work, spoken, as_of) if pack else ""

    before, after = _neighbours(stored, store, as_of)
    whole = ProvisionId(work.id)
    return Surroundings(
        work=work,
        title=work.name(language),
        work_citation=citation(whole, work, language, packs),
        work_url=url(whole, language),
        label=stored.provision.label,
        breadcrumbs=tuple(
            Place(one.id, one.label, one.heading, citation(one.id, work, language, packs))
            for one in stored.ancestors
        ),
        previous=_place(before, work, language, packs),
        next=_place(after, work, language, packs),
        citations={held: citation(provision, work, held, packs) for held in stored.languages},
        urls={held: url(provision, held) for held in stored.languages},
    )


def _place(node: Provision | None, work: Work, language: str, packs: Mapping[str, Pack]) -> Place | None:
    if node is None:
        return None
    return Place(node.id, node.label, node.heading, citation(node.id, work, language, packs))


def _neighbours(
    stored: StoredProvision, store: Store, as_of: date
) -> tuple[Provision | None, Provision | None]:
    """The previous and next provisions: siblings or, for a section, those of the next chapter."""
    before: Provision | None = None
    after: Provision | None = None
    here = stored.provision
    for above in reversed(stored.ancestors):
        beside = [
            one
            for one in _children(above.id, stored, store, as_of)
            if one.kind not in PASSED_OVER or one.id == here.id
        ]
        places = [number for number, one in enumerate(beside) if one.id == here.id]
        if places:
            before = before or next(_sections(reversed(beside[: places[0]]), last=True), None)
            after = after or next(_sections(iter(beside[places[0] + 1 :]), last=False), None)
        # A subsection's neighbours are those of its section; a section's may lie in another chapter.
        container = _node(above.id, stored, store, as_of)
        if container is None or container.kind not in CONTAINERS or (before and after):
            break
        here = container
    return before, after


def _sections(nodes: Iterator[Provision], *, last: bool) -> Iterator[Provision]:
    """The first provision in each of some provisions that is not a container, from one end."""
    for node in nodes:
        below = tuple(one for one in node.children if one.kind not in PASSED_OVER)
        if node.kind in CONTAINERS and below:
            yield from _sections(reversed(below) if last else iter(below), last=last)
        else:
            yield node


def _children(
    provision: ProvisionId, stored: StoredProvision, store: Store, as_of: date
) -> tuple[Provision, ...]:
    node = _node(provision, stored, store, as_of)
    return node.children if node else ()


def _node(provision: ProvisionId, stored: StoredProvision, store: Store, as_of: date) -> Provision | None:
    try:
        return store.provision(provision, as_of=as_of, language=stored.language).provision
    except NotInForce:
        return None
