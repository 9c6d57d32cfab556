"""Find references in Canadian law and in questions about it; `resolution` finds their targets.

A list gives one citation for each of its members ("sections 4, 5 and 6" gives three); a range gives one whose
last step has both ends: `subsec_2..5`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from pykala.law.citations import CitationContext, FoundCitation
from pykala.law.identifiers import ProvisionId, Step
from pykala.law.references import Reference
from pykala.packs.canada.antecedents import governing_work, last_fitting, named_above, title_before
from pykala.packs.canada.instruments import find_instruments
from pykala.packs.canada.labels import slug
from pykala.packs.canada.members import FOOTNOTE_MARK, Member, MemberReader, stands_above
from pykala.packs.canada.phrases import PHRASES, Phrases
from pykala.packs.canada.places import Places, places_of
from pykala.packs.canada.questions import find_in_question
from pykala.text.stretches import Stretches

THAT_ACT = "that Act"  # another work, which the text does not name
DEFINED = "the "  # before a word that the document defines: "the Act", "la Loi"
#: Texts about other works throughout: bare section numbers in them are not this work's.
_FOREIGN = frozenset({"hist", "related", "notinforce", "quoted"})
#: Places whose paragraphs are numbered 1, 2, 3 and not (1), (2), (3).
_TREATIES = frozenset({"treaty", "art", "document", "annex"})
#: Sections of land, a mile square: "Section 36, Township 50, Range 25, west of the 4th Meridian".
_SURVEY = re.compile(
    r"\b(?:Townships?|cantons?)\s\d{1,3}\b[^.]{0,60}?\b(?:Ranges?|rangs?|Meridian|méridien)\b", re.IGNORECASE
)


def find_citations(
    text: str,
    context: CitationContext,
    abbreviations: Mapping[str, str],
    known: Mapping[str, str] = MappingProxyType({}),
) -> Sequence[FoundCitation]:
    """Find citations in order, without overlap; `known` are names used by people but not in law texts."""
    if context.provision is None:
        return find_in_question(text, context.language, abbreviations, known)
    phrases = PHRASES.get(context.language)
    if phrases is None:
        return ()
    if not any(hint in text for hint in phrases.hints):
        return ()
    kinds = {step.kind for step in context.provision.path}
    found = _Finder(text, phrases, context).find()
    if kinds & _FOREIGN:
        found = [citation for citation in found if citation.work_name]
    if "hist" not in kinds:
        found = _merged(found, list(find_instruments(text, context.provision.work)))
    return found


def _merged(found: list[FoundCitation], more: list[FoundCitation]) -> list[FoundCitation]:
    if not more:
        return found
    taken = Stretches(found)
    apart = [one for one in more if taken.leave_free(one.start, one.end)]
    return sorted([*found, *apart], key=lambda citation: citation.start)


class _Finder:
    """One text in one language."""

    def __init__(self, text: str, phrases: Phrases, context: CitationContext) -> None:
        self.text = text
        self.phrases = phrases
        self.context = context
        self.named, self.named_at = "", 0  # the last work that the text named, for "that Act"
        self.surveyed = context.document is not None and _SURVEY.search(text) is not None
        self.own: set[int] = set()  # where a citation ends that says "of this Act"
        self.links: list[Reference] = []
        self.anchors: dict[int, tuple[int, str]] = {}
        self.own_names: tuple[str, ...] = ()
        self.places: Places | None = None
        path = context.provision.path if context.provision is not None else ()
        self.reader = MemberReader(text, phrases, treaty=any(step.kind in _TREATIES for step in path))
        # An English title has a recognisable last word. A French title does not, so the markup must show its
        # end.
        self.titles = context.document is None or context.language == "en"
        if context.document is not None and context.provision is not None:
            document = context.document
            self.own_names = tuple(name for name in (document.short_title, document.title) if name)
            self.places = places_of(document)
            references = self.places.anchors.get(context.provision, ())
            self.links = [one for one in references if one.language == context.language]
            self.anchors = {one.start: (one.end, FOOTNOTE_MARK.sub("", one.text)) for one in self.links}

    def find(self) -> list[FoundCitation]:
        found: list[FoundCitation] = []
        position = 0
        while (match := self.phrases.unit.search(self.text, position)) is not None:
            members = self.reader.members(match)
            position = match.end()
            if not members or self._in_gazette(match.start()):
                continue
            position = max(position, self._cite(members, found))
        return self._continued(self._governed(found))

    def _cite(self, members: list[Member], found: list[FoundCitation]) -> int:
        """Add the citations of a list; return where they end."""
        definition = self.phrases.definition.match(self.text, members[-1].end)
        if definition is not None:
            return self._cite_in_definition(members, definition, found)
        bare = self.phrases.bare_definition.match(self.text, members[-1].end)
        if bare is not None:
            return self._cite_in_own_definition(members, bare.end(), found)
        end, work, prefix, relative = self._qualifier(members)
        if work or not self.surveyed:
            self._add(members, end, work, prefix, relative, found)
        return end

    def _add(
        self,
        members: list[Member],
        end: int,
        work: str,
        prefix: tuple[Step, ...],
        relative: bool,
        found: list[FoundCitation],
    ) -> None:
        if work and work != THAT_ACT:
            self._share(found, members[0].start, work)
        elif prefix and not work and prefix[0].kind == "sched":
            self._share_schedule(found, members[0].start, prefix)
        last = members[-1]
        for member in members:
            finish = end if member is last else member.end
            found.append(
                FoundCitation(
                    member.start,
                    finish,
                    self.text[member.start : finish],
                    work,
                    (*prefix, *member.steps),
                    not work and (relative or member.relative),
                )
            )

    def _cite_in_definition(
        self, members: list[Member], definition: re.Match[str], found: list[FoundCitation]
    ) -> int:
        """Cite "paragraph (b) of the definition claim in subsection 2(1) of the Bank Act"."""
        match = self.phrases.unit.match(self.text, definition.end())
        holders = self.reader.members(match) if match is not None else []
        if len(holders) != 1:
            return members[-1].end
        end, work, prefix, relative = self._qualifier(holders)
        steps = (*prefix, *holders[0].steps)
        number = slug(definition["term"])
        if number:
            steps = (*steps, Step("def", number))
        for member in members:
            member.relative = holders[0].relative
        self._add(members, end, work, steps, relative, found)
        return end

    def _cite_in_own_definition(self, members: list[Member], start: int, found: list[FoundCitation]) -> int:
        """Cite "paragraph (b) of the definition claim", where this document defines the term."""
        words = [match.end() for match in re.finditer(r"[\w’'-]+", self.text[start : start + 120])][:10]
        for length in reversed(words):
            number = slug(self.text[start : start + length])
            if self.places is not None and number in self.places.definitions:
                for member in members:
                    member.relative = True
                self._add(members, start + length, "", (Step("def", number),), True, found)
                return start + length
        return members[-1].end

    def _in_gazette(self, start: int) -> bool:
        """Whether it is a part of the Gazette, which is not law."""
        return "Gazette" in self.text[max(0, start - 20) : start]

    def _governed(self, found: list[FoundCitation]) -> list[FoundCitation]:
        """Assign the work named in the lines above to the references at the start of a list item."""
        if not found or found[0].start > 0 or self.places is None or self.context.provision is None:
            return found
        if found[0].work_name or found[0].relative or found[0].end in self.own:
            return found
        work = governing_work(self.places, self.context.provision, self.phrases, self.context.language)
        if not work:
            return found
        end, governed = 0, []
        for citation in found:
            bare = not (citation.work_name or citation.relative or citation.end in self.own)
            if bare and (end == 0 or self.phrases.linking.fullmatch(self.text, end, citation.start)):
                citation, end = replace(citation, work_name=work), citation.end
            governed.append(citation)
        return governed

    def _continued(self, found: list[FoundCitation]) -> list[FoundCitation]:
        """Assign a section that this work lacks to the work whose section of that number is cited.

        "For the purposes of section 618 of the Act, … (a) … referred to in subsection 618(1)".
        """
        places, provision = self.places, self.context.provision
        if places is None or provision is None:
            return found
        for index, citation in enumerate(found):
            first = citation.steps[0] if citation.steps else None
            if first is None or first.kind != "sec" or citation.work_name or citation.relative:
                continue
            if citation.end in self.own or places.has_section(first):
                continue
            work = self._work_above(first, places, provision)
            if work:
                found[index] = replace(citation, work_name=work)
        return found

    def _work_above(self, section: Step, places: Places, provision: ProvisionId) -> str:
        path = provision.path
        for length in range(len(path) - 1, 0, -1):
            above = places.provisions.get(path[:length])
            if above is None or not above.versions:
                continue
            context = replace(self.context, provision=above.id)
            for citation in _Finder(above.versions[-1].text, self.phrases, context).find():
                if citation.work_name not in ("", THAT_ACT) and citation.steps[:1] == (section,):
                    return citation.work_name
        return ""

    def _share(self, found: list[FoundCitation], start: int, work: str) -> None:
        """Assign one work to all of "subsections 34(2) and 61(2) and sections 70 and 71 of the Bank Act"."""
        for index in range(len(found) - 1, -1, -1):
            before = found[index]
            joined = self.phrases.linking.fullmatch(self.text, before.end, start)
            if joined is None or before.work_name or before.relative or before.end in self.own:
                return
            found[index] = replace(before, work_name=work)
            start = before.start

    def _share_schedule(self, found: list[FoundCitation], start: int, prefix: tuple[Step, ...]) -> None:
        """Assign all of "subparagraph 1(f)(i) and paragraph 5(a) of Schedule 1" to it, if not in the body."""
        for index in range(len(found) - 1, -1, -1):
            before = found[index]
            joined = self.phrases.linking.fullmatch(self.text, before.end, start)
            if self.places is None or joined is None or before.work_name or before.relative:
                return
            if before.steps in self.places.paths or (*prefix, *before.steps) not in self.places.paths:
                return
            found[index] = replace(before, steps=(*prefix, *before.steps))
            start = before.start

    # What stands behind it

    def _qualifier(self, members: list[Member]) -> tuple[int, str, tuple[Step, ...], bool]:
        """Where the citation ends, the work it names, the place in it, and whether it says "this"."""
        prefix: tuple[Step, ...] = ()
        relative = False
        end = members[-1].end
        written, end = end, self.reader.past_mark(end)
        held = self.phrases.holder.match(self.text, end) if all(each.relative for each in members) else None
        if held is not None:
            holder = self.reader.steps(
                self.phrases.units[held["unit"].casefold()], held["number"], held["groups"], ()
            )
            if holder is not None and stands_above(holder, members):
                prefix, end, relative = holder, held.end(), not held["number"]
                for member in members:
                    member.relative = False
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
        if match is not None and not (match["thereof"] and members[0].relative):
            return match.end(), self._earlier(match) or THAT_ACT, prefix, relative
        named = self._named_work(end)
        if named is not None:
            return named[0], named[1], prefix, relative
        match = self.phrases.defined.match(self.text, end)
        if match is not None:
            return match.end(), f"{DEFINED}{match['name']}", prefix, relative
        end = max(written, end) if prefix or relative else written
        work = THAT_ACT if self.phrases.other.match(self.text, self.reader.past_mark(end)) else ""
        return end, work, prefix, relative

    def _earlier(self, match: re.Match[str]) -> str:
        """The work that "that Act" or "thereof" means; empty where nothing before says so."""
        start, word = match.start(), match["word"] or "Act"
        links = [link for link in self.links if link.end <= start]
        if self.named and all(link.end <= self.named_at for link in links):
            return self.named
        name = last_fitting(links, word) or self.named
        if name or match["thereof"]:
            return FOOTNOTE_MARK.sub("", name)
        if self.places is not None and self.context.provision is not None:
            name = named_above(self.places, self.context.provision, word, self.context.language)
        return FOOTNOTE_MARK.sub("", name) or title_before(self.text, start)

    def _named_work(self, end: int) -> tuple[int, str] | None:
        called = self.phrases.named_law.match(self.text, end)
        law = self.places.law_called(called["name"]) if called is not None and self.places is not None else ""
        if called is not None and law:
            return called.end(), law
        match = self.phrases.leading.match(self.text, end)
        if match is None:
            return None
        start = match.end()
        anchored = self.anchors.get(start)
        if anchored is None and self.own_names:
            # Links of a work to itself are not references, but its own titles are still names.
            own = next((name for name in self.own_names if self.text.startswith(name, start)), None)
            anchored = (start + len(own), own) if own is not None else None
        if anchored is None and self.titles:
            title = self.phrases.title.match(self.text, start)
            anchored = (title.end(), title[0]) if title is not None else None
        if anchored is not None:
            self.named, self.named_at = anchored[1], anchored[0]
        return anchored
