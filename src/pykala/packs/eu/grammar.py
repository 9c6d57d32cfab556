"""Find references in acts of the Union and in questions about them; `resolution` finds their targets.

A list gives one citation for each of its members ("Articles 9, 10 and 11(1)(a)" gives three); a range gives
one whose last step has both ends: `art_24..26`. "This Regulation" by itself is not a citation: every act says
it in every other sentence, and it refers to nothing else.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date

from pykala.law.citations import CitationContext, FoundCitation
from pykala.law.identifiers import WorkId
from pykala.law.provisions import Provision
from pykala.law.references import EdgeKind, normalise_alias
from pykala.packs.eu.amending_context import govern
from pykala.packs.eu.asked_citations import find_in_question
from pykala.packs.eu.citation_patterns import ROOTED, Phrases, plain
from pykala.packs.eu.cited_places import BEFORE, NO_ACTS, Cited, Discussed, within
from pykala.packs.eu.english_patterns import ENGLISH
from pykala.packs.eu.french_patterns import FRENCH
from pykala.packs.eu.named_works import CALLED, OUTSIDE, UNKNOWN, NamedWork, find_works, sort_of
from pykala.packs.eu.reference_places import Member, Place, PlaceReader
from pykala.packs.eu.resolution import Surroundings, surroundings_of
from pykala.text.stretches import Stretch, Stretches

PHRASES: Mapping[str, Phrases] = {"en": ENGLISH, "fr": FRENCH}
#: "the Treaty …, and in particular Article 93": the place belongs to the work before it.
_IN_PARTICULAR = re.compile(
    r"(?: ?\( ?\d{1,3} ?\))?(?: \(.{1,80}?\))?,? "
    r"(?:(?:and |et )?(?:in particular|notamment) (?:l'|les |la |le |the )?|(?:l')?)"
)
#: A name in capitals that the library may know: "Article 147(6) of CRR", "article 5 du CRR".
_SHORT_NAME = re.compile(
    r",? (?:of(?: the)?|du|de la|de l') ?(?P<name>[A-Z][A-Z0-9]{2,7}\b(?! ?[-/(])"
    r"|(?:[A-Z][\w-]* ){1,4}(?:Regulation|Directive|Decision)\b(?! \(| No| \d)"
    r"|(?:règlement|directive|décision) [A-Z][\w-]*(?: [A-Z][\w-]*){0,3})"
)
_EXCEPTED = re.compile(
    r",? (?:with the exception of|except(?: for)?|excluding|other than|à l'exception|à l'exclusion)"
    r" ?(?:the |d[eu]s? |de l')?"
)
#: Between two acts of a list: ", Commission ", " et le ", " de la Commission et le ".
_JOINED = re.compile(
    r"(?: (?:de la|du|of the) (?:Commission|Conseil|Council))?(?:, (?:and |et )?| and | et )"
    r"(?:(?:the|la|le|les|Commission|Council) |l'){0,2}"
)
#: An act after such a word is not among those that the verb is about: "In accordance with Directive …, …".
_GOVERNED = re.compile(
    r"\b(?:of|to|in|under|by|with|from|par|du|de|à|au|aux|en|dans|selon|vertu)"
    r"(?: (?:the|la|le|les))? (?:l')?$"
)
_SENTENCE = re.compile(r"[^.;]{0,120}")
#: The title of an article that new words begin with.
_HEADING = re.compile(
    r"(?<![^\n‘“«\"'„ ])Article \d{1,4}[a-z]{0,3}(?: [a-z]{3,18}){0,2}(?=\n)"
    r"|(?<=[\n‘“«\"„])Article \d{1,4}[a-z]{0,3}(?: [a-z]{3,18}){0,2}$"
)


def find_citations(
    text: str,
    context: CitationContext,
    abbreviations: Mapping[str, str] | None = None,
    asked: Mapping[str, str] | None = None,
) -> Sequence[FoundCitation]:
    """Find citations in order, without overlap; `asked` are names used by people but not in acts."""
    phrases = PHRASES.get(context.language)
    found = Finder(text, phrases, context, abbreviations or {}).find() if phrases is not None else []
    if context.provision is not None or asked is None:
        return found
    return _longest([*found, *find_in_question(text, {**(abbreviations or {}), **asked})])


def _longest(found: Sequence[FoundCitation]) -> list[FoundCitation]:
    """Of citations that overlap the longest, in order."""
    chosen: list[FoundCitation] = []
    starts: list[int] = []
    for citation in sorted(found, key=lambda one: (one.start - one.end, not one.steps)):
        at = bisect(starts, citation.start)
        clear = at == 0 or chosen[at - 1].end <= citation.start
        if clear and (at == len(chosen) or citation.end <= starts[at]):
            chosen.insert(at, citation)
            starts.insert(at, citation.start)
    return chosen


class Finder:
    """One text in one language."""

    def __init__(
        self, text: str, phrases: Phrases, context: CitationContext, abbreviations: Mapping[str, str]
    ) -> None:
        self.written = text
        self.text = plain(text)
        self.phrases = phrases
        self.context = context
        self.own: WorkId | None = context.provision.work if context.provision is not None else None
        self.named = find_works(self.text, phrases, self.own, abbreviations)
        self.discussed, self.names = Discussed(self.text, self.named), Stretches(self.named)
        self.first_amended: tuple[str, int] | None = None  # and where its name ends
        self.first_named = {named.work: named for named in reversed(self.named)}
        self.starts = {named.start: named for named in self.named}
        self.used: set[int] = set()  # positions of works that a place already uses
        self.found: list[Cited] = []
        self.abbreviations = abbreviations
        self.around: Surroundings | None = None
        if context.document is not None and context.provision is not None:
            self.around = surroundings_of(context.document)

    def find(self) -> list[FoundCitation]:
        """Every citation of the text, in order."""
        reader = PlaceReader(self.text, self.phrases)
        position = 0
        while (match := self.phrases.start.search(self.text, position)) is not None:
            position = match.end()
            if self._in_name(match.start()) or _HEADING.match(self.text, match.start()):
                continue
            place = reader.read(match)
            if place is not None:
                cited = self._cite(place)
                self.found.append(cited)
                position = max(position, cited.end)
        govern(self, self._read)
        found = [citation for cited in self.found for citation in self._citations(cited)]
        found += self._works_alone(found)
        return sorted(found, key=lambda citation: (citation.start, citation.end))

    def _read(self, provision: Provision) -> Finder:
        """The references in another provision's words that are clear by themselves."""
        context = replace(self.context, provision=provision.id, document=None)
        other = Finder(provision.versions[-1].text, self.phrases, context, self.abbreviations)
        other.find()
        return other

    def stands_in(self, kind: str) -> bool:
        """Whether the text stands in a place of a kind: a recital, a quotation."""
        path = self.context.provision.path if self.context.provision is not None else ()
        return any(step.kind == kind for step in path)

    def amended_act(self, start: int | None = None) -> str:
        """The act that the text, up to a place, says is amended; empty where it amends none."""
        if self.first_amended is None:  # the same at every citation of a text
            acts = (named for named in self.named if named.sort not in NO_ACTS)
            amended = (named for named in acts if self.phrases.amended.match(self.text, named.end))
            self.first_amended = next(((one.work, one.end) for one in amended), ("", 0))
        work, end = self.first_amended
        return work if start is None or end <= start else ""

    def last_act(self) -> str:
        """The act of the last place that says which it belongs to."""
        said = (each.work for each in reversed(self.found) if each.said and each.work.startswith("eu:"))
        return next(said, "")

    def _in_name(self, start: int) -> bool:
        return not self.names.leave_free(start, start + 1)

    # Which act a place belongs to

    def _cite(self, place: Place) -> Cited:
        members = list(place.members)
        work, end, said = self._qualifier(place)
        relative = bool(place.this) or members[0].steps[0].kind not in ROOTED
        thereof = self._thereof(place.end) if relative else 0
        if relative and not place.this and self.found and (thereof or self._of_last(members[0].start)):
            # "referred to in its second subparagraph", "with the exception of points (2)(c) to (g)"
            last = self.found[-1]
            above = within(last.members[-1].steps, members[0].steps[0])
            members = [replace(each, steps=(*above, *each.steps)) for each in members]
            work, said, relative, end = last.work, last.said, last.relative, thereof or end
        if place.that:
            members, work, said = self._in_that(place, members, work, said)
            relative = members[0].steps[0].kind not in ROOTED
        cited = Cited(members, end, work, said, relative and not work)
        members[-1] = replace(members[-1], end=end)
        cited.kind = self._change(members[0].start, end)
        if said and cited.rooted and not place.this:
            self._share(cited)
        return cited

    def _qualifier(self, place: Place) -> tuple[str, int, bool]:
        """The act after a place, where the reference ends, and whether the text names it."""
        end, text = place.end, self.text
        if place.this:
            # In new words for another act "this paragraph" is not one of the act at hand.
            return "", end, not self.stands_in("quote")
        match = self.phrases.own.match(text, end)
        if match is not None:
            return self.own.value if self.own is not None else "", match.end(), True
        match = self.phrases.earlier.match(text, end)
        if match is not None:
            word = match["word"] or ""
            return self.antecedent(match.start(), sort_of(word)), match.end(), True
        match = self.phrases.leading.match(text, end)
        named = self.starts.get(match.end()) if match is not None else None
        named = named or self.starts.get(end + 1)
        if named is not None and named.sort not in ("journal", "case"):
            self.used.add(named.start)
            return named.work, named.end, True
        if self._possessive(place.members[0].start):
            return self.antecedent(place.members[0].start, ""), end, True
        match = self.phrases.foreign.match(text, end)
        if match is not None and place.members[0].steps[0].kind in ROOTED:
            return OUTSIDE + text[match.start() : match.end()].strip(" ,"), match.end(), True
        match = _SHORT_NAME.match(text, end)
        if match is not None and place.members[0].steps[0].kind in ROOTED:
            return CALLED + normalise_alias(match["name"]), match.end(), True
        before = self._named_before(place.members[0].start)
        return (before.work, end, True) if before is not None else ("", end, False)

    def _thereof(self, end: int) -> int:
        """Where "thereof" behind a place ends; 0 where there is none."""
        match = self.phrases.earlier.match(self.text, end)
        return match.end() if match is not None and match["thereof"] else 0

    def _of_last(self, start: int) -> bool:
        """Whether a place is one inside the place that was named last."""
        return self._possessive(start) or bool(_EXCEPTED.fullmatch(self.text, self.found[-1].end, start))

    def _possessive(self, start: int) -> bool:
        return self.phrases.possessive.search(self.text, max(0, start - BEFORE), start) is not None

    def _named_before(self, start: int) -> NamedWork | None:
        """The work that stands just before a place: "GDPR, Article 6", "the Treaty, notably Article 5"."""
        before = bisect(self.named, start, key=lambda named: named.end)
        for named in (self.named[at] for at in range(before - 1, -1, -1)):
            if named.sort in NO_ACTS:
                continue
            if not _IN_PARTICULAR.fullmatch(self.text, named.end, start):
                return None
            work = self.antecedent(start, "")
            return self.first_named.get(work, named)
        return None

    def antecedent(self, start: int, sort: str) -> str:
        """The act that "that Directive" or "thereof" means."""
        work = self.discussed.at(start, sort)
        if work:
            return work
        if self.around is not None and self.context.provision is not None:
            for provision in self.around.before(self.context.provision.path):
                text = plain(provision.versions[-1].text)
                named = find_works(text, self.phrases, self.own, self.abbreviations)
                work = Discussed(text, named).at(len(text), sort)
                if work:
                    return work
        return UNKNOWN

    def _in_that(
        self, place: Place, members: list[Member], work: str, said: bool
    ) -> tuple[list[Member], str, bool]:
        """Put "paragraph 2 of that Article" below the place that was named last."""
        for cited in reversed(self.found):
            steps = cited.members[-1].steps
            held = next((number for number, step in enumerate(steps) if step.kind == place.that), None)
            if held is not None:
                above = steps[: held + 1]
                members = [replace(each, steps=(*above, *each.steps)) for each in members]
                return members, cited.work or work, cited.said or said
        return members, work, said

    def _share(self, cited: Cited) -> None:
        """Assign one act to all of "Articles 5 and 6 and Annex I to Directive 2006/112/EC"."""
        start = cited.start
        for before in reversed(self.found):
            joined = self.phrases.linking.fullmatch(self.text, before.end, start)
            if joined is None or before.said or not before.rooted or before.end == start:
                return
            before.work, before.said = cited.work, True
            before.put_beside(cited)
            before.kind = cited.kind
            start = before.start

    def _effective(self, kind: EdgeKind, end: int) -> date | None:
        """The day from which a repeal says that it is one."""
        repeals = self.phrases.repeals.match(self.text, end) if kind is EdgeKind.REPEALS else None
        if repeals is None:
            return None
        sentence = _SENTENCE.match(self.text, repeals.end())
        # Imported here: its patterns take a while to compile, and few texts repeal anything.
        from pykala.packs.eu.repeals import effect_of

        return effect_of(sentence[0] if sentence else "", self.context.language)

    def _change(self, start: int, end: int) -> EdgeKind:
        if self.context.provision is None or self.stands_in("rct"):
            return EdgeKind.CITES
        if self.phrases.inserts.search(self.text, max(0, start - BEFORE), start):
            return EdgeKind.INSERTS
        if self.phrases.repeals.match(self.text, end):
            return EdgeKind.REPEALS
        if self.phrases.amends.match(self.text, end):
            return EdgeKind.AMENDS
        return EdgeKind.CITES

    # What comes out

    def _citations(self, cited: Cited) -> list[FoundCitation]:
        found = []
        for member in cited.members:
            steps = tuple(step for step in member.steps if step.kind != "sent")
            if steps or cited.work:
                text = self.written[member.start : member.end]
                found.append(
                    FoundCitation(
                        member.start,
                        member.end,
                        text,
                        cited.work,
                        steps,
                        cited.relative,
                        cited.kind,
                        self._effective(cited.kind, cited.end),
                    )
                )
        return found

    def _works_alone(self, found: list[FoundCitation]) -> list[FoundCitation]:
        """Works that no place has taken, and "that Directive" by itself."""
        taken = Stretches[Stretch]((*found, *self.named))
        alone = []
        for named in self.named:
            if named.alone and named.start not in self.used and named.work != str(self.own):
                alone.append(self._work(named.start, named.end, named.work))
        alone = self._repealed_together(alone)
        for match in self.phrases.that_act.finditer(self.text):
            if taken.leave_free(match.start(), match.end()):
                work = self.antecedent(match.start(), sort_of(match["word"]))
                if work != UNKNOWN:
                    alone.append(self._work(match.start(), match.end(), work))
        return alone

    def _repealed_together(self, works: list[FoundCitation]) -> list[FoundCitation]:
        """Give all works of a list the verb behind its last: "A, B and C are repealed with effect from …"."""
        for at in range(len(works) - 1, 0, -1):
            before, last = works[at - 1], works[at]
            joined = _JOINED.fullmatch(self.text, before.end, last.start)
            shares = last.kind is EdgeKind.REPEALS and before.kind is EdgeKind.CITES
            if shares and joined and not self._is_governed(before.start):
                works[at - 1] = replace(before, kind=last.kind, effective=last.effective)
        return works

    def _is_governed(self, start: int) -> bool:
        return _GOVERNED.search(self.text, max(0, start - BEFORE), start) is not None

    def _work(self, start: int, end: int, work: str) -> FoundCitation:
        kind = self._change(start, end)
        if kind is EdgeKind.REPEALS and self._is_governed(start):
            kind = EdgeKind.CITES
        effective = self._effective(kind, end)
        return FoundCitation(start, end, self.written[start:end], work, kind=kind, effective=effective)
