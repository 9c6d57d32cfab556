"""Since when a wording is in force, and by which act: evaluates what a file says about each node.

A momentti names its amending act itself, or inherits it from a section that was replaced as a whole. Its day
is its own. But where Semantic Finlex had no day, it wrote the day of the amended act, which is ignored:
another provision of the same amending act may have the right day; else it is unknown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from pykala.law.identifiers import WorkId, natural_order
from pykala.law.messages import Message
from pykala.packs.finland.act_numbers import year_of_act
from pykala.packs.finland.amendments.named_amendments import mark
from pykala.packs.finland.consolidated.nodes import Level, Node, Statute
from pykala.packs.finland.consolidated.words import (
    Note,
    folded,
    named_acts,
    prose,
    take_item_label,
    take_notes,
    take_section_label,
    take_table,
    tombstone_unit,
)
from pykala.packs.finland.statutes.wordings import takes_effect
from pykala.packs.left_out import NO_LIST

_ITEMS = {Level.PARAGRAPH, Level.SUBPARAGRAPH}
_CONTAINERS = {Level.STATUTE, Level.PART, Level.CHAPTER, Level.SECTION}
#: Tombstones about a whole provision, although they are in a part of it.
_GRAVES = {
    Level.SECTION: frozenset({"§", "luku", "osa"}),
    Level.CHAPTER: frozenset({"luku", "osa"}),
    Level.PART: frozenset({"osa"}),
}
NO_TEXT = Message("finding.no_text")


@dataclass(frozen=True, slots=True)
class Part:
    """One dated wording of one place: its words, since when, by which act, and the wordings below it."""

    level: Level
    number: str
    member: str
    label: str  # as printed, where the text holds it
    heading: str
    text: str
    original: bool  # of the act as first enacted
    source: WorkId | None  # the act that wrote it
    start: date | None  # since when these words hold; None where no source tells
    changed: date | None  # since when everything below it is in force as well
    repealed: str = ""  # the unit that a tombstone says is gone: "§", "luku"
    findings: tuple[Message, ...] = ()
    followed_by: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()
    guessed: bool = False  # it starts on the day on which its act was issued, for want of a better one

    @property
    def order(self) -> tuple[object, ...]:
        """The order of wordings in time; an unknown day is ordered by the number of its act."""
        return (not self.original, self.start or self._about, natural_order(str(self.source or "")))

    @property
    def when(self) -> date:
        """The order of states in time, by their newest part."""
        return self.changed or self.start or self._about

    @property
    def _about(self) -> date:
        return date(_year(self.source), 12, 31) if self.source else date.min


@dataclass(frozen=True, slots=True)
class Dating:
    """The dates of a file's acts: its own, and those of the acts that amend it."""

    issued: date | None
    since: date | None
    commencements: Mapping[WorkId, date]  # amending act → its entry into force, where the file agrees
    given: Mapping[WorkId, date]  # amending act → the day on which it was given
    volumes: Mapping[WorkId, WorkId]  # the source's number → the correct one: 1009/2010 is 1009/2012
    dated: frozenset[WorkId] = frozenset()  # the amending acts of which some place tells a possible day
    sections: frozenset[str] = frozenset()  # the numbers that the file gives its sections

    @classmethod
    def of(cls, statute: Statute, since: date | None) -> Dating:
        """Gather the days of a file's acts from all its nodes."""
        nodes = list(statute.root.walk())
        notes = [note for node in nodes for note in _all_notes(node)]
        volumes = {named: note.act for note in notes if (named := _as_filed(note)) != note.act}
        given = {note.act: note.issued for note in notes if note.issued}
        sections = frozenset(node.number.lower() for node in nodes if node.level is Level.SECTION)
        bare = cls(statute.issued, since, {}, given, volumes, sections=sections)
        own: dict[WorkId, set[date]] = {}
        inherited: dict[WorkId, set[date]] = {}
        bare._gather(statute.root, (), own, inherited)
        days = {**inherited, **own}
        settled = {act: next(iter(found)) for act, found in days.items() if len(found) == 1}
        return replace(bare, commencements=settled, dated=frozenset(days))

    def _gather(
        self,
        node: Node,
        above: tuple[WorkId, ...],
        own: dict[WorkId, set[date]],
        inherited: dict[WorkId, set[date]],
    ) -> None:
        mine = self.own_act(node, ())
        if not node.parts:
            act = mine or self._inherited_act(node, above)
            day = self.believed(node, act)
            if act is not None and day is not None:
                (own if mine else inherited).setdefault(act, set()).add(day)
        for part in node.parts:
            self._gather(part, (*above, mine) if mine else above, own, inherited)

    def own_act(self, node: Node, notes: Sequence[Note]) -> WorkId | None:
        """The act that a node itself names as its last; the note in its text decides between several."""
        named = [self.volumes.get(act, act) for act in node.repealed_by or node.amended_by]
        if not named:
            return notes[-1].act if notes else None
        noted = [note.act for note in notes if note.act in named]
        return noted[-1] if noted else max(named)

    def believed(self, node: Node, act: WorkId | None) -> date | None:
        """The day of a node, unless it is impossible: the amended act's own, or before its amending act."""
        if node.day is None or node.day == self.issued or self.is_before_its_act(node, act):
            return None
        return node.day if act is None or _year(act) <= node.day.year else None

    def is_before_its_act(self, node: Node, act: WorkId | None) -> bool:
        """Whether a node's day is one on which its act was not issued yet: 31.1.2004 for 30.12.2004/1304."""
        issued = self.given.get(act) if act is not None else None
        if issued is None or node.day is None or node.day == self.issued:
            return False
        return node.day < issued

    def _inherited_act(self, node: Node, above: Iterable[WorkId]) -> WorkId | None:
        """The act of the nearest containing provision that was given by the day of the part.

        Of a list whose second kohta an act changed, the others are older: they keep their own, earlier day.
        """
        if node.original:
            return None
        latest = node.day.year if node.day else date.max.year
        for act in reversed(tuple(above)):
            is_older = act in self.dated and self.is_before_its_act(node, act)
            if _year(act) <= latest and not is_older:
                return act
        return None

    def weigh(self, node: Node, above: tuple[WorkId, ...] = ()) -> tuple[Part, ...]:
        """The wordings that a node has: one, or two where a tombstone is among the words it ended."""
        words = _Words.of(node)
        mine = self.own_act(node, words.notes)
        if words.repealed and mine is None:
            mine = next((note.act for note in named_acts(words.text)), None)
        source = mine or self._inherited_act(node, above)
        # The day of a whole tells of its parts: that nobody amended itself leaves it as first enacted.
        original = source is None and (node.original or bool(node.parts))
        day = self.believed(node, source)
        inner = (*above, mine) if mine else above
        parts = tuple(wording for part in node.parts for wording in self.weigh(part, inner))
        early = not original and not words.repealed and self._is_too_early(node, source, parts)
        whole = Part(
            node.level,
            self._number(node, words),
            node.member,
            words.label,
            words.heading,
            words.text,
            original,
            source,
            self.given[source] if early and source else self._start(node, words, source, original, day),
            day or (self.since if node.original else None),
            words.repealed,
            words.findings,
            node.followed_by,
            parts,
            early,
        )
        if _is_named_and_not_held(node, mine, day, parts):
            assert mine is not None
            told = mark(mine)
            whole = replace(
                whole, parts=tuple(replace(part, findings=(*part.findings, told)) for part in parts)
            )
        if words.table:
            whole = replace(whole, parts=(*parts, _table(whole, words.table)))
        if node.level in {Level.SUBSECTION, Level.PARAGRAPH}:
            whole = _mended(whole)
        return _unearthed(whole) if node.level in _CONTAINERS else (whole,)

    def _number(self, node: Node, words: _Words) -> str:
        """The number that is printed, where the source's own is another one.

        Of a kohta it is at times its first letter. What says that 170 § of the arvonlisäverolaki is repealed
        stands under 1670 there, beside the words of 170 § that it ended.
        """
        printed = "".join(words.label.rstrip(").§").split()).lower()
        if not printed:
            return node.number
        if node.level in _ITEMS:
            return printed
        is_free = words.repealed == "§" or printed not in self.sections
        is_section = node.level is Level.SECTION and printed.isalnum()
        return printed if is_section and is_free else node.number

    def _is_too_early(self, node: Node, source: WorkId | None, parts: Sequence[Part]) -> bool:
        """Whether only the day on which its act was issued is left; the day of a whole tells of its parts."""
        if source is None or source in self.commencements:
            return False
        if node.parts:
            return any(part.guessed and part.source == source for part in parts)
        return self.is_before_its_act(node, source)

    def _start(
        self, node: Node, words: _Words, source: WorkId | None, original: bool, day: date | None
    ) -> date | None:
        known = self.commencements.get(source) if source else None
        if original:
            return self.since
        if words.repealed:
            return day or takes_effect(words.text) or known
        # The day of a provision is that of its newest part; its own words are as old as its own act.
        return known if node.parts else day or known


@dataclass(frozen=True, slots=True)
class _Words:
    label: str
    heading: str
    text: str
    table: str
    notes: tuple[Note, ...]
    repealed: str
    findings: tuple[Message, ...]

    @classmethod
    def of(cls, node: Node) -> _Words:
        heading, above = take_notes(node.title)
        content, below = take_notes(node.content)
        label = ""
        if node.level in {Level.SECTION, Level.CHAPTER}:
            label, content, between = take_section_label(content)
            below = (*between, *below)
            # A section of which only the head came over repeats its heading as its text.
            if prose(content) == prose(heading):
                content = ""
        elif node.level in _ITEMS or (node.level is Level.INTRODUCTION and "/kohta/" in node.member):
            label, content = take_item_label(content)
        repealed = tombstone_unit(content)
        table = ""
        if not repealed and node.level in {Level.SUBSECTION, Level.PARAGRAPH, Level.INTRODUCTION}:
            content, table = take_table(content)
        bare = node.level is Level.SECTION and not node.parts and not content
        if node.level is Level.SUBHEADING:
            heading, content = (content, "") if not repealed else ("", content)
        return cls(
            label,
            prose(heading),
            prose(content),
            table,
            (*above, *below),
            repealed,
            (NO_TEXT,) if bare else (),
        )


def _is_named_and_not_held(node: Node, act: WorkId | None, day: date | None, parts: Sequence[Part]) -> bool:
    """Whether a momentti is attributed to an act while all its words are older than that act."""
    if node.level is not Level.SUBSECTION or act is None or day is None or not parts:
        return False
    return all(part.start is not None and part.start < day and not part.parts for part in parts)


def _all_notes(node: Node) -> tuple[Note, ...]:
    words = _Words.of(node)
    return (*words.notes, *(named_acts(words.text) if words.repealed else ()))


def _as_filed(note: Note) -> WorkId:
    return WorkId(f"fi:act:{note.printed_year}/{str(note.act).rpartition('/')[2]}")


def _year(act: WorkId | None) -> int:
    return year_of_act(act) if act else 0


def _table(whole: Part, table: str) -> Part:
    return replace(whole, level=Level.TABLE, number="1", label="", heading="", text=table, parts=())


def _mended(whole: Part) -> Part:
    """A momentti or kohta with mistakes of the source's own splitting corrected."""
    parts = [_recast(part, whole) for part in whole.parts]
    stray: tuple[Part, ...] = ()
    if whole.level is Level.SUBSECTION:
        stray = tuple(inner for part in parts for inner in part.parts if _ends_the_list(part, inner))
        parts = [replace(part, parts=tuple(p for p in part.parts if p not in stray)) for part in parts]
    below = {inner.text for part in parts for inner in part.parts if inner.level is Level.SUBPARAGRAPH}
    # The alakohdat of a kohta stand a second time as kohdat.
    parts = [p for p in parts if not (p.level is Level.PARAGRAPH and p.text in below and p.number.isalpha())]
    kept = (*_with_one_introduction(parts), *stray)
    if whole.level is Level.SUBSECTION and not any(p.level in {Level.PARAGRAPH, Level.TABLE} for p in kept):
        if whole.text.endswith(":"):
            return replace(whole, parts=kept, findings=(NO_LIST,))
        kept = tuple(_unfinished(part) for part in kept)
    return replace(whole, parts=kept)


def other_copy(words: str) -> Message:
    """The finding on words that the source holds twice, with those of the other copy."""
    return Message.of("finding.other_copy", words=words)


def _with_one_introduction(parts: Sequence[Part]) -> tuple[Part, ...]:
    """An introduction that stands a second time as an alakohta is told once, or as another copy of it."""
    introductions = [part for part in parts if part.level is Level.INTRODUCTION]
    stray = [part for part in introductions if "/alakohta/" in part.member]
    proper = [part for part in introductions if part not in stray]
    if not stray or not proper:
        return tuple(parts)
    unlike = [part for part in stray if folded(part.text) not in {folded(one.text) for one in proper}]
    told = tuple(other_copy(f"{part.label} {part.text}") for part in unlike)
    last = replace(proper[-1], findings=(*proper[-1].findings, *told))
    return tuple(last if part is proper[-1] else part for part in parts if part not in stray)


def _ends_the_list(part: Part, inner: Part) -> bool:
    """Whether words that the source counts as the last kohta's end the whole list: "on tuomittava …"."""
    return part.level is Level.PARAGRAPH and inner.level is Level.FLUSH and "/alakohta/" in inner.member


def _recast(part: Part, whole: Part) -> Part:
    if part.level is Level.SUBPARAGRAPH and not part.repealed:
        if part.label and part.number == whole.number:
            return replace(part, level=Level.INTRODUCTION, number="")
        if not part.label and part.text[:1].lower() == part.number.lower():
            return replace(part, level=Level.FLUSH, number="")
    if part.level is Level.PARAGRAPH and not part.label and not part.text:
        tables = [inner for inner in part.parts if inner.level is Level.TABLE]
        if len(tables) == 1 == len(part.parts):
            return tables[0]
    return part


def _unfinished(part: Part) -> Part:
    if part.level is Level.INTRODUCTION and part.text.endswith(":") and not part.parts:
        return replace(part, findings=(NO_LIST,))
    return part


def _unearthed(whole: Part) -> tuple[Part, ...]:
    """A provision whose part is its own tombstone ("4 luku on kumottu …" as 38 §): move the tombstone to it.

    Its other parts are the ended wording, and end when the tombstone begins.
    """
    own = _GRAVES.get(whole.level, frozenset())
    graves = [part for part in whole.parts if part.repealed in own and not part.parts]
    if not graves:
        return (whole,)
    rest = tuple(part for part in whole.parts if part not in graves)
    stone = replace(
        graves[-1],
        level=whole.level,
        number=whole.number,
        member=whole.member,
        label=whole.label,
        heading="" if rest else whole.heading,
        changed=graves[-1].start,
        parts=(),
    )
    return (replace(whole, parts=rest), stone) if rest else (stone,)
