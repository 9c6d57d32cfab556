"""The words of a provision as a reader sees them: its own text and, line by line, those below it.

Everything that quotes, searches or shows law goes through `compose`, so that a span counted in one
place is the same span in every other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pykala.law.forms import Part
from pykala.law.identifiers import ProvisionId, shared_steps
from pykala.law.provisions import Provision, ProvisionKind


@dataclass(frozen=True, slots=True, repr=False)
class Line(Part):
    """One line of a composed text: which provision it belongs to, how deep it lies, where it stands."""

    provision: ProvisionId
    kind: ProvisionKind
    depth: int
    start: int
    end: int


@dataclass(frozen=True, slots=True, repr=False)
class Composed(Part):
    """A provision's whole text and the map from its characters back to the provisions below it."""

    text: str
    lines: tuple[Line, ...]

    def span(self, provision: ProvisionId) -> tuple[int, int]:
        """Where a provision and all below it stand in the text."""
        own = [line for line in self.lines if provision.contains(line.provision)]
        if not own:
            raise KeyError(f"{provision} is not in this text")
        return own[0].start, own[-1].end

    def provision_at(self, start: int, end: int) -> ProvisionId:
        """The innermost provision that holds the whole of a span."""
        touched = [line.provision for line in self.lines if line.start < end and start < line.end]
        if not touched:
            return self.lines[0].provision
        first, *rest = touched
        depth = len(first.path)
        for other in rest:
            depth = shared_steps(first.path[:depth], other.path)
        return ProvisionId(first.work, first.path[:depth])


def compose(root: Provision) -> Composed:
    """Compose a tree that has one version a node (see `Provision.at`); the root's own label is left out."""
    pieces: list[str] = []
    lines: list[Line] = []
    position = 0
    for provision, depth in _with_depth(root):
        line = _line(provision, depth)
        if not line:
            continue
        if pieces:
            pieces.append("\n")
            position += 1
        pieces.append(line)
        lines.append(Line(provision.id, provision.kind, depth, position, position + len(line)))
        position += len(line)
    if not lines:
        lines.append(Line(root.id, root.kind, 0, 0, 0))
    return Composed("".join(pieces), tuple(lines))


def plain_text(roots: Iterable[Provision]) -> str:
    """The composed texts of several provisions, one after another."""
    return "\n".join(text for text in (compose(root).text for root in roots) if text)


def _line(provision: Provision, depth: int) -> str:
    version = provision.versions[-1] if provision.versions else None
    text = version.text if version else ""
    if depth == 0:
        return text
    heading = version.heading if version else ""
    label = " ".join(
        part for part in (provision.label, f"[{heading}]" if heading and text else heading) if part
    )
    line = f"{label} {text}" if label and text else label or text
    return f"[{line}]" if line and _is_note(provision.kind, line) else line


def _is_note(kind: ProvisionKind, line: str) -> bool:
    """Whether a line needs brackets: a footnote's "(3)" reads as an item, an editor's note as law."""
    editors = kind in (ProvisionKind.EDITORIAL_NOTE, ProvisionKind.HISTORICAL_NOTE)
    return kind is ProvisionKind.FOOTNOTE or (editors and line[0] not in "([")


def _with_depth(root: Provision) -> Iterator[tuple[Provision, int]]:
    stack = [(root, 0)]
    while stack:
        provision, depth = stack.pop()
        yield provision, depth
        stack.extend((child, depth + 1) for child in reversed(provision.children))
