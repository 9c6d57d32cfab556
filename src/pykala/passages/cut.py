"""Cut sections into passages: parents that are shown whole, and children that are searched.

A parent is a whole section, or a part of a section that is too long for a reader or a model. Its children are
spans of its text of about a thousand characters. Both are cut at legal boundaries, and never inside a
sentence, an item's label or a citation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from pykala.law.composition import Composed, compose
from pykala.law.passages import Child, Passage
from pykala.law.provisions import Document, Provision
from pykala.law.validity import Validity
from pykala.passages.header import header
from pykala.passages.outline import Outline
from pykala.passages.packing import Bounds, pack
from pykala.passages.timeline import states
from pykala.passages.units import Unit, units
from pykala.text.tokens import count_tokens

#: In tokens. A rest of 544 tokens and the overlap before it make a parent of 800.
PARENTS = Bounds(minimum=800, target=1_500, maximum=1_500, ceiling=2_000, tail=544, overlap=256)
#: Characters.
CHILDREN = Bounds(minimum=600, target=1_000, maximum=1_400, ceiling=1_600, tail=300, scrap=200)


@dataclass(frozen=True, slots=True)
class CutOptions:
    """Sizes: parents in tokens, children in characters."""

    parents: Bounds = PARENTS
    children: Bounds = CHILDREN


@dataclass(frozen=True, slots=True)
class _State:
    """A section during an interval, with its composed text."""

    validity: Validity
    section: Provision
    header: str
    composed: Composed


def cut(
    document: Document,
    sections: Iterable[tuple[tuple[Provision, ...], Provision]],
    *,
    options: CutOptions | None = None,
) -> Iterator[Passage]:
    """Cut sections, each given with its ancestors from the root down, into passages.

    A section gives passages for every interval in which its text or heading differs. The text of a passage is
    `compose(section.at(day)).text[offset : offset + len(text)]`. A section that is only a heading gives one
    passage with empty text and one empty child, which can be found by its header. Each word of a parent is in
    exactly one child; white space between two children is in neither.
    """
    options = options or CutOptions()
    for ancestors, section in sections:
        for state in _distinct_states(document, ancestors, section):
            yield from _parents(state, document.language, options)


def _distinct_states(
    document: Document, ancestors: tuple[Provision, ...], section: Provision
) -> Iterator[_State]:
    before: _State | None = None
    for state in states(section):
        line = header(document, ancestors, state.section, as_of=state.day)
        now = _State(state.validity, state.section, line, compose(state.section))
        if before is not None:
            # An amendment that does not change the words (a new note on application) makes no new passage.
            same = (before.composed, before.header) == (now.composed, now.header)
            if same and _adjoin(before.validity, now.validity):
                before = replace(now, validity=Validity(before.validity.start, now.validity.end))
                continue
            yield before
        before = now
    if before is not None:
        yield before


def _adjoin(earlier: Validity, later: Validity) -> bool:
    return earlier.end == later.start or (earlier.end is None and later.is_pending)


def _parents(state: _State, language: str, options: CutOptions) -> Iterator[Passage]:
    for ordinal, (start, end, children) in enumerate(_spans(state, options)):
        text = state.composed.text[start:end]
        yield Passage(
            state.section.id, language, state.validity, ordinal, state.header, text, start, tuple(children)
        )


def _spans(state: _State, options: CutOptions) -> Iterator[tuple[int, int, Iterable[Child]]]:
    """Where each parent starts and ends in the composed text, with its children."""
    section, text, lines = state.section, state.composed.text, state.composed.lines
    if not text.strip():
        if section.label or section.heading:
            yield 0, 0, [Child(0, 0, section.id, section.kind)]
        return
    outline = Outline(section, state.composed)
    if len(text) <= options.children.maximum and not outline.fences():
        last = len(lines) - 1
        yield 0, len(text), [Child(0, len(text), outline.holder(0, last).id, outline.kind(0, last))]
        return
    pieces = units(
        outline,
        state.composed,
        sentences_above=options.children.target,
        ceiling=options.parents.ceiling,
    )
    for held in _pack_parents(text, pieces, options.parents):
        start = held[0].start
        yield start, held[-1].end, _children(outline, held, start, options.children)


def _pack_parents(text: str, pieces: Sequence[Unit], bounds: Bounds) -> Iterator[Sequence[Unit]]:
    # A token has at least one character, so most sections need no token count.
    if len(text) <= bounds.ceiling:
        yield pieces
        return
    # White space between units has no tokens, so the units' sum is the section's count.
    sizes = [count_tokens(text[piece.start : piece.end]) for piece in pieces]
    if sum(sizes) <= bounds.ceiling:
        yield pieces
        return
    for span in pack(sizes, [piece.rank for piece in pieces], bounds):
        yield pieces[span.begin : span.end]


def _children(outline: Outline, held: Sequence[Unit], offset: int, bounds: Bounds) -> Iterator[Child]:
    """The children of a parent that starts at `offset`: definitions by themselves, the rest packed."""
    fences = [0, *(k for k in range(1, len(held)) if held[k].fence), len(held)]
    for begin, end in pairwise(fences):
        block = held[begin:end]
        sizes = [piece.end - piece.start + 1 for piece in block]
        for span in pack(sizes, [piece.rank for piece in block], bounds):
            first, last = block[span.begin], block[span.end - 1]
            holder, kind = outline.holder(first.line, last.line), outline.kind(first.line, last.line)
            yield Child(first.start - offset, last.end - offset, holder.id, kind)
