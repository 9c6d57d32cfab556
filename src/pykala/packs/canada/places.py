"""An index of a document's identifiers: to check whether a reference has a target, and to expand ranges."""

from __future__ import annotations

from pykala.law.identifiers import ProvisionId, Step, WorkId, natural_order
from pykala.law.provisions import Document, Provision
from pykala.law.references import Reference, normalise_alias
from pykala.packs.canada.labels import slug
from pykala.packs.last_read import LastRead
from pykala.packs.sections import CONTAINERS

#: Definitions have the English term in both languages.
_ENGLISH_WORDS = {
    "loi": "act",
    "règlement": "regulations",
    "règles": "rules",
    "régime": "plan",
}
#: Treaties are not works of this corpus: an act that implements a treaty is not the treaty.
_TREATIES = frozenset({"agreement", "convention", "treaty", "accord", "traité"})
Path = tuple[Step, ...]


class Places:
    """An index of one document."""

    __slots__ = (
        "_named", "anchors", "articles", "children", "container_of", "containers", "definitions", "document",
        "numbers", "order", "paths", "provisions", "ranges",
    )  # fmt: skip

    def __init__(self, document: Document) -> None:
        self.document = document
        self.paths: set[Path] = set()
        self.children: dict[Path, list[Step]] = {}  # below an identifier, in document order
        self.containers: dict[Step, list[Path]] = {}
        self.container_of: dict[Path, Path] = {}  # section → the heading that contains it
        self.ranges: list[tuple[Path, str, str]] = []  # "2 to 23", repealed as one
        self.anchors: dict[ProvisionId, list[Reference]] = {}
        self.articles: dict[Step, list[Path]] = {}  # of treaties, whose chapters do not restart the numbers
        self.order: list[Path] = []  # document order
        self.numbers: dict[Path, int] = {}
        self.provisions: dict[Path, Provision] = {}
        self.definitions: dict[str, list[Path]] = {}  # a term of this language, folded → where it is defined
        own = ProvisionId(document.work)
        self._named = {normalise_alias(name): own for name in (document.short_title, document.title) if name}
        self._fill(document.root, ())
        for reference in document.references:
            self.anchors.setdefault(reference.source, []).append(reference)
            if reference.target is not None:
                self._named.setdefault(normalise_alias(reference.text), reference.target)
        for term in document.terms:
            if term.language == document.language:
                self.definitions.setdefault(slug(term.term), []).append(term.provision.path)

    def _fill(self, root: Provision, container: Path) -> None:
        stack = [(root, container)]
        while stack:
            provision, above = stack.pop()
            path = provision.id.path
            self.paths.add(path)
            self.numbers.setdefault(path, len(self.order))
            self.order.append(path)
            self.provisions.setdefault(path, provision)
            if path:
                self.children.setdefault(path[:-1], []).append(path[-1])
                if provision.kind in CONTAINERS:
                    self.containers.setdefault(path[-1], []).append(path)
                    above = path
                elif len(path) == 1 and above:
                    self.container_of[path] = above
                if path[-1].kind == "art":
                    self.articles.setdefault(path[-1], []).append(path)
                if "-" in path[-1].number and path[-1].kind == "sec":
                    first, _, last = path[-1].number.partition("-")
                    self.ranges.append((path, first, last))
            stack.extend((child, above) for child in reversed(provision.children))

    def has_section(self, section: Step) -> bool:
        """Whether the body has a section of that number, or had it before "2 to 23" were repealed."""
        number = natural_order(section.number)
        return (section,) in self.paths or any(
            natural_order(first) <= number <= natural_order(last) for _, first, last in self.ranges
        )

    def named(self, name: str) -> ProvisionId | None:
        """The work to which a link of this document gives a name."""
        return self._named.get(normalise_alias(name))

    def law_called(self, term: str) -> str:
        """The name of the act that the text calls "former Act" or "loi nouvelle"; empty where it is unclear.

        One sentence may define two such terms: each ends where the next begins.
        """
        for path in dict.fromkeys(self.definitions.get(slug(term), ())):
            provision = self.provisions.get(path)
            text = provision.versions[-1].text if provision is not None and provision.versions else ""
            start = text.find(term)
            if start < 0:
                continue
            others = [each.term for each in self.document.terms if each.provision.path == path]
            ends = [text.find(other, start + len(term)) for other in others if other != term]
            end = min((place for place in ends if place >= 0), default=len(text))
            names = {
                reference.target.work: reference.text
                for reference in self.anchors.get(ProvisionId(self.document.work, path), ())
                if reference.target is not None and start <= reference.start < end
            }
            for name in (self.document.short_title, self.document.title):
                if name and text.find(name, start, end) >= 0:
                    names[self.document.work] = name
            if len(names) == 1:
                return names.popitem()[1]
        return ""

    def amends(self, path: Path) -> bool:
        """Whether a provision contains new words for another act: bare places in it belong to that act."""
        return any(step.kind == "quoted" for step in self.children.get(path, ()))

    def defined_work(self, word: str) -> WorkId | None:
        """What "the Act" or "la Loi" means here: its definition, or the act a regulation is made under."""
        if word.casefold() in _TREATIES:
            return None
        for path in self.definitions.get(slug(word), ()):
            for reference in self.anchors.get(ProvisionId(self.document.work, path), ()):
                if reference.target is not None:
                    return reference.target.work
        wanted = f"def_{_ENGLISH_WORDS.get(word.casefold(), word.casefold())}"
        enabling: set[WorkId] = set()
        for source, references in self.anchors.items():
            last = source.last
            targets = [reference.target.work for reference in references if reference.target is not None]
            if last is not None and str(last) == wanted and targets:
                return targets[0]
            if last is not None and last.kind == "pub":
                enabling.update(targets)
        return enabling.pop() if len(enabling) == 1 and wanted == "def_act" else None


places_of = LastRead(Places).of
