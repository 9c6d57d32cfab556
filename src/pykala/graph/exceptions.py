"""Exceptions: references whose own sentence says that one rule gives way to the other.

"Notwithstanding section 5" makes the present provision an exception to section 5; "subject to section 5"
makes section 5 the exception to it. The pack lists these words (cues); this module binds them to citations.
Most cues stand before the citation ("par dérogation à l'article 5"). Finnish cues also stand after it ("5
§:stä poiketen") and sometimes before ("poiketen siitä, mitä 5 §:ssä säädetään").
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, islice, pairwise

from pykala.law.references import EdgeKind, Method, Reference
from pykala.text.languages.known import alternatives, derived, language_of

Cues = Mapping[str, Sequence[str]]  # language → words, as a pack lists them

#: How many words may stand between a cue and the citation that it binds.
WORDS_AHEAD = 8  # "except as otherwise expressly provided by or under section 5"
WORDS_BACK = 2  # "5 §:ssä säädetyn määräajan estämättä"

_CLAUSE_END = re.compile(r"[;:.!?](?:\s|$)|\n")
_WORD = re.compile(r"\w+")
_NEXT_WORD = re.compile(r"\s*\w")
_COMMA = re.compile(r"\s*,\s*")


@derived
def _and() -> re.Pattern[str]:
    """What joins citations of one list: "sections 5 and 6", "artiklarna 5, 6 eller 7"."""
    return re.compile(rf",?\s*(?:{alternatives('law.listing')}|&)\s+(?:\w+['’\s]\s*){{0,3}}", re.IGNORECASE)


@derived
def _not() -> re.Pattern[str]:
    """Words that deny: "a vessel that is not subject to section 5" makes no exception."""
    return re.compile(rf"(?<!\w)(?:{alternatives('law.not')})\s+$", re.IGNORECASE)


@derived
def _points_ahead(code: str) -> re.Pattern[str] | None:
    """For languages whose cues are postpositions too: the word that shows that a cue points ahead."""
    language = language_of(code)
    word = language.text("law.points_ahead") if language else ""
    return re.compile(word, re.IGNORECASE) if word else None


@dataclass(frozen=True, slots=True)
class _Cue:
    start: int
    end: int
    yields: bool  # the cited provision is the exception, not the one at hand


def with_exceptions(
    references: Sequence[Reference], text: str, exception_cues: Cues, yielding_cues: Cues
) -> list[Reference]:
    """Mark those references of one text that a cue in the same clause makes exceptions.

    `references` all have their spans in `text`; several may share a span ("sections 4 to 6"). Only plain
    citations change; an amendment or an interpretation keeps its kind.
    """
    if not references:
        return []
    language = references[0].language
    pattern = _pattern(tuple(exception_cues.get(language, ())), tuple(yielding_cues.get(language, ())))
    cues = _cues(text, pattern) if pattern else []
    if not cues:
        return list(references)
    spans = sorted({(reference.start, reference.end) for reference in references})
    bound: dict[tuple[int, int], _Cue] = {}
    for cue in cues:
        for span in _bound_by(cue, spans, text, language):
            bound.setdefault(span, cue)
    return [_marked(reference, bound.get((reference.start, reference.end))) for reference in references]


def _marked(reference: Reference, cue: _Cue | None) -> Reference:
    if cue is None or reference.kind is not EdgeKind.CITES:
        return reference
    return replace(reference, kind=EdgeKind.EXCEPTS, method=Method.EXCEPTION, reverse=cue.yields)


@lru_cache(maxsize=64)
def _pattern(excepting: tuple[str, ...], yielding: tuple[str, ...]) -> re.Pattern[str] | None:
    """One pattern for all cues of a language; the longest of several that fit at a place is taken."""
    cues = sorted(
        [(cue, "excepts") for cue in excepting] + [(cue, "yields") for cue in yielding],
        key=lambda pair: (-len(pair[0]), pair),
    )
    if not cues:
        return None
    groups = []
    for number, (cue, sort) in enumerate(cues):
        words = r"\s+".join(map(re.escape, cue.split()))
        groups.append(f"(?P<{sort}_{number}>{words})")  # numbered, since names of groups must differ
    return re.compile(rf"(?<!\w)(?:{'|'.join(groups)})(?!\w)", re.IGNORECASE)


def _cues(text: str, pattern: re.Pattern[str]) -> list[_Cue]:
    return [
        _Cue(found.start(), found.end(), (found.lastgroup or "").startswith("yields"))
        for found in pattern.finditer(text)
        if not _not().search(text, max(0, found.start() - 12), found.start())
    ]


def _bound_by(
    cue: _Cue, spans: Sequence[tuple[int, int]], text: str, language: str
) -> Iterator[tuple[int, int]]:
    """The citations that a cue binds: those after it, or those before it if it follows them."""
    # From the cue outwards, and no farther than a list goes: a text may hold thousands of both.
    here = bisect_left(spans, (cue.start, 0))
    before = (spans[at] for at in range(here - 1, -1, -1) if spans[at][1] <= cue.start)
    # A span that starts inside the cue belongs to it: "notwithstanding section" may be one cue.
    after = (spans[at] for at in range(here, len(spans)) if spans[at][1] > cue.end)
    last, first = next(before, None), next(after, None)
    ahead = first is not None and _close(text, cue.end, first[0], WORDS_AHEAD)
    if last is not None and _stands_behind(text, cue, last, first[0] if first and ahead else None, language):
        yield from _listed(last, before, text)
    elif first is not None and ahead:
        yield from _listed(first, after, text)


def _stands_behind(text: str, cue: _Cue, last: tuple[int, int], following: int | None, language: str) -> bool:
    if not _close(text, last[1], cue.start, WORDS_BACK) or text.find(",", last[1], cue.start) >= 0:
        return False
    points_ahead = _points_ahead(language)
    if points_ahead is not None:
        return following is None or not points_ahead.search(text, cue.end, following)
    # "…, section 5 notwithstanding, …": in other languages, only a cue that ends its clause binds backwards.
    alone = not text[last[1] : cue.start].strip()
    return following is None and alone and not _NEXT_WORD.match(text, cue.end)


def _close(text: str, start: int, end: int, words: int) -> bool:
    """Whether at most so many words stand between two places, and no clause ends there."""
    start = min(start, end)
    between = islice(_WORD.finditer(text, start, end), words + 1)
    return sum(1 for _ in between) <= words and not _CLAUSE_END.search(text, start, end)


def _listed(
    first: tuple[int, int], others: Iterable[tuple[int, int]], text: str
) -> Iterator[tuple[int, int]]:
    """The first citation and those listed with it, given in reading order or from the cue backwards.

    A comma alone may end the phrase ("Subject to section 5, section 9 applies"), so citations joined by
    commas count only up to the last "and" of their run.
    """
    run = [first]
    sure, backwards = 1, False
    for here, there in pairwise(chain((first,), others)):
        backwards = backwards or (here is first and first > there)
        gap = text[min(here[1], there[1]) : max(here[0], there[0])]
        if _and().fullmatch(gap):
            run.append(there)
            sure = len(run)
        elif _COMMA.fullmatch(gap):
            run.append(there)
        else:
            break
    # Backwards, the "and" comes first, and every comma before it belongs to its list.
    yield from run if backwards and sure > 1 else run[:sure]
