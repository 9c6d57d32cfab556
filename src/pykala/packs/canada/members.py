"""The members of one list of references: "subsections 4(2) to (5) and 7(1)", "Schedule I, II or III"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pykala.law.identifiers import Step
from pykala.packs.canada.levels import LEVELS, steps_by_form, steps_by_unit
from pykala.packs.canada.phrases import Phrases
from pykala.packs.ranges import RANGE

FOOTNOTE_MARK = re.compile(r"\[[\w*†‡]{1,3}\]")
_AFTER_BARE = re.compile(r"\s*(?:[,;.:)]|$|(?:of|or|and|to|de|du|des|et|ou|à)\b)")
#: A verb may follow "section 24 or 25"; one of these words shows that the number counts something.
_COUNTED = re.compile(
    r"\s*(?:[%$°]|(?:\w+\s)?(?:days?|weeks?|months?|years?|hours?|minutes?|per|dollars?|cents?|persons?|members?"
    r"|copies|units?|tonnes?|metres?|kilo\w+|litres?|km|kg|mm|cm|m|jours?|semaines?|mois|ans?|années?|heures?|pour"
    r"|personnes?|membres?|copies|exemplaires|mètres?)\b)"
)
_NUMBERED_IN_TREATIES = frozenset({"para", "subsec"})


@dataclass(slots=True)
class Member:
    """One reference of a list; `relative` steps start at the position of the text."""

    start: int
    end: int
    steps: tuple[Step, ...]
    relative: bool


class MemberReader:
    """Reads lists in one text. A treaty numbers its paragraphs 1, 2, 3 and not (1), (2), (3)."""

    def __init__(self, text: str, phrases: Phrases, *, treaty: bool) -> None:
        self.text = text
        self.phrases = phrases
        self.treaty = treaty

    def members(self, match: re.Match[str]) -> list[Member]:
        """All members of the list that a match of `Phrases.unit` begins; none where it is not a reference."""
        return self._places(match) if match["place"] else self._references(match)

    def _references(self, match: re.Match[str]) -> list[Member]:
        word = match["unit"].casefold()
        plural = word.endswith("s")
        unit = self.phrases.units.get(word.removesuffix("s"), "")
        steps = self.steps(unit, match["number"], match["groups"], ())
        if steps is None:
            return []
        relative = match["number"] is None or steps[0].kind == "item"
        members = [Member(match.start(), match.end(), steps, relative)]
        while (more := self.phrases.more.match(self.text, self.past_mark(members[-1].end))) is not None:
            separator = more["sep"].strip(" ,\t\n")
            number, groups = more["number"], more["groups"]
            bare = bool(number) and not groups
            if not (number or groups) or (bare and not self._continues(unit, plural, separator, more.end())):
                break
            steps = self.steps(unit, number, groups, members[-1].steps)
            if steps is None:
                break
            start = more.end("sep")
            if separator in self.phrases.range_words:
                before = members[-1]
                before.steps = _ranged(before.steps, steps)
                before.end = more.end()
            else:
                goes_on = members[-1].relative and (not number or steps[0].kind == "item")
                members.append(Member(start, more.end(), steps, goes_on))
        return members

    def _continues(self, unit: str, plural: bool, separator: str, end: int) -> bool:
        """Whether a bare number goes on with a list of sections: "sections 5 and 6", not "and 10 days"."""
        if unit != "sec" and not (self.treaty and unit in _NUMBERED_IN_TREATIES):
            return False
        if plural or _AFTER_BARE.match(self.text, end) is not None:
            return True
        return separator.split()[-1:] in (["or"], ["ou"]) and _COUNTED.match(self.text, end) is None

    def _places(self, match: re.Match[str]) -> list[Member]:
        word = match["place"].casefold()
        kind = self.phrases.units[word.removesuffix("s")]
        below: tuple[Step, ...] = ()
        if kind == "art" and match["below"]:
            below = tuple(Step("item", mark) for mark in self._marks(match["below"]))
        end = match.end() if below else match.end("placed")
        members = [Member(match.start(), end, (Step(kind, match["placed"]), *below), False)]
        plural = word.endswith("s")
        while (more := self.phrases.more_places.match(self.text, members[-1].end)) is not None:
            # "Schedule I, II or III": in the singular as well, if the numbers are of one form.
            alike = more["placed"].isalpha() is match["placed"].isalpha()
            if not plural and (not alike or _COUNTED.match(self.text, more.end())):
                break
            steps = (Step(kind, more["placed"]),)
            if more["sep"].strip(" ,") in self.phrases.range_words:
                members[-1].steps = _ranged(members[-1].steps, steps)
                members[-1].end = more.end()
            else:
                members.append(Member(more.end("sep"), more.end(), steps, False))
        return members

    def steps(
        self, unit: str, number: str | None, groups: str, before: tuple[Step, ...]
    ) -> tuple[Step, ...] | None:
        """The steps of one reference, completed from the one before it; None where they make no sense."""
        marks = self._marks(groups)
        if not number and not marks:
            return None
        if unit == "sec":
            if not number:
                return None
            return (Step("sec", number), *steps_by_form(marks))
        if not marks:
            # "paragraph 5" occurs in texts with other levels.
            return (
                (Step("item", number),) if self.treaty and number and unit in _NUMBERED_IN_TREATIES else None
            )
        if self.treaty and number and unit in _NUMBERED_IN_TREATIES:
            # "paragraph 1(c) of Article 13"
            return tuple(Step("item", mark) for mark in (number, *marks))
        below = steps_by_unit(unit, marks)
        if number:
            return (Step("sec", number), *below)
        # "subsections 4(2) to (5)": a member takes what it omits from the member before it.
        depth = LEVELS.index(below[0].kind)
        kept = [step for step in before if step.kind == "sec" or _level(step) < depth]
        return (*kept, *below)

    def _marks(self, groups: str) -> list[str]:
        return [mark.strip("()") for mark in self.phrases.groups.findall(groups)] if groups else []

    def past_mark(self, end: int) -> int:
        """Behind a footnote's mark: "subsection 16(2)[a] of the Customs Tariff"."""
        match = FOOTNOTE_MARK.match(self.text, end) if self.text.startswith("[", end) else None
        return match.end() if match is not None else end


def stands_above(holder: tuple[Step, ...], members: list[Member]) -> bool:
    """Whether all members may lie below it: a paragraph in a section, not a subsection in a paragraph."""
    level = LEVELS.index(holder[-1].kind) if holder[-1].kind in LEVELS else -1
    return all(_level(member.steps[0]) > level for member in members)


def _level(step: Step) -> int:
    return LEVELS.index(step.kind) if step.kind in LEVELS else len(LEVELS)


def _ranged(first: tuple[Step, ...], last: tuple[Step, ...]) -> tuple[Step, ...]:
    """Both ends in one step where only the last step differs; else the first end stands for the range."""
    start, end = first[-1], last[-1]
    if start.kind == end.kind and len(first) == len(last) and first[:-1] == last[:-1]:
        return (*first[:-1], Step(start.kind, f"{start.number}{RANGE}{end.number}"))
    return first
