"""Targets of citations: relative ones start from the text at hand, ranges are expanded in the document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pykala.law.citations import CitationContext, FoundCitation, ResolvedCitation
from pykala.law.identifiers import ProvisionId, Step, WorkId, natural_order, shared_steps
from pykala.law.references import Unresolved, normalise_alias
from pykala.packs.canada.grammar import DEFINED, THAT_ACT
from pykala.packs.canada.instruments import numbered_work
from pykala.packs.canada.levels import LEVELS
from pykala.packs.canada.places import Path, Places, places_of
from pykala.packs.ranges import counted, ends, walked

_PLACES = frozenset({"part", "div", "subdiv", "chp"})


def resolve(
    citation: FoundCitation, context: CitationContext, abbreviations: Mapping[str, str]
) -> Sequence[ResolvedCitation]:
    """Find the targets of a citation; a range gives each of its members."""
    places = places_of(context.document) if context.document is not None else None
    if citation.work_name:
        return _elsewhere(citation, context.language, places, abbreviations)
    if context.provision is None or not citation.steps:
        return (ResolvedCitation(reason=Unresolved.NOT_UNDERSTOOD),)
    work = context.provision.work
    if places is None:
        path = _above(context.provision.path, citation.steps) if citation.relative else ()
        return [_at(work, (*path, *steps)) for steps in counted(citation.steps)]
    paths = _here(citation, context.provision.path, places)
    if not paths:
        return (ResolvedCitation(reason=Unresolved.NO_SUCH_PROVISION),)
    return [_at(work, path) for path in paths]


def _at(work: WorkId, path: Path) -> ResolvedCitation:
    return ResolvedCitation(target=ProvisionId(work, path))


# Other works


def _elsewhere(
    citation: FoundCitation, language: str, places: Places | None, abbreviations: Mapping[str, str]
) -> Sequence[ResolvedCitation]:
    name = citation.work_name
    if name == THAT_ACT:
        return (ResolvedCitation(reason=Unresolved.NOT_UNDERSTOOD),)
    work = numbered_work(name)
    if name.startswith(DEFINED):
        work = places.defined_work(name.removeprefix(DEFINED)) if places is not None else None
        if work is None:
            return (ResolvedCitation(reason=Unresolved.NOT_UNDERSTOOD),)
    elif work is None and places is not None:
        target = places.named(name)
        work = target.work if target is not None else None
    if work is None and name in abbreviations:
        work = WorkId(abbreviations[name])
    if work is None and name.startswith("ca:"):
        work = WorkId(name)  # a work that a question names by its common name
    steps = citation.steps
    if language != "en":
        # Identifiers contain the English term, so for a definition of another work only the section is
        # certain.
        steps = next((steps[:place] for place, step in enumerate(steps) if step.kind == "def"), steps)
    paths = counted(steps)
    if work is not None:
        return [_at(work, path) for path in paths]
    return [ResolvedCitation(alias=normalise_alias(name), path=path) for path in paths]


# The work at hand


def _above(path: Path, steps: tuple[Step, ...]) -> Path:
    """Without the document: the part of the path at hand above the first step's level."""
    wanted = LEVELS.index(steps[0].kind) if steps[0].kind in LEVELS else -1
    kept = 0
    for step in path:
        level = LEVELS.index(step.kind) if step.kind in LEVELS else -1
        if level >= wanted and wanted >= 0:
            break
        kept += 1
    return path[:kept] if wanted >= 0 else ()


def _here(citation: FoundCitation, path: Path, places: Places) -> list[Path]:
    first, last = ends(citation.steps)
    one = _locate(first, path, places, citation.relative)
    if one is None or last is None:
        return [one] if one is not None else []
    other = _locate(last, path, places, citation.relative)
    if other is None or one[:-1] != other[:-1] or one[-1].kind != other[-1].kind:
        return [place for place in (one, other) if place is not None]
    return walked(one, other, places.children.get(one[:-1], ()))


def _locate(steps: Path, path: Path, places: Places, relative: bool) -> Path | None:
    """The existing place: relative steps start from the position of the text, others at the work.

    Inside a schedule, a bare "section 3" is first searched in the schedule itself.
    """
    if steps[0].kind in _PLACES:
        return _heading(steps, path, places)
    for place, step in enumerate(steps):
        if step.kind == "def":
            return _in_definition(steps, place, path, places)
    outside = bool(path) and path[0].kind != "sec" and not places.amends(path)
    # The articles of a treaty are never the sections of the act to which it is scheduled.
    highest = 0 if any(step.kind == "treaty" for step in path) and steps[0].kind == "sec" else -1
    for length in range(len(path) if relative or outside else 0, highest, -1):
        candidate = (*path[:length], *steps)
        if candidate in places.paths:
            return candidate
        if (
            length
            and path[0].kind != "sec"
            and (printed := _outside_body(path[:length], steps)) in places.paths
        ):
            return printed
    if outside:
        article = _article(_outside_body((), steps), path, places)
        if article is not None:
            return article
    if steps[0].kind == "sched":
        return _annexed(steps, path, places)
    return _nearest(steps, places) if steps[0].kind == "sec" and highest < 0 else None


def _annexed(steps: Path, path: Path, places: Places) -> Path | None:
    """An annex or appendix (French calls both, and schedules, "annexe"), nearest first."""
    for length in range(len(path), -1, -1):
        for kind in ("sched", "annex", "appendix"):
            candidate = (*path[:length], Step(kind, steps[0].number), *steps[1:])
            if candidate in places.paths:
                return candidate
    return None


def _article(steps: Path, path: Path, places: Places) -> Path | None:
    """An article under another chapter of the same treaty, with the existing steps below it."""
    found = [each for each in places.articles.get(steps[0], ()) if each[:1] == path[:1]]
    if not found:
        return None
    whole = (*max(found, key=lambda each: shared_steps(each, path)), *steps[1:])
    return _existing(whole, places)


def _in_definition(steps: Path, place: int, path: Path, places: Places) -> Path | None:
    """A part of a definition, found by its term in the document's own language."""
    above = _locate(steps[:place], path, places, relative=False) if place else None
    found = [
        each
        for each in places.definitions.get(steps[place].number, ())
        if above is None or each[: len(above)] == above
    ]
    if not found:
        return above
    whole = (*max(found, key=lambda each: shared_steps(each, path)), *steps[place + 1 :])
    return _existing(whole, places)


def _existing(path: Path, places: Places) -> Path | None:
    """The place, or the nearest existing place above it."""
    while path and path not in places.paths:
        path = path[:-1]
    return path or None


def _outside_body(above: Path, steps: Path) -> Path:
    """The same path in schedules and treaties: articles for sections, items for all below."""
    return (*above, *(Step("art" if step.kind in ("sec", "art") else "item", step.number) for step in steps))


def _nearest(steps: Path, places: Places) -> Path | None:
    """The rest of a section that was repealed as a whole, or with its neighbours: "2 to 23"."""
    existing = _existing(steps, places)
    if existing is not None:
        return existing
    number = natural_order(steps[0].number)
    for path, first, last in places.ranges:
        if natural_order(first) <= number <= natural_order(last):
            return path
    return None


def _heading(steps: Path, path: Path, places: Places) -> Path | None:
    """A Part or Division: the one whose path shares most with the position of the text."""
    here = places.container_of.get(path[:1], ()) if path else ()
    local = (*path[:1], *steps)
    if path and path[0].kind == "sched" and local in places.paths:
        return local
    found = [
        candidate
        for candidate in places.containers.get(steps[-1], ())
        if steps == _only_named(candidate, steps)
    ]
    return max(found, key=lambda candidate: (shared_steps(candidate, here), -len(candidate)), default=None)


def _only_named(candidate: Path, steps: Path) -> Path:
    wanted = {step.kind for step in steps}
    return tuple(step for step in candidate if step.kind in wanted)[-len(steps) :]
