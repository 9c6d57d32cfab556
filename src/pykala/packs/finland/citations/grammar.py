"""How Finnish, Swedish and English texts cite Finnish law: `124 §:n 2 momentin 3 kohdassa`, `TVL 48.6 §`.

Finding reads a text from left to right (`citation_finder`), with what the provisions before it named
(`document_trails`). Resolving (`resolution`) turns one citation into its places: "26–28 §" are three.
"""

from __future__ import annotations

import re
from functools import partial

from pykala.law.citations import CitationContext, FoundCitation
from pykala.law.identifiers import Step
from pykala.law.references import EdgeKind
from pykala.packs.finland.citations.asked_citations import known_when_asked
from pykala.packs.finland.citations.citation_finder import OWN, Cited, Finder, Standing
from pykala.packs.finland.citations.citation_patterns import normalised
from pykala.packs.finland.citations.document_trails import trails_of
from pykala.packs.finland.citations.known_laws import known_in, year_of
from pykala.packs.finland.citations.own_places import own_chapters, own_places
from pykala.packs.finland.citations.resolution import resolve
from pykala.packs.finland.citations.trails import STATUTES, Trail
from pykala.text.stretches import Stretches

__all__ = ["edge_kind", "find_citations", "resolve"]

#: A text without any of these cites nothing.
_HINT = re.compile(
    r"[0-9§]|[Ll]a(?:ki|in|issa|ista|kia|kiin|illa)|asetu|kaar|lag|förordn|balk"
    r"|[A-ZÅÄÖ]\w{0,30}[LA]|Act|direkti|kohda|punkt|tässä|tämä"
)


def edge_kind(context: CitationContext) -> EdgeKind:
    """Guidance interprets what it cites, rulings apply it, statutes cite."""
    work = (
        context.provision.work if context.provision else context.document.work if context.document else None
    )
    source = work.value if work else ""
    if source.startswith("fi:vero:"):
        return EdgeKind.INTERPRETS
    return EdgeKind.APPLIES if source.startswith(("fi:kho:", "fi:kvl:")) else EdgeKind.CITES


def find_citations(text: str, context: CitationContext) -> tuple[FoundCitation, ...]:
    """Find citations in a text, in order and without overlap."""
    if _HINT.search(text) is None:
        return ()
    kind = edge_kind(context)
    found = [
        FoundCitation(
            cited.start,
            cited.end,
            text[cited.start : cited.end],
            cited.work,
            cited.steps,
            cited.relative,
            kind,
        )
        for cited in _cited(text, context)
        if not _is_itself(cited, context)
    ]
    own = _of_itself(text, context)
    return tuple(_merged(found, own) if own else found)


def _merged(found: list[FoundCitation], more: list[FoundCitation]) -> list[FoundCitation]:
    taken = Stretches(found)
    apart = [one for one in more if taken.leave_free(one.start, one.end)]
    return sorted([*found, *apart], key=lambda citation: citation.start)


def _of_itself(text: str, context: CitationContext) -> list[FoundCitation]:
    """Whether a text refers to its own place ("tässä pykälässä") or its own headings ("luvussa 3.4")."""
    here = context.provision
    if here is None:
        return []
    if here.work.value.startswith(STATUTES):
        return [
            FoundCitation(start, end, text[start:end], OWN, here.path[: _depth(here.path, kind)])
            for start, end, kind in own_places(text)
            if _depth(here.path, kind)
        ]
    if context.document is None or not here.work.value.startswith("fi:vero:"):
        return []
    paths = trails_of(context.document).paths
    return [
        FoundCitation(start, end, text[start:end], here.work.value, (step,))
        for start, end, step in own_chapters(text)
        if (step,) in paths and here.path[:1] != (step,)
    ]


def _depth(path: tuple[Step, ...], kind: str) -> int:
    """How many steps of a path lead to its level of a kind; 0 where it has none."""
    return next((number for number, step in enumerate(path, 1) if step.kind == kind), 0)


def _cited(text: str, context: CitationContext) -> list[Cited]:
    """The citations of a text: read already with its whole document, or read now with what came before it."""
    trail = Trail()
    if context.document is not None and context.provision is not None:
        trails = trails_of(context.document)
        if (read := trails.read(context.provision, text)) is not None:
            return read
        trail = trails.before(context.provision)
    here = context.provision
    known = partial(known_in, year=year_of(here.work.value)) if here else known_when_asked
    return Finder(normalised(text), context.language, Standing.of(context.provision), trail, known).find()


def _is_itself(cited: Cited, context: CitationContext) -> bool:
    """Whether a provision names itself: "42 § on kumottu …", a ruling its own number."""
    here = context.provision
    if here is None:
        return False
    return (cited.work == here.work.value and not cited.steps) or (
        bool(here.path) and cited.work == OWN and not cited.relative and cited.steps == here.path
    )
