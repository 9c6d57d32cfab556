"""The targets of a citation: one result for each place that it names.

Relative places start from the text at hand; a list or range gives each of its members; in the new words of an
amending act, "31 §" is a section of the amended act.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import product

from pykala.law.citations import CitationContext, FoundCitation, ResolvedCitation
from pykala.law.identifiers import ProvisionId, Step, WorkId
from pykala.law.references import Unresolved, normalise_alias
from pykala.packs.finland.citations.citation_finder import NOT_UNDERSTOOD, OWN, TREATY
from pykala.packs.finland.citations.citation_patterns import LEVELS, between, members
from pykala.packs.finland.citations.document_trails import DocumentTrails, trails_of
from pykala.packs.finland.citations.rulings_cited import OUTSIDE

Path = tuple[Step, ...]
_WIDEST = 200
_IDENTIFIED = ("fi:", "eu:")
#: Parts of an amending act that are its own: when it enters into force, what it says of the change.
_OF_THE_AMENDING_ACT = frozenset({"entry", "enacting", "signature", "annex", "note", "app"})


def resolve(
    citation: FoundCitation, context: CitationContext, abbreviations: Mapping[str, str]
) -> tuple[ResolvedCitation, ...]:
    """Find the targets of a citation: one result for each place that it names."""
    name = citation.work_name
    if name == NOT_UNDERSTOOD:
        return (ResolvedCitation(reason=Unresolved.NOT_UNDERSTOOD),)
    if name.startswith(TREATY):
        return (ResolvedCitation(reason=Unresolved.OUTSIDE_CORPUS),)
    if name.startswith(OUTSIDE):
        return (ResolvedCitation(alias=name, reason=Unresolved.OUTSIDE_CORPUS),)
    if name == OWN:
        return _at_hand(citation, context)
    paths = [_with_momentti(path, name) for path in unfolded(citation.steps)]
    work = _identified(name, abbreviations)
    if work is not None:
        return tuple(ResolvedCitation(target=ProvisionId(work, path)) for path in paths)
    return tuple(ResolvedCitation(alias=normalise_alias(name), path=path) for path in paths)


def _identified(name: str, abbreviations: Mapping[str, str]) -> WorkId | None:
    if name.startswith(_IDENTIFIED):
        return WorkId(name)
    return WorkId(abbreviations[name]) if name in abbreviations else None


def unfolded(steps: Path) -> Iterator[Path]:
    """Every place of a citation, counted: lists and ranges give several."""
    levels = [[Step(step.kind, number) for number in numbers_of(step)] for step in steps]
    for count, path in enumerate(product(*levels)):
        if count >= _WIDEST:
            return
        yield path


def numbers_of(step: Step) -> list[str]:
    """The numbers that one level of a citation names."""
    return [number for first, last in members(step.number) for number in between(first, last)]


def _with_momentti(path: Path, work: str) -> Path:
    """Add the momentti that "5 §:n 3 kohta" leaves out, where the section has only one."""
    if work.startswith("eu:"):
        return path
    kinds = [step.kind for step in path]
    if "sec" in kinds and "para" in kinds and "subsec" not in kinds:
        at = kinds.index("sec") + 1
        return (*path[:at], Step("subsec", "1"), *path[at:])
    return path


# The act at hand


def _at_hand(citation: FoundCitation, context: CitationContext) -> tuple[ResolvedCitation, ...]:
    here = context.provision
    if here is None:
        return (ResolvedCitation(reason=Unresolved.NOT_UNDERSTOOD),)
    trails = trails_of(context.document) if context.document is not None else None
    amended = (
        trails is not None and bool(trails.amended) and bool(here.path) and _speaks_of_amended(here, citation)
    )
    above = _climbed(citation, here, trails if amended else None)
    if citation.relative and not any(step.kind == "sec" for step in above):
        return (ResolvedCitation(reason=Unresolved.NOT_UNDERSTOOD),)
    paths = [(*above, *path) for path in unfolded(citation.steps)]
    if amended and trails is not None:
        work = WorkId(trails.amended)
        return tuple(
            ResolvedCitation(target=ProvisionId(work, _in_amended(path, here, trails))) for path in paths
        )
    return tuple(
        ResolvedCitation(target=ProvisionId(here.work, _existing(path, here, trails))) for path in paths
    )


_NAMES_ITSELF = re.compile(r"lain|laissa|lakia|laki|lag|asetu|förordning|Act", re.IGNORECASE)


def _speaks_of_amended(here: ProvisionId, citation: FoundCitation) -> bool:
    """Whether a text of an amending act means the amended one: all new words, and bare sections elsewhere."""
    if here.path[0].kind not in _OF_THE_AMENDING_ACT:
        return True
    return here.path[0].kind == "entry" and bool(citation.steps) and not _NAMES_ITSELF.search(citation.text)


def _climbed(citation: FoundCitation, here: ProvisionId, amending: DocumentTrails | None) -> Path:
    """The steps above those of a relative citation."""
    if not citation.relative or not citation.steps:
        return ()
    depth = LEVELS.index(citation.steps[0].kind)
    above = tuple(step for step in here.path if step.kind in LEVELS and LEVELS.index(step.kind) < depth)
    if amending is not None and not amending.counts_momentti(here.path):
        return tuple(step for step in above if step.kind != "subsec")
    return above


def _in_amended(path: Path, here: ProvisionId, trails: DocumentTrails) -> Path:
    """A place in the amended act, with the chapter that the enacting clause gives its section."""
    section = next((step.number for step in path if step.kind == "sec"), "")
    if not section or any(step.kind == "chp" for step in path):
        return _with_momentti(path, "")
    chapter = here.step("chp") or trails.chapters.get(here.step("sec") or "", trails.chapters.get("", ""))
    return _with_momentti((Step("chp", chapter), *path) if chapter else path, "")


def _existing(path: Path, here: ProvisionId, trails: DocumentTrails | None) -> Path:
    """The place as this act has it: with its chapter where section numbers restart, else without."""
    kinds = {step.kind for step in path}
    candidates = [path]
    if "sec" in kinds and "chp" in kinds and here.path and here.path[0].kind == "sec":
        candidates.insert(0, tuple(step for step in path if step.kind not in {"part", "chp"}))
    elif "sec" in kinds and "chp" not in kinds and here.step("sec") is not None:
        containers = tuple(step for step in here.path if step.kind in {"part", "chp"})
        candidates.insert(0, (*containers, *path))
    candidates = [with_one for each in candidates for with_one in (each, _with_momentti(each, ""))]
    if trails is not None:
        for candidate in candidates:
            if candidate in trails.paths:
                return candidate
        for candidate in candidates:
            if _section(candidate) in trails.paths:
                return _with_momentti(candidate, "")
    return _with_momentti(candidates[0], "")


def _section(path: Path) -> Path:
    at = next((place for place, step in enumerate(path) if step.kind == "sec"), len(path))
    return path[: at + 1]
