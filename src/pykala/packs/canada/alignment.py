"""Give the same place the same identifier in both languages.

The French tree takes the English identifiers. Places with the same label and the same kind correspond.
Definitions correspond by term, because each language sorts them in its own way. Between two corresponding
places, unmatched places correspond by order if both sides have the same number of them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from itertools import pairwise

from pykala.packs.canada.drafts import Draft

#: Steps that the two languages may give to one place: a label in one, none in the other.
_FAMILIES = (
    {"item", "prov", "art"},
    {"treaty", "document"},
    {"sched", "form", "annex", "appendix"},
    {"title", "part", "div", "subdiv", "subpart", "chp", "rule", "art", "head"},
)
_Pairs = list[tuple[Draft, Draft]]


def align(english: Draft, french: Draft) -> None:
    """Give every French draft the step and number of its English counterpart, where it has one."""
    stack = [(english, french)]
    while stack:
        one, other = stack.pop()
        _align_containers(one, other)
        stack.extend(_match(list(_contents(one)), list(_contents(other))))


def _align_containers(english: Draft, french: Draft) -> None:
    """Match headings with headings down to the lowest; their contents are matched by their own scope."""
    stack = [(english, french)]
    while stack:
        one, other = stack.pop()
        headings = [child for child in one.children if child.container]
        if headings:
            stack.extend(_match(headings, [child for child in other.children if child.container]))


def _contents(draft: Draft) -> Iterator[Draft]:
    """Places of one scope: the children, and those of containers among them, in document order."""
    stack = list(reversed(draft.children))
    while stack:
        child = stack.pop()
        if child.container:
            stack.extend(reversed(child.children))
        else:
            yield child


def _match(english: list[Draft], french: list[Draft]) -> _Pairs:
    keys, others = [draft.key for draft in english], [draft.key for draft in french]
    if keys == others:
        return list(zip(english, french, strict=True))
    places = {key: index for index, key in enumerate(keys)}
    pairs = [(places[key], index) for index, key in enumerate(others) if key in places]
    matched = [(english[one], french[other]) for one, other in pairs]
    taken = {one for one, _ in pairs}, {other for _, other in pairs}
    left = [draft for index, draft in enumerate(french) if index not in taken[1]]
    if left and len(taken[0]) < len(english):
        spare = [draft for index, draft in enumerate(english) if index not in taken[0]]
        by_term = _match_terms(spare, left)
        matched += by_term
        done = {id(one) for one, _ in by_term}, {id(other) for _, other in by_term}
        matched += _match_gaps(
            [draft for index, draft in enumerate(english) if index in taken[0] or id(draft) not in done[0]],
            [draft for index, draft in enumerate(french) if index in taken[1] or id(draft) not in done[1]],
        )
    return matched


def _match_terms(english: list[Draft], french: list[Draft]) -> _Pairs:
    """Match definitions if the English file names the French term, or the reverse."""
    by_term = {pair: draft for draft in english if draft.step == "def" for pair in reversed(draft.terms)}
    matched: _Pairs = []
    for draft in french:
        if draft.step != "def":
            continue
        found = next((by_term[pair] for pair in draft.terms if pair in by_term), None)
        if found is not None:
            for pair in found.terms:
                by_term.pop(pair, None)
            _rename(draft, found)
            matched.append((found, draft))
    return matched


def _match_gaps(english: list[Draft], french: list[Draft]) -> _Pairs:
    """Pair the places between two corresponding places by order, if both sides have the same number."""
    places = {draft.key: index for index, draft in enumerate(english) if draft.step != "def"}
    common = [(places[draft.key], index) for index, draft in enumerate(french) if draft.key in places]
    anchors = [(-1, -1), *_rising(common), (len(english), len(french))]
    matched: _Pairs = []
    keys = {draft.key for draft in french} & {draft.key for draft in english}
    for (one, other), (next_one, next_other) in pairwise(anchors):
        gap = [draft for draft in english[one + 1 : next_one] if _loose(draft, keys)]
        gap_french = [draft for draft in french[other + 1 : next_other] if _loose(draft, keys)]
        if len(gap) != len(gap_french):
            continue
        for counterpart, draft in zip(gap, gap_french, strict=True):
            if _alike(counterpart, draft):
                _rename(draft, counterpart)
                matched.append((counterpart, draft))
    return matched


def _alike(english: Draft, french: Draft) -> bool:
    if english.container or english.step == french.step:
        return True
    return any({english.step, french.step} <= family for family in _FAMILIES)


def _loose(draft: Draft, matched: set[tuple[str, str]]) -> bool:
    return draft.step != "def" and draft.key not in matched


def _rename(french: Draft, english: Draft) -> None:
    french.step, french.number, french.kind = english.step, english.number, english.kind
    french.renamed = True


def _rising(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest run of pairs that rises on both sides (patience sorting)."""
    tails: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for index, (one, _) in enumerate(pairs):
        place = bisect_left(tails, one)
        before.append(ends[place - 1] if place else -1)
        if place == len(tails):
            tails.append(one)
            ends.append(index)
        else:
            tails[place], ends[place] = one, index
    run: list[tuple[int, int]] = []
    index = ends[-1] if ends else -1
    while index >= 0:
        run.append(pairs[index])
        index = before[index]
    return run[::-1]
