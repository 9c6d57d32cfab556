"""An index of a document's identifiers: to find the targets of references, and to expand ranges."""

from __future__ import annotations

from pykala.law.identifiers import Step
from pykala.law.provisions import Document, Provision
from pykala.packs.last_read import LastRead
from pykala.packs.nyc.outline import roman
from pykala.packs.nyc.tree import CONTAINERS
from pykala.text.roman import roman_figure

Path = tuple[Step, ...]


class Places:
    """An index of one document."""

    __slots__ = ("children", "container_of", "containers", "document", "paths", "texts")

    def __init__(self, document: Document) -> None:
        self.document = document
        self.paths: set[Path] = set()
        self.children: dict[Path, list[Step]] = {}  # in document order
        self.containers: dict[Step, list[Path]] = {}
        self.container_of: dict[str, Path] = {}  # section number → the innermost container above it
        self.texts: dict[Path, str] = {}
        stack: list[tuple[Provision, Path]] = [(document.root, ())]
        while stack:
            provision, above = stack.pop()
            path = provision.id.path
            self.paths.add(path)
            self.texts[path] = provision.versions[-1].text if provision.versions else ""
            if path:
                self.children.setdefault(path[:-1], []).append(path[-1])
                if path[-1].kind in CONTAINERS:
                    self.containers.setdefault(path[-1], []).append(path)
                    above = path
                elif path[-1].kind == "sec":
                    self.container_of[path[-1].number] = above
            stack.extend((child, above) for child in reversed(provision.children))

    def child(self, path: Path, number: str) -> Path | None:
        """The place below a path with a number, however it is written: "four", "4", "iv", "D"."""
        steps = [step for step in self.children.get(path, ()) if step.kind not in _NOTES]
        for same in (_exactly, _alike, _by_value):
            found = next((step for step in steps if same(step.number, number)), None)
            if found is not None:
                return (*path, found)
        return None

    def runs_in(self, path: Path, number: str) -> bool:
        """Whether a provision lists a number within its own sentences: "…shall be (i) the…, or (ii) the…"."""
        texts = [self.texts.get(path, "")]
        texts += [self.texts[(*path, step)] for step in self.children.get(path, ()) if step.kind == "flush"]
        marks = {number, number.lower(), number.upper()}
        if number.isdecimal() and 0 < int(number) <= 39:
            marks.add(roman_figure(int(number)))
        return any(f"({mark})" in text for mark in marks for text in texts)


_NOTES = frozenset({"hist", "note", "flush", "table", "def"})


def _exactly(one: str, other: str) -> bool:
    return one == other


def _alike(one: str, other: str) -> bool:
    return one.casefold().replace("-", "") == other.casefold().replace("-", "")


def _by_value(one: str, other: str) -> bool:
    return (one.isdecimal() and str(roman(other.lower())) == one) or (
        other.isdecimal() and str(roman(one.lower())) == other
    )


places_of = LastRead(Places).of
