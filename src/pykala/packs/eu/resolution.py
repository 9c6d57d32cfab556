"""Targets of citations: relative ones start from the text at hand, ranges are expanded in the document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from pykala.law.citations import CitationContext, FoundCitation, ResolvedCitation
from pykala.law.identifiers import ProvisionId, Step, WorkId, natural_order, shared_steps
from pykala.law.provisions import Document, Provision
from pykala.law.references import Unresolved
from pykala.packs.eu.citation_patterns import ALINEA, LEVELS, ROOTED
from pykala.packs.eu.named_works import CALLED, OUTSIDE, UNKNOWN
from pykala.packs.eu.naming_acts import own_treaty, treaty_article, treaty_name
from pykala.packs.last_read import LastRead
from pykala.packs.ranges import Path, counted, ends, walked

_CONTAINERS = frozenset({"prt", "tis", "cpt", "sct", "sbs"})
_PREAMBLE = frozenset({"rct", "cit"})
_FAR = 12  # provisions before a text in which "that Directive" may have been named


class Surroundings:
    """An index of one document: what exists, and the surroundings of a text."""

    __slots__ = ("_order", "children", "container_of", "containers", "order", "provisions")

    def __init__(self, document: Document) -> None:
        self.provisions: dict[Path, Provision] = {}
        self.children: dict[Path, dict[Step, None]] = {}  # each once, in order
        self.containers: dict[Step, list[Path]] = {}
        self.container_of: dict[Path, Path] = {}  # article → the chapter it stands in
        self.order: list[Path] = []
        stack: list[tuple[Provision, Path]] = [(document.root, ())]
        while stack:
            provision, holder = stack.pop()
            path = provision.id.path
            if path and path[-1].kind in _CONTAINERS:
                holder = path
            elif len(path) == 1:
                self.container_of[path] = holder
            stack.extend((child, holder) for child in reversed(provision.children))
            if path not in self.provisions:
                self.order.append(path)
            self.provisions.setdefault(path, provision)
            if path:
                self.children.setdefault(path[:-1], {})[path[-1]] = None
                if path[-1].kind in _CONTAINERS:
                    self.containers.setdefault(path[-1], []).append(path)
        self._order = {path: number for number, path in enumerate(self.order)}

    def above(self, path: Path) -> Iterator[Provision]:
        """The provisions with words that hold a place, the nearest first."""
        for length in range(len(path) - 1, 0, -1):
            provision = self.provisions.get(path[:length])
            if provision is not None and provision.versions:
                yield provision

    def before(self, path: Path) -> Iterator[Provision]:
        """The provisions with words just before a place, the nearest first."""
        number = self._order.get(path, 0)
        for earlier in reversed(self.order[max(0, number - _FAR) : number]):
            provision = self.provisions[earlier]
            # An article does not refer to what another article names; a recital may.
            if earlier and (earlier[0] == path[0] or earlier[0].kind in _PREAMBLE) and provision.versions:
                yield provision


surroundings_of = LastRead(Surroundings).of


def resolve(
    citation: FoundCitation, context: CitationContext, abbreviations: Mapping[str, str] | None = None
) -> Sequence[ResolvedCitation]:
    """Find the targets of a citation; a range gives each of its members."""
    name = citation.work_name
    if name == UNKNOWN:
        return (ResolvedCitation(reason=Unresolved.NOT_UNDERSTOOD),)
    if name.startswith(OUTSIDE):
        return (ResolvedCitation(reason=Unresolved.OUTSIDE_CORPUS),)
    if name.startswith(CALLED):
        return (ResolvedCitation(alias=name.removeprefix(CALLED), path=ends(citation.steps)[0]),)
    own = context.provision.work if context.provision is not None else None
    if name and name != str(own):
        return _elsewhere(WorkId(name), citation.steps)
    if own is None or context.provision is None or not citation.steps:
        return (ResolvedCitation(reason=Unresolved.NOT_UNDERSTOOD),)
    if own_treaty(own) and citation.steps[0].kind == "art" and not _own_article(own, citation.steps[0]):
        return _elsewhere(own, citation.steps)
    if context.document is not None and _other_treaty(own, citation, context.document):
        return [ResolvedCitation(alias="tfeu", path=path) for path in _counted(citation.steps)]
    if context.document is None:
        above = () if _from_work(citation) else _above(context.provision.path, citation.steps[0])
        return [_at(own, (*above, *steps)) for steps in _counted(citation.steps)]
    around = surroundings_of(context.document)
    paths = _here(citation, context.provision.path, around)
    if not paths:
        return (ResolvedCitation(reason=Unresolved.NO_SUCH_PROVISION),)
    return [_at(own, path) for path in paths]


def _at(work: WorkId, path: Path) -> ResolvedCitation:
    return ResolvedCitation(target=ProvisionId(work, path))


def _from_work(citation: FoundCitation) -> bool:
    return citation.steps[0].kind in ROOTED and not citation.relative


def _own_article(own: WorkId, article: Step) -> bool:
    """Whether an article is the one that the work itself is: each article of a treaty is a work."""
    treaty = own_treaty(own)
    return own.value.endswith("/TXT") or treaty_article(treaty, article.number) == own


def _other_treaty(own: WorkId, citation: FoundCitation, document: Document) -> bool:
    """Whether an article is one of the other treaty: declarations to both stand with each."""
    first = ends(citation.steps[:1])[0]
    missing = citation.steps[0].kind == "art" and first not in surroundings_of(document).provisions
    return missing and own.value.endswith("M/TXT")


# Other works


def _elsewhere(work: WorkId, steps: Path) -> Sequence[ResolvedCitation]:
    paths = _counted(_below_work(steps)) if steps else [()]
    treaty = own_treaty(work)
    if not treaty:
        return [_at(work, path) for path in paths]
    name = treaty_name(treaty)
    if name:
        return [ResolvedCitation(alias=name, path=path) for path in paths]
    leads = []
    for path in paths:
        article = treaty_article(treaty, path[0].number) if path and path[0].kind == "art" else None
        leads.append(_at(article, path) if article is not None else _at(work, path))
    return leads


def _below_work(steps: Path) -> Path:
    """Articles hang below the work, whatever title or chapter they are cited by."""
    for place, step in enumerate(steps):
        if step.kind == "art" and all(each.kind in _CONTAINERS for each in steps[:place]):
            return steps[place:]
    return steps


# The work at hand


def _above(path: Path, step: Step) -> Path:
    """The part of the path at hand above a step's level."""
    kept = 0
    for each in path:
        if LEVELS.get(each.kind, 0) >= LEVELS[step.kind]:
            break
        kept += 1
    return path[:kept]


def _here(citation: FoundCitation, path: Path, around: Surroundings) -> list[Path]:
    first, last = ends(_below_work(citation.steps))
    one = _locate(first, path, around, citation.relative)
    if one is None or last is None:
        return [one] if one is not None else []
    other = _locate(last, path, around, citation.relative)
    if other == one[:-1]:
        # Of points (a) to (i) the last may have been read as a Roman numeral below (h).
        return _between(one, last[-1], around)
    if other is None or one == other or one[:-1] != other[:-1] or one[-1].kind != other[-1].kind:
        return list(dict.fromkeys(place for place in (one, other) if place is not None))
    return walked(one, other, around.children.get(one[:-1], ()))


def _between(first: Path, last: Step, around: Surroundings) -> list[Path]:
    siblings = [step for step in around.children.get(first[:-1], ()) if step.kind == first[-1].kind]
    least, most = natural_order(first[-1].number), natural_order(last.number)
    return [(*first[:-1], step) for step in siblings if least <= natural_order(step.number) <= most]


def _locate(steps: Path, path: Path, around: Surroundings, relative: bool) -> Path | None:
    """The existing place: relative steps start from the position of the text, others at the work."""
    if not relative:
        if steps[0].kind in _CONTAINERS:
            return _container(steps, path, around)
        return _descend((), steps, around, strict=True) or _only_annex(steps, around)
    if steps[0].kind in _CONTAINERS:
        here = around.container_of.get(path[:1], ())
        return _container(steps, path if path[:1] and path[0].kind == "anx" else here, around)
    if steps[0].kind in ("subpara", ALINEA):
        return _subparagraph(steps, path, around)
    for length in range(len(path), -1, -1):
        if length and LEVELS.get(path[length - 1].kind, 0) > LEVELS[steps[0].kind]:
            continue
        found = _descend(path[:length], steps, around, strict=True)
        if found is not None and found != path[:length]:
            return found
    above = _above(path, steps[0])
    return above if above and steps[0].kind == "indent" else None


def _only_annex(steps: Path, around: Surroundings) -> Path | None:
    """What "the Annex" is in an act whose one annex has another number."""
    annexes = [step for step in around.children.get((), ()) if step.kind == "anx"]
    if steps[0] != Step("anx", "1") or len(annexes) != 1:
        return None
    return _descend((annexes[0],), steps[1:], around, strict=False)


def _subparagraph(steps: Path, path: Path, around: Surroundings) -> Path | None:
    """A subparagraph of the paragraph at hand; the first is the paragraph's own words."""
    base = _above(path, steps[0])
    found = _descend(base, steps, around, strict=True) if base else None
    if found is None and base and steps[0].number == "1":
        return _descend(base, steps[1:], around, strict=False)
    return found


def _descend(base: Path, steps: Path, around: Surroundings, *, strict: bool) -> Path | None:
    """Descend as far as the document goes; the first step must exist.

    Points may be in a subparagraph that the citation leaves out, and the number in brackets after an article
    of definitions is a point: "Article 3(15)".
    """
    place = base
    for number, step in enumerate(steps):
        below = _step_down(place, step, around)
        if below is None:
            if step.kind in ("subpara", ALINEA, "indent") and number + 1 < len(steps):
                continue
            return None if number == 0 and strict else place
        place = below
    return place


def _step_down(place: Path, step: Step, around: Surroundings) -> Path | None:
    children = around.children.get(place, {})
    for wanted in _spellings(step, children):
        if wanted in children:
            return (*place, wanted)
    for child in children if "." in step.number else ():
        # Section 1.2 stands in Section 1.
        if child.kind == step.kind and step.number.startswith(f"{child.number}."):
            return _step_down((*place, child), step, around)
    for child in children if step.kind in ("point", "indent") else ():
        if child.kind in ("subpara", "para") and step in around.children.get((*place, child), ()):
            return (*place, child, step)
    # Headings of an annex hold what the annex is cited by.
    below = (_step_down((*place, child), step, around) for child in children if child.kind == "head")
    return next((found for found in below if found is not None), None)


def _spellings(step: Step, children: Iterable[Step]) -> Iterator[Step]:
    if step.number == "last":
        same = [child for child in children if child.kind in (step.kind, "para")]
        yield from same[-1:]
        return
    yield step
    if step.kind == "para":
        yield Step("point", step.number)
    if step.kind == ALINEA:
        yield Step("subpara", step.number)
    if step.kind in ("subpara", ALINEA):
        yield Step("para", step.number)
    if step.kind == "point":
        yield Step("sct", step.number)


def _container(steps: Path, path: Path, around: Surroundings) -> Path | None:
    """A chapter or title: the one with that path ending that shares most with the position of the text."""
    depth = next((number for number, step in enumerate(steps) if step.kind not in _CONTAINERS), len(steps))
    named = around.containers.get(steps[depth - 1], [])
    # A subsection may be cited by a section that the document does not put it in.
    found = [each for each in named if _ends_so(each, steps[:depth])] or named
    if not found:
        return None
    # Annexes have sections of their own: those beside the text come before those of the enacting terms.
    nearest = max(found, key=lambda each: shared_steps(each, path))
    return _descend(nearest, steps[depth:], around, strict=False)


def _ends_so(path: Path, steps: Path) -> bool:
    wanted = {step.kind for step in steps}
    return tuple(step for step in path if step.kind in wanted)[-len(steps) :] == steps


def _counted(steps: Path) -> list[Path]:
    """The members of a range without a document to walk; a paragraph of it is a subparagraph."""
    return counted(tuple(Step("subpara", each.number) if each.kind == ALINEA else each for each in steps))
