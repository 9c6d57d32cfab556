"""Find references in the code and in questions; `resolution` finds their targets.

A list gives one citation for each of its members; a range gives one whose last step has both ends,
`para_1..5`. "This" is a number where a reference says so: "paragraph four of this subdivision" is
`subd_this/para_4`. A bare "this chapter" is a citation of the chapter; a bare "this section" only says where
the reader is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from pykala.law.citations import CitationContext, FoundCitation
from pykala.law.identifiers import Step
from pykala.packs.nyc.chains import Chain, Link, Member, chain_at
from pykala.packs.nyc.numerals import value_of
from pykala.packs.nyc.phrases import (
    CITED_LOCAL_LAW,
    CODE,
    CONTAINERS,
    JOIN,
    LOCAL_LAW,
    ORDER,
    START,
    THIS,
    UNITS,
    Number,
)
from pykala.packs.nyc.questions import find_in_question
from pykala.packs.nyc.tree import LEVELS
from pykala.packs.ranges import RANGE

HERE = "this"
ANOTHER = "another law"  # a law that the text does not name
LOCAL = "local law "
_SUCH = re.compile(r"\b(?:such|said) $", re.IGNORECASE)


def find_citations(text: str, context: CitationContext) -> Sequence[FoundCitation]:
    """Find citations in order, without overlap."""
    if context.provision is None:
        return find_in_question(text)
    if any(step.kind == "hist" for step in context.provision.path):
        return ()  # history notes are read as changes
    chains = list(_chains(text))
    _share_ends(chains, text)
    found = [*_cited(chains, text), *_local_laws(text), *_places(text)]
    found.sort(key=lambda citation: (citation.start, -citation.end))
    return _without_overlap(found)


def _chains(text: str) -> Iterator[Chain]:
    position = 0
    while (match := START.search(text, position)) is not None:
        chain = chain_at(text, match)
        if chain is not None:
            yield chain
        position = max(match.end(), chain.end if chain else 0)


def _share_ends(chains: list[Chain], text: str) -> None:
    """Let "paragraph (a) or subparagraph (ii) of paragraph (b) of this subdivision" end alike."""
    for chain, following in reversed(list(pairwise(chains))):
        joined = JOIN.fullmatch(text, chain.end, following.start) is not None
        if chain.ended or not joined:
            continue
        rank = ORDER.index(chain.outermost)
        shared = [
            link for link in following.links if ORDER.index(link.kind) < rank and len(link.members) == 1
        ]
        anchor = following.this or following.such
        if anchor and ORDER.index(anchor) >= rank:
            continue
        chain.links += shared
        chain.this, chain.such, chain.law = following.this, following.such, following.law
        chain.that_law, chain.code = following.that_law, following.code


def _cited(chains: Sequence[Chain], text: str) -> Iterator[FoundCitation]:
    before: list[FoundCitation] = []  # for "such section" and "such paragraph four"
    law = ""  # for "such law"
    for chain in chains:
        law = chain.law or law
        here: list[FoundCitation] = []
        for start, end, members in _members(chain):
            citation = _citation(chain, start, end, members, law)
            if chain.such:
                citation = _anchored(citation, chain.such, before)
            elif not chain.ended and _SUCH.search(text, max(0, chain.start - 6), chain.start):
                citation = _repeated(citation, before)
            here.append(replace(citation, text=text[start:end]))
        before += here
        yield from here


def _repeated(citation: FoundCitation, before: Sequence[FoundCitation]) -> FoundCitation:
    """Resolve "such paragraph four" to the paragraph four that was cited before."""
    for earlier in reversed(before):
        for index, step in enumerate(earlier.steps):
            if citation.steps[:1] == (step,):
                steps = (*earlier.steps[:index], *citation.steps)
                return replace(citation, steps=steps, work_name=earlier.work_name, relative=earlier.relative)
    return citation


def _members(chain: Chain) -> Iterator[tuple[int, int, list[tuple[str, Member]]]]:
    """Each single reference of a chain, with its span; spans of one chain follow one another."""
    spots: list[tuple[int, int, int]] = []  # (start, which link, which member)
    for place, link in enumerate(chain.links):
        if len(link.members) > 1 and link.members[0].start >= chain.start:
            spots = [(member.start, place, index) for index, member in enumerate(link.members)]
            break
    spots = spots or [(chain.start, 0, 0)]
    for order, (start, place, index) in enumerate(spots):
        end = spots[order + 1][0] if order + 1 < len(spots) else chain.end
        if order + 1 < len(spots):
            end = min(end, chain.links[place].members[index].end)
        chosen = [
            (link.kind, link.members[index if at == place else 0]) for at, link in enumerate(chain.links)
        ]
        yield (chain.start if order == 0 else start), end, chosen


def _citation(
    chain: Chain, start: int, end: int, members: Sequence[tuple[str, Member]], law: str
) -> FoundCitation:
    steps: list[Step] = []
    for kind, member in reversed(members):
        steps.extend(_steps(kind, member))
    name = chain.law
    if chain.that_law:
        own = any(kind == "sec" and member.number.code for kind, member in members)
        name = "" if own else law or ANOTHER  # "section 11-319 of such code"
    if chain.this:
        steps.insert(0, Step(chain.this, HERE))
    return FoundCitation(start, end, "", name, tuple(steps), relative=bool(chain.this))


def _steps(kind: str, member: Member) -> list[Step]:
    number = member.number
    value = _joined(number.value)
    if member.last is not None and not number.marks:
        value = f"{value}{RANGE}{_joined(member.last.value)}"
    steps = [Step(kind, value)]
    below = LEVELS.index(kind) + 1 if kind in LEVELS else 0
    if kind in LEVELS or kind == "sec":
        steps += [
            Step(LEVELS[min(below + offset, len(LEVELS) - 1)], mark)
            for offset, mark in enumerate(number.marks)
        ]
    return steps


def _joined(value: str) -> str:
    return value.replace(" ", "")


def _anchored(citation: FoundCitation, kind: str, before: Sequence[FoundCitation]) -> FoundCitation:
    """Resolve "of such section" to the last section cited; if there is none, the text does not say."""
    rank = ORDER.index(kind)
    for earlier in reversed(before):
        above = tuple(step for step in earlier.steps if ORDER.index(step.kind) <= rank)
        if any(step.kind == kind for step in above):
            steps = (*above, *citation.steps)
            return replace(citation, steps=steps, work_name=earlier.work_name, relative=earlier.relative)
    return replace(citation, work_name=citation.work_name or ANOTHER)


def _local_laws(text: str) -> Iterator[FoundCitation]:
    for pattern in (LOCAL_LAW, CITED_LOCAL_LAW):
        for match in pattern.finditer(text):
            year, number = _figures(match["year"]), _figures(match["number"])
            if year and number:
                yield FoundCitation(match.start(), match.end(), match[0], f"{LOCAL}{year}/{number}")


def _figures(text: str) -> int | None:
    return int(text) if text.isdecimal() else value_of(text)


def _places(text: str) -> Iterator[FoundCitation]:
    for match in THIS.finditer(text):
        kind = UNITS[match["unit"].casefold()]
        if kind in CONTAINERS:
            yield FoundCitation(match.start(), match.end(), match[0], "", (Step(kind, HERE),), relative=True)


def _without_overlap(found: Sequence[FoundCitation]) -> list[FoundCitation]:
    kept: list[FoundCitation] = []
    for citation in found:
        if not kept or citation.start >= kept[-1].end:
            kept.append(citation)
    return kept


__all__ = ["ANOTHER", "CODE", "HERE", "LOCAL", "Link", "Number", "find_citations"]
