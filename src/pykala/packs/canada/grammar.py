"""Finding references in Canadian law and in questions about it; what they lead to is `resolution`'s.

A list gives one citation for each of its members ("sections 4, 5 and 6" gives three); a range gives one
whose last step holds both ends: `subsec_2..5`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pykala.law.citations import CitationContext, FoundCitation
from pykala.law.identifiers import Step
from pykala.packs.canada.levels import LEVELS, steps_by_form, steps_by_unit
from pykala.packs.canada.phrases import PHRASES, Phrases
from pykala.packs.canada.places import places_of
from pykala.packs.canada.questions import find_in_question

RANGE = ".."
THAT_ACT = "that Act"  # some other work: the text at hand does not say which
DEFINED = "the "  # before a word that the document defines: "the Act", "la Loi"
#: Texts that speak of other works throughout: their bare numbers are not this work's.
_FOREIGN = frozenset({"hist", "related", "notinforce", "quoted"})
_MARK = re.compile(r"\[[\w*†‡]{1,3}\]")
_AFTER_BARE = re.compile(r"\s*(?:[,;.:)]|$|(?:of|or|and|to|de|du|des|et|ou|à)\b)")


@dataclass(slots=True)
class _Member:
    start: int
    end: int
    steps: tuple[Step, ...]
    relative: bool


def find_citations(
    text: str, context: CitationContext, abbreviations: Mapping[str, str]
) -> Sequence[FoundCitation]:
    """Find citations in order, without overlap."""
    phrases = PHRASES.get(context.language)
    if phrases is None:
        return ()
    if context.provision is None:
        return find_in_question(text, phrases, abbreviations)
    if not any(hint in text for hint in phrases.hints):
        return ()
    foreign = any(step.kind in _FOREIGN for step in context.provision.path)
    found = _Finder(text, phrases, context).find()
    return [citation for citation in found if citation.work_name] if foreign else found


class _Finder:
    """One text in one language."""

    def __init__(self, text: str, phrases: Phrases, context: CitationContext) -> None:
        self.text = text
        self.phrases = phrases
        self.named = ""  # the last work that the text named, for "that Act"
        self.own: set[int] = set()  # where a citation ends that says "of this Act"
        self.anchors: dict[int, tuple[int, str]] = {}
        self.own_names: tuple[str, ...] = ()
        # An English title ends with a word that tells; a French one does not, and the markup must.
        self.titles = context.document is None or context.language == "en"
        if context.document is not None and context.provision is not None:
            document = context.document
            self.own_names = tuple(name for name in (document.short_title, document.title) if name)
            references = places_of(context.document).anchors.get(context.provision, ())
            self.anchors = {
                reference.start: (reference.end, reference.text)
                for reference in references
                if reference.language == context.language
            }

    def find(self) -> list[FoundCitation]:
        found: list[FoundCitation] = []
        position = 0
        unit = self.phrases.unit
        while (match := unit.search(self.text, position)) is not None:
            members = self._places(match) if match["place"] else self._references(match)
            position = match.end()
            if not members or self._leads_nowhere(match.start(), members[-1].end):
                continue
            end, work, prefix, relative = self._qualifier(members[-1].end)
            if work and work != THAT_ACT:
                self._share(found, members[0].start, work)
            last = members[-1]
            for member in members:
                finish = end if member is last else member.end
                steps = (*prefix, *member.steps)
                found.append(
                    FoundCitation(
                        member.start,
                        finish,
                        self.text[member.start : finish],
                        work,
                        steps,
                        not work and (relative or member.relative),
                    )
                )
            position = max(position, end)
        return found

    def _leads_nowhere(self, start: int, end: int) -> bool:
        """Whether it is a part of a definition, named after it, or of the Gazette, which is no law."""
        return (
            self.phrases.definition.match(self.text, end) is not None
            or "Gazette" in self.text[max(0, start - 20) : start]
        )

    def _share(self, found: list[FoundCitation], start: int, work: str) -> None:
        """Name one work for all of "subsections 34(2) and 61(2) and sections 70 and 71 of the Bank Act"."""
        for index in range(len(found) - 1, -1, -1):
            before = found[index]
            joined = self.phrases.linking.fullmatch(self.text, before.end, start)
            if joined is None or before.work_name or before.relative or before.end in self.own:
                return
            found[index] = replace(before, work_name=work)
            start = before.start

    # The list of references

    def _references(self, match: re.Match[str]) -> list[_Member]:
        word = match["unit"].casefold()
        plural = word.endswith("s")
        unit = self.phrases.units.get(word.removesuffix("s"), "")
        steps = self._steps(unit, match["number"], match["groups"], ())
        if steps is None:
            return []
        members = [_Member(match.start(), match.end(), steps, match["number"] is None)]
        while (more := self.phrases.more.match(self.text, self._past_mark(members[-1].end))) is not None:
            separator = more["sep"].strip(" ,\t\n")
            number, groups = more["number"], more["groups"]
            bare = bool(number) and not groups
            if not (number or groups) or (bare and not self._continues(unit, plural, more.end())):
                break
            steps = self._steps(unit, number, groups, members[-1].steps)
            if steps is None:
                break
            start = more.end("sep")
            if separator in self.phrases.range_words:
                before = members[-1]
                before.steps = _ranged(before.steps, steps)
                before.end = more.end()
            else:
                members.append(_Member(start, more.end(), steps, members[-1].relative and not number))
        return members

    def _continues(self, unit: str, plural: bool, end: int) -> bool:
        """Whether a bare number goes on with a list of sections: "sections 5 and 6", not "and 10 days"."""
        if unit != "sec":
            return False
        return plural or _AFTER_BARE.match(self.text, end) is not None

    def _places(self, match: re.Match[str]) -> list[_Member]:
        word = match["place"].casefold()
        kind = self.phrases.units[word.removesuffix("s")]
        members = [_Member(match.start(), match.end(), (Step(kind, match["placed"]),), False)]
        if not word.endswith("s"):
            return members
        while (more := self.phrases.more_places.match(self.text, members[-1].end)) is not None:
            steps = (Step(kind, more["placed"]),)
            if more["sep"].strip(" ,") in self.phrases.range_words:
                members[-1].steps = _ranged(members[-1].steps, steps)
                members[-1].end = more.end()
            else:
                members.append(_Member(more.end("sep"), more.end(), steps, False))
        return members

    def _steps(
        self, unit: str, number: str | None, groups: str, before: tuple[Step, ...]
    ) -> tuple[Step, ...] | None:
        marks = [mark.strip("()") for mark in self.phrases.groups.findall(groups)] if groups else []
        if not number and not marks:
            return None
        if unit == "sec":
            if not number:
                return None
            return (Step("sec", number), *steps_by_form(marks))
        if not marks:
            return None  # "paragraph 5" belongs to texts with other levels
        below = steps_by_unit(unit, marks)
        if number:
            return (Step("sec", number), *below)
        # "subsections 4(2) to (5)": what the member leaves out, the one before it has said.
        depth = LEVELS.index(below[0].kind)
        kept = [step for step in before if step.kind == "sec" or LEVELS.index(step.kind) < depth]
        return (*kept, *below)

    # What stands behind it

    def _qualifier(self, end: int) -> tuple[int, str, tuple[Step, ...], bool]:
        """Where the citation ends, the work it names, the place in it, and whether it says "this"."""
        prefix: tuple[Step, ...] = ()
        relative = False
        written, end = end, self._past_mark(end)
        while (match := self.phrases.place.match(self.text, end)) is not None:
            if match["this"]:
                if self.phrases.own.match(self.text, end):
                    break
                relative = True
            else:
                word = match["place"].casefold()
                prefix = (Step(self.phrases.units[word], match["placed"]), *prefix)
            end = match.end()
        match = self.phrases.own.match(self.text, end)
        if match is not None:
            self.own.add(match.end())
            return match.end(), "", prefix, relative
        match = self.phrases.earlier.match(self.text, end)
        if match is not None:
            return match.end(), self.named or THAT_ACT, prefix, relative
        named = self._named_work(end)
        if named is not None:
            return named[0], named[1], prefix, relative
        match = self.phrases.defined.match(self.text, end)
        if match is not None:
            return match.end(), f"{DEFINED}{match['name']}", prefix, relative
        end = max(written, end) if prefix or relative else written
        work = THAT_ACT if self.phrases.other.match(self.text, self._past_mark(end)) else ""
        return end, work, prefix, relative

    def _past_mark(self, end: int) -> int:
        """Behind a footnote's mark: "subsection 16(2)[a] of the Customs Tariff"."""
        match = _MARK.match(self.text, end) if self.text.startswith("[", end) else None
        return match.end() if match is not None else end

    def _named_work(self, end: int) -> tuple[int, str] | None:
        match = self.phrases.leading.match(self.text, end)
        if match is None:
            return None
        start = match.end()
        anchored = self.anchors.get(start)
        if anchored is None and self.own_names:
            # Links of a work to itself are no references; its own titles are names all the same.
            own = next((name for name in self.own_names if self.text.startswith(name, start)), None)
            anchored = (start + len(own), own) if own is not None else None
        if anchored is None and self.titles:
            title = self.phrases.title.match(self.text, start)
            anchored = (title.end(), title[0]) if title is not None else None
        if anchored is not None:
            self.named = anchored[1]
        return anchored


def _ranged(first: tuple[Step, ...], last: tuple[Step, ...]) -> tuple[Step, ...]:
    """Both ends in one step where they differ in the last alone; else the first end stands for the range."""
    start, end = first[-1], last[-1]
    if start.kind == end.kind and len(first) == len(last) and first[:-1] == last[:-1]:
        return (*first[:-1], Step(start.kind, f"{start.number}{RANGE}{end.number}"))
    return first
