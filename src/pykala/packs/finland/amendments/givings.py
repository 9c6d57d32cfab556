"""What the held acts gave each place of a consolidated act, and on which day.

A consolidated text names its amending acts, but keeps few of their wordings. The acts themselves have them:
each giving is the words of one place from one day on, by one act. The act as first printed gives the first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from pykala.law.identifiers import ProvisionId, Step, WorkId, natural_order
from pykala.law.provisions import Document, Event, Provision, ProvisionKind, Version
from pykala.law.validity import Validity
from pykala.packs.finland.amendments.amending import known_names, operations_of
from pykala.packs.finland.amendments.places import ABOVE_SECTIONS, Places
from pykala.versions.operations import Amend, Facet, Insert, Operation, Renumber, Repeal

_WORD = re.compile(r"\w+")
_ACT_NUMBER = re.compile(r"\(\d{1,5}/(\d{4})\)")
_TRAILING = re.compile(r"(?:ja|tai|sekä|taikka|och|eller|samt)$")
_SAME = 0.95  # the least share of words that two printings of one wording have in common


@dataclass(frozen=True, slots=True)
class Giving:
    """One act's words for a place and everything below it."""

    day: date
    act: WorkId | None  # None: the act itself, as first printed
    event: Event
    root: ProvisionId  # the place in the consolidated document
    words: dict[ProvisionId, Version]  # the words of the place and of those below it that the document has
    is_whole: bool  # whether the document has every place that is given
    application: str = ""
    in_force: date | None = None
    facet: Facet = Facet.WHOLE  # HEADING: the heading alone; the words below it go on

    def dated(self, version: Version, until: date | None) -> Version:
        """Words from the day of this giving on, with what its act says about them."""
        return replace(
            version,
            validity=Validity(self.day, until),
            event=self.event,
            source_act=self.act,
            application=self.application,
            in_force=self.in_force,
        )


@dataclass(frozen=True, slots=True)
class Move:
    """A renumbering: from a day on, an act has moved the words of one place to another."""

    day: date
    act: WorkId
    old: ProvisionId
    new: ProvisionId


@dataclass(slots=True)
class Givings:
    """All givings of a document, and the days on which a place was changed in any way or left empty."""

    by_place: dict[ProvisionId, list[Giving]] = field(default_factory=dict)
    in_order: list[Giving] = field(default_factory=list)
    changed: dict[ProvisionId, list[date]] = field(default_factory=dict)  # a place and all below it
    changed_alone: dict[ProvisionId, list[date]] = field(default_factory=dict)  # its heading or opening
    moves: list[Move] = field(default_factory=list)
    left_empty: dict[ProvisionId, set[date]] = field(default_factory=dict)

    @classmethod
    def of(cls, document: Document, acts: Iterable[Document], printed: Document | None) -> Givings:
        """Gather them from the acts that amend a document, and from its first printing."""
        found, places = cls(), Places(document.root)
        start = _start(document)
        if printed is not None and start is not None and not _is_younger(printed, start):
            for section in _sections(printed.root):
                found._add_units(places, section.id.path, section, start, None, Event.ENACTED)
        names = known_names([(document.title, document.work), (document.short_title, document.work)],
                            document.language)  # fmt: skip
        for act in acts:
            for operation in operations_of(act, document.work, names).operations:
                found._add(places, operation)
        for move in sorted(found.moves, key=lambda one: one.day):
            found._follow(places, move)
        found.in_order.sort(key=_in_time)
        for known in found.by_place.values():
            known.sort(key=_in_time)
        return found

    def of_place(self, place: ProvisionId) -> Sequence[Giving]:
        """What was given to a place, in order of time."""
        return self.by_place.get(place, ())

    def next_change(self, place: ProvisionId, day: date) -> date | None:
        """The first later day on which some act touched a place or what contains it.

        The heading of a section or a chapter is not what stands below it.
        """
        days = [one for whole in _wholes(place) for one in self.changed.get(whole, ())]
        days += self.changed_alone.get(place, ())
        return min((one for one in days if one > day), default=None)

    def is_left_empty(self, place: ProvisionId, day: date) -> bool:
        """Whether an act repealed a place, or moved it to another number, on a day."""
        return any(day in self.left_empty.get(whole, ()) for whole in _wholes(place))

    def _add(self, places: Places, operation: Operation) -> None:
        day = operation.validity.start
        root = places.find(operation.target.path)
        if day is None or operation.validity.is_pending or root is None:
            return
        self._note_change(places, operation, root, day)
        if isinstance(operation, Repeal | Renumber) and operation.facet is Facet.WHOLE:
            self.left_empty.setdefault(root.id, set()).add(day)
        lasting = operation.validity.end is None and not operation.temporary
        if not isinstance(operation, Amend | Insert) or operation.text is None or not lasting:
            return
        if operation.facet is Facet.WHOLE:
            event = Event.AMENDED if isinstance(operation, Amend) else Event.INSERTED
            self._add_units(places, operation.target.path, operation.text, day, operation, event)
        elif operation.facet is Facet.HEADING and root.children and operation.text.versions:
            words = {root.id: Version("", heading=operation.text.versions[-1].heading)}
            self._record(
                Giving(day, operation.source_act, Event.AMENDED, root.id, words, is_whole=True,
                       facet=Facet.HEADING)
            )  # fmt: skip

    def _note_change(self, places: Places, operation: Operation, root: Provision, day: date) -> None:
        """Note what an operation touches: a place with all below it, or its heading or opening words alone.

        The name of an act and a heading between sections are words of no section.
        """
        if operation.facet is Facet.WHOLE:
            self.changed.setdefault(root.id, []).append(day)
        elif operation.facet in {Facet.HEADING, Facet.INTRODUCTION}:
            self.changed_alone.setdefault(root.id, []).append(day)
        if operation.facet is Facet.INTRODUCTION and root.kind is ProvisionKind.SECTION and root.children:
            self.changed_alone.setdefault(root.children[0].id, []).append(day)
        if isinstance(operation, Renumber):
            new = places.find((*operation.target.path[:-1], operation.to))
            if new is not None:
                self.changed.setdefault(new.id, []).append(day)
                self.moves.append(Move(day, operation.source_act, root.id, new.id))

    def _follow(self, places: Places, move: Move) -> None:
        """Words that moved to another number are given there, if nothing touched them before that day."""
        units: dict[ProvisionId, list[Giving]] = {}
        for giving in sorted(self.in_order, key=_in_time):
            if giving.day < move.day and giving.root.path[: len(move.old.path)] == move.old.path:
                unit = _unit(giving.root, len(move.old.path))
                before = [] if giving.root == unit else units.get(unit, [])
                units[unit] = [*before, giving]
        for unit, given in units.items():
            # A kohta that was given alone since then moves with the list that it is in.
            words = {_moved(place, move): version for one in given for place, version in one.words.items()}
            since = {place: one.day for one in given for place in one.words}
            stood = all(self.next_change(place, day) == move.day for place, day in since.items())
            is_whole = given[0].root == unit and all(one.is_whole for one in given)
            if is_whole and stood and all(place.path in places.full for place in words):
                self._record(
                    replace(given[0], day=move.day, act=move.act, event=Event.RENUMBERED,
                            root=_moved(unit, move), words=words, application="", in_force=None)
                )  # fmt: skip

    def _record(self, giving: Giving) -> None:
        self.in_order.append(giving)
        for place in giving.words:
            self.by_place.setdefault(place, []).append(giving)

    def _add_units(
        self,
        places: Places,
        path: tuple[Step, ...],
        text: Provision,
        day: date,
        operation: Operation | None,
        event: Event,
    ) -> None:
        """Add a section's own words and each of its momentti; a list is given with its opening words.

        Of a chapter or a part, each section is added. An annex is not: a consolidated text counts its annexes
        (2 a, 2 b and 3 are annex_2, annex_3 and annex_4), so that another one may have the act's number.
        """
        if path and path[0].kind == "annex":
            return
        if path and path[-1].kind in ABOVE_SECTIONS:
            for section in _sections(text):
                self._add_units(places, section.id.path, section, day, operation, event)
            return
        is_section = bool(path) and path[-1].kind == "sec"
        for own, unit, alone in _units(path, text) if is_section else [(path, text, False)]:
            if (root := places.find(own)) is None:
                continue
            words: dict[ProvisionId, Version] = {}
            missing = places.gather(own, unit, words, alone=alone)
            giving = Giving(
                day, operation.source_act if operation else None, event, root.id, words, not missing,
                operation.application if operation else "", operation.in_force if operation else None,
            )  # fmt: skip
            self._record(giving)


def _unit(place: ProvisionId, at_least: int) -> ProvisionId:
    """What is given whole or not at all: the momentti that a place is in, or a section's own words."""
    depths = (depth for depth, step in enumerate(place.path, start=1) if step.kind == "subsec")
    return ProvisionId(place.work, place.path[: max(at_least, next(depths, len(place.path)))])


def _moved(place: ProvisionId, move: Move) -> ProvisionId:
    return ProvisionId(place.work, (*move.new.path, *place.path[len(move.old.path) :]))


def _in_time(giving: Giving) -> tuple[date, tuple[tuple[int, int, str], ...]]:
    """By day; of two acts of one day, the later one has the last word."""
    return giving.day, natural_order(giving.act.value) if giving.act else ()


def same_words(one: str, other: str) -> bool:
    """Whether two texts are the same wording, but for signs and the "and" at the end of an item."""
    return _plain(one) == _plain(other)


def nearly_same(one: str, other: str) -> bool:
    """Whether two texts may be two printings of one wording: the same figures, and nearly the same words."""
    if same_words(one, other):
        return True
    words, others = _WORD.findall(one.casefold()), _WORD.findall(other.casefold())
    if [word for word in words if word.isdecimal()] != [word for word in others if word.isdecimal()]:
        return False
    common, all_words = set(words) & set(others), set(words) | set(others)
    return len(common) >= _SAME * len(all_words)


def _plain(text: str) -> str:
    return _TRAILING.sub("", "".join(_WORD.findall(text.casefold())))


def _wholes(place: ProvisionId) -> Iterator[ProvisionId]:
    """Whatever contains a place, and the place itself."""
    return (ProvisionId(place.work, place.path[:depth]) for depth in range(1, len(place.path) + 1))


def _units(path: tuple[Step, ...], section: Provision) -> Iterator[tuple[tuple[Step, ...], Provision, bool]]:
    """A section's own words alone, then its momentti with all below them."""
    yield path, section, bool(section.children)
    for child in section.children:
        if child.kind is not ProvisionKind.OMISSION:
            yield (*path, child.id.path[-1]), child, False


def names_younger_act(text: str, start: date | None) -> bool:
    """Whether words name an act of a year after they are said to have begun: "(587/2011)" in 1997."""
    years = [int(year) for year in _ACT_NUMBER.findall(text)]
    return start is not None and any(start.year + 1 < year <= date.max.year for year in years)


def _is_younger(printed: Document, start: date) -> bool:
    """Whether a text that is taken for the first printing is a later one."""
    return any(
        names_younger_act(version.text, start) for node in printed.root.walk() for version in node.versions
    )


def _sections(root: Provision) -> Iterator[Provision]:
    return (node for node in root.walk() if node.kind is ProvisionKind.SECTION)


def _start(document: Document) -> date | None:
    return document.root.versions[0].validity.start if document.root.versions else None
