"""From drafts to the document: identifiers, versions, changes from history notes, defined terms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import DefinedTerm, Provision, Version
from pykala.law.references import EdgeKind, Method, Reference
from pykala.law.validity import ALWAYS, Validity
from pykala.packs.nyc.history import EDGES
from pykala.packs.nyc.terms import TermFinder
from pykala.packs.nyc.tree import Draft

LANGUAGE = "en"


@dataclass(slots=True)
class Assembly:
    """Builds the provisions of one title; collects other facts about them."""

    work: WorkId
    observed_at: date | None
    references: list[Reference] = field(default_factory=list)
    terms: list[DefinedTerm] = field(default_factory=list)
    newest: date | None = None  # the day of the newest law that the notes tell of
    _sections: _Numbers = field(default_factory=lambda: _Numbers())

    def build(self, root: Draft) -> Provision:
        """The tree; sections leave the chapters above them out of their identifiers."""
        finder = TermFinder(ProvisionId(self.work))
        return self._built([root], ProvisionId(self.work), finder)

    def _built(self, drafts: Sequence[Draft], own: ProvisionId, finder: TermFinder) -> Provision:
        """One provision of a draft, or of the parallel versions of one."""
        draft = drafts[0]
        finder = finder.below(draft, own)
        for one in drafts:
            self._note_changes(one, own)
        self.terms.extend(
            DefinedTerm(term, LANGUAGE, own, scope) for term, scope in finder.defined(draft, own)
        )
        children = [child for one in drafts for child in one.children]
        built = tuple(
            self._built(group, self._identifier(group[0].step, number, own), finder)
            for number, group in _grouped(children)
        )
        versions = tuple(sorted((self._version(one) for one in drafts), key=_start))
        return Provision(own, draft.kind, draft.label, versions, built)

    def _identifier(self, step: str, number: str, own: ProvisionId) -> ProvisionId:
        """A section's identifier starts at the work, whatever its chapter; all others at their parent."""
        if step != "sec":
            return own.child(step, number)
        return ProvisionId(self.work).child(step, self._sections.unused(number))

    def _version(self, draft: Draft) -> Version:
        standing = draft.standing
        return Version(
            draft.text,
            standing.validity,
            draft.heading,
            standing.event,
            standing.source_act,
            standing.application,
            self.observed_at,
            history_unavailable=standing.history_unavailable,
        )

    def _note_changes(self, draft: Draft, own: ProvisionId) -> None:
        for change in draft.changes:
            if change.enacted is not None:
                self.newest = max(change.enacted, self.newest or change.enacted)
            self.references.append(
                Reference(
                    own,
                    EDGES.get(change.event, EdgeKind.AMENDS),
                    draft.text[change.start : change.end],
                    LANGUAGE,
                    Method.AMENDMENT,
                    change.start,
                    change.end,
                    target=ProvisionId(change.act),
                    validity=Validity(change.in_force_from),
                    reverse=True,
                )
            )


def _start(version: Version) -> tuple[date, date]:
    return version.validity.start or date.min, version.validity.end or date.max


def _grouped(children: Sequence[Draft]) -> list[tuple[str, list[Draft]]]:
    """Siblings by number: parallel versions together; another with the same number as its copy."""
    groups: dict[tuple[str, str], list[Draft]] = {}
    numbers: dict[str, _Numbers] = {}
    counts: dict[str, int] = {}
    for child in children:
        counts[child.step] = counts.get(child.step, 0) + 1
        number = child.number or str(counts[child.step])
        same = groups.get((child.step, number))
        if same is not None and _parallel(same, child):
            same.append(child)
        else:
            number = numbers.setdefault(child.step, _Numbers()).unused(number)
            groups[child.step, number] = [child]
    return [(number, group) for (_, number), group in groups.items()]


class _Numbers:
    """Numbers already taken among siblings, or among the sections of a title."""

    __slots__ = ("_copies", "_taken")

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._copies: dict[str, int] = {}

    def unused(self, wanted: str) -> str:
        """The number itself, or with the number of its copy: "n.dup2"."""
        number = wanted
        while number in self._taken:
            self._copies[wanted] = self._copies.get(wanted, 1) + 1
            number = f"{wanted}.dup{self._copies[wanted]}"
        self._taken.add(number)
        return number


def _parallel(present: Sequence[Draft], child: Draft) -> bool:
    """Whether a draft is the same provision at another time: "* NB Expires …" beside its successor."""
    validity = child.standing.validity
    return validity != ALWAYS and not any(one.standing.validity.overlaps(validity) for one in present)
