"""Find the numbered act of a statute page: pages have no number, so several kinds of evidence are combined.

A page of an amending act names the act that it amends ("tuloverolain (1535/1992)") and the sections. Other
sources list the acts that amended it: the end of a consolidated page, with each act's words on entry into
force; the notes of a consolidated act; and later amending acts, which cite the wording they change ("42 §,
sellaisena kuin se on laeissa 1465/1994 ja 1126/1996"). A page of a new act has a title by which other texts
cite it with its number. A match needs exactly one act that fits and exactly one page that fits: a wrong
number is worse than none.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta

from pykala.law.identifiers import WorkId
from pykala.packs.finland.act_numbers import year_of_act
from pykala.packs.finland.pages.known_acts import KnownAct
from pykala.packs.finland.pages.number_calendar import NumberCalendar
from pykala.packs.finland.pages.page_facts import (
    PageFacts,
    cited_tail,
    folder_of,
    is_decree,
    squeeze,
    title_tail,
)

#: How long before its entry into force an act may have been issued, and how long after (by mistake, or
#: retroactively).
_LONGEST_WAIT = timedelta(days=900)
_BACKDATED = timedelta(days=45)
_USUAL_WAIT = timedelta(days=400)
#: "tämä laki tulee voimaan 1 päivänä tammikuuta 2020", squeezed.
_OPENING = 40
#: "Tämä laki tulee voimaan 1 päivänä tammikuuta 2020." and little else is shared by many acts.
_SHORT_ENTRY = 90
#: "Eduskunnan päätöksen mukaisesti säädetään:" is shared by all.
_SHORT_CLAUSE = 60
#: Sources err about a section now and then.
_SECTIONS_SHARED = 0.8
#: "Lisätään lakiin uusi 9 a luku", squeezed: the clause does not name the sections of such a chapter.
_WHOLE_CHAPTER = re.compile(
    r"(?:uusi|muutetaan|ja|sekä)\d{1,3}[a-z]?luku(?:seuraavasti|\d|ja|sekä|sellaisena|$)"
)
_BY_ENTRY = "entry-into-force text"
#: So many sections of a page, if all are told of an act, are no accident.
_FEW = 5
#: Below this confidence there is no match.
ENOUGH = 0.85


@dataclass(frozen=True, slots=True)
class Match:
    """A page's act, the confidence (0–1), and the evidence."""

    work: WorkId
    confidence: float
    signs: tuple[str, ...]


@dataclass(slots=True)
class _Evidence:
    """All that is known of one numbered act, from every source."""

    work: WorkId
    titles: set[str] = field(default_factory=set)
    issued: Counter[date] = field(default_factory=Counter)
    clauses: set[str] = field(default_factory=set)
    amends: set[WorkId] = field(default_factory=set)
    sections: set[str] = field(default_factory=set)  # of its own text
    told: set[str] = field(default_factory=set)  # sections that other sources say it changed
    entries: set[str] = field(default_factory=set)
    days: set[date] = field(default_factory=set)

    def add(self, act: KnownAct) -> None:
        for value, values in (
            (squeeze(act.title), self.titles),
            (act.clause, self.clauses),
            (act.entry, self.entries),
        ):
            if value:
                values.add(value)
        if act.amends:
            self.amends.add(act.amends)
        if act.day and act.entry:
            self.days.add(act.day)
        if act.issued:
            self.issued[act.issued] += 1
        (self.sections if act.clause else self.told).update(act.sections)


def match_pages(
    pages: Iterable[PageFacts], known: Iterable[KnownAct]
) -> tuple[dict[str, Match], dict[str, str]]:
    """Match pages to numbered acts: the matches by path, and why each other page has none, by path."""
    matching = _Matching(list(pages), known)
    matching.learn_earlier_amendments()
    matching.match_new_acts()
    matching.learn_listed_amendments()
    matching.match_amending_acts()
    return matching.matches, matching.reasons


class _Matching:
    """The state of one matching; each step uses what the one before found."""

    def __init__(self, pages: list[PageFacts], known: Iterable[KnownAct]) -> None:
        self.matches: dict[str, Match] = {}
        self.reasons: dict[str, str] = {}
        self.calendar = NumberCalendar()
        self.evidence: dict[WorkId, _Evidence] = {}
        self.by_title: dict[str, set[WorkId]] = defaultdict(set)
        # Pages of the same words are one act: the first stands for all, or the one that lists most
        # amending acts. Of many a consolidated act the words are left out, as on a page of its title alone.
        self.copies: dict[bytes, list[PageFacts]] = defaultdict(list)
        for page in sorted(pages, key=lambda one: one.path):
            if page.title:
                self.copies[page.digest].append(page)
            else:
                self.reasons[page.path] = "it has no title"
        self.pages = [max(same, key=lambda one: len(one.listed)) for same in self.copies.values()]
        for act in known:
            self._know(act)
        for page in self.pages:
            for listed in page.listed:
                self.calendar.add(listed.work, listed.issued)
            for named in page.named:
                self.calendar.add(named.work, named.issued)
        self.calendar.settle()
        self.numbers = self._numbers_of_names()

    def _know(self, act: KnownAct) -> None:
        self.evidence.setdefault(act.work, _Evidence(act.work)).add(act)
        self.calendar.add(act.work, act.issued)
        if act.title:
            self.by_title[squeeze(act.title)].add(act.work)

    def _settle(self, page: PageFacts, match: Match) -> None:
        for copy in self.copies[page.digest]:
            self.matches[copy.path] = match

    def _refuse(self, page: PageFacts, reason: str) -> None:
        for copy in self.copies[page.digest]:
            self.reasons[copy.path] = reason

    # New acts ------------------------------------------------------------------------------------

    def _numbers_of_names(self) -> Mapping[tuple[str, ...], Counter[WorkId]]:
        """For each title of a page: the numbers with which it is cited, and how often."""
        tails = {title_tail(page.title) for page in self.pages if not page.amending} - {()}
        tails |= {cited_tail(page.amended_name) for page in self.pages if page.amending} - {()}
        lengths = sorted({len(tail) for tail in tails})
        found: dict[tuple[str, ...], Counter[WorkId]] = defaultdict(Counter)
        for page in self.pages:
            for named in page.named:
                for length in lengths:
                    tail = named.name[-length:]
                    if len(tail) == length and tail in tails:
                        found[tail][named.work] += 1
            if page.amends and page.amended_name:
                # An amending act names the act that it amends both in its title and in its clause.
                tail = cited_tail(page.amended_name)
                found[tail][page.amends] += 2
        return found

    def match_new_acts(self) -> None:
        """Match the pages of acts that amend no other by the numbers that their titles are cited with."""
        wanted: dict[tuple[WorkId, str], list[tuple[PageFacts, Match]]] = defaultdict(list)
        for page in self.pages:
            if page.amending and not page.own:
                continue
            match, reason = self._new_act(page)
            if match is None:
                self._refuse(page, reason)
            else:
                wanted[match.work, folder_of(page.path)].append((page, match))
        for (work, _), found in wanted.items():
            if len(found) > 1:
                best = max(match.confidence for _, match in found)
                sure = [one for one in found if one[1].confidence == best and best >= 0.97]
                keep = sure if len(sure) == 1 else []
            else:
                keep = found
            for page, match in found:
                if (page, match) in keep:
                    self._settle(page, match)
                else:
                    self._refuse(page, f"several pages look like {work}")

    def _new_act(self, page: PageFacts) -> tuple[Match | None, str]:
        if page.own:
            return Match(page.own, 0.99, ("a note on the page leads to its own number",)), ""
        cited = self.numbers.get(title_tail(page.title), Counter())
        titled = self.by_title.get(squeeze(page.title), set())
        # A new act names the one that it replaces, which often has the same title.
        candidates = {*cited, *titled} - page.cites
        if not candidates:
            return None, "no numbered act is known under this title"
        wait = _USUAL_WAIT if is_decree(page.path) else _LONGEST_WAIT
        fitting = [work for work in candidates if self._in_time(page, work, wait)]
        if len(fitting) > 1 and page.listed:
            fitting = self._by_listed_acts(page, fitting)
        if not fitting:
            return None, "no act of this title is of its time"
        scored = sorted(
            ((self._new_act_match(page, work, cited, titled), work) for work in fitting),
            # Certain matches have equal confidence: the page's own words decide, never the order of a set.
            key=lambda one: (one[0].confidence, _BY_ENTRY in one[0].signs, cited[one[1]], one[1].value),
            reverse=True,
        )
        best = scored[0][0]
        if len(scored) > 1 and not self._clearly(scored[0], scored[1], cited):
            return None, "several acts of this title fit"
        if best.confidence < ENOUGH:
            return None, "the signs are too weak"
        return best, ""

    def _by_listed_acts(self, page: PageFacts, works: list[WorkId]) -> list[WorkId]:
        """Of several acts with one title, the one that the acts listed on the page have amended."""
        votes: Counter[WorkId] = Counter()
        for listed in page.listed:
            known = self.evidence.get(listed.work)
            votes.update(known.amends.intersection(works) if known else ())
        common = votes.most_common(2)
        if not common or (len(common) == 2 and common[1][1] * 4 > common[0][1]):
            return works
        return [common[0][0]]

    def _new_act_match(
        self, page: PageFacts, work: WorkId, cited: Counter[WorkId], titled: set[WorkId]
    ) -> Match:
        evidence = self.evidence.get(work, _Evidence(work))
        signs: list[str] = []
        confidence = 0.0
        if work in titled:
            signs.append("title")
            confidence = 0.9
        if cited[work]:
            signs.append(f"cited by this title {cited[work]} times")
            confidence = max(confidence, 0.86 if cited[work] == 1 else 0.9 if cited[work] < 4 else 0.93)
        if page.day and self._in_time(page, work):
            signs.append("entry into force in time")
            confidence += 0.03
        if page.entry and page.entry in evidence.entries:
            signs.append(_BY_ENTRY)
            confidence = 0.98
        if page.clause in evidence.clauses and len(page.clause) > _SHORT_CLAUSE:
            signs.append("enacting clause")
            confidence = 0.99
        if work in titled and cited[work]:
            confidence += 0.02
        return Match(work, round(min(confidence, 0.99), 2), tuple(signs))

    @staticmethod
    def _clearly(first: tuple[Match, WorkId], second: tuple[Match, WorkId], cited: Counter[WorkId]) -> bool:
        """Whether the first clearly leads: mistakes in a number ("1535/93") are rare beside the right one."""
        if _BY_ENTRY in first[0].signs and _BY_ENTRY not in second[0].signs:
            return True
        return cited[first[1]] >= 5 and cited[second[1]] * 10 <= cited[first[1]]

    def _in_time(self, page: PageFacts, work: WorkId, wait: timedelta = _LONGEST_WAIT) -> bool:
        """Whether an act of this number can have entered into force on the page's day."""
        if page.day is None:
            return True
        earliest, latest = self.calendar.bounds(work)
        return earliest - _BACKDATED <= page.day <= latest + wait

    # Amending acts -------------------------------------------------------------------------------

    def learn_earlier_amendments(self) -> None:
        """Learn from later amending acts which acts amended the same act before them, and where."""
        for page in self.pages:
            if page.amends is None:
                continue
            for earlier in page.earlier:
                if year_of_act(earlier.work) >= year_of_act(page.amends):
                    self._know(KnownAct(earlier.work, amends=page.amends, sections=earlier.sections))

    def learn_listed_amendments(self) -> None:
        """Learn the amending acts of each consolidated page whose own number is known by now."""
        for page in self.pages:
            match = self.matches.get(page.path)
            if match is None:
                continue
            for act in page.listed:
                self._know(
                    KnownAct(act.work, issued=act.issued, amends=match.work, entry=act.entry, day=act.day)
                )
        self.calendar.settle()
        self.amending: dict[WorkId, set[WorkId]] = defaultdict(set)
        for evidence in self.evidence.values():
            for amended in evidence.amends:
                self.amending[amended].add(evidence.work)

    def match_amending_acts(self) -> None:
        """Match the pages of amending acts, one for one, among the acts that amended the same act."""
        self.fits: dict[str, dict[WorkId, Match]] = {}
        self.claims: dict[tuple[WorkId, str], set[str]] = defaultdict(set)
        pages = {page.path: page for page in self.pages if page.amending and page.path not in self.matches}
        for page in pages.values():
            fits, reason = self._fits(page)
            if not fits:
                self._refuse(page, reason)
            self.fits[page.path] = fits
            for work in fits:
                self.claims[work, folder_of(page.path)].add(page.path)
        for path, page in pages.items():
            if self.fits[path]:
                self._decide(page)

    def _fits(self, page: PageFacts) -> tuple[dict[WorkId, Match], str]:
        amended = page.amends or self._amended_by_name(page)
        candidates = set(self.by_title.get(squeeze(page.title), set()))
        if amended:
            candidates |= self.amending.get(amended, set())
        if not candidates:
            if amended is None:
                return {}, "the number of the act that it amends is not known"
            return {}, "no acts are known that amended the same act"
        found = {}
        for work in candidates:
            match = self._amending_match(page, amended, self.evidence[work])
            if match is not None:
                found[work] = match
        return found, "no act that amended the same act fits its sections, time and entry into force"

    def _amended_by_name(self, page: PageFacts) -> WorkId | None:
        cited = self.numbers.get(cited_tail(page.amended_name), Counter())
        common = cited.most_common(2)
        if common and (len(common) == 1 or common[0][1] >= 10 * common[1][1]):
            return common[0][0]
        return None

    def _speaks_against(self, page: PageFacts, amended: WorkId | None, act: _Evidence) -> bool:
        """Whether some sign shows that an act is not this page."""
        told = act.sections or act.told
        # Pages sometimes leave out sections; the words on entry into force compensate for that.
        enough = _SECTIONS_SHARED if page.entry not in act.entries else _SECTIONS_SHARED / 2
        wait = _LONGEST_WAIT if act.entries else _USUAL_WAIT
        return bool(
            (amended and act.amends and amended not in act.amends)
            or (act.titles and squeeze(page.title) not in act.titles)
            or act.work in page.cites
            or not self._in_time(page, act.work, wait)
            or (told and not _tells_of(page, told, enough))
            or (act.days and page.day and page.day not in act.days)
            or (page.day is None and not act.entries)
        )

    def _amending_match(self, page: PageFacts, amended: WorkId | None, act: _Evidence) -> Match | None:
        """The signs by which an act can be this page, weighed; None where one speaks against it."""
        if self._speaks_against(page, amended, act):
            return None
        weights: dict[str, float] = {}
        if amended and amended in act.amends:
            weights["amended act"] = 1
        if act.titles:
            weights["title"] = 1
        if told := (act.sections or act.told) & page.sections:
            weights[f"{len(told)} sections"] = 1.5 if len(told) > 1 else 1
        if act.entries:
            if page.entry and page.entry in act.entries:
                weights[_BY_ENTRY] = 3 if len(page.entry) > _SHORT_ENTRY else 2
            elif any(_opens_alike(page.entry, entry) for entry in act.entries):
                weights["opening of the entry-into-force text"] = 1
            else:
                return None
        if len(page.clause) > _SHORT_CLAUSE and page.clause in act.clauses:
            weights["enacting clause"] = 4
        return Match(act.work, sum(weights.values()), tuple(weights))

    def _decide(self, page: PageFacts) -> None:
        fits = sorted(self.fits[page.path].values(), key=lambda one: one.confidence, reverse=True)
        best = fits[0]
        if len(fits) > 1 and best.confidence - fits[1].confidence < 2:
            self._refuse(page, "several acts fit")
            return
        folder = folder_of(page.path)
        for path in self.claims[best.work, folder] - {page.path}:
            if self.fits[path][best.work].confidence > best.confidence - 2:
                self._refuse(page, "several pages fit the same act")
                return
        confidence = min(0.99, 0.70 + 0.06 * best.confidence + (0.04 if len(fits) == 1 else 0))
        if confidence < ENOUGH:
            self._refuse(page, "the signs are too weak")
            return
        self._settle(page, Match(best.work, round(confidence, 2), best.signs))


def _tells_of(page: PageFacts, told: set[str], enough: float) -> bool:
    """Whether a page changes the sections told of; those of a chapter that it gives whole are not in it."""
    if len(told & page.sections) >= enough * len(told):
        return True
    return (
        _WHOLE_CHAPTER.search(page.clause) is not None and len(page.sections) > _FEW and page.sections <= told
    )


def _opens_alike(one: str, other: str) -> bool:
    """Whether two texts begin alike, beyond the sentence that names the day."""
    return len(one) >= _OPENING <= len(other) and one[:_OPENING] == other[:_OPENING]
