"""Targets of citations: "this" starts from the text at hand, ranges are expanded in the document."""

from __future__ import annotations

from collections.abc import Sequence

from pykala.law.citations import CitationContext, FoundCitation, ResolvedCitation
from pykala.law.identifiers import ProvisionId, Step, WorkId, shared_steps
from pykala.law.references import Unresolved
from pykala.packs.nyc.grammar import ANOTHER, HERE, LOCAL
from pykala.packs.nyc.naming import TITLE, WORK
from pykala.packs.nyc.other_laws import OTHER
from pykala.packs.nyc.phrases import CODE, CONTAINERS
from pykala.packs.nyc.places import Path, Places, places_of
from pykala.packs.nyc.tree import LEVELS
from pykala.packs.ranges import LONGEST, RANGE, counted, walked

_MOST_CHAPTERS = 100
#: Units that the code does not have: a reference with one is to another law.
_FOREIGN = frozenset({"art", "subsec", "subpart"})

_OUTSIDE = (ResolvedCitation(reason=Unresolved.OUTSIDE_CORPUS),)
_MISSING = (ResolvedCitation(reason=Unresolved.NO_SUCH_PROVISION),)
_UNCLEAR = (ResolvedCitation(reason=Unresolved.NOT_UNDERSTOOD),)


def resolve(citation: FoundCitation, context: CitationContext) -> Sequence[ResolvedCitation]:
    """Find the targets of a citation; a range gives each of its members."""
    name, steps = citation.work_name, citation.steps
    if name.startswith(LOCAL):
        return (ResolvedCitation(target=ProvisionId(WorkId(f"nyc:ll:{name.removeprefix(LOCAL)}"))),)
    if name.startswith(OTHER):
        return (ResolvedCitation(alias=name.removeprefix(OTHER), path=steps),)
    section = next((step for step in steps if step.kind == "sec" and step.number != HERE), None)
    if (name and name != ANOTHER) or any(_foreign(step) for step in steps):
        return _OUTSIDE
    places = places_of(context.document) if context.document is not None else None
    if section is not None:
        return _section(section, steps, places)
    if name == ANOTHER:
        return _UNCLEAR
    if not steps:
        return _UNCLEAR
    if steps[0].kind == "title" or steps[0].kind in CONTAINERS:
        return _container(steps, context, places)
    return _below_section(steps, context, places)


def _foreign(step: Step) -> bool:
    """Units that the code does not have: "subchapter S" is federal, "chapter 782" is of the state's laws."""
    if step.kind not in CONTAINERS:
        return step.kind in _FOREIGN
    digits = step.number.partition(RANGE)[0].partition("-")[0]
    return step.number[:1].isupper() or (digits.isdecimal() and int(digits) > _MOST_CHAPTERS)


# Sections


def _section(section: Step, steps: Path, places: Places | None) -> Sequence[ResolvedCitation]:
    first, _, last = section.number.partition(RANGE)
    code = CODE.fullmatch(first)
    if code is None:
        return _OUTSIDE  # sections of the code have a hyphen; any other is of another law
    work = WORK if code["title"] == TITLE else WorkId(f"nyc:adc:{int(code['title'])}")
    below = tuple(step for step in steps[steps.index(section) + 1 :])
    if work != WORK or places is None:
        ends = [first, last] if last else [first]
        return [_at(work, (Step("sec", end), *_first_of(below))) for end in ends]
    if last:
        return _section_range(first, last, places)
    if (Step("sec", first),) not in places.paths:
        # Name the target all the same: the section may be in another edition of the code.
        return (_at(WORK, (Step("sec", first), *_first_of(below))),)
    return _found((Step("sec", first),), below, places)


def _section_range(first: str, last: str, places: Places) -> Sequence[ResolvedCitation]:
    sections = [number for number in places.container_of if ".dup" not in number]
    if first not in sections or last not in sections:
        return [_at(WORK, (Step("sec", end),)) for end in (first, last)]
    begin, end = sections.index(first), sections.index(last)
    return [_at(WORK, (Step("sec", number),)) for number in sections[begin : end + 1][:LONGEST]]


# Chapters, subchapters, parts


def _container(steps: Path, context: CitationContext, places: Places | None) -> Sequence[ResolvedCitation]:
    steps, work = _titled(steps)
    if steps and steps[-1].kind not in CONTAINERS:
        return _UNCLEAR  # "subdivision a of this chapter"
    if work != WORK or places is None:
        return [_at(work, tuple(step for step in path if step.number != HERE)) for path in counted(steps)]
    here = places.container_of.get(_section_number(context), _own_path(context))
    found = [place for path in counted(steps) if (place := _placed(path, here, places)) is not None]
    return [_at(WORK, place) for place in found] or _MISSING


def _titled(steps: Path) -> tuple[Path, WorkId]:
    if steps[0].kind != "title":
        return steps, WORK
    number = steps[0].number
    if number in (HERE, TITLE):
        return steps[1:], WORK
    return steps[1:], WorkId(f"nyc:adc:{number.partition(RANGE)[0]}")


def _placed(path: Path, here: Path, places: Places) -> Path | None:
    """The container that a path names, seen from where the text stands."""
    if not path:
        return ()
    whole: Path = ()
    for step in path:
        if step.number == HERE:
            kinds = [one.kind for one in here]
            if step.kind not in kinds:
                return None
            whole = here[: kinds.index(step.kind) + 1]
            continue
        inside = [one for one in places.containers.get(step, ()) if one[: len(whole)] == whole]
        inside = inside or [
            one for one in places.containers.get(_upper(step), ()) if one[: len(whole)] == whole
        ]
        if not inside:
            return None
        # "Part four" without its subchapter is the one of the subchapter at hand.
        whole = max(inside, key=lambda one: (shared_steps(one, here), -len(one)))
    return whole


def _upper(step: Step) -> Step:
    return Step(step.kind, step.number.upper())


# Below a section


def _below_section(
    steps: Path, context: CitationContext, places: Places | None
) -> Sequence[ResolvedCitation]:
    own = _own_path(context)
    if not own or own[0].kind != "sec":
        return _UNCLEAR
    if steps[0].number == HERE:
        above = _enclosing(own, steps[0].kind)
        if above is None:
            return _UNCLEAR
        return _found(above, steps[1:], places) if places else [_at(WORK, (*above, *_first_of(steps[1:])))]
    if places is None:
        return [_at(WORK, (*own[:1], *_first_of(steps)))]
    levels = [step for step in own if step.kind in LEVELS or step.kind == "sec"]
    # "Paragraph two" in a clause of paragraph one: first a sibling at its own level, then any nearer one.
    level = LEVELS.index(steps[0].kind) if steps[0].kind in LEVELS else 0
    lengths = [level + 1, *range(len(levels), 0, -1)]
    for length in lengths:
        if length <= len(levels):
            found = _walk(tuple(levels[:length]), steps, places)
            if found:
                return [_at(WORK, path) for path in found]
    return _MISSING


def _enclosing(own: Path, kind: str) -> Path | None:
    """The provision of a kind that contains the text; names of levels are not always used consistently."""
    for index, step in enumerate(own):
        if step.kind == kind:
            return own[: index + 1]
    if kind not in LEVELS:
        return None
    return own[:1]


def _found(above: Path, below: Path, places: Places) -> Sequence[ResolvedCitation]:
    found = _walk(above, below, places)
    return [_at(WORK, path) for path in found] or _MISSING


def _walk(above: Path, below: Path, places: Places) -> list[Path]:
    """The places that steps lead to, each by its number whatever its level is called."""
    path = above
    if (
        below
        and places.child(above, _first_of(below)[0].number) is None
        and places.runs_in(above, below[0].number)
    ):
        return [above]
    for index, step in enumerate(below):
        first, mark, last = step.number.partition(RANGE)
        found = places.child(path, first)
        if found is None:
            # A list that runs on within a sentence, "(i) …; (ii) …", has no places of its own.
            return [path] if index and places.runs_in(path, first) else []
        if mark and index == len(below) - 1:
            other = places.child(path, last)
            return walked(found, other, places.children[found[:-1]]) if other else [found]
        path = found
    return [path]


# Small parts


def _at(work: WorkId, path: Path) -> ResolvedCitation:
    return ResolvedCitation(target=ProvisionId(work, path))


def _first_of(steps: Path) -> Path:
    return tuple(Step(step.kind, step.number.partition(RANGE)[0]) for step in steps)


def _own_path(context: CitationContext) -> Path:
    return context.provision.path if context.provision is not None else ()


def _section_number(context: CitationContext) -> str:
    path = _own_path(context)
    return path[0].number if path and path[0].kind == "sec" else ""
