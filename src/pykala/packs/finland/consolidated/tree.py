"""The act as a tree of provisions, each with its chain of versions, from the weighed wordings of a file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from pykala.law.identifiers import ProvisionId
from pykala.law.messages import Message
from pykala.law.provisions import Event, Provision, ProvisionKind
from pykala.packs.finland.consolidated.chains import Chains, ended
from pykala.packs.finland.consolidated.dating import NO_TEXT, Part, other_copy
from pykala.packs.finland.consolidated.nodes import Level
from pykala.packs.finland.consolidated.order import Key, Placed, arranged, in_order
from pykala.packs.finland.consolidated.words import folded, repealed_range
from pykala.packs.finland.statutes.act_text import ActText
from pykala.text.roman import roman_figure

_STEPS = {
    Level.PART: "part",
    Level.CHAPTER: "chp",
    Level.SECTION: "sec",
    Level.SUBSECTION: "subsec",
    Level.PARAGRAPH: "para",
    Level.SUBPARAGRAPH: "subpara",
    Level.FLUSH: "flush",
    Level.SUBHEADING: "head",
    Level.ATTACHMENT: "annex",
    Level.ENACTING_CLAUSE: "enacting",
    Level.TABLE: "table",
}
_KINDS = {
    Level.PART: ProvisionKind.PART,
    Level.CHAPTER: ProvisionKind.CHAPTER,
    Level.SECTION: ProvisionKind.SECTION,
    Level.SUBSECTION: ProvisionKind.SUBSECTION,
    Level.PARAGRAPH: ProvisionKind.ITEM,
    Level.SUBPARAGRAPH: ProvisionKind.ITEM,
    Level.FLUSH: ProvisionKind.FLUSH,
    Level.SUBHEADING: ProvisionKind.HEADING,
    Level.ATTACHMENT: ProvisionKind.ANNEX,
    Level.ENACTING_CLAUSE: ProvisionKind.ENACTING_CLAUSE,
    Level.TABLE: ProvisionKind.TABLE,
}
_ENTRY_HEADING = re.compile(r"^voimaantulo", re.IGNORECASE)
_ENTRY_TEXT = re.compile(r"^(?:tämä|tämän)\s+(?:laki|asetus|päätös|lain)\s+tulee\s+voimaan\b", re.IGNORECASE)
_LETTERED = re.compile(r"(\d+)([a-zåäö]*)")


def restarts(root: Part) -> bool:
    """Whether section numbers restart in each chapter: then most chapters have a 1 § of their own.

    One number in two chapters proves nothing: a section that moved is in both for a while.
    """
    ones: dict[str, bool] = {}
    for part in _walk(root):
        if part.level is Level.CHAPTER and any(one.level is Level.SECTION for one in part.parts):
            first = any(one.level is Level.SECTION and one.number == "1" for one in part.parts)
            ones[part.member] = ones.get(part.member, False) or first
    return len(ones) > 1 and sum(ones.values()) * 2 > len(ones)


def chapters_restart(root: Part) -> bool:
    """Whether chapters are numbered anew in each part, as in the Income Tax Act."""
    homes: dict[str, set[str]] = {}
    for part in root.parts:
        if part.level is Level.PART:
            for chapter in part.parts:
                if chapter.level is Level.CHAPTER:
                    homes.setdefault(chapter.number, set()).add(part.member)
    return any(len(found) > 1 for found in homes.values())


def _walk(root: Part) -> Iterator[Part]:
    stack = [root]
    while stack:
        part = stack.pop()
        yield part
        stack.extend(reversed(part.parts))


@dataclass(slots=True)
class ActTree:
    """Builds the provisions of one act."""

    text: ActText
    chains: Chains
    #: What is numbered through the act: all its wordings, wherever they stand, and the whole it stands in.
    through: dict[Key, list[Part]] = field(default_factory=dict)
    homes: dict[Key, tuple[tuple[object, ...], str]] = field(default_factory=dict)

    def read(self, root: Part, number: str) -> Provision:
        """The whole act below its work."""
        self._gather(root, "")
        work = ProvisionId(self.text.work)
        title = replace(root, text="", original=True, source=None, start=self.text.validity.start)
        children = self._children(work, [root])
        if root.text:
            body = replace(title, text=root.text, heading="")
            whole = self.text.taken.next_free(work, "text")
            children.insert(0, Provision(whole, ProvisionKind.SECTION, "", self.chains.of([body])))
        return Provision(work, ProvisionKind.WORK, number, self.chains.of([title]), tuple(children))

    def _name(self, whole: Part) -> str:
        """The name of a container: a chapter at two places of the file is one chapter."""
        if whole.level is Level.STATUTE:
            return ""
        return f"{whole.level}/{whole.number}" if self._numbered_through(whole.level) else whole.member

    def _gather(self, whole: Part, home: str) -> None:
        for part in whole.parts:
            if self._numbered_through(part.level):
                key = (part.level, part.number)
                self.through.setdefault(key, []).append(part)
                newest = self.homes.get(key)
                if newest is None or part.order >= newest[0]:
                    self.homes[key] = part.order, home
            if part.level in {Level.PART, Level.CHAPTER}:
                self._gather(part, self._name(part))

    def _numbered_through(self, level: Level) -> bool:
        if level is Level.SECTION:
            return not self.text.chapters_in_ids
        return level is Level.CHAPTER and not self.text.parts_in_ids

    def _children(self, parent: ProvisionId, states: Sequence[Part]) -> list[Provision]:
        """The parts of a place, from all its states: a part that a later state lacks ended when it began."""
        found: dict[Key, list[tuple[int, Part]]] = {}
        for place, state in enumerate(states):
            for part in state.parts:
                if part.level is not Level.INTRODUCTION:
                    found.setdefault((part.level, part.number), []).append((place, part))
        built: list[Placed] = []
        for key in in_order(found):
            wordings = self._wordings(key, found[key], states)
            if wordings:
                heads = tuple(member for _, part in found[key] for member in part.followed_by)
                provision = self._child(parent, key, found[key], wordings, states)
                built.append(Placed(key, wordings[-1].member, provision, heads))
        return arranged([*built, *self._ranges(parent, built, found)])

    def _wordings(self, key: Key, placed: Sequence[tuple[int, Part]], states: Sequence[Part]) -> list[Part]:
        if key not in self.through:
            return [part for _, part in placed]
        return self.through[key] if self.homes[key][1] in {self._name(state) for state in states} else []

    def _child(
        self,
        parent: ProvisionId,
        key: Key,
        placed: Sequence[tuple[int, Part]],
        wordings: Sequence[Part],
        states: Sequence[Part],
    ) -> Provision:
        places = {place for place, _ in placed}
        moved = len({part.member for part in wordings}) > 1
        first, last = min(places), max(places)
        inserted = not moved and first > 0 and bool(states[first - 1].parts)
        provision = self._provision(parent, key, wordings, inserted)
        if not moved and last < len(states) - 1:
            # Without a later day it is unknown which of the two states is newer, so the end stays open.
            day, since = states[last + 1].changed, provision.versions[0].validity.start
            if day and (since is None or day > since):
                return provision.with_versions(lambda version: ended(version, day))
        return provision

    def _provision(
        self, parent: ProvisionId, key: Key, wordings: Sequence[Part], inserted: bool
    ) -> Provision:
        level, number = key
        identifier = self._identifier(parent, level, number)
        states = _states(wordings)
        own = _own_chain(states)
        children = self._children(identifier, states)
        label = _label(level, number, own)
        kind = _KINDS[level]
        if level is Level.SECTION and _enters_into_force(states[-1]):
            kind = ProvisionKind.ENTRY_INTO_FORCE
        versions = self.chains.of([_as_old_as_its_parts(one, children) for one in own], inserted)
        return Provision(identifier, kind, label, versions, tuple(children))

    def _identifier(self, parent: ProvisionId, level: Level, number: str) -> ProvisionId:
        step = _STEPS[level]
        if not number:
            return self.text.taken.next_free(parent, step)
        home = ProvisionId(self.text.work) if self._numbered_through(level) else parent
        return self.text.taken.claim(home, step, number.lower())

    def _ranges(
        self, parent: ProvisionId, built: Sequence[Placed], found: Mapping[Key, object]
    ) -> Iterator[Placed]:
        """A tombstone "12–19 § on kumottu" stands for eight sections, each of which someone may cite."""
        for placed in built:
            stone = placed.provision
            if placed.key[0] is not Level.SECTION or stone.versions[-1].event is not Event.REPEALED:
                continue
            for number in map(str, repealed_range(stone.label)):
                key = (Level.SECTION, number)
                if key not in found and key not in self.through:
                    identifier = self._identifier(parent, *key)
                    label = f"{number} §"
                    gone = replace(
                        stone, id=identifier, label=label, versions=stone.versions[-1:], children=()
                    )
                    yield Placed(key, "", gone)


def _states(wordings: Sequence[Part]) -> list[Part]:
    """The states of a place in order of time; what stands in the file twice is one state."""
    states: dict[tuple[object, ...], Part] = {}
    for part in sorted(wordings, key=lambda one: (one.order, one.changed or date.min)):
        key = (part.original, part.changed, part.source, part.repealed)
        known = states.get(key)
        if known is None:
            states[key] = part
        elif known != part:
            states[key] = _both(known, part)
    return sorted(states.values(), key=lambda one: (one.when, bool(one.repealed)))


def _both(known: Part, other: Part) -> Part:
    """One state from two copies; where their words differ, a finding has the second copy's words."""
    more = tuple(one for one in other.parts if one not in known.parts)
    text, heading = known.text or other.text, known.heading or other.heading
    unlike = [
        words
        for words, mine in ((other.heading, heading), (other.text, text))
        if words and folded(words) != folded(mine)
    ]
    return replace(
        known,
        text=text,
        heading=heading,
        parts=(*known.parts, *more),
        findings=(*known.findings, *map(other_copy, unlike)),
    )


def _own_chain(states: Sequence[Part]) -> list[Part]:
    """The words of a place itself, state by state; those of a later state that differ are later words."""
    chain: list[Part] = []
    for state in states:
        for words in _own_words(state):
            last = next((one for one in reversed(chain) if one.text or one.heading), None)
            if last is None or (words.text, words.heading) == (last.text, last.heading):
                chain.append(words)
            elif state.changed and words.source == last.source and not words.repealed:
                # Both are attributed to one act, so the act that changed them is unknown; only the day is
                # known.
                chain.append(replace(words, original=False, source=None, start=state.changed))
            else:
                chain.append(words)
    if any(state.parts for state in states):
        # One state of it has words, if only in its parts: since when, these tell.
        chain = [replace(words, findings=_without_no_text(words)) for words in chain]
    return [words for words in chain if words.text or words.heading] or chain[:1]


def _without_no_text(words: Part) -> tuple[Message, ...]:
    return tuple(finding for finding in words.findings if finding != NO_TEXT)


def _own_words(state: Part) -> list[Part]:
    """A state without its parts; where it has a list, each wording of its introduction."""
    introductions = [part for part in state.parts if part.level is Level.INTRODUCTION]
    if not introductions:
        return [replace(state, parts=())]
    return [replace(words, level=state.level, heading=state.heading, parts=()) for words in introductions]


def _as_old_as_its_parts(own: Part, children: Sequence[Provision]) -> Part:
    """A provision that an act replaced is in force since the parts that the same act wrote with it."""
    if own.start is not None or own.original or own.repealed:
        return own
    wrote = [one for child in children for one in child.versions if one.source_act == own.source]
    starts = [version.validity.start for version in wrote if version.validity.start is not None]
    return replace(own, start=min(starts)) if starts else own


def _enters_into_force(state: Part) -> bool:
    if _ENTRY_HEADING.match(state.heading):
        return True
    return any(_ENTRY_TEXT.match(part.text) for part in state.parts[:1])


def _label(level: Level, number: str, own: Sequence[Part]) -> str:
    printed = next((part.label for part in reversed(own) if part.label), "")
    if level in {Level.PARAGRAPH, Level.SUBPARAGRAPH}:
        return printed
    spaced = _spaced(number)
    if level is Level.SECTION:
        return printed or f"{spaced} §"
    if level is Level.CHAPTER:
        return f"{spaced} luku"
    if level is Level.PART:
        return f"{_roman(number)} OSA"
    return ""


def _spaced(number: str) -> str:
    found = _LETTERED.fullmatch(number)
    return f"{found[1]} {found[2]}".strip() if found else number


def _roman(number: str) -> str:
    found = _LETTERED.fullmatch(number)
    value = int(found[1]) if found else 0
    if found is None or not 0 < value < 400:
        return number
    return f"{roman_figure(value)} {found[2]}".strip().upper()
