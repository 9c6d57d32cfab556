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
from pykala.versions.operations import Amend, Facet, Insert, Operation, Renumber, Repeal

_WORD = re.compile(r"\w+")
_ACT_NUMBER = re.compile(r"\(\d{1,5}/(\d{4})\)")
_TRAILING = re.compile(r"(?:ja|tai|sekä|taikka|och|eller|samt)$")
_ABOVE_SECTIONS = ("part", "chp")
_FEWEST_OF_MOMENTTI = 4  # words
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


@dataclass(slots=True)
class Givings:
    """All givings of a document, and the days on which a place was changed in any way or left empty."""

    by_place: dict[ProvisionId, list[Giving]] = field(default_factory=dict)
    in_order: list[Giving] = field(default_factory=list)
    changed: dict[ProvisionId, list[date]] = field(default_factory=dict)
    left_empty: dict[ProvisionId, set[date]] = field(default_factory=dict)

    @classmethod
    def of(cls, document: Document, acts: Iterable[Document], printed: Document | None) -> Givings:
        """Gather them from the acts that amend a document, and from its first printing."""
        found, places = cls(), _Places(document.root)
        start = _start(document)
        if printed is not None and start is not None and not _is_younger(printed, start):
            for section in _sections(printed.root):
                found._add_units(places, section.id.path, section, start, None, Event.ENACTED)
        names = known_names([(document.title, document.work), (document.short_title, document.work)],
                            document.language)  # fmt: skip
        for act in acts:
            for operation in operations_of(act, document.work, names).operations:
                found._add(places, operation)
        found.in_order.sort(key=_in_time)
        for known in found.by_place.values():
            known.sort(key=_in_time)
        return found

    def of_place(self, place: ProvisionId) -> Sequence[Giving]:
        """What was given to a place, in order of time."""
        return self.by_place.get(place, ())

    def next_change(self, place: ProvisionId, day: date) -> date | None:
        """The first later day on which some act touched a place or what contains it."""
        return min(
            (one for whole in _wholes(place) for one in self.changed.get(whole, ()) if one > day),
            default=None,
        )

    def is_left_empty(self, place: ProvisionId, day: date) -> bool:
        """Whether an act repealed a place, or moved it to another number, on a day."""
        return any(day in self.left_empty.get(whole, ()) for whole in _wholes(place))

    def _add(self, places: _Places, operation: Operation) -> None:
        day = operation.validity.start
        root = places.find(operation.target.path)
        if day is None or operation.validity.is_pending or root is None:
            return
        self.changed.setdefault(root.id, []).append(day)
        if isinstance(operation, Repeal | Renumber) and operation.facet is Facet.WHOLE:
            self.left_empty.setdefault(root.id, set()).add(day)
        lasting = operation.validity.end is None and not operation.temporary
        if not isinstance(operation, Amend | Insert) or operation.text is None or not lasting:
            return
        if operation.facet is Facet.WHOLE:
            event = Event.AMENDED if isinstance(operation, Amend) else Event.INSERTED
            self._add_units(places, operation.target.path, operation.text, day, operation, event)

    def _add_units(
        self,
        places: _Places,
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
        if path and path[-1].kind in _ABOVE_SECTIONS:
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
            self.in_order.append(giving)
            for place in words:
                self.by_place.setdefault(place, []).append(giving)


class _Places:
    """The places of a document by their path without chapters, where only one has that path."""

    def __init__(self, root: Provision) -> None:
        self.full = {node.id.path: node for node in root.walk()}
        self.short: dict[tuple[Step, ...], list[Provision]] = {}
        for node in root.walk():
            self.short.setdefault(_without_chapters(node.id.path), []).append(node)

    def find(self, path: tuple[Step, ...]) -> Provision | None:
        if path in self.full:
            return self.full[path]
        short = _without_chapters(path)
        # An item may be named without its momentti, if the section has only one.
        if len(short) > 1 and short[0].kind == "sec" and short[1].kind == "para" and short not in self.short:
            short = (short[0], Step("subsec", "1"), *short[1:])
        found = self.short.get(short, ())
        return found[0] if len(found) == 1 and short else None

    def gather(
        self, path: tuple[Step, ...], text: Provision, words: dict[ProvisionId, Version], *, alone: bool
    ) -> bool:
        """Collect the words of a text by place; say whether the document lacks one of them."""
        node = self.find(path)
        if node is None:
            return True
        missing = False
        if text.versions:
            words[node.id] = text.versions[-1]
            missing = not (is_a_rule(node.id, text.versions[-1].text) or text.children)
        for child in () if alone else text.children:
            if child.kind is ProvisionKind.OMISSION:
                missing = True  # what it leaves as it is cannot be told
            else:
                missing |= self.gather((*path, child.id.path[-1]), child, words, alone=False)
        return missing


def _in_time(giving: Giving) -> tuple[date, tuple[tuple[int, int, str], ...]]:
    """By day; of two acts of one day, the later one has the last word."""
    return giving.day, natural_order(giving.act.value) if giving.act else ()


def is_a_rule(place: ProvisionId, text: str) -> bool:
    """Whether words may be those of a place: a momentti of three words is a row of a table that was cut."""
    is_momentti = bool(place.path) and place.path[-1].kind == "subsec"
    return len(_WORD.findall(text)) >= (_FEWEST_OF_MOMENTTI if is_momentti else 1)


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


def _without_chapters(path: Sequence[Step]) -> tuple[Step, ...]:
    return tuple(step for step in path if step.kind not in _ABOVE_SECTIONS)


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
