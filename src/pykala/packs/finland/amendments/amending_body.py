"""The new text that an amending act gives, found by the place that its enacting clause names.

Momentti are printed without numbers, and a line of dashes replaces those that do not change. The clause says
which momentti is which: "5 §:n 2 ja 4 momentti" are the two that are printed below 5 §.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pykala.law.identifiers import ProvisionId, Step
from pykala.law.messages import Message
from pykala.law.provisions import Provision, ProvisionKind, Version
from pykala.packs.finland.amendments.amending_momentti import mended
from pykala.packs.finland.amendments.enacting_clause import Instruction
from pykala.packs.finland.spacing import number_of
from pykala.versions.operations import Facet, Reason

_CONTAINERS = {ProvisionKind.PART: "part", ProvisionKind.CHAPTER: "chp", ProvisionKind.HEADING: ""}
_SECTIONS = {ProvisionKind.SECTION, ProvisionKind.ENTRY_INTO_FORCE}
_ANNEX = re.compile(r"(?:liite|bilaga)\s+(\d{1,3}(?:\s?[a-z]\b)?|[IVX]+\b|[A-Z]\b)", re.IGNORECASE)
_ONLY = "1"  # the momentti of a section that has one


class NoText(LookupError):
    """The act lacks the words that its clause announces, or they cannot be separated."""

    def __init__(self, reason: Reason, message: Message) -> None:
        super().__init__(message)
        self.reason, self.message = reason, message


@dataclass(frozen=True, slots=True)
class Given:
    """A section, chapter or part as the act prints it, with the steps of what contains it."""

    step: Step
    above: tuple[Step, ...]
    provision: Provision
    heading: Provision | None = None  # the cross-heading directly above it


class Body:
    """What an amending act prints, by the steps that name it."""

    def __init__(self, root: Provision) -> None:
        self.root = root
        self.given = list(_given(root, ()))

    def find(self, path: Sequence[Step]) -> Provision:
        """The printed section, chapter or part of a path that ends at one."""
        step, above = path[-1], tuple(path[:-1])
        found = [one for one in self.given if one.step == step]
        if not found and step.kind == "annex":
            found = [one for one in self.given if one.step.kind == "annex"]
            found = found if len(found) == 1 else []
        if len(found) > 1 or (above and found):
            # The chapter decides where it is printed; if the act prints none, the number alone must match.
            fitting = [one for one in found if _agree(above, one.above)]
            found = fitting or ([] if any(one.above for one in found) and _restarting(self.given) else found)
        place = "/".join(map(str, path))
        if not found:
            raise NoText(Reason.TEXT_MISSING, Message.of("unplayed.not_printed", place=place))
        if len(found) > 1:
            raise NoText(Reason.AMBIGUOUS, Message.of("unplayed.printed_twice", place=place))
        return found[0].provision

    def above(self, path: Sequence[Step]) -> tuple[Step, ...]:
        """The chapter and part that a section is printed in, where it is printed once."""
        found = [one for one in self.given if one.step == path[-1]]
        return found[0].above if len(found) == 1 else ()

    def cross_heading(self, path: Sequence[Step]) -> Provision:
        """The cross-heading printed before a section."""
        section = self.find(path)
        found = next((one.heading for one in self.given if one.provision is section), None)
        if found is None:
            raise NoText(Reason.TEXT_MISSING, Message("unplayed.no_cross_heading"))
        return replace(found, children=())

    def title(self) -> str:
        """The new title of the act amended, which stands before the sections."""
        for child in self.root.children:
            if child.kind is ProvisionKind.HEADING and child.versions:
                return child.versions[-1].heading
            if child.kind is not ProvisionKind.ENACTING_CLAUSE:
                break
        raise NoText(Reason.TEXT_MISSING, Message("unplayed.no_title"))

    def entry(self) -> Provision:
        """The commencement provision of another act, printed anew before this act's own."""
        found = [
            child
            for child in self.root.children
            if not number_of(child.label) and child.kind in _SECTIONS and (child.versions or child.children)
        ]
        if len(found) < 2:
            raise NoText(Reason.TEXT_MISSING, Message("unplayed.no_commencement"))
        return found[0]


def _given(provision: Provision, above: tuple[Step, ...]) -> Iterator[Given]:
    heading = provision if provision.kind is ProvisionKind.HEADING else None
    for child in provision.children:
        if child.kind in _CONTAINERS:
            kind = _CONTAINERS[child.kind]
            number = number_of(child.label)
            here = (*above, Step(kind, number)) if kind and number else above
            if kind and number:
                yield Given(Step(kind, number), above, child)
            yield from _given(child, here)
        elif child.kind in _SECTIONS and (number := number_of(child.label)):
            yield Given(Step("sec", number), above, mended(child), heading)
            heading = None
        elif child.kind is ProvisionKind.ANNEX:
            yield Given(Step("annex", _annex_number(child)), above, child)


def _annex_number(annex: Provision) -> str:
    """The number of an annex, which is printed as its first words: "Liite 2"."""
    words = annex.versions[-1].text if annex.versions else ""
    found = _ANNEX.match(annex.label) or _ANNEX.match(words)
    return number_of(found[1]) or found[1].lower() if found else "1"


def _agree(wanted: Sequence[Step], printed: Sequence[Step]) -> bool:
    """Whether two addresses can be the same: no level that both name differs."""
    named = {step.kind: step.number for step in printed}
    return all(named.get(step.kind, step.number) == step.number for step in wanted)


def _restarting(given: Sequence[Given]) -> bool:
    sections = [one.step for one in given if one.step.kind == "sec"]
    return len(set(sections)) < len(sections)


def text_of(
    instruction: Instruction, target: ProvisionId, body: Body, moments: Mapping[str, Provision]
) -> Provision:
    """The words that an instruction gives its target, named as the target is; raises NoText."""
    facet, path = instruction.facet, target.path
    if facet == Facet.CROSS_HEADING:
        return body.cross_heading(path)
    if facet == Facet.TITLE:
        return Provision(target, ProvisionKind.WORK, "", (Version("", heading=body.title()),))
    if path[0].kind == "entry":
        return renamed(_within_entry(body.entry(), path), path, target)
    section_at = next((at for at, step in enumerate(path) if step.kind == "sec"), None)
    if section_at is None or section_at == len(path) - 1:
        found = body.find(path)
        if facet == Facet.HEADING:
            return _headed(found, target)
        if facet == Facet.INTRODUCTION:
            return renamed(moments.get(_ONLY) or _first_moment(found), path, target)
        return renamed(_whole(found), path, target)
    moment = moments.get(_moment_number(path))
    if moment is None:
        raise NoText(Reason.TEXT_PARTIAL, Message("unplayed.subsections_differ"))
    items = [step for step in path if step.kind in {"para", "subpara"}]
    return renamed(_below(moment, items), path, target)


def _whole(provision: Provision) -> Provision:
    """A section given as a whole; if momentti are left out, the others cannot be numbered."""
    if provision.kind in _SECTIONS and any(one.kind is ProvisionKind.OMISSION for one in provision.children):
        raise NoText(Reason.TEXT_PARTIAL, Message("unplayed.parts_left_out"))
    return provision


def _headed(provision: Provision, target: ProvisionId) -> Provision:
    heading = provision.versions[-1].heading if provision.versions else ""
    if not heading:
        raise NoText(Reason.TEXT_MISSING, Message("unplayed.no_heading"))
    return Provision(target, provision.kind, provision.label, (Version("", heading=heading),))


def _first_moment(section: Provision) -> Provision:
    found = next((child for child in section.children if child.kind is ProvisionKind.SUBSECTION), None)
    if found is None:
        raise NoText(Reason.TEXT_MISSING, Message("unplayed.without_text"))
    return found


def _within_entry(entry: Provision, path: Sequence[Step]) -> Provision:
    if len(path) > 1:
        raise NoText(Reason.TEXT_PARTIAL, Message("unplayed.commencement_part"))
    return entry


def _below(moment: Provision, items: Sequence[Step]) -> Provision:
    """The kohta or alakohta of a printed momentti, by its printed number."""
    found = moment
    for step in items:
        below = [
            child
            for child in found.children
            if child.id.last is not None and child.id.last.number == step.number
        ]
        below = [child for child in below if child.kind is ProvisionKind.ITEM]
        if len(below) != 1:
            raise NoText(Reason.TEXT_MISSING, Message.of("unplayed.not_printed_there", place=str(step)))
        found = below[0]
    return found


def renamed(provision: Provision, path: Sequence[Step], target: ProvisionId) -> Provision:
    """The same tree with the target's identifier, each part named below its parent."""
    identifier = ProvisionId(target.work, tuple(path))
    return replace(
        provision,
        id=identifier,
        children=tuple(
            renamed(child, (*identifier.path, child.id.path[-1]), target) for child in provision.children
        ),
    )


def _moment_number(path: Sequence[Step]) -> str:
    return next((step.number for step in path if step.kind == "subsec"), _ONLY)
