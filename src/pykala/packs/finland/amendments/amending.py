"""Turn an amending act into typed operations, and apply them to the act's chains of versions.

The enacting clause says what is done and where, the body gives the words, and the commencement provision
gives the days. `play_forward` does all of this for one act in one language.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pykala.law.identifiers import ProvisionId, Step, WorkId
from pykala.law.messages import Message
from pykala.law.provisions import Document, Provision, ProvisionKind
from pykala.law.references import EdgeKind, Method, Reference, Unresolved
from pykala.packs.finland.amendments.amending_body import Body, NoText, text_of
from pykala.packs.finland.amendments.amending_days import Days, applied_days
from pykala.packs.finland.amendments.amending_entry import recommenced
from pykala.packs.finland.amendments.amending_momentti import printed_moments
from pykala.packs.finland.amendments.enacting_clause import Clause, Instruction, NamedAct, read_clause
from pykala.packs.finland.amendments.enacting_targets import OLD_ACTS
from pykala.packs.finland.citations.law_names import base_name, names_of_title
from pykala.packs.finland.spacing import relabelled
from pykala.versions.operations import (
    Amend,
    Facet,
    Insert,
    Operation,
    Outcome,
    Reason,
    Renumber,
    Repeal,
    Said,
    Status,
)
from pykala.versions.play import play

_EDGES = {"amend": EdgeKind.AMENDS, "insert": EdgeKind.INSERTS, "repeal": EdgeKind.REPEALS}
_LANGUAGES = {"fi", "sv"}


@dataclass(frozen=True, slots=True)
class Finding:
    """A part of an amending act that was not understood or could not be applied, and where it is."""

    source_act: WorkId
    reason: Reason
    message: Message
    said: Said | None = None


@dataclass(frozen=True, slots=True)
class Operations:
    """The operations of an amending act, and the parts that were not understood."""

    operations: tuple[Operation, ...] = ()
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class PlayedForward:
    """An act after its amendments, the result of each operation, and all problems."""

    document: Document
    outcomes: tuple[Outcome, ...] = ()
    findings: tuple[Finding, ...] = ()


def operations_of(
    document: Document, target: WorkId | None = None, names: Mapping[str, WorkId] | None = None
) -> Operations:
    """The operations of an amending act, all or those on one act; `names` identifies unnumbered acts."""
    return _Amending(document, names or {}).operations(target)


def references_of(document: Document) -> tuple[Reference, ...]:
    """What an amending act's clause amends, inserts and repeals, for the graph."""
    return tuple(_Amending(document, {}).references())


def play_forward(
    document: Document, amending: Sequence[Document], held: Collection[WorkId] = ()
) -> PlayedForward:
    """Apply the acts that amend a document to it, in its language.

    Acts that its text already contains are skipped: those that made one of its versions, and those in `held`.
    An act that changes how long another is in force is applied where both are given.
    """
    names = known_names(
        [(document.title, document.work), (document.short_title, document.work)], document.language
    )
    made = {version.source_act for node in document.root.walk() for version in node.versions}
    passed = {*made, *held, document.work}
    acts = recommenced(
        [one for one in amending if one.language == document.language and one.work not in passed]
    )
    operations: list[Operation] = []
    findings: list[Finding] = []
    for act in acts:
        found = operations_of(act, document.work, names)
        operations += found.operations
        findings += found.findings
    played = play(document, operations)
    refused = (
        Finding(one.operation.source_act, one.reason or Reason.NOT_SUPPORTED, one.message, one.operation.said)
        for one in played.outcomes
        if one.status in {Status.REFUSED, Status.PENDING} and one.message is not None
    )
    return PlayedForward(played.document, played.outcomes, (*findings, *refused))


@dataclass(frozen=True, slots=True)
class _Apart:
    """Chapters that an act gives as a whole, and sections that it names separately.

    A section printed after a whole chapter looks like a part of it: 173 § follows a new 14 luku.
    """

    chapters: frozenset[Step]
    sections: frozenset[Step]

    @classmethod
    def of(cls, instructions: Sequence[Instruction]) -> _Apart:
        """Gather both from an act's instructions."""
        whole = {
            one.path[-1]
            for one in instructions
            if one.path
            and one.path[-1].kind in {"chp", "part"}
            and one.facet == "whole"
            and one.action != "repeal"
        }
        # Where section numbers restart in each chapter, the clause names the chapter of a separate section.
        named = (section for one in instructions if (section := _section(one.path)))
        sections = {section[-1] for section in named if len(section) == 1}
        return cls(frozenset(whole), frozenset(sections))

    def without(self, operation: Operation) -> Operation:
        """A chapter's text without the sections that are given separately."""
        whole = (
            isinstance(operation, Amend | Insert)
            and operation.target.path[-1:]
            and operation.text is not None
        )
        if not whole or operation.target.path[-1] not in self.chapters:
            return operation
        assert isinstance(operation, Amend | Insert)
        assert operation.text is not None
        return replace(operation, text=self._pruned(operation.text))

    def _pruned(self, text: Provision) -> Provision:
        kept = (child for child in text.children if child.id.last not in self.sections)
        return replace(text, children=tuple(map(self._pruned, kept)))


@dataclass(slots=True)
class _Amending:
    """One amending act while it is being read."""

    document: Document
    names: Mapping[str, WorkId]
    body: Body = field(init=False)
    days: Days = field(init=False)
    findings: list[Finding] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.body = Body(self.document.root)
        self.days = Days.of(self.document)

    def clauses(self) -> Iterator[tuple[Provision, Clause]]:
        """The enacting clauses of the act, read."""
        if self.document.language not in _LANGUAGES:
            return
        for provision in self.document.root.children:
            if provision.kind is ProvisionKind.ENACTING_CLAUSE and provision.versions:
                yield provision, read_clause(provision.versions[-1].text, self.document.language)

    def operations(self, target: WorkId | None) -> Operations:
        operations: list[Operation] = []
        for provision, clause in self.clauses():
            self._note_unread(provision, clause)
            meant = [
                instruction
                for instruction in clause.instructions
                if instruction.only_language in {"", self.document.language}
                and (target is None or self._work(instruction.act) == target)
            ]
            for act in dict.fromkeys(one.act for one in meant):
                work = self._work(act)
                if work is None:
                    self._find(Reason.MISSING_TARGET, Message.of("unplayed.act_unknown", name=act.name), None)
                    continue
                ours = _unhinted([one for one in meant if one.act == act])
                operations += self._of_act(ours, work, provision)
        return Operations(tuple(operations), tuple(self.findings))

    def _note_unread(self, provision: Provision, clause: Clause) -> None:
        if clause.unread:
            start, end = clause.unread[0][0], clause.unread[-1][1]
            words = ", ".join(repr(word) for _, _, word in clause.unread[:5])
            said = _said(provision, start, end)
            self._find(Reason.NOT_SUPPORTED, Message.of("unplayed.clause_unread", words=words), said)

    def _find(self, reason: Reason, message: Message, said: Said | None) -> None:
        self.findings.append(Finding(self.document.work, reason, message, said))

    def _work(self, act: NamedAct) -> WorkId | None:
        if act.number:
            return WorkId(f"fi:act:{act.number}")
        return self.names.get(act.name) or (
            WorkId(f"fi:act:{OLD_ACTS[act.name]}") if act.name in OLD_ACTS else None
        )

    def _of_act(
        self, instructions: Sequence[Instruction], work: WorkId, clause: Provision
    ) -> Iterator[Operation]:
        renumbered = _renumbered(instructions)
        moments = self._moments(instructions, renumbered)
        only_section = _only_section(instructions)
        apart = _Apart.of(instructions)
        for instruction in instructions:
            said = _said(clause, instruction.start, instruction.end)
            path = _settled(instruction, renumbered)
            validity = self.days.validity(path, only_section, temporary=instruction.temporary)
            applied = None if instruction.action == "repeal" else self.days.applied_from(path, only_section)
            validity, in_force = applied_days(validity, applied, temporary=instruction.temporary)
            operation = Operation(
                target=ProvisionId(work, self._placed(path, apart)),
                source_act=self.document.work,
                validity=validity,
                in_force=in_force,
                facet=Facet(instruction.facet),
                temporary=instruction.temporary or (validity.end is not None and not validity.is_pending),
                application=self.days.application(path, only_section),
                said=said,
            )
            yield apart.without(self._typed(operation, instruction, moments.get(_section(path) or (), {})))

    def _typed(
        self, operation: Operation, instruction: Instruction, moments: Mapping[str, Provision]
    ) -> Operation:
        shared = {name: getattr(operation, name) for name in Operation.__dataclass_fields__}
        if instruction.action == "repeal":
            return Repeal(**shared)
        if instruction.action == "renumber":
            assert instruction.to is not None
            return Renumber(**shared, to=instruction.to, relabel=relabelled)
        text: Provision | None = None
        lacking: Message | None = Message("unplayed.whole_act")
        if operation.target.path or operation.facet is Facet.TITLE:
            try:
                text, lacking = text_of(instruction, operation.target, self.body, moments), None
            except NoText as missing:
                lacking = missing.message
                self._find(missing.reason, missing.message, operation.said)
        if instruction.action == "insert":
            return Insert(**shared, text=text, lacking=lacking, instead=instruction.instead)
        return Amend(**shared, text=text, lacking=lacking)

    def _placed(self, path: tuple[Step, ...], apart: _Apart) -> tuple[Step, ...]:
        """The path with the chapter that the act prints its section in, where the clause names none."""
        if not path or path[0].kind != "sec":
            return path
        above = self.body.above(path[:1])
        return path if apart.chapters & set(above) else (*above, *path)

    def _moments(
        self, instructions: Sequence[Instruction], renumbered: Mapping[tuple[Step, ...], Mapping[str, str]]
    ) -> dict[tuple[Step, ...], dict[str, Provision]]:
        """For each section given in part, which printed momentti is which."""
        wanted: dict[tuple[Step, ...], list[str]] = {}
        for instruction in instructions:
            if instruction.action in {"repeal", "renumber"} or instruction.facet in {
                "heading",
                "cross-heading",
            }:
                continue
            path = _settled(instruction, renumbered)
            section = _section(path)
            if section is None or (path == section and instruction.facet == "whole"):
                continue
            number = next((step.number for step in path if step.kind == "subsec"), "1")
            wanted.setdefault(section, []).append(number)
        found: dict[tuple[Step, ...], dict[str, Provision]] = {}
        for section, numbers in wanted.items():
            try:
                printed = self.body.find(section)
            except NoText:
                continue
            if all(number.isdecimal() for number in numbers):
                moved = [one for one in renumbered.get(section, {}).values() if one.isdecimal()]
                found[section] = printed_moments(printed, numbers, moved)
        return found

    def references(self) -> Iterator[Reference]:
        for provision, clause in self.clauses():
            for act in clause.acts:
                work = self._work(act)
                for one in _unhinted([i for i in clause.instructions if i.act == act]):
                    yield Reference(
                        provision.id,
                        _EDGES.get(one.action, EdgeKind.AMENDS),
                        provision.versions[-1].text[one.start : one.end],
                        self.document.language,
                        Method.AMENDMENT,
                        one.start,
                        one.end,
                        target=ProvisionId(work, one.path) if work is not None else None,
                        alias=act.name if work is None else "",
                        path=one.path if work is None else (),
                        reason=None if work is not None or act.name else Unresolved.NOT_UNDERSTOOD,
                    )


def _said(clause: Provision, start: int, end: int) -> Said:
    return Said(clause.id, start, end, clause.versions[-1].text[start:end])


def _section(path: Sequence[Step]) -> tuple[Step, ...] | None:
    """The part of a path that names a section."""
    at = next((at for at, step in enumerate(path) if step.kind == "sec"), None)
    return tuple(path[: at + 1]) if at is not None else None


def _unhinted(instructions: Sequence[Instruction]) -> list[Instruction]:
    """In an act with consecutive section numbers, "4 luvun otsikko, 50 §" names only the heading's chapter.

    A section that is renumbered so ("II osan 1 luvun 5 §:n numero 7:ksi") is still identified by its chapter.
    """
    sections = [one.path for one in instructions if _section(one.path)]
    through = any(path[0].kind == "sec" for path in sections)
    if not through:
        return list(instructions)
    return [
        replace(one, path=tuple(step for step in one.path if step.kind not in {"part", "chp"}))
        if _section(one.path) and not (one.action == "renumber" and one.path[-1].kind == "sec")
        else one
        for one in instructions
    ]


def _renumbered(instructions: Iterable[Instruction]) -> dict[tuple[Step, ...], dict[str, str]]:
    """For each place: the old numbers below it, each with its new number."""
    found: dict[tuple[Step, ...], dict[str, str]] = {}
    for one in instructions:
        if one.action == "renumber" and one.to is not None:
            found.setdefault(one.path[:-1], {})[str(one.path[-1])] = one.to.number
    return found


def _settled(
    instruction: Instruction, renumbered: Mapping[tuple[Step, ...], Mapping[str, str]]
) -> tuple[Step, ...]:
    """The path of what is amended under its new number: "muutettu 3 momentti siirtyy 4 momentiksi"."""
    if instruction.action != "amend":
        return instruction.path
    path: tuple[Step, ...] = ()
    for step in instruction.path:
        new = renumbered.get(instruction.path[: len(path)], {}).get(str(step))
        path = (*path, Step(step.kind, new) if new else step)
    return path


def _only_section(instructions: Sequence[Instruction]) -> str:
    """The section that an act changes, if there is only one: its commencement may say "1 ja 3 momentti"."""
    found = {section[-1].number for one in instructions if (section := _section(one.path))}
    return next(iter(found)) if len(found) == 1 else ""


def known_names(titles: Iterable[tuple[str, WorkId]], language: str) -> dict[str, WorkId]:
    """Acts by the names that clauses call them, for `operations_of`."""
    return {
        base_name(name, language): work for title, work in titles for name in names_of_title(title, language)
    }
