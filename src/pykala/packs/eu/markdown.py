"""An act, or a part of it, as clean Markdown: titles, numbered paragraphs, nested points, tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from pykala.law.identifiers import WorkId
from pykala.law.provisions import Provision, ProvisionKind
from pykala.packs.pack import Snapshot

from .formats import read_blocks
from .outline import read_outline
from .states import History, State, join_states

_SPECIAL = re.compile(r"([\\`*_\[\]<>#|~])")
_BLANK = re.compile(r"\n{3,}")
_TITLED = frozenset(
    {
        ProvisionKind.WORK,
        ProvisionKind.PART,
        ProvisionKind.CHAPTER,
        ProvisionKind.DIVISION,
        ProvisionKind.HEADING,
        ProvisionKind.ARTICLE,
        ProvisionKind.ANNEX,
    }
)
_DEEPEST_TITLE = 6
_INDENT = "  "


def page_markdown(snapshot: Snapshot) -> str:
    """A page (or Formex file) of EUR-Lex as Markdown. Raises RefusedFile for a page without law."""
    form = "formex" if ".fmx4/" in snapshot.path else "page"
    tree = read_outline(read_blocks(snapshot, form), WorkId("eu:page"))
    # A page is one state: on whatever day, it is what stands in it.
    root = join_states([State(None, tree, original=True)], History())
    return markdown(root)


def markdown(provision: Provision, as_of: date | None = None) -> str:
    """A provision with all below it as Markdown: as it stood on a day, or in its newest wording."""
    standing = provision.at(as_of) if as_of is not None else provision
    if standing is None:
        return ""
    return _BLANK.sub("\n\n", "\n".join(_lines(standing, 1, 0))).strip() + "\n"


def _lines(provision: Provision, title: int, depth: int) -> Iterator[str]:
    version = provision.versions[-1] if provision.versions else None
    text, heading = (version.text, version.heading) if version else ("", "")
    if provision.kind in _TITLED:
        yield from _title(provision.label, heading, title)
        yield from _paragraph(text, "", 0)
        inner, deeper = title + 1, 0
    elif provision.kind is ProvisionKind.TABLE:
        yield from _table(text)
        return
    elif provision.kind is ProvisionKind.ITEM:
        yield f"{_INDENT * depth}- {_escaped(provision.label)} {_joined(text)}".rstrip()
        inner, deeper = title, depth + 1
    else:
        label = provision.label if not heading else f"{provision.label} {heading}"
        yield from _paragraph(text, label.strip(), depth)
        inner, deeper = title, depth
    for child in provision.children:
        yield from _lines(child, inner, deeper)


def _title(label: str, heading: str, level: int) -> Iterator[str]:
    words = " — ".join(part for part in (_escaped(label), _escaped(heading)) if part)
    if words:
        yield from ("", f"{'#' * min(level, _DEEPEST_TITLE)} {words}", "")


def _paragraph(text: str, label: str, depth: int) -> Iterator[str]:
    lines = [_escaped(line) for line in text.split("\n")] if text else []
    if label:
        lines[:1] = [f"{_escaped(label)} {lines[0] if lines else ''}".strip()]
    for line in lines:
        yield from ("", f"{_INDENT * depth}{line}", "") if depth == 0 else (f"{_INDENT * depth}{line}",)


def _table(text: str) -> Iterator[str]:
    rows = [line.split(" | ") for line in text.split("\n")]
    width = max(map(len, rows), default=0)
    if not width:
        return
    yield ""
    for number, row in enumerate(rows):
        cells = [_escaped(cell.strip(" |")) for cell in row] + [""] * (width - len(row))
        yield f"| {' | '.join(cells)} |"
        if number == 0:
            yield f"|{' --- |' * width}"
    yield ""


def _joined(text: str) -> str:
    return " ".join(_escaped(line) for line in text.split("\n"))


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text)
